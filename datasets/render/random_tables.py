"""Random tables: a board from a pool, drawn with some tile set, laid by hand, lit and viewed from anywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random

import numpy as np

from datasets.art.printed_ground import PrintedGround
from datasets.art.tileset import TileSet
from datasets.render.compositor import build_pyramid
from datasets.render.tabletops import draw_tabletop, sample_fractal
from datasets.scene.camera import Camera
from datasets.scene.clutter import build_rectangle
from datasets.scene.pieces import COLOURS, FURTHER_COLOURS, Finish, Makes, Piece, sample_shade
from datasets.scene.score_boards import (
    LYING_SHARE,
    LaidScoreBoard,
    place_pieces,
    place_score_board,
    place_waiting_pieces,
)
from datasets.scene.sloppy import set_on_print
from datasets.scene.table import LaidMeeple, LaidTile, Table, align_as_one, lay_by_hand
from datasets.scene.tokens import place_remaining_pieces, place_tokens, sample_laps
from scoring.carcassonne.board.board import MEEPLES_A_PLAYER, Board, PlacedMeeple, PlacedWonder
from scoring.carcassonne.deal.boards import sample_foot_points
from scoring.carcassonne.score_board.spaces import FIRST_EDITION, ScoreLayout
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats, Image

Shades = Mapping[str, tuple[int, int, int]]
Pictures = Mapping[str, tuple[tuple[Image, ...], ...]]

MIN_FITTING_SHARE = 0.9
"""Minimum coverage of a board's tiles by an art set, relative to the set's best-covered board, for the set to lay
it."""


@dataclass(frozen=True, slots=True)
class View:
    """Camera settings for a table: `size` (width, height) px; `tile_px` is the range of a tile's size at the aim.

    `whole` fits the whole board into the picture instead, with that range of the picture's share left free around it;
    `roll` is the standard deviation of the camera's roll in degrees.
    """

    size: tuple[int, int]
    tile_px: tuple[float, float] = (20, 90)
    elevation: tuple[float, float] = (35, 90)
    whole: tuple[float, float] | None = None
    roll: float = 5.0


@dataclass(frozen=True, slots=True, eq=False)
class Props:
    """The material of tables, prepared once: art in pyramids, boards, table tops and rooms.

    `others` holds each set's tiles of other boxes by id. For each art set, `wonders` holds its pictures of wonders,
    `fitting` the numbers of the boards whose tiles it shows, and `prints` the traced prints of its pictures, if known:
    pieces are then set on the print by people's habits (`datasets.scene.sloppy`).
    """

    art: tuple[Pictures, ...]
    others: tuple[tuple[tuple[str, tuple[Image, ...]], ...], ...]
    wonders: tuple[Pictures, ...]
    boards: tuple[Board, ...]
    fitting: tuple[tuple[int, ...], ...]
    grounds: tuple[Image, ...]
    rooms: tuple[Image, ...]
    prints: tuple[Mapping[str, tuple[PrintedGround, ...]], ...]

    @classmethod
    def gather(
        cls,
        sets: Sequence[TileSet],
        boards: Sequence[Board],
        kinds: Sequence[str],
        rng: np.random.Generator,
        grounds: int = 60,
        ground_px: int = 512,
    ) -> Props:
        """Build props from tile sets and boards, with `grounds` table tops of the given kinds, `ground_px` wide.

        A set without pictures of the boards' layouts only lends its other tiles.
        """
        others = tuple(tuple((k, build_pyramid(p)) for k, v in s.others.items() for p in v) for s in sets)
        sets = [one for one in sets if one.pictures]
        art = tuple({k: tuple(build_pyramid(p) for p in v) for k, v in s.pictures.items()} for s in sets)
        wonders = tuple({k: tuple(build_pyramid(p) for p in v) for k, v in s.wonders.items()} for s in sets)
        tops = tuple(draw_tabletop(kinds[i % len(kinds)], rng, ground_px) for i in range(grounds))
        fitting = tuple(_fitting_boards(set(pictures), boards) for pictures in art)
        rooms, prints = tuple(_room(rng) for _ in range(8)), tuple(s.grounds for s in sets)
        return cls(art, others, wonders, tuple(boards), fitting, tops, rooms, prints)


def sample_table(
    props: Props,
    view: View,
    rng: np.random.Generator,
    *,
    crowd: float = 0.0,
    others: float = 0.0,
    sloppiness: float = 1.0,
    score_board: Image | None = None,
    score_layout: ScoreLayout = FIRST_EDITION,
    waiting: bool = False,
    tokens: Mapping[int, Image] | None = None,
    makes: Makes | None = None,
) -> Table:
    """Lay a table with a random board of the pool and its meeples.

    `crowd` adds pieces anywhere, on average that many per tile (for training on meeples and occlusion, not for
    scoring). `others` is the share of squares with a tile of another expansion. `score_board` is a sheet to lay beside
    the tiles, with its spaces given by `score_layout`; `waiting` puts two pieces of each player beside that sheet.
    `tokens` maps points to the picture of that side; with tokens, no piece lies down to mark a lap. `makes` replaces
    the makes of the same names in `FURTHER_COLOURS`.
    """
    art_number = int(rng.integers(len(props.art)))
    board = props.boards[props.fitting[art_number][int(rng.integers(len(props.fitting[art_number])))]]
    tiles = _lay(board, props, art_number, rng, others, sloppiness)
    sheet = None if score_board is None else place_score_board(_bounds(tiles), score_board, rng, score_layout)
    if sheet is not None and tokens is not None:
        sheet = _with_tokens(sheet, tiles, board, tokens, rng)
    camera = sample_camera(tiles, view, rng, *(() if sheet is None else sheet.sheets))
    bgr = {colour: sample_shade(paints, rng) for colour, paints in COLOURS.items()}
    for colour in sorted(FURTHER_COLOURS.keys() & set(board.players)):
        bgr[colour] = sample_shade((makes or {}).get(colour, FURTHER_COLOURS[colour]), rng)
    scale = rng.uniform(0.9, 1.15)
    corners = {t.square: t for t in tiles}
    feet = sample_foot_points(board, Random(int(rng.integers(2**62))))
    if any(tile.ground for tile in tiles):
        feet = set_on_print(board, {t.square: t.ground for t in tiles if t.ground}, feet, rng.spawn(1)[0])
    standing = zip(board.meeples, feet, strict=True)
    meeples = [
        place_meeple(
            m, at, corners.get((int(np.floor(at[1])), int(np.floor(at[0]))), corners[m.square]), bgr, scale, rng
        )
        for m, at in standing
        if m.square in corners
    ]
    meeples += [_dropped(t, bgr, scale, rng) for t in tiles for _ in range(rng.poisson(crowd))]
    x0, y0, x1, y1 = (f(t.corners[:, i] @ np.full(4, 0.25) for t in tiles) for f in (min, max) for i in (0, 1))
    lamp = np.array([rng.normal(0, 0.6), rng.normal(0, 0.6), 1.0])
    strays = _strays((x0, y0, x1, y1), bgr, scale, rng)
    if sheet is not None:
        on_track = place_pieces(sheet, board.players, bgr, scale, rng, LYING_SHARE if tokens is None else 0.0)
        sheet = replace(sheet, pieces=on_track)
        strays = [stray for stray in strays if not sheet.holds(stray.at)]
        strays += place_waiting_pieces(sheet, board.players, bgr, scale, rng) if waiting else []
        out = Counter(meeple.colour for meeple in board.meeples)
        hands = {player: MEEPLES_A_PLAYER - out[player] for player in board.players}
        occupied = [sheet.corners, *(tile.corners for tile in tiles)]
        strays += place_remaining_pieces(sheet.tokens, occupied, hands, bgr, scale, rng)
    return Table(
        tiles=tiles,
        meeples=tuple(meeples),
        strays=tuple(strays),
        camera=camera,
        light=lamp / np.linalg.norm(lamp),
        ground=props.grounds[int(rng.integers(len(props.grounds)))],
        ground_tiles=rng.uniform(5, 22),
        room=props.rooms[int(rng.integers(len(props.rooms)))],
        edge=_table_edge((x0, y0, x1, y1), rng) if rng.random() < 0.3 else None,
        cardboard=_cardboard(rng),
        finish=Finish(gloss=rng.uniform(0, 0.6)),
        rim=_rim(rng),
        clutter_seed=int(rng.integers(2**31)) if rng.random() < 0.6 else None,
        score_board=sheet,
    )


def _with_tokens(
    sheet: LaidScoreBoard,
    tiles: Sequence[LaidTile],
    board: Board,
    printed: Mapping[int, Image],
    rng: np.random.Generator,
) -> LaidScoreBoard:
    """Return the score board with tokens for laps in front of the players."""
    occupied = [sheet.corners, *(tile.corners for tile in tiles)]
    return replace(sheet, tokens=place_tokens(_bounds(tiles), occupied, sample_laps(board.players, rng), printed, rng))


def _bounds(tiles: Sequence[LaidTile]) -> tuple[float, float, float, float]:
    corners = np.concatenate([tile.corners for tile in tiles])
    (x0, y0), (x1, y1) = corners.min(0), corners.max(0)
    return float(x0), float(y0), float(x1), float(y1)


def _fitting_boards(layouts: set[str], boards: Sequence[Board]) -> tuple[int, ...]:
    """Return the numbers of the boards that an art covers nearly as well as its best one; wonders always count as
    covered."""
    plain = [[p.tile in layouts for _, p in board.known if p.wonder is None] for board in boards]
    shares = [np.mean(flags or [True]) for flags in plain]
    return tuple(i for i, share in enumerate(shares) if share >= MIN_FITTING_SHARE * max(shares))


def _lay(
    board: Board, props: Props, art_number: int, rng: np.random.Generator, others: float, sloppiness: float
) -> tuple[LaidTile, ...]:
    main, counts = props.art[art_number], np.array([len(several) for several in props.others])
    strange = props.others[int(rng.choice(len(counts), p=counts / counts.sum()))] if counts.any() else ()
    corners = lay_by_hand(sorted(board.tiles), rng, sloppiness)
    placed = [tile for wonder in board.wonders for tile in _lay_wonder(wonder, props, art_number, corners, rng)]
    for square, placement in board.tiles.items():
        if placement is not None and placement.wonder is not None:
            continue
        if strange and rng.random() < others:
            tile, picture = strange[int(rng.integers(len(strange)))]
            placed.append(LaidTile(square, None, int(rng.integers(4)), corners[square], picture, foreign=tile))
        elif placement is not None and placement.tile in main:
            turns = placement.turns
            variant = int(rng.integers(len(main[placement.tile])))
            grounds = props.prints[art_number].get(placement.tile)
            laid = LaidTile(square, placement.tile, turns, corners[square], main[placement.tile][variant])
            placed.append(laid if grounds is None else replace(laid, ground=grounds[variant]))
    return tuple(placed)


def _lay_wonder(
    wonder: PlacedWonder, props: Props, art_number: int, corners: dict[Square, Floats], rng: np.random.Generator
) -> Iterator[LaidTile]:
    """Yield the squares of a wonder in its set's own art, or in any art that shows it."""
    showing = [pictures for pictures in props.wonders if wonder.layout.id in pictures]
    if not showing:
        return
    chosen = props.wonders[art_number] or showing[int(rng.integers(len(showing)))]
    picture = _any(chosen[wonder.layout.id], rng)
    placed = align_as_one(wonder.squares, corners)
    for cell, square in enumerate(wonder.squares):
        yield LaidTile(square, wonder.layout.id, wonder.turns, placed[square], picture, cell=cell, wonder=wonder.layout)


