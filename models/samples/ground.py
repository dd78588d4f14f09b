"""Samples for the net that tells on which feature a piece stands: pieces set sloppily on what is printed.

Whole tables are drawn, with roads and walls where each picture really has them (`datasets.art.printed_ground`), and a
picture is cut out about each piece as a reading would, whose lattice and foot are a little off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.art.tileset import TileSet
from datasets.generate import Deal, gather_art, generate
from datasets.render.shots import Manner, Shot
from datasets.render.tabletops import KINDS
from models.samples.splits import HELD_OUT_SETS
from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.board.features import FeatureMap, build_feature_map
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from vision.arrays import Floats, Image
from vision.evaluation.labels import Lattice, read_truth
from vision.photo.crops import shrink_image
from vision.pieces.ground_classifier import (
    GROUND_PX,
    NO_FEATURE,
    crop_ground,
    find_channel,
    rasterise_features,
)
from vision.reading.values import Warp

UNTRACED_SETS = ("we-farin",)
"""Art whose roads and walls cannot be traced: in the winter edition all land is as pale as a road."""
DRAWN_STYLES = 10
"""Made-up styles of the project's own art beside the scanned sets."""
SIZES, ELEVATION, STRENGTH = ((1400, 1050), (2000, 1500)), (35.0, 90.0), 0.8
"""Of photos: width and height, degrees, and what light, lens and sensor do."""
STANDING_SHARE = 0.2
"""Of the tables: those whose farmers stand."""
CHUNK_TABLES = 12
"""Tables drawn by a process before their samples are kept."""
CUTS = 2
"""So often each piece is cut out, its foot and the lattice each time a little off."""
FOOT_ERROR_TILES, FAR_ERROR_TILES, FAR_SHARE = 0.025, 0.06, 0.2
"""How far a foot is read from the true one, along each axis, and of how many it is read worse."""
LATTICE_ERROR_TILES = 0.012
Small = NDArray[np.int8]
POSES = ("standing", "lying", "disc")
MAX_FEATURES = 10
"""Of a picture: no more are told apart."""


@dataclass(frozen=True, slots=True, eq=False)
class GroundSamples:
    """n pictures (n, GROUND_PX, GROUND_PX, 3), the feature drawn at each pixel, and which one a piece stands on.

    `numbers` (n, GROUND_PX, GROUND_PX) are features of a picture, NO_FEATURE for none, `kinds` (n, MAX_FEATURES) the
    channels that they are drawn in, -1 where there is no such feature. `truth` (n,) is the number of the right one,
    `poses` (n,) are as POSES has them.
    """

    pictures: Image
    numbers: Small
    kinds: Small
    truth: Small
    poses: Small

    def __len__(self) -> int:
        return len(self.pictures)


def join_samples(parts: Sequence[GroundSamples]) -> GroundSamples:
    """Join samples, in order."""
    return GroundSamples(*(np.concatenate([getattr(part, name) for part in parts]) for name in GroundSamples.__slots__))


