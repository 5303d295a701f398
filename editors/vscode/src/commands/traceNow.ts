/** Runs the file as it is on the screen, saved or not. */

import { commands } from 'vscode';
import { SERVER_COMMANDS } from '../protocol';
import type { Command } from '.';
import { program } from './program';
import { isReady } from './ready';

export const traceNow: Command = async ({ server }, argument) => {
  const file = program(argument);
  if (file && (await isReady(server))) {
    await commands.executeCommand(SERVER_COMMANDS.trace, file.toString());
  }
};
