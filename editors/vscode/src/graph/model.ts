/**
 * The program as a tree: operations, and groups that can be folded. A call is a group with the
 * operations of the function that it calls, so that one function is in the tree once for each call;
 * children are made when they are asked for, since there may be no end of them.
 */

import {
  covers,
  extent,
  type Graph,
  type Node,
  type Place,
  type Region,
  type Span,
  type Trace,
  usedIn,
  type Value,
} from './trace';
import { names, operation, placeName, typeName } from './words';

export type Kind = 'program' | 'call' | 'loop' | 'segment' | 'operation' | 'input';

export interface Element {
  /** The same after another run, as long as the program keeps its outline. */
  readonly id: string;
  readonly kind: Kind;
  readonly parent: Element | undefined;
  readonly title: string;
  readonly detail: string;
  readonly span: Span | null;
  /** What it is in the trace; a segment is several. */
  readonly nodes: readonly Node[];
  /** What it gives to others. */
  readonly values: readonly Value[];
  /** What is inside, if anything is. */
  readonly body: Region | undefined;
}

const LONG_REGION = 120; // operations; a longer one is folded into segments
const SEGMENT = 40;
const MOST_SEARCHED = 20_000; // elements
const STRUCTURE = new Set(['ir.return', 'ir.next', 'ir.yield', 'ir.stage']);

export class Model {
  readonly root: Element;
  readonly #graphs: ReadonlyMap<string, Graph>;
  readonly #children = new Map<Element, readonly Element[]>();
  readonly #sizes = new Map<Region, number>();

  constructor(trace: Trace) {
    this.#graphs = new Map(trace.graphs.map(graph => [graph.name, graph]));
    const main = trace.graphs[0];
    this.root = {
      id: main?.name ?? 'main',
      kind: 'program',
      parent: undefined,
      title: main?.name ?? '',
      detail: '',
      span: main?.span ?? null,
      nodes: [],
      values: [],
      body: main,
    };
  }

  children(element: Element): readonly Element[] {
    const known = this.#children.get(element);
    if (known !== undefined) {
      return known;
    }
    const made = this.#make(element);
    this.#children.set(element, made);
    return made;
  }

  isGroup(element: Element): boolean {
    return element.kind === 'segment' || element.body !== undefined;
  }

  callee(node: Node): Graph | undefined {
    const { callee } = node.attributes;
    return node.op === 'ir.call' && typeof callee === 'string'
      ? this.#graphs.get(callee)
      : undefined;
  }

  /** Whether `element` calls a function that it is itself inside of. */
  isRecursive(element: Element): boolean {
    for (let above = element.parent; above !== undefined; above = above.parent) {
      if (above.body === element.body && element.kind === 'call') {
        return true;
      }
    }
    return false;
  }

  /** The operations in a group, those of called functions too, each function once. */
  size(element: Element): number {
    return element.kind === 'segment'
      ? element.nodes.length
      : element.body === undefined
        ? 1
        : this.#count(element.body);
  }

  find(id: string): Element | undefined {
    let element: Element | undefined = this.root;
    while (element !== undefined && element.id !== id) {
      element = this.children(element).find(
        child => id === child.id || id.startsWith(`${child.id}/`),
      );
    }
    return element;
  }

  /** The innermost operations at a place of the source; the first of several calls of a function. */
  at(place: Place): Element | undefined {
    let found: Element | undefined;
    for (const element of this.walk()) {
      if (!covers(element.span, place) || element.span === null || element.kind === 'program') {
        continue;
      }
      if (found?.span == null || extent(element.span) < extent(found.span)) {
        found = element;
      }
    }
    return found;
  }

  /** The first call of the function whose graph has that name. */
  called(name: string): Element | undefined {
    const graph = this.#graphs.get(name);
    for (const element of graph === undefined ? [] : this.walk()) {
      if (element.kind === 'call' && element.body === graph) {
        return element;
      }
    }
    return undefined;
  }

  search(text: string, most: number): Element[] {
    const wanted = text.trim().toLowerCase();
    const found: Element[] = [];
    if (wanted === '') {
      return found;
    }
    for (const element of this.walk()) {
      if (element.kind !== 'segment' && describe(element).toLowerCase().includes(wanted)) {
        found.push(element);
      }
      if (found.length === most) {
        break;
      }
    }
    return found;
  }

  /** All elements, from the outside in; no function within itself. */
  *walk(): Generator<Element> {
    let left = MOST_SEARCHED;
    const stack = [this.root];
    for (let next = stack.pop(); next !== undefined && left > 0; next = stack.pop(), left -= 1) {
      yield next;
      if (this.isGroup(next) && !this.isRecursive(next)) {
        stack.push(...this.children(next).toReversed());
      }
    }
  }

