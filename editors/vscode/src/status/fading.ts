/** What an older run found looks faded until a newer one has ended. */

import { Disposable, languages, type TextEditor, type Uri, window } from 'vscode';
import type { Runs } from './runs';

export function fadeStale(runs: Runs): Disposable {
  const faded = window.createTextEditorDecorationType({ opacity: '0.55' });
  const update = (editor: TextEditor) => {
    const ranges = runs.of(editor.document)?.stale ? found(editor.document.uri) : [];
    editor.setDecorations(faded, ranges);
  };
  const updateAll = (uris: readonly Uri[]) => {
    const changed = new Set(uris.map(String));
    for (const editor of window.visibleTextEditors) {
      if (changed.has(editor.document.uri.toString())) {
        update(editor);
      }
    }
  };
  return Disposable.from(
    faded,
    runs.onDidChange(uri => updateAll([uri])),
    languages.onDidChangeDiagnostics(({ uris }) => updateAll(uris)),
    window.onDidChangeVisibleTextEditors(editors => {
      editors.forEach(update);
    }),
  );
}

function found(uri: Uri) {
  const own = languages.getDiagnostics(uri).filter(({ source }) => source === 'jit-lsp');
  return own.map(({ range }) => range);
}
