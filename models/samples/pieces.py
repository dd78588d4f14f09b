"""Samples for the piece classifier: places on the table where a piece stands, and places where none does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.render.compositor import compose, project_top_corners
from datasets.render.photometric import apply_lamp, photograph
from datasets.render.random_tables import Props, View, sample_table
from datasets.scene.piece_variety import make_clear, match_art, rename_players, vary_pieces
from datasets.scene.pieces import Finish
from datasets.scene.table import Table
from datasets.scene.things import scatter_things
from models.samples.real_photos import RealTable
from models.samples.recolour import recolour_table
from models.samples.tiles import COLOUR_NAMES, POSE_NAMES, Sample, Sources
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats, Image
from vision.geometry.camera import compute_leans, estimate_camera
from vision.geometry.rectification import apply_homography
from vision.photo.crops import CORNERS, compute_tile_px, shrink_image
from vision.pieces.background import reconstruct_bare_table
from vision.pieces.crops import compute_picture_axes, compute_stand_corners, crop_stands
from vision.pieces.detector import find_possible_feet, is_near_square
from vision.reading.values import Warp
from vision.runtime.onnx import MODELS, Net

NEAR_TILES = 0.25
"""Of a tile: a foot so near to the place is what the picture is about."""
MIN_DISTANCE_TILES = 0.36
"""Of a tile: no foot is so near to a place where no piece stands."""
UNCLEAR_TILES = 0.7
"""Of a tile: nothing is said about places so near to something unsure."""
REAL_SHARE = 0.4
"""Of the tables: drawn pieces are poor ones, and what is mistaken for a piece is hardly drawn at all."""
EXACT_SHARE = 0.5
"""Of the real ones: tables whose feet are known exactly, which are few."""
RECOLOURED_SHARE = 0.4
"""Of the drawn ones: tables whose art has colours that no art has, lest those be mistaken for pieces."""
RENAMED_SHARE = 0.6
"""Of the drawn ones: tables whose players have any colours, the others those of the boxes."""
TINTED_SHARE = 0.7
"""Of the drawn ones: tables under lamps with a colour, with pieces whose shady sides are deeper in hue."""
FOUND_SHARE = 0.5
"""Of the tables: those on which the net that finds feet says what may be one."""
ALONE_SHARE = 0.15
"""Of the tables: no square has a twin, and nothing is known of what is printed under the pieces."""
EMPTY_RATIO = 1.2
"""So many places without a piece are shown for each with one; the nets that find feet are wrong about that often."""
VARIED_SHARE, OF_OTHER_KINDS = 0.7, 0.75
"""Of the drawn tables: with pieces of all kinds; and how many of the pieces there that stand just anywhere."""
THINGS_SHARE = 0.3
"""Of the drawn tables: with things on them that are nobody's pieces."""
MATCHED_SHARE = 0.3
"""Of the drawn ones: tables one of whose players has the colour of something that is printed."""
CLEAR_SHARE = 0.08
"""Of the drawn ones: tables with pieces of clear plastic."""
SHADE = (0.5, 1.1)
"""How light the sides of drawn pieces are that no lamp lights, against those of tables that figures are measured on."""
GLOSSY, GLOSSY_SHARE = 1.2, 0.15
"""Paint that a lamp makes nearly white, and how many tinted tables have it."""
LAMP_SHARE = 0.2
"""Of all tables: under a strongly coloured lamp, which the art about a piece tells; so its own colours it keeps."""
PHOTOGRAPHED_SHARE = 0.6
"""Of the pictures of real tables: those in another light than the photo's."""
STRENGTH = (0.4, 1.15)
"""How much light and camera do to a drawn table: from a mild look to somewhat more than is drawn to be measured."""
TABLE_TILE_PX = (40.0, 110.0)


