// @ts-check
/** The part of a camera's picture that holds the board: where the last photo showed it, with room for it to grow. */

/** Room around the board in tiles: the next tile, and a border of the table to find it by. A guess. */
const ROOM = 2;
/** Share of the picture that a smaller part must leave out to be worth it. A guess. */
const LEFT_OUT = 0.15;

/**
 * A photo that the server has read: the part of the camera's picture that it is, its size as read, and the map from
 * (col, row, 1) to its pixels, row by row.
 *
 * @typedef {{ cut: Box, width: number, height: number, view: number[] }} Seen
 */

/**
 * Return the part of a picture that is sent; `since` is the number of photos taken since the one in which the board was
 * seen, each of which may show a further tile. Without a board, or if little is left out, it is the whole.
 *
 * @param {{ width: number, height: number }} size
 * @param {Seen | null} seen
 * @param {Square[]} squares
 * @param {number} since
 * @returns {Box}
 */
export function cutAround(size, seen, squares, since) {
  const whole = { x: 0, y: 0, ...size };
  const corners = seen && squares.length ? cornersOf(squares, ROOM + since).map((at) => place(seen, at)) : [];
  if (!corners.length || corners.includes(null)) return whole;
  const points = /** @type {Point[]} */ (corners);
  const [left, right] = span(points, 0, size.width);
  const [top, bottom] = span(points, 1, size.height);
  const part = { x: left, y: top, width: right - left, height: bottom - top };
  const isWorthIt = part.width * part.height < (1 - LEFT_OUT) * size.width * size.height;
  return isWorthIt && part.width > 0 && part.height > 0 ? part : whole;
}

/**
 * Return the corners (col, row) of the rectangle of some squares, with `room` tiles around it.
 *
 * @param {Square[]} squares
 * @param {number} [room]
 * @returns {Point[]}
 */
export function cornersOf(squares, room = 0) {
  const [rows, cols] = [0, 1].map((axis) => squares.map((square) => square[axis]));
  const [top, bottom] = [Math.min(...rows) - room, Math.max(...rows) + 1 + room];
  const [left, right] = [Math.min(...cols) - room, Math.max(...cols) + 1 + room];
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

/**
 * Return where a lattice point (col, row) lies in the camera's picture; null if it is behind the camera.
 *
 * @param {Seen} seen
 * @param {Point} at
 * @returns {Point | null}
 */
function place({ cut, width, height, view }, at) {
  const point = pixel(view, at);
  return point && [cut.x + (point[0] * cut.width) / width, cut.y + (point[1] * cut.height) / height];
}

/**
 * Return the pixel of a lattice point (col, row); null if it is behind the camera.
 *
 * @param {number[]} view
 * @param {Point} at
 * @returns {Point | null}
 */
export function pixel(view, [col, row]) {
  const [x, y, depth] = [0, 3, 6].map((at) => view[at] * col + view[at + 1] * row + view[at + 2]);
  const [, , middle] = [6, 7, 8].map((at) => view[at]);
  return depth * Math.sign(middle || 1) > 1e-9 ? [x / depth, y / depth] : null;
}

/**
 * @param {Point[]} points
 * @param {number} axis
 * @param {number} most
 */
function span(points, axis, most) {
  const values = points.map((point) => Math.max(0, Math.min(most, point[axis])));
  return [Math.floor(Math.min(...values)), Math.ceil(Math.max(...values))];
}
