/** What the tests ask of the editor, in few words. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Frame } from 'playwright-core';
import type { Editor } from './editor';

export interface Found {
  readonly code: string;
  readonly severity: number;
  readonly message: string;
  readonly text: string;
  readonly range: readonly [number, number, number, number];
  readonly related: readonly string[];
}

export function open(editor: Editor, name: string): Promise<void> {
  return editor.inside(async (vscode, path) => {
    const document = await vscode.workspace.openTextDocument(path);
    await vscode.window.showTextDocument(document, { preview: false });
  }, editor.path(name));
}

export function save(editor: Editor): Promise<void> {
  return editor.inside(async vscode => {
    await vscode.commands.executeCommand('workbench.action.files.save');
  }, undefined);
}

/** What the extension has said of a file. */
export function findings(editor: Editor, name: string): Promise<Found[]> {
  return editor.inside(async (vscode, path) => {
    const uri = vscode.Uri.file(path);
    const document = await vscode.workspace.openTextDocument(uri);
    const own = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'jit-lsp');
    return own.map(({ code, severity, message, range, relatedInformation }) => ({
      code: String(typeof code === 'object' ? code.value : code),
      severity,
      message,
      text: document.getText(range),
      range: [range.start.line, range.start.character, range.end.line, range.end.character],
      related: (relatedInformation ?? []).map(
        ({ location, message }) => `${location.range.start.line + 1}: ${message}`,
      ),
    }));
  }, editor.path(name));
}

export function hover(editor: Editor, name: string, line: number, column: number): Promise<string> {
  return editor.inside(
    async (vscode, { path, line, column }) => {
      const found = await vscode.commands.executeCommand<{ contents: { value: string }[] }[]>(
        'vscode.executeHoverProvider',
        vscode.Uri.file(path),
        new vscode.Position(line, column),
      );
      return found.flatMap(({ contents }) => contents.map(({ value }) => value)).join('\n');
    },
    { path: editor.path(name), line, column },
  );
}

/** Applies the first fix for the first finding whose title holds `title`; gives its title. */
export function fix(editor: Editor, name: string, title: string): Promise<string> {
  return editor.inside(
    async (vscode, { path, title }) => {
      const uri = vscode.Uri.file(path);
      const found = vscode.languages.getDiagnostics(uri).find(({ source }) => source === 'jit-lsp');
      const actions = await vscode.commands.executeCommand<import('vscode').CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uri,
        found?.range,
        vscode.CodeActionKind.QuickFix.value,
      );
      const action = actions.find(action => action.edit && action.title.includes(title));
      if (!action?.edit) {
        throw new Error(`no fix among ${actions.map(({ title }) => title).join('; ')}`);
      }
      await vscode.workspace.applyEdit(action.edit);
      return action.title;
    },
    { path: editor.path(name), title },
  );
}

export interface DebugInformation {
  readonly server: {
    readonly kind: string;
    readonly reason?: string;
    readonly pid: number | null;
    readonly choice?: { readonly interpreter: string; readonly by: string };
    readonly command?: { readonly origin: string; readonly args: string[] };
  };
  readonly trusted: boolean;
  readonly lastRun: {
    readonly state: string;
    readonly findings: { readonly error: number };
  } | null;
}

/** The document that the command opens, which is closed again; about `name`, if that is given. */
export async function debugInformation(editor: Editor, name?: string): Promise<DebugInformation> {
  if (name !== undefined) {
    await open(editor, name);
  }
  return editor.inside(async vscode => {
    await vscode.commands.executeCommand('jit-lsp.printDebugInformation');
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    return JSON.parse(text);
  }, undefined);
}

export function isReady(editor: Editor): Promise<DebugInformation> {
  return editor.until(
    'the server',
    () => debugInformation(editor),
    ({ server }) => server.kind === 'ready',
  );
}

export function setting(editor: Editor, name: string, value: unknown): Promise<void> {
  return editor.inside(
    async (vscode, { name, value }) => {
      const { Workspace } = vscode.ConfigurationTarget;
      await vscode.workspace.getConfiguration('jit-lsp').update(name, value, Workspace);
    },
    { name, value },
  );
}

/** Runs a command as a person does. */
export async function palette({ page }: Editor, title: string): Promise<void> {
  await page.keyboard.press('F1');
  const palette = page.locator('.quick-input-widget');
  await palette.locator('input[type=text]').fill(`>jit-lsp: ${title}`);
  await palette
    .locator('.monaco-list-row', { hasText: `jit-lsp: ${title}` })
    .first()
    .click();
}

export async function command(editor: Editor, name: string): Promise<void> {
  await editor.inside(async (vscode, name) => {
    await vscode.commands.executeCommand(name);
  }, name);
}

/** Puts the cursor into a text of the program that is looked at. */
export function cursorTo(editor: Editor, text: string, into = 0): Promise<void> {
  return editor.inside(
    (vscode, { text, into }) => {
      const active = vscode.window.activeTextEditor;
      const start = active?.document.getText().indexOf(text) ?? -1;
      if (!active || start < 0) {
        throw new Error(`there is no ${text} in ${active?.document.fileName}`);
      }
      const at = active.document.positionAt(start + into);
      active.selection = new vscode.Selection(at, at);
      active.revealRange(active.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    },
    { text, into },
  );
}

/** Waits until a page inside of the window, such as a preview, has a text. */
export async function pageWith(editor: Editor, text: RegExp): Promise<void> {
  await editor.until(
    `a page with ${text}`,
    () => Promise.all(editor.page.frames().map(textOf)),
    texts => texts.some(found => text.test(found)),
  );
}

/** One that is not there yet, or no more, has none. */
function textOf(frame: Frame): Promise<string> {
  const found = frame.evaluate(() => document.body.textContent).catch(() => '');
  return Promise.race([found, sleep(1000).then(() => '')]);
}
