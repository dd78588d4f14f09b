"""Pieces of every kind on a laid table: other kinds, upside down, leaning, touching each other, and substitutes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from datasets.scene.pieces import COLOURS, FURTHER_COLOURS, SHAPES, Piece, sample_shade
from datasets.scene.table import LaidMeeple, Table

POSES: Mapping[str, Mapping[str, float]] = {
    "meeple": {"upside_down": 1.0},
    "big": {"standing": 0.5, "lying": 0.4, "upside_down": 0.1},
    "builder": {"standing": 0.85, "lying": 0.15},
    "pig": {"standing": 0.65, "lying": 0.35},
    "abbot": {"standing": 0.8, "lying": 0.2},
}
"""Probability of each pose by the kind a piece is turned into: standing, lying (a pig on its side) or on its head. A
meeple appears here only upside down."""
CUBE_SHARE = 0.3
"""Share of discs that are cubes."""
LEANING_SHARE, ASKEW_SHARE = 0.12, 0.4
"""Share of pieces that lean, and the share of those that may lean far."""
TOUCHING_SHARE = 0.15
"""Share of pieces on no feature that another piece touches or leans over."""
NEAR_EDGE_SHARE = 0.4
"""Share of strays that lie close beside the board."""
SAME_COLOUR_SHARE = 0.5
MATCHED_PX = 12
"""Width of the patch of a tile's picture whose colour a player's pieces take."""
TRIED_SHADES = 6
"""Number of shades sampled from each colour's makes and compared with that patch."""
CLEAR, CLEAR_GLOSS = (0.15, 0.55), (0.6, 1.2)
"""Ranges of the share of light that passes through clear plastic pieces, and of their gloss."""
SIZE_SPREAD_DIVISOR = 3
"""Divisor of the spread of sizes: a big meeple is only a sixth larger than a normal one."""


@dataclass(frozen=True, slots=True)
class _Box:
    """The properties that a table's pieces share: the make of each kind and the shade of each colour."""

    makes: Mapping[str, int]
    shades: Mapping[str, tuple[int, int, int]]


def vary_pieces(table: Table, share: float, rng: np.random.Generator) -> Table:
    """Turn `share` of a table's strays and of its pieces on no feature into pieces of other kinds.

    Pieces on a feature keep their kind but may lean.
    """
    makes = {kind: int(rng.integers(len(shapes))) for kind, shapes in SHAPES.items()}
    pieces = [*(meeple.piece for meeple in table.meeples), *table.strays]
    box = _Box(makes, {piece.colour: piece.bgr for piece in pieces})
    meeples = []
    for meeple in table.meeples:
        loose = meeple.segment is None
        meeples.append(replace(meeple, piece=_made(meeple.piece, share if loose else 0.0, box, rng)))
        if loose and rng.random() < TOUCHING_SHARE:
            meeples.append(_touching(meeple, share, box, rng))
    strays = [_made(_nearer(piece, table, rng), share, box, rng) for piece in table.strays]
    return replace(table, meeples=tuple(meeples), strays=tuple(strays))


def _made(piece: Piece, share: float, box: _Box, rng: np.random.Generator) -> Piece:
    """Return the piece in the table's make, with probability `share` as another kind."""
    kind, pose = piece.kind, piece.pose
    if rng.random() < share:
        kind = str(rng.choice(list(POSES)))
        pose = str(rng.choice(list(POSES[kind]), p=list(POSES[kind].values())))
    make = int(rng.random() < CUBE_SHARE) if pose == "disc" else box.makes[kind]
    size, tilt = 1 + (piece.size - 1) / SIZE_SPREAD_DIVISOR, _tilt(pose, rng)
    return replace(piece, kind=kind, pose=pose, make=make, size=size, tilt=tilt)


def _nearer(stray: Piece, table: Table, rng: np.random.Generator) -> Piece:
    """Return the stray, possibly moved close beside a tile at the board's edge."""
    tile = table.tiles[int(rng.integers(len(table.tiles)))]
    side, along, beyond = int(rng.integers(4)), rng.uniform(0.1, 0.9), rng.uniform(0.25, 0.6)
    (row, col), (down, right) = tile.square, ((-1, 0), (0, 1), (1, 0), (0, -1))[side]
    if rng.random() >= NEAR_EDGE_SHARE or any(other.square == (row + down, col + right) for other in table.tiles):
        return stray
    across = 1 + beyond if down + right > 0 else -beyond
    return replace(stray, at=tile.at(along, across) if down else tile.at(across, along))


