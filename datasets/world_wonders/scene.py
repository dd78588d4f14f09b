"""A table of World Wonders in a photo: boards, their pieces, a camera and a light, with exact truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import shapely

from datasets.render.other_lights import cast_other_lights
from datasets.render.photometric import photograph
from datasets.render.tabletops import draw_tabletop
from datasets.scene.camera import Camera
from datasets.scene.clutter import paste
from datasets.world_wonders import boards, tiles, woodwork
from datasets.world_wonders.deal import City, Laid
from datasets.world_wonders.monument_shapes import build_monument
from datasets.world_wonders.own_copy import (
    BUILDINGS,
    FIRST_MM,
    MAP_MM,
    MARGIN_MM,
    MONUMENTS,
    MORE_SHAPES,
    RESOURCES_MM,
    SQUARE_MM,
    STEP_MM,
    TRACK_STEP_MM,
    TRACKS,
    Cell,
)
from datasets.world_wonders.style import Style
from vision.arrays import Floats, Image

BOARD_MM = 2.0
TILE_MM = 2.0
GROUND_MM = 900.0
LOOSE_RATIO = 2.5
"""Factor by which a piece on a single square is placed and turned more loosely, since it is narrower than the
square."""


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A flat board: its picture and size, its rotation `turn` in radians, and the place `at` of its NW corner."""

    picture: Image
    size: tuple[float, float]
    at: tuple[float, float]
    turn: float

    def on_table(self, points: Floats) -> Floats:
        """Map (n, 2) points of the board to the table, in mm."""
        c, s = np.cos(self.turn), np.sin(self.turn)
        return np.asarray(np.asarray(points, float) @ np.array([[c, s], [-s, c]]) + self.at)

    @property
    def corners(self) -> Floats:
        return self.on_table(build_rectangle(*self.size))


@dataclass(frozen=True, slots=True, eq=False)
class Seat:
    """One player's boards and city; `city` is None if the boards are empty."""

    sheets: dict[str, Sheet]
    city: City | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Everything needed to draw a photo; `light` is a unit vector (x, y, z up) towards the lamp."""

    seats: tuple[Seat, ...]
    style: Style
    camera: Camera
    light: Floats
    ground: Image
    sloppy: float
    gloss: float

    @property
    def sheets(self) -> list[Sheet]:
        return [sheet for seat in self.seats for sheet in seat.sheets.values()]


def build_rectangle(w: float, h: float) -> Floats:
    """Return the (4, 2) corners NW, NE, SE, SW of a rectangle that begins at (0, 0)."""
    return np.array([(0, 0), (w, 0), (w, h), (0, h)], float)


def place_seat(style: Style, side: str, city: City, at: Sequence[float], turn: float, rng: np.random.Generator) -> Seat:
    """Lay a map with the player's resource board to its right, left or below it, both turned by about `turn`."""
    chart = Sheet(boards.draw_map(style, side, city.colour), MAP_MM, (float(at[0]), float(at[1])), turn)
    gap = rng.uniform(6, 30)
    place = int(rng.integers(3))
    along = rng.uniform(0, 0.5) * (MAP_MM[1] - RESOURCES_MM[1])
    corner = [(MAP_MM[0] + gap, along), (-RESOURCES_MM[0] - gap, along), (along, MAP_MM[1] + gap)][place]
    x, y = chart.on_table(np.array([corner]))[0]
    board = boards.draw_resource_board(style, city.colour)
    beside = Sheet(board, RESOURCES_MM, (float(x), float(y)), turn + float(rng.normal(0, 0.03)))
    return Seat({"map": chart, "resources": beside}, city)


def sample_camera(sheets: Sequence[Sheet], elevation: float, size: tuple[int, int], rng: np.random.Generator) -> Camera:
    """Sample a camera from any side that tightly frames all of the boards."""
    points = np.vstack([sheet.corners for sheet in sheets])
    target = (points.min(0) + points.max(0)) / 2
    high = np.column_stack([np.vstack([points, points]), np.repeat([0.0, 24.0], len(points))])
    azimuth, roll = rng.uniform(0, 360), rng.normal(0, 5)
    focal = rng.uniform(0.75, 1.15) * max(size)
    free = rng.uniform(0.02, 0.10) * np.array(size)
    distance = 250.0
    while True:
        camera = Camera.look_at(
            target, elevation=elevation, azimuth=azimuth, roll=roll, distance=distance, focal_px=focal, size=size
        )
        pixels = camera.project(high)
        if not np.isfinite(pixels).all():
            distance *= 1.3
            continue
        low, most = pixels.min(0), pixels.max(0)
        if (low > free).all() and (most < np.array(size) - free).all():
            return camera
        amid = np.array([*((low + most) / 2), 1.0])
        x, y, w = np.linalg.inv(camera.plane(0)) @ amid
        target = target + 0.7 * (np.array([x / w, y / w]) - target)
        distance *= 1.03


