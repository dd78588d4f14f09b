"""Endless streams of training samples for the three nets, from composed tables and labelled real photos."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.render.compositor import compose, project_top_corners
from datasets.render.photometric import photograph
from datasets.render.random_tables import Props, View, sample_table
from datasets.scene.pieces import COLOURS, FURTHER_COLOURS, SHAPES
from datasets.scene.table import LaidTile
from models.samples.art_augmentation import paint_coats, recolour_table, strip_coats
from models.samples.dense_targets import build_localiser_target
from models.samples.real_photos import RealTable
from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.tiles.catalogue import list_layout_turns, load_base_catalogue
from scoring.carcassonne.tiles.geometry import SIDES, STEPS, Square
from scoring.carcassonne.tiles.layout import TileLayout
from vision.arrays import Floats, Image
from vision.photo.crops import compute_tile_px, crop_squares, shrink_image
from vision.squares.catalogue import build_reading_catalogue, find_read_name

Sample = tuple[NDArray[np.generic], ...]

CATALOGUE = build_reading_catalogue()
CLASSES = list_layout_turns(CATALOGUE)
CLASS_OF = {c: i for i, c in enumerate(CLASSES)}
OTHER, NONE = len(CLASSES), len(CLASSES) + 1
EDGE_KINDS = ("field", "road", "city", "river")
COLOUR_NAMES = (*COLOURS, *FURTHER_COLOURS)
POSE_NAMES = ("standing", "lying", "disc", "upside_down")
KIND_NAMES = tuple(SHAPES)

LOCALISER_PX = 256
"""Size of a sample for the localiser. A guess."""
LOCALISER_ELEVATION = (25.0, 90.0)
"""Range of the camera's elevation in degrees. It goes below the range promised for readings, since the first pass over
a photo must find the table's orientation. A guess."""
REAL_TILE_PX = (24, 95)
"""Range of the tile size in the localiser's views of real photos. A guess."""
COLLAGE = "collage/"
"""Prefix of a tile of no known layout; its edges N, E, S, W as drawn follow."""
OTHERS_SHARES = (0.08, 0.6, 0.6)
"""Possible shares of a table's squares with a tile of another box, all equally likely. A guess."""
BASE_SHARE = 0.25
"""Share of base tiles used on a table with expansions: their crops are many anyway, those of the others few. A
guess."""
RECOLOURED_SHARE = 1 / 3
"""Share of the drawn tables for tiles in made-up colours. A guess."""
BLAZONED_SHARE = 0.4
"""Share of the drawn tables for tiles with made-up coats of arms. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """The material of samples; `real_share` is the share of samples from real photos."""

    props: Props
    real: tuple[RealTable, ...]
    real_share: float = 0.15


def repeat_samples(
    samples: Iterator[Sample], stock_samples: int, repeats: int, rng: np.random.Generator
) -> Iterator[Sample]:
    """Yield samples, each followed by some from a stock of earlier ones, half of these with a mirrored picture."""
    stock: list[Sample] = []
    for sample in samples:
        yield sample
        stock.append(sample)
        if len(stock) > stock_samples:
            stock[int(rng.integers(stock_samples))] = stock.pop()
        for _ in range(repeats):
            picture, *truth = stock[int(rng.integers(len(stock)))]
            yield np.ascontiguousarray(picture[:, ::-1]) if rng.random() < 0.5 else picture, *truth


def make_collage(tiles: Sequence[tuple[TileLayout, Image]], rng: np.random.Generator) -> tuple[str, Image]:
    """Make a tile of no known layout from a triangle of each of four tiles (s, s, 3), and name it by its edges."""
    size = tiles[0][1].shape[0]
    y, x = np.mgrid[:size, :size]
    below, right = y > x, y > size - 1 - x
    sides = np.choose(2 * below + right, (0, 1, 3, 2))
    turns = rng.integers(4, size=4)
    picture = np.zeros_like(tiles[0][1])
    for side, ((_, one), turn) in enumerate(zip(tiles, turns, strict=True)):
        picture[sides == side] = np.rot90(one, -int(turn))[sides == side]
    kinds = [layout.edge(side, int(turn)) for side, (layout, _), turn in zip(SIDES, tiles, turns, strict=True)]
    return COLLAGE + "-".join(kinds), picture


def find_class(layout: str | None, turns: int) -> int:
    """Return the class of a turned layout, `OTHER` for a tile that is not in the catalogue."""
    if layout is None:
        return OTHER
    turned_layout = CATALOGUE[layout]
    return CLASS_OF[turned_layout.id, turns % turned_layout.symmetry]


def find_edge_classes(layout: str | None, turns: int) -> list[int]:
    """Return the kinds of the edges N, E, S, W as placed, as indices into EDGE_KINDS; -1 if unknown, or of an abbey."""
    return _edges([CATALOGUE[layout].edge(side, turns) if layout else "" for side in SIDES])


def find_tile_classes(tile: LaidTile) -> tuple[int, list[int]]:
    """Return the class of a tile on a table and those of its edges, also for a tile in no catalogue.

    Boundaries between the squares of a wonder tile are no edges: -1.
    """
    if tile.wonder is not None:
        placement = Placement(tile.wonder.id, tile.turns, cell=tile.cell, wonder=tile.wonder)
        return OTHER, _edges([placement.edge(side) for side in SIDES])
    if tile.foreign and tile.foreign.startswith(COLLAGE):
        kinds = tile.foreign.removeprefix(COLLAGE).split("-")
        return OTHER, _edges([kinds[(side - tile.turns) % 4] for side in range(4)])
    name, turns = find_read_name(tile.foreign, tile.turns) or (None, 0) if tile.foreign else (tile.layout, tile.turns)
    return find_class(name, turns), find_edge_classes(name, turns)


def _edges(named: Sequence[str]) -> list[int]:
    return [EDGE_KINDS.index(kind) if kind in EDGE_KINDS else -1 for kind in named]


def stream_localiser_samples(sources: Sources, rng: np.random.Generator) -> Iterator[Sample]:
    """Yield (256, 256, 3) uint8 pictures with (11, 64, 64) float16 targets, each cut also turned and mirrored once."""
    whole = [table for table in sources.real if table.whole]
    while True:
        if whole and rng.random() < 2 * sources.real_share:
            image, quads = _real_view(_one(whole, rng), rng)
            image = photograph(image, rng, 0.5)
            cuts = 1
        else:
            size = (640, 640)
            fit = (0.0, 0.5) if rng.random() < 0.3 else None
            view = View(size, tile_px=(22, 100), elevation=LOCALISER_ELEVATION, whole=fit)
            table = sample_table(sources.props, view, rng, crowd=rng.choice([0, 0.1, 0.3]), others=rng.choice([0, 0.1]))
            image = photograph(compose(table), rng)
            quads = np.array([q for t in table.tiles if np.isfinite(q := project_top_corners(table, t)).all()])
            cuts = 5
        for _ in range(cuts):
            x, y = _cut(image, quads, rng)
            piece = image[y : y + LOCALISER_PX, x : x + LOCALISER_PX]
            for turned, corners in ((piece, quads - (x, y)), _turned(piece, quads - (x, y), rng)):
                target = build_localiser_target(corners, (LOCALISER_PX, LOCALISER_PX))
                yield np.ascontiguousarray(turned), target.astype(np.float16)


def _turned(piece: Image, quads: Floats, rng: np.random.Generator) -> tuple[Image, Floats]:
    """Turn a square picture by quarter turns and optionally mirror it, which yields another sample at no cost."""
    last = piece.shape[0] - 1
    for _ in range(int(rng.integers(1, 4))):
        piece = np.rot90(piece, -1)
        quads = np.stack([last - quads[..., 1], quads[..., 0]], axis=-1)
    if rng.random() < 0.5:
        piece = piece[:, ::-1]
        quads = np.stack([last - quads[..., 0], quads[..., 1]], axis=-1)[:, [1, 0, 3, 2]]
    return piece, quads


def _one(items: Sequence[RealTable], rng: np.random.Generator) -> RealTable:
    return items[int(rng.integers(len(items)))]


def _cut(image: Image, quads: Floats, rng: np.random.Generator) -> tuple[int, int]:
    """Draw the corner of a random cut of a picture, mostly one with tiles in it."""
    room = np.array(image.shape[1::-1]) - LOCALISER_PX
    if len(quads) and rng.random() < 0.9:
        aim = quads[int(rng.integers(len(quads)))].mean(0) + rng.normal(0, 60, 2) - LOCALISER_PX / 2
    else:
        aim = rng.uniform(0, 1, 2) * room
    x, y = np.clip(aim, 0, room).astype(int)
    return int(x), int(y)


def _real_view(table: RealTable, rng: np.random.Generator) -> tuple[Image, Floats]:
    """Return a view of a real photo, turned, scaled and slightly tilted, and the tiles' corners in it."""
    squares = list(table.quads)
    focus = table.quads[squares[int(rng.integers(len(squares)))]]
    scale = np.exp(rng.uniform(*np.log(REAL_TILE_PX))) / float(compute_tile_px(focus[None])[0])
    image, used = shrink_image(table.image, scale * 1.3)
    m = _tilted(focus.mean(0) * used, scale / used, rng)
    fill = [int(v) for v in rng.integers(0, 256, 3)]
    size = (LOCALISER_PX, LOCALISER_PX)
    view = cv2.warpPerspective(image, m, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=fill)
    quads = np.array(list(table.quads.values())) * used
    return np.asarray(view, dtype=np.uint8), _mapped(quads.reshape(-1, 2), m).reshape(-1, 4, 2)


