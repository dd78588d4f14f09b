"""Objects on a table that are not tiles of the board, painted straight into the photo."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.scene.camera import Camera
from vision.arrays import Floats, Image


def add_clutter(
    image: Image, camera: Camera, around: tuple[float, float, float, float], rng: np.random.Generator
) -> None:
    """Put a few objects outside the rectangle `around` (col, row, col, row; lattice units) of the board."""
    makers = (_score_board, _card, _box, _cup, _sheet, draw_hand)
    weights = np.array([3, 3, 2, 2, 2, 1], float)
    for _ in range(int(rng.integers(0, 5))):
        maker = makers[int(rng.choice(len(makers), p=weights / weights.sum()))]
        maker(image, camera, find_place_beside(around, rng), rng)


def find_place_beside(around: tuple[float, float, float, float], rng: np.random.Generator) -> tuple[float, float]:
    x0, y0, x1, y1 = around
    gap = rng.uniform(1.2, 5)
    side = int(rng.integers(4))
    along = rng.uniform(-0.1, 1.1)
    if side % 2:
        return (x0 - gap if side == 1 else x1 + gap, y0 + along * (y1 - y0))
    return (x0 + along * (x1 - x0), y0 - gap if side == 0 else y1 + gap)


def build_rectangle(at: tuple[float, float], size: tuple[float, float], angle: float) -> Floats:
    """Return the (4, 2) corners of a turned rectangle in lattice units; `angle` in radians."""
    c, s = np.cos(angle), np.sin(angle)
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float) * np.array(size) / 2
    return np.asarray(corners @ np.array([[c, s], [-s, c]]) + at)


def paste(image: Image, picture: Image, quad_px: Floats, outline_px: Floats | None = None) -> None:
    """Warp `picture` so that its corners lie on `quad_px` (4, 2) and paint it into `image`.

    If an outline (n, 2) is given, only pixels inside it are painted.
    """
    if not np.isfinite(quad_px).all():
        return
    h, w = image.shape[:2]
    low = np.clip(np.floor(quad_px.min(0)).astype(int) - 1, 0, (w, h))
    high = np.clip(np.ceil(quad_px.max(0)).astype(int) + 2, 0, (w, h))
    if (high <= low).any():
        return
    ph, pw = picture.shape[:2]
    source = np.array([(0, 0), (pw, 0), (pw, ph), (0, ph)], np.float32) - 0.5
    local = quad_px - low
    m = cv2.getPerspectiveTransform(source, (local - 0.5).astype(np.float32))
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    warped = cv2.warpPerspective(picture, m, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros(size[::-1], np.uint8)
    outline = local if outline_px is None else outline_px - low
    cv2.fillPoly(mask, [np.round((outline - 0.5) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    region = image[low[1] : high[1], low[0] : high[0]]
    alpha = mask[..., None].astype(np.float32) / 255
    region[:] = (region + (warped.astype(np.float32) - region) * alpha + 0.5).astype(np.uint8)


def _flat(image: Image, camera: Camera, corners: Floats, picture: Image) -> None:
    paste(image, picture, camera.project(np.column_stack([corners, np.zeros(4)])))


def _paper_colour(rng: np.random.Generator) -> tuple[int, int, int]:
    b, g, r = (int(v) for v in rng.integers(90, 256, 3))
    return b, g, r


def _score_board(image: Image, camera: Camera, at: tuple[float, float], rng: np.random.Generator) -> None:
    """Draw a sand-coloured board with a ring of numbered spaces."""
    w, h = 220, int(rng.integers(130, 220))
    ground = rng.integers((90, 150, 170), (190, 225, 245))
    picture = np.full((h, w, 3), ground, np.uint8)
    cell = int(rng.integers(15, 26))
    spots = [(x, y) for x in range(cell, w - cell, cell) for y in (cell, h - cell)]
    spots += [(x, y) for y in range(2 * cell, h - cell, cell) for x in (cell, w - cell)]
    light = tuple(int(v) for v in np.clip(ground + rng.integers(10, 50), 0, 255))
    for i, (x, y) in enumerate(spots):
        cv2.circle(picture, (x, y), cell // 2 - 1, light, -1, cv2.LINE_AA)
        cv2.putText(picture, str(i), (x - 6, y + 4), cv2.FONT_HERSHEY_SIMPLEX, 0.3, (40, 60, 80), 1, cv2.LINE_AA)
    size = (rng.uniform(3.5, 6.5), rng.uniform(2.2, 4))
    _flat(image, camera, build_rectangle(at, size, rng.uniform(0, np.pi)), picture)


def _card(image: Image, camera: Camera, at: tuple[float, float], rng: np.random.Generator) -> None:
    """Draw small cards, tile backs and punched tokens in a loose pile."""
    for _ in range(int(rng.integers(1, 8))):
        picture = np.full((48, 48, 3), rng.integers(20, 240, 3), np.uint8)
        cv2.rectangle(picture, (4, 4), (43, 43), _paper_colour(rng), int(rng.integers(1, 4)))
        cv2.circle(picture, (24, 24), int(rng.integers(4, 16)), _paper_colour(rng), -1, cv2.LINE_AA)
        spot = (at[0] + rng.normal(0, 0.8), at[1] + rng.normal(0, 0.8))
        _flat(image, camera, build_rectangle(spot, (rng.uniform(0.4, 1.0),) * 2, rng.uniform(0, np.pi)), picture)


def _box(image: Image, camera: Camera, at: tuple[float, float], rng: np.random.Generator) -> None:
    """Draw a box with height: its sides, then its lid with a picture of blobs."""
    corners = build_rectangle(at, (rng.uniform(2, 6), rng.uniform(2, 6)), rng.uniform(0, np.pi))
    height = rng.uniform(0.2, 1.6)
    foot = camera.project(np.column_stack([corners, np.zeros(4)]))
    top = camera.project(np.column_stack([corners, np.full(4, height)]))
    if not (np.isfinite(foot).all() and np.isfinite(top).all()):
        return
    colour = rng.integers(10, 200, 3)
    for i in np.argsort(-camera.depth(np.column_stack([corners, np.zeros(4)]))):
        j = (i + 1) % 4
        side = np.array([foot[i], foot[j], top[j], top[i]])
        shade = [float(v) for v in colour * rng.uniform(0.5, 0.9)]
        cv2.fillPoly(image, [np.round(side * 16).astype(np.int32)], shade, cv2.LINE_AA, 4)
    blobs = cv2.resize(rng.integers(0, 255, (6, 6, 3)).astype(np.uint8), (64, 64), interpolation=cv2.INTER_CUBIC)
    lid = cv2.addWeighted(blobs, 0.5, np.full((64, 64, 3), colour, np.uint8), 0.5, 0)
    paste(image, np.asarray(lid, dtype=np.uint8), top)


def _cup(image: Image, camera: Camera, at: tuple[float, float], rng: np.random.Generator) -> None:
    """Draw a glass, a cup or a plate as stacked rings."""
    radius, height = rng.uniform(0.4, 1.6), rng.uniform(0.05, 1.8)
    a = np.linspace(0, 2 * np.pi, 28, endpoint=False)
    colour = rng.integers(30, 255, 3)
    for z in np.linspace(0, height, 6):
        ring = np.column_stack([at[0] + radius * np.cos(a), at[1] + radius * np.sin(a), np.full(28, z)])
        pixels = camera.project(ring)
        if not np.isfinite(pixels).all():
            return
        shade = [float(v) for v in np.clip(colour * rng.uniform(0.6, 1.1), 0, 255)]
        cv2.fillPoly(image, [np.round(pixels * 16).astype(np.int32)], shade, cv2.LINE_AA, 4)


def _sheet(image: Image, camera: Camera, at: tuple[float, float], rng: np.random.Generator) -> None:
    """Draw a sheet or booklet with lines of text."""
    picture = np.full((120, 90, 3), rng.integers(170, 256, 3), np.uint8)
    for y in range(10, 112, 6):
        cv2.line(picture, (8, y), (int(rng.integers(30, 84)), y), (70, 70, 70), 1 + int(rng.random() < 0.2))
    _flat(image, camera, build_rectangle(at, (rng.uniform(2, 4.5), rng.uniform(3, 6)), rng.uniform(0, np.pi)), picture)


def draw_hand(image: Image, camera: Camera, at: tuple[float, float], rng: np.random.Generator) -> None:
    """Draw an arm with fingers as strokes in the colour of skin or a sleeve, reaching in from outside the picture."""
    tone = rng.uniform(0.35, 1.0)
    skin = [float(v) for v in np.array([150, 175, 225]) * tone * rng.uniform(0.9, 1.1, 3)]
    start, beside = camera.project(np.array([[*at, 0.5], [at[0] + 1, at[1], 0.5]]))
    if not np.isfinite([start, beside]).all():
        return
    h, w = image.shape[:2]
    away = start - (w / 2, h / 2)
    away /= np.linalg.norm(away) + 1e-6
    scale = float(np.linalg.norm(start - beside))
    width = int(np.clip(scale * rng.uniform(1.0, 1.8), 2, 250))

    def stroke(p: Floats, q: Floats, thickness: int) -> None:
        a, b = (tuple(int(v) for v in np.clip(x, -4000, 4000)) for x in (p, q))
        cv2.line(image, a, b, skin, thickness, cv2.LINE_AA)

    stroke(start, start + away * 8 * scale, width)
    for angle in np.linspace(-0.5, 0.5, 4):
        c, s = np.cos(angle), np.sin(angle)
        finger = -np.array([away[0] * c - away[1] * s, away[0] * s + away[1] * c])
        stroke(start, start + finger * scale * rng.uniform(0.8, 1.6), max(1, width // 4))
