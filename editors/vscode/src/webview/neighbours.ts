/** Where the arrow keys lead: along edges up and down, else to what is nearest that way. */

import type { Drawing, PlacedNode } from '../graph/drawing';

export type Direction = 'up' | 'down' | 'left' | 'right';

export function neighbour(
  drawing: Drawing,
  from: PlacedNode,
  direction: Direction,
): PlacedNode | undefined {
  const linked = new Set(
    drawing.edges.flatMap(edge => {
      if (direction === 'down' && edge.from === from.id) {
        return edge.to;
      }
      return direction === 'up' && edge.to === from.id ? edge.from : [];
    }),
  );
  const others = drawing.nodes.filter(node => node !== from && lies(node, from, direction));
  const along = others.filter(({ id }) => linked.has(id));
  return nearest(along.length > 0 ? along : others, from, direction);
}

function nearest(
  nodes: readonly PlacedNode[],
  from: PlacedNode,
  direction: Direction,
): PlacedNode | undefined {
  const cost = (node: PlacedNode) => {
    const [x, y] = difference(node, from);
    const [along, across] = isVertical(direction) ? [y, x] : [x, y];
    return Math.abs(along) + 3 * Math.abs(across);
  };
  return nodes.toSorted((one, other) => cost(one) - cost(other))[0];
}

function lies(node: PlacedNode, from: PlacedNode, direction: Direction): boolean {
  if (holds(node, from) || holds(from, node)) {
    return (
      (direction === 'down' && node.parent === from.id) ||
      (direction === 'up' && from.parent === node.id)
    );
  }
  const [x, y] = difference(node, from);
  switch (direction) {
    case 'up':
      return y < 0;
    case 'down':
      return y > 0;
    case 'left':
      return x < 0;
    case 'right':
      return x > 0;
  }
}

const isVertical = (direction: Direction) => direction === 'up' || direction === 'down';

const holds = (group: PlacedNode, node: PlacedNode) => node.id.startsWith(`${group.id}/`);

function difference(node: PlacedNode, from: PlacedNode): [number, number] {
  return [
    node.x + node.width / 2 - from.x - from.width / 2,
    node.y + node.height / 2 - from.y - from.height / 2,
  ];
}
