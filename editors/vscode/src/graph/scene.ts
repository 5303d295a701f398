/**
 * What of a model is to be seen, with some of its groups open: nodes, and edges from where a value
 * is made to where it is taken. An edge that begins or ends within a closed group begins or ends at
 * the group.
 */

import { describe, type Element, type Kind, type Model } from './model';
import { type Node, type Operand, type Region, usedIn, type Value, valuesOf } from './trace';
import { placeName, shortened, typeName } from './words';

export interface SceneNode {
  readonly id: string;
  /** The open group around it; undefined at the outside. */
  readonly parent: string | undefined;
  readonly kind: Kind;
  readonly title: string;
  readonly detail: string;
  readonly place: string;
  /** All that is known of it, for those who can't see it or want to know more. */
  readonly description: string;
  /** Whether it can be opened or closed, and is open. */
  readonly fold: 'none' | 'open' | 'closed';
  readonly mutates: boolean;
}

export interface SceneEdge {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  /** `mutation`: written by where it goes; `turn`: for the next turn of a loop. */
  readonly kind: 'data' | 'mutation' | 'turn';
}

export interface Scene {
  readonly nodes: readonly SceneNode[];
  readonly edges: readonly SceneEdge[];
}

/** Where values are made, by their numbers, within one run of a region. */
type Makers = Map<number, Maker>;

interface Maker {
  readonly id: string;
  readonly value: Value;
}

export function sceneOf(model: Model, open: ReadonlySet<string>): Scene {
  const drawing = new Drawing(model, open);
  drawing.inside(model.root, undefined, new Map());
  return drawing.scene();
}

class Drawing {
  readonly #model: Model;
  readonly #open: ReadonlySet<string>;
  readonly #nodes: SceneNode[] = [];
  readonly #edges = new Map<string, SceneEdge>();

  constructor(model: Model, open: ReadonlySet<string>) {
    this.#model = model;
    this.#open = open;
  }

  scene(): Scene {
    return { nodes: this.#nodes, edges: [...this.#edges.values()] };
  }

  /** Draws what is in an open group. */
  inside(group: Element, parent: string | undefined, makers: Makers): void {
    for (const element of this.#model.children(group)) {
      this.#draw(element, parent, makers);
    }
  }

  #draw(element: Element, parent: string | undefined, makers: Makers): void {
    const isGroup = this.#model.isGroup(element);
    const isOpen = isGroup && this.#open.has(element.id);
    this.#nodes.push(this.#node(element, parent, isGroup, isOpen));
    if (!isOpen) {
      this.#closed(element, makers);
    } else if (element.kind === 'segment') {
      this.inside(element, element.id, makers);
    } else if (element.kind === 'call') {
      this.#call(element, makers);
    } else {
      this.#loop(element, makers);
    }
  }

  #node(
    element: Element,
    parent: string | undefined,
    isGroup: boolean,
    isOpen: boolean,
  ): SceneNode {
    const used = element.kind === 'operation' || element.kind === 'input';
    const types = used ? [] : element.values.map(({ type }) => typeName(type));
    const size = this.#model.size(element);
    const inside = isGroup && element.kind !== 'segment' ? [`${size} operations`] : [];
    return {
      id: element.id,
      parent,
      kind: element.kind,
      title: element.title,
      detail: shortened([element.detail, ...inside].filter(text => text !== '').join(' · ')),
      place: placeName(element.span),
      description: [describe(element), ...types, ...inside].join(' · '),
      fold: isGroup ? (isOpen ? 'open' : 'closed') : 'none',
      mutates: element.kind === 'operation' && element.nodes.some(node => node.mutated.length > 0),
    };
  }

  /** One box, whatever is in it: all that its nodes take comes in, all that they give goes out. */
  #closed(element: Element, makers: Makers): void {
    const own = new Set(element.values.map(({ number }) => number));
    for (const node of element.nodes) {
      const written = node.mutated.flatMap(position => {
        const operand = node.operands[position];
        return operand ? valuesOf(operand) : [];
      });
      for (const number of new Set(usedIn([node]))) {
        if (!own.has(number) || element.kind !== 'segment') {
          this.#edge(
            makers.get(number),
            element.id,
            written.includes(number) ? 'mutation' : 'data',
          );
        }
      }
    }
    for (const value of element.values) {
      makers.set(value.number, { id: element.id, value });
    }
  }

  #call(call: Element, makers: Makers): void {
    const [node] = call.nodes;
    const body = call.body;
    if (node === undefined || body === undefined) {
      return;
    }
    const within: Makers = new Map();
    body.parameters.forEach((parameter, position) => {
      const maker = makerOf(node.operands[position], makers);
      if (maker !== undefined) {
        within.set(parameter.number, maker);
      }
    });
    this.inside(call, call.id, within);
    this.#results(call, node, lastOf(body, 'ir.return'), within, makers);
  }

  #loop(loop: Element, makers: Makers): void {
    const [node] = loop.nodes;
    const body = loop.body;
    if (node === undefined || body === undefined) {
      return;
    }
    const within: Makers = new Map(makers); // a loop sees what is around it
    this.inside(loop, loop.id, within);
    const carried = body.parameters.slice(1);
    const inputs = new Map(
      this.#model
        .children(loop)
        .filter(({ kind }) => kind === 'input')
        .map(({ id, values }) => [values[0]?.number, id]),
    );
    const next = lastOf(body, 'ir.next');
    carried.forEach((parameter, position) => {
      const input = inputs.get(parameter.number);
      if (input !== undefined) {
        this.#edge(makerOf(node.operands[position], makers), input, 'data');
        this.#edge(makerOf(next?.operands[position], within), input, 'turn');
      }
    });
    this.#results(loop, node, next, within, makers);
  }

  /** What a group gives is made by what made it inside. */
  #results(
    group: Element,
    node: Node,
    last: Node | undefined,
    within: Makers,
    makers: Makers,
  ): void {
    const given = last?.operands ?? [];
    const first = given.length - node.results.length; // new versions of what is changed come first
    node.results.forEach((value, position) => {
      const maker = makerOf(given[position + Math.max(0, first)], within);
      makers.set(value.number, maker ?? { id: group.id, value });
    });
  }

  #edge(maker: Maker | undefined, to: string, kind: SceneEdge['kind']): void {
    if (maker === undefined || (maker.id === to && kind !== 'turn')) {
      return;
    }
    const label = typeName(maker.value.type);
    const key = [maker.id, to, maker.value.number, kind].join(' ');
    this.#edges.set(key, { from: maker.id, to, label, kind });
  }
}

function makerOf(operand: Operand | undefined, makers: Makers): Maker | undefined {
  const [number] = operand === undefined ? [] : valuesOf(operand);
  return number === undefined ? undefined : makers.get(number);
}

function lastOf(region: Region, op: string): Node | undefined {
  return region.nodes.findLast(node => node.op === op);
}
