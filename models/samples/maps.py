"""Samples for the net that reads maps of World Wonders: the pieces of drawn tables, cut out, and laid on any ground."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from datasets.render.other_lights import cast_other_lights
from datasets.render.photometric import photograph
from datasets.render.tabletops import KINDS as TABLETOPS
from datasets.world_wonders.boards import PX_PER_MM, draw_map, paint_map
from datasets.world_wonders.deal import City, list_values
from datasets.world_wonders.grounds import draw_ground
from datasets.world_wonders.own_copy import COLS, MAP_MM, MARGIN_MM, MONUMENTS, MORE_SHAPES, ROWS, SQUARE_MM, build_land
from datasets.world_wonders.scene import BOARD_MM, Scene, Seat, draw_scene
from datasets.world_wonders.style import MEDLEY, Style, build_style
from datasets.world_wonders.tables import deal_scene
from vision.arrays import Image, Ints, Singles
from vision.flat_boards.board import BoardLie, normalise_homography, rectify_board
from vision.photo.crops import CORNERS
from vision.world_wonders.layout import Grid
from vision.world_wonders.squares import KINDS, NONE, SQUARE_PX, stack_planes

SKETCH = "sketch-"
ARTS = {SKETCH: 20, MEDLEY: 40}
"""Number of arts in a seed's samples, by the beginning of their names. Bounds time."""
GRID = Grid(ROWS, COLS, (MARGIN_MM, MARGIN_MM), SQUARE_MM)
"""The grid of squares on a map."""
PX_MM = SQUARE_PX / SQUARE_MM
"""Pixels per millimetre of a sample."""
GROUND_PX = (round(MAP_MM[0] * 2 * PX_MM), round(MAP_MM[1] * 2 * PX_MM))
"""Width and height of a ground, at twice the samples' scale, so that it can be moved by less than a pixel."""
CORNER_ERROR_MM, PICTURE_ERROR_MM = 0.5, 1.0
"""Standard deviation of the error of a corner that is found in a photo, and that is shown in a picture. A guess."""
MAX_SOFT_PX = 1.0
"""Maximum blur (sigma) of a photo or picture beside the camera's. A guess."""
PHOTOS_OF_AN_ART, GROUNDS_OF_AN_ART = 3, 4
"""Tables dealt and further grounds drawn in each art. A guess."""
GROUNDS_OF_A_MAP = 2
"""Further grounds on which each map's pieces are laid. A guess."""
PAINTED_SHARE = 0.5
"""Share of further grounds with the terrain, grid and edges of a map. A guess."""
OTHER_LIGHTS_SHARE = 0.4
"""Share of photos with lamps of two colours, a hand's shadow or a veil; pictures of boards have none. A guess."""
MIN_SCALE, MAX_SCALE = 0.5, 0.7
"""Range of the size of photos relative to the measured ones: squares are shrunk anyway. Bounds time."""
RARE = {SKETCH: 5.0, MEDLEY: 2.0}
"""Frequency of towers and monuments relative to a game: a net would see few otherwise. A guess."""

Sample = tuple[Image, Ints, Ints]
"""(h, w, 10) planes; (rows, cols) kinds; (rows, cols, 2) whether the neighbours to the right and below belong to the
same piece, -1 if the two squares differ in kind."""


@dataclass(frozen=True, slots=True, eq=False)
class Maps:
    """Samples in memory, one after another along the first axis; see `Sample`."""

    planes: Image
    kinds: Ints
    joined: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Cutout:
    """The pieces and shadows on a map at PX_MM: a ground times `through` (h, w, 1) plus `colours` (h, w, 3)."""

    colours: Singles
    through: Singles
    lie: BoardLie
    size: tuple[int, int]

    def lay_on(self, ground: Image) -> Image:
        """Return the map's picture (h, w, 3) with its pieces on a ground of that size."""
        return np.asarray(np.clip(ground * self.through + self.colours, 0, 255), np.uint8)


def load_maps(runs: Path, arts: str, seeds: Sequence[int], pictures: Sequence[Path] = ()) -> list[Maps]:
    """Load the samples of each seed in arts of one sort (see ARTS); those without a file in `runs` are drawn.

    Grounds are cut from `pictures`, too.
    """
    return [_of_seed(runs / f"{arts}{seed}.npz", arts, seed, pictures) for seed in seeds]


def join_maps(maps: Sequence[Maps]) -> Maps:
    """Join several sets of samples; `maps` must not be empty."""
    return Maps(*(np.concatenate([getattr(part, name) for part in maps]) for name in ("planes", "kinds", "joined")))


def _of_seed(file: Path, arts: str, seed: int, pictures: Sequence[Path]) -> Maps:
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        names = [f"{arts}{seed}-{i}" for i in range(ARTS[arts])]
        samples = list(stream_map_samples(names, np.random.default_rng(seed), TABLETOPS, pictures))
        partial = file.with_suffix(".part.npz")
        np.savez(partial, *(np.stack([sample[k] for sample in samples]) for k in range(3)))
        partial.replace(file)
    with np.load(file) as stored:
        return Maps(*(stored[name] for name in stored.files))


