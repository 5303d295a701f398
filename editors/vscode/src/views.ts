/** Documents of the server, shown beside the program. */

import {
  commands,
  languages,
  type TextDocument,
  type TextEditor,
  type Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode';

/** Where no contribution says what the language is. */
const LANGUAGES: Readonly<Record<string, string>> = { status: 'markdown', md: 'markdown' };

/** Opens `view`; the page of a rule as Markdown is read, all else as text. */
export async function openBeside(view: Uri): Promise<TextEditor | undefined> {
  const document = await opened(view);
  if (document.languageId === 'markdown') {
    await commands.executeCommand('markdown.showPreviewToSide', document.uri);
    return undefined;
  }
  return window.showTextDocument(document, {
    viewColumn: ViewColumn.Beside,
    preserveFocus: true,
    preview: true,
  });
}

async function opened(view: Uri): Promise<TextDocument> {
  const document = await workspace.openTextDocument(view);
  const language = LANGUAGES[view.path.slice(view.path.lastIndexOf('.') + 1)];
  return language && language !== document.languageId
    ? languages.setTextDocumentLanguage(document, language)
    : document;
}
