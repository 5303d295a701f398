/** The thread that makes layouts, started when the first is wanted. */

import { Worker } from 'node:worker_threads';
import type { Drawing } from './drawing';
import type { Scene } from './scene';

interface Answer {
  readonly number: number;
  readonly drawing?: Drawing;
  readonly error?: string;
}

interface Waiting {
  resolve(drawing: Drawing): void;
  reject(error: Error): void;
}

export class Layouts {
  readonly #script: string;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #last = 0;

  constructor(script: string) {
    this.#script = script;
  }

  layout(scene: Scene): Promise<Drawing> {
    this.#worker ??= this.#start();
    this.#last += 1;
    const number = this.#last;
    this.#worker.postMessage({ number, scene });
    return new Promise((resolve, reject) => this.#waiting.set(number, { resolve, reject }));
  }

  dispose(): void {
    void this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#script);
    worker.on('message', ({ number, drawing, error }: Answer) => {
      const waiting = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (drawing !== undefined) {
        waiting?.resolve(drawing);
      } else {
        waiting?.reject(new Error(error));
      }
    });
    worker.on('error', error => this.#ended(error));
    worker.on('exit', () => this.#ended(new Error('the layout was given up')));
    return worker;
  }

  #ended(error: Error): void {
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) {
      reject(error);
    }
    this.#waiting.clear();
  }
}
