/** The page of a rule: of the finding under the cursor, or of one that was named. */

import { languages, type Uri, window } from 'vscode';
import { pageOf } from '../protocol';
import { openBeside } from '../views';
import type { Command } from '.';
import { isReady } from './ready';

export const explainRule: Command = async ({ server }, argument) => {
  const editor = window.activeTextEditor;
  const rule = typeof argument === 'string' ? argument : await chosen(editor?.document.uri);
  if (rule && (await isReady(server))) {
    await openBeside(pageOf(rule));
  }
};

async function chosen(uri: Uri | undefined): Promise<string | undefined> {
  const found = uri
    ? languages.getDiagnostics(uri).filter(({ source }) => source === 'jit-lsp')
    : [];
  const cursor = window.activeTextEditor?.selection.active;
  const here = found.filter(({ range }) => cursor && range.contains(cursor));
  const rules = [
    ...new Set((here.length > 0 ? here : found).map(({ code }) => ruleOf(code))),
  ].sort();
  if (rules.length < 2) {
    return (
      rules[0] ?? window.showInputBox({ prompt: 'The name of a rule, such as shape-mismatch' })
    );
  }
  return window.showQuickPick(rules, { placeHolder: 'Explain which rule?' });
}

function ruleOf(code: string | number | { value: string | number } | undefined): string {
  return String(typeof code === 'object' ? code.value : (code ?? ''));
}
