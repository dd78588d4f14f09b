"""The photo with its score drawn over it: who scores what where, what is in doubt, and the totals below."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from api.document import Entry, Feature, Report
from vision.errors import InputError

Pixels = NDArray[np.uint8]
Colour = tuple[int, int, int]
Ring = NDArray[np.float64]

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
}
"""RGB of the players' colours."""

_OTHER_COLOUR: Colour = (0, 200, 200)
_DOUBT: Colour = (255, 0, 200)
_DARK: Colour = (24, 26, 30)
_LIGHT: Colour = (245, 245, 245)
_STRENGTH = {"field": 0.42, "city": 0.5, "road": 0.9, "monastery": 0.55, "garden": 0.55, "wonder": 0.55}
_DIMMED = 0.78
"""The photo's brightness under the drawing."""
_SUBPIXEL = 4
"""OpenCV takes points in sixteenths of a pixel when told to shift by four bits."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How large things are drawn, in pixels: a tile's side, a line's width, and the text of labels and legend."""

    tile: float
    line: int
    text: int
    legend: int

    @classmethod
    def of(cls, report: Report, width: int, height: int) -> Scale:
        """Sizes that suit the photo and its tiles."""
        sides = [
            np.linalg.norm(np.subtract(tile.corners_px[0], tile.corners_px[1]))
            for tile in report.board.tiles
            if tile.corners_px
        ]
        tile = float(np.median(sides)) if sides else max(width, height) / 12
        legend = max(14, round(max(width, height) / 60))
        return cls(tile, max(1, round(tile / 60)), max(11, round(tile * 0.17)), legend)


def annotate(pixels: Pixels, report: Report) -> Pixels:
    """The photo (h, w, 3) BGR with the report drawn over it and a legend below, taller than the photo."""
    height, width = pixels.shape[:2]
    scale = Scale.of(report, width, height)
    canvas = np.ascontiguousarray(pixels[:, :, ::-1] * np.float32(_DIMMED), np.uint8)
    _draw_features(canvas, pixels, report, scale)
    _draw_tiles(canvas, report, scale)
    _draw_meeples(canvas, report, scale)
    picture = Image.fromarray(np.vstack([canvas, _legend_band(report, width, scale)]))
    _write_kinds(picture, report, scale)
    _write_points(picture, report, scale)
    _write_doubts(picture, report, scale)
    _write_legend(picture, report, height, scale)
    return np.asarray(cv2.cvtColor(np.asarray(picture), cv2.COLOR_RGB2BGR), np.uint8)


def write_annotated(path: Path, pixels: Pixels, report: Report) -> None:
    """Write the annotated photo as JPEG or PNG, by the file's ending; raises InputError."""
    write_picture(path, annotate(pixels, report))


def write_picture(path: Path, picture: Pixels) -> None:
    """Write a picture (h, w, 3) BGR as JPEG or PNG, by the file's ending; raises InputError."""
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


def colour_of(player: str) -> Colour:
    """The RGB that a player's colour is drawn in."""
    return COLOURS.get(player, _OTHER_COLOUR)


def _entries_by_feature(report: Report) -> dict[str, list[Entry]]:
    entries = defaultdict(list)
    for entry in report.scores.entries:
        entries[entry.feature].append(entry)
    return entries


def _draw_features(canvas: Pixels, pixels: Pixels, report: Report, scale: Scale) -> None:
    """Fill what scores, fields first so that cities and roads lie on them."""
    entries = _entries_by_feature(report)
    order = {"field": 0, "city": 1, "monastery": 2, "garden": 2, "wonder": 2, "road": 3}
    for feature in sorted(report.features, key=lambda feature: order[feature.kind]):
        if feature.id in entries and feature.outline_px:
            owners = [colour_of(entry.player) for entry in entries[feature.id]]
            _fill(canvas, pixels, feature, owners, scale)


