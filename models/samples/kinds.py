"""Samples for the net that tells kinds of pieces: pictures of pieces alone, as many of one kind as of another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from datasets.render.random_tables import Props, View, sample_table
from datasets.scene.camera import Camera
from datasets.scene.piece_variety import vary_pieces
from datasets.scene.table import Table
from models.samples.pieces import Places, Shot, scale_real_table, shoot_table
from models.samples.tiles import KIND_NAMES, Sample, Sources
from vision.arrays import Floats
from vision.pieces.kind_classifier import compute_outline_corners, crop_outlines

TILE_PX = (45.0, 130.0)
FRAME, SIZE = (900, 900), (480, 480)
"""Of the picture, its middle alone is drawn: so near as it would be, alone, nobody photographs a board."""
CROWD_A_TILE = 0.55
"""More pieces a tile than stand on its features."""
OF_OTHER_KINDS, FEATURE_PIECES_SHARE = 0.92, 0.12
"""Of these: how many may be of another kind; and how many of those stay that stand on features, all of them meeples."""
REAL_SHARE, MAX_REAL_PIECES = 0.08, 4
"""Of the tables: real ones, and so many pieces at most of each: all of them are plain meeples."""
CUTS = 3
"""So often a piece is cut out, each time a little differently."""
STOCK_SAMPLES, REPEATS = 6000, 4
"""So many pictures are kept, and so many of these shown again with each new one: drawing costs more than learning."""
FOOT_ERROR_TILES, FAR_ERROR_TILES = 0.04, 0.1
"""Of a tile: how far a foot is read from the true one, along each axis; one in five is read worse."""


def stream_kind_samples(sources: Sources, rng: np.random.Generator) -> Iterator[Sample]:
    """Yield the samples of `stream_new_kind_samples`, most of them not for the first time."""
    stock: list[Sample] = []
    for sample in stream_new_kind_samples(sources, rng):
        yield sample
        stock.append(sample)
        if len(stock) > STOCK_SAMPLES:
            stock[int(rng.integers(STOCK_SAMPLES))] = stock.pop()
        for _ in range(REPEATS):
            yield _again(stock[int(rng.integers(len(stock)))], rng)


def _again(sample: Sample, rng: np.random.Generator) -> Sample:
    """The mirror of a picture, or itself: a piece is a prism turned about, whose mirror is such a one too."""
    picture, lean, kind = sample
    return (np.ascontiguousarray(picture[:, ::-1]) if rng.random() < 0.5 else picture), lean, kind


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
    """A table with pieces of all kinds, none of them out of the picture."""
    table = sample_table(props, View(FRAME, tile_px=TILE_PX), rng, crowd=CROWD_A_TILE, others=0.06)
    table = replace(table, camera=_middle(table.camera))
    feet = table.camera.project(np.array([(*m.piece.at, 0.0) for m in table.meeples]).reshape(-1, 3))
    in_view = np.flatnonzero(((feet > -50) & (feet < np.array(SIZE) + 50)).all(axis=1)).tolist()
    stays = [meeple.segment is None or rng.random() < FEATURE_PIECES_SHARE for meeple in table.meeples]
    meeples = tuple(table.meeples[i] for i in in_view if stays[i])
    return vary_pieces(replace(table, meeples=meeples, strays=()), OF_OTHER_KINDS, rng)


def _middle(camera: Camera) -> Camera:
    """The camera, the middle of whose picture is all that it takes."""
    left, top = (np.array(camera.size) - SIZE) / 2
    return replace(camera, matrix=np.array([(1, 0, -left), (0, 1, -top), (0, 0, 1)]) @ camera.matrix, size=SIZE)


def _about(shot: Shot, most: int | None, rng: np.random.Generator) -> Iterator[Sample]:
    """Samples about the feet on tiles in view, `most` of them, in any order."""
    places = Places.seen_in(shot)
    if places is None:
        return
    feet = places.of(shot.feet)
    for i in rng.permutation(places.on_tiles(feet, 0.05)).tolist()[:most]:
        for _ in range(CUTS):
            yield _sample(shot, places, feet[i], KIND_NAMES.index(shot.kinds[i]), rng)


def _sample(shot: Shot, places: Places, foot: Floats, kind: int, rng: np.random.Generator) -> Sample:
    """A picture of a piece as a reading would cut it out, whose lattice, camera and foot are a little off."""
    place = foot + rng.normal(0, FAR_ERROR_TILES if rng.random() < 0.2 else FOOT_ERROR_TILES, 2)
    lean = places.lean_at(place, rng)
    corners = places.pixels_of(compute_outline_corners(place[None], lean[None])[0], rng)[None]
    length = np.linalg.norm(lean[None], axis=1)
    picture = crop_outlines(shot.image, corners, length)[0]
    return picture, np.asarray(length[0], np.float32), np.array(kind)