def _nowhere() -> Floats:
    return np.zeros((0, 2))


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A picture of a table with what stands on it; all places are pixels (x, y).

    Where it is but the middle of what the camera saw, `frame` is the size (width, height) of all of that.
    """

    image: Image
    quads: Mapping[Square, Floats]
    feet: Floats
    colours: Sequence[str]
    poses: Sequence[str | None]
    kinds: Sequence[str]
    unsure: Floats = field(default_factory=_nowhere)
    mistaken: Floats = field(default_factory=_nowhere)
    frame: tuple[int, int] | None = None

    def in_view(self) -> dict[Square, Floats]:
        """The corners of the squares that lie wholly in the picture."""
        h, w = self.image.shape[:2]
        return {s: q for s, q in self.quads.items() if np.isfinite(q).all() and (q >= 0).all() and (q <= (w, h)).all()}


def stream_stand_samples(sources: Sources, rng: np.random.Generator) -> Iterator[Sample]:
    """Yield pictures of places, whether a piece stands there, and which.

    (80, 80, 7) uint8 pictures as of `vision.pieces.crops`; the float32 length of the place's lean; 1 where a piece
    stands else 0; colour and pose or -1; (2,) its foot's offset from the place, right and down in the picture, in
    tiles, NaN where it is not known.
    """
    finder = Net(MODELS / "meeples.onnx", threads=1)
    counted = [table for table in sources.real if table.counted]
    exact = [table for table in counted if table.exact]
    while True:
        if counted and rng.random() < REAL_SHARE:
            tables = exact if exact and rng.random() < EXACT_SHARE else counted
            yield from _real(tables[int(rng.integers(len(tables)))], finder, rng)
        else:
            yield from _about(_composed(sources.props, rng), finder, rng)


def _composed(props: Props, rng: np.random.Generator) -> Shot:
    view = View((560, 560), tile_px=TABLE_TILE_PX)
    table = sample_table(props, view, rng, crowd=0.3, others=0.06)
    if rng.random() < VARIED_SHARE:
        table = vary_pieces(table, OF_OTHER_KINDS, rng)
    return shoot_table(table, rng)


def shoot_table(table: Table, rng: np.random.Generator) -> Shot:
    """Photograph a drawn table in some light and some colours."""
    lit = rng.random() < LAMP_SHARE
    if not lit and rng.random() < RECOLOURED_SHARE:
        table = recolour_table(table, rng)
    if rng.random() < RENAMED_SHARE:
        table = rename_players(table, rng)
    if rng.random() < MATCHED_SHARE:
        table = match_art(table, rng)
    if rng.random() < TINTED_SHARE:
        table = replace(table, finish=_tinted(table.finish, rng))
    if rng.random() < CLEAR_SHARE:
        table = make_clear(table, rng)
    if rng.random() < THINGS_SHARE:
        table = scatter_things(table, rng)
    image = compose(table)
    image = photograph(apply_lamp(image, rng) if lit else image, rng, rng.uniform(*STRENGTH))
    pieces = [m.piece for m in table.meeples] + list(table.strays)
    feet = table.camera.project(np.array([(*p.at, 0.0) for p in pieces]).reshape(-1, 3))
    mistaken = table.camera.project(np.array([(*thing.piece.at, 0.0) for thing in table.things]).reshape(-1, 3))
    quads = {t.square: project_top_corners(table, t) for t in table.tiles}
    poses, kinds = [p.pose for p in pieces], [p.kind for p in pieces]
    return Shot(image, quads, feet, [p.colour for p in pieces], poses, kinds, mistaken=mistaken)


def _tinted(finish: Finish, rng: np.random.Generator) -> Finish:
    lamp, shade = rng.uniform(0.9, 1.15, 3), rng.uniform(0.8, 1.15, 3) * rng.uniform(*SHADE)
    gloss = GLOSSY if rng.random() < GLOSSY_SHARE else finish.gloss
    return Finish(gloss, tuple(lamp.tolist()), tuple(shade.tolist()), rng.uniform(0, 0.8))


def scale_real_table(table: RealTable, tile: tuple[float, float], rng: np.random.Generator) -> Shot:
    """Shrink a real table's photo until its tiles are `tile` (from, to) pixels wide."""
    mean_px = float(np.median(compute_tile_px(np.array(list(table.quads.values())))))
    image, used = shrink_image(table.image, rng.uniform(*tile) / mean_px)
    quads = {square: quad * used for square, quad in table.quads.items()}
    unsure, mistaken = table.unsure * used, table.mistaken * used
    return Shot(image, quads, table.feet * used, table.colours, table.poses, table.kinds, unsure, mistaken)


