/** Commands that need the server say why there is none, and what helps. */

import { commands, window } from 'vscode';
import type { Server } from '../server/server';

const PATIENCE = 10_000; // milliseconds that a start may take before the user hears of it

export async function isReady(server: Server): Promise<boolean> {
  const state = server.state.kind === 'starting' ? await settled(server) : server.state;
  switch (state.kind) {
    case 'ready':
      return true;
    case 'untrusted':
      offer('it runs programs, and this workspace is not trusted.', {
        'Manage Trust': 'workbench.trust.manage',
      });
      return false;
    case 'starting':
      offer('the server is still starting.', { 'Show Logs': 'jit-lsp.showLogs' });
      return false;
    case 'failed':
      offer(state.reason, {
        'Show Logs': 'jit-lsp.showLogs',
        'Restart Server': 'jit-lsp.restartServer',
      });
      return false;
  }
}

function settled(server: Server): Promise<Server['state']> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer);
      listening.dispose();
      resolve(server.state);
    };
    const timer = setTimeout(done, PATIENCE);
    const listening = server.onDidChangeState(({ kind }) => kind !== 'starting' && done());
  });
}

/** Not waited for: whoever called wants to go on whether or not the user answers. */
function offer(what: string, answers: Readonly<Record<string, string>>): void {
  void window.showWarningMessage(`jit-lsp: ${what}`, ...Object.keys(answers)).then(answer => {
    const command = answer && answers[answer];
    return command && commands.executeCommand(command);
  });
}
