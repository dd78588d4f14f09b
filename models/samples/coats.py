"""Samples for the net that recognises coats of arms: squares beside copies of the same tile on one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from datasets.render.compositor import compose, project_top_corners
from datasets.render.photometric import photograph
from datasets.render.random_tables import Props, View, sample_table
from models.samples.art_augmentation import paint_coats, recolour_table, strip_coats
from models.samples.real_photos import RealTable
from models.samples.tiles import CATALOGUE, Sample, Sources, find_class, jitter_corners, repeat_samples, turn_class
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats, Image, Ints
from vision.photo.crops import compute_tile_px, crop_squares, shrink_image
from vision.runtime.onnx import MODELS, Net
from vision.squares.classifier import compute_tile_logits
from vision.squares.coat_classifier import build_coat_views
from vision.squares.coat_posterior import find_coat_twins

VIEW = View((760, 760), elevation=(35, 90), whole=(0.0, 0.2))
"""The view of a whole table, since copies of a tile lie anywhere on it. A guess."""
CROWDS = (0.1, 0.35, 0.7)
"""Densities of pieces, in pieces per tile. A guess."""
BLAZONED_SHARE, RECOLOURED_SHARE = 0.5, 1 / 3
"""Share of tables with made-up coats of arms, and share of those in made-up colours. A guess."""
REAL_SHARE = 0.12
"""Share of real tables. A guess."""
NEAR_TILES = 0.9
"""Distance from a square's middle, in tiles, within which a piece's foot may hide part of it. A guess."""
BARE_SHARE = 0.35
"""Share of the squares without a piece nearby that are used: most are plain. A guess."""
LONE_SHARE = 0.15
"""Share of copies left out: many photos have no sure copy. A guess."""
STOCK_SAMPLES, REPEATS = 12000, 4
"""Number of views kept, and number of these repeated after each new one: drawing costs more than learning. Bounds
memory and time."""


@dataclass(frozen=True, slots=True, eq=False)
class _Shown:
    """A picture of a table: the corners and class of each square, and the squares with pieces nearby."""

    image: Image
    quads: Mapping[Square, Floats]
    classes: Mapping[Square, int]
    crowded: frozenset[Square]


def stream_coat_samples(sources: Sources, rng: np.random.Generator) -> Iterator[Sample]:
    """Yield the samples of `stream_new_coat_samples`, most of them repeated: a coat of arms stays one in the mirror."""
    return repeat_samples(stream_new_coat_samples(sources, rng), STOCK_SAMPLES, REPEATS, rng)


def stream_new_coat_samples(sources: Sources, rng: np.random.Generator) -> Iterator[Sample]:
    """Yield (64, 64, 9) uint8 pictures of `vision.squares.coat_classifier`, and 1 for a coat of arms, else 0."""
    net, bare = Net(MODELS / "classifier.onnx", threads=1), strip_coats(sources.props)
    named = [table for table in sources.real if table.tiles]
    while True:
        if named and rng.random() < REAL_SHARE:
            picture = _photographed(named[int(rng.integers(len(named)))], rng)
        else:
            picture = _composed(sources.props, bare, rng)
        yield from _samples(net, picture, rng)


def _composed(props: Props, bare: Props, rng: np.random.Generator) -> _Shown:
    paints = bool(rng.random() < BLAZONED_SHARE)
    table = sample_table(bare if paints else props, VIEW, rng, crowd=float(rng.choice(CROWDS)))
    if paints:
        table = paint_coats(table, rng)
    if rng.random() < RECOLOURED_SHARE:
        table = recolour_table(table, rng)
    feet = np.array([meeple.at for meeple in table.meeples]).reshape(-1, 2)
    crowded = [t.square for t in table.tiles if _near(feet, t.square)]
    quads = {t.square: project_top_corners(table, t) for t in table.tiles}
    classes = {t.square: find_class(t.layout, t.turns) for t in table.tiles}
    return _Shown(photograph(compose(table), rng), quads, classes, frozenset(crowded))


def _near(feet: Floats, square: Square) -> bool:
    """Return whether a piece's foot, of (p, 2) in lattice units, lies near a square's middle."""
    return bool((np.linalg.norm(feet - (square[1] + 0.5, square[0] + 0.5), axis=1) < NEAR_TILES).any())


def _photographed(table: RealTable, rng: np.random.Generator) -> _Shown:
    usual = float(np.median(compute_tile_px(np.array(list(table.quads.values())))))
    image, used = shrink_image(table.image, rng.uniform(35, 90) / usual)
    quads = {square: quad * used for square, quad in table.quads.items() if square in table.tiles}
    classes = {square: find_class(*table.tiles[square]) for square in quads}
    return _Shown(photograph(image, rng, 0.4), quads, classes, frozenset(quads))


def _samples(net: Net, picture_of_table: _Shown, rng: np.random.Generator) -> Iterator[Sample]:
    height, width = picture_of_table.image.shape[:2]
    squares = [
        square
        for square, quad in picture_of_table.quads.items()
        if picture_of_table.classes[square] in _with_twins() and np.isfinite(quad).all()
        if ((quad >= -2) & (quad <= np.array([width, height]) + 2)).all()
    ]
    if not squares:
        return
    quads = np.array([jitter_corners(picture_of_table.quads[square], rng) for square in squares])
    turns = rng.integers(4, size=len(squares)).tolist()
    cut = crop_squares(picture_of_table.image, quads)
    crops = np.stack([np.rot90(crop, -turn) for crop, turn in zip(cut, turns, strict=True)])
    truth = [turn_class(picture_of_table.classes[square], turn) for square, turn in zip(squares, turns, strict=True)]
    twins = _twins()
    views = build_coat_views(crops, compute_tile_logits(net, crops)[0], twins, net.metadata["classes"])
    for i, pair, picture in zip(views.squares.tolist(), views.pairs.tolist(), views.pictures, strict=True):
        if truth[i] not in twins[pair] or (squares[i] not in picture_of_table.crowded and rng.random() > BARE_SHARE):
            continue
        for channel in (3, 6):
            if rng.random() < LONE_SHARE:
                picture[..., channel : channel + 3] = 0
        yield picture, np.array(truth[i] == twins[pair, 1], np.float32)


@cache
def _twins() -> Ints:
    return find_coat_twins(CATALOGUE)


@cache
def _with_twins() -> frozenset[int]:
    return frozenset(_twins().ravel().tolist())
