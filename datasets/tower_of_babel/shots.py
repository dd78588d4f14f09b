"""Photos of staged tables with their exact truth, and the enrolment photo of the empty board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from datasets.art.canvas import to_bgr
from datasets.art.style import Colour
from datasets.render.other_lights import cast_other_lights
from datasets.render.photometric import apply_lamp, measure_light, photograph
from datasets.render.tabletops import draw_tabletop
from datasets.scene.camera import Camera
from datasets.scene.clutter import paste
from datasets.scene.pieces import Finish, build_circle
from datasets.tower_of_babel.deal import PAIRED_NEEDS, Deal
from datasets.tower_of_babel.plan import SIZE_MM
from datasets.tower_of_babel.solids import compute_shadow, draw_solid, sort_far_to_near
from datasets.tower_of_babel.staging import LaidDisc, Staged, compute_disc_radius
from scoring.spots.text import SpotLabel, SpotTable
from vision.arrays import Floats, Image
from vision.flat_boards.board import normalise_homography, project_points
from vision.photo.crops import CORNERS, shrink_image

DISC_PX = 96
DISC_HEIGHT_MM = 2.0
KIND_COLOURS: dict[str, Colour] = {
    "camel": (124, 84, 52),
    "crane": (232, 228, 218),
    "ship": (112, 72, 128),
    "mason": (128, 128, 124),
}
"""Brown, white, purple and grey; their assignment to the kinds is invented."""
DARK_INK, PALE_INK, MIDDLE_GREY = (44, 40, 40), (214, 232, 240), 128
FREE_SHARE = (0.03, 0.2)
"""Range of the picture's share left free around the board."""


@dataclass(frozen=True, slots=True)
class Manner:
    """Camera settings for a table: `size` (width, height) px, elevation range in degrees, strength of the effects.

    The effects are those of light, lens and sensor. With a `lamp`, the picture is lit in a strong colour, or faded;
    with `other_lights`, as in `datasets.render.other_lights`.
    """

    size: tuple[int, int] = (2400, 1800)
    elevation: tuple[float, float] = (40.0, 90.0)
    strength: float = 0.7
    lamp: bool = False
    other_lights: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A photo (h, w, 3) BGR, its camera in the board's millimetres, and facts about the rendering."""

    image: Image
    camera: Camera
    about: dict[str, float | str]


def shoot(board: Image, table: Staged | None, ground: str, manner: Manner, rng: np.random.Generator) -> Shot:
    """Photograph a board with its pieces, or empty, in any orientation."""
    elevation = float(rng.uniform(*manner.elevation))
    camera = _camera(elevation, manner.size, rng)
    image = _ground(camera, ground, rng)
    _darken(image, [camera.project(np.column_stack([CORNERS * SIZE_MM + 1.5, np.zeros(4)]))], 0.5, 6.0)
    corners = camera.project(np.column_stack([CORNERS * SIZE_MM, np.zeros(4)]))
    shrink = float(np.sqrt(abs(cv2.contourArea(corners.astype(np.float32))) / (board.shape[0] * board.shape[1])))
    paste(image, shrink_image(board, min(1.0, 1.25 * shrink))[0], corners)
    if table is not None:
        _draw(image, table, camera, shrink, rng)
    about: dict[str, float | str] = {"elevation": round(elevation, 2), "tabletop": ground}
    if manner.lamp:
        clean, image = image, apply_lamp(image, rng)
        about |= {"lamp": measure_light(clean, image)["tint"]}
    if manner.other_lights:
        image, lights = cast_other_lights(image, rng)
        about |= {"lights": ", ".join(lights)}
    return Shot(photograph(image, rng, manner.strength), camera, about)


def build_label(deal: Deal, photo: str, shot: Shot, art: str) -> SpotLabel:
    """Build the label of a photo."""
    return SpotLabel(photo, SpotTable("tower-of-babel", deal.players, deal.laid()), shot.about | {"art": art})


def _camera(elevation: float, size: tuple[int, int], rng: np.random.Generator) -> Camera:
    """Return a camera that sees the whole board."""
    free = rng.uniform(*FREE_SHARE)
    how = {"elevation": elevation, "azimuth": rng.uniform(0, 360), "roll": rng.normal(0, 4)}
    focal = float(rng.uniform(0.7, 1.1) * size[0])
    aim, distance = np.array(SIZE_MM) / 2, 500.0
    beside = rng.normal(0, 0.01, 2) * size
    while True:
        camera = Camera.look_at(aim, **how, distance=distance, focal_px=focal, size=size)
        pixels = camera.project(np.column_stack([CORNERS * SIZE_MM, np.zeros(4)]))
        margin = free / 2 * np.array(size)
        if np.isfinite(pixels).all():
            if (pixels > margin).all() and (pixels < size - margin).all():
                return camera
            middle = (pixels.min(axis=0) + pixels.max(axis=0)) / 2 + beside
            aim = project_points(normalise_homography(np.asarray(np.linalg.inv(camera.plane())), middle), middle[None])[
                0
            ]
        distance *= 1.02


