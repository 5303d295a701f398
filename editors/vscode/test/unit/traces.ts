/** Traces to test with: of the examples, made by the server of this checkout, and large ones. */

import { execFileSync } from 'node:child_process';
import type { Node, Trace, Type, Value } from '../../src/graph/trace';

export const EXAMPLES = ['kmeans', 'mlp', 'heat', 'kalman', 'pca_images'];

export function traceOf(example: string): Trace {
  const path = `examples/${example}.py`;
  const command = ['run', 'jit-lsp', 'trace', '--format', 'json', path];
  return JSON.parse(execFileSync('../../dev', command, { encoding: 'utf8', maxBuffer: 1e9 }));
}

/** A program of `count` operations, each of which takes what one of the last few gave. */
export function longTrace(count: number): Trace {
  const nodes: Node[] = [];
  for (let number = 0; number < count; number += 1) {
    const operands = number === 0 ? [] : [{ value: Math.floor(number - 1 - (number % 5) / 2) }];
    nodes.push(
      node(
        'np.add',
        operands.filter(({ value }) => value >= 0),
        [made(number)],
        number + 1,
      ),
    );
  }
  nodes.push(node('ir.return', [], [], count));
  return { version: 2, graphs: [{ name: 'main', span: null, note: null, parameters: [], nodes }] };
}

/** A function that calls itself, twice. */
export function recursiveTrace(): Trace {
  const [into, half, out] = [made(0), made(1), made(2)];
  const call = (value: Value, given: Value) => ({
    ...node('ir.call', [{ value: value.number }], [given], 2),
    attributes: { callee: 'f' },
  });
  const inside = [
    node('np.negative', [{ value: 0 }], [half], 1),
    call(half, out),
    node('ir.return', [{ value: 2 }], [], 3),
  ];
  const [start, end] = [made(10), made(11)];
  const outside = [node('np.ones', [], [start], 5), call(start, end)];
  return {
    version: 2,
    graphs: [
      { name: 'main', span: null, note: null, parameters: [], nodes: outside },
      { name: 'f', span: null, note: null, parameters: [into], nodes: inside },
    ],
  };
}

const TYPE: Type = { kind: 'array', element: 'f64', sizes: [3], names: [null] };

function made(number: number): Value {
  return { number, hint: null, type: TYPE };
}

function node(
  op: string,
  operands: Node['operands'],
  results: Node['results'],
  line: number,
): Node {
  const span = { path: '/a.py', line, column: 0, endLine: line, endColumn: 9 };
  return {
    op,
    operands,
    results,
    attributes: {},
    mutated: [],
    span,
    note: null,
    under: [],
    regions: [],
  };
}