def photograph_scene(
    scene: Scene, rng: np.random.Generator, strength: float = 0.7, other_lights: bool = False
) -> Image:
    """Photograph the scene, (h, w, 3) BGR, with the lights of `datasets.render.other_lights` if wanted."""
    image = draw_scene(scene, rng)
    return photograph(cast_other_lights(image, rng)[0] if other_lights else image, rng, strength)


def draw_scene(scene: Scene, rng: np.random.Generator) -> Image:
    """Draw the clean picture of a scene; `rng` samples how the pieces are placed by hand."""
    w, h = scene.camera.size
    middle = np.mean([sheet.corners.mean(0) for sheet in scene.sheets], axis=0)
    scale = GROUND_MM / scene.ground.shape[0]
    to_table = np.array([[scale, 0, middle[0] - GROUND_MM / 2], [0, scale, middle[1] - GROUND_MM / 2], [0, 0, 1]])
    ground = cv2.warpPerspective(
        scene.ground, scene.camera.plane(0) @ to_table, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    image = np.asarray(ground, np.uint8)
    for sheet in scene.sheets:
        _lay_flat(image, scene, sheet.picture, sheet.corners, (0.0, BOARD_MM), sheet.corners[None])
    standing: list[list[woodwork.Part]] = []
    for seat in scene.seats:
        if seat.city is not None:
            standing += _lay_city(image, scene, seat, seat.city, rng)
    hulls = [woodwork.compute_shadow(part, scene.camera, scene.light, BOARD_MM) for parts in standing for part in parts]
    _darken(image, hulls, 0.42, 2.0)
    depths = scene.camera.depth(
        np.array([np.vstack([p.points for p in parts]).mean(0) for parts in standing]).reshape(-1, 3)
    )
    (grain,) = rng.spawn(1)
    for i in np.argsort(-depths):
        woodwork.draw_piece(image, standing[i], scene.camera, scene.light, scene.gloss, grain)
    return image


def _lay_city(
    image: Image, scene: Scene, seat: Seat, city: City, rng: np.random.Generator
) -> list[list[woodwork.Part]]:
    """Draw the flat pieces, and return the standing ones placed on the table."""
    chart, board = seat.sheets["map"], seat.sheets["resources"]
    standing = []
    for number, piece in enumerate(city.pieces):
        if piece.kind == "tower" or piece.kind in MONUMENTS:
            standing.append(_standing(scene, chart, piece, rng))
        else:
            _lay_tile(image, scene, chart, piece, number, rng)
    for number, name in enumerate(TRACKS):
        nudge = rng.normal(0, 0.7, 2)
        x, y = FIRST_MM[0] + city.tracks[name] * STEP_MM, FIRST_MM[1] + number * TRACK_STEP_MM
        at = board.on_table(np.array([(x + nudge[0], y + nudge[1])]))[0]
        parts = woodwork.build_marker(scene.style, number)
        standing.append([part.placed(rng.uniform(-0.4, 0.4), (at[0], at[1]), BOARD_MM) for part in parts])
    return standing


def _standing(scene: Scene, chart: Sheet, piece: Laid, rng: np.random.Generator) -> list[woodwork.Part]:
    if piece.kind == "tower":
        cells: tuple[Cell, ...] = ((0, 0),)
        parts = [part.moved((SQUARE_MM / 2, SQUARE_MM / 2)) for part in woodwork.build_tower(scene.style)]
    else:
        parts, cells = build_monument(piece.kind, scene.style), MONUMENTS[piece.kind]
    frame = woodwork.measure_frame(cells)
    to_map = _turned_frame(piece, frame)
    loose = LOOSE_RATIO if len(cells) == 1 else 1.0
    nudge = np.clip(rng.normal(0, 0.6, 2) * scene.sloppy * loose, -3.0, 3.0)
    turn = float(rng.normal(0, 0.025)) * scene.sloppy * loose
    middle = to_map.mean(0)
    angle = piece.turns * np.pi / 2 + turn
    at = chart.on_table((middle + nudge)[None])[0]
    centred = [part.moved((-frame[0] / 2, -frame[1] / 2)) for part in parts]
    return [part.placed(angle + chart.turn, (at[0], at[1]), BOARD_MM) for part in centred]


def _lay_tile(image: Image, scene: Scene, chart: Sheet, piece: Laid, number: int, rng: np.random.Generator) -> None:
    if piece.kind in BUILDINGS:
        picture = tiles.draw_building(scene.style, piece.kind, piece.shape, number % 4)
        cells: tuple[tuple[int, int], ...] = MORE_SHAPES[piece.shape]
    else:
        picture = tiles.draw_road(scene.style, int(piece.shape), number % 3, piece.kind == "bridge")
        cells = tuple((0, c) for c in range(int(piece.shape)))
    frame = woodwork.measure_frame(cells)
    quad = _turned_frame(piece, frame)
    nudge = rng.normal(0, 0.45, 2) * scene.sloppy
    turn = float(np.clip(rng.normal(0, 0.012), -0.04, 0.04)) * scene.sloppy
    c, s = np.cos(turn), np.sin(turn)
    by_hand = np.array([[c, s], [-s, c]]) * 0.99

    def laid(points: Floats) -> Floats:
        """Map (n, 2) mm of the printed tile to mm of the table."""
        into = cv2.getPerspectiveTransform(build_rectangle(*frame).astype(np.float32), quad.astype(np.float32))
        on_map = cv2.perspectiveTransform(np.asarray(points, float)[None], into)[0]
        return chart.on_table((on_map - quad.mean(0)) @ by_hand + quad.mean(0) + nudge)

    squares = np.array(
        [laid(build_rectangle(SQUARE_MM, SQUARE_MM) + np.array([col, row]) * SQUARE_MM) for row, col in cells]
    )
    _lay_flat(image, scene, picture, laid(build_rectangle(*frame)), (BOARD_MM, BOARD_MM + TILE_MM), squares)


def _lay_flat(
    image: Image, scene: Scene, picture: Image, corners: Floats, z: tuple[float, float], squares: Floats
) -> None:
    """Draw cardboard between two heights with a picture on top; `squares` are its (n, 4, 2) convex parts."""
    offset = -scene.light[:2] / max(scene.light[2], 0.3) * (z[1] - z[0])
    shades = [_seen(scene.camera, square + offset * far, z[0]) for square in squares for far in (0.0, 1.0)]
    _darken(image, shades, 0.5, 0.8)
    for square in squares:
        both = np.vstack([_seen(scene.camera, square, height) for height in z])
        hull = cv2.convexHull(both.astype(np.float32))[:, 0]
        cv2.fillConvexPoly(image, np.round(hull * 16).astype(np.int32), (165, 185, 200), cv2.LINE_AA, 4)
    top = _seen(scene.camera, corners, z[1])
    size = np.sqrt(abs(cv2.contourArea(top.astype(np.float32))) / (picture.shape[0] * picture.shape[1]))
    if size < 0.8:
        picture = np.asarray(cv2.resize(picture, None, fx=1.2 * size, fy=1.2 * size, interpolation=cv2.INTER_AREA))
    masks = _outline(squares)
    paste(image, picture, top, _seen(scene.camera, masks, z[1]))


def _outline(squares: Floats) -> Floats:
    """Return the outline (n, 2) of connected squares."""
    whole = shapely.union_all([shapely.Polygon(square).buffer(0.02, join_style="mitre") for square in squares])
    return np.asarray(shapely.get_coordinates(shapely.get_exterior_ring(whole))[:-1])


def _seen(camera: Camera, points: Floats, z: float) -> Floats:
    return camera.project(np.column_stack([points, np.full(len(points), z)]))


def _darken(image: Image, polygons: Sequence[Floats], depth: float, blur_mm: float) -> None:
    """Darken the polygons (pixels) by the share `depth`, with soft edges, processing only their bounding box."""
    if not polygons:
        return
    points = np.vstack(polygons)
    h, w = image.shape[:2]
    low = np.clip(np.floor(points.min(0)).astype(int) - 12, 0, (w, h))
    high = np.clip(np.ceil(points.max(0)).astype(int) + 12, 0, (w, h))
    if (high <= low).any():
        return
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    for polygon in polygons:
        cv2.fillPoly(mask, [np.round((polygon - low) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(mask, (0, 0), 1.5 * blur_mm).astype(np.float32) * (depth / 255)
    part = image[low[1] : high[1], low[0] : high[0]]
    part[:] = (part * (1 - soft[..., None])).astype(np.uint8)


def _turned_frame(piece: Laid, frame: tuple[float, float]) -> Floats:
    """Return (4, 2) mm of the map for the printed NW, NE, SE, SW corners of a piece's bounding rectangle."""
    w, h = frame if piece.turns % 2 == 0 else frame[::-1]
    placed = build_rectangle(w, h) + np.array([piece.at[1], piece.at[0]]) * SQUARE_MM + MARGIN_MM
    return np.roll(placed, -piece.turns, axis=0)


def sample_lamp(rng: np.random.Generator) -> Floats:
    """Sample a unit vector towards a lamp somewhere above."""
    high, around = np.deg2rad(rng.uniform(35, 80)), rng.uniform(0, 2 * np.pi)
    return np.array([np.cos(high) * np.cos(around), np.cos(high) * np.sin(around), np.sin(high)])


def draw_ground(rng: np.random.Generator, kinds: Sequence[str]) -> Image:
    """Draw a table top of one of the kinds."""
    return draw_tabletop(str(rng.choice(list(kinds))), rng, 768)
