/** Notebooks: cells are one program, and what is said of it stands in the cells. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Editor } from './editor';
import { isReady, save } from './harness';
import { NOTEBOOK } from './programs';

let editor: Editor;

before(async () => {
  editor = await Editor.start({
    files: { 'cells.ipynb': NOTEBOOK },
    extensions: ['jit-lsp.vsix', 'out/driver.vsix'],
  });
});
after(() => editor.stop());

test('a notebook with Python in it starts the server', async () => {
  await openNotebook();
  await isReady(editor);
  await openNotebook();
});

test('a save runs the cells, and the finding is in the one that it is about', async () => {
  await save(editor);
  const [found] = await editor.until('a finding', inCells, found => found.length > 0);
  assert.equal(found?.code, 'shape-mismatch');
  assert.deepEqual([found?.cell, found?.text], [2, 'points @ weights']);
  assert.ok(found?.related.some(related => related === '1:3'));
  await editor.page.waitForSelector('.notebookOverlay .squiggly-error');
  await editor.calm();
  await editor.picture('notebook');
});

test('a hover in a cell says what the value was', async () => {
  const text = await editor.inside(async vscode => {
    const cell = vscode.window.activeNotebookEditor?.notebook.cellAt(1);
    const found = await vscode.commands.executeCommand<{ contents: { value: string }[] }[]>(
      'vscode.executeHoverProvider',
      cell?.document.uri,
      new vscode.Position(2, 2),
    );
    return found.flatMap(({ contents }) => contents.map(({ value }) => value)).join('\n');
  }, undefined);
  assert.match(text, /points/);
  assert.match(text, /f64\[4, 3\]/);
  await editor.page
    .locator('.notebookOverlay .view-line', { hasText: 'np.arange' })
    .getByText('points')
    .first()
    .hover();
  await editor.page.locator('.monaco-hover', { hasText: 'f64[4, 3]' }).waitFor();
  await editor.calm();
  await editor.picture('notebook-hover');
});

test('a cell that is mended has no finding any more', async () => {
  await editor.inside(async vscode => {
    const document = vscode.window.activeNotebookEditor?.notebook.cellAt(1).document;
    if (document) {
      const edit = new vscode.WorkspaceEdit();
      const at = document.positionAt(document.getText().indexOf('(4, 2)') + 1);
      edit.replace(document.uri, new vscode.Range(at, at.translate(0, 1)), '3');
      await vscode.workspace.applyEdit(edit);
    }
  }, undefined);
  await save(editor);
  await editor.until('no finding', inCells, found => found.length === 0);
});

function openNotebook(): Promise<void> {
  return editor.inside(async (vscode, path) => {
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
    await vscode.window.showNotebookDocument(notebook);
  }, editor.path('cells.ipynb'));
}

/** What is said of the cells, by their numbers from 0. */
function inCells() {
  return editor.inside(vscode => {
    const cells = vscode.window.activeNotebookEditor?.notebook.getCells() ?? [];
    const number = (uri: import('vscode').Uri) =>
      cells.findIndex(({ document }) => document.uri.toString() === uri.toString());
    return cells.flatMap(({ document }, cell) =>
      vscode.languages.getDiagnostics(document.uri).map(({ code, range, relatedInformation }) => ({
        cell,
        code: String(typeof code === 'object' ? code.value : code),
        text: document.getText(range),
        related: (relatedInformation ?? []).map(
          ({ location }) => `${number(location.uri)}:${location.range.start.line}`,
        ),
      })),
    );
  }, undefined);
}
