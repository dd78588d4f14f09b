"""Samples for the piece classifier: places on the table where a piece stands, and places where none does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.render.compositor import compose, project_top_corners
from datasets.render.photometric import apply_lamp, compress_jpeg, photograph
from datasets.render.random_tables import Props, View, sample_table
from datasets.scene.piece_variety import make_clear, match_art, rename_players, vary_pieces
from datasets.scene.pieces import Finish
from datasets.scene.screens import find_middle, show_on_screen
from datasets.scene.table import Table
from datasets.scene.things import scatter_things
from models.samples.art_augmentation import recolour_table
from models.samples.real_photos import RealTable
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
"""Maximum distance in tiles between a place and the foot that its picture shows. A guess."""
MIN_DISTANCE_TILES = 0.36
"""Minimum distance in tiles between an empty place and any foot. A guess."""
UNCLEAR_TILES = 0.7
"""Distance in tiles from an unsure point within which places are left out. A guess."""
REAL_SHARE = 0.4
"""Share of real tables: drawn pieces are poor imitations, and things mistaken for pieces are hardly drawn at all. A
guess."""
EXACT_SHARE = 0.5
"""Share of the real tables whose feet are known exactly: there are few. A guess."""
RECOLOURED_SHARE = 0.4
"""Share of drawn tables whose art has made-up colours, so that those are not mistaken for pieces. A guess."""
RENAMED_SHARE = 0.6
"""Share of drawn tables whose players have any colours; the others have those of the boxes. A guess."""
TINTED_SHARE = 0.7
"""Share of drawn tables under coloured lamps, with pieces whose shady sides are deeper in hue. A guess."""
FOUND_SHARE = 0.5
"""Share of tables whose empty places come from the net that finds feet. A guess."""
ALONE_SHARE = 0.15
"""Share of tables on which no square has a twin, so that the print under the pieces is unknown. A guess."""
EMPTY_RATIO = 1.2
"""Number of empty places for each one with a piece; the nets that find feet are wrong about that often. A guess."""
VARIED_SHARE, OF_OTHER_KINDS = 0.7, 0.75
"""Share of drawn tables with pieces of all kinds, and share of another kind among their pieces on no feature. A
guess."""
THINGS_SHARE = 0.3
"""Share of drawn tables with objects that are no pieces. A guess."""
MATCHED_SHARE = 0.3
"""Share of drawn tables with a player in the colour of something printed. A guess."""
CLEAR_SHARE = 0.08
"""Share of drawn tables with pieces of clear plastic. A guess."""
SCREEN_SHARE = 0.15
"""Share of drawn tables as a website shows them. A guess."""
SCREEN_QUALITY = (50, 98)
"""Range of the quality of their compression as JPEG. A guess."""
SHADE = (0.5, 1.1)
"""Range of the lightness of unlit sides of drawn pieces, relative to the measured tables. A guess."""
GLOSSY, GLOSSY_SHARE = 1.2, 0.15
"""Gloss that a lamp makes nearly white, and the share of tinted tables with it. A guess."""
LAMP_SHARE = 0.2
"""Share of all tables under a strongly coloured lamp. The art around a piece reveals the lamp, so it keeps its colours.
A guess."""
PHOTOGRAPHED_SHARE = 0.6
"""Share of the pictures of real tables that are put into another light than the photo's. A guess."""
STRENGTH = (0.4, 1.15)
"""Range of the strength of light and camera effects, from mild to slightly more than on measured tables. A guess."""
TABLE_TILE_PX = (40.0, 110.0)
"""Range of the tile size in pixels. A guess."""


def _nowhere() -> Floats:
    return np.zeros((0, 2))


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A picture of a table with the pieces on it; all places are pixels (x, y).

    If the picture is only the middle of the camera's view, `frame` is the size (width, height) of the whole view.
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
        """Return the corners of the squares that lie wholly in the picture."""
        h, w = self.image.shape[:2]
        return {s: q for s, q in self.quads.items() if np.isfinite(q).all() and (q >= 0).all() and (q <= (w, h)).all()}


