"""A board's photo under the light of its enrolled picture, so that what still differs is what lies there.

The light is a gain for each channel that changes slowly over the board, and a mixing of channels (a camera's colours
and saturation) that is the same all over. Both are fitted where the board looks like the picture: what lies on it is
outlying, and counts less and less.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags, Image
from vision.photo.glare import find_light_fit_pixels

Floats = NDArray[np.float32]

FITTED_PX = 240
"""The board's longer side where the light is fitted."""
ROUNDS = 5
DARK = 8.0
"""Grey levels added before ratios are taken: in the dark they are noise."""
OUTLYING = 0.25
"""In logarithms: half of the weight is lost at so much misfit."""
REACH = 0.12
"""Of the board: light changes over so much of it (a Gaussian's sigma)."""
FIRM = 0.02
"""Weight of the even light in the place of the local one: it rules where nothing of the board is seen."""
MIX_FIRM = 0.03
"""How firmly channels stay apart, of the sum of squares of what they are fitted to."""


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """What brings what is seen to what is known: logarithms of gains (h, w, 3), and a (3, 3) mixing after them."""

    gains: Floats
    mix: Floats

    def of_picture(self, known: Floats) -> Floats:
        """(h, w, 3) how a picture of that size would be seen: the inverse of what is done to a view."""
        mixed = (known + DARK) @ np.linalg.inv(self.mix).T
        return np.asarray(mixed / np.exp(self.gains) - DARK, np.float32)


def relight_view(view: Image, picture: Image, shown: Image) -> Image:
    """The view (h, w, 3) BGR of a board from above, in the light of its picture, of the same size.

    `shown` (h, w) is 0 where the view shows nothing.
    """
    h, w = picture.shape[:2]
    seen, known, usable = prepare_light_fit(view, picture, shown)
    usable &= find_light_fit_pixels(seen, known)
    light = estimate_light(seen, known, usable)
    wide = cv2.resize(np.exp(light.gains), (w, h), interpolation=cv2.INTER_LINEAR)
    lit = (view.astype(np.float32) + DARK) * wide
    return np.clip(lit @ light.mix.T - DARK, 0, 255).astype(np.uint8)


def prepare_light_fit(view: Image, picture: Image, shown: Image) -> tuple[Floats, Floats, Flags]:
    """What is seen and what is known (h, w, 3), and where all is shown (h, w), at the size where light is fitted."""
    h, w = picture.shape[:2]
    scale = FITTED_PX / max(h, w)
    size = (max(1, round(w * scale)), max(1, round(h * scale)))
    seen, known, there = (cv2.resize(own, size, interpolation=cv2.INTER_AREA) for own in (view, picture, shown))
    return seen.astype(np.float32), known.astype(np.float32), there > 254


def estimate_light(seen: Floats, known: Floats, usable: Flags) -> Light:
    """The light of what is seen (h, w, 3), of a board that is known; `usable` (h, w) is where it is seen."""
    ratios = np.log(known + DARK) - np.log(seen + DARK)
    weight = usable.astype(np.float32)
    even = np.array([np.median(ratios[..., c][usable]) if usable.any() else 0.0 for c in range(3)], np.float32)
    gains = np.broadcast_to(even, ratios.shape).astype(np.float32)
    mix = np.eye(3, dtype=np.float32)
    for _ in range(ROUNDS):
        lit = ((seen + DARK) * np.exp(gains)) @ mix.T
        misfit = np.abs(np.log(known + DARK) - np.log(np.maximum(lit, 1.0))).max(axis=2)
        weight = np.asarray(usable / (1 + (misfit / OUTLYING) ** 4), np.float32)
        gains = _slow(ratios, weight, even)
        mix = _mixing((seen + DARK) * np.exp(gains), known + DARK, weight)
    return Light(gains, mix)


def _slow(ratios: Floats, weight: Floats, even: Floats) -> Floats:
    """(h, w, 3) means of the ratios over their surroundings, by weight."""
    sigma = REACH * max(ratios.shape[:2])
    trust = cv2.GaussianBlur(weight, (0, 0), sigma)[..., None]
    total = cv2.GaussianBlur(ratios * weight[..., None], (0, 0), sigma)
    return np.asarray((total + FIRM * even) / (trust + FIRM), np.float32)


def _mixing(lit: Floats, known: Floats, weight: Floats) -> Floats:
    """(3, 3) that mixes channels best, near to none."""
    x, y, w = lit.reshape(-1, 3), known.reshape(-1, 3), weight.reshape(-1, 1)
    gram = (x * w).T @ x
    firm = MIX_FIRM * np.trace(gram) / 3 * np.eye(3, dtype=np.float32) + 1e-3 * np.eye(3, dtype=np.float32)
    return np.asarray(np.linalg.solve(gram + firm, (x * w).T @ y + firm).T, np.float32)
