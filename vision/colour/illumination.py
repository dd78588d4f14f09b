"""The light of a photo, estimated from the paints of its players: one gain each for blue, green and red (von Kries).

Each paint, as it looks in even light, times the gains approximates the observed colour. The overall brightness of a
photo varies freely; the difference between channels, the tint of the lamp, varies less.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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
"""CIE Lab of players' pieces in even light. Measured: about the means of our drawn pieces' paints. Purple, orange and
wood differ by about 6 units to match photos of the calibration tables, where shade makes them darker and paler.
"""
PAINT_SPREAD_LAB = 10.0
"""Spread of a player's pieces around the usual paint in known light. A guess."""
BRIGHTNESS_LOG_SPREAD, TINT_LOG_SPREAD = 2.0, 0.2
"""Prior standard deviations of the gains' logarithms: of all gains together from 1, and of each gain from all.
A guess.
"""
STRAY_LIGHT_SHARE = 0.004
"""Share of white reflected by the surface of pieces, whatever their paint. A guess."""
SLOPE_LOG_STEP = 1e-3
"""Step of a gain's logarithm for numerical slopes, since colours are converted in single precision.
Measured: halving and doubling it changes no colour and no doubt on 42 real tables, nor on 32 under a coloured lamp.
"""
DAMPINGS = np.array([0, 1, 10])
"""Relative dampings tried in each round of a fit; the first is the Gauss-Newton step. Measured: of 300 drawn sets of
paints, one fits better by 0.2 nats with the strongest, in the same time.
"""
MAX_FIT_ROUNDS = 60
"""Maximum number of rounds of a fit; most take 6. Bounds time."""
_SLOPE_STEPS = np.vstack([np.zeros(3), SLOPE_LOG_STEP * np.eye(3)])


class PaintLight(NamedTuple):
    """The light on players' paints: the logarithms (3,) of its gains for blue, green and red, and the nats against it.

    `nats` are the negative log-likelihood of the looks and the light, up to a constant. They compare ways to name the
    paints of a photo: the true names share one likely light.
    """

    log_gains: Floats
    nats: float


def compute_usual_paints(colours: Sequence[str]) -> Floats:
    """Return the linear BGR (n, 3) of n colours' paints in even light; raise KeyError for a colour without pieces."""
    lab = np.array([USUAL_PAINTS_LAB[colour] for colour in colours], np.float32)
    linear = np.asarray(cv2.cvtColor(lab[None], cv2.COLOR_LAB2LBGR), np.float64)
    return np.asarray(np.maximum(linear[0], 0))


def illuminate_paints(usual: Floats, gains: Floats) -> Floats:
    """Return the CIE Lab (..., n, 3) of paints of (n, 3) linear BGR in light with (..., 3) log gains."""
    linear = np.clip(usual * np.exp(gains[..., None, :]) + STRAY_LIGHT_SHARE, 0, 1).astype(np.float32)
    lab = cv2.cvtColor(linear.reshape(1, -1, 3), cv2.COLOR_LBGR2LAB)
    return np.asarray(lab.reshape(linear.shape), np.float64)


def estimate_light(looks: Floats, usual: Floats, spread: Floats | float = PAINT_SPREAD_LAB) -> PaintLight:
    """Estimate the log gains (3,) for which paints of (n, 3) linear BGR best match (n, 3) looks in CIE Lab.

    `spread`, one number, (3,) or (n, 3), is the spread of looks around their paints. Without any paint the light is the
    usual one.
    """
    if not len(looks):
        return PaintLight(np.zeros(3), 0.0)
    return _fit_gains(looks, usual, spread)


def _fit_gains(looks: Floats, usual: Floats, spread: Floats | float) -> PaintLight:
    """Return the log gains (3,), with half the sum of squared residuals as nats (Levenberg, 1944; Marquardt, 1963).

    Each round tries all dampings at once and takes the best. At saturated channels slopes are discontinuous, and no
    undamped step leads downhill.
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
        if gained < SLOPE_LOG_STEP**2 * squares:  # no more than slopes of this step can show
            break
    return PaintLight(np.asarray(gains, np.float64), squares / 2)


def _compute_residuals(looks: Floats, usual: Floats, gains: Floats, spread: Floats | float) -> Floats:
    """Return the residuals (m, 3 n + 4) of m lights with log gains (m, 3), in standard deviations."""
    away = (looks - illuminate_paints(usual, gains)) / spread
    mean = gains.mean(axis=1, keepdims=True)
    together, apart = np.sqrt(3) * mean / BRIGHTNESS_LOG_SPREAD, (gains - mean) / TINT_LOG_SPREAD
    return np.concatenate([away.reshape(len(gains), -1), together, apart], axis=1)