def _any(pictures: Sequence[tuple[Image, ...]], rng: np.random.Generator) -> tuple[Image, ...]:
    return pictures[int(rng.integers(len(pictures)))]


def sample_camera(tiles: Sequence[LaidTile], view: View, rng: np.random.Generator, *beside: Floats) -> Camera:
    """Sample a camera from anywhere around the table, aimed at the tiles according to the view.

    A view of the whole board also includes the (n, 2) corners of each object in `beside`.
    """
    w, h = view.size
    # Higher angles are sampled more often than uniformly, because people photograph a board for scoring from above.
    low, high = view.elevation
    elevation = rng.uniform(low, high) if rng.random() < 0.6 else rng.triangular(low, high, high)
    focal = max(w, h) / (2 * np.tan(np.deg2rad(rng.uniform(36, 72)) / 2))
    azimuth, roll = rng.uniform(0, 360), rng.normal(0, view.roll)
    look = partial(Camera.look_at, elevation=elevation, azimuth=azimuth, roll=roll, focal_px=focal, size=view.size)
    corners = np.concatenate([t.corners for t in tiles])
    if view.whole is None:
        target = tiles[int(rng.integers(len(tiles)))].corners.mean(0)
        tile_px = np.exp(rng.uniform(*np.log(view.tile_px)))
        return look(target, distance=focal / tile_px)
    return fit_camera(np.concatenate([corners, *beside]), 1 - rng.uniform(*view.whole), look)