def _mapped(points: Floats, m: Floats) -> Floats:
    """Map (n, 2) points through the homography `m`."""
    if not len(points):
        return np.zeros((0, 2))
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), m).reshape(-1, 2), dtype=np.float64)


def _tilted(focus: Floats, scale: float, rng: np.random.Generator) -> Floats:
    """Return a homography that brings `focus` near the middle at `scale`, turned, seen as from lower down."""
    height = np.sin(np.deg2rad(rng.uniform(*LOCALISER_ELEVATION) if rng.random() < 0.6 else 90))
    lean = rng.uniform(0, 2 * np.pi)
    turn, aside = _turn(rng.uniform(0, 2 * np.pi)), _turn(lean)
    squeeze = np.exp(rng.normal(0, 0.04)) * aside @ np.diag([np.sqrt(height), 1 / np.sqrt(height)]) @ aside.T
    shift, linear, perspective, back = np.eye(3), np.eye(3), np.eye(3), np.eye(3)
    shift[:2, 2] = -focus
    linear[:2, :2] = scale * squeeze @ turn
    # Points along the squeezed axis are nearer or farther: by up to a half across the view.
    perspective[2, :2] = aside[:, 0] * np.sqrt(1 - height**2) * rng.uniform(0, 0.5) / LOCALISER_PX
    perspective[2, :2] += rng.normal(0, 1e-4, 2)
    back[:2, 2] = LOCALISER_PX / 2 + rng.normal(0, 70, 2)
    return np.asarray(back @ perspective @ linear @ shift)