def stream_stand_samples(sources: Sources, rng: np.random.Generator) -> Iterator[Sample]:
    """Yield pictures of places, whether a piece stands there, and its names.

    (80, 80, 7) uint8 pictures as of `vision.pieces.crops`; the float32 length of the place's lean; 1 if a piece stands
    there, else 0; colour and pose or -1; (2,) its foot's offset from the place, right and down in the picture, in
    tiles, NaN if it is unknown.
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
    if rng.random() < SCREEN_SHARE:
        return shoot_screen(sample_table(props, view, rng, crowd=0.3, others=0.06, sloppiness=0.0), rng)
    table = sample_table(props, view, rng, crowd=0.3, others=0.06)
    if rng.random() < VARIED_SHARE:
        table = vary_pieces(table, OF_OTHER_KINDS, rng)
    return shoot_table(table, rng)


def shoot_table(table: Table, rng: np.random.Generator) -> Shot:
    """Photograph a drawn table in random light and colours."""
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


def shoot_screen(table: Table, rng: np.random.Generator) -> Shot:
    """Show a drawn table as a website does, in random colours of art and players."""
    if rng.random() < RECOLOURED_SHARE:
        table = recolour_table(table, rng)
    if rng.random() < RENAMED_SHARE:
        table = rename_players(table, rng)
    table = show_on_screen(table, rng.uniform(*TABLE_TILE_PX), rng)
    image = compress_jpeg(compose(table), int(rng.integers(*SCREEN_QUALITY)))
    pieces = [m.piece for m in table.meeples] + list(table.strays)
    feet = table.camera.project(np.array([(*find_middle(piece), 0.0) for piece in pieces]).reshape(-1, 3))
    quads = {t.square: project_top_corners(table, t) for t in table.tiles}
    return Shot(image, quads, feet, [p.colour for p in pieces], [p.pose for p in pieces], [p.kind for p in pieces])


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
    """Apply the light and noise of another photo to both halves of a picture, `lit` by a coloured lamp."""
    both = np.ascontiguousarray(np.hstack([picture[..., :3], picture[..., 3:6]]))
    both = photograph(apply_lamp(both, rng) if lit else both, rng, 0.5)
    return np.dstack([*np.hsplit(both, 2), picture[..., 6:]])


def _about(shot: Shot, finder: Net, rng: np.random.Generator) -> Iterator[Sample]:
    """Yield samples about every foot on a tile in view, and about as many empty places."""
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
    """Reconstruct the table without pieces as a reading would, with small errors of the squares."""
    if rng.random() < ALONE_SHARE:
        return np.zeros((*image.shape[:2], 4), np.uint8)
    return reconstruct_bare_table(
        image, quads + rng.normal(0, 0.012 * float(np.median(compute_tile_px(quads))), quads.shape)
    )


def _plane(quads: Mapping[Square, Floats]) -> Floats | None:
    """Estimate the (3, 3) homography from lattice places (col, row) to pixels that best fits these squares."""
    if not quads:
        return None
    lattice = np.concatenate([CORNERS + np.array([col, row]) for row, col in quads])
    plane, _ = cv2.findHomography(lattice, np.concatenate(list(quads.values())))
    return None if plane is None else np.asarray(plane, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """The lattice of a picture: `plane` maps it to pixels, and `squares` are (n, 2) (row, col) in view."""

    plane: Floats
    squares: NDArray[np.int_]
    camera: Floats

    @classmethod
    def seen_in(cls, shot: Shot) -> Places | None:
        """Return the lattice of the squares that lie wholly in a picture; None without any."""
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
        """Return the bounds of the squares in view: first column and row, and the column and row after the last."""
        (row, col), (last_row, last_col) = self.squares.min(0).tolist(), self.squares.max(0).tolist()
        return col, row, last_col + 1, last_row + 1

    def of(self, pixels: Floats) -> Floats:
        """Return (n, 2) lattice places of (n, 2) pixels."""
        return apply_homography(np.asarray(np.linalg.inv(self.plane)), pixels) if len(pixels) else pixels.reshape(0, 2)

    def on_tiles(self, places: Floats, margin: float) -> list[int]:
        """Return the indices of (n, 2) places that lie on a square in view or within `margin` tiles of one."""
        return np.flatnonzero(is_near_square(places, self.squares, margin)).tolist()

    def lean_at(self, place: Floats, rng: np.random.Generator) -> Floats:
        """Return the (2,) lean of a place with a small error, as in a reading."""
        angle, longer = rng.normal(0, 0.08), np.exp(rng.normal(0, 0.08))
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return np.asarray(longer * turn @ compute_leans(self.camera, place[None])[0] + rng.normal(0, 0.03, 2))

    def pixels_of(self, square: Floats, rng: np.random.Generator) -> Floats:
        """Return (4, 2) pixels of the lattice corners of a picture to cut out, with a small error."""
        corners = apply_homography(self.plane, square)
        return np.asarray(corners + rng.normal(0, 0.015 * float(compute_tile_px(corners[None])[0]), (4, 2)))

    def anywhere(self, rng: np.random.Generator) -> list[Floats]:
        """Return places on the art, many in the middle of a tile, where monasteries and villages are."""
        some = self.squares[rng.random(len(self.squares)) < 0.15][:, ::-1]
        return [s + (rng.uniform(-0.1, 1.1, 2) if rng.random() < 0.6 else rng.normal(0.5, 0.13, 2)) for s in some]


def _seen_from(foot: Floats, candidates: Floats, rng: np.random.Generator) -> Floats:
    """Return the place from which a foot is inspected: where it was found, or near it."""
    near = candidates[np.linalg.norm(candidates - foot, axis=1) < NEAR_TILES]
    if len(near) and rng.random() < 0.7:
        return np.asarray(near[int(rng.integers(len(near)))])
    return np.asarray(foot + (rng.normal(0, 0.05, 2) if rng.random() < 0.5 else _within(NEAR_TILES, rng)))


def _apart(place: Floats, points: Floats) -> float:
    """Return the distance to the nearest of (n, 2) points, in tiles; points behind the camera are ignored."""
    away = np.linalg.norm(points - place, axis=1)
    away = away[np.isfinite(away)]
    return float(away.min()) if len(away) else np.inf


def _within(radius: float, rng: np.random.Generator) -> Floats:
    """Return a (2,) point of the disc of that radius."""
    angle, away = rng.uniform(0, 2 * np.pi), radius * np.sqrt(rng.random())
    return np.array([away * np.cos(angle), away * np.sin(angle)])


def _within_ring(rng: np.random.Generator) -> Floats:
    """Return a (2,) step that leads beside a piece."""
    angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(MIN_DISTANCE_TILES, 0.6)
    return np.array([away * np.cos(angle), away * np.sin(angle)])


def _sample(
    shot: Shot, bare: Image, places: Places, place: Floats, foot: Floats, piece: int | None, rng: np.random.Generator
) -> Sample:
    """Cut out a place as a reading would, with small errors of lattice and camera; mirror half of them."""
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