def fit_camera(corners: Floats, share: float, look: Callable[..., Camera]) -> Camera:
    """Return the camera for which the board's (n, 2) corners just fill `share` of the picture."""
    target, distance = (corners.min(0) + corners.max(0)) / 2, 60.0
    points = np.column_stack([corners, np.zeros(len(corners))])
    for _ in range(6):
        camera = look(target, distance=distance)
        pixels = camera.project(points)
        low, high = pixels.min(0), pixels.max(0)
        inverse = np.linalg.inv(camera.plane())
        aim = inverse @ (*((low + high) / 2), 1.0)
        target = aim[:2] / aim[2]
        distance *= float(max((high - low) / camera.size) / share)
    return look(target, distance=distance)


def place_meeple(
    meeple: PlacedMeeple, at: tuple[float, float], tile: LaidTile, bgr: Shades, scale: float, rng: np.random.Generator
) -> LaidMeeple:
    """Place a meeple of the board with its foot `at` lattice units (col, row)."""
    row, col = tile.square
    foot = tile.at(at[0] - col, at[1] - row)
    piece = Piece(meeple.colour, meeple.kind, meeple.pose, foot, rng.uniform(0, 2 * np.pi), bgr[meeple.colour], scale)
    return LaidMeeple(piece, meeple.square, at, meeple.segment if tile.layout else None)


