/**
 * Which Python: the extension's own setting, then what the Python Environments extension says, then
 * the Python extension, then what the server itself would take: a `.venv` of the folder, or PATH.
 */

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Disposable, type Event, EventEmitter, extensions, type Uri, workspace } from 'vscode';
import { readSettings } from '../settings';
import { expand } from './paths';

export interface Choice {
  readonly interpreter: string;
  /** Who chose it, in words. */
  readonly by: string;
  /** Whether the user chose it, rather than nobody. */
  readonly explicit: boolean;
}

/** What is used of the API of `ms-python.vscode-python-envs`. */
interface EnvironmentsApi {
  getEnvironment(
    scope: Uri | undefined,
  ): Promise<{ execInfo?: { run?: { executable?: string } } } | undefined>;
  onDidChangeEnvironment?: Event<unknown>;
}

/** What is used of the API of `ms-python.python`. */
interface PythonApi {
  environments?: {
    getActiveEnvironmentPath(scope?: Uri): { path: string };
    resolveEnvironment(environment: {
      path: string;
    }): Promise<{ executable?: { uri?: Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath?: Event<unknown>;
  };
}

const ENVIRONMENTS = 'ms-python.vscode-python-envs';
const PYTHON = 'ms-python.python';

export class Interpreters {
  readonly #changed = new EventEmitter<void>();
  readonly #watched = new Map<string, Disposable>();
  /** One of those extensions says that another interpreter is selected. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** The interpreter for programs in the folder `scope`, or for the first folder. */
  async choose(scope?: Uri): Promise<Choice> {
    const folder =
      (scope && workspace.getWorkspaceFolder(scope)) ?? workspace.workspaceFolders?.[0];
    const { interpreter } = readSettings(scope ?? folder);
    if (interpreter) {
      const path = expand(interpreter, homedir(), folder?.uri.fsPath);
      return { interpreter: path, by: 'the setting jit-lsp.interpreter', explicit: true };
    }
    const where = scope ?? folder?.uri;
    return (
      (await this.#fromEnvironments(where)) ??
      (await this.#fromPython(where)) ??
      usual(folder?.uri.fsPath)
    );
  }

  dispose(): void {
    this.#changed.dispose();
    for (const watched of this.#watched.values()) {
      watched.dispose();
    }
  }

  async #fromEnvironments(scope: Uri | undefined): Promise<Choice | undefined> {
    const api = await exported<EnvironmentsApi>(ENVIRONMENTS); // null where it is switched off
    if (!api?.getEnvironment) {
      return undefined;
    }
    this.#watch(ENVIRONMENTS, api.onDidChangeEnvironment);
    const found = (await api.getEnvironment(scope))?.execInfo?.run?.executable;
    return found
      ? { interpreter: found, by: 'the Python Environments extension', explicit: true }
      : undefined;
  }

  async #fromPython(scope: Uri | undefined): Promise<Choice | undefined> {
    const api = (await exported<PythonApi>(PYTHON))?.environments;
    if (!api) {
      return undefined;
    }
    this.#watch(PYTHON, api.onDidChangeActiveEnvironmentPath);
    const resolved = await api.resolveEnvironment(api.getActiveEnvironmentPath(scope));
    const found = resolved?.executable?.uri?.fsPath;
    return found ? { interpreter: found, by: 'the Python extension', explicit: true } : undefined;
  }

  #watch(extension: string, event: Event<unknown> | undefined): void {
    if (event && !this.#watched.has(extension)) {
      this.#watched.set(
        extension,
        event(() => this.#changed.fire()),
      );
    }
  }
}

/** Where the server looks too, in the same order. */
function usual(folder: string | undefined): Choice {
  const windows = process.platform === 'win32';
  const inside = windows ? ['Scripts', 'python.exe'] : ['bin', 'python'];
  const active = process.env['VIRTUAL_ENV'];
  const environments = [
    { by: 'the activated environment', root: active },
    { by: 'the .venv of the folder', root: folder && join(folder, '.venv') },
  ];
  for (const { by, root } of environments) {
    const python = root && join(root, ...inside);
    if (python && existsSync(python)) {
      return { interpreter: python, by, explicit: false };
    }
  }
  return { interpreter: windows ? 'python' : 'python3', by: 'PATH', explicit: false };
}

async function exported<Api>(id: string): Promise<Api | undefined> {
  try {
    return (await extensions.getExtension<Api | null>(id)?.activate()) ?? undefined;
  } catch {
    return undefined; // it says itself what is wrong with it
  }
}
