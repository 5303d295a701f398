/** Which program a command is about. */

import { Uri, window } from 'vscode';
import { programOf, SCHEME } from '../protocol';

/** The file that was given, or that is looked at; with a word to the user where there is none. */
export function program(argument: unknown): Uri | undefined {
  const found = argument instanceof Uri ? argument : shown();
  if (found === undefined) {
    void window.showInformationMessage('jit-lsp: open a Python file first.');
  }
  return found;
}

function shown(): Uri | undefined {
  const document = window.activeTextEditor?.document;
  if (document?.uri.scheme === SCHEME) {
    return programOf(document.uri);
  }
  return document?.languageId === 'python' && document.uri.scheme === 'file'
    ? document.uri
    : undefined;
}