def _real(table: RealTable, finder: Net, rng: np.random.Generator) -> Iterator[Sample]:
    shot = scale_real_table(table, TABLE_TILE_PX, rng)
    lit = rng.random() < LAMP_SHARE
    for crop, lean, here, colour, pose, offset in _about(shot, finder, rng):
        pixels = np.asarray(crop, dtype=np.uint8)
        foot_offset = offset if table.exact or not here else np.full(2, np.nan, np.float32)
        pixels = rephotograph(pixels, lit, rng) if lit or rng.random() < PHOTOGRAPHED_SHARE else pixels
        yield pixels, lean, here, colour, pose, foot_offset


def rephotograph(picture: Image, lit: bool, rng: np.random.Generator) -> Image:
    """Put both halves of a picture into the light and noise of one more photo, `lit` by a coloured lamp."""
    both = np.ascontiguousarray(np.hstack([picture[..., :3], picture[..., 3:6]]))
    both = photograph(apply_lamp(both, rng) if lit else both, rng, 0.5)
    return np.dstack([*np.hsplit(both, 2), picture[..., 6:]])


def _about(shot: Shot, finder: Net, rng: np.random.Generator) -> Iterator[Sample]:
    """Samples about every foot on a tile in view, and about as many places without one."""
    places = Places.seen_in(shot)
    if places is None:
        return
    feet, unsure, mistaken = (places.of(points) for points in (shot.feet, shot.unsure, shot.mistaken))
    bare = reconstruct_bare(shot.image, np.array([shot.quads[row, col] for row, col in places.squares.tolist()]), rng)
    candidates = _nowhere()
    if rng.random() < FOUND_SHARE:
        candidates, _ = find_possible_feet(finder, shot.image, bare, 1.0, Warp(places.plane), places.box)
    standing, empty = [], []
    for i in places.on_tiles(feet, 0.05):
        place = _seen_from(feet[i], candidates, rng)
        standing.append(_sample(shot, bare, places, place, feet[i], i, rng))
        empty += [feet[i] + _within_ring(rng)]
    empty += [*candidates, *(m + rng.normal(0, 0.05, 2) for m in mistaken for _ in range(4)), *places.anywhere(rng)]
    free = [p for p in empty if _apart(p, feet) > MIN_DISTANCE_TILES and _apart(p, unsure) > UNCLEAR_TILES]
    inside = places.on_tiles(np.array(free).reshape(-1, 2), 0.15)
    chosen = rng.permutation(inside)[: 5 + int(EMPTY_RATIO * len(standing))]
    yield from standing
    for i in chosen:
        yield _sample(shot, bare, places, free[i], free[i], None, rng)


def reconstruct_bare(image: Image, quads: Floats, rng: np.random.Generator) -> Image:
    """Reconstruct the table without pieces as a reading would, whose squares lie a little off."""
    if rng.random() < ALONE_SHARE:
        return np.zeros((*image.shape[:2], 4), np.uint8)
    return reconstruct_bare_table(
        image, quads + rng.normal(0, 0.012 * float(np.median(compute_tile_px(quads))), quads.shape)
    )


