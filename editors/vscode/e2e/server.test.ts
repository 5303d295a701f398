/** The extension as a user has it: installed from its package into a real editor. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Editor } from './editor';
import {
  command,
  cursorTo,
  debugInformation,
  findings,
  fix,
  hover,
  isReady,
  open,
  pageWith,
  save,
  setting,
} from './harness';
import { BROKEN, CASTS, COST, LENS, SLOW } from './programs';

const EXTENSIONS = ['jit-lsp.vsix', 'out/driver.vsix'];
let editor: Editor;

before(async () => {
  editor = await Editor.start({
    files: {
      'broken.py': BROKEN,
      'casts.py': CASTS,
      'cost.py': COST,
      'lens.py': LENS,
      'slow.py': SLOW,
      'notes.txt': 'No Python.\n',
    },
    extensions: EXTENSIONS,
  });
});
after(() => editor.stop());

test('a workspace without Python has nothing of it', async () => {
  await open(editor, 'notes.txt');
  assert.equal(await isActive(), false);
  await editor.page.keyboard.press('F1');
  const palette = editor.page.locator('.quick-input-widget');
  await palette.locator('input[type=text]').fill('>jit-lsp: ');
  await palette.locator('.monaco-list-row', { hasText: 'Restart Server' }).waitFor();
  assert.equal(await palette.locator('.monaco-list-row', { hasText: 'Trace Now' }).count(), 0);
  await editor.page.keyboard.press('Escape');
  assert.equal(await editor.page.locator('.statusbar-item', { hasText: 'jit-lsp' }).count(), 0);
  assert.deepEqual(editor.processes('bundled'), []);
});

test('it is activated in no time', async context => {
  const milliseconds = await editor.inside(async vscode => {
    const began = performance.now();
    await vscode.extensions.getExtension('jit-lsp.jit-lsp')?.activate();
    return performance.now() - began;
  }, undefined);
  context.diagnostic(`activated in ${milliseconds.toFixed(1)} ms, with loading`);
  assert.equal(await isActive(), true);
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
  assert.equal(found?.code, 'shape-mismatch', found?.message);
  assert.equal(found?.text, 'points @ weights');
  assert.equal(found?.severity, 0);
  assert.ok(found?.related.some(text => text.startsWith('4: ')));
  await editor.page.waitForSelector('.squiggly-error');
  await editor.picture('squiggle');
});

test('the code of a finding leads to the page of its rule', async () => {
  await open(editor, 'broken.py');
  await isReady(editor);
  await save(editor);
  await seen('broken.py', found => found.length > 0);
  await cursorTo(editor, 'points @ weights', 2);
  await command(editor, 'editor.action.showHover');
  const link = editor.page.locator('.monaco-hover a.code-link', { hasText: 'shape-mismatch' });
  await link.waitFor();
  assert.equal(await link.getAttribute('href'), 'jit-lsp:/rules/shape-mismatch.md');
  await editor.calm();
  await editor.picture('code');
  await link.click();
  await pageWith(editor, /shape-mismatch.*Use instead/s);
  await editor.calm();
  await editor.picture('page');
  await command(editor, 'workbench.action.closeActiveEditor');
});

test('a hover says what the value was', async () => {
  const text = await hover(editor, 'broken.py', 2, 2);
  assert.match(text, /points/);
  assert.match(text, /f64\[4, 3\]/);
  assert.match(text, /data:image\/svg\+xml;base64,[^)]+\|width=\d+,height=\d+/);
  await firstWord().hover();
  const shown = editor.page.locator('.monaco-hover', { hasText: 'f64[4, 3]' });
  await shown.waitFor();
  const width = await shown
    .locator('img')
    .evaluate(picture => (picture instanceof HTMLImageElement ? picture.naturalWidth : 0));
  assert.ok(width > 0);
  await editor.calm();
  await editor.picture('hover');
});

test('a hover is to be read in light and in dark', async () => {
  for (const theme of ['Light Modern', 'Dark Modern', 'High Contrast Light', 'High Contrast']) {
    await editor.inside(async (vscode, theme) => {
      const { Global } = vscode.ConfigurationTarget;
      const workbench = vscode.workspace.getConfiguration('workbench');
      await workbench.update('colorTheme', `Default ${theme}`, Global);
    }, theme);
    await editor.page.mouse.move(0, 0);
    await firstWord().hover();
    await editor.page.locator('.monaco-hover img').first().waitFor();
    await editor.calm();
    await editor.picture(`hover-${theme.toLowerCase().replaceAll(' ', '-')}`);
  }
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

test('a run says how far it is, and is stopped from the status bar', async () => {
  await open(editor, 'slow.py');
  await save(editor);
  const running = editor.page.locator('.statusbar-item', { hasText: /line 6 · \d+\.\d s/ });
  await running.waitFor();
  await editor.picture('running');
  await running.click();
  await running.waitFor({ state: 'hidden' });
  await editor.until(
    'the stop',
    () => debugInformation(editor, 'slow.py'),
    ({ lastRun }) => lastRun?.state === 'stopped',
  );
});

test('what was found before a change is faded until the next run', async () => {
  await open(editor, 'broken.py');
  await save(editor);
  await seen('broken.py', found => found.length > 0);
  await editor.until('no fading', fadedText, text => text === '');
  await editor.page.locator('.view-line', { hasText: 'np.ones' }).click();
  await editor.page.keyboard.press('End');
  await editor.page.keyboard.type('  # ');
  await editor.until('fading', fadedText, text => text === 'points @ weights');
  await editor.picture('stale');
  await save(editor);
  await editor.until('no fading', fadedText, text => text === '');
});

test('types stand in the text, and lenses above functions', async () => {
  await open(editor, 'broken.py');
  await editor.page.locator('.view-line', { hasText: 'points: f64[4, 3]' }).waitFor();
  await editor.page.locator('.codelens-decoration', { hasText: 'show graph' }).first().waitFor();
});

test('the lens of a function leads to it in the graph', async () => {
  await open(editor, 'lens.py');
  await save(editor);
  const lens = editor.page.locator('.codelens-decoration', { hasText: 'traced 1 ×' });
  await lens.getByRole('button').last().click();
  const frame = editor.page.frameLocator('iframe.webview').frameLocator('#active-frame');
  await frame.locator('.node.call.open.selected', { hasText: 'scale(values)' }).waitFor();
  await editor.picture('lens');
});

test('the gradient by a variable is shown by its action', async () => {
  await open(editor, 'cost.py');
  await save(editor);
  await editor.page.locator('.codelens-decoration', { hasText: 'traced 1 ×' }).waitFor();
  await cursorTo(editor, 'w)', 0);
  await command(editor, 'editor.action.quickFix');
  const menu = editor.page.locator('.action-widget');
  await menu.locator('.monaco-list-row', { hasText: 'show the gradient by w' }).click();
  await editor.page.locator('.view-line', { hasText: '--- stage 1 ---' }).waitFor();
  await editor.page.locator('.view-line', { hasText: '%w.grad' }).first().waitFor();
  await editor.picture('gradient');
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

function firstWord() {
  return editor.page.locator('.view-line', { hasText: 'np.arange' }).locator('span span').first();
}

function seen(name: string, is: (found: Awaited<ReturnType<typeof findings>>) => boolean) {
  return editor.until(`findings in ${name}`, () => findings(editor, name), is);
}

function fadedText(): Promise<string> {
  return editor.page.locator('.view-line span span').evaluateAll(spans =>
    spans
      .filter(span => Number(getComputedStyle(span).opacity) < 1)
      .map(span => span.textContent.replaceAll('\u00a0', ' '))
      .join(''),
  );
}

function isActive(): Promise<boolean | undefined> {
  return editor.inside(
    vscode => vscode.extensions.getExtension('jit-lsp.jit-lsp')?.isActive,
    undefined,
  );
}