def _turn(angle: float) -> Floats:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def stream_tile_samples(sources: Sources, rng: np.random.Generator) -> Iterator[Sample]:
    """Yield (64, 64, 3) uint8 crops, their class, and (4,) classes of their edges."""
    named = [table for table in sources.real if table.tiles]
    bare = strip_coats(sources.props)
    while True:
        if named and rng.random() < sources.real_share:
            yield from _real_crops(_one(named, rng), rng)
        else:
            yield from _composed_crops(sources.props, bare, rng)


def _composed_crops(props: Props, bare: Props, rng: np.random.Generator) -> Iterator[Sample]:
    """Yield crops of a composed table; `bare` are the props without coats of arms, for painted ones."""
    crowd = float(rng.choice([0, 0.25, 0.6]))
    view = View((480, 480), tile_px=(26, 110))
    paints = bool(rng.random() < BLAZONED_SHARE)
    chosen = bare if paints else props
    table = sample_table(
        chosen, view, rng, crowd=crowd, others=rng.choice(OTHERS_SHARES), sloppiness=rng.uniform(0.3, 1.5)
    )
    if paints:
        table = paint_coats(table, rng)
    if rng.random() < RECOLOURED_SHARE:
        table = recolour_table(table, rng)
    image = photograph(compose(table), rng)
    mixed = any(t.layout in CATALOGUE and t.layout not in load_base_catalogue() for t in table.tiles if t.layout)
    chosen_tiles = [
        t for t in table.tiles if not mixed or t.layout not in load_base_catalogue() or rng.random() < BASE_SHARE
    ]
    quads = {t.square: project_top_corners(table, t) for t in chosen_tiles}
    truth = {t.square: find_tile_classes(t) for t in chosen_tiles}
    yield from stream_square_samples(image, quads, truth, {t.square for t in table.tiles}, rng)


