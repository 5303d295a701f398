/** What the user may set for the extension itself; the server asks for its own. */

import { type ConfigurationScope, workspace } from 'vscode';

export const SECTION = 'jit-lsp';

export type ImportStrategy = 'useBundled' | 'fromEnvironment';

export interface Settings {
  /** A Python, as the user wrote it; empty where none is chosen. */
  readonly interpreter: string;
  /** An executable to run in place of the server that comes along; empty for none. */
  readonly path: string;
  readonly importStrategy: ImportStrategy;
}

/** Names whose change needs another server process. */
export const RESTARTING = ['interpreter', 'path', 'importStrategy'].map(
  name => `${SECTION}.${name}`,
);

export function readSettings(scope?: ConfigurationScope): Settings {
  const section = workspace.getConfiguration(SECTION, scope);
  const text = (name: string) => section.get<string>(name, '').trim();
  return {
    interpreter: text('interpreter'),
    path: text('path'),
    importStrategy: section.get<ImportStrategy>('importStrategy', 'useBundled'),
  };
}

/** What somebody has set, null for all else: what that means is the server's to say. */
export function chosenSettings(scope: ConfigurationScope | undefined): Record<string, unknown> {
  const section = workspace.getConfiguration(SECTION, scope);
  const names = Object.keys(section).filter(name => typeof section[name] !== 'function');
  return Object.fromEntries(
    names.map(name => {
      const found = section.inspect(name);
      const values = [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue];
      return [name, values.some(value => value !== undefined) ? section.get(name) : null];
    }),
  );
}
