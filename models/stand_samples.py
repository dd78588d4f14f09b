"""Samples for the piece classifier: places on the table where a piece stands, and places where none does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.compositor import compose, top_corners
from datasets.photometric import photograph
from datasets.scenes import Props, View, random_table
from models.real import RealTable
from models.samples import COLOUR_NAMES, POSE_NAMES, Sample, Sources
from scoring.carcassonne.geometry import Square
from vision.crops import crop_squares, shrink_to, tile_px
from vision.stands import HALF, STAND_PX, stand_squares

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

NEAR = 0.25
"""Of a tile: a foot so near to the picture's middle is what the picture is about."""
APART = 0.36
"""Of a tile: no foot is so near to a place where no piece stands."""
UNCLEAR = 0.7
"""Of a tile: nothing is said about places so near to something unsure."""
NOWHERE: Floats = np.zeros((0, 2))


REAL_SHARE = 0.4
"""Of the pictures: drawn pieces are poor ones, and what is mistaken for a piece is hardly drawn at all."""
EXACT_SHARE = 0.5
"""Of the real ones: tables whose feet are known exactly, which are few."""
EMPTY = 1.2
"""So many places without a piece are shown for each with one; the nets that find feet are wrong about that often."""


def stand_samples(sources: Sources, rng: np.random.Generator) -> Iterator[Sample]:
    """(96, 96, 3) uint8 pictures; 1 where a piece stands else 0; colour and pose or -1; (2,) its foot's offset.

    The offset is from the picture's middle, in tiles, NaN where it is not known; the picture's margin is that of
    `crop_squares`.
    """
    counted = [table for table in sources.real if table.counted]
    exact = [table for table in counted if table.exact]
    while True:
        if counted and rng.random() < REAL_SHARE:
            tables = exact if exact and rng.random() < EXACT_SHARE else counted
            yield from _real(tables[int(rng.integers(len(tables)))], rng)
        else:
            yield from _composed(sources.props, rng)


def _composed(props: Props, rng: np.random.Generator) -> Iterator[Sample]:
    view = View((560, 560), tile_px=(45, 120))
    table = random_table(props, view, rng, crowd=0.2, others=0.06)
    image = photograph(compose(table), rng, 0.6)
    pieces = [m.piece for m in table.meeples] + list(table.strays)
    feet = table.camera.project(np.array([(*p.at, 0.0) for p in pieces]).reshape(-1, 3))
    quads = {t.square: top_corners(table, t) for t in table.tiles}
    names = [p.colour for p in pieces], [p.pose for p in pieces]
    yield from _about(image, quads, feet, names, rng)


def _real(table: RealTable, rng: np.random.Generator) -> Iterator[Sample]:
    mean_px = float(np.median(tile_px(np.array(list(table.quads.values())))))
    image, used = shrink_to(table.image, rng.uniform(45, 120) / mean_px)
    quads = {square: quad * used for square, quad in table.quads.items()}
    names = table.colours, table.poses
    unsure, mistaken = table.unsure * used, table.mistaken * used
    for sample in _about(image, quads, table.feet * used, names, rng, unsure, mistaken):
        crop = np.asarray(sample[0], dtype=np.uint8)
        offset = sample[4] if table.exact or not sample[1] else np.full(2, np.nan, np.float32)
        yield (photograph(crop, rng, 0.5) if rng.random() < 0.6 else crop), *sample[1:4], offset


def _about(
    image: Image,
    quads: dict[Square, Floats],
    feet: Floats,
    names: tuple[Sequence[str], Sequence[str | None]],
    rng: np.random.Generator,
    unsure: Floats = NOWHERE,
    mistaken: Floats = NOWHERE,
) -> Iterator[Sample]:
    """Samples about every foot on a tile in view, and about as many places without one."""
    h, w = image.shape[:2]
    standing: list[Sample] = []
    empty: list[Sample] = []
    for quad in quads.values():
        if not np.isfinite(quad).all() or (quad < 0).any() or (quad > (w, h)).any():
            continue
        unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
        to_px = np.asarray(cv2.getPerspectiveTransform(unit, quad.astype(np.float32)), dtype=np.float64)
        to_unit = np.asarray(np.linalg.inv(to_px))
        here, unclear, mimics = (_through(to_unit, points) for points in (feet, unsure, mistaken))
        mine = [i for i in range(len(feet)) if np.isfinite(here[i]).all() and (np.abs(here[i] - 0.5) < 0.55).all()]
        for i in mine:
            middle = here[i] + (rng.normal(0, 0.05, 2) if rng.random() < 0.5 else _within(NEAR, rng))
            standing.append(_sample(image, to_px, here[i], middle, (names[0][i], names[1][i]), rng))
        near = mimics[(np.abs(mimics - 0.5) < 0.65).all(1)]
        for place in _empty_places(here, mine, near, rng):
            if not len(unclear) or np.linalg.norm(unclear - place, axis=1).min() > UNCLEAR:
                empty.append(_sample(image, to_px, place, place, None, rng))
    yield from standing
    shown = rng.permutation(len(empty))[: 5 + int(EMPTY * len(standing))]
    yield from (empty[i] for i in shown)


def _through(homography: Floats, points: Floats) -> Floats:
    """(n, 2) points through a (3, 3) homography; none stay none."""
    if not len(points):
        return points.reshape(0, 2)
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), homography)[:, 0], dtype=np.float64)


def _empty_places(feet: Floats, mine: Sequence[int], mimics: Floats, rng: np.random.Generator) -> Iterator[Floats]:
    """Places on the art (monasteries and villages stand in the middle) and about it, beside each piece, and mimics."""
    wanted = [mimic + rng.normal(0, 0.05, 2) for mimic in mimics for _ in range(4)]
    if rng.random() < 0.3:
        wanted.append(rng.uniform(-0.4, 1.4, 2) if rng.random() < 0.6 else rng.normal(0.5, 0.13, 2))
    for i in mine:
        angle = rng.uniform(0, 2 * np.pi)
        wanted.append(feet[i] + rng.uniform(APART, 0.6) * np.array([np.cos(angle), np.sin(angle)]))
    for place in wanted:
        if not len(feet) or np.nanmin(np.linalg.norm(feet - place, axis=1)) > APART:
            yield place


def _within(radius: float, rng: np.random.Generator) -> Floats:
    """(2,) a point of the disc of that radius."""
    angle, away = rng.uniform(0, 2 * np.pi), radius * np.sqrt(rng.random())
    return np.array([away * np.cos(angle), away * np.sin(angle)])


def _sample(
    image: Image,
    to_px: Floats,
    foot: Floats,
    middle: Floats,
    names: tuple[str, str | None] | None,
    rng: np.random.Generator,
) -> Sample:
    turn = int(rng.integers(4))
    lattice = np.roll(stand_squares(middle[None])[0], turn, axis=0)
    corners = _through(to_px, lattice)
    size = float(tile_px(corners[None])[0])
    crop = crop_squares(image, corners[None] + rng.normal(0, 0.015 * size, (1, 4, 2)), STAND_PX)[0]
    if names is None:
        return crop, np.array(0), np.array(-1), np.array(-1), np.zeros(2, np.float32)
    east, south = (lattice[1] - lattice[0]) / (2 * HALF), (lattice[3] - lattice[0]) / (2 * HALF)
    offset = np.array([(foot - middle) @ east, (foot - middle) @ south], np.float32)
    colour, pose = COLOUR_NAMES.index(names[0]), -1 if names[1] is None else POSE_NAMES.index(names[1])
    return crop, np.array(1), np.array(colour), np.array(pose), offset
