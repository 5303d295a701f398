/** Two channels: what the extension does, and what the server writes to its standard error. */

import { type LogOutputChannel, window } from 'vscode';

export class Logs {
  readonly client: LogOutputChannel = window.createOutputChannel('jit-lsp', { log: true });
  readonly server: LogOutputChannel = window.createOutputChannel('jit-lsp Server', { log: true });

  dispose(): void {
    this.client.dispose();
    this.server.dispose();
  }
}