def _real_crops(table: RealTable, rng: np.random.Generator) -> Iterator[Sample]:
    squares = [s for s in table.quads if s in table.tiles]
    chosen = [squares[i] for i in rng.permutation(len(squares))[:12]]
    mean_px = float(np.median(compute_tile_px(np.array(list(table.quads.values())))))
    image, used = shrink_image(table.image, rng.uniform(30, 90) / mean_px)
    quads = {s: q * used for s, q in table.quads.items() if s in chosen}
    truth = {s: (find_class(*table.tiles[s]), find_edge_classes(*table.tiles[s])) for s in chosen}
    yield from stream_square_samples(image, quads, truth, set(table.quads), rng, real=True)


def stream_square_samples(
    image: Image,
    quads: dict[Square, Floats],
    truth: dict[Square, tuple[int, list[int]]],
    board: set[Square],
    rng: np.random.Generator,
    real: bool = False,
) -> Iterator[Sample]:
    """Yield crops of the squares `quads` and of gaps; `board` are all squares, `real` ones are photographed."""
    h, w = image.shape[:2]
    cut_quads, labels = [], []
    for square, quad in quads.items():
        if not np.isfinite(quad).all():
            continue
        share = ((quad >= -2) & (quad <= np.array([w, h]) + 2)).all(1).mean()
        if share == 1 or (share >= 0.75 and rng.random() < 0.3):
            cut_quads.append(jitter_corners(quad, rng))
            labels.append(truth[square])
        for side in SIDES:
            gap = (square[0] + STEPS[side][0], square[1] + STEPS[side][1])
            if gap not in board and rng.random() < 0.12:
                cut_quads.append(jitter_corners(_beside(quad, side), rng))
                labels.append((NONE, [-1] * 4))
    if not cut_quads:
        return
    corners = np.array(cut_quads)
    # In a board's own frame, a layout that is symmetric under the rules by half a turn (an inn on a straight road, say)
    # always has the same orientation; a lattice that is read may have any side up.
    turns = rng.integers(4, size=len(corners))
    crops = crop_squares(image, corners)
    for crop, (label, edges), turn in zip(crops, labels, turns, strict=True):
        crop = np.ascontiguousarray(np.rot90(crop, -turn))
        if real:
            crop = photograph(crop, rng, 0.4)
        yield crop, np.array(turn_class(label, int(turn)), np.int64), np.roll(edges, turn).astype(np.int64)


def turn_class(label: int, turns: int) -> int:
    """Return the class of a square after `turns` further clockwise quarter turns."""
    if label >= OTHER:
        return label
    layout, before = CLASSES[label]
    return find_class(layout, before + turns)


def jitter_corners(quad: Floats, rng: np.random.Generator) -> Floats:
    """Shift corners slightly, as those of a fitted lattice are."""
    size = float(compute_tile_px(quad[None])[0])
    return quad + rng.normal(0, 0.04 * size, 2) + rng.normal(0, 0.02 * size, (4, 2))


def _beside(quad: Floats, side: str) -> Floats:
    nw, ne, _, sw = quad
    step = {"N": nw - sw, "S": sw - nw, "E": ne - nw, "W": nw - ne}[side]
    return np.asarray(quad + step)
