/** Where the editor can do better than what the protocol asks of it. */

import { ColorThemeKind, commands, MarkdownString, Uri, window } from 'vscode';
import type { Middleware } from 'vscode-languageclient';
import { fitted } from './pictures';
import { programOf, SERVER_COMMANDS } from './protocol';
import { openBeside } from './views';

export function middleware(): Middleware {
  return {
    executeCommand: (command, args, next) => {
      const [argument]: unknown[] = args;
      if (command === SERVER_COMMANDS.show && typeof argument === 'string') {
        return show(Uri.parse(argument));
      }
      if (command === SERVER_COMMANDS.explain && typeof argument === 'string') {
        return commands.executeCommand('jit-lsp.explainRule', argument);
      }
      return next(command, args);
    },
    provideHover: async (document, position, token, next) => {
      const hover = await next(document, position, token);
      const { kind } = window.activeColorTheme;
      const dark = kind === ColorThemeKind.Dark || kind === ColorThemeKind.HighContrast;
      for (const content of hover?.contents ?? []) {
        if (content instanceof MarkdownString) {
          content.value = fitted(content.value, dark);
        }
      }
      return hover;
    },
    handleWorkDoneProgress: () => undefined, // the status item shows it, and can stop it
  };
}

/** A picture is drawn by the graph view, all else is a document. */
function show(view: Uri): Thenable<unknown> {
  const program = programOf(view);
  if (program === undefined || !view.path.endsWith('.svg')) {
    return openBeside(view);
  }
  const name = new URLSearchParams(view.query).get('function') ?? undefined;
  return commands.executeCommand('jit-lsp.showGraph', program, name);
}
