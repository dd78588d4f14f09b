"""Tiles printed at home and cut out by hand: dull ink on white paper, dots or bands, cuts that miss the art."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from datasets.render.compositor import build_pyramid
from datasets.scene.table import LaidTile, Table
from vision.arrays import Image, Singles

INKJET_SHARE = 0.55
"""Share of inkjet printers, which leave bands; laser printers leave dots."""
SCREEN_ANGLES_DEGREES = (15.0, 75.0, 45.0)
"""Screen angles of the channels' dots, which avoid moiré between them."""
MAX_SHIFT_TILES = 0.022
"""Maximum offset of the art from the cut; combined with the print's size it leaves a margin of about 0.04 at most."""
RIM_SHARE = 0.25
"""Strength of the dark rim relative to that of a factory's press."""
CORNER_SLIP_TILES, MAX_SLIP_TILES = 0.007, 0.016
"""Spread and maximum of the scissors' error at a corner, in tiles."""


@dataclass(frozen=True, slots=True)
class Print:
    """The properties shared by one household's tiles.

    Ink: `gamma` (3,) BGR, where more is darker; `saturation` and `black` (the darkest level), 0 to 1; `bleed`, its blur
    in tiles. `paper` is BGR, 0 to 1. `dots` and `bands` are pattern strengths with a period of `pitch` tiles; bands run
    along the columns if `upright`. `size` is the art's size relative to the cut.
    """

    gamma: tuple[float, float, float]
    saturation: float
    black: float
    bleed: float
    paper: tuple[float, float, float]
    dots: float
    bands: float
    pitch: float
    upright: bool
    size: float

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> Print:
        """Sample a printer, ink and paper."""
        inkjet = bool(rng.random() < INKJET_SHARE)
        blue, green, red = np.exp(rng.normal(0, 0.13, 3) + rng.normal(-0.08, 0.15)).tolist()
        warm, white = rng.normal(0, 0.015), rng.uniform(0.93, 1.0)
        return cls(
            gamma=(blue, green, red),
            saturation=float(rng.uniform(0.5, 0.95)),
            black=float(rng.uniform(0.08, 0.25)),
            bleed=float(rng.uniform(0.001, 0.004)),
            paper=(float(min(1, white - warm)), float(white), float(min(1, white + warm))),
            dots=0.0 if inkjet else float(rng.uniform(0.05, 0.3)),
            bands=float(rng.uniform(0.01, 0.07)) if inkjet else 0.0,
            pitch=float(rng.uniform(0.03, 0.12) if inkjet else rng.uniform(0.012, 0.022)),
            upright=bool(rng.random() < 0.5),
            size=float(rng.uniform(0.962, 1.03)),
        )


def print_at_home(table: Table, rng: np.random.Generator) -> Table:
    """Replace a table's tiles with a home print, each cut out individually. A wonder keeps its outline."""
    ink = Print.drawn(rng)
    blue, green, red = (round(channel * 255) for channel in np.array(ink.paper) * rng.uniform(0.5, 0.9))
    tiles = tuple(_at_home(tile, ink, rng) for tile in table.tiles)
    return replace(table, tiles=tiles, cardboard=(blue, green, red), rim=(table.rim[0] * RIM_SHARE, table.rim[1]))


def _at_home(tile: LaidTile, ink: Print, rng: np.random.Generator) -> LaidTile:
    picture = print_picture(tile.picture[0], ink)
    if tile.cell is not None:
        return replace(tile, picture=build_pyramid(picture))
    slips = np.clip(rng.normal(0, CORNER_SLIP_TILES, (4, 2)), -MAX_SLIP_TILES, MAX_SLIP_TILES)
    return replace(tile, picture=build_pyramid(cut_out(picture, ink, rng)), corners=tile.corners + slips)


def print_picture(picture: Image, ink: Print) -> Image:
    """Return a picture (s, s, 3), BGR, as printed on the paper."""
    art = cv2.GaussianBlur(picture.astype(np.float32) / 255, (0, 0), max(0.3, ink.bleed * len(picture)))
    grey = cv2.cvtColor(art, cv2.COLOR_BGR2GRAY)[..., None]
    art = np.clip(grey + ink.saturation * (art - grey), 0, 1) ** np.array(ink.gamma, np.float32)
    art = art + 4 * art * (1 - art) * _dots(len(picture), ink) + (1 - art) * _bands(len(picture), ink)
    covered = ink.black + (1 - ink.black) * np.clip(art, 0, 1)
    return np.rint(255 * covered * np.array(ink.paper, np.float32)).astype(np.uint8)


def cut_out(picture: Image, ink: Print, rng: np.random.Generator) -> Image:
    """Cut a print (s, s, 3) out as with scissors: shifted, askew, with wavy sides, and paper beyond the art."""
    side = len(picture)
    at = (np.arange(side, dtype=np.float32) + 0.5) / side - 0.5
    x, y = (part.astype(np.float32) for part in np.meshgrid(at, at))
    shift = np.clip(rng.normal(0, 0.011, 2), -MAX_SHIFT_TILES, MAX_SHIFT_TILES)
    angle, size = np.deg2rad(rng.normal(0, 0.6)), ink.size + rng.normal(0, 0.004)
    u = (np.cos(angle) * x + np.sin(angle) * y) / size + shift[0] + _waver(y, rng)
    v = (np.cos(angle) * y - np.sin(angle) * x) / size + shift[1] + _waver(x, rng)
    col, row = (((part + 0.5) * side - 0.5).astype(np.float32) for part in (u, v))
    blue, green, red = (round(255 * channel) for channel in ink.paper)
    cut = cv2.remap(picture, col, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(blue, green, red))
    return np.asarray(cut, np.uint8)


def _waver(along: Singles, rng: np.random.Generator) -> Singles:
    """Return the deviation of a cut from a straight line, in tiles."""
    bends, start = rng.uniform(0.5, 1.6), rng.uniform(0, 2 * np.pi)
    return np.asarray(rng.uniform(0, 0.005) * np.sin(2 * np.pi * bends * along + start), np.float32)


def _dots(side: int, ink: Print) -> Singles:
    """Return a laser printer's screen (side, side, 3), -1 to 1 times its strength."""
    at = np.arange(side, dtype=np.float32) * np.float32(2 * np.pi / (ink.pitch * side))
    x, y = np.meshgrid(at, at)
    turns = np.deg2rad(SCREEN_ANGLES_DEGREES)
    screens = [np.sin(np.cos(a) * x + np.sin(a) * y) * np.sin(np.cos(a) * y - np.sin(a) * x) for a in turns]
    return np.asarray(ink.dots * np.stack(screens, -1), np.float32)


def _bands(side: int, ink: Print) -> Singles:
    """Return the lighter and darker bands of an inkjet's passes (side, side, 1), -1 to 1 times their strength."""
    at = np.arange(side, dtype=np.float32) * np.float32(2 * np.pi / (ink.pitch * side))
    lines = np.broadcast_to((0.6 * np.sin(at) + 0.4 * np.sin(2.7 * at))[:, None], (side, side))
    return np.asarray(ink.bands * (lines.T if ink.upright else lines)[..., None], np.float32)
