/** The status of the file that is looked at: in the language status, and in the bar while it runs. */

import { Disposable, LanguageStatusSeverity, languages, StatusBarAlignment, window } from 'vscode';
import type { Server } from '../server/server';
import { present, progress, type Shown } from './present';
import type { Runs } from './runs';

const SEVERITIES = {
  information: LanguageStatusSeverity.Information,
  warning: LanguageStatusSeverity.Warning,
  error: LanguageStatusSeverity.Error,
};

export function showStatus(server: Server, runs: Runs): Disposable {
  const item = languages.createLanguageStatusItem('jit-lsp.status', { language: 'python' });
  item.name = 'jit-lsp';
  const stop = window.createStatusBarItem('jit-lsp.running', StatusBarAlignment.Left, 0);
  stop.name = 'jit-lsp: Running Program';
  stop.command = 'jit-lsp.stop';
  stop.tooltip = 'Stop this run';

  const update = () => {
    const run = runs.of(window.activeTextEditor?.document);
    fill(item, present(server.state, run));
    if (run?.state === 'running' && server.state.kind === 'ready') {
      stop.text = `$(debug-stop) ${progress(run)}`;
      stop.show();
    } else {
      stop.hide();
    }
  };
  update();
  return Disposable.from(
    item,
    stop,
    server.onDidChangeState(update),
    runs.onDidChange(update),
    window.onDidChangeActiveTextEditor(update),
  );
}

function fill(item: ReturnType<typeof languages.createLanguageStatusItem>, shown: Shown): void {
  item.text = `jit-lsp: ${shown.text}`;
  item.detail = shown.detail;
  item.severity = SEVERITIES[shown.severity];
  item.busy = shown.busy;
  item.command = { ...shown.action };
}
