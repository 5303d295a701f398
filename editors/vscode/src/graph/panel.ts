/** One graph view: what it shows, kept while the program changes, and what its user wants. */

import {
  type Disposable,
  languages,
  type Position,
  Range,
  Selection,
  type TextDocument,
  TextEditorRevealType,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';
import { addressOf, viewOf } from '../protocol';
import type { Server } from '../server/server';
import type { Runs } from '../status/runs';
import { closeBeyond, openAround, openedAtFirst, shownFor } from './folding';
import type { Layouts } from './layouts';
import { marksOf } from './marks';
import type { FromView, ToView } from './messages';
import { describe, type Element, Model } from './model';
import { page } from './page';
import { placeOf, rangeOf } from './places';
import { sceneOf } from './scene';
import type { Trace } from './trace';

const MATCHES = 50;

export class GraphPanel implements Disposable {
  readonly #panel: WebviewPanel;
  readonly #program: Uri;
  readonly #server: Server;
  readonly #runs: Runs;
  readonly #layouts: Layouts;
  readonly #subscriptions: Disposable[];
  #model: Model | undefined;
  #open = new Set<string>();
  #selected: string | undefined;
  #follows = true;
  #versions = new Map<string, number>(); // of the documents whose places the model has
  #drawn = 0; // drawings asked for; only the newest is shown

  constructor(
    panel: WebviewPanel,
    program: Uri,
    extension: Uri,
    server: Server,
    runs: Runs,
    layouts: Layouts,
  ) {
    this.#panel = panel;
    this.#program = program;
    this.#server = server;
    this.#runs = runs;
    this.#layouts = layouts;
    const folder = Uri.joinPath(extension, 'dist');
    panel.title = `Graph of ${program.path.slice(program.path.lastIndexOf('/') + 1)}`;
    panel.iconPath = Uri.joinPath(extension, 'media/icon.png');
    panel.webview.options = { enableScripts: true, localResourceRoots: [folder] };
    this.#subscriptions = [
      panel.webview.onDidReceiveMessage((message: FromView) => this.#receive(message)),
      panel.onDidDispose(() => this.#end()),
      server.onDidChangeState(({ kind }) => kind === 'ready' && this.#load()),
      runs.onDidChange(uri => uri.toString() === program.toString() && this.#ran()),
      languages.onDidChangeDiagnostics(() => this.#mark()),
      window.onDidChangeTextEditorSelection(({ textEditor, selections: [selection] }) => {
        if (this.#follows && selection !== undefined) {
          this.#follow(textEditor.document.uri, selection.active);
        }
      }),
    ];
    panel.webview.html = page(panel.webview, extension, program);
  }

  bringUp(): void {
    this.#panel.reveal(undefined, true);
  }

  /** Shows the operation at a place of the source, with all that is folded around it opened. */
  async reveal(file: Uri, position: Position): Promise<void> {
    const document = await workspace.openTextDocument(file);
    const place = placeOf(document, position);
    await this.#showFound(model => model.at(place));
  }

  /** Shows the first call of the function whose graph has that name, opened. */
  async revealFunction(name: string): Promise<void> {
    await this.#showFound(model => {
      const call = model.called(name);
      if (call !== undefined) {
        this.#open.add(call.id);
      }
      return call;
    });
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #end(): void {
    for (const subscription of this.#subscriptions) {
      subscription.dispose();
    }
  }

  #say(message: ToView): void {
    void this.#panel.webview.postMessage(message);
  }

  async #receive(message: FromView): Promise<void> {
    switch (message.type) {
      case 'ready':
        return this.#model === undefined ? this.#load() : this.#draw();
      case 'toggle':
        return this.#toggle(message.id);
      case 'foldAll':
        this.#open.clear();
        return this.#draw();
      case 'unfold':
        return this.#unfold();
      case 'source':
        return this.#toSource(message.id);
      case 'show': {
        const element = this.#model?.find(message.id);
        return element && this.#show(element);
      }
      case 'search':
        return this.#search(message.text);
      case 'follow':
        this.#follows = message.on;
    }
  }

  #ran(): void {
    const run = this.#runs.of(this.#program);
    if (run?.state === 'finished' && !run.stale) {
      void this.#load();
    } else if (run?.stale) {
      this.#say({ type: 'stale' });
    }
  }

  /** Reads the graph of the last run; what was open stays open. */
  async #load(): Promise<void> {
    const trace = await this.#read();
    if (trace === undefined || trace.graphs.length === 0) {
      this.#model = undefined;
      this.#say({ type: 'nothing', why: 'No graph yet. Save the file, and it runs.' });
      return;
    }
    const first = this.#model === undefined;
    this.#model = new Model(trace);
    this.#versions = new Map(
      workspace.textDocuments.map(({ uri, version }) => [uri.toString(), version]),
    );
    if (first) {
      this.#open = openedAtFirst(this.#model);
    }
    await this.#draw();
  }

  async #read(): Promise<Trace | undefined> {
    const uri = addressOf(viewOf(this.#program, 'json'));
    try {
      const answer = await this.#server.ask<{ text: string }>('workspace/textDocumentContent', {
        uri,
      });
      return answer && JSON.parse(answer.text);
    } catch {
      return undefined; // a server without it, or one that went meanwhile
    }
  }

  async #draw(kept?: Element): Promise<void> {
    const model = this.#model;
    if (model === undefined) {
      return;
    }
    this.#drawn += 1;
    const turn = this.#drawn;
    closeBeyond(model, this.#open, kept);
    this.#say({ type: 'busy' });
    const drawing = await this.#layouts.layout(sceneOf(model, this.#open));
    if (turn === this.#drawn) {
      this.#say({ type: 'drawing', drawing, marks: this.#marks(model), selected: this.#selected });
    }
  }

  #mark(): void {
    const model = this.#model;
    if (model !== undefined && workspace.textDocuments.every(document => this.#knows(document))) {
      this.#say({ type: 'marks', marks: this.#marks(model) });
    }
  }

  #marks(model: Model) {
    const known = workspace.textDocuments.filter(document => this.#knows(document));
    return marksOf(model, this.#open, known);
  }

  /** Whether places in the document are still those of the model. */
  #knows({ uri, version }: TextDocument): boolean {
    return (this.#versions.get(uri.toString()) ?? version) === version;
  }

  async #toggle(id: string): Promise<void> {
    if (!this.#open.delete(id)) {
      this.#open.add(id);
    }
    this.#selected = id;
    await this.#draw(this.#model?.find(id));
  }

  async #unfold(): Promise<void> {
    const model = this.#model;
    if (model !== undefined) {
      const shown = sceneOf(model, this.#open).nodes;
      for (const { id } of shown.filter(({ fold }) => fold === 'closed')) {
        this.#open.add(id);
      }
      await this.#draw();
    }
  }

  async #showFound(find: (model: Model) => Element | undefined): Promise<void> {
    if (this.#model === undefined) {
      await this.#load();
    }
    const element = this.#model && find(this.#model);
    if (element !== undefined) {
      await this.#show(element);
    }
  }

  async #show(element: Element): Promise<void> {
    this.#selected = element.id;
    openAround(element, this.#open);
    await this.#draw(element);
    this.#say({ type: 'select', id: element.id });
  }

  #follow(file: Uri, position: Position): void {
    const document = workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
    if (document === undefined || !this.#knows(document)) {
      return;
    }
    const element = this.#model?.at(placeOf(document, position));
    if (element !== undefined) {
      this.#selected = shownFor(element, this.#open).id;
      this.#say({ type: 'select', id: this.#selected });
    }
  }

  #search(text: string): void {
    const found = this.#model?.search(text, MATCHES) ?? [];
    const matches = found.map(element => ({ id: element.id, text: describe(element) }));
    this.#say({ type: 'matches', text, matches });
  }

  async #toSource(id: string): Promise<void> {
    const span = this.#model?.find(id)?.span;
    if (!span) {
      return;
    }
    const document = await workspace.openTextDocument(span.path);
    const shown = window.visibleTextEditors.find(editor => editor.document === document);
    const editor = await window.showTextDocument(document, shown?.viewColumn ?? ViewColumn.One);
    const { start, end } = rangeOf(document, span);
    editor.selection = new Selection(end, start); // with its start in sight
    editor.revealRange(new Range(start, start), TextEditorRevealType.InCenterIfOutsideViewport);
  }
}
