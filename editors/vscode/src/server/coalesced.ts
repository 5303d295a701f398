/** An action that is asked for often, such as a restart, and must not run beside itself. */

export class Coalesced {
  readonly #action: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(action: () => Promise<void>) {
    this.#action = action;
  }

  /** Runs it, or once more after the run that goes on; all who ask meanwhile share that one. */
  request(): Promise<void> {
    if (this.#running === undefined) {
      this.#running = this.#action().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.request();
      });
    return this.#next;
  }
}
