/** Runs in the editor what a test sends: functions of the editor's API, one at a time. */

import { unlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';

export function activate(context: vscode.ExtensionContext): void {
  const path = process.env['JIT_LSP_DRIVER'];
  if (path === undefined) {
    return;
  }
  const server = createServer(socket => {
    createInterface({ input: socket }).on('line', async line => {
      socket.write(`${JSON.stringify(await answer(line))}\n`);
    });
  });
  unlinkIfThere(path); // of the window before this one
  server.listen(path);
  context.subscriptions.push({ dispose: () => server.close() });
}

async function answer(line: string): Promise<object> {
  try {
    const { code, argument } = JSON.parse(line);
    // biome-ignore lint/security/noGlobalEval: running what the test sends is all that it is for
    return { value: await globalThis.eval(`(${code})`)(vscode, argument) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // it isn't
  }
}
