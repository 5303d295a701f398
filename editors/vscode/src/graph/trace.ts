/** A traced graph as the server gives it: docs/schema/trace.schema.json. */

export interface Trace {
  readonly version: 2;
  readonly graphs: readonly Graph[];
}

export interface Graph extends Region {
  readonly name: string;
  readonly span: Span | null;
  readonly note: string | null;
}

export interface Region {
  readonly parameters: readonly Value[];
  readonly nodes: readonly Node[];
}

export interface Node {
  readonly op: string;
  readonly operands: readonly Operand[];
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly results: readonly Value[];
  readonly mutated: readonly number[];
  readonly span: Span | null;
  readonly note: string | null;
  /** What it runs under, beyond what holds around it, such as no_grad. */
  readonly under: readonly string[];
  readonly regions: readonly Region[];
}

export interface Value {
  readonly number: number;
  readonly hint: string | null;
  readonly type: Type;
}

export type Operand =
  | { readonly value: number }
  | { readonly constant: Attribute }
  | { readonly keyword: string; readonly item: Operand }
  | { readonly pack: 'tuple' | 'list' | 'slice'; readonly items: readonly Operand[] };

export type Attribute =
  | null
  | boolean
  | number
  | string
  | readonly Attribute[]
  | { readonly literal: string }
  | { readonly symbol: string }
  | { readonly type: Type };

export type Type =
  | {
      readonly kind: 'array' | 'tensor';
      readonly element: string;
      readonly sizes: readonly (number | null)[];
      readonly names: readonly (string | null)[];
    }
  | { readonly kind: 'scalar' | 'module' | 'handle' | 'opaque'; readonly name: string }
  | { readonly kind: 'tuple'; readonly items: readonly Type[] }
  | { readonly kind: 'list'; readonly item: Type; readonly length: number | null }
  | { readonly kind: 'dict'; readonly entries: Readonly<Record<string, Type>> }
  | { readonly kind: 'parameter'; readonly name: string; readonly array: Type };

/** Lines from 1, columns from 0 in code points. */
export interface Span {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** The numbers of the values that an operand takes, in order. */
export function valuesOf(operand: Operand): number[] {
  if ('value' in operand) {
    return [operand.value];
  }
  if ('item' in operand) {
    return valuesOf(operand.item);
  }
  return 'items' in operand ? operand.items.flatMap(valuesOf) : [];
}

/** The numbers of all values that nodes take, and the regions in them. */
export function usedIn(nodes: readonly Node[]): number[] {
  return nodes.flatMap(({ operands, regions }) => [
    ...operands.flatMap(valuesOf),
    ...regions.flatMap(region => usedIn(region.nodes)),
  ]);
}

export function covers(span: Span | null, place: Place): boolean {
  if (span === null || span.path !== place.path) {
    return false;
  }
  const afterStart =
    place.line > span.line || (place.line === span.line && place.column >= span.column);
  const beforeEnd =
    place.line < span.endLine || (place.line === span.endLine && place.column <= span.endColumn);
  return afterStart && beforeEnd;
}

/** Smaller for a span within another. */
export function extent(span: Span): number {
  return (span.endLine - span.line) * 10_000 + span.endColumn - span.column;
}
