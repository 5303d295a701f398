/** The drawing in the view: shown, kept in place when it changes, moved in, selected from. */

import type { Drawing, PlacedNode } from '../graph/drawing';
import type { Severity } from '../graph/messages';
import { Camera } from './camera';
import { drawEdge, drawNode } from './draw';
import { type Direction, neighbour } from './neighbours';

const READABLE = 0.8; // the scale that the first view does not go below
const MARKS: readonly Severity[] = ['error', 'warning', 'note'];

export class GraphView {
  readonly camera: Camera;
  readonly #frame: SVGSVGElement;
  readonly #all: SVGGElement;
  readonly #said: HTMLElement;
  readonly #elements = new Map<string, SVGGElement>();
  #edges: SVGGElement[] = [];
  #nodes = new Map<string, PlacedNode>();
  #drawing: Drawing | undefined;
  #selected: string | undefined;

  constructor(frame: SVGSVGElement, all: SVGGElement, said: HTMLElement) {
    this.#frame = frame;
    this.#all = all;
    this.#said = said;
    this.camera = new Camera(frame, all);
  }

  get selected(): PlacedNode | undefined {
    return this.#selected === undefined ? undefined : this.#nodes.get(this.#selected);
  }

  /** Shows another drawing; what was in sight stays where it was. */
  show(drawing: Drawing, selected: string | undefined): void {
    const anchor = this.#anchor(drawing, selected);
    this.#drawing = drawing;
    this.#nodes = new Map(drawing.nodes.map(node => [node.id, node]));
    this.#elements.clear();
    const groups = drawing.nodes.filter(({ fold }) => fold === 'open');
    const boxes = drawing.nodes.filter(({ fold }) => fold !== 'open');
    this.#edges = drawing.edges.map(drawEdge);
    this.#all.replaceChildren(...this.#draw(groups), ...this.#edges, ...this.#draw(boxes));
    if (anchor === undefined) {
      this.#begin(drawing);
    } else {
      this.camera.put(anchor.node, anchor.at);
      if (!this.camera.touches(anchor.node)) {
        this.camera.centre(anchor.node);
      }
    }
    this.select(selected, false);
  }

  clear(): void {
    this.#drawing = undefined;
    this.#nodes.clear();
    this.#elements.clear();
    this.#edges = [];
    this.#all.replaceChildren();
  }

  mark(marks: Readonly<Record<string, Severity>>): void {
    for (const [id, element] of this.#elements) {
      element.classList.remove(...MARKS);
      const mark = marks[id];
      if (mark !== undefined) {
        element.classList.add(mark);
      }
    }
  }

  /** Moves there only if it is out of sight. */
  select(id: string | undefined, move = true): void {
    this.#elements.get(this.#selected ?? '')?.classList.remove('selected');
    this.#selected = id !== undefined && this.#nodes.has(id) ? id : undefined;
    const node = this.selected;
    for (const edge of this.#edges) {
      const { from, to } = edge.dataset;
      edge.classList.toggle('near', node !== undefined && (from === id || to === id));
    }
    if (node === undefined) {
      this.#frame.removeAttribute('aria-activedescendant');
      return;
    }
    const element = this.#elements.get(node.id);
    element?.classList.add('selected');
    this.#frame.setAttribute('aria-activedescendant', element?.id ?? '');
    this.#said.textContent = node.description;
    if (move && !this.camera.isInside(node)) {
      this.camera.centre(node);
    }
  }

  go(direction: Direction): void {
    const drawing = this.#drawing;
    const from = this.selected;
    const to =
      drawing === undefined
        ? undefined
        : from === undefined
          ? drawing.nodes[0]
          : neighbour(drawing, from, direction);
    if (to !== undefined) {
      this.select(to.id);
    }
  }

  fit(): void {
    if (this.#drawing !== undefined) {
      this.camera.fit(this.#drawing);
    }
  }

  /** The first view: all of it, or else its first operations large enough to be read. */
  #begin(drawing: Drawing): void {
    this.camera.fit(drawing, READABLE);
    const boxes = drawing.nodes.filter(({ fold }) => fold !== 'open');
    const first = boxes.toSorted((one, other) => one.y - other.y)[0];
    if (first !== undefined && !this.camera.isInside(first)) {
      const at = { x: this.camera.size.width / 2, y: this.camera.toFrame(first).y };
      this.camera.put({ x: first.x + first.width / 2, y: first.y }, at);
    }
  }

  #draw(nodes: readonly PlacedNode[]): SVGGElement[] {
    return nodes.map(node => {
      const element = drawNode(node);
      element.id = `node-${this.#elements.size}`;
      this.#elements.set(node.id, element);
      return element;
    });
  }

  /** A node of both drawings, and where it was: what is selected, else what is in the middle. */
  #anchor(drawing: Drawing, selected: string | undefined) {
    const { x, y } = this.camera.middle;
    const stays = drawing.nodes.flatMap(node => {
      const before = this.#nodes.get(node.id);
      return before === undefined ? [] : { node, before };
    });
    const distance = ({ before }: (typeof stays)[number]) =>
      before.id === selected && this.camera.isInside(before)
        ? -1
        : Math.hypot(before.x + before.width / 2 - x, before.y + before.height / 2 - y);
    const anchor = stays.toSorted((one, other) => distance(one) - distance(other))[0];
    return anchor && { node: anchor.node, at: this.camera.toFrame(anchor.before) };
  }
}
