/** The command line that starts the server. */

import type { ImportStrategy } from '../settings';
import type { Python } from './probe';

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  /** Where the server's code comes from, in words. */
  readonly origin: string;
}

/**
 * `bundled` is the folder with the server and all it imports. Python puts that folder first on the
 * path of the server's process and of no other, and `-I` keeps the environment's out of it.
 */
export function serverCommand(python: Python, strategy: ImportStrategy, bundled: string): Command {
  if (strategy === 'fromEnvironment' && python.hasServer) {
    const args = ['-m', 'jit_lsp.cli', '--stdio'];
    return { command: python.executable, args, origin: 'from the environment' };
  }
  return { command: python.executable, args: ['-I', bundled, '--stdio'], origin: 'bundled' };
}

/** The same for an executable that the user named. */
export function ownCommand(path: string): Command {
  return { command: path, args: ['--stdio'], origin: 'from the setting jit-lsp.path' };
}
