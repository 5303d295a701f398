/** Stands in for the Python extension: its `environments`, with what a setting says is selected. */

import * as vscode from 'vscode';

const SELECTED = 'fake.python';

export function activate(context: vscode.ExtensionContext): object {
  const changed = new vscode.EventEmitter<{ path: string }>();
  context.subscriptions.push(
    changed,
    vscode.workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration(SELECTED)) {
        changed.fire({ path: selected() });
      }
    }),
  );
  return {
    environments: {
      getActiveEnvironmentPath: () => ({ id: 'selected', path: selected() }),
      resolveEnvironment: async ({ path }: { path: string }) =>
        path ? { executable: { uri: vscode.Uri.file(path) } } : undefined,
      onDidChangeActiveEnvironmentPath: changed.event,
    },
  };
}

function selected(): string {
  return vscode.workspace.getConfiguration().get(SELECTED, '');
}
