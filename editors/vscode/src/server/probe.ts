/** Asks a Python who it is, before anything of ours depends on it. */

import { execFile } from 'node:child_process';

/** The oldest Python that the server and the programs it runs can have. */
export const OLDEST = [3, 11] as const;

export interface Python {
  readonly executable: string;
  readonly version: string;
  /** Whether `jit_lsp` is installed in its environment. */
  readonly hasServer: boolean;
}

/** Why an interpreter can't be used; the text is for the user. */
export class Unusable extends Error {}

const PATIENCE = 20_000; // milliseconds; a first start from a slow disk takes a few seconds

const QUESTION = `
import importlib.util, json, sys
found = importlib.util.find_spec("jit_lsp") is not None
print(json.dumps([sys.executable, list(sys.version_info[:3]), found]))
`;

/** Runs `interpreter` in `directory`, which must be one that nobody else writes to. */
export async function probe(interpreter: string, directory: string): Promise<Python> {
  const [executable, version, hasServer] = parse(
    interpreter,
    await ask(interpreter, ['-c', QUESTION], directory),
  );
  const [major = 0, minor = 0] = version;
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    throw new Unusable(
      `jit-lsp needs Python ${OLDEST.join('.')} or newer; ${interpreter} is ${version.join('.')}`,
    );
  }
  return { executable, version: version.join('.'), hasServer };
}

function parse(interpreter: string, answer: string): [string, number[], boolean] {
  try {
    return JSON.parse(answer);
  } catch {
    throw new Unusable(`${interpreter} does not answer as a Python does: ${firstLine(answer)}`);
  }
}

function ask(command: string, args: string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, timeout: PATIENCE }, (error, stdout, stderr) => {
      if (error === null) {
        resolve(stdout);
      } else {
        reject(new Unusable(reason(command, error, stderr)));
      }
    });
  });
}

function reason(
  command: string,
  error: Error & { code?: unknown; killed?: boolean },
  stderr: string,
) {
  if (error.code === 'ENOENT') {
    return `there is no Python at ${command}`;
  }
  if (error.killed) {
    return `${command} gave no answer in ${PATIENCE / 1000} s`;
  }
  return `${command} can't be run: ${firstLine(stderr) || error.message}`;
}

const firstLine = (text: string) => text.trim().split('\n', 1)[0] ?? '';
