"""Samples for the net that reads letters on building tiles: squares with a letter and squares without one.

Each is one square of a tile cut out of a photo: a plain or patterned background, sometimes with another sign; the
letter in some typeface, size and colour, bare or on a patch; all of it seen from the side, blurred and lit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as Pictures
from PIL import ImageDraw, ImageFont

from datasets.render.tabletops import sample_fractal
from datasets.world_wonders.style import MEDLEY, Colour, Style, build_style, convert_hsv, mix_colours
from datasets.world_wonders.tiles import draw_medley
from vision.arrays import Image, Ints, Singles
from vision.world_wonders.letters import LETTERS, MARGIN, NONE, SEEN_PX

SIDE_PX = 72
"""Size of a square in pixels as it is drawn. A guess."""
FRAME_PX = round(SIDE_PX * (1 + 2 * MARGIN))
"""Size of a square with its margin."""
HERSHEY = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX_SMALL,
)
"""OpenCV's fonts of strokes."""
OWN_WEIGHTS = ("Regular", "Bold", "Black", "Light")
"""Weights of Source Sans, in which PDFs are written."""
STROKED_SHARE = 0.3
"""Share of signs in OpenCV's fonts. A guess."""
OTHER_SIGNS = "ACDGJKLOQRSUXYZ124579&?+"
"""Signs that resemble none of the letters in any orientation."""
GLYPH_PX = 64
"""Height in pixels at which a sign is drawn. A guess."""
STYLES, BLOTCHES = 400, 200
"""Number of styles, and number of backgrounds. A guess."""
LETTER_SHARE = 0.6
"""Share of samples with a letter. A guess."""
OTHER_SIGN_SHARE = 0.35
"""Share of the other samples that have another sign. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class Squares:
    """(n, SEEN_PX, SEEN_PX, 3) pictures of squares, and (n,) the letter on each: NONE, or its index in LETTERS + 1."""

    pictures: Image
    letters: Ints


def list_fonts(folders: Sequence[Path]) -> list[Path]:
    """List the font files under some folders."""
    return sorted(file for folder in folders for file in folder.rglob("*") if file.suffix in (".ttf", ".otf"))


def draw_letter_samples(count: int, seed: int, fonts: Sequence[Path] = ()) -> Squares:
    """Draw `count` samples, always the same for one seed and the same `fonts`, used beside the built-in ones."""
    rng = np.random.default_rng(seed)
    samples = [draw_letter_sample(rng, fonts) for _ in range(count)]
    return Squares(np.stack([sample[0] for sample in samples]), np.array([sample[1] for sample in samples]))


def draw_letter_sample(rng: np.random.Generator, fonts: Sequence[Path]) -> tuple[Image, int]:
    """Draw one square as cut out of a photo, and return it with its letter."""
    style = build_style(f"{MEDLEY}letter-{int(rng.integers(STYLES))}")
    base = convert_hsv(rng.uniform(0, 180), rng.uniform(10, 240), rng.uniform(70, 252))
    style = replace(style, ink=convert_hsv(rng.uniform(0, 180), rng.uniform(0, 120), rng.uniform(10, 90)))
    picture = _ground(base, style, rng)
    letter = NONE
    if rng.random() < LETTER_SHARE:
        letter = 1 + int(rng.integers(len(LETTERS)))
        _inscribe(picture, LETTERS[letter - 1], base, style, rng, fonts)
    elif rng.random() < OTHER_SIGN_SHARE:
        _inscribe(picture, str(rng.choice(list(OTHER_SIGNS))), base, style, rng, fonts)
    return _photographed(np.rot90(picture, int(rng.integers(4))), rng), letter


def _ground(base: Colour, style: Style, rng: np.random.Generator) -> Singles:
    """Draw a square with its surroundings, (FRAME_PX, FRAME_PX, 3): more of the tile, or something beyond it."""
    picture = np.empty((FRAME_PX, FRAME_PX, 3), np.float32)
    picture[:] = base
    picture += _blotches(int(rng.integers(BLOTCHES)))[..., None] * 9 * style.texture
    if rng.random() < 0.45:
        draw_medley(picture, base, style, rng)
    elif rng.random() < 0.5:
        _draw_bars(picture, base, style, rng)
    edge = round(MARGIN * SIDE_PX)
    for side in range(4):
        turned = np.rot90(picture, side)
        if rng.random() < 0.5:  # another piece, or the map
            there = edge + int(rng.integers(-8, 9))
            turned[: max(0, there)] = convert_hsv(rng.uniform(0, 180), rng.uniform(0, 240), rng.uniform(40, 250))
            if rng.random() < 0.6:
                turned[max(0, there - 2) : max(0, there) + 1] = mix_colours(
                    base, style.ink, float(rng.uniform(0.2, 0.8))
                )
    if rng.random() < 0.6:
        _dots(picture, style, rng)
    return picture


@cache
def _blotches(number: int) -> Singles:
    layer = sample_fractal(np.random.default_rng(number), 64, 6, 3)
    return np.asarray(cv2.resize(layer, (FRAME_PX, FRAME_PX)), np.float32)


def _draw_bars(picture: Singles, base: Colour, style: Style, rng: np.random.Generator) -> None:
    """Draw a few upright or lying bars over each other, which may form parts of a letter."""
    for _ in range(int(rng.integers(1, 7))):
        (x, y), (w, h) = rng.uniform(0.05, 0.85, 2) * FRAME_PX, np.exp(rng.uniform(-3.4, -1.2, 2)) * FRAME_PX
        part = picture[round(y) : round(y + h) + 1, round(x) : round(x + w) + 1]
        paint = mix_colours(
            convert_hsv(rng.uniform(0, 180), rng.uniform(0, 240), rng.uniform(20, 250)), base, float(rng.uniform(0, 1))
        )
        share = float(rng.uniform(0.3, 1.0))
        part[:] = part * (1 - share) + share * np.array(mix_colours(paint, style.ink, float(rng.uniform(0, 0.6))))


def _dots(picture: Singles, style: Style, rng: np.random.Generator) -> None:
    """Draw a building's income: a row of a few small signs near an edge."""
    x, y = (int(place) for place in rng.uniform(0.12, 0.3, 2) * FRAME_PX)
    radius, step = int(rng.integers(3, 9)), int(rng.integers(10, 20))
    down = bool(rng.random() < 0.5)
    if rng.random() < 0.5:
        y = FRAME_PX - y
    paint = convert_hsv(rng.uniform(0, 180), rng.uniform(60, 240), rng.uniform(60, 240))
    for i in range(int(rng.integers(1, 4))):
        at = (x, y + i * step) if down else (x + i * step, y)
        if rng.random() < 0.3:
            corner = (at[0] + radius, at[1] + radius)
            cv2.rectangle(picture, (at[0] - radius, at[1] - radius), corner, paint, -1)
        else:
            cv2.circle(picture, at, radius, paint, -1, cv2.LINE_AA)
            cv2.circle(picture, at, radius, style.ink, 1, cv2.LINE_AA)


