/** What the server last said of each program. */

import { type Disposable, type Event, EventEmitter, type TextDocument, Uri } from 'vscode';
import type { RunStatus } from '../protocol';
import type { Server } from '../server/server';

export class Runs implements Disposable {
  readonly #changed = new EventEmitter<Uri>();
  readonly #statuses = new Map<string, RunStatus>();
  readonly #subscriptions: Disposable[];

  readonly onDidChange: Event<Uri> = this.#changed.event;

  constructor(server: Server) {
    this.#subscriptions = [
      server.onStatus(status => {
        const uri = Uri.parse(status.uri);
        this.#statuses.set(uri.toString(), status);
        this.#changed.fire(uri);
      }),
      server.onDidChangeState(({ kind }) => {
        if (kind !== 'ready') {
          this.#statuses.clear(); // its successor knows nothing of these runs
        }
      }),
    ];
  }

  of(document: TextDocument | Uri | undefined): RunStatus | undefined {
    const uri = document && ('uri' in document ? document.uri : document);
    return uri && this.#statuses.get(uri.toString());
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) {
      subscription.dispose();
    }
    this.#changed.dispose();
  }
}
