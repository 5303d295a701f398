/** Mouse, wheel, keys and buttons. */

import type { FromView } from '../graph/messages';
import type { GraphView } from './graph';
import type { Direction } from './neighbours';
import type { Search } from './search';

const STEP = 1.25; // of a zoom
const DRAGGED = 4; // pixels that make a drag of a click
const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

export function listen(
  frame: SVGSVGElement,
  graph: GraphView,
  search: Search,
  say: (message: FromView) => void,
): void {
  const actions: Readonly<Record<string, () => void>> = {
    in: () => graph.camera.zoomAtMiddle(STEP),
    out: () => graph.camera.zoomAtMiddle(1 / STEP),
    fit: () => graph.fit(),
    unfold: () => say({ type: 'unfold' }),
    foldAll: () => say({ type: 'foldAll' }),
    follow: () => say({ type: 'follow', on: toggled('follow') }),
    search: () => search.focus(),
    source: () => about(graph, id => say({ type: 'source', id })),
    toggle: () => about(graph, id => say({ type: 'toggle', id })),
  };
  for (const button of document.querySelectorAll('button')) {
    button.addEventListener('click', () => actions[button.id]?.());
  }
  frame.addEventListener('keydown', event => {
    const arrow = ARROWS[event.key];
    const action = actions[KEYS[event.key] ?? ''];
    if (arrow !== undefined) {
      graph.go(arrow);
    } else if (action !== undefined && !event.ctrlKey && !event.metaKey) {
      action();
    } else if (event.key === 'f' && (event.ctrlKey || event.metaKey)) {
      search.focus();
    } else {
      return;
    }
    event.preventDefault();
  });
  listenToMouse(frame, graph, say);
}

const KEYS: Readonly<Record<string, string>> = {
  '+': 'in',
  '=': 'in',
  '-': 'out',
  '0': 'fit',
  u: 'unfold',
  U: 'foldAll',
  f: 'follow',
  '/': 'search',
  Enter: 'source',
  ' ': 'toggle',
};

function listenToMouse(
  frame: SVGSVGElement,
  graph: GraphView,
  say: (message: FromView) => void,
): void {
  let start: { x: number; y: number } | undefined;
  let dragged = false;
  frame.addEventListener('pointerdown', ({ clientX, clientY }) => {
    start = { x: clientX, y: clientY };
    dragged = false;
  });
  frame.addEventListener('pointermove', event => {
    if (start === undefined || event.buttons !== 1) {
      return;
    }
    const [x, y] = [event.clientX - start.x, event.clientY - start.y];
    if (dragged || Math.hypot(x, y) > DRAGGED) {
      dragged = true;
      frame.setPointerCapture(event.pointerId);
      graph.camera.moveBy(x, y);
      start = { x: event.clientX, y: event.clientY };
    }
  });
  frame.addEventListener('click', event => {
    if (!dragged) {
      graph.select(idAt(event), false);
    }
  });
  frame.addEventListener('dblclick', event => {
    const id = idAt(event);
    const node = graph.selected;
    if (id !== undefined && node?.id === id) {
      say({ type: node.fold === 'none' ? 'source' : 'toggle', id });
    }
  });
  frame.addEventListener(
    'wheel',
    event => {
      event.preventDefault();
      const { left, top } = frame.getBoundingClientRect();
      if (event.ctrlKey || event.metaKey) {
        const at = { x: event.clientX - left, y: event.clientY - top };
        graph.camera.zoom(Math.exp(-event.deltaY / 300), at);
      } else {
        graph.camera.moveBy(-event.deltaX, -event.deltaY);
      }
    },
    { passive: false },
  );
}

function about(graph: GraphView, act: (id: string) => void): void {
  if (graph.selected !== undefined) {
    act(graph.selected.id);
  }
}

function idAt({ target }: MouseEvent): string | undefined {
  const node = target instanceof Element ? target.closest<SVGGElement>('.node') : null;
  return node?.dataset['id'];
}

/** Whether the button is pressed now. */
function toggled(id: string): boolean {
  const button = document.getElementById(id);
  const on = button?.getAttribute('aria-pressed') !== 'true';
  button?.setAttribute('aria-pressed', String(on));
  return on;
}