def _dropped(tile: LaidTile, bgr: Shades, scale: float, rng: np.random.Generator) -> LaidMeeple:
    """Drop a piece anywhere on a tile, often in its middle, the place of monasteries and villages."""
    u, v = rng.uniform(0.03, 0.97, 2) if rng.random() < 0.7 else np.clip(rng.normal(0.5, 0.1, 2), 0.05, 0.95)
    row, col = tile.square
    piece = _piece(tile.at(u, v), bgr, scale, rng)
    return LaidMeeple(piece, tile.square, (col + u, row + v), None)


def _piece(at: tuple[float, float], bgr: Shades, scale: float, rng: np.random.Generator) -> Piece:
    colour = str(rng.choice(list(bgr)))
    pose = str(rng.choice(["standing", "lying", "disc"], p=[0.42, 0.42, 0.16]))
    return Piece(colour, "meeple", pose, at, rng.uniform(0, 2 * np.pi), bgr[colour], scale)


def _strays(
    around: tuple[float, float, float, float], bgr: Shades, scale: float, rng: np.random.Generator
) -> list[Piece]:
    """Sample pieces beside the board, which belong to no feature."""
    x0, y0, x1, y1 = around
    pieces = []
    for _ in range(rng.poisson(1.5)):
        side = rng.choice([-1, 1])
        x = x0 - rng.uniform(1, 3) if side < 0 else x1 + rng.uniform(1, 3)
        at = (x, rng.uniform(y0, y1)) if rng.random() < 0.5 else (rng.uniform(x0, x1), y0 - rng.uniform(1, 3))
        pieces.append(_piece(at, bgr, scale, rng))
    return pieces


def _table_edge(around: tuple[float, float, float, float], rng: np.random.Generator) -> Floats:
    x0, y0, x1, y1 = around
    spare = rng.uniform(1, 5, 4)
    size = (x1 - x0 + spare[0] + spare[2] + 2, y1 - y0 + spare[1] + spare[3] + 2)
    middle = ((x0 + x1 + spare[2] - spare[0]) / 2, (y0 + y1 + spare[3] - spare[1]) / 2)
    return build_rectangle(middle, size, rng.normal(0, 0.08))


def _rim(rng: np.random.Generator) -> tuple[float, float]:
    """Sample a tile's rim: mostly a dark line, occasionally a pale worn one, seldom none."""
    depth = rng.uniform(0.15, 0.85) if rng.random() < 0.8 else rng.choice([0.0, -rng.uniform(0.2, 0.7)])
    return float(depth), float(rng.uniform(0.006, 0.028))


def _cardboard(rng: np.random.Generator) -> tuple[int, int, int]:
    grey = rng.uniform(25, 190)
    b, g, r = (
        np.clip(grey * np.array([rng.uniform(0.7, 1.05), rng.uniform(0.85, 1.05), 1.0]), 0, 255).astype(int).tolist()
    )
    return b, g, r


def _room(rng: np.random.Generator, size: int = 96) -> Image:
    """Draw the surroundings of the table as out-of-focus blobs."""
    layers = np.stack([sample_fractal(rng, size, 3, 3) for _ in range(3)], -1) * rng.uniform(10, 45) + rng.uniform(
        20, 200
    )
    return np.clip(layers, 0, 255).astype(np.uint8)


def find_squares_in_view(table: Table, margin: float = 0.0) -> set[Square]:
    """Find the board's squares whose four corners are all in the picture, `margin` pixels from its border."""
    w, h = table.camera.size
    inside = set()
    for tile in table.tiles:
        p = table.camera.project(np.column_stack([tile.corners, np.zeros(4)]))
        if np.isfinite(p).all() and (p >= margin).all() and (p <= np.array([w, h]) - margin).all():
            inside.add(tile.square)
    return inside