def _plane(quads: Mapping[Square, Floats]) -> Floats | None:
    """(3, 3) homography from lattice places (col, row) to pixels that fits these squares best."""
    if not quads:
        return None
    lattice = np.concatenate([CORNERS + np.array([col, row]) for row, col in quads])
    plane, _ = cv2.findHomography(lattice, np.concatenate(list(quads.values())))
    return None if plane is None else np.asarray(plane, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """The lattice of a picture: `plane` leads to its pixels, `squares` are (n, 2) (row, col) in view."""

    plane: Floats
    squares: NDArray[np.int_]
    camera: Floats

    @classmethod
    def seen_in(cls, shot: Shot) -> Places | None:
        """The lattice of the squares that lie wholly in a picture; None where none does."""
        quads = shot.in_view()
        plane = _plane(quads)
        if plane is None:
            return None
        h, w = shot.image.shape[:2]
        frame = shot.frame or (w, h)
        shift = np.array([(1, 0, (frame[0] - w) / 2), (0, 1, (frame[1] - h) / 2), (0, 0, 1)])
        return cls(plane, np.array(list(quads)), estimate_camera(shift @ plane, frame))

    @property
    def box(self) -> tuple[int, int, int, int]:
        (row, col), (last_row, last_col) = self.squares.min(0).tolist(), self.squares.max(0).tolist()
        return col, row, last_col + 1, last_row + 1

    def of(self, pixels: Floats) -> Floats:
        """(n, 2) lattice places of (n, 2) pixels; none stay none."""
        return apply_homography(np.asarray(np.linalg.inv(self.plane)), pixels) if len(pixels) else pixels.reshape(0, 2)

    def on_tiles(self, places: Floats, margin: float) -> list[int]:
        """Which of (n, 2) places lie on a square in view or not farther than `margin` tiles from one."""
        return np.flatnonzero(is_near_square(places, self.squares, margin)).tolist()

    def lean_at(self, place: Floats, rng: np.random.Generator) -> Floats:
        """(2,) how a place leans, a little off, as a reading has it."""
        angle, longer = rng.normal(0, 0.08), np.exp(rng.normal(0, 0.08))
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return np.asarray(longer * turn @ compute_leans(self.camera, place[None])[0] + rng.normal(0, 0.03, 2))

    def pixels_of(self, square: Floats, rng: np.random.Generator) -> Floats:
        """(4, 2) pixels of the lattice corners of a picture to be cut out, a little off likewise."""
        corners = apply_homography(self.plane, square)
        return np.asarray(corners + rng.normal(0, 0.015 * float(compute_tile_px(corners[None])[0]), (4, 2)))

    def anywhere(self, rng: np.random.Generator) -> list[Floats]:
        """Places on the art: monasteries and villages stand in the middle of a tile."""
        some = self.squares[rng.random(len(self.squares)) < 0.15][:, ::-1]
        return [s + (rng.uniform(-0.1, 1.1, 2) if rng.random() < 0.6 else rng.normal(0.5, 0.13, 2)) for s in some]


def _seen_from(foot: Floats, candidates: Floats, rng: np.random.Generator) -> Floats:
    """The place that a foot is looked at from: where it was found, or near it."""
    near = candidates[np.linalg.norm(candidates - foot, axis=1) < NEAR_TILES]
    if len(near) and rng.random() < 0.7:
        return np.asarray(near[int(rng.integers(len(near)))])
    return np.asarray(foot + (rng.normal(0, 0.05, 2) if rng.random() < 0.5 else _within(NEAR_TILES, rng)))


def _apart(place: Floats, points: Floats) -> float:
    """How far the nearest of (n, 2) points is, in tiles; points behind the camera are nowhere."""
    away = np.linalg.norm(points - place, axis=1)
    away = away[np.isfinite(away)]
    return float(away.min()) if len(away) else np.inf


def _within(radius: float, rng: np.random.Generator) -> Floats:
    """(2,) a point of the disc of that radius."""
    angle, away = rng.uniform(0, 2 * np.pi), radius * np.sqrt(rng.random())
    return np.array([away * np.cos(angle), away * np.sin(angle)])


def _within_ring(rng: np.random.Generator) -> Floats:
    """(2,) a step that leads beside a piece."""
    angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(MIN_DISTANCE_TILES, 0.6)
    return np.array([away * np.cos(angle), away * np.sin(angle)])


def _sample(
    shot: Shot, bare: Image, places: Places, place: Floats, foot: Floats, piece: int | None, rng: np.random.Generator
) -> Sample:
    """A picture of a place as a reading would cut it out, whose lattice and camera are a little off; or its mirror."""
    lean = places.lean_at(place, rng)
    corners = places.pixels_of(compute_stand_corners(place[None], lean[None])[0], rng)[None]
    crop = crop_stands(shot.image, bare, corners)[0]
    right, up = compute_picture_axes(lean[None])
    offset = np.array([(foot - place) @ right[0], -(foot - place) @ up[0]], np.float32)
    if rng.random() < 0.5:
        crop, offset = np.ascontiguousarray(crop[:, ::-1]), offset * np.array([-1, 1], np.float32)
    length = np.array(np.linalg.norm(lean), np.float32)
    if piece is None:
        return crop, length, np.array(0), np.array(-1), np.array(-1), offset
    pose, colour = shot.poses[piece], COLOUR_NAMES.index(shot.colours[piece])
    named = -1 if pose is None else POSE_NAMES.index(pose)
    return crop, length, np.array(1), np.array(colour), np.array(named), offset
