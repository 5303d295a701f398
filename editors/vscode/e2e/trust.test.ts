/** Nothing runs before the workspace is trusted; then it does, without another window. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Editor } from './editor';
import { debugInformation, findings, isReady, open, save } from './harness';
import { BROKEN } from './programs';

let editor: Editor;

before(async () => {
  editor = await Editor.start({
    files: { 'broken.py': BROKEN },
    extensions: ['jit-lsp.vsix', 'out/driver.vsix'],
    trusted: false,
  });
});
after(() => editor.stop());

test('nothing runs before the workspace is trusted', async () => {
  await open(editor, 'broken.py');
  await save(editor);
  const { server, trusted } = await debugInformation(editor);
  assert.deepEqual([trusted, server.kind, server.pid], [false, 'untrusted', null]);
  await open(editor, 'broken.py');
  await editor.page.locator('#status\\.languageStatus').click();
  await editor.page.locator('.hover-language-status', { hasText: 'trust' }).waitFor();
  await editor.picture('untrusted');
  assert.deepEqual(editor.processes(editor.environment), []);
  assert.deepEqual(await findings(editor, 'broken.py'), []);
});

test('the status leads to where trust is granted, and then the server starts', async () => {
  await editor.page.locator('.hover-language-status').getByText('Manage Trust').click();
  await editor.page.locator('.workspace-trust-editor').getByText('Trust', { exact: true }).click();
  const { trusted } = await isReady(editor);
  assert.ok(trusted);
  await open(editor, 'broken.py');
  await save(editor);
  await editor.until(
    'a finding',
    () => findings(editor, 'broken.py'),
    found => found.some(({ code }) => code === 'shape-mismatch'),
  );
  await editor.picture('trusted');
});
