// @ts-check
/** A game's document as people tell it: turn by turn, with the points after each, and the squares of its board. */

const BOARD = /^(?:@(-?\d+),(-?\d+) )?(\S+)/;
const SQUARE = /(\?\?|(?:[A-Z]|\([^()]*\)).)|[-.](\d*)|(\/)/g;
const WONDER = "#";

/**
 * A turn of the log; `photo` is the number of the photo, from 0, that shows it first.
 *
 * @typedef {object} GameTurn
 * @property {number} number from 1
 * @property {number} photo
 * @property {number} before number of the photo before
 * @property {string} onTurn the player on turn there
 * @property {Api.Move} move
 * @property {string[]} lines what it brought, or else what was laid
 * @property {boolean} isAssumed whether a piece was set and taken back unseen
 * @property {boolean} isOpen whether the photos leave its stretch open
 * @property {Square[]} squares
 */

/**
 * Return the turns of a game, the first first.
 *
 * @param {Api.Moves} moves
 * @returns {GameTurn[]}
 */
export function turnsOf({ stretches, log = [] }) {
  const points = log.filter(({ kind }) => kind === "points");
  const all = stretches.flatMap(({ photos: [before, photo], moves, settled }, stretch) =>
    moves.map((move, at) => {
      const lines = points.filter((line) => line.stretch === stretch && line.move === at).map(({ text }) => text);
      return {
        photo,
        before,
        onTurn: moves[0].player,
        move,
        lines: lines.length ? lines : [move.text],
        isAssumed: move.assumed ?? false,
        isOpen: !settled,
        squares: squaresOf(move),
      };
    }),
  );
  return all.map((turn, index) => ({ ...turn, number: index + 1 }));
}

/**
 * @param {Api.Move} move
 * @returns {Square[]}
 */
const squaresOf = ({ tiles, back }) => [...tiles.map(({ row, col }) => [row, col]), ...back.map(({ tile }) => tile)];

/**
 * Return every player's points at the start and after each turn; at a photo they are the likeliest by its score, which
 * follows what people typed.
 *
 * @param {Api.PhotoScores[]} scores
 * @param {GameTurn[]} turns
 */
export function pointsOver(scores, turns) {
  const points = [scores[0].likeliest ?? {}];
  for (const [at, { move, photo }] of turns.entries()) {
    const now = { ...points[at] };
    for (const { player, points: more } of move.scores ?? []) now[player] = (now[player] ?? 0) + more;
    const next = turns[at + 1]?.photo ?? Number.POSITIVE_INFINITY;
    const shown = scores.findLast((own) => own.photo >= photo && own.photo < next && own.likeliest);
    points.push(shown?.likeliest ?? now);
  }
  return points;
}

/**
 * Return the squares with a tile of a board in notation.
 *
 * @param {string} notation
 */
export function boardSquares(notation) {
  return tilesOf(notation).map(({ square }) => square);
}

/**
 * Return the number of tiles drawn so far: those on the board that are no part of a wonder.
 *
 * @param {string} notation
 */
export const drawnTiles = (notation) => tilesOf(notation).filter(({ token }) => !token.includes(WONDER)).length;

/**
 * @param {string} notation
 * @returns {{ square: Square, token: string }[]}
 */
function tilesOf(notation) {
  const [, row = "0", col = "0", rows = ""] = BOARD.exec(notation) ?? [];
  const found = [];
  let [down, right] = [Number(row), Number(col)];
  for (const [, token, count = "", next] of rows.matchAll(SQUARE)) {
    if (token) found.push({ square: [down, right], token });
    if (next) [down, right] = [down + 1, Number(col)];
    else right += token ? 1 : Number(count || 1);
  }
  return found;
}
