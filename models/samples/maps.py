"""Samples for the net that reads maps of World Wonders: photos of drawn tables, each in an art of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from datasets.render.tabletops import KINDS as TABLETOPS
from datasets.world_wonders.deal import City, list_values
from datasets.world_wonders.own_copy import COLS, MAP_MM, MARGIN_MM, MONUMENTS, ROWS, SQUARE_MM
from datasets.world_wonders.scene import BOARD_MM, Scene
from datasets.world_wonders.style import MEDLEY, build_style
from datasets.world_wonders.tables import shoot, shoot_empty_board
from vision.arrays import Floats, Image, Ints
from vision.flat_boards.board import BoardLie, EnrolledBoard, normalise_homography, rectify_picture
from vision.photo.pyramid import Halves
from vision.world_wonders.layout import Grid
from vision.world_wonders.squares import KINDS, build_planes

SKETCH = "sketch-"
ARTS = {SKETCH: 110, MEDLEY: 40}
"""Number of arts in a seed's samples, by the beginning of their names. A guess."""
GRID = Grid(ROWS, COLS, (MARGIN_MM, MARGIN_MM), SQUARE_MM)
"""The grid of squares on a map."""
CORNER_ERROR_MM = 0.5
"""Standard deviation of a found corner's error, in millimetres. A guess."""
PHOTOS_OF_AN_ART = 4
"""Photos drawn in each art. A guess."""
MIN_SCALE, MAX_SCALE, EMPTY_SCALE = 0.5, 0.7, 0.5
"""Range of the size of photos relative to the measured ones, and that of empty boards: squares are shrunk anyway.
Bounds time."""
RARE = 2.0
"""Frequency of towers and monuments relative to a game: a net would see few otherwise. A guess."""

Sample = tuple[Image, Ints, Ints]
"""(h, w, 8) planes; (rows, cols) kinds; (rows, cols, 2) whether the neighbours to the right and below belong to the
same piece, -1 if the two squares differ in kind."""


@dataclass(frozen=True, slots=True, eq=False)
class Maps:
    """Samples in memory, one after another along the first axis; see `Sample`."""

    planes: Image
    kinds: Ints
    joined: Ints


def load_maps(runs: Path, arts: str, seeds: Sequence[int]) -> list[Maps]:
    """Load the samples of each seed in arts of one sort (see ARTS); those without a file in `runs` are drawn."""
    return [_of_seed(runs / f"{arts}{seed}.npz", arts, seed) for seed in seeds]


def join_maps(maps: Sequence[Maps]) -> Maps:
    """Join several sets of samples; `maps` must not be empty."""
    return Maps(*(np.concatenate([getattr(part, name) for part in maps]) for name in ("planes", "kinds", "joined")))


def _of_seed(file: Path, arts: str, seed: int) -> Maps:
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        names = [f"{arts}{seed}-{i}" for i in range(ARTS[arts])]
        samples = list(stream_map_samples(names, np.random.default_rng(seed), TABLETOPS))
        partial = file.with_suffix(".part.npz")
        np.savez(partial, *(np.stack([sample[k] for sample in samples]) for k in range(3)))
        partial.replace(file)
    with np.load(file) as stored:
        return Maps(*(stored[name] for name in stored.files))


def stream_map_samples(arts: Sequence[str], rng: np.random.Generator, tabletops: Sequence[str]) -> Iterator[Sample]:
    """Yield samples of a few photos of each art, one after another."""
    for art in arts:
        style, side = build_style(art), str(rng.choice(["A", "B"]))
        boards: dict[str, EnrolledBoard] = {}
        for _ in range(PHOTOS_OF_AN_ART):
            scale = float(rng.uniform(MIN_SCALE, MAX_SCALE))
            shot = shoot("sample", style, side, (38.0, 90.0), rng, tabletops, scale, RARE)
            for seat in shot.scene.seats:
                if seat.city is not None:
                    name = "map" if side == "A" else f"map-{seat.city.colour}"
                    if name not in boards:
                        empty, corners = shoot_empty_board(style, side, name, rng, tabletops, EMPTY_SCALE)
                        boards[name] = EnrolledBoard(
                            rectify_picture(empty, _nudged(np.array(corners), rng, 1.0), MAP_MM), MAP_MM
                        )
                    lie = _lie(shot.scene, seat.sheets["map"].corners, rng)
                    planes = build_planes(Halves(shot.image), lie, boards[name], GRID)[0]
                    yield planes, *build_truth(seat.city)


def build_truth(city: City) -> tuple[Ints, Ints]:
    """Return the kinds of a city's squares, and the seams within its pieces; see `Sample`."""
    values_by_square, owner = dict(list_values(city)), city.owner
    kinds = np.zeros((ROWS, COLS), np.int64)
    joined = np.full((ROWS, COLS, 2), -1, np.int64)
    for (row, col), value in values_by_square.items():
        kind = value.partition("#")[0]
        kinds[row, col] = KINDS.index("monument" if kind in MONUMENTS else kind)
    for row, col in values_by_square:
        for way, other in enumerate(((row, col + 1), (row + 1, col))):
            if other in values_by_square and kinds[row, col] and kinds[other] == kinds[row, col]:
                joined[row, col, way] = int(owner[other] == owner[row, col])
    return kinds, joined


def _lie(scene: Scene, corners: Floats, rng: np.random.Generator) -> BoardLie:
    """Return the map's pose in the photo, with a small error."""
    pixels = scene.camera.project(np.column_stack([corners, np.full(4, BOARD_MM)]))
    board = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * np.array(MAP_MM)
    corners_mm = _nudged(board, rng, CORNER_ERROR_MM).astype(np.float32)
    homography = cv2.getPerspectiveTransform(corners_mm, pixels.astype(np.float32))
    return BoardLie(normalise_homography(np.asarray(homography, np.float64), np.array(MAP_MM) / 2), 0, 0.0, 1.0, 1.0)


def _nudged(points: Floats, rng: np.random.Generator, by: float) -> Floats:
    return points + rng.normal(0, by, points.shape)
