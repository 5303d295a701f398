/** The server as the rest of the extension sees it: started, restarted, given up. */

import type { ChildProcess } from 'node:child_process';
import {
  commands,
  type Disposable,
  type Event,
  EventEmitter,
  type ExtensionContext,
  window,
  workspace,
} from 'vscode';
import type { Middleware } from 'vscode-languageclient';
import type { Logs } from '../logs';
import type { RunStatus } from '../protocol';
import { RESTARTING } from '../settings';
import { Coalesced } from './coalesced';
import type { Connection } from './connection';
import { Interpreters } from './interpreter';
import { type Chosen, choose, start } from './process';

export type ServerState =
  | { readonly kind: 'untrusted' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly reason: string };

const CRASHES = { most: 4, within: 3 * 60_000 }; // then it stays down until the user says otherwise

export class Server implements Disposable {
  readonly #changed = new EventEmitter<ServerState>();
  readonly #statuses = new EventEmitter<RunStatus>();
  readonly #restarts = new Coalesced(() => this.#replace());
  readonly #interpreters = new Interpreters();
  readonly #subscriptions: Disposable[];
  readonly #context: ExtensionContext;
  readonly #logs: Logs;
  readonly #middleware: Middleware;
  #state: ServerState = { kind: workspace.isTrusted ? 'starting' : 'untrusted' };
  #chosen: Chosen | undefined;
  #process: ChildProcess | undefined;
  #connection: Connection | undefined;
  #crashes: number[] = [];

  readonly onDidChangeState: Event<ServerState> = this.#changed.event;
  /** The server says how a run goes. */
  readonly onStatus: Event<RunStatus> = this.#statuses.event;

  constructor(context: ExtensionContext, logs: Logs, middleware: Middleware) {
    this.#context = context;
    this.#logs = logs;
    this.#middleware = middleware;
    this.#subscriptions = [
      workspace.onDidGrantWorkspaceTrust(() => this.restart()),
      workspace.onDidChangeConfiguration(change => {
        if (RESTARTING.some(name => change.affectsConfiguration(name))) {
          this.restart();
        }
      }),
      this.#interpreters.onDidChange(() => this.restart()),
    ];
  }

  get state(): ServerState {
    return this.#state;
  }

  /** What runs, or was to run, and who chose it. */
  get chosen(): Chosen | undefined {
    return this.#chosen;
  }

  /** The process id, while there is a process. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Starts it, or starts it again; never fails, the state says how it went. */
  restart(): Promise<void> {
    this.#crashes = [];
    return this.#restarts.request();
  }

  /** Asks the server; undefined while there is none. */
  async ask<Answer>(method: string, params: unknown): Promise<Answer | undefined> {
    return this.#state.kind === 'ready' ? this.#connection?.ask(method, params) : undefined;
  }

  async dispose(): Promise<void> {
    for (const subscription of this.#subscriptions) {
      subscription.dispose();
    }
    this.#interpreters.dispose();
    await this.#stop();
    this.#changed.dispose();
    this.#statuses.dispose();
  }

  async #replace(): Promise<void> {
    if (!workspace.isTrusted) {
      this.#become({ kind: 'untrusted' });
      return;
    }
    this.#become({ kind: 'starting' }); // from now on, and not first when the one before is down
    await this.#stop();
    try {
      this.#chosen = await choose(this.#context, this.#interpreters, this.#logs);
      const server = await start(this.#chosen, this.#logs);
      this.#process = server;
      const { connect } = await import('./connection');
      this.#connection = await connect(server, this.#interpreters, this.#logs, this.#middleware, {
        onStatus: status => this.#statuses.fire(status),
        onClosed: () => this.#closed(),
      });
      await this.#connection.start();
      this.#become({ kind: 'ready' });
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
    }
  }

  async #stop(): Promise<void> {
    const [connection, server] = [this.#connection, this.#process];
    this.#connection = undefined;
    this.#process = undefined;
    this.#chosen = undefined;
    try {
      await connection?.dispose();
    } catch {
      // it was down already
    }
    server?.kill('SIGKILL'); // of one that did not go when asked to
  }

  #closed(): void {
    if (this.#state.kind !== 'ready' || this.#connection === undefined) {
      return; // it was not up yet, or was asked to go
    }
    const now = Date.now();
    this.#crashes = [...this.#crashes.filter(time => now - time < CRASHES.within), now];
    if (this.#crashes.length > CRASHES.most) {
      this.#fail(`the server ended ${this.#crashes.length} times within 3 minutes`);
      return;
    }
    this.#become({ kind: 'starting' });
    void this.#restarts.request();
  }

  #fail(reason: string): void {
    this.#logs.client.error(reason);
    this.#become({ kind: 'failed', reason });
    void tell(reason);
  }

  #become(state: ServerState): void {
    this.#state = state;
    this.#changed.fire(state);
  }
}

/** Says what is wrong, once for each failed start, with the two ways out. */
async function tell(reason: string): Promise<void> {
  const [settings, logs] = ['Choose Interpreter', 'Show Logs'];
  const answer = await window.showErrorMessage(`jit-lsp: ${reason}`, settings, logs);
  if (answer === settings) {
    await commands.executeCommand('workbench.action.openSettings', 'jit-lsp.interpreter');
  } else if (answer === logs) {
    await commands.executeCommand('jit-lsp.showLogs');
  }
}
