"""The light of a photo, as the paints of its players tell it: a gain for blue, green and red each (von Kries).

Each paint, as it looks in even light, times the gains is about what is seen. A photo may be dark or bright as a whole;
by how much one channel differs from the others, the tint of the lamp, varies less.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Floats

USUAL_PAINTS_LAB = {
    "red": (40.0, 52.0, 32.0),
    "blue": (34.0, 15.0, -48.0),
    "green": (42.0, -38.0, 27.0),
    "yellow": (74.0, -2.0, 70.0),
    "black": (12.0, 0.0, 0.0),
    "pink": (52.0, 47.0, -21.0),
    "white": (82.0, 0.0, 3.0),
    "grey": (55.0, 0.0, 0.0),
    "purple": (26.0, 32.0, -22.0),
    "orange": (57.0, 37.0, 54.0),
    "wood": (64.0, 9.0, 26.0),
}
"""CIE Lab of players' pieces in even light: about the middle of our drawn ones' paints. Purple, orange and wood are by
half a dozen units what photos of the calibration tables show instead: shade makes them darker and paler."""
PAINT_SPREAD_LAB = np.array([10.0, 10.0, 10.0])
"""How far a player's pieces lie from the usual paint once the photo's light is known. This and what follows are
estimates."""
BRIGHTNESS_LOG_SPREAD, TINT_LOG_SPREAD = 2.0, 0.2
"""How far the gains lie from one all together, and each from all, before any piece is looked at: standard deviations
of their logarithms."""
STRAY_LIGHT_SHARE = 0.004
"""The share of white that comes from the pieces' surface whatever their paint."""
SLOPE_LOG_STEP = 1e-3
"""The step of a gain's logarithm over which slopes are measured, since colours are converted in single precision."""
DAMPINGS = np.array([0, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000])
"""By what shares of its own bend the steps of a fit are damped: the first is Gauss's own step."""
MAX_FIT_ROUNDS, MIN_FIT_GAIN = 60, 1e-7
"""A fit ends when a round betters it by less than this share; most take six."""
_SLOPE_STEPS = np.vstack([np.zeros(3), SLOPE_LOG_STEP * np.eye(3)])
_TOGETHER = np.full((1, 3), 1 / np.sqrt(3) / BRIGHTNESS_LOG_SPREAD)
_APART = (np.eye(3) - 1 / 3) / TINT_LOG_SPREAD


def compute_usual_paints(colours: Sequence[str]) -> Floats:
    """Compute (n, 3) linear BGR of n colours' paints in even light; raises KeyError for one that no pieces come in."""
    lab = np.array([USUAL_PAINTS_LAB[colour] for colour in colours], np.float32)
    linear = np.asarray(cv2.cvtColor(lab[None], cv2.COLOR_LAB2LBGR), np.float64)
    return np.asarray(np.maximum(linear[0], 0))


def illuminate_paints(usual: Floats, gains: Floats) -> Floats:
    """Compute (..., n, 3) CIE Lab of paints of (n, 3) linear BGR in light whose gains have the (..., 3) logarithms."""
    linear = np.clip(usual * np.exp(gains[..., None, :]) + STRAY_LIGHT_SHARE, 0, 1).astype(np.float32)
    lab = cv2.cvtColor(linear.reshape(1, -1, 3), cv2.COLOR_LBGR2LAB)
    return np.asarray(lab.reshape(linear.shape), np.float64)


def estimate_light(looks: Floats, usual: Floats, spread: Floats = PAINT_SPREAD_LAB) -> tuple[Floats, float]:
    """Estimate the logarithms (3,) of the gains that fit best where paints of (n, 3) linear BGR have (n, 3) looks, CIE
    Lab.

    `spread` (3,), or (n, 3), is how far looks lie from their paints in that light. The second value is the nats that
    the looks, and such a light, are unlikely by. Without any paint it is the usual light.
    """
    if not len(looks):
        return np.zeros(3), 0.0
    return _fit_gains(looks, usual, spread)


def _fit_gains(looks: Floats, usual: Floats, spread: Floats) -> tuple[Floats, float]:
    """The gains' logarithms (3,), and half the sum of squares that they leave (Levenberg, 1944; Marquardt, 1963).

    Each round tries all dampings at once, and takes the best; where channels are at their most, slopes break off, and
    no undamped step leads down.
    """
    gains = np.zeros(3)
    off = _compute_residuals(looks, usual, gains + _SLOPE_STEPS, spread)
    squares = float(off[0] @ off[0])
    for _ in range(MAX_FIT_ROUNDS):
        slope = (off[1:] - off[0]).T / SLOPE_LOG_STEP
        bend = slope.T @ slope
        damped = bend + DAMPINGS[:, None, None] * np.diag(bend.diagonal())
        tried = gains - np.linalg.solve(damped, (slope.T @ off[0])[None, :, None])[..., 0]
        lights = (tried[:, None] + _SLOPE_STEPS).reshape(-1, 3)
        all_off = _compute_residuals(looks, usual, lights, spread).reshape(len(DAMPINGS), len(_SLOPE_STEPS), -1)
        sums = (all_off[:, 0] ** 2).sum(axis=1)
        best = int(sums.argmin())
        gained = squares - float(sums[best])
        if gained > 0:
            gains, off, squares = tried[best], all_off[best], float(sums[best])
        if gained < MIN_FIT_GAIN * squares:
            break
    return np.asarray(gains, np.float64), squares / 2


def _compute_residuals(looks: Floats, usual: Floats, gains: Floats, spread: Floats) -> Floats:
    """(m, 3 n + 4) how far off m lights are, whose logarithms are (m, 3), in standard deviations."""
    away = (looks - illuminate_paints(usual, gains)) / spread
    return np.concatenate([away.reshape(len(gains), -1), gains @ _TOGETHER.T, gains @ _APART], axis=1)
