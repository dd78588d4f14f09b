"""A picture with its half, its quarter and so on, so that nothing small is ever made out of all its pixels again."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import AS_LARGE, shrink_to

Image = NDArray[np.uint8]

ROOM = 2.0
"""Times as large as wanted: averaged twice, a picture is a little softer than averaged once. From less room than this a
reading differs: squares lie up to a pixel elsewhere, and what is doubtful may tip over."""
HALF_LEAST = 16
"""Pixels: a picture whose shorter side is less than twice that has no half."""


class Halves:
    """A (h, w, 3) picture; each half is made once, out of the one before, when it is first asked for.

    Pixels average in fours exactly: an odd last row or column is left out of the half, which so is at exactly 0.5.
    """

    def __init__(self, picture: Image) -> None:
        self._levels = [picture]

    @property
    def whole(self) -> Image:
        return self._levels[0]

    def at_least(self, scale: float, room: float = ROOM) -> tuple[Image, float]:
        """The smallest of them with `room` for the picture at `scale`, and its own scale."""
        level = 0
        while 0.5 ** (level + 1) >= room * scale and self._has(level + 1):
            level += 1
        return self._levels[level], 0.5**level

    def shrunk(self, scale: float) -> tuple[Image, float]:
        """The picture made smaller by area averaging, and the scale really used; see `shrink_to`."""
        near, own = self.at_least(scale)
        image, used = shrink_to(near, scale / own)
        return image, own * used

    def sized(self, scale: float) -> tuple[Image, float]:
        """The same out of the smallest that is large enough, a little softer: ten times as fast.

        Averaged as well: where four pixels alone are weighed, a patterned cloth's weave passes for tiles.
        """
        near, own = self.at_least(scale, room=1.0)
        if scale / own >= AS_LARGE or min(near.shape[:2]) * scale < own:  # a line stays one
            return near, own
        image, used = shrink_to(near, scale / own)
        return image, own * used

    def _has(self, level: int) -> bool:
        """Whether there is such a half; makes it, the one before being there."""
        if level == len(self._levels) and min(self._levels[-1].shape[:2]) >= 2 * HALF_LEAST:
            before = self._levels[-1]
            even = before[: before.shape[0] // 2 * 2, : before.shape[1] // 2 * 2]
            size = (even.shape[1] // 2, even.shape[0] // 2)
            self._levels.append(np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8))
        return level < len(self._levels)
