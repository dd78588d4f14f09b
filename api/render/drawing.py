"""Parts of pictures with a score drawn over them, for any game: fills, labels, and the legend below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from api.render.fonts import find_font_file, keep_printable
from vision.arrays import Floats
from vision.arrays import Image as Pixels
from vision.errors import InputError

Colour = tuple[int, int, int]

COLOURS: dict[str, Colour] = {
    "red": (225, 45, 45),
    "blue": (40, 110, 240),
    "yellow": (250, 205, 20),
    "green": (40, 170, 70),
    "black": (35, 35, 35),
    "grey": (140, 140, 140),
    "gray": (140, 140, 140),
    "white": (245, 245, 245),
    "pink": (245, 125, 185),
    "purple": (140, 70, 190),
    "orange": (245, 135, 30),
    "brown": (125, 80, 45),
    "wood": (210, 170, 120),
    "clear": (205, 225, 230),
}
"""RGB values of the players' colours. A guess."""

DOUBT: Colour = (255, 0, 200)
DARK: Colour = (24, 26, 30)
LIGHT: Colour = (245, 245, 245)
SUBPIXEL = 4
"""Fractional bits of OpenCV's point coordinates: points are in sixteenths of a pixel."""

_OTHER_COLOUR: Colour = (0, 200, 200)
_DIMMED = 0.78
"""Brightness of the photo under the drawing. A guess."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Sizes of drawn things in pixels: a tile's side, a line's width, and the text of labels and legend."""

    tile: float
    line: int
    text: int
    legend: int

    @classmethod
    def of(cls, sides: Sequence[float], width: int, height: int) -> Scale:
        """Choose sizes for a photo by the sides of its tiles or squares."""
        tile = float(np.median(sides)) if sides else max(width, height) / 12
        legend = max(14, round(max(width, height) / 60))
        return cls(tile, max(1, round(tile / 60)), max(11, round(tile * 0.17)), legend)


@dataclass(frozen=True, slots=True)
class Legend:
    """The text below a picture: the totals by player, the lines on doubts, and further notes.

    `names` are the players' names where they differ from their colours.
    """

    title: str
    totals: Mapping[str, int]
    lines: Sequence[str]
    notes: Sequence[str] = ()
    names: Mapping[str, str] = field(default_factory=dict)


def dim_photo(pixels: Pixels) -> Pixels:
    """Return a photo (h, w, 3) BGR as a darker RGB canvas to draw on."""
    return np.ascontiguousarray(pixels[:, :, ::-1] * np.float32(_DIMMED), np.uint8)


def add_legend(canvas: Pixels, legend: Legend, scale: Scale) -> Image.Image:
    """Return the canvas with its legend below, in as many rows as its width requires."""
    height, width = canvas.shape[:2]
    totals, lines = _lay_totals(legend, width, scale), _wrap_lines(legend.lines, width, scale)
    notes = _wrap_lines(legend.notes, width, scale)
    rows = totals[-1].row + 1 + len(lines) + len(notes)
    band = np.full((round(1.8 * scale.legend * rows + 1.2 * scale.legend), width, 3), DARK, np.uint8)
    picture = Image.fromarray(np.vstack([canvas, band]))
    inked_lines = [*((line, DOUBT) for line in lines), *((note, LIGHT) for note in notes)]
    _write_legend(picture, totals, inked_lines, height, scale)
    return picture


def convert_to_bgr(picture: Image.Image) -> Pixels:
    """Convert a picture to (h, w, 3) BGR."""
    return np.asarray(cv2.cvtColor(np.asarray(picture), cv2.COLOR_RGB2BGR), np.uint8)


def swap_colour_order(picture: Pixels) -> Pixels:
    """Swap RGB and BGR of a picture (h, w, 3)."""
    return np.ascontiguousarray(picture[:, :, ::-1])


def write_picture(path: Path, picture: Pixels) -> None:
    """Write a picture (h, w, 3) BGR as JPEG or PNG, by the file's suffix; raises InputError."""
    if path.suffix.lower() not in (".jpg", ".jpeg", ".png"):
        raise InputError("cannot_write", "Pictures are written as .jpg or .png.", {"file": str(path)})
    options = [] if path.suffix.lower() == ".png" else [cv2.IMWRITE_JPEG_QUALITY, 90]
    done, data = cv2.imencode(path.suffix, picture, options)
    if not done:
        raise InputError("cannot_write", details={"file": str(path)})
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise InputError("cannot_write", details={"file": str(path), "reason": error.strerror}) from error