def _ground(camera: Camera, kind: str, rng: np.random.Generator) -> Image:
    """Draw the table top around the board, 2 mm below its print."""
    picture = draw_tabletop(kind, rng, 1024)
    scale = rng.uniform(0.6, 1.4)
    to_mm = np.array([(scale, 0, -300 * scale), (0, scale, -350 * scale), (0, 0, 1)])
    through = camera.plane(-2.0) @ to_mm
    ground = cv2.warpPerspective(picture, through, camera.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(ground, np.uint8)


def _draw(image: Image, table: Staged, camera: Camera, px_mm4: float, rng: np.random.Generator) -> None:
    light = np.array([rng.normal(0, 0.6), rng.normal(0, 0.6), 1.0])
    light /= np.linalg.norm(light)
    finish = Finish(gloss=float(rng.uniform(0, 0.4)))
    shadows = [camera.project(np.column_stack([polygon, np.zeros(len(polygon))])) for polygon in _shadows(table, light)]
    softness = float(rng.uniform(1.0, 3.5)) * px_mm4 * 4
    _darken(image, shadows[: len(table.discs)], 0.4, 0.3 * softness)
    for disc in table.discs:
        _draw_disc(image, disc, camera)
    _darken(image, shadows[len(table.discs) :], float(rng.uniform(0.25, 0.5)), 0.5 * softness)
    for solid in sort_far_to_near(list(table.solids), camera):
        draw_solid(image, solid, camera, light, finish, rng)


def _shadows(table: Staged, light: Floats) -> Iterator[Floats]:
    """Yield the shadows (n, 2) in millimetres, those of the discs first, then those of the solids."""
    for disc in table.discs:
        rim = build_circle(28) * 2 * compute_disc_radius() + disc.at
        yield np.concatenate([rim, rim - DISC_HEIGHT_MM * light[:2] / max(light[2], 0.25)])
    for solid in table.solids:
        yield compute_shadow(solid, light)


def _draw_disc(image: Image, disc: LaidDisc, camera: Camera) -> None:
    """Draw a disc's cut edge and its printed side."""
    rim = build_circle(40) * 2 * compute_disc_radius() + disc.at
    low, top = (camera.project(np.column_stack([rim, np.full(len(rim), z)])) for z in (0.0, DISC_HEIGHT_MM))
    hull = cv2.convexHull(np.vstack([low, top]).astype(np.float32))[:, 0]
    cv2.fillConvexPoly(image, np.round(hull * 16).astype(np.int32), (150, 175, 190), cv2.LINE_AA, 4)
    c, s = np.cos(disc.yaw), np.sin(disc.yaw)
    square = (CORNERS - 0.5) * 2 * compute_disc_radius() @ np.array([(c, s), (-s, c)]) + disc.at
    quad = camera.project(np.column_stack([square, np.full(4, DISC_HEIGHT_MM)]))
    size = float(np.sqrt(abs(cv2.contourArea(quad.astype(np.float32)))))
    paste(image, shrink_image(_disc_picture(disc), min(1.0, 1.25 * size / DISC_PX))[0], quad, top)


def _disc_picture(disc: LaidDisc) -> Image:
    """Draw a disc's number on its kind's colour, surrounded by as many dots; two kinds get a half and a number each."""
    needs = (
        ((disc.kind, disc.need),) if isinstance(disc.kind, str) else tuple(zip(disc.kind, PAIRED_NEEDS, strict=True))
    )
    picture = np.full((DISC_PX, DISC_PX, 3), to_bgr(KIND_COLOURS[needs[0][0]]), np.uint8)
    picture[:, DISC_PX // len(needs) :] = to_bgr(KIND_COLOURS[needs[-1][0]])
    half = DISC_PX // 2
    for angle in np.linspace(0, 2 * np.pi, disc.need, endpoint=False):
        at = half + 0.82 * half * np.array([np.cos(angle), np.sin(angle)])
        cv2.circle(picture, (round(float(at[0])), round(float(at[1]))), 4, (40, 50, 60), -1, cv2.LINE_AA)
    for i, (kind, need) in enumerate(needs):
        (w, h), _ = cv2.getTextSize(str(need), cv2.FONT_HERSHEY_DUPLEX, 1.3, 3)
        middle = half + round((i - (len(needs) - 1) / 2) * 0.62 * half)
        spot = (middle - w // 2, half + h // 2)
        ink = DARK_INK if sum(KIND_COLOURS[kind]) > 3 * MIDDLE_GREY else PALE_INK
        cv2.putText(picture, str(need), spot, cv2.FONT_HERSHEY_DUPLEX, 1.3, ink, 3, cv2.LINE_AA)
    return picture


def _darken(image: Image, polygons: list[Floats], depth: float, soft: float) -> None:
    """Darken the polygons (pixels) by the factor 1 - depth, with edges `soft` pixels wide."""
    mask = np.zeros(image.shape[:2], np.uint8)
    for polygon in polygons:
        hull = cv2.convexHull(polygon.astype(np.float32))
        cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    softened = cv2.GaussianBlur(mask, (0, 0), max(soft, 0.5))
    factor = cv2.cvtColor(255 - cv2.convertScaleAbs(softened, alpha=depth), cv2.COLOR_GRAY2BGR)
    cv2.multiply(image, factor, dst=image, scale=1 / 255)
