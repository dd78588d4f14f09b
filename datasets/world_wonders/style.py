"""The looks of a copy: colours, patterns and letters; every name is a style, deterministic in the name.

Arts used for measuring have grounds and motifs that no other art has.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Colour = tuple[int, int, int]
"""Blue, green, red."""

GROUNDS = ("patches", "strokes", "plain", "speckle")
MOTIFS = ("houses", "domes", "blocks")
HELD_OUT_GROUNDS = ("hatch", "tufts")
HELD_OUT_MOTIFS = ("columns", "gardens")
MEDLEY, MEDLEY_MOTIF = "medley-", "medley"
"""Prefix of arts never measured, with any plain shapes as motifs, towers and monuments, colours of a wider range, and
any frame."""
FRAMES = ("band", "line", "left", "corners", "title")
"""How a resource board shows its player's colour. The arts that are measured have a band on all sides."""
WIDENING_SHARE = 0.25
"""Share of a colour range that is added at both ends in a medley."""

TRAINED_ARTS = ("terracotta", "papyrus", "fresco", "cobalt")
CALIBRATION_ARTS = ("basalt", "cedar", "copper")
HELD_OUT_ARTS = ("ivory", "saffron", "indigo")
ARTS = (*TRAINED_ARTS, *CALIBRATION_ARTS, *HELD_OUT_ARTS)

_HUES: Mapping[str, tuple[tuple[float, float], ...]] = {
    "library": ((94, 108), (55, 150), (190, 245)),
    "farm": ((38, 72), (110, 210), (100, 190)),
    "habitation": ((17, 28), (25, 85), (215, 252)),
    "market": ((8, 16), (160, 235), (205, 252)),
    "temple": ((128, 150), (70, 180), (95, 185)),
    "grass": ((32, 56), (55, 165), (120, 205)),
    "water": ((95, 112), (70, 190), (130, 220)),
    "mountain": ((5, 25), (15, 90), (90, 180)),
    "sidewalk": ((0, 30), (5, 60), (150, 225)),
    "road": ((5, 30), (5, 55), (120, 205)),
    "bridge": ((6, 20), (40, 140), (90, 180)),
    "tower": ((5, 20), (40, 150), (90, 200)),
}
"""Ranges of hue (of 180), saturation and value for each colour."""
_MEDLEY_HUES = {
    "road": ((0, 180), (0, 45), (55, 215)),
    "temple": ((122, 154), (85, 230), (80, 200)),
    "tower": ((0, 180), (0, 170), (50, 235)),
    "bridge": ((0, 180), (0, 150), (50, 220)),
}
"""Those that replace them in a medley. A guess."""


@dataclass(frozen=True, eq=False)
class Style:
    """One way to draw a copy; `colours` are those of buildings, terrain and pieces by name."""

    name: str
    ground: str
    motif: str
    colours: Mapping[str, Colour]
    font: int
    letter: float
    letter_in_disc: bool
    texture: float
    grid: float
    ink: Colour
    paper: Colour
    round_tower: bool
    markers: tuple[Colour, ...]
    seed: int
    frame: str = FRAMES[0]

    def rng(self, what: int) -> np.random.Generator:
        """Return a generator with a fixed seed for one element of this style."""
        return np.random.default_rng([self.seed, what])


@lru_cache(maxsize=16)
def build_style(name: str) -> Style:
    """Build the style of a name: one of ARTS, a medley, or any other word, drawn like the arts for training."""
    seed = zlib.crc32(name.encode())
    rng = np.random.default_rng(seed)
    grounds = HELD_OUT_GROUNDS if name in HELD_OUT_ARTS else GROUNDS
    motifs = HELD_OUT_MOTIFS if name in HELD_OUT_ARTS else MOTIFS
    wider = WIDENING_SHARE if name.startswith(MEDLEY) else 0.0
    hues = {**_HUES, **_MEDLEY_HUES} if wider else _HUES
    colours = {
        what: convert_hsv(*(rng.uniform(*_widened(span, wider)) for span in spans)) for what, spans in hues.items()
    }
    markers = tuple(convert_hsv(rng.uniform(0, 180), rng.uniform(0, 220), rng.uniform(40, 240)) for _ in range(5))
    fonts = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SIMPLEX)
    return Style(
        name=name,
        ground=str(rng.choice(grounds)),
        motif=str(rng.choice((MEDLEY_MOTIF,) if wider else motifs)),
        colours=colours,
        font=int(rng.choice(fonts)),
        letter=float(rng.uniform(0.32, 0.5)),
        letter_in_disc=bool(rng.random() < 0.5),
        texture=float(rng.uniform(0.3, 1.3)),
        grid=float(rng.uniform(0.15, 0.6)),
        ink=convert_hsv(rng.uniform(0, 180), rng.uniform(0, 80), rng.uniform(15, 70)),
        paper=convert_hsv(rng.uniform(10, 30), rng.uniform(10, 90), rng.uniform(170, 245)),
        round_tower=bool(rng.random() < 0.5),
        markers=markers,
        seed=seed,
        frame=FRAMES[int(np.random.default_rng((seed, 9)).integers(len(FRAMES)))] if wider else FRAMES[0],
    )


def _widened(span: tuple[float, float], share: float) -> tuple[float, float]:
    more = share * (span[1] - span[0])
    return span[0] - more, span[1] + more


def convert_hsv(hue: float, saturation: float, value: float) -> Colour:
    """Return OpenCV's hue (of 180), saturation and value (of 255) as blue, green, red."""
    point = np.clip([hue % 180, saturation, value], 0, 255).astype(np.uint8)[None, None]
    b, g, r = cv2.cvtColor(point, cv2.COLOR_HSV2BGR)[0, 0].tolist()
    return b, g, r


def mix_colours(one: Colour, other: Colour, share: float) -> Colour:
    """Mix two colours; `share` is that of the other."""
    b, g, r = (round(a + (c - a) * share) for a, c in zip(one, other, strict=True))
    return b, g, r


def write_text(
    picture: NDArray[np.float32], text: str, middle: tuple[int, int], font: int, size: float, ink: Colour
) -> None:
    """Write text centred on a place of an (h, w, 3) picture."""
    (w, h), low = cv2.getTextSize(text, font, size, 2)
    x, y, room = middle[0] - w // 2, middle[1] + h // 2, low + 4
    part = picture[max(0, y - h - room) : y + room, max(0, x - room) : x + w + room]
    layer = np.zeros(part.shape[:2], np.uint8)
    at = (x - max(0, x - room), y - max(0, y - h - room))
    cv2.putText(layer, text, at, font, size, 255, 1 if size < 0.7 else 2, cv2.LINE_AA)
    share = layer[..., None].astype(np.float32) / 255
    part[:] = part * (1 - share) + np.array(ink, np.float32) * share
