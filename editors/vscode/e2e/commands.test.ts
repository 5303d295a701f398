/** Every command, as a person gives it: from the palette. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Editor } from './editor';
import {
  command,
  cursorTo,
  debugInformation,
  findings,
  isReady,
  open,
  pageWith,
  palette,
  save,
} from './harness';
import { BROKEN, PRINTS, SLOW } from './programs';

let editor: Editor;

before(async () => {
  editor = await Editor.start({
    files: { 'broken.py': BROKEN, 'prints.py': PRINTS, 'slow.py': SLOW },
    extensions: ['jit-lsp.vsix', 'out/driver.vsix'],
  });
  await open(editor, 'broken.py');
  await isReady(editor);
});
after(() => editor.stop());

/** By title, in the order in which they are tried. */
const TRIED: Readonly<Record<string, () => Promise<void>>> = {
  'Trace Now': async () => {
    await open(editor, 'broken.py');
    await editor.inside(async vscode => {
      const edit = new vscode.WorkspaceEdit();
      const document = vscode.window.activeTextEditor?.document;
      document && edit.insert(document.uri, new vscode.Position(0, 0), '# not saved\n');
      await vscode.workspace.applyEdit(edit);
    }, undefined);
    await palette(editor, 'Trace Now');
    const [found] = await editor.until(
      'a finding',
      () => findings(editor, 'broken.py'),
      found => found.length > 0,
    );
    assert.equal(found?.range[0], 5);
    assert.ok(await isDirty());
  },
  'Stop the Run': async () => {
    await open(editor, 'slow.py');
    await save(editor);
    await editor.page.locator('.statusbar-item', { hasText: /line 6 · \d+\.\d s/ }).waitFor();
    await palette(editor, 'Stop the Run');
    await lastRun('slow.py', 'stopped');
  },
  'Show Graph': async () => {
    await open(editor, 'prints.py');
    await save(editor);
    await lastRun('prints.py', 'finished');
    await open(editor, 'prints.py');
    await palette(editor, 'Show Graph');
    await graph().locator('.node', { hasText: 'total' }).first().waitFor();
  },
  'Reveal in Graph': async () => {
    await open(editor, 'prints.py');
    await cursorTo(editor, 'values * 2');
    await palette(editor, 'Reveal in Graph');
    await graph().locator('.node.selected', { hasText: 'twice' }).waitFor();
    await closeOthers();
  },
  'Show IR': async () => {
    await open(editor, 'prints.py');
    await palette(editor, 'Show IR');
    await editor.page.locator('.view-line', { hasText: 'graph @main' }).first().waitFor();
    await closeOthers();
  },
  'Show Output': async () => {
    await open(editor, 'prints.py');
    await palette(editor, 'Show Output');
    await editor.page.locator('.view-line', { hasText: 'the total is 12.0' }).waitFor();
    await closeOthers();
  },
  'Show How the Run Went': async () => {
    await open(editor, 'prints.py');
    await palette(editor, 'Show How the Run Went');
    await pageWith(editor, /prints\.py.*finished/s);
    await editor.calm();
    await editor.picture('run');
    await closeOthers();
  },
  'Explain Rule': async () => {
    await open(editor, 'broken.py');
    await cursorTo(editor, 'points @ weights', 2);
    await palette(editor, 'Explain Rule');
    await pageWith(editor, /shape-mismatch.*Use instead/s);
    await editor.calm();
    await editor.picture('rule');
    await closeOthers();
  },
  'Restart Server': async () => {
    const { server } = await isReady(editor);
    await palette(editor, 'Restart Server');
    await editor.until(
      'another process',
      () => debugInformation(editor),
      now => now.server.kind === 'ready' && now.server.pid !== server.pid,
    );
  },
  'Show Logs': async () => {
    await palette(editor, 'Show Logs');
    await channel('jit-lsp');
    await output('(bundled) with Python');
    await editor.picture('logs');
  },
  'Show Server Logs': async () => {
    await palette(editor, 'Show Server Logs');
    await channel('jit-lsp Server'); // which a server without faults writes nothing to
    await editor.picture('server-logs');
  },
  'Print Debug Information': async () => {
    await palette(editor, 'Print Debug Information');
    await editor.page.locator('.view-line', { hasText: '"trusted": true' }).waitFor();
    await editor.picture('debug-information');
  },
};

test('each command that there is is tried here', () => {
  const { contributes } = JSON.parse(readFileSync('package.json', 'utf8'));
  const titles = contributes.commands.map(({ title }: { title: string }) => title);
  assert.deepEqual(Object.keys(TRIED).sort(), titles.sort());
});

for (const [title, tried] of Object.entries(TRIED)) {
  test(title, tried);
}

function graph() {
  return editor.page.frameLocator('iframe.webview').frameLocator('#active-frame');
}

function lastRun(name: string, state: string) {
  return editor.until(
    `${state} ${name}`,
    () => debugInformation(editor, name),
    ({ lastRun }) => lastRun?.state === state,
  );
}

/** Waits until the panel shows the output of this name. */
async function channel(name: string): Promise<void> {
  const chosen = "[...document.querySelectorAll('select')].map(s => s.selectedOptions[0]?.text)";
  await editor.page.waitForFunction(`${chosen}.includes(${JSON.stringify(name)})`);
}

async function output(text: string): Promise<void> {
  await editor.page.locator('.output-view .view-line', { hasText: text }).first().waitFor();
}

/** Leaves the group of the program, wherever the focus is. */
async function closeOthers(): Promise<void> {
  await command(editor, 'workbench.action.focusFirstEditorGroup');
  await command(editor, 'workbench.action.closeEditorsInOtherGroups');
}

function isDirty(): Promise<boolean | undefined> {
  return editor.inside(vscode => vscode.window.activeTextEditor?.document.isDirty, undefined);
}
