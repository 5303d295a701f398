/** Stands in for the Python Environments extension, which exports nothing where it is switched off. */

import * as vscode from 'vscode';

const SELECTED = 'fake.environment';

export function activate(context: vscode.ExtensionContext): object | null {
  if (selected() === 'off') {
    return null;
  }
  const changed = new vscode.EventEmitter<void>();
  context.subscriptions.push(
    changed,
    vscode.workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration(SELECTED)) {
        changed.fire();
      }
    }),
  );
  return {
    getEnvironment: async () =>
      selected() ? { execInfo: { run: { executable: selected() } } } : undefined,
    onDidChangeEnvironment: changed.event,
  };
}

function selected(): string {
  return vscode.workspace.getConfiguration().get(SELECTED, '');
}
