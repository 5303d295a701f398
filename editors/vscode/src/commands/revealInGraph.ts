/** The operation under the cursor, in the graph view. */

import { window } from 'vscode';
import type { Command } from '.';
import { program } from './program';
import { isReady } from './ready';

export const revealInGraph: Command = async ({ graphs, server }) => {
  const file = program(undefined);
  const editor = window.activeTextEditor;
  if (file && editor && (await isReady(server))) {
    graphs.show(file).reveal(editor.document.uri, editor.selection.active);
  }
};
