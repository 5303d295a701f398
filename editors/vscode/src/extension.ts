/** The entry: puts the parts together. Nothing starts here that the editor would have to wait for. */

import type { ExtensionContext } from 'vscode';
import { registerCommands } from './commands';
import { Logs } from './logs';
import { middleware } from './middleware';
import { Server } from './server/server';
import { fadeStale } from './status/fading';
import { showStatus } from './status/item';
import { Runs } from './status/runs';

export function activate(context: ExtensionContext): void {
  const logs = new Logs();
  const server = new Server(context, logs, middleware());
  const runs = new Runs(server);
  context.subscriptions.push(
    logs,
    server,
    runs,
    showStatus(server, runs),
    fadeStale(runs),
    ...registerCommands({ context, logs, server, runs }),
  );
  void server.restart();
}
