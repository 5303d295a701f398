/** Stops the run of the file, or every run where no file is looked at. */

import { commands, window } from 'vscode';
import { SERVER_COMMANDS } from '../protocol';
import type { Command } from '.';
import { program } from './program';
import { isReady } from './ready';

export const stop: Command = async ({ server }, argument) => {
  const file = argument || window.activeTextEditor ? program(argument) : undefined;
  if (await isReady(server)) {
    const about = file ? [file.toString()] : [];
    await commands.executeCommand(SERVER_COMMANDS.cancel, ...about);
  }
};