def get_player_rgb(player: str) -> Colour:
    """Return the RGB value in which a player's colour is drawn."""
    return COLOURS.get(player, _OTHER_COLOUR)


def fill_rings(
    canvas: Pixels, pixels: Pixels, rings: Sequence[Floats], owners: Sequence[Colour], strength: float, scale: Scale
) -> None:
    """Fill rings with their owners' colours (stripes if several share them), and draw the border."""
    painted = _painted(canvas, pixels, rings, owners, strength, scale, 0)
    if painted is not None:
        part, shifted = painted
        cv2.polylines(part, shifted, True, DARK, 3 * scale.line, cv2.LINE_AA, SUBPIXEL)
        cv2.polylines(part, shifted, True, owners[0], max(1, 2 * scale.line - 1), cv2.LINE_AA, SUBPIXEL)


def fill_narrow_rings(
    canvas: Pixels, pixels: Pixels, rings: Sequence[Floats], owners: Sequence[Colour], strength: float, scale: Scale
) -> None:
    """Fill long and narrow rings with their owners' colours, widened and without a border."""
    _painted(canvas, pixels, rings, owners, strength, scale, 3 * scale.line)


def _painted(
    canvas: Pixels,
    pixels: Pixels,
    rings: Sequence[Floats],
    owners: Sequence[Colour],
    strength: float,
    scale: Scale,
    wider: int,
) -> tuple[Pixels, list[NDArray[np.int32]]] | None:
    """Fill rings; return the part of the canvas and the rings in it, or None if they lie outside."""
    box = _box(rings, canvas, margin=4 * scale.line + 2)
    if box is None:
        return None
    rows, cols = box
    part = canvas[rows, cols]
    shifted = [scale_to_subpixels(ring - (cols.start, rows.start)) for ring in rings]
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillPoly(mask, shifted, 255, cv2.LINE_AA, SUBPIXEL)
    if wider:
        cv2.polylines(mask, shifted, True, 255, wider, cv2.LINE_AA, SUBPIXEL)
    paint = _stripes(part.shape[:2], owners, scale)
    inside = (mask / np.float32(255))[:, :, None]
    vivid = pixels[rows, cols, ::-1] * (1 - strength) + paint * strength
    part[:] = part * (1 - inside) + vivid * inside
    return part, shifted


def _box(rings: Sequence[Floats], canvas: Pixels, margin: int) -> tuple[slice, slice] | None:
    """Return the rows and columns of the canvas that the rings touch, or None if they lie outside."""
    if not rings:
        return None
    points = np.concatenate(rings)
    left, top = np.maximum(np.floor(points.min(axis=0)).astype(int) - margin, 0)
    right, bottom = np.ceil(points.max(axis=0)).astype(int) + margin
    right, bottom = min(right, canvas.shape[1]), min(bottom, canvas.shape[0])
    return (slice(top, bottom), slice(left, right)) if left < right and top < bottom else None


def scale_to_subpixels(points: Floats) -> NDArray[np.int32]:
    """Convert points (n, 2) to OpenCV's integers for SUBPIXEL."""
    return np.asarray(np.round(points * 2**SUBPIXEL), np.int32)


