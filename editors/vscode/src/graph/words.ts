/** What is written on nodes and edges. */

import type { Attribute, Node, Operand, Span, Type, Value } from './trace';

const LONGEST = 40; // characters of a line on a node

/** Values that no operation of the trace has made. */
const ORIGINS: Readonly<Record<string, string>> = {
  'ir.outside': 'from outside',
  'ir.undefined': 'not set yet',
};

/** `sum(·, axis=1)`: constants in their places, dots where values come in, `!` where it writes. */
export function operation(node: Node): string {
  if (node.op in ORIGINS) {
    return ORIGINS[node.op] ?? '';
  }
  const name = node.op.slice(node.op.indexOf('.') + 1).replace(/^ndarray\./, '.');
  const attributes = Object.entries(node.attributes).map(
    ([key, value]) => `${key}=${attribute(value)}`,
  );
  const operands = [...node.operands.map(operand), ...attributes].join(', ');
  const mutates = node.mutated.length > 0 ? '!' : '';
  return shortened(`${name}${mutates}(${operands})`);
}

/** The names that the program gives the results. */
export function names(values: readonly Value[]): string {
  return shortened(values.flatMap(({ hint }) => hint ?? []).join(', '));
}

/** `f64[batch=64, 3]`. */
export function typeName(type: Type): string {
  switch (type.kind) {
    case 'array':
    case 'tensor':
      return `${type.element}[${type.sizes.map((size, axis) => dimension(size, type.names[axis])).join(', ')}]`;
    case 'scalar':
      return type.name;
    case 'module':
    case 'handle':
    case 'opaque':
      return type.name.slice(type.name.lastIndexOf('.') + 1);
    case 'tuple':
      return `(${type.items.map(typeName).join(', ')})`;
    case 'list':
      return `${type.length ?? '?'} × ${typeName(type.item)}`;
    case 'dict':
      return `{${Object.keys(type.entries).join(', ')}}`;
    case 'parameter':
      return typeName(type.array);
  }
}

/** `train.py:14:9`, both from 1. */
export function placeName(span: Span | null): string {
  return span === null
    ? ''
    : `${span.path.slice(span.path.lastIndexOf('/') + 1)}:${span.line}:${span.column + 1}`;
}

export function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

function dimension(size: number | null, name: string | null | undefined): string {
  return `${name ? `${name}=` : ''}${size ?? '?'}`;
}

function operand(value: Operand): string {
  if ('value' in value) {
    return '·';
  }
  if ('constant' in value) {
    return attribute(value.constant);
  }
  if ('item' in value) {
    return `${value.keyword}=${operand(value.item)}`;
  }
  const items = value.items.map(operand);
  switch (value.pack) {
    case 'tuple':
      return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`;
    case 'list':
      return `[${items.join(', ')}]`;
    case 'slice':
      return items.join(':').replaceAll('None', '');
  }
}

function attribute(value: Attribute): string {
  if (value === null) {
    return 'None';
  }
  if (typeof value === 'boolean') {
    return value ? 'True' : 'False';
  }
  if (typeof value === 'number') {
    return String(value);
  }
  if (typeof value === 'string') {
    return JSON.stringify(value);
  }
  if (isList(value)) {
    return `(${value.map(attribute).join(', ')})`;
  }
  if ('literal' in value) {
    return value.literal;
  }
  return 'symbol' in value ? value.symbol : typeName(value.type);
}

function isList(value: Attribute): value is readonly Attribute[] {
  return Array.isArray(value);
}
