/** A scene with its places: what the layout gives, and the view draws. */

import type { SceneEdge, SceneNode } from './scene';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface PlacedNode extends SceneNode, Box {}

export interface PlacedEdge extends SceneEdge {
  readonly points: readonly Point[];
  /** Where the label's middle is; undefined where there are too many to be read. */
  readonly labelAt: Point | undefined;
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** Groups before what is in them. */
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

/** In the units of the drawing, which are pixels at 100 %. The view draws with the same. */
export const TEXT = { letter: 7.3, line: 16, padding: 10, small: 6.1, header: 30 };