  #make(element: Element): readonly Element[] {
    if (element.body === undefined && element.kind !== 'segment') {
      return [];
    }
    const nodes = (element.body?.nodes ?? element.nodes).filter(({ op }) => !STRUCTURE.has(op));
    const made =
      nodes.length > LONG_REGION ? this.#segments(element, nodes) : this.#plain(element, nodes);
    return element.kind === 'loop' ? [...inputs(element), ...made] : made;
  }

  #plain(parent: Element, nodes: readonly Node[]): Element[] {
    const numbered = numbering();
    return nodes.map(node => {
      const op = node.op === 'ir.call' ? `@${node.attributes['callee']}` : node.op;
      const name = [op, ...node.results.flatMap(({ hint }) => hint ?? [])].join(':');
      return this.#element(parent, node, `${parent.id}/${numbered(name)}`);
    });
  }

  #segments(parent: Element, nodes: readonly Node[]): Element[] {
    const count = Math.ceil(nodes.length / SEGMENT);
    const size = count > LONG_REGION ? Math.ceil(nodes.length / LONG_REGION) : SEGMENT;
    const segments: Element[] = [];
    for (let start = 0; start < nodes.length; start += size) {
      const inside = nodes.slice(start, start + size);
      const spans = inside.flatMap(({ span }) => span ?? []);
      const lines = spans.map(({ line }) => line);
      const where = lines.length > 0 ? `lines ${Math.min(...lines)}–${Math.max(...lines)}` : '';
      segments.push({
        id: `${parent.id}/segment#${segments.length}`,
        kind: 'segment',
        parent,
        title: where || `part ${segments.length + 1}`,
        detail: `${inside.length} operations`,
        span: null,
        nodes: inside,
        values: inside.flatMap(({ results }) => results),
        body: undefined,
      });
    }
    return segments;
  }

  #element(parent: Element, node: Node, id: string): Element {
    const shared = { id, parent, span: node.span, nodes: [node], values: node.results };
    const under = node.under.length > 0 ? `under ${node.under.join(', ')}` : '';
    const detail = [names(node.results), under].filter(part => part !== '').join(' · ');
    const callee = this.callee(node);
    if (callee !== undefined) {
      const title = `${callee.name}(${callee.parameters.map(({ hint }) => hint ?? '_').join(', ')})`;
      return { ...shared, kind: 'call', title, detail, body: callee };
    }
    const [body] = node.regions;
    if (node.op === 'ir.loop' && body !== undefined) {
      return {
        ...shared,
        kind: 'loop',
        title: loopTitle(node, body),
        detail: [node.note ?? '', under].filter(part => part !== '').join(' · '),
        body,
      };
    }
    return { ...shared, kind: 'operation', title: operation(node), detail, body: undefined };
  }

  #count(region: Region): number {
    const known = this.#sizes.get(region);
    if (known !== undefined) {
      return known;
    }
    this.#sizes.set(region, 0); // of a function within itself
    let count = 0;
    for (const node of region.nodes) {
      const inside = this.callee(node) ?? (node.op === 'ir.loop' ? node.regions[0] : undefined);
      count += inside ? this.#count(inside) : Number(!STRUCTURE.has(node.op));
    }
    this.#sizes.set(region, count);
    return count;
  }
}

/** All that is known of it in one line. */
export function describe({ kind, title, detail, values, span }: Element): string {
  const types = kind === 'operation' ? values.map(({ type }) => typeName(type)) : [];
  return [title, detail, ...types, placeName(span)].filter(part => part !== '').join(' · ');
}

/** What a loop carries from turn to turn, and its counter where that is used. */
function inputs(loop: Element): Element[] {
  const used = new Set(loop.body && usedIn(loop.body.nodes));
  const numbered = numbering();
  return (loop.body?.parameters ?? [])
    .filter(({ number }, position) => position > 0 || used.has(number))
    .map(value => ({
      id: `${loop.id}/in:${numbered(value.hint ?? '_')}`,
      kind: 'input',
      parent: loop,
      title: value.hint ?? '_',
      detail: typeName(value.type),
      span: null,
      nodes: [],
      values: [value],
      body: undefined,
    }));
}

/** Names, each with how many of the same there were before. */
function numbering(): (name: string) => string {
  const seen = new Map<string, number>();
  return name => {
    const turn = seen.get(name) ?? 0;
    seen.set(name, turn + 1);
    return `${name}#${turn}`;
  };
}

function loopTitle(node: Node, body: Region): string {
  const { count } = node.attributes;
  const turns = typeof count === 'number' ? `${count} ×` : 'some turns';
  return `for ${body.parameters[0]?.hint ?? '_'} · ${turns}`;
}
