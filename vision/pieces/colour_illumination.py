"""The light of a photo, as the paints of its players tell it: a gain for blue, green and red each (von Kries).

Each paint, as it looks in even light, times the gains is about what is seen. A photo may be dark or bright as a whole;
by how much one channel differs from the others, the tint of the lamp, varies less.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from scipy.optimize import least_squares

from vision.arrays import Floats

USUAL = {
    "red": (40.0, 52.0, 32.0),
    "blue": (34.0, 15.0, -48.0),
    "green": (42.0, -38.0, 27.0),
    "yellow": (74.0, -2.0, 70.0),
    "black": (12.0, 0.0, 0.0),
    "pink": (52.0, 47.0, -21.0),
    "white": (82.0, 0.0, 3.0),
}
"""CIE Lab of players' pieces in even light: about the middle of our drawn ones' paints."""
SPREAD = np.array([10.0, 15.0, 15.0])
"""In Lab units: how far a player's pieces lie from that once the photo's light is known. This and what follows are
estimates."""
BRIGHTER, TINTED = 2.0, 0.45
"""How far the gains lie from one all together, and each from all, before any piece is looked at: standard deviations of
their logarithms."""
STRAY = 0.004
"""Of white: so much light comes from the pieces' surface whatever their paint."""
STEP = 1e-3
"""Of a gain's logarithm: the slope is measured over so much, since colours are converted in single precision."""
_STEPS = np.vstack([np.zeros(3), STEP * np.eye(3)])
_TOGETHER = np.full((1, 3), 1 / np.sqrt(3) / BRIGHTER)
_APART = (np.eye(3) - 1 / 3) / TINTED


def compute_usual_paints(colours: Sequence[str]) -> Floats:
    """(n, 3) linear BGR of n colours' paints in even light; raises KeyError for one that no pieces come in."""
    lab = np.array([USUAL[colour] for colour in colours], np.float32)
    linear = np.asarray(cv2.cvtColor(lab[None], cv2.COLOR_LAB2LBGR), np.float64)
    return np.asarray(np.maximum(linear[0], 0))


def illuminate_paints(usual: Floats, gains: Floats) -> Floats:
    """(..., n, 3) CIE Lab that paints of (n, 3) linear BGR have in light whose gains have the (..., 3) logarithms."""
    linear = np.clip(usual * np.exp(gains[..., None, :]) + STRAY, 0, 1).astype(np.float32)
    seen = cv2.cvtColor(linear.reshape(1, -1, 3), cv2.COLOR_LBGR2LAB)
    return np.asarray(seen.reshape(linear.shape), np.float64)


def estimate_light(looks: Floats, usual: Floats) -> tuple[Floats, float]:
    """The logarithms (3,) of the gains that fit best where paints of (n, 3) linear BGR have (n, 3) such looks, CIE Lab.

    And the nats that the looks, and such a light, are unlikely by. Without any paint it is the usual light.
    """
    if not len(looks):
        return np.zeros(3), 0.0
    found = least_squares(
        lambda gains: _off(looks, usual, gains[None])[0],
        np.zeros(3),
        lambda gains: _slope(looks, usual, gains),
        method="lm",
    )
    return np.asarray(found.x, np.float64), float(found.cost)


def _off(looks: Floats, usual: Floats, gains: Floats) -> Floats:
    """(m, 3 n + 4) how far off m lights are, whose logarithms are (m, 3), in standard deviations."""
    away = (looks - illuminate_paints(usual, gains)) / SPREAD
    return np.concatenate([away.reshape(len(gains), -1), gains @ _TOGETHER.T, gains @ _APART], axis=1)


def _slope(looks: Floats, usual: Floats, gains: Floats) -> Floats:
    """(3 n + 4, 3) how fast that changes."""
    off = _off(looks, usual, gains + _STEPS)
    return np.asarray((off[1:] - off[0]).T / STEP)
