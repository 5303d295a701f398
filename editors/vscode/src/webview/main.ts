/** The graph view: takes drawings from the extension, and gives back what its user does. */

import type { FromView, ToView } from '../graph/messages';
import { GraphView } from './graph';
import { listen } from './input';
import { Search } from './search';

declare function acquireVsCodeApi(): {
  postMessage(message: FromView): void;
  setState(state: unknown): void;
};

const editor = acquireVsCodeApi();
editor.setState({ program: document.body.dataset['program'] });

const frame = only('svg', SVGSVGElement);
const graph = new GraphView(frame, only('#all', SVGGElement), only('#said', HTMLElement));
const message = only('#message', HTMLElement);
const search = new Search(
  only('input', HTMLInputElement),
  only('#matches', HTMLUListElement),
  text => editor.postMessage({ type: 'search', text }),
  id => {
    editor.postMessage({ type: 'show', id });
    frame.focus();
  },
  () => frame.focus(),
);
listen(frame, graph, search, said => editor.postMessage(said));

window.addEventListener('message', ({ data }: MessageEvent<ToView>) => take(data));
editor.postMessage({ type: 'ready' });

function take(said: ToView): void {
  switch (said.type) {
    case 'drawing':
      document.body.classList.remove('busy', 'stale');
      message.textContent = '';
      graph.show(said.drawing, said.selected);
      graph.mark(said.marks);
      break;
    case 'marks':
      graph.mark(said.marks);
      break;
    case 'select':
      graph.select(said.id);
      break;
    case 'matches':
      search.answer(said.text, said.matches);
      break;
    case 'busy':
    case 'stale':
      document.body.classList.add(said.type);
      break;
    case 'nothing':
      document.body.classList.remove('busy', 'stale');
      graph.clear();
      message.textContent = said.why;
      break;
  }
}

function only<Kind extends Element>(selector: string, kind: new () => Kind): Kind {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) {
    throw new Error(`the page has no ${selector}`);
  }
  return found;
}
