"""Samples for the net that finds the feature a piece stands on: pieces set sloppily on printed features.

Whole tables are drawn, with roads and walls traced on each picture (`datasets.art.printed_ground`). A picture is cut
out about each piece as a reading would do it, with small errors of the lattice and the foot.
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
"""Number of made-up styles of the project's own art beside the scanned sets. A guess."""
SIZES, ELEVATION, STRENGTH = ((1400, 1050), (2000, 1500)), (35.0, 90.0), 0.8
"""Width and height of photos, their elevation in degrees, and the strength of light, lens and sensor effects. A
guess."""
STANDING_SHARE = 0.2
"""Share of tables whose farmers stand. A guess."""
CHUNK_TABLES = 12
"""Tables that a process draws before their samples are kept. Bounds memory."""
CUTS = 2
"""Number of times that each piece is cut out, each time with another error of foot and lattice. A guess."""
FOOT_ERROR_TILES, FAR_ERROR_TILES, FAR_SHARE = 0.025, 0.06, 0.2
"""Standard deviation of a foot's error along each axis, the larger deviation of some feet, and the share of those. A
guess."""
LATTICE_ERROR_TILES = 0.012
"""Standard deviation of the lattice's error, in tiles. A guess."""
Small = NDArray[np.int8]
POSES = ("standing", "lying", "disc")
"""The poses of a sample, by index."""
MAX_FEATURES = 10
"""Maximum number of features distinguished in a picture. Bounds memory."""


@dataclass(frozen=True, slots=True, eq=False)
class GroundSamples:
    """n pictures (n, GROUND_PX, GROUND_PX, 3), the feature drawn at each pixel, and the one on which the piece stands.

    `numbers` (n, GROUND_PX, GROUND_PX) are indices of a picture's features, NO_FEATURE for none. `kinds` (n,
    MAX_FEATURES) are the channels in which they are drawn, -1 for a missing feature. `truth` (n,) is the index of the
    right one, and `poses` (n,) are indices into POSES.
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
    """Load the samples of a seed, and draw those of its chunks that are not kept in the folder yet."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"ground_{seed}_{chunk}.npz" for chunk in range(chunks)]
    missing = [(art, seed, chunk, file) for chunk, file in enumerate(files) if not file.exists()]
    if missing:
        _gather_sets(art, seed)  # once for all processes, which are forked from this one
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
    """Gather the complete scanned sets for training, and drawn ones, with the traced features of each picture."""
    cv2.setNumThreads(1)
    left_out = {*HELD_OUT_SETS, *UNTRACED_SETS}
    folders = [folder for folder in sorted(art.iterdir()) if folder.is_dir() and folder.name not in left_out]
    whole = {layout.id for layout in load_base_catalogue()}
    sets = gather_art(folders, ["random"] * DRAWN_STYLES, seed, grounds=True)
    return [tiles for tiles in sets if whole <= tiles.pictures.keys()]


def draw_ground_samples(sets: Sequence[TileSet], seed: int, chunk: int, tables: int = CHUNK_TABLES) -> GroundSamples:
    """Draw the samples of some tables, those of a chunk of a seed; raises ArtError if a set lacks a tile."""
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
    """Cut the sample of a piece; None if its feature is out of view, has no rival, or is a wonder."""
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
