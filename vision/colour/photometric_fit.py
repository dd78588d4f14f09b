"""A board's photo normalised to the light of its enrolled picture, so that the remaining differences are pieces.

The light consists of a gain per channel that varies slowly over the board, and a global mixing of channels (a camera's
colours and saturation). Both are fitted robustly: pieces are outliers, whose weight decreases with their residual.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Flags, Image, Singles
from vision.colour.glare import find_brightest_channel, find_unclipped_pixels

FITTED_PX = 240
"""Longer side of the board's picture in which the light is fitted. Bounds time."""
FIT_ROUNDS = 5
"""Number of reweighted fits. Bounds time."""
DARK_GREY_LEVELS = 8.0
"""Grey levels added before ratios are taken, since dark pixels are noisy. A guess."""
OUTLYING_LOG = 0.25
"""Residual of the logarithm at which half of the weight is lost. A guess."""
REACH_SHARE = 0.12
"""Distance over which light changes, as a share of the board (sigma of a Gaussian). A guess."""
EVEN_LIGHT_WEIGHT = 0.02
"""Weight of an estimate from a wider surrounding relative to the local one; it dominates where nothing of the board is
visible. A guess."""
MIN_BARE_SHARE = 0.03
"""Minimum share of the board that is bare for it to initialise the light. A guess."""
MIX_WEIGHT_SHARE = 0.03
"""Regularisation of the mixing towards the identity, as a share of the sum of squares of its inputs. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """The mapping from a view to its picture: logarithms of gains (h, w, 3), followed by a (3, 3) mixing."""

    gains: Singles
    mix: Singles

    def of_picture(self, picture: Singles) -> Singles:
        """Return the appearance of a picture (h, w, 3) of that size in this light, the inverse of the mapping."""
        mixed = (picture + DARK_GREY_LEVELS) @ np.linalg.inv(self.mix).T
        return np.asarray(mixed / np.exp(self.gains) - DARK_GREY_LEVELS, np.float32)

    def relight(self, view: Image) -> Image:
        """Return a view (h, w, 3) of the board, of any size, in the light of its picture."""
        wide = cv2.resize(np.exp(self.gains), view.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        lit = (view.astype(np.float32) + DARK_GREY_LEVELS) * wide
        return np.clip(lit @ self.mix.T - DARK_GREY_LEVELS, 0, 255).astype(np.uint8)

    def even_colour(self, lit: Image) -> Image:
        """Return a view (h, w, 3) in the light of the picture without the differences in colour of that light, relative
        to the photo's, between places."""
        gains, even = np.exp(self.gains), np.exp(np.median(self.gains, axis=(0, 1)))
        tint = even / even.mean() * gains.mean(axis=2, keepdims=True) / gains
        wide = cv2.resize(np.asarray(tint, np.float32), lit.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        return np.asarray(np.clip((lit + DARK_GREY_LEVELS) * wide - DARK_GREY_LEVELS, 0, 255), np.uint8)


def relight_view(view: Image, picture: Image, visible: Image, bare: Flags | None = None) -> Image:
    """Return the rectified view (h, w, 3) BGR of a board in the light of its picture, of the same size.

    See `fit_view_light`.
    """
    return fit_view_light(view, picture, visible, bare).relight(view)


def fit_view_light(view: Image, picture: Image, visible: Image, bare: Flags | None = None) -> Light:
    """Fit the light of a board's rectified view (h, w, 3) BGR from its picture of the same size.

    `visible` (h, w) is 0 outside the photo; `bare` (h, w) masks parts of the board known to hold no pieces.
    """
    view_fit, picture_fit, usable = prepare_light_fit(view, picture, visible)
    usable &= find_unclipped_pixels(view_fit) & find_unclipped_pixels(picture_fit)
    if bare is not None:
        small = cv2.resize(bare.astype(np.uint8) * 255, usable.shape[::-1], interpolation=cv2.INTER_AREA)
        bare = np.asarray(small > 254)
    return fit_board_light(view_fit, picture_fit, usable, bare)


def prepare_light_fit(view: Image, picture: Image, visible: Image) -> tuple[Singles, Singles, Flags]:
    """Return view and picture (h, w, 3), and the mask (h, w) of full visibility, at the size at which light is
    fitted."""
    h, w = picture.shape[:2]
    scale = FITTED_PX / max(h, w)
    size = (max(1, round(w * scale)), max(1, round(h * scale)))
    view_fit, picture_fit, there = (
        cv2.resize(layer, size, interpolation=cv2.INTER_AREA) for layer in (view, picture, visible)
    )
    return view_fit.astype(np.float32), picture_fit.astype(np.float32), there > 254


def fit_board_light(view: Singles, picture: Singles, usable: Flags, bare: Flags | None = None) -> Light:
    """Fit the light of a board's view (h, w, 3) from its picture (h, w, 3).

    `usable` (h, w) masks the visible part. If pieces cover most of a board, its `bare` part (h, w) initialises the
    light.
    """
    ratios = np.log(picture + DARK_GREY_LEVELS) - np.log(view + DARK_GREY_LEVELS)
    first = usable if bare is None or (usable & bare).sum() < MIN_BARE_SHARE * usable.size else usable & bare
    even = np.array([np.median(ratios[..., c][first]) if first.any() else 0.0 for c in range(3)], np.float32)
    gains = np.broadcast_to(even, ratios.shape).astype(np.float32)
    if first is not usable:
        gains = _smooth_ratios(ratios, first.astype(np.float32), even)
    mix = np.eye(3, dtype=np.float32)
    for _ in range(FIT_ROUNDS):
        lit = ((view + DARK_GREY_LEVELS) * np.exp(gains)) @ mix.T
        misfit = find_brightest_channel(np.abs(np.log(picture + DARK_GREY_LEVELS) - np.log(np.maximum(lit, 1.0))))
        weight = np.asarray(usable / (1 + (misfit / OUTLYING_LOG) ** 4), np.float32)
        gains = _smooth_ratios(ratios, weight, even)
        mix = _fit_mixing((view + DARK_GREY_LEVELS) * np.exp(gains), picture + DARK_GREY_LEVELS, weight)
    return Light(gains, mix)


def _smooth_ratios(ratios: Singles, weight: Singles, even: Singles) -> Singles:
    """Return weighted local means (h, w, 3) of the ratios."""
    small = tuple(max(1, round(side * 2 * REACH_SHARE)) for side in ratios.shape[1::-1])  # a wide Gaussian is coarse
    sigma = REACH_SHARE * max(small)
    layers = np.dstack([ratios * weight[..., None], weight])
    smooth = cv2.GaussianBlur(cv2.resize(layers, small, interpolation=cv2.INTER_AREA), (0, 0), sigma)
    wide = cv2.resize(smooth, ratios.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray((wide[..., :3] + EVEN_LIGHT_WEIGHT * even) / (wide[..., 3:] + EVEN_LIGHT_WEIGHT), np.float32)


def _fit_mixing(lit: Singles, picture: Singles, weight: Singles) -> Singles:
    """Return the best mixing (3, 3) of channels, regularised towards the identity."""
    x, y, w = lit.reshape(-1, 3), picture.reshape(-1, 3), weight.reshape(-1, 1)
    gram = (x * w).T @ x
    firm = MIX_WEIGHT_SHARE * np.trace(gram) / 3 * np.eye(3, dtype=np.float32) + 1e-3 * np.eye(3, dtype=np.float32)
    return np.asarray(np.linalg.solve(gram + firm, (x * w).T @ y + firm).T, np.float32)
