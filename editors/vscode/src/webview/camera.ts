/** Which part of the drawing is seen, and how large. */

import type { Box, Point } from '../graph/drawing';

const SMALLEST = 0.05;
const LARGEST = 3;

export class Camera {
  readonly #frame: SVGSVGElement;
  readonly #moved: SVGGElement;
  scale = 1;
  x = 0;
  y = 0;

  constructor(frame: SVGSVGElement, moved: SVGGElement) {
    this.#frame = frame;
    this.#moved = moved;
  }

  get size(): { width: number; height: number } {
    return { width: this.#frame.clientWidth, height: this.#frame.clientHeight };
  }

  /** Where a point of the drawing is in the frame. */
  toFrame({ x, y }: Point): Point {
    return { x: x * this.scale + this.x, y: y * this.scale + this.y };
  }

  /** The point of the drawing in the middle of the frame. */
  get middle(): Point {
    const { width, height } = this.size;
    return { x: (width / 2 - this.x) / this.scale, y: (height / 2 - this.y) / this.scale };
  }

  /** Whether all of it is seen. */
  isInside(box: Box): boolean {
    const { width, height } = this.size;
    const { left, top, right, bottom } = this.#edges(box);
    return left >= 0 && top >= 0 && right <= width && bottom <= height;
  }

  /** Whether any of it is seen. */
  touches(box: Box): boolean {
    const { width, height } = this.size;
    const { left, top, right, bottom } = this.#edges(box);
    return left < width && top < height && right > 0 && bottom > 0;
  }

  moveBy(x: number, y: number): void {
    this.x += x;
    this.y += y;
    this.#apply();
  }

  /** Puts a point of the drawing at a point of the frame. */
  put(point: Point, at: Point): void {
    this.x = at.x - point.x * this.scale;
    this.y = at.y - point.y * this.scale;
    this.#apply();
  }

  /** Larger or smaller, with what is at a point of the frame staying there. */
  zoom(factor: number, at: Point): void {
    const scale = Math.min(LARGEST, Math.max(SMALLEST, this.scale * factor));
    const point = { x: (at.x - this.x) / this.scale, y: (at.y - this.y) / this.scale };
    this.scale = scale;
    this.put(point, at);
  }

  zoomAtMiddle(factor: number): void {
    const { width, height } = this.size;
    this.zoom(factor, { x: width / 2, y: height / 2 });
  }

  centre(box: Box): void {
    const { width, height } = this.size;
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    this.put(middle, { x: width / 2, y: height / 2 });
  }

  /** All of it, but no smaller than `smallest`; what is too high shows its top. */
  fit(drawing: { width: number; height: number }, smallest = SMALLEST): void {
    const { width, height } = this.size;
    const whole = Math.min(width / drawing.width, height / drawing.height, 1);
    this.scale = Math.max(whole, smallest);
    const x = (width - drawing.width * this.scale) / 2;
    const y = Math.max(0, (height - drawing.height * this.scale) / 2);
    this.put({ x: 0, y: 0 }, { x, y });
  }

  #edges(box: Box) {
    const { x: left, y: top } = this.toFrame(box);
    return {
      left,
      top,
      right: left + box.width * this.scale,
      bottom: top + box.height * this.scale,
    };
  }

  #apply(): void {
    this.#moved.setAttribute('transform', `translate(${this.x} ${this.y}) scale(${this.scale})`);
    this.#frame.classList.toggle('far', this.scale < 0.5);
    this.#frame.classList.toggle('very-far', this.scale < 0.25);
  }
}
