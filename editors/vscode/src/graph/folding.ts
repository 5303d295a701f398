/** Which groups are open: few enough to see at first, and never more than can be drawn smoothly. */

import type { Element, Model } from './model';

export const AT_FIRST = 40; // nodes
export const AT_MOST = 2000; // nodes

/** The outermost groups, as many as `budget` nodes allow; no function within itself. */
export function openedAtFirst(model: Model, budget = AT_FIRST): Set<string> {
  const open = new Set<string>();
  let shown = model.children(model.root).length;
  let level = [...model.children(model.root)];
  while (level.length > 0) {
    const next: Element[] = [];
    for (const element of level) {
      const inside =
        model.isGroup(element) && !model.isRecursive(element) ? model.children(element) : [];
      if (inside.length > 0 && shown + inside.length <= budget) {
        open.add(element.id);
        shown += inside.length;
        next.push(...inside);
      }
    }
    level = next;
  }
  return open;
}

/** Opens all that is around an element, so that it is seen. */
export function openAround(element: Element, open: Set<string>): void {
  for (let above = element.parent; above?.parent !== undefined; above = above.parent) {
    open.add(above.id);
  }
}

/** Closes the largest groups, none of those around `kept`, until at most `most` nodes are shown. */
export function closeBeyond(
  model: Model,
  open: Set<string>,
  kept: Element | undefined,
  most = AT_MOST,
): void {
  const around = new Set<string>();
  for (let above = kept; above !== undefined; above = above.parent) {
    around.add(above.id);
  }
  for (;;) {
    const sizes = new Map<Element, number>();
    if (shownIn(model, model.root, open, sizes) <= most) {
      return;
    }
    const closable = [...sizes].filter(([{ id }]) => !around.has(id));
    const largest = closable.sort(([, one], [, other]) => other - one)[0];
    if (largest === undefined) {
      return;
    }
    open.delete(largest[0].id);
  }
}

/** The open group or single node that stands for an element now. */
export function shownFor(element: Element, open: ReadonlySet<string>): Element {
  let shown = element;
  for (let above = element.parent; above?.parent !== undefined; above = above.parent) {
    if (!open.has(above.id)) {
      shown = above;
    }
  }
  return shown;
}

/** How many nodes are shown in a group; also for each open group in it, into `sizes`. */
function shownIn(
  model: Model,
  group: Element,
  open: ReadonlySet<string>,
  sizes: Map<Element, number>,
): number {
  let count = 0;
  for (const element of model.children(group)) {
    count += 1;
    if (open.has(element.id) && model.isGroup(element)) {
      const inside = shownIn(model, element, open, sizes);
      sizes.set(element, inside);
      count += inside;
    }
  }
  return count;
}