def _inscribe(
    picture: Singles, sign: str, base: Colour, style: Style, rng: np.random.Generator, fonts: Sequence[Path]
) -> None:
    """Draw a sign on a square, bare or on a patch, in contrast to its background."""
    high = float(rng.uniform(0.22, 0.6)) * SIDE_PX
    free = max(0.02, 0.46 - 0.62 * high / SIDE_PX) * SIDE_PX
    middle = rng.uniform(-free, free, 2) if rng.random() < 0.4 else rng.normal(0, 0.04 * SIDE_PX, 2)
    x, y = FRAME_PX / 2 + middle
    under = base
    if rng.random() < 0.5:
        under = mix_colours(base, (255, 255, 255) if rng.random() < 0.7 else style.ink, float(rng.uniform(0.3, 1.0)))
        reach = round(high * rng.uniform(0.68, 0.95))
        at = (round(x), round(y))
        if rng.random() < 0.75:
            cv2.circle(picture, at, reach, under, -1, cv2.LINE_AA)
            if rng.random() < 0.4:  # a rim
                cv2.circle(picture, at, reach, mix_colours(base, style.ink, 0.7), int(rng.integers(1, 4)), cv2.LINE_AA)
        else:
            cv2.rectangle(picture, (at[0] - reach, at[1] - reach), (at[0] + reach, at[1] + reach), under, -1)
    ink = style.ink if sum(under) > rng.uniform(240, 420) else (245, 248, 250)
    mask = _placed(_glyph(sign, rng, fonts), (x, y), high, rng)
    if rng.random() < 0.2:  # an outline around it
        rim = np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), np.float32)
        _paint(picture, rim, (245, 248, 250) if sum(ink) < 380 else style.ink)
    _paint(picture, mask, mix_colours(under, ink, float(rng.uniform(0.55, 1.0))))


def _paint(picture: Singles, mask: Singles, paint: Colour) -> None:
    picture[:] = picture * (1 - mask[..., None]) + np.array(paint, np.float32) * mask[..., None]


def _glyph(sign: str, rng: np.random.Generator, fonts: Sequence[Path]) -> Singles:
    """Return a tightly cropped mask (h, w) of a sign, 0 to 1."""
    if rng.random() < STROKED_SHARE:
        return _stroked(sign, int(rng.choice(HERSHEY)), int(rng.integers(3, 13)))
    files = (None, *_list_own_fonts(), *fonts)
    return _printed(sign, files[int(rng.integers(len(files)))], int(rng.choice([0, 0, 0, 2, 4, 6])))


