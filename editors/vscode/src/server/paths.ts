/** Paths as users write them in settings. */

import { isAbsolute, join } from 'node:path';

/** With `~`, `${workspaceFolder}` and relative paths written out; a bare name is left to PATH. */
export function expand(path: string, home: string, folder: string | undefined): string {
  let expanded = path;
  if (expanded === '~' || expanded.startsWith('~/')) {
    expanded = join(home, expanded.slice(1));
  }
  if (folder === undefined) {
    return expanded;
  }
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable of settings files
  expanded = expanded.replaceAll('${workspaceFolder}', folder);
  const bare = !expanded.includes('/') && !expanded.includes('\\');
  return bare || isAbsolute(expanded) ? expanded : join(folder, expanded);
}
