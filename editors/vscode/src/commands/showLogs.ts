/** What the extension did, and what the server wrote to its standard error. */

import type { Command } from '.';

export const showLogs: Command = async ({ logs }) => logs.client.show();

export const showServerLogs: Command = async ({ logs }) => logs.server.show();
