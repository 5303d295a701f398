/** The graph view of a program, at one of its functions if one is named. */

import type { Command } from '.';
import { program } from './program';
import { isReady } from './ready';

export const showGraph: Command = async ({ graphs, server }, argument, name) => {
  const file = program(argument);
  if (file && (await isReady(server))) {
    const panel = graphs.show(file);
    if (typeof name === 'string') {
      await panel.revealFunction(name);
    }
  }
};