@lru_cache(maxsize=4096)
def _stroked(sign: str, font: int, thick: int) -> Singles:
    layer = np.zeros((3 * GLYPH_PX, 3 * GLYPH_PX), np.uint8)
    size = GLYPH_PX / (14 if font == cv2.FONT_HERSHEY_COMPLEX_SMALL else 21)
    cv2.putText(layer, sign, (GLYPH_PX, 2 * GLYPH_PX), font, size, 255, thick, cv2.LINE_AA)
    return _cut_out(layer)


@lru_cache(maxsize=4096)
def _printed(sign: str, font: Path | None, thick: int) -> Singles:
    """Return a sign of a font file, or of Pillow's own font."""
    typeface = ImageFont.load_default(GLYPH_PX) if font is None else ImageFont.truetype(font, GLYPH_PX)
    layer = Pictures.new("L", (3 * GLYPH_PX, 3 * GLYPH_PX))
    ImageDraw.Draw(layer).text((GLYPH_PX, GLYPH_PX), sign, 255, typeface, stroke_width=thick)
    return _cut_out(np.asarray(layer))


@cache
def _list_own_fonts() -> tuple[Path, ...]:
    package = find_spec("font_source_sans_pro")
    if package is None or package.origin is None:
        raise SystemExit("font-source-sans-pro is not installed")
    return tuple(Path(package.origin).parent / "files" / f"SourceSansPro-{weight}.ttf" for weight in OWN_WEIGHTS)


def _cut_out(layer: Image) -> Singles:
    x, y, w, h = cv2.boundingRect(layer)
    return np.asarray(layer[y : y + h, x : x + w], np.float32) / np.float32(255)


def _placed(glyph: Singles, at: tuple[float, float], high: float, rng: np.random.Generator) -> Singles:
    """Return the (FRAME_PX, FRAME_PX) mask of a sign of height `high`, slightly stretched, slanted and turned."""
    h, w = glyph.shape
    scale = high / h
    wide, lean, turn = scale * np.exp(rng.normal(0, 0.12)), rng.normal(0, 0.08), rng.normal(0, 0.06)
    c, s = np.cos(turn), np.sin(turn)
    move = np.array([(c, -s), (s, c)]) @ np.array([(wide, -lean * scale), (0, scale)])
    offset = np.array(at) - move @ (w / 2, h / 2)
    small = min(1.0, 1.6 * scale)
    shrunk = cv2.resize(glyph, None, fx=small, fy=small, interpolation=cv2.INTER_AREA)
    move = move @ np.diag([w / shrunk.shape[1], h / shrunk.shape[0]])
    return np.asarray(cv2.warpAffine(shrunk, np.column_stack([move, offset]), (FRAME_PX, FRAME_PX)), np.float32)


def _photographed(picture: Singles, rng: np.random.Generator) -> Image:
    """Photograph the square: foreshortening, light, blur and noise."""
    x, y = (round(stretch * SEEN_PX) for stretch in (rng.uniform(0.7, 1.4), rng.uniform(0.45, 1.3)))
    shrunk = cv2.resize(np.ascontiguousarray(picture), (x, y), interpolation=cv2.INTER_AREA)
    blurred = np.asarray(cv2.GaussianBlur(shrunk, (0, 0), float(rng.uniform(0.3, 1.1))), np.float32)
    ramp = np.exp(rng.normal(0, 0.12) * np.linspace(-1, 1, y)[:, None] + rng.normal(0, 0.12) * np.linspace(-1, 1, x))
    blurred *= ramp[..., None] * np.exp(rng.normal(0, 0.25) + rng.normal(0, 0.07, 3))
    if rng.random() < 0.2:  # a shadow's edge
        at, across = int(rng.integers(0, x)), float(rng.uniform(0.5, 0.85))
        blurred[:, at:] *= np.float32(across)
    if rng.random() < 0.15:  # a lamp's reflection
        blurred = np.asarray(blurred * 0.6 + rng.uniform(60, 110), np.float32)
    noise = rng.normal(0, rng.uniform(1, 7), blurred.shape)
    shot = np.clip(blurred + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        code = cv2.imencode(".jpg", shot, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 95))])[1]
        shot = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
    turn, move = float(rng.normal(0, 1.5)), rng.normal(0, 1.5, 2)
    whole = cv2.resize(shot, (SEEN_PX, SEEN_PX), interpolation=cv2.INTER_LINEAR)
    shift = np.asarray(cv2.getRotationMatrix2D((SEEN_PX / 2, SEEN_PX / 2), turn, 1.0), np.float64)
    shift[:, 2] += move
    moved = cv2.warpAffine(whole, shift, (SEEN_PX, SEEN_PX), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)