def _stripes(shape: tuple[int, int], owners: Sequence[Colour], scale: Scale) -> NDArray[np.float32]:
    """Return diagonal stripes (h, w, 3) of the owners' colours, a fifth of a tile wide, or one owner's colour."""
    palette = np.asarray(owners, np.float32)
    if len(owners) == 1:
        return palette[None]
    rows, cols = np.ogrid[: shape[0], : shape[1]]
    turn: NDArray[np.int64] = ((rows + cols) // max(2, round(scale.tile / 5))) % len(owners)
    return np.asarray(palette[turn], np.float32)


def shrink_ring(corners: Sequence[tuple[float, float]], factor: float) -> Floats:
    """Scale a ring about its centre by a factor."""
    points = np.asarray(corners, np.float64)
    centre = points.mean(axis=0)
    return np.asarray(centre + (points - centre) * factor, np.float64)


def draw_ring(canvas: Pixels, foot: tuple[float, float], ring: Colour, scale: Scale) -> None:
    """Draw a ring around a piece, a fifth of a tile from its foot."""
    centre = scale_to_subpixels(np.asarray(foot, np.float64)).tolist()
    for colour, width in ((DARK, 6 * scale.line), (LIGHT, 5 * scale.line), (ring, 3 * scale.line)):
        cv2.circle(canvas, centre, round(0.2 * scale.tile * 2**SUBPIXEL), colour, width, cv2.LINE_AA, SUBPIXEL)


def draw_doubt_outlines(canvas: Pixels, rings: Sequence[NDArray[np.int32]], scale: Scale) -> None:
    """Draw outlines around doubtful tiles or spots."""
    for colour, width in ((LIGHT, 7 * scale.line), (DOUBT, 5 * scale.line)):
        cv2.polylines(canvas, list(rings), True, colour, width, cv2.LINE_AA, SUBPIXEL)


@lru_cache(maxsize=64)
def load_font(size: int) -> ImageFont.FreeTypeFont:
    """Load the font of pictures in a size in pixels; it covers the letters of all supported languages."""
    return ImageFont.truetype(find_font_file("Semibold"), size)


def measure_label(text: str, scale: Scale) -> tuple[float, float]:
    """Return a label's width and height in pixels."""
    left, top, right, bottom = load_font(scale.text).getbbox(text, anchor="mm")
    return right - left + 0.8 * scale.text, bottom - top + 0.8 * scale.text


def draw_label(draw: ImageDraw.ImageDraw, at: tuple[float, float], text: str, paint: Colour, scale: Scale) -> None:
    """Draw a text on a coloured patch centred at a point."""
    font = load_font(scale.text)
    box = draw.textbbox(at, text, font, anchor="mm")
    pad = 0.4 * scale.text
    outer = (box[0] - pad, box[1] - pad, box[2] + pad, box[3] + pad)
    draw.rounded_rectangle(outer, pad, fill=paint, outline=LIGHT, width=scale.line)
    draw.text(at, text, _ink_on(paint), font, anchor="mm")


def _ink_on(paint: Colour) -> Colour:
    """Return dark ink for a light colour, light ink for a dark one."""
    return DARK if 0.3 * paint[0] + 0.59 * paint[1] + 0.11 * paint[2] > 140 else LIGHT


def draw_question_mark(draw: ImageDraw.ImageDraw, at: tuple[float, float], scale: Scale) -> None:
    """Draw a question mark."""
    font = load_font(2 * scale.text)
    draw.text(at, "?", DOUBT, font, anchor="mm", stroke_width=2 * scale.line, stroke_fill=LIGHT)


@dataclass(frozen=True, slots=True)
class _Total:
    """A text in the legend's first rows, with a disc for a player: its row, and its left edge in pixels."""

    text: str
    player: str | None
    row: int
    left: float


def _lay_totals(legend: Legend, width: int, scale: Scale) -> list[_Total]:
    """Lay out the title and each player's points in rows that fit the width."""
    size, font = scale.legend, load_font(round(1.2 * scale.legend))
    totals = [_Total(legend.title, None, 0, 1.2 * size)]
    row, left = 0, 2.7 * size + font.getlength(legend.title)
    for player, points in legend.totals.items():
        text = f"{keep_printable(legend.names.get(player, player))} {points}"
        wide = 1.5 * size + font.getlength(text)
        if left + wide > width - 1.2 * size and left > 1.2 * size:
            row, left = row + 1, 1.2 * size
        totals.append(_Total(text, player, row, left))
        left += wide + 1.7 * size
    return totals


def _wrap_lines(lines: Sequence[str], width: int, scale: Scale) -> list[str]:
    """Break lines between words to fit the width."""
    font = load_font(scale.legend)
    wrapped: list[str] = []
    for line in map(keep_printable, lines):
        first, *others = line.split(" ")
        row = first
        for word in others:
            if font.getlength(f"{row} {word}") > width - 2.4 * scale.legend:
                wrapped.append(row)
                row = word
            else:
                row = f"{row} {word}"
        wrapped.append(row)
    return wrapped


def _write_legend(
    picture: Image.Image, totals: Sequence[_Total], lines: Sequence[tuple[str, Colour]], top: int, scale: Scale
) -> None:
    draw, size, font = ImageDraw.Draw(picture), scale.legend, load_font(round(1.2 * scale.legend))
    for total in totals:
        x, y = total.left, top + 1.5 * size + 1.8 * size * total.row
        if total.player is not None:
            paint = get_player_rgb(total.player)
            draw.ellipse((x, y - 0.55 * size, x + 1.1 * size, y + 0.55 * size), paint, LIGHT, scale.line)
            x += 1.5 * size
        draw.text((x, y), total.text, LIGHT, font, anchor="lm")
    for row, (line, ink) in enumerate(lines, totals[-1].row + 1):
        draw.text((1.2 * size, top + 1.5 * size + 1.8 * size * row), line, ink, load_font(size), anchor="lm")