def _fill(canvas: Pixels, pixels: Pixels, feature: Feature, owners: list[Colour], scale: Scale) -> None:
    """Fill a feature in its owners' colours (stripes where several share it) and draw its border."""
    rings = [np.asarray(ring, np.float64) for ring in feature.outline_px or ()]
    box = _box(rings, canvas, margin=4 * scale.line + 2)
    if box is None:
        return
    rows, cols = box
    part = canvas[rows, cols]
    shifted = [_fixed(ring - (cols.start, rows.start)) for ring in rings]
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillPoly(mask, shifted, 255, cv2.LINE_AA, _SUBPIXEL)
    if feature.kind == "road":
        cv2.polylines(mask, shifted, True, 255, 3 * scale.line, cv2.LINE_AA, _SUBPIXEL)
    paint = _stripes(part.shape[:2], owners, scale)
    strength, inside = _STRENGTH[feature.kind], (mask / np.float32(255))[:, :, None]
    vivid = pixels[rows, cols, ::-1] * (1 - strength) + paint * strength
    part[:] = part * (1 - inside) + vivid * inside
    if feature.kind != "road":
        cv2.polylines(part, shifted, True, _DARK, 3 * scale.line, cv2.LINE_AA, _SUBPIXEL)
        cv2.polylines(part, shifted, True, owners[0], max(1, 2 * scale.line - 1), cv2.LINE_AA, _SUBPIXEL)


def _box(rings: list[Ring], canvas: Pixels, margin: int) -> tuple[slice, slice] | None:
    """The rows and columns of the canvas that the rings touch; None where they lie outside it."""
    points = np.concatenate(rings)
    left, top = np.maximum(np.floor(points.min(axis=0)).astype(int) - margin, 0)
    right, bottom = np.ceil(points.max(axis=0)).astype(int) + margin
    right, bottom = min(right, canvas.shape[1]), min(bottom, canvas.shape[0])
    return (slice(top, bottom), slice(left, right)) if left < right and top < bottom else None


def _fixed(points: Ring) -> NDArray[np.int32]:
    return np.asarray(np.round(points * 2**_SUBPIXEL), np.int32)


