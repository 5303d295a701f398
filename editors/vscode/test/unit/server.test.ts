import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ownCommand, serverCommand } from '../../src/server/launch';
import { expand } from '../../src/server/paths';
import { probe } from '../../src/server/probe';

const folder = mkdtempSync(join(tmpdir(), 'jit-lsp-unit-'));
after(() => rmSync(folder, { recursive: true }));

test('paths are written out as users mean them', () => {
  const expanded = (path: string) => expand(path, '/home/me', '/work');
  assert.equal(expanded('~/env/bin/python'), '/home/me/env/bin/python');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable of settings files
  assert.equal(expanded('${workspaceFolder}/.venv/bin/python'), '/work/.venv/bin/python');
  assert.equal(expanded('.venv/bin/python'), '/work/.venv/bin/python');
  assert.equal(expanded('/usr/bin/python3'), '/usr/bin/python3');
  assert.equal(expanded('python3.12'), 'python3.12');
  assert.equal(expand('sub/python', '/home/me', undefined), 'sub/python');
});

test('the bundled server is run apart from the environment', () => {
  const python = { executable: '/p', version: '3.11.2', hasServer: true };
  assert.deepEqual(serverCommand(python, 'useBundled', '/b').args, ['-I', '/b', '--stdio']);
  assert.equal(serverCommand(python, 'fromEnvironment', '/b').origin, 'from the environment');
  const without = { ...python, hasServer: false };
  assert.equal(serverCommand(without, 'fromEnvironment', '/b').origin, 'bundled');
  assert.deepEqual(ownCommand('/x/jit-lsp').args, ['--stdio']);
});

test('a Python says who it is', async () => {
  const python = await probe('python3', folder);
  assert.match(python.version, /^3\.\d+\.\d+$/);
  assert.match(python.executable, /python/);
});

test('what is no usable Python is said to be so', async () => {
  await assert.rejects(probe('/nowhere/python', folder), /there is no Python at \/nowhere\/python/);
  await assert.rejects(probe(script('echo hello'), folder), /does not answer as a Python.*hello/);
  await assert.rejects(probe(script('echo broken >&2; exit 3'), folder), /can't be run: broken/);
  const old = script(`echo '["/old", [3, 10, 4], false]'`);
  await assert.rejects(probe(old, folder), /needs Python 3\.11 or newer; .* is 3\.10\.4/);
});

function script(text: string): string {
  const path = join(folder, `python-${text.length}`);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}
