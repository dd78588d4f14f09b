"""A picture with its half, its quarter and so on, so that nothing small is ever made out of all its pixels again."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

import cv2
import numpy as np

from vision.arrays import Image
from vision.photo.crops import shrink_image

ROOM = 2.0
"""Times as large as wanted: averaged twice, a picture is a little softer than averaged once. From less room than this a
reading differs: squares lie up to a pixel elsewhere, and what is doubtful may tip over."""
LESS = 0.9
"""Of the size that is wanted: a half that has it is large enough to be looked at, if a little soft."""
NEAR = 0.75
"""Of one of them: what is wanted as large as this is not made out of it: that takes longer than to look at more."""
HALF_LEAST = 16
"""Pixels: a picture whose shorter side is less than twice that has no half."""


class Halves:
    """A (h, w, 3) picture; each half is made once, out of the one before, when it is first asked for.

    Pixels average in fours exactly: an odd last row or column is left out of the half, which so is at exactly 0.5.
    Several threads may ask at once.
    """

    def __init__(self, picture: Image) -> None:
        self.size = (int(picture.shape[1]), int(picture.shape[0]))
        self._make: Callable[[], Image] | None = None
        self._making = Lock()
        self._levels: list[Image] = [picture]

    @classmethod
    def of_half(cls, half: Image, make: Callable[[], Image]) -> Halves:
        """A picture of which only the half is at hand; `make` makes the whole, of twice its size, when it is needed."""
        halves = cls(half)
        halves.size = (2 * half.shape[1], 2 * half.shape[0])
        halves._make, halves._levels = make, [half, half]
        return halves

    @property
    def whole(self) -> Image:
        with self._making:
            if self._make is not None:
                self._levels[0], self._make = self._make(), None
            return self._levels[0]

    def at_least(self, scale: float, room: float = ROOM) -> tuple[Image, float]:
        """The smallest of them with `room` for the picture at `scale`, and its own scale."""
        level = 0
        while 0.5 ** (level + 1) >= room * scale and self._has(level + 1):
            level += 1
        return self._levels[level] if level else self.whole, 0.5**level

    def shrunk(self, scale: float) -> tuple[Image, float]:
        """The picture made smaller by area averaging, and the scale really used; see `shrink_image`."""
        near, own = self.at_least(scale)
        image, used = shrink_image(near, scale / own)
        return image, own * used

    def sized(self, scale: float) -> tuple[Image, float]:
        """About the same out of the smallest that is large enough, a little softer: ten times as fast.

        Averaged as well: where four pixels alone are weighed, a patterned cloth's weave passes for tiles.
        """
        near, own = self.at_least(scale, room=LESS)
        if scale / own >= NEAR or min(near.shape[:2]) * scale < own:  # a line stays one
            return near, own
        image, used = shrink_image(near, scale / own)
        return image, own * used

    def _has(self, level: int) -> bool:
        """Whether there is such a half; makes it, the one before being there."""
        with self._making:
            if level == len(self._levels) and min(self._levels[-1].shape[:2]) >= 2 * HALF_LEAST:
                before = self._levels[-1]
                even = before[: before.shape[0] // 2 * 2, : before.shape[1] // 2 * 2]
                size = (even.shape[1] // 2, even.shape[0] // 2)
                self._levels.append(np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8))
            return level < len(self._levels)
