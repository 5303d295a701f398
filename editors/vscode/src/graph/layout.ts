/** Where everything goes: a scene with the places that ELK's layered layout gives it. */

import ELK, { type ElkExtendedEdge, type ElkNode } from 'elkjs/lib/elk.bundled.js';
import { type Box, type Drawing, type PlacedEdge, TEXT } from './drawing';
import type { Scene, SceneEdge, SceneNode } from './scene';

const MOST_LABELLED = 400; // edges; their labels cost more than the rest of the layout
const elk = new ELK();

export async function layout(scene: Scene): Promise<Drawing> {
  const labelled = scene.edges.length <= MOST_LABELLED;
  const nodes = new Map(
    scene.nodes.map(node => [node.id, { ...sized(node), children: [] as ElkNode[] }]),
  );
  const top: ElkNode[] = [];
  for (const node of scene.nodes) {
    const made = nodes.get(node.id);
    const siblings = node.parent === undefined ? top : nodes.get(node.parent)?.children;
    if (made !== undefined) {
      siblings?.push(made);
    }
  }
  const edges = scene.edges.map((edge, index) => elkEdge(edge, index, labelled));
  const placed = await elk.layout({ id: 'all', layoutOptions: OPTIONS, children: top, edges });
  return drawing(scene, placed);
}

function drawing(scene: Scene, placed: ElkNode): Drawing {
  const boxes = new Map<string, Box>();
  const collect = (node: ElkNode) => {
    boxes.set(node.id, box(node));
    node.children?.forEach(collect);
  };
  placed.children?.forEach(collect);
  return {
    width: placed.width ?? 0,
    height: placed.height ?? 0,
    nodes: scene.nodes.flatMap(node => ({ ...node, ...(boxes.get(node.id) ?? NOWHERE) })),
    edges: scene.edges.map((edge, index) => placedEdge(edge, placed.edges?.[index])),
  };
}

function placedEdge(edge: SceneEdge, placed: ElkExtendedEdge | undefined): PlacedEdge {
  const points = (placed?.sections ?? []).flatMap(({ startPoint, bendPoints, endPoint }) => [
    startPoint,
    ...(bendPoints ?? []),
    endPoint,
  ]);
  const label = placed?.labels?.[0];
  const at = label && box(label);
  const labelAt = at && { x: at.x + at.width / 2, y: at.y + at.height / 2 };
  return { ...edge, points, labelAt };
}

function sized(node: SceneNode): ElkNode {
  const lines = node.detail === '' ? [node.title] : [node.title, node.detail];
  const letters = Math.max(...lines.map(line => [...line].length)) + (node.fold === 'none' ? 0 : 2);
  const width = Math.ceil(letters * TEXT.letter + 2 * TEXT.padding);
  if (node.fold === 'open') {
    const padding = `[top=${TEXT.header + 8},left=14,bottom=14,right=14]`;
    const minimum = `(${width},${TEXT.header})`;
    return {
      id: node.id,
      layoutOptions: {
        'elk.padding': padding,
        'elk.nodeSize.constraints': 'MINIMUM_SIZE',
        'elk.nodeSize.minimum': minimum,
      },
    };
  }
  return { id: node.id, width, height: lines.length * TEXT.line + TEXT.padding };
}

function elkEdge(edge: SceneEdge, index: number, labelled: boolean): ElkExtendedEdge {
  const width = [...edge.label].length * TEXT.small + 6;
  const labels = labelled && edge.label !== '' ? [{ text: edge.label, width, height: 14 }] : [];
  return { id: `edge${index}`, sources: [edge.from], targets: [edge.to], labels };
}

function box({ x = 0, y = 0, width = 0, height = 0 }: Partial<Box>): Box {
  return { x, y, width, height };
}

const NOWHERE: Box = { x: 0, y: 0, width: 0, height: 0 };

const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.edgeLabels.sideSelection': 'ALWAYS_DOWN',
  'elk.edgeLabels.inline': 'true',
  'elk.layered.spacing.nodeNodeBetweenLayers': '28',
  'elk.layered.spacing.edgeNodeBetweenLayers': '12',
  'elk.spacing.nodeNode': '22',
  'elk.spacing.edgeNode': '12',
  'elk.spacing.edgeEdge': '8',
  'elk.padding': '[top=16,left=16,bottom=16,right=16]',
};