def stream_map_samples(
    arts: Sequence[str], rng: np.random.Generator, tabletops: Sequence[str], pictures: Sequence[Path]
) -> Iterator[Sample]:
    """Yield samples of a few tables of each art: each map on its own ground, on others, and an empty map."""
    for art in arts:
        style, side = build_style(art), str(rng.choice(["A", "B"]))
        rare = RARE[MEDLEY if art.startswith(MEDLEY) else SKETCH]
        others = [_draw_other_ground(style, side, rng, pictures) for _ in range(GROUNDS_OF_AN_ART)]
        for _ in range(PHOTOS_OF_AN_ART):
            scale = float(rng.uniform(MIN_SCALE, MAX_SCALE))
            scene, _ = deal_scene(style, side, (38.0, 90.0), rng, tabletops, scale, rare, tuple(MORE_SHAPES))
            for seat, cutout in cut_out_pieces(scene, int(rng.integers(2**32))):
                if seat.city is not None:
                    own_map = cv2.resize(
                        draw_map(style, side, seat.city.colour), GROUND_PX, interpolation=cv2.INTER_AREA
                    )
                    further = [others[i] for i in rng.choice(len(others), GROUNDS_OF_A_MAP + 1, replace=False)]
                    for ground in (np.asarray(own_map), *further[1:]):
                        yield build_sample(cutout, ground, rng), *build_truth(seat.city)
                    bare = replace(cutout, colours=0 * cutout.colours, through=0 * cutout.through + 1)
                    yield build_sample(bare, further[0], rng), *build_truth(City("", seat.city.land))


def _draw_other_ground(style: Style, side: str, rng: np.random.Generator, pictures: Sequence[Path]) -> Image:
    ground = draw_ground(rng, pictures, GROUND_PX)
    if rng.random() > PAINTED_SHARE:
        return ground
    size = (round(MAP_MM[0] * PX_PER_MM), round(MAP_MM[1] * PX_PER_MM))
    large = cv2.resize(ground, size, interpolation=cv2.INTER_CUBIC).astype(np.float32)
    land = build_land(side, str(rng.choice(["yellow", "green", "white", "red", "blue"])))
    painted = paint_map(large, style, land, rng)
    return np.asarray(cv2.resize(painted, GROUND_PX, interpolation=cv2.INTER_AREA))


def cut_out_pieces(scene: Scene, seed: int) -> Iterator[tuple[Seat, Cutout]]:
    """Yield the pieces on each map of a scene, from pictures of it with black and with white maps."""
    black, white = (draw_scene(_with_plain_maps(scene, grey), np.random.default_rng(seed)) for grey in (0, 255))
    for seat in scene.seats:
        pixels = scene.camera.project(np.column_stack([seat.sheets["map"].corners, np.full(4, BOARD_MM)]))
        homography = cv2.getPerspectiveTransform((CORNERS * MAP_MM).astype(np.float32), pixels.astype(np.float32))
        lie = BoardLie(normalise_homography(np.asarray(homography, np.float64), np.array(MAP_MM) / 2), 0, 0.0, 1.0, 1.0)
        dark, light = (
            rectify_board(picture, lie.homography, MAP_MM, PX_MM)[0].astype(np.float32) for picture in (black, white)
        )
        yield seat, Cutout(dark, (light - dark).mean(axis=2, keepdims=True) / 255, lie, scene.camera.size)


def _with_plain_maps(scene: Scene, grey: int) -> Scene:
    plain = np.full((8, 8, 3), grey, np.uint8)
    seats = [
        replace(seat, sheets=seat.sheets | {"map": replace(seat.sheets["map"], picture=plain)}) for seat in scene.seats
    ]
    return replace(scene, seats=tuple(seats))


def build_sample(cutout: Cutout, ground: Image, rng: np.random.Generator) -> Image:
    """Build the planes of a photo of pieces on a ground of GROUND_PX, and of its picture, each in its own light."""
    h, w = cutout.colours.shape[:2]
    flat = np.asarray(cv2.resize(ground, (w, h), interpolation=cv2.INTER_AREA), np.uint8)
    laid = _move(_soften(cutout.lay_on(flat), rng), (w, h), CORNER_ERROR_MM, rng)
    if rng.random() < OTHER_LIGHTS_SHARE:
        laid, _ = cast_other_lights(laid, rng)
    view = photograph(laid, rng, float(rng.uniform(0, 0.8)))
    picture = photograph(_move(_soften(ground, rng), (w, h), PICTURE_ERROR_MM, rng), rng, float(rng.uniform(0, 0.5)))
    return stack_planes(view, np.full((h, w), 255, np.uint8), picture, cutout.lie.camera(cutout.size), GRID)


def _soften(picture: Image, rng: np.random.Generator) -> Image:
    """Blur a picture a little at random; larger ones in proportion."""
    sigma = float(rng.uniform(0, MAX_SOFT_PX)) * picture.shape[1] / (PX_MM * MAP_MM[0])
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma)) if sigma > 0.2 else picture


def _move(picture: Image, size: tuple[int, int], error_mm: float, rng: np.random.Generator) -> Image:
    """Return a picture of a map at a size, with corners that are off at random."""
    corners = CORNERS * np.array(picture.shape[1::-1]) - 0.5
    off = corners + rng.normal(0, error_mm, (4, 2)) * picture.shape[1] / MAP_MM[0]
    matrix = cv2.getPerspectiveTransform(off.astype(np.float32), (CORNERS * size - 0.5).astype(np.float32))
    return np.asarray(
        cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    )


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


def mirror_planes(planes: Image) -> Image:
    """Return (n, h, w, 10) planes of `vision.world_wonders.squares` mirrored left to right."""
    mirrored = planes[:, :, ::-1].copy()
    mirrored[..., 6] = np.uint8(255) - mirrored[..., 6] + np.uint8(1)
    return mirrored


def mirror_seams(joined: Ints) -> Ints:
    """Return (n, rows, cols, 2), the seams to the right and below, mirrored left to right."""
    mirrored = joined[:, :, ::-1].copy()
    mirrored[:, :, :-1, 0], mirrored[:, :, -1, 0] = joined[:, :, -2::-1, 0], NONE
    return mirrored
