"""Objects on the tiles that are no player's pieces: coins, dice, counters, a dragon, a fairy, bridges, tower blocks.

Their sizes are those of common coins and of the boxes that the figures come in, not measured to the millimetre, so each
is drawn somewhat larger or smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import cv2
import numpy as np

from datasets.scene.camera import Camera
from datasets.scene.clutter import paste
from datasets.scene.pieces import Finish, Piece, build_prism, compute_top_light, draw_piece, sample_shade
from datasets.scene.table import LaidTile, Table, Thing
from vision.arrays import Floats, Image

BGR = tuple[int, int, int]

METALS: tuple[BGR, ...] = ((62, 92, 150), (48, 70, 112), (84, 160, 190), (172, 176, 178), (128, 134, 138), (60, 72, 84))
"""Old and new copper, brass, nickel, dull silver, bronze."""
WOODS: tuple[BGR, ...] = ((118, 165, 205), (84, 132, 178), (60, 96, 140), (150, 196, 228))
FIGURE_COLOURS: tuple[BGR, ...] = ((40, 30, 190), (35, 25, 150), (50, 120, 30), (150, 70, 30), (30, 30, 34), *WOODS)
DIE_COLOURS: tuple[BGR, ...] = (
    (235, 238, 240),
    (40, 30, 190),
    (30, 30, 30),
    (180, 80, 25),
    (60, 150, 40),
    (90, 190, 225),
)
FACE_PX = 64
SIZE_RANGE = (0.85, 1.2)
MAX_THINGS = 7
WEIGHTS: Mapping[str, float] = {
    "coin": 0.4, "die": 0.08, "counter": 0.14, "dragon": 0.1, "fairy": 0.08, "bridge": 0.12, "block": 0.08
}  # fmt: skip


def scatter_things(table: Table, rng: np.random.Generator) -> Table:
    """Put a few objects anywhere on the tiles, mostly of one kind; a bridge is aligned with its tile."""
    usual = str(rng.choice(list(WEIGHTS), p=list(WEIGHTS.values())))
    things = []
    for _ in range(int(rng.integers(1, MAX_THINGS + 1))):
        kind = usual if rng.random() < 0.6 else str(rng.choice(list(WEIGHTS), p=list(WEIGHTS.values())))
        things.append(_MAKERS[kind](table.tiles[int(rng.integers(len(table.tiles)))], rng))
    return replace(table, things=tuple(things))


def draw_thing(image: Image, thing: Thing, camera: Camera, light: Floats, finish: Finish) -> None:
    """Paint an object into `image`, with the picture on its top face if it has one."""
    # Only pieces are made of clear plastic.
    draw_piece(image, thing.piece, camera, light, replace(finish, clear=0.0))
    if thing.face is None:
        return
    cap = max(build_prism(thing.piece), key=lambda caps: float(caps[:, 2].mean()))
    rim = camera.project(cap)
    middle, reach = cap.mean(0), float(np.abs(cap[:, :2] - cap[:, :2].mean(0)).max())
    corners = middle + reach * np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)])
    quad = camera.project(corners)
    if np.isfinite(rim).all() and np.isfinite(quad).all():
        lit = np.clip(thing.face * compute_top_light(light, finish), 0, 255).astype(np.uint8)
        paste(image, lit, quad, rim)


def _lay(kind: str, pose: str, tile: LaidTile, bgr: BGR, rng: np.random.Generator, face: Image | None = None) -> Thing:
    at, yaw = tile.at(*rng.uniform(0.05, 0.95, 2)), float(rng.uniform(0, 2 * np.pi))
    return Thing(Piece("", kind, pose, at, yaw, bgr, float(rng.uniform(*SIZE_RANGE))), face)


def _coin(tile: LaidTile, rng: np.random.Generator) -> Thing:
    metal = sample_shade(METALS, rng)
    thing = _lay("coin", "lying", tile, metal, rng, _strike(metal, rng))
    return replace(thing, piece=replace(thing.piece, size=float(rng.uniform(0.78, 1.35))))


def _strike(metal: BGR, rng: np.random.Generator) -> Image:
    """Draw a coin's face: a rim, letters along it, and a relief of blobs lit from one side."""
    relief = np.zeros((FACE_PX, FACE_PX), np.uint8)
    middle = (FACE_PX // 2, FACE_PX // 2)
    cv2.circle(relief, middle, FACE_PX // 2 - 2, 255, 3, cv2.LINE_AA)
    for angle in np.arange(0, 2 * np.pi * rng.uniform(0.4, 1.0), 0.34):
        x, y = (FACE_PX / 2 + 0.37 * FACE_PX * np.array([np.cos(angle), np.sin(angle)])).astype(int).tolist()
        cv2.putText(relief, chr(int(rng.integers(65, 91))), (x - 3, y + 3), cv2.FONT_HERSHEY_PLAIN, 0.55, 200, 1)
    for _ in range(int(rng.integers(2, 6))):
        x, y = rng.integers(FACE_PX // 3, FACE_PX - FACE_PX // 3, 2).tolist()
        axes = tuple(rng.integers(3, 12, 2).tolist())
        cv2.ellipse(relief, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, 255, -1)
    height = cv2.GaussianBlur(relief.astype(np.float32) / 255, (0, 0), 1.0)
    shine = rng.normal(0, 1) * cv2.Sobel(height, cv2.CV_32F, 1, 0) + rng.normal(0, 1) * cv2.Sobel(
        height, cv2.CV_32F, 0, 1
    )
    glow = np.linspace(-1, 1, FACE_PX, dtype=np.float32)[None] * rng.normal(0, 0.25)
    face = np.array(metal, np.float32) * (1 + glow + 0.35 * shine)[..., None]
    if rng.random() < 0.15:  # two metals
        cv2.circle(face, middle, FACE_PX // 3, [float(v) for v in sample_shade(METALS, rng)], -1, cv2.LINE_AA)
    return np.asarray(np.clip(face, 0, 255), dtype=np.uint8)


def _die(tile: LaidTile, rng: np.random.Generator) -> Thing:
    bgr = sample_shade(DIE_COLOURS, rng)
    face = np.full((FACE_PX, FACE_PX, 3), bgr, np.uint8)
    pip = (20, 20, 20) if sum(bgr) > 330 else (235, 238, 240)
    spots = [(x, y) for x in (1, 2, 3) for y in (1, 2, 3)]
    for i in rng.permutation(9)[: int(rng.integers(1, 7))]:
        cv2.circle(face, (spots[i][0] * FACE_PX // 4, spots[i][1] * FACE_PX // 4), FACE_PX // 12, pip, -1, cv2.LINE_AA)
    thing = _lay("die", "lying", tile, bgr, rng, face)
    return replace(thing, piece=replace(thing.piece, yaw=0.0))


def _counter(tile: LaidTile, rng: np.random.Generator) -> Thing:
    """Make a cardboard counter: a disc or a pentagon with a symbol or a number on it."""
    bgr = sample_shade(((215, 232, 240), (150, 190, 215), (60, 60, 190), (190, 120, 60), (90, 170, 110)), rng)
    face = np.full((FACE_PX, FACE_PX, 3), bgr, np.uint8)
    ink = sample_shade(((30, 30, 35), (40, 30, 180), (150, 70, 20), (235, 238, 240)), rng)
    if rng.random() < 0.5:
        text = str(rng.integers(1, 100))
        cv2.putText(face, text, (10, 44), cv2.FONT_HERSHEY_SIMPLEX, 1.0, ink, 3, cv2.LINE_AA)
    else:
        points = (FACE_PX / 2 + rng.normal(0, FACE_PX / 7, (int(rng.integers(3, 8)), 2))).astype(np.int32)
        cv2.fillPoly(face, [cv2.convexHull(points)], ink, cv2.LINE_AA)
    cv2.circle(face, (FACE_PX // 2, FACE_PX // 2), FACE_PX // 2 - 5, ink, int(rng.integers(1, 3)), cv2.LINE_AA)
    return _lay(str(rng.choice(["round counter", "pentagon"])), "lying", tile, bgr, rng, face)


def _dragon(tile: LaidTile, rng: np.random.Generator) -> Thing:
    return _lay("dragon", "standing" if rng.random() < 0.8 else "lying", tile, sample_shade(FIGURE_COLOURS, rng), rng)


def _fairy(tile: LaidTile, rng: np.random.Generator) -> Thing:
    bgr = sample_shade(((225, 232, 236), *WOODS), rng)
    return _lay("fairy", "standing" if rng.random() < 0.7 else "lying", tile, bgr, rng)


def _bridge(tile: LaidTile, rng: np.random.Generator) -> Thing:
    nw, ne, _, sw = tile.corners
    thing = _lay("bridge", "standing", tile, sample_shade(WOODS, rng), rng)
    along = (ne - nw) if rng.random() < 0.5 else (sw - nw)
    x, y = (tile.corners.mean(0) + rng.normal(0, 0.05, 2)).tolist()
    yaw = float(np.arctan2(along[1], along[0]) + rng.normal(0, 0.05))
    return replace(thing, piece=replace(thing.piece, at=(x, y), yaw=yaw, size=float(rng.uniform(0.85, 1.05))))


def _block(tile: LaidTile, rng: np.random.Generator) -> Thing:
    return _lay("block", "lying", tile, sample_shade(WOODS, rng), rng)


_MAKERS: Mapping[str, Callable[[LaidTile, np.random.Generator], Thing]] = {
    "coin": _coin, "die": _die, "counter": _counter, "dragon": _dragon, "fairy": _fairy, "bridge": _bridge,
    "block": _block,
}  # fmt: skip
