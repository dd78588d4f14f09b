// @ts-check
/** Points, quadrilaterals and rings in pixels of the picture; a quad is a square's corners NW NE SE SW as it lies. */

/**
 * Return the map of the unit square to a quad, as a function of (x, y).
 *
 * @param {Quad} quad
 * @returns {(x: number, y: number) => Point}
 */
export function projection([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const scale = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / scale;
  const h = (dx1 * dy3 - dx3 * dy1) / scale;
  const [a, b] = [x1 - x0 + g * x1, x3 - x0 + h * x3];
  const [d, e] = [y1 - y0 + g * y1, y3 - y0 + h * y3];
  return (x, y) => {
    const w = g * x + h * y + 1;
    return [(a * x + b * y + x0) / w, (d * x + e * y + y0) / w];
  };
}

/**
 * Grow a quad about its centre by a share of its side on every side.
 *
 * @param {Point[]} quad
 * @param {number} margin
 */
export function grown(quad, margin) {
  const at = projection(quad);
  return [at(-margin, -margin), at(1 + margin, -margin), at(1 + margin, 1 + margin), at(-margin, 1 + margin)];
}

/**
 * Whether an odd number of the rings encloses a point.
 *
 * @param {Ring[]} rings
 * @param {Point} point
 */
export function inside(rings, [x, y]) {
  let odd = false;
  for (const ring of rings)
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [[ax, ay], [bx, by]] = [ring[i], ring[j]];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
    }
  return odd;
}

/**
 * Return the minimum distance of a point from the rings' lines.
 *
 * @param {Ring[]} rings
 * @param {Point} point
 */
export function distance(rings, [x, y]) {
  let least = Infinity;
  for (const ring of rings)
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++)
      least = Math.min(least, fromLine(x, y, ring[i], ring[j]));
  return least;
}

/**
 * @param {Point} point
 * @param {Point} otherPoint
 */
export const apart = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);

/**
 * Return the box {x, y, width, height} around points.
 *
 * @param {Point[]} points
 */
export function box(points) {
  const [xs, ys] = [points.map((point) => point[0]), points.map((point) => point[1])];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/**
 * Return an SVG path of closed rings.
 *
 * @param {Ring[]} rings
 */
export const path = (rings) => rings.map((ring) => `M${ring.map((point) => point.join(" ")).join("L")}Z`).join("");

/** @param {number[]} values */
export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/**
 * @param {number} x
 * @param {number} y
 * @param {Point} point
 * @param {Point} otherPoint
 */
function fromLine(x, y, [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - ax - along * dx, y - ay - along * dy);
}
