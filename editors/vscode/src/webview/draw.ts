/** Draws nodes and edges as SVG. Colours and widths are in view.css. */

import { type PlacedEdge, type PlacedNode, type Point, TEXT } from '../graph/drawing';

const NAMESPACE = 'http://www.w3.org/2000/svg';
const CORNER = 6;

export function drawNode(node: PlacedNode): SVGGElement {
  const classes = ['node', node.kind, node.fold === 'open' ? 'open' : 'box'];
  const group = made('g', {
    class: [...classes, ...(node.mutates ? ['mutates'] : [])].join(' '),
    transform: `translate(${node.x} ${node.y})`,
    role: 'img',
    'aria-label': node.description,
  });
  group.dataset['id'] = node.id;
  const { width, height } = node;
  const radius = node.kind === 'input' ? height / 2 : CORNER;
  if (node.fold === 'closed') {
    group.append(made('rect', { class: 'behind', x: 4, y: 4, width, height, rx: radius }));
  }
  group.append(made('rect', { class: 'body', width, height, rx: radius }));
  if (node.mutates) {
    group.append(made('rect', { class: 'written', width: 4, height, rx: 2 }));
  }
  group.append(...texts(node));
  group.append(made('circle', { class: 'mark', cx: width - 1, cy: 1, r: 6 }));
  const title = made('title', {});
  title.textContent = node.description;
  group.append(title);
  return group;
}

export function drawEdge(edge: PlacedEdge): SVGGElement {
  const group = made('g', { class: `edge ${edge.kind}` });
  group.dataset['from'] = edge.from;
  group.dataset['to'] = edge.to;
  const arrow = edge.kind === 'mutation' ? 'url(#arrow-mutation)' : 'url(#arrow)';
  group.append(made('path', { d: rounded(edge.points), 'marker-end': arrow }));
  if (edge.labelAt !== undefined) {
    const { x, y } = edge.labelAt;
    group.append(text(edge.label, x, y + 4, 'type'));
  }
  const title = made('title', {});
  title.textContent = edge.label;
  group.append(title);
  return group;
}

function texts(node: PlacedNode): SVGTextElement[] {
  const chevron = { none: '', open: '▾ ', closed: '▸ ' }[node.fold];
  if (node.fold === 'open') {
    const shown = [text(`${chevron}${node.title}`, TEXT.padding, 20, 'title')];
    const room = node.width - (node.title.length + node.detail.length + 6) * TEXT.letter;
    if (node.detail !== '' && room > 0) {
      shown.push(text(node.detail, node.width - TEXT.padding, 20, 'detail end'));
    }
    return shown;
  }
  const middle = node.width / 2;
  const first = node.detail === '' ? node.height / 2 + 4 : TEXT.line + 2;
  const shown = [text(`${chevron}${node.title}`, middle, first, 'title middle')];
  if (node.detail !== '') {
    shown.push(text(node.detail, middle, first + TEXT.line, 'detail middle'));
  }
  return shown;
}

function text(content: string, x: number, y: number, classes: string): SVGTextElement {
  const element = made('text', { x, y, class: classes });
  element.textContent = content;
  return element;
}

/** A path through points, with round corners. */
function rounded(points: readonly Point[]): string {
  const [start, ...others] = points;
  if (start === undefined) {
    return '';
  }
  const parts = [`M${start.x} ${start.y}`];
  others.forEach((point, index) => {
    const before = points[index] ?? start;
    const after = others[index + 1];
    if (after === undefined) {
      parts.push(`L${point.x} ${point.y}`);
      return;
    }
    const into = towards(point, before);
    const out = towards(point, after);
    parts.push(`L${into.x} ${into.y}Q${point.x} ${point.y} ${out.x} ${out.y}`);
  });
  return parts.join('');
}

function towards(from: Point, to: Point): Point {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  const part = distance === 0 ? 0 : Math.min(CORNER, distance / 2) / distance;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

function made<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  return element;
}
