/** Where the editor can do better than what the protocol asks of it. */

import { commands, Uri } from 'vscode';
import type { Middleware } from 'vscode-languageclient';
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
  };
}

/** A picture is drawn by the graph view, all else is a document. */
function show(view: Uri): Thenable<unknown> {
  const program = programOf(view);
  return program && view.path.endsWith('.svg')
    ? commands.executeCommand('jit-lsp.showGraph', program)
    : openBeside(view);
}
