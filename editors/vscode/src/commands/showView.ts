/** What a run left, as text beside the program: its graph, its output, how it went. */

import type { Uri } from 'vscode';
import { type View, viewOf } from '../protocol';
import { openBeside } from '../views';
import type { Command } from '.';
import { program } from './program';
import { isReady } from './ready';

export const showIR = shows('ir');
export const showOutput = shows('output');
export const showRun = shows('status');

function shows(view: View): Command {
  return async ({ server }, argument) => {
    const file: Uri | undefined = program(argument);
    if (file && (await isReady(server))) {
      await openBeside(viewOf(file, view));
    }
  };
}
