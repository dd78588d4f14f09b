"""Samples for the net that recognises kinds of pieces: pictures of single pieces, equally many of each kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from datasets.render.random_tables import Props, View, sample_table
from datasets.scene.camera import Camera
from datasets.scene.piece_variety import vary_pieces
from datasets.scene.table import Table
from models.samples.pieces import Places, Shot, scale_real_table, shoot_table
from models.samples.tiles import KIND_NAMES, Sample, Sources, repeat_samples
from vision.arrays import Floats
from vision.pieces.kind_classifier import compute_outline_corners, crop_outlines

TILE_PX = (45.0, 130.0)
"""Range of the tile size in pixels. A guess."""
FRAME, SIZE = (900, 900), (480, 480)
"""Size of the picture, and of its middle, which alone is drawn: no player photographs a board from so near. A guess."""
CROWD_A_TILE = 0.55
"""Pieces per tile beside those on features. A guess."""
OF_OTHER_KINDS, FEATURE_PIECES_SHARE = 0.92, 0.12
"""Share of these that may be of another kind, and share of the pieces on features that stay, all of them meeples. A
guess."""
REAL_SHARE, MAX_REAL_PIECES = 0.08, 4
"""Share of real tables, and the maximum number of pieces of each: all of them are plain meeples. A guess."""
CUTS = 3
"""Number of times that each piece is cut out, each time with other errors. A guess."""
STOCK_SAMPLES, REPEATS = 6000, 4
"""Number of pictures kept, and number of these repeated after each new one: drawing costs more than learning. Bounds
memory and time."""
FOOT_ERROR_TILES, FAR_ERROR_TILES = 0.04, 0.1
"""Standard deviation of a foot's error along each axis, in tiles, and the larger one of one foot in five. A guess."""


def stream_kind_samples(sources: Sources, rng: np.random.Generator) -> Iterator[Sample]:
    """Yield the samples of `stream_new_kind_samples`, most of them repeated: a prism's mirror image is a prism."""
    return repeat_samples(stream_new_kind_samples(sources, rng), STOCK_SAMPLES, REPEATS, rng)


def stream_new_kind_samples(sources: Sources, rng: np.random.Generator) -> Iterator[Sample]:
    """Yield (72, 72, 4) uint8 pictures of `vision.pieces.kind_classifier`, the float32 length of the lean, the kind."""
    counted = [table for table in sources.real if table.counted and len(table.feet)]
    while True:
        if counted and rng.random() < REAL_SHARE:
            shot = scale_real_table(counted[int(rng.integers(len(counted)))], TILE_PX, rng)
            yield from _about(shot, MAX_REAL_PIECES, rng)
        else:
            shot = shoot_table(_table(sources.props, rng), rng)
            yield from _about(replace(shot, frame=FRAME), None, rng)


def _table(props: Props, rng: np.random.Generator) -> Table:
    """Compose a table with pieces of all kinds, all of them in view."""
    table = sample_table(props, View(FRAME, tile_px=TILE_PX), rng, crowd=CROWD_A_TILE, others=0.06)
    table = replace(table, camera=_middle(table.camera))
    feet = table.camera.project(np.array([(*m.piece.at, 0.0) for m in table.meeples]).reshape(-1, 3))
    in_view = np.flatnonzero(((feet > -50) & (feet < np.array(SIZE) + 50)).all(axis=1)).tolist()
    stays = [meeple.segment is None or rng.random() < FEATURE_PIECES_SHARE for meeple in table.meeples]
    meeples = tuple(table.meeples[i] for i in in_view if stays[i])
    return vary_pieces(replace(table, meeples=meeples, strays=()), OF_OTHER_KINDS, rng)


def _middle(camera: Camera) -> Camera:
    """Return the camera that takes only the middle of this camera's picture."""
    left, top = (np.array(camera.size) - SIZE) / 2
    return replace(camera, matrix=np.array([(1, 0, -left), (0, 1, -top), (0, 0, 1)]) @ camera.matrix, size=SIZE)


def _about(shot: Shot, most: int | None, rng: np.random.Generator) -> Iterator[Sample]:
    """Yield samples about at most `most` feet on tiles in view, in random order."""
    places = Places.seen_in(shot)
    if places is None:
        return
    feet = places.of(shot.feet)
    for i in rng.permutation(places.on_tiles(feet, 0.05)).tolist()[:most]:
        for _ in range(CUTS):
            yield _sample(shot, places, feet[i], KIND_NAMES.index(shot.kinds[i]), rng)


def _sample(shot: Shot, places: Places, foot: Floats, kind: int, rng: np.random.Generator) -> Sample:
    """Cut out a picture of a piece as a reading would, with small errors of lattice, camera and foot."""
    place = foot + rng.normal(0, FAR_ERROR_TILES if rng.random() < 0.2 else FOOT_ERROR_TILES, 2)
    lean = places.lean_at(place, rng)
    corners = places.pixels_of(compute_outline_corners(place[None], lean[None])[0], rng)[None]
    length = np.linalg.norm(lean[None], axis=1)
    picture = crop_outlines(shot.image, corners, length)[0]
    return picture, np.asarray(length[0], np.float32), np.array(kind)
