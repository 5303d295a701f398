/** Layouts are made in a thread of their own: a large one takes seconds. */

import { parentPort } from 'node:worker_threads';
import { layout } from './layout';
import type { Scene } from './scene';

parentPort?.on('message', async ({ number, scene }: { number: number; scene: Scene }) => {
  try {
    parentPort?.postMessage({ number, drawing: await layout(scene) });
  } catch (error) {
    parentPort?.postMessage({ number, error: String(error) });
  }
});
