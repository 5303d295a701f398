/** Makes the pictures of the README and of the walkthrough, in a real editor. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Editor } from './editor';
import { command, findings, isReady, open, save } from './harness';

const SIZE = { width: 1180, height: 640 };

async function main(): Promise<void> {
  const names = ['mlp_broken.py', 'kmeans.py'];
  const editor = await Editor.start({
    files: Object.fromEntries(
      names.map(name => [name, readFileSync(`../../examples/${name}`, 'utf8')]),
    ),
    extensions: ['jit-lsp.vsix', 'out/driver.vsix'],
    size: SIZE,
    userSettings: {
      'workbench.colorTheme': 'Default Dark Modern',
      'editor.minimap.enabled': false,
      'editor.stickyScroll.enabled': false,
    },
  });
  try {
    await open(editor, 'mlp_broken.py');
    await isReady(editor);
    await command(editor, 'workbench.action.toggleSidebarVisibility');
    await finding(editor);
    await open(editor, 'kmeans.py');
    await save(editor);
    await editor.page.locator('.codelens-decoration', { hasText: 'ran ' }).waitFor();
    await show(editor, 'kmeans.py', 'blobs(rng)', 0);
    await command(editor, 'jit-lsp.showIR');
    await editor.page.locator('.view-line', { hasText: 'graph @main' }).first().waitFor();
    await take(editor, 'ir');
    await command(editor, 'workbench.action.closeEditorsInOtherGroups');
    await command(editor, 'jit-lsp.showGraph');
    const frame = editor.page.frameLocator('iframe.webview').frameLocator('#active-frame');
    await frame.locator('.node').first().waitFor();
    await show(editor, 'kmeans.py', 'middles[:, None]', 0);
    await take(editor, 'graph');
  } finally {
    await editor.stop();
  }
}

async function finding(editor: Editor): Promise<void> {
  await open(editor, 'mlp_broken.py');
  await save(editor);
  await editor.until(
    'a finding',
    () => findings(editor, 'mlp_broken.py'),
    found => found.length > 0,
  );
  const [found] = await findings(editor, 'mlp_broken.py');
  await show(editor, 'mlp_broken.py', found?.text ?? '', 2);
  await command(editor, 'editor.action.showHover');
  await editor.page.locator('.monaco-hover', { hasText: 'must be' }).waitFor();
  await take(editor, 'finding');
  await editor.page.keyboard.press('Escape');
}

/** Puts the cursor into a text of the program, in the middle of the view. */
function show(editor: Editor, name: string, text: string, into: number): Promise<void> {
  return editor.inside(
    async (vscode, { path, text, into }) => {
      const shown = vscode.window.visibleTextEditors.find(
        ({ document }) => document.uri.fsPath === path,
      );
      if (shown) {
        const at = shown.document.positionAt(shown.document.getText().indexOf(text) + into);
        shown.selection = new vscode.Selection(at, at);
        shown.revealRange(shown.selection, vscode.TextEditorRevealType.InCenter);
      }
    },
    { path: editor.path(name), text, into },
  );
}

async function take(editor: Editor, name: string): Promise<void> {
  await editor.calm();
  await editor.page.screenshot({ path: join('media', `${name}.png`) });
}

void main();
