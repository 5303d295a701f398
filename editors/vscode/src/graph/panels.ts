/** The graph views that are open, one for a program. */

import { type ExtensionContext, Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { Server } from '../server/server';
import type { Runs } from '../status/runs';
import { Layouts } from './layouts';
import { GraphPanel } from './panel';

const TYPE = 'jit-lsp.graph';

export class GraphPanels {
  readonly #panels = new Map<string, GraphPanel>();
  readonly #context: ExtensionContext;
  readonly #server: Server;
  readonly #runs: Runs;
  readonly #layouts: Layouts;

  constructor(context: ExtensionContext, server: Server, runs: Runs) {
    this.#context = context;
    this.#server = server;
    this.#runs = runs;
    this.#layouts = new Layouts(context.asAbsolutePath('dist/layoutThread.js'));
    context.subscriptions.push(
      window.registerWebviewPanelSerializer(TYPE, {
        deserializeWebviewPanel: async (panel, state: { program?: string } | undefined) => {
          if (state?.program === undefined) {
            panel.dispose();
          } else {
            this.#adopt(panel, Uri.parse(state.program));
          }
        },
      }),
    );
  }

  /** The view of `program`, beside the editor if it is new. */
  show(program: Uri): GraphPanel {
    const known = this.#panels.get(program.toString());
    if (known !== undefined) {
      known.bringUp();
      return known;
    }
    const where = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    const panel = window.createWebviewPanel(TYPE, 'Graph', where, { enableScripts: true });
    return this.#adopt(panel, program);
  }

  dispose(): void {
    for (const panel of this.#panels.values()) {
      panel.dispose();
    }
    this.#layouts.dispose();
  }

  #adopt(panel: WebviewPanel, program: Uri): GraphPanel {
    const { extensionUri } = this.#context;
    const made = new GraphPanel(
      panel,
      program,
      extensionUri,
      this.#server,
      this.#runs,
      this.#layouts,
    );
    this.#panels.set(program.toString(), made);
    panel.onDidDispose(() => this.#panels.delete(program.toString()));
    return made;
  }
}
