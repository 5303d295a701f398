/** The server's process: which one, and its start. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { type ExtensionContext, workspace } from 'vscode';
import type { Logs } from '../logs';
import { readSettings } from '../settings';
import type { Choice, Interpreters } from './interpreter';
import { type Command, ownCommand, serverCommand } from './launch';
import { expand } from './paths';
import { type Python, probe, Unusable } from './probe';

/** What is to run, and why just that. */
export interface Chosen {
  readonly command: Command;
  readonly choice?: Choice;
  readonly python?: Python;
}

/**
 * Throws:
 *     Unusable: the text says what is wrong with the interpreter, and who chose it.
 */
export async function choose(
  context: ExtensionContext,
  interpreters: Interpreters,
  logs: Logs,
): Promise<Chosen> {
  const folder = workspace.workspaceFolders?.[0];
  const { path, importStrategy } = readSettings(folder);
  if (path) {
    return { command: ownCommand(expand(path, homedir(), folder?.uri.fsPath)) };
  }
  const choice = await interpreters.choose();
  const python = await probe(choice.interpreter, context.extensionPath).catch(error => {
    throw new Unusable(`${error.message} (chosen by ${choice.by})`);
  });
  if (importStrategy === 'fromEnvironment' && !python.hasServer) {
    logs.client.warn(`jit-lsp is not installed for ${python.executable}; the bundled one is used`);
  }
  const command = serverCommand(python, importStrategy, context.asAbsolutePath('bundled'));
  return { command, choice, python };
}

export async function start(chosen: Chosen, logs: Logs): Promise<ChildProcessWithoutNullStreams> {
  const { command, args, origin } = chosen.command;
  logs.client.info(`starting ${[command, ...args].join(' ')} (${origin})${reason(chosen)}`);
  const folder = workspace.workspaceFolders?.[0];
  const server = spawn(command, args, { cwd: folder?.uri.fsPath ?? homedir() });
  await new Promise((resolve, reject) => {
    server.once('spawn', resolve);
    server.once('error', ({ message }) => reject(new Unusable(`${command} can't run: ${message}`)));
  });
  server.once('exit', (code, signal) => {
    logs.client.info(`the server's process ${server.pid} ended: ${signal ?? code}`);
  });
  return server;
}

function reason({ choice, python }: Chosen): string {
  return choice && python ? ` with Python ${python.version}, chosen by ${choice.by}` : '';
}
