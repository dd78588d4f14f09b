"""Simulated photos of an empty board with a bank card beside it, as taken for enrolling the board, with exact truth."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from datasets.render.photometric import photograph
from datasets.render.tabletops import draw_tabletop
from datasets.scene.camera import Camera
from vision.arrays import Floats, Image, Singles
from vision.enrolment.games import GameEnrolment
from vision.flat_boards.board import rectify_picture
from vision.flat_boards.layout import read_pictures
from vision.photo.crops import CORNERS, shrink_image
from vision.showing.quad_sides import CARD_MM

TABLE_MM, CARD_TOP_MM = -2.0, -1.24
"""Heights of the table and of the card's upper side relative to the board's print."""
CARD_CORNER_MM = 3.18
CARD_PX_PER_MM = 8
BESIDE_MM = 14.0
MARGIN_MM = 18.0
"""Minimum margin around board and card in the photo."""


@dataclass(frozen=True, slots=True, eq=False)
class EmptyBoardPhoto:
    """A photo (h, w, 3) BGR; the corners (4, 2) of the board from its NW corner clockwise, and of the card, in
    pixels."""

    image: Image
    corners_px: Floats
    card_px: Floats


def shoot_empty_board(
    board: Image,
    size_mm: tuple[float, float],
    rng: np.random.Generator,
    ground: str = "cloth",
    size: tuple[int, int] = (3000, 2250),
    strength: float = 0.35,
) -> EmptyBoardPhoto:
    """Photograph a board from above, upright or nearly so, on a table that extends beyond the photo."""
    turned = float(rng.uniform(-6, 6))
    card = _place_card(size_mm, turned)
    camera = _find_camera(size_mm, card, size, rng)
    image = _draw_ground(camera, ground, rng)
    corners = camera.project(np.column_stack([CORNERS * size_mm, np.zeros(4)]))
    card_px = camera.project(np.column_stack([card, np.full(4, CARD_TOP_MM)]))
    for quad, soft in ((corners, 9.0), (card_px, 4.0)):
        _shade(image, quad, soft)
    shrink = float(np.sqrt(abs(cv2.contourArea(corners.astype(np.float32))) / (board.shape[0] * board.shape[1])))
    small = shrink_image(board, min(1.0, 1.25 * shrink))[0]
    _lay(image, small, np.ones(small.shape[:2], np.float32), corners)
    _lay_card(image, card_px, rng)
    return EmptyBoardPhoto(photograph(image, rng, strength), corners, card_px)


def _place_card(size_mm: tuple[float, float], turned: float) -> Floats:
    """Return the card's corners (4, 2) in millimetres of the board: upright, to its right."""
    middle = np.array([size_mm[0] + BESIDE_MM + CARD_MM[1] / 2 + 4, 0.4 * size_mm[1]])
    angle = np.deg2rad(turned)
    turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    return np.asarray((CORNERS - 0.5) * CARD_MM[::-1] @ turn + middle)


def _find_camera(size_mm: tuple[float, float], card: Floats, size: tuple[int, int], rng: np.random.Generator) -> Camera:
    """Return a camera as close as possible that sees board and card."""
    points = np.concatenate([CORNERS * size_mm, card])
    aim = (points.min(axis=0) + points.max(axis=0)) / 2
    how = {
        "elevation": float(rng.uniform(74, 88)),
        "azimuth": 90 + float(rng.normal(0, 5)),
        "roll": float(rng.normal(0, 2)),
        "focal_px": float(rng.uniform(0.7, 0.95) * size[0]),
    }
    room = (MARGIN_MM / max(size_mm)) * np.array(size)
    distance = 0.6 * max(size_mm)
    while True:
        camera = Camera.look_at(aim, distance=distance, size=size, **how)
        pixels = camera.project(np.column_stack([points, np.zeros(len(points))]))
        if np.isfinite(pixels).all() and (pixels > room).all() and (pixels < size - room).all():
            return camera
        distance *= 1.02


def _draw_ground(camera: Camera, kind: str, rng: np.random.Generator) -> Image:
    picture = draw_tabletop(kind, rng, 1024)
    to_mm = np.array([(1.2, 0, -300.0), (0, 1.2, -350.0), (0, 0, 1)])
    through = camera.plane(TABLE_MM) @ to_mm
    ground = cv2.warpPerspective(picture, through, camera.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(ground, np.uint8)


def _shade(image: Image, quad: Floats, soft: float) -> None:
    """Darken the table around a quad, most at its edges."""
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round((quad + 0.3 * soft) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    factor = 1 - 0.5 * cv2.GaussianBlur(mask, (0, 0), soft).astype(np.float32) / 255
    image[:] = (image * factor[..., None]).astype(np.uint8)


def _lay_card(image: Image, quad: Floats, rng: np.random.Generator) -> None:
    """Lay a card so that its corners, extrapolated from the rounded ones, coincide with a quad."""
    picture = _draw_card(rng)
    high, wide = picture.shape[:2]
    ys, xs = np.mgrid[:high, :wide] + 0.5
    radius = CARD_CORNER_MM * CARD_PX_PER_MM
    beyond = [np.maximum(np.abs(at - side / 2) - (side / 2 - radius), 0) for at, side in ((xs, wide), (ys, high))]
    _lay(image, picture, np.clip(radius - np.hypot(*beyond) + 0.5, 0, 1).astype(np.float32), quad)


def _lay(image: Image, picture: Image, alpha: Singles, quad: Floats) -> None:
    """Warp a picture (h, w, 3) with the coverage `alpha` (h, w) onto a quad, with subpixel edges."""
    high, wide = picture.shape[:2]
    source = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) - 0.5
    through = cv2.getPerspectiveTransform(source, (quad - 0.5).astype(np.float32))
    size = (image.shape[1], image.shape[0])
    laid = cv2.warpPerspective(picture, through, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpPerspective(alpha, through, size, flags=cv2.INTER_LINEAR)[..., None]
    image[:] = (image * (1 - cover) + laid * cover).astype(np.uint8)


def _draw_card(rng: np.random.Generator) -> Image:
    """Draw the back of an upright card: one colour, a dark stripe, a light field."""
    wide, high = (round(side * CARD_PX_PER_MM) for side in CARD_MM[::-1])
    picture = np.empty((high, wide, 3), np.uint8)
    picture[:] = rng.integers(30, 225, 3)
    picture[:, round(0.1 * wide) : round(0.32 * wide)] = 25
    picture[round(0.1 * high) : round(0.7 * high), round(0.45 * wide) : round(0.62 * wide)] = 230
    return picture


def load_enrolment(folder: Path, game: str) -> GameEnrolment:
    """Load a copy of a game that `python -m datasets.GAME` wrote to a folder: components.toml and a JPEG per board."""
    text = (folder / "components.toml").read_text(encoding="utf-8")
    pictures = {}
    for name, facts in read_pictures(text).items():
        photo = np.asarray(cv2.imread(str(folder / f"{name}.jpg")), np.uint8)
        assert facts.corners_px is not None
        pictures[name] = rectify_picture(photo, facts.corners_px, facts.size_mm)
    return GameEnrolment(game, text, pictures)
