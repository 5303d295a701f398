/** The words of docs/protocol.md that the Language Server Protocol does not have. */

import { Uri } from 'vscode';

export const SCHEME = 'jit-lsp';

/** The server's own commands; the client library registers them under these names. */
export const SERVER_COMMANDS = {
  trace: 'jit-lsp.trace',
  cancel: 'jit-lsp.cancel',
  show: 'jit-lsp.show',
  explain: 'jit-lsp.explain',
} as const;

/** Said in `capabilities.experimental` of `initialize`. */
export const CAPABILITIES = { [SCHEME]: { status: true, contentChanged: false, pictures: true } };

export const STATUS = 'jit-lsp/status';

/** How the last run of a file went, or goes. */
export interface RunStatus {
  readonly uri: string;
  readonly state: 'never' | 'waiting' | 'running' | 'finished' | 'stopped' | 'unavailable';
  /** From 0. */
  readonly line?: number | null;
  readonly seconds?: number | null;
  readonly outcome?: string | null;
  readonly findings: {
    readonly error: number;
    readonly warning: number;
    readonly information: number;
    readonly hint: number;
  };
  readonly stale: boolean;
  readonly interpreter?: string | null;
  readonly python?: string | null;
  readonly confined: readonly string[];
}

export type View = 'ir' | 'json' | 'svg' | 'output' | 'status';

/** A URI as the server writes it: the editor leaves out the slashes of an empty authority. */
export function addressOf(uri: Uri): string {
  return uri.toString().replace(/^jit-lsp:\/(?!\/)/, `${SCHEME}:///`);
}

/** The document `view` of the program at `file`. */
export function viewOf(file: Uri, view: View): Uri {
  return file.with({ scheme: SCHEME, path: `${file.path}.${view}`, query: '', fragment: '' });
}

/** The program that a document is about; undefined for the pages of rules. */
export function programOf(view: Uri): Uri | undefined {
  const found = /^(.+\.pyw?)\.[a-z]+$/.exec(view.path);
  return found?.[1] === undefined
    ? undefined
    : view.with({ scheme: 'file', path: found[1], query: '', fragment: '' });
}

/** The page of a rule. */
export function pageOf(rule: string): Uri {
  return Uri.from({ scheme: SCHEME, path: `/rules/${rule}.md` });
}
