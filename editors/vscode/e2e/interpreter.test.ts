/** Which Python and which server: what other extensions say, and what the settings say. */

import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Editor, ENVIRONMENT } from './editor';
import { type DebugInformation, debugInformation, findings, open, save, setting } from './harness';
import { BROKEN } from './programs';

let editor: Editor;
let one: string;
let other: string;

before(async () => {
  editor = await Editor.start({
    files: { 'broken.py': BROKEN },
    extensions: [
      'jit-lsp.vsix',
      'out/driver.vsix',
      'out/fakes/python.vsix',
      'out/fakes/environments.vsix',
    ],
    settings: { 'jit-lsp.interpreter': undefined, 'fake.environment': 'off' },
  });
  [one, other] = ['one', 'other'].map(name => {
    const path = editor.path(name);
    symlinkSync(editor.environment, path);
    return join(path, 'bin/python');
  }) as [string, string];
});
after(() => editor.stop());

test('where nobody selected one, it is the one on PATH', async () => {
  await open(editor, 'broken.py');
  await chosen(/^PATH$/, /^python3$/);
});

test('the Python extension says which, and is heard when that changes', async () => {
  await selects('fake.python', one);
  await chosen(/^the Python extension$/, one);
  await selects('fake.python', other);
  await chosen(/^the Python extension$/, other);
  await open(editor, 'broken.py');
  await save(editor);
  await seen();
});

test('the Python Environments extension goes first, once it is switched on', async () => {
  await selects('fake.environment', one);
  await editor.reload();
  await open(editor, 'broken.py');
  await chosen(/^the Python Environments extension$/, one);
  await selects('fake.environment', other);
  await chosen(/^the Python Environments extension$/, other);
});

test('the setting goes before both', async () => {
  await setting(editor, 'interpreter', one);
  await chosen(/^the setting jit-lsp\.interpreter$/, one);
});

test('the server of the environment is used where that is wanted, and there is one', async () => {
  await setting(editor, 'importStrategy', 'fromEnvironment');
  await served('bundled'); // there is none in this one
  await setting(editor, 'interpreter', join(ENVIRONMENT, 'bin/python'));
  await served('from the environment');
  await finds();
});

test('an executable that is named is used before all', async () => {
  await setting(editor, 'path', join(ENVIRONMENT, 'bin/jit-lsp'));
  await served('from the setting jit-lsp.path');
  await finds();
});

function chosen(by: RegExp, interpreter: RegExp | string): Promise<DebugInformation> {
  return editor.until(
    `${interpreter}, by ${by}`,
    () => debugInformation(editor),
    ({ server: { kind, choice } }) =>
      kind === 'ready' &&
      by.test(choice?.by ?? '') &&
      (typeof interpreter === 'string'
        ? choice?.interpreter === interpreter
        : interpreter.test(choice?.interpreter ?? '')),
  );
}

function served(origin: string): Promise<DebugInformation> {
  return editor.until(
    `a server, ${origin}`,
    () => debugInformation(editor),
    ({ server }) => server.kind === 'ready' && server.command?.origin === origin,
  );
}

/** A run by the server that is there now. */
async function finds(): Promise<void> {
  await open(editor, 'broken.py');
  await save(editor);
  const { lastRun } = await editor.until(
    'a run',
    () => debugInformation(editor, 'broken.py'),
    ({ lastRun }) => lastRun?.state === 'finished',
  );
  assert.equal(lastRun?.findings.error, 1);
  await seen();
}

function seen() {
  return editor.until(
    'the finding',
    () => findings(editor, 'broken.py'),
    found => found.some(({ code }) => code === 'shape-mismatch'),
  );
}

function selects(name: string, value: string): Promise<void> {
  return editor.inside(
    async (vscode, { name, value }) => {
      const { Workspace } = vscode.ConfigurationTarget;
      await vscode.workspace.getConfiguration().update(name, value, Workspace);
    },
    { name, value },
  );
}
