/** The entry: puts the parts together. Nothing starts here that the editor would have to wait for. */

import type { ExtensionContext } from 'vscode';
import { registerCommands } from './commands';
import { GraphPanels } from './graph/panels';
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
  const graphs = new GraphPanels(context, server, runs);
  context.subscriptions.push(
    logs,
    server,
    runs,
    graphs,
    showStatus(server, runs),
    fadeStale(runs),
    ...registerCommands({ context, logs, server, runs, graphs }),
  );
  void server.restart();
}