def load_ground_samples(folder: Path, art: Path, seed: int, chunks: int, workers: int) -> GroundSamples:
    """Load the samples of a seed, drawing those of its chunks that are not kept in a folder yet."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"ground_{seed}_{chunk}.npz" for chunk in range(chunks)]
    missing = [(art, seed, chunk, file) for chunk, file in enumerate(files) if not file.exists()]
    if missing:
        _gather_sets(art, seed)  # once, for all processes: they are copies of this one
    with ProcessPoolExecutor(workers, get_context("fork")) as pool:
        for done, _ in enumerate(pool.map(_keep_chunk, missing), 1):
            print(f"ground: samples {done}/{len(missing)}", flush=True)
    return join_samples([_load_chunk(file) for file in files])


def _load_chunk(file: Path) -> GroundSamples:
    with np.load(file) as arrays:
        return GroundSamples(**{name: arrays[name] for name in GroundSamples.__slots__})


def _keep_chunk(task: tuple[Path, int, int, Path]) -> None:
    art, seed, chunk, file = task
    samples = draw_ground_samples(_gather_sets(art, seed), seed, chunk)
    partial = file.with_suffix(".part.npz")
    np.savez_compressed(partial, **{name: getattr(samples, name) for name in GroundSamples.__slots__})
    partial.replace(file)


@cache
def _gather_sets(art: Path, seed: int) -> list[TileSet]:
    """The complete scanned sets that are trained on, and drawn ones, with what each picture shows where."""
    cv2.setNumThreads(1)
    left_out = {*HELD_OUT_SETS, *UNTRACED_SETS}
    folders = [folder for folder in sorted(art.iterdir()) if folder.is_dir() and folder.name not in left_out]
    whole = {layout.id for layout in load_base_catalogue()}
    sets = gather_art(folders, ["random"] * DRAWN_STYLES, seed, grounds=True)
    return [tiles for tiles in sets if whole <= tiles.pictures.keys()]


def draw_ground_samples(sets: Sequence[TileSet], seed: int, chunk: int, tables: int = CHUNK_TABLES) -> GroundSamples:
    """Draw the samples of some tables, those of a chunk of a seed; raises ArtError where a set lacks a tile."""
    rng = np.random.default_rng([seed, chunk])
    samples: list[GroundSamples] = []
    for table in range(tables):
        tiles = sets[int(rng.integers(len(sets)))]
        manner = Manner(SIZES[int(rng.integers(len(SIZES)))], ELEVATION, strength=STRENGTH)
        deal = Deal(sloppy=True, standing=bool(rng.random() < STANDING_SHARE))
        tabletop = KINDS[int(rng.integers(len(KINDS)))]
        seeds = seed * 1_000_000 + chunk * 1000 + table
        for _, shot in generate([tiles], [tabletop], manner, 1, seeds, deal):
            samples += cut_ground_samples(shot, rng)
    return join_samples(samples)


def cut_ground_samples(shot: Shot, rng: np.random.Generator) -> Iterator[GroundSamples]:
    """Cut the samples about the pieces of one photo."""
    truth = read_truth({"photo": "table.jpg", **shot.label}, "table")
    features = build_feature_map(truth.board)
    points = shot.label["points"]
    nodes = {(row, col): (x, y) for x, y, col, row in points}
    warp = Warp(Lattice(points).homography, nodes)
    image, scale = shrink_image(shot.image, GROUND_PX / float(shot.label["view"]["tile_px"]))
    for meeple, labelled in zip(truth.meeples, shot.label["meeples"], strict=True):
        for _ in range(CUTS):
            sample = _cut_sample(
                image, scale, warp, truth.board, features, meeple.placed, np.array(labelled["at"]), rng
            )
            if sample is not None:
                yield sample


def _cut_sample(
    image: Image,
    scale: float,
    warp: Warp,
    board: Board,
    features: FeatureMap,
    placed: PlacedMeeple,
    at: Floats,
    rng: np.random.Generator,
) -> GroundSamples | None:
    """The sample of a piece; None where its feature is not in sight, there is no other, or it marks a wonder."""
    if placed.segment is None or placed.pose not in POSES:
        return None
    foot = at + rng.normal(0, FAR_ERROR_TILES if rng.random() < FAR_SHARE else FOOT_ERROR_TILES, 2)
    ground = rasterise_features(board, features, (float(foot[0]), float(foot[1])))
    feature = features.at(placed.square, placed.segment).id
    if feature not in ground.features[:MAX_FEATURES] or len(ground.features) < 2:
        return None
    shifted = foot + rng.normal(0, LATTICE_ERROR_TILES, 2)
    kinds = np.full((1, MAX_FEATURES), -1, np.int8)
    known = [find_channel(kind) for kind in ground.kinds[:MAX_FEATURES]]
    kinds[0, : len(known)] = known
    numbers = np.where(ground.numbers < MAX_FEATURES, ground.numbers, NO_FEATURE).astype(np.int8)[None]
    return GroundSamples(
        crop_ground(image, scale, warp, shifted[None]),
        numbers,
        kinds,
        np.array([ground.features.index(feature)], np.int8),
        np.array([POSES.index(placed.pose)], np.int8),
    )