def _stripes(shape: tuple[int, int], owners: list[Colour], scale: Scale) -> NDArray[np.float32]:
    """Diagonal stripes, a fifth of a tile wide, of the owners in turn; (h, w, 3), or one colour for one owner."""
    palette = np.asarray(owners, np.float32)
    if len(owners) == 1:
        return palette[None]
    rows, cols = np.ogrid[: shape[0], : shape[1]]
    turn: NDArray[np.int64] = ((rows + cols) // max(2, round(scale.tile / 5))) % len(owners)
    return np.asarray(palette[turn], np.float32)


def _draw_tiles(canvas: Pixels, report: Report, scale: Scale) -> None:
    """Thin outlines of all tiles, striking ones around those in doubt."""
    known = [tile for tile in report.board.tiles if tile.corners_px]
    thin = [_fixed(np.asarray(tile.corners_px, np.float64)) for tile in known if not tile.doubtful]
    doubtful = [_fixed(_shrunk(tile.corners_px or [], 0.95)) for tile in known if tile.doubtful]
    cv2.polylines(canvas, thin, True, (225, 225, 225), max(1, scale.line // 2), cv2.LINE_AA, _SUBPIXEL)
    for colour, width in ((_LIGHT, 7 * scale.line), (_DOUBT, 5 * scale.line)):
        cv2.polylines(canvas, doubtful, True, colour, width, cv2.LINE_AA, _SUBPIXEL)


def _shrunk(corners: list[tuple[float, float]], factor: float) -> Ring:
    points = np.asarray(corners, np.float64)
    centre = points.mean(axis=0)
    return np.asarray(centre + (points - centre) * factor, np.float64)


def _draw_meeples(canvas: Pixels, report: Report, scale: Scale) -> None:
    radius = 0.2 * scale.tile
    for meeple in report.board.meeples:
        if meeple.foot_px is None:
            continue
        ring = _DOUBT if meeple.doubtful else colour_of(meeple.colour)
        for colour, width in ((_DARK, 6 * scale.line), (_LIGHT, 5 * scale.line), (ring, 3 * scale.line)):
            centre = _fixed(np.asarray(meeple.foot_px, np.float64))
            cv2.circle(canvas, centre.tolist(), round(radius * 2**_SUBPIXEL), colour, width, cv2.LINE_AA, _SUBPIXEL)


def _write_kinds(picture: Image.Image, report: Report, scale: Scale) -> None:
    """What a piece is, below it, where it is no plain meeple."""
    draw, font = ImageDraw.Draw(picture), _font(scale.text)
    for meeple in report.board.meeples:
        if meeple.foot_px is not None and meeple.kind != "meeple":
            x, y = meeple.foot_px
            at, edge = (x, y + 0.3 * scale.tile), max(2, scale.line)
            draw.text(at, meeple.kind, _LIGHT, font, anchor="mm", stroke_width=edge, stroke_fill=_DARK)


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _write_points(picture: Image.Image, report: Report, scale: Scale) -> None:
    """A label a scoring feature: its points on its owner's colour, beside one of that player's meeples."""
    draw = ImageDraw.Draw(picture)
    for feature, entries in _entries_by_feature(report).items():
        for entry in entries:
            spot = _meeple_of(report, feature, entry.player)
            if spot is not None:
                _write_label(draw, (spot[0], spot[1] - 0.36 * scale.tile), f"{feature} +{entry.points}", entry, scale)


def _meeple_of(report: Report, feature: str, player: str) -> tuple[float, float] | None:
    """The foot of the player's meeple on a feature that stands highest in the photo."""
    feet = [m.foot_px for m in report.board.meeples if m.feature == feature and m.colour == player and m.foot_px]
    return min(feet, key=lambda foot: foot[1], default=None)


def _write_label(draw: ImageDraw.ImageDraw, at: tuple[float, float], text: str, entry: Entry, scale: Scale) -> None:
    font, paint = _font(scale.text), colour_of(entry.player)
    box = draw.textbbox(at, text, font, anchor="mm")
    pad = 0.4 * scale.text
    outer = (box[0] - pad, box[1] - pad, box[2] + pad, box[3] + pad)
    draw.rounded_rectangle(outer, pad, fill=paint, outline=_LIGHT, width=scale.line)
    draw.text(at, text, _ink_on(paint), font, anchor="mm")


def _ink_on(paint: Colour) -> Colour:
    """Dark ink on light paint, light on dark."""
    return _DARK if 0.3 * paint[0] + 0.59 * paint[1] + 0.11 * paint[2] > 140 else _LIGHT


def _write_doubts(picture: Image.Image, report: Report, scale: Scale) -> None:
    draw, font = ImageDraw.Draw(picture), _font(2 * scale.text)
    for tile in report.board.tiles:
        if tile.doubtful and tile.corners_px:
            x, y = np.mean(tile.corners_px, axis=0)
            draw.text((x, y), "?", _DOUBT, font, anchor="mm", stroke_width=2 * scale.line, stroke_fill=_LIGHT)


def _legend_lines(report: Report) -> list[str]:
    """What stands below the totals: doubts and problems, if there are any."""
    tiles = sum(tile.doubtful for tile in report.board.tiles)
    meeples = sum(meeple.doubtful for meeple in report.board.meeples)
    counts = [(tiles, "doubtful tile"), (meeples, "doubtful meeple"), (len(report.board.problems), "problem")]
    told = [f"{count} {what}{'s' if count > 1 else ''}" for count, what in counts if count]
    if report.doubtful:
        told.append("the score may change")
    return [", ".join(told)] if told else []


def _legend_band(report: Report, width: int, scale: Scale) -> Pixels:
    """The empty band below the photo, high enough for its lines."""
    lines = 1 + len(_legend_lines(report))
    return np.full((round(1.8 * scale.legend * lines + 1.2 * scale.legend), width, 3), _DARK, np.uint8)


def _write_legend(picture: Image.Image, report: Report, top: int, scale: Scale) -> None:
    draw, size = ImageDraw.Draw(picture), scale.legend
    x, y, font = 1.2 * size, top + 1.5 * size, _font(round(1.2 * size))
    draw.text((x, y), "Final scoring", _LIGHT, font, anchor="lm")
    x += draw.textlength("Final scoring", font) + 1.5 * size
    for player, points in report.scores.final_scoring.items():
        draw.ellipse((x, y - 0.55 * size, x + 1.1 * size, y + 0.55 * size), colour_of(player), _LIGHT, scale.line)
        text = f"{player} {points}"
        draw.text((x + 1.5 * size, y), text, _LIGHT, font, anchor="lm")
        x += 3.2 * size + draw.textlength(text, font)
    for number, line in enumerate(_legend_lines(report), 1):
        draw.text((1.2 * size, y + 1.8 * size * number), line, _DOUBT, _font(size), anchor="lm")