def _tilt(pose: str, rng: np.random.Generator) -> tuple[float, float]:
    if rng.random() >= LEANING_SHARE:
        return 0.0, 0.0
    # A lying piece leans if it lies half on a tile and half beside it; only a standing one can lean far.
    most = 0.6 if pose != "lying" and rng.random() < ASKEW_SHARE else 0.2
    forward, aside = rng.uniform(-most, most), rng.uniform(-0.15, 0.15)
    return float(forward), float(aside)


def _touching(meeple: LaidMeeple, share: float, box: _Box, rng: np.random.Generator) -> LaidMeeple:
    """Return another piece close by, which may lean against the first or over it."""
    angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 0.38)
    step = away * np.array([np.cos(angle), np.sin(angle)])
    colour = meeple.piece.colour if rng.random() < SAME_COLOUR_SHARE else str(rng.choice(list(box.shades)))
    pose, yaw = str(rng.choice(["standing", "lying"])), float(rng.uniform(0, 2 * np.pi))
    x, y = (np.array(meeple.piece.at) + step).tolist()
    like = Piece(colour, "meeple", pose, (x, y), yaw, box.shades[colour], meeple.piece.size)
    piece = _made(like, share, box, rng)
    if piece.pose == "standing" and rng.random() < 0.4:
        piece = replace(piece, yaw=angle + 1.5 * np.pi, tilt=(float(rng.uniform(0.15, 0.6)), 0.0))
    col, row = (np.array(meeple.at) + step).tolist()
    return LaidMeeple(piece, (int(np.floor(row)), int(np.floor(col))), (col, row), None)


def rename_players(table: Table, rng: np.random.Generator) -> Table:
    """Give each colour on a table another one from all that players may have, each used at most once."""
    pieces = [*(meeple.piece for meeple in table.meeples), *table.strays]
    before, makes = sorted({piece.colour for piece in pieces}), {**COLOURS, **FURTHER_COLOURS}
    after = [str(name) for name in rng.permutation(list(makes))[: len(before)]]
    shades = {old: (new, sample_shade(makes[new], rng)) for old, new in zip(before, after, strict=True)}
    return _repaint(table, shades)


def _repaint(table: Table, paints: Mapping[str, tuple[str, tuple[int, int, int]]]) -> Table:
    """Return the table with pieces repainted: `paints` maps an old colour to its new name and BGR."""

    def rename(piece: Piece) -> Piece:
        colour, bgr = paints.get(piece.colour, (piece.colour, piece.bgr))
        return replace(piece, colour=colour, bgr=bgr)

    meeples = tuple(replace(meeple, piece=rename(meeple.piece)) for meeple in table.meeples)
    return replace(table, meeples=meeples, strays=tuple(rename(piece) for piece in table.strays))


def make_clear(table: Table, rng: np.random.Generator) -> Table:
    """Make all pieces of a table from clear plastic."""
    finish = replace(table.finish, clear=rng.uniform(*CLEAR), gloss=rng.uniform(*CLEAR_GLOSS))
    return replace(table, finish=finish)


def match_art(table: Table, rng: np.random.Generator, renamed: bool = True) -> Table:
    """Repaint one player's pieces in the available paint nearest to a colour that some tile shows.

    This puts yellow pieces on yellow land, green ones on green, and wood on pale roofs. Unless players may be
    `renamed`, only paints of the colours on the table are tried, and every player keeps their colour.
    """
    picture = table.tiles[int(rng.integers(len(table.tiles)))].picture[0]
    y, x = (int(rng.integers(side - MATCHED_PX)) for side in picture.shape[:2])
    patch = np.median(picture[y : y + MATCHED_PX, x : x + MATCHED_PX].reshape(-1, 3), axis=0)
    makes = {**COLOURS, **FURTHER_COLOURS}
    pieces = [*(meeple.piece for meeple in table.meeples), *table.strays]
    players = sorted({piece.colour for piece in pieces})
    if not players:
        return table
    names = makes if renamed else players
    paints = [(name, sample_shade(makes[name], rng)) for name in names for _ in range(TRIED_SHADES)]
    name, bgr = min(paints, key=lambda paint: float(np.linalg.norm(np.array(paint[1]) - patch)))
    before = name if name in players else players[int(rng.integers(len(players)))]
    return _repaint(table, {before: (name, bgr)})
