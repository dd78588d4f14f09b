"""Tracks of spaces of several shapes, straight or curved, drawn as on a straightened picture of a board."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Floats, Image

SIZE = (1600, 1200)
SHAPES = ("round", "box", "hexagon", "dot", "shield")
FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
)
GOLD, RED, BLUE = (110, 190, 225), (60, 80, 170), (190, 150, 90)


def draw_ground(rng: np.random.Generator) -> Image:
    """Draw a mottled map with coasts, in which nothing repeats."""
    noise = cv2.resize(rng.normal(0, 1, (9, 12)).astype(np.float32), SIZE, interpolation=cv2.INTER_CUBIC)
    ground = np.where(noise[..., None] > 0.2, np.array((150.0, 200, 220)), np.array((170.0, 150, 110)))
    picture = np.asarray(cv2.GaussianBlur(ground, (0, 0), 4) + rng.normal(0, 3, ground.shape), np.float64)
    for _ in range(6):
        points = rng.uniform((0, 0), SIZE, (5, 2)).astype(np.int32)
        cv2.polylines(picture, [points], False, tuple(rng.uniform(60, 160, 3).tolist()), 2, cv2.LINE_AA)
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def draw_space(picture: Image, shape: str, at: Floats, radius: float, colour: Sequence[int]) -> None:
    """Draw one space with its outline."""
    turns = {"hexagon": np.arange(6) * 60, "box": 45 + np.arange(4) * 90, "shield": np.array([225, 315, 0, 90, 180])}
    x, y = (round(float(value)) for value in at)
    if shape in ("round", "dot"):
        cv2.circle(picture, (x, y), round(radius), colour, -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), round(radius), (40, 50, 60), 2, cv2.LINE_AA)
        return
    angles = np.radians(turns[shape])
    reach = radius * (1.3 if shape == "box" else 1.1)
    corners = np.rint(at + reach * np.column_stack([np.cos(angles), np.sin(angles)])).astype(np.int32)
    cv2.fillPoly(picture, [corners], colour, cv2.LINE_AA)
    cv2.polylines(picture, [corners], True, (40, 50, 60), 2, cv2.LINE_AA)


def draw_track(picture: Image, shape: str, places: Floats, radius: float, font: int | None, first: int = 0) -> None:
    """Draw spaces at (n, 2) places, every fifth in another colour; with a font, their numbers."""
    for number, at in enumerate(places, first):
        draw_space(picture, shape, at, radius, RED if number % 5 == 0 else GOLD)
        if font is None:
            continue
        scale = radius / 26
        (width, height), _ = cv2.getTextSize(str(number), font, scale, 2)
        left = (round(float(at[0]) - width / 2), round(float(at[1]) + height / 2))
        cv2.putText(picture, str(number), left, font, scale, (30, 30, 30), 2, cv2.LINE_AA)


def spoil(picture: Image, rng: np.random.Generator) -> Image:
    """Return a picture as a photo shows it: blurred, uneven in light, with noise, and straightened a little askew."""
    wide, high = SIZE
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    moved = (corners + rng.normal(0, 2.5, (4, 2))).astype(np.float32)
    warped = cv2.warpPerspective(
        picture, cv2.getPerspectiveTransform(corners, moved), SIZE, borderMode=cv2.BORDER_REPLICATE
    )
    light = np.linspace(0.75, 1.1, wide)[None, :, None]
    photo = cv2.GaussianBlur(warped, (0, 0), 1.3) * light + rng.normal(0, 4, picture.shape)
    return np.asarray(np.clip(photo, 0, 255), np.uint8)


def place_straight(first: tuple[float, float], last: tuple[float, float], count: int) -> Floats:
    """Return `count` + 1 places on a straight line."""
    return np.linspace(first, last, count + 1)


def place_on_arc(middle: tuple[float, float], radius: float, start: float, end: float, count: int) -> Floats:
    """Return `count` + 1 places on an arc between two angles in degrees."""
    angles = np.radians(np.linspace(start, end, count + 1))
    return np.asarray(np.array(middle) + radius * np.column_stack([np.cos(angles), np.sin(angles)]))
