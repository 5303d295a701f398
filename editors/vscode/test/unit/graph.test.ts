import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AT_FIRST,
  AT_MOST,
  closeBeyond,
  openAround,
  openedAtFirst,
  shownFor,
} from '../../src/graph/folding';
import { layout } from '../../src/graph/layout';
import { type Element, Model } from '../../src/graph/model';
import { type Scene, sceneOf } from '../../src/graph/scene';
import type { Trace } from '../../src/graph/trace';
import { operation } from '../../src/graph/words';
import { EXAMPLES, longTrace, recursiveTrace, traceOf } from './traces';

const traces = new Map<string, Trace>(EXAMPLES.map(name => [name, traceOf(name)]));

for (const [name, trace] of traces) {
  const model = new Model(trace);
  const all = [...model.walk()];
  const groups = all.filter(element => model.isGroup(element) && element !== model.root);
  const whole = sceneOf(model, new Set(groups.map(({ id }) => id)));

  test(`${name}: every element has an id of its own, by which it is found`, () => {
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
    for (const element of all) {
      assert.equal(model.find(element.id), element);
    }
  });

  test(`${name}: edges go between nodes that are shown`, () => {
    for (const open of someOpen(groups)) {
      const scene = sceneOf(model, open);
      const shown = new Set(scene.nodes.map(({ id }) => id));
      for (const { from, to } of scene.edges) {
        assert.ok(shown.has(from) && shown.has(to), `${from} → ${to}`);
      }
    }
  });

  test(`${name}: folding hides nodes, but no way that values go`, () => {
    for (const open of someOpen(groups)) {
      const folded = new Set(links(sceneOf(model, open)));
      for (const { from, to } of whole.edges) {
        const [start, end] = [from, to].map(id => shownFor(found(model, id), open).id);
        assert.ok(start === end || folded.has(`${start} ${end}`), `${start} → ${end}`);
      }
    }
  });

  test(`${name}: nothing lies on anything else`, async () => {
    const { nodes } = await layout(sceneOf(model, openedAtFirst(model)));
    const byId = new Map(nodes.map(node => [node.id, node]));
    for (const node of nodes) {
      const parent = byId.get(node.parent ?? '');
      assert.ok(node.width > 0 && node.height > 0);
      assert.ok(parent === undefined || isWithin(node, parent), `${node.id} sticks out`);
      const siblings = nodes.filter(other => other !== node && other.parent === node.parent);
      assert.ok(!siblings.some(other => overlap(node, other)), `${node.id} overlaps`);
    }
  });
}

test('at first as much is open as can be looked at', () => {
  for (const trace of traces.values()) {
    const model = new Model(trace);
    const shown = sceneOf(model, openedAtFirst(model)).nodes.length;
    assert.ok(shown <= Math.max(AT_FIRST, model.children(model.root).length));
  }
});

test('a long program is folded into segments, and never more is open than can be drawn', () => {
  const model = new Model(longTrace(10_000));
  assert.ok(model.children(model.root).length <= 120);
  const open = new Set([...model.walk()].map(({ id }) => id));
  const kept = model.at({ path: '/a.py', line: 5000, column: 3 });
  closeBeyond(model, open, kept);
  const scene = sceneOf(model, open);
  assert.ok(scene.nodes.length <= AT_MOST);
  assert.ok(kept && scene.nodes.some(({ id }) => id === kept.id));
});

test('a function that calls itself can be opened as often as one likes', () => {
  const model = new Model(recursiveTrace());
  assert.ok([...model.walk()].length < 10);
  const open = openedAtFirst(model);
  let call: Element | undefined;
  for (let depth = 0; depth < 5; depth += 1) {
    const children = model.children(call ?? model.root);
    call = children.find(({ kind }) => kind === 'call');
    assert.ok(call);
    open.add(call.id);
  }
  const scene = sceneOf(model, open);
  assert.equal(scene.nodes.filter(({ title }) => title.startsWith('negative')).length, 5);
  assert.equal(new Set(scene.nodes.map(({ id }) => id)).size, scene.nodes.length);
});

test('what is searched for is found where it is folded', () => {
  const model = new Model(traces.get('kmeans') ?? longTrace(1));
  const [found] = model.search('ARGMIN', 10);
  assert.match(found?.title ?? '', /argmin/);
  const open = new Set<string>();
  assert.ok(found);
  openAround(found, open);
  assert.ok(sceneOf(model, open).nodes.some(({ id }) => id === found.id));
  assert.deepEqual(model.search(' ', 10), []);
});

test('an operation reads as it was written', () => {
  const shared = { results: [], mutated: [], span: null, note: null, under: [], regions: [] };
  const items = [{ constant: null }, { value: 2 }, { constant: { literal: '...' } }];
  const operands = [
    { value: 1 },
    { pack: 'tuple' as const, items },
    { keyword: 'out', item: { value: 3 } },
  ];
  const attributes = { axis: [0, 1], dtype: { symbol: 'f64' }, flag: true };
  const node = { ...shared, op: 'np.linalg.norm', operands, attributes: {} };
  assert.equal(operation(node), 'linalg.norm(·, (None, ·, ...), out=·)');
  assert.equal(
    operation({ ...node, operands: [], attributes, mutated: [0] }),
    'linalg.norm!(axis=(0, 1), dtype=f64, fl…',
  );
  assert.equal(operation({ ...node, op: 'ir.outside' }), 'from outside');
});

function found(model: Model, id: string): Element {
  const element = model.find(id);
  assert.ok(element);
  return element;
}

function links(scene: Scene): string[] {
  return scene.edges.map(({ from, to }) => `${from} ${to}`);
}

/** None, each alone with those around it, and ever more of them. */
function someOpen(groups: readonly Element[]): Set<string>[] {
  const sets = [new Set<string>()];
  groups.forEach((group, index) => {
    const open = new Set(groups.slice(0, index + 1).map(({ id }) => id));
    const alone = new Set([group.id]);
    openAround(group, open);
    openAround(group, alone);
    sets.push(open, alone);
  });
  return sets;
}

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function isWithin(inner: Placed, outer: Placed): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

function overlap(one: Placed, other: Placed): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}
