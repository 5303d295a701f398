/** The extension as a user has it: installed from its package into a real editor. */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Editor } from './editor';
import { debugInformation, findings, fix, hover, isReady, open, save, setting } from './harness';
import { BROKEN, CASTS, LEAVES_A_TRACE } from './programs';

const EXTENSIONS = ['jit-lsp.vsix', 'out/driver.vsix'];
let editor: Editor;

before(async () => {
  editor = await Editor.start({
    files: { 'broken.py': BROKEN, 'casts.py': CASTS, 'notes.txt': 'No Python.\n' },
    extensions: EXTENSIONS,
  });
});
after(() => editor.stop());

test('a workspace without Python has nothing of it', async () => {
  await open(editor, 'notes.txt');
  assert.equal(await isActive(), false);
});

test('the bundled server starts in an environment that has nothing of it', async () => {
  await open(editor, 'broken.py');
  const { server } = await isReady(editor);
  assert.equal(server.command?.origin, 'bundled');
  assert.equal(server.choice?.by, 'the setting jit-lsp.interpreter');
});

test('a save runs the program: squiggle and related information', async () => {
  await save(editor);
  const [found] = await seen('broken.py', found => found.length > 0);
  assert.equal(found?.code, 'shape-mismatch');
  assert.equal(found?.text, 'points @ weights');
  assert.equal(found?.severity, 0);
  assert.ok(found?.related.some(text => text.startsWith('4: ')));
  await editor.page.waitForSelector('.squiggly-error');
  await editor.picture('squiggle');
});

test('a hover says what the value was', async () => {
  const text = await hover(editor, 'broken.py', 2, 2);
  assert.match(text, /points/);
  assert.match(text, /f64\[4, 3\]/);
  await editor.page
    .locator('.view-line', { hasText: 'points = ' })
    .locator('span span')
    .first()
    .hover();
  await editor.page.locator('.monaco-hover', { hasText: 'f64[4, 3]' }).waitFor();
  await editor.calm();
  await editor.picture('hover');
});

test('a quick fix is applied, and the squiggle is gone', async () => {
  await open(editor, 'casts.py');
  await save(editor);
  const [found] = await seen('casts.py', found => found.length > 0);
  assert.equal(found?.code, 'inplace-cast');
  assert.equal(found?.text, 'counts += noise');
  await editor.picture('before-fix');
  await fix(editor, 'casts.py', '');
  await save(editor);
  await seen('casts.py', found => found.length === 0);
  await editor.picture('after-fix');
});

test('a restart gives another process, which works', async () => {
  const before = await isReady(editor);
  await editor.inside(async vscode => {
    await vscode.commands.executeCommand('jit-lsp.restartServer');
  }, undefined);
  const after = await isReady(editor);
  assert.notEqual(after.server.pid, before.server.pid);
  await open(editor, 'broken.py');
  await save(editor);
  await seen('broken.py', found => found.length > 0);
});

test('a server that is killed comes back by itself', async () => {
  const { server } = await isReady(editor);
  assert.ok(server.pid);
  process.kill(server.pid, 'SIGKILL');
  const after = await editor.until(
    'another process',
    () => debugInformation(editor),
    now => now.server.kind === 'ready' && now.server.pid !== server.pid,
  );
  assert.ok(after.server.pid);
  await open(editor, 'broken.py');
  await save(editor);
  await seen('broken.py', found => found.length > 0);
});

test('a wrong interpreter is said to be wrong, and the right one mends it', async () => {
  await setting(editor, 'interpreter', '/nowhere/python');
  const wrong = await editor.until(
    'the failure',
    () => debugInformation(editor),
    ({ server }) => server.kind === 'failed',
  );
  assert.match(wrong.server.reason ?? '', /no Python at \/nowhere\/python.*jit-lsp\.interpreter/);
  await open(editor, 'broken.py');
  await editor.page.locator('#status\\.languageStatus').click();
  await editor.page
    .locator('.hover-language-status', { hasText: 'no Python at /nowhere' })
    .waitFor();
  await editor.picture('wrong-interpreter');
  await editor.page.keyboard.press('Escape');
  await setting(editor, 'interpreter', editor.python);
  await isReady(editor);
});

test('nothing runs before the workspace is trusted', async () => {
  const untrusted = await Editor.start({
    files: { 'leaves.py': LEAVES_A_TRACE },
    extensions: EXTENSIONS,
    trusted: false,
  });
  try {
    await open(untrusted, 'leaves.py');
    await save(untrusted);
    const { server, trusted } = await debugInformation(untrusted);
    assert.deepEqual([trusted, server.kind, server.pid], [false, 'untrusted', null]);
    await open(untrusted, 'leaves.py');
    await untrusted.page.locator('#status\\.languageStatus').click();
    await untrusted.page.locator('.hover-language-status', { hasText: 'trust' }).waitFor();
    await untrusted.picture('untrusted');
    await sleep(1000);
    assert.equal(existsSync(untrusted.path('leaves.ran')), false);
  } finally {
    await untrusted.stop();
  }
});

function seen(name: string, is: (found: Awaited<ReturnType<typeof findings>>) => boolean) {
  return editor.until(`findings in ${name}`, () => findings(editor, name), is);
}

function isActive(): Promise<boolean | undefined> {
  return editor.inside(
    vscode => vscode.extensions.getExtension('jit-lsp.jit-lsp')?.isActive,
    undefined,
  );
}
