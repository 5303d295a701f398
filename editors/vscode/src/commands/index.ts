/** Every command of the extension, one module each. */

import { commands, type Disposable, type ExtensionContext } from 'vscode';
import type { GraphPanels } from '../graph/panels';
import type { Logs } from '../logs';
import type { Server } from '../server/server';
import type { Runs } from '../status/runs';
import { explainRule } from './explainRule';
import { printDebugInformation } from './printDebugInformation';
import { restartServer } from './restartServer';
import { revealInGraph } from './revealInGraph';
import { showGraph } from './showGraph';
import { showLogs, showServerLogs } from './showLogs';
import { showIR, showOutput, showRun } from './showView';
import { stop } from './stop';
import { traceNow } from './traceNow';

/** What commands may use. */
export interface Parts {
  readonly context: ExtensionContext;
  readonly logs: Logs;
  readonly server: Server;
  readonly runs: Runs;
  readonly graphs: GraphPanels;
}

export type Command = (parts: Parts, ...args: unknown[]) => Promise<unknown>;

const COMMANDS: Readonly<Record<string, Command>> = {
  explainRule,
  printDebugInformation,
  restartServer,
  revealInGraph,
  showGraph,
  showIR,
  showLogs,
  showOutput,
  showRun,
  showServerLogs,
  stop,
  traceNow,
};

export function registerCommands(parts: Parts): Disposable[] {
  return Object.entries(COMMANDS).map(([name, command]) =>
    commands.registerCommand(`jit-lsp.${name}`, (...args: unknown[]) => command(parts, ...args)),
  );
}
