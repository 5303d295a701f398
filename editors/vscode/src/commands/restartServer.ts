/** Another process, whatever became of the one before. */

import type { Command } from '.';

export const restartServer: Command = ({ server }) => server.restart();
