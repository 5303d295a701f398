/** The graph view and the documents of the IR, as a person sees them. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { FrameLocator, Locator } from 'playwright-core';
import { Editor } from './editor';
import { command, fix, isReady, open, save } from './harness';

const KMEANS = readFileSync('../../examples/kmeans.py', 'utf8');
const PAIRS = `import numpy as np

guess = np.ones((4, 1))
truth = np.arange(4.0)
error = guess - truth
`;
let editor: Editor;
let frame: FrameLocator;

before(async () => {
  editor = await Editor.start({
    files: { 'kmeans.py': KMEANS, 'pairs.py': PAIRS },
    extensions: ['jit-lsp.vsix', 'out/driver.vsix'],
    size: { width: 1440, height: 900 },
  });
  frame = editor.page.frameLocator('iframe.webview').frameLocator('#active-frame');
  editor.page.on('console', message => {
    if (message.text().includes('Content Security Policy')) {
      violations.push(message.text());
    }
  });
  await open(editor, 'kmeans.py');
  await isReady(editor);
  await open(editor, 'kmeans.py');
});
after(() => editor.stop());

const violations: string[] = [];

test('the view says that there is no graph before the first run', async () => {
  await command(editor, 'jit-lsp.showGraph');
  await frame.locator('#message', { hasText: 'Save the file' }).waitFor();
});

test('a save draws the graph beside the program', async () => {
  await save(editor);
  await node('main.1()').waitFor();
  await node('silhouettes(points, labels)').waitFor();
  await frame.locator('.edge .type', { hasText: 'f64[301, 2]' }).first().waitFor();
  await frame.locator('.edge.mutation').first().waitFor();
  await editor.calm();
  await editor.picture('graph');
});

test('a group opens and closes by the keyboard, and stays in its place', async () => {
  const group = node('blobs(rng)');
  await group.dispatchEvent('click');
  const wasOpen = await group.evaluate(element => element.classList.contains('open'));
  const before = await group.boundingBox();
  await frame.locator('svg').press('Space');
  await frame.locator(`.node.selected.${wasOpen ? 'box' : 'open'}`).waitFor();
  const after = await group.boundingBox();
  assert.ok(Math.abs((before?.y ?? 0) - (after?.y ?? 0)) < 2);
  await frame.locator('svg').press('Space');
  await frame.locator(`.node.selected.${wasOpen ? 'open' : 'box'}`).waitFor();
});

test('arrow keys lead from node to node, and Enter to the source', async () => {
  await node('blobs(rng)').dispatchEvent('click');
  await frame.locator('svg').press('ArrowDown');
  await frame.locator('svg').press('Enter');
  await editor.until(
    'a selection in the program',
    () =>
      editor.inside(vscode => {
        const active = vscode.window.activeTextEditor;
        return active ? active.document.getText(active.selection) : '';
      }, undefined),
    text => text.length > 0 && !text.startsWith('blobs'),
  );
});

test('a search finds what is folded, and shows it', async () => {
  await frame.locator('#foldAll').click();
  await frame.locator('input').fill('argmin');
  await frame.locator('li', { hasText: 'argmin' }).first().waitFor();
  await editor.picture('search');
  await frame.locator('input').press('Enter');
  await frame.locator('.node.selected', { hasText: 'argmin' }).waitFor();
  await editor.calm();
  await editor.picture('found');
});

test('the view follows the cursor', async () => {
  await editor.inside(vscode => {
    const active = vscode.window.visibleTextEditors.find(({ document }) =>
      document.fileName.endsWith('kmeans.py'),
    );
    const text = active?.document.getText() ?? '';
    const position = active?.document.positionAt(text.indexOf('np.abs(moved') + 4);
    if (active && position) {
      active.selection = new vscode.Selection(position, position);
    }
  }, undefined);
  await frame.locator('.node.selected', { hasText: 'abs(' }).waitFor();
});

test('a save updates it, and what is looked at stays', async () => {
  const before = await frame.locator('.node.selected').boundingBox();
  await editor.inside(async vscode => {
    const document = vscode.workspace.textDocuments.find(({ fileName }) =>
      fileName.endsWith('kmeans.py'),
    );
    if (document) {
      const edit = new vscode.WorkspaceEdit();
      const text = document.getText();
      const end = document.positionAt(text.indexOf('        distances = '));
      edit.insert(document.uri, end, '        margins = np.abs(points)\n');
      await vscode.workspace.applyEdit(edit);
      await document.save();
    }
  }, undefined);
  await frame.locator('.node', { hasText: 'margins' }).first().waitFor();
  const after = await frame.locator('.node.selected').boundingBox();
  assert.ok(before && after);
  assert.deepEqual([after.x, after.y].map(Math.round), [before.x, before.y].map(Math.round));
});

test('the IR is beside the program, in colours', async () => {
  await open(editor, 'kmeans.py');
  await command(editor, 'jit-lsp.showIR');
  const line = editor.page.locator('.view-line', { hasText: 'graph @main' }).first();
  await line.waitFor();
  await editor.until(
    'colours',
    () => line.locator('span span').evaluateAll(spans => spans.map(({ className }) => className)),
    classes => new Set(classes).size > 2,
  );
  await editor.picture('ir');
});

test('findings are marked, and no longer when they are mended', async () => {
  await command(editor, 'workbench.action.closeAllEditors');
  await open(editor, 'pairs.py');
  await save(editor);
  await command(editor, 'jit-lsp.showGraph');
  const mark = frame.locator('.node.warning .mark');
  await mark.first().waitFor();
  await editor.calm();
  await editor.picture('marks');
  await fix(editor, 'pairs.py', '');
  await open(editor, 'pairs.py');
  await save(editor);
  await mark.first().waitFor({ state: 'detached' });
  await frame.locator('.node').first().waitFor();
});

test('nothing was against the policy of the page', () => {
  assert.deepEqual(violations, []);
});

function node(title: string): Locator {
  return frame
    .locator('.node', { has: editor.page.locator('text.title', { hasText: title }) })
    .first();
}
