"""A picture with its half, its quarter and so on, so that nothing small is ever made out of all its pixels again."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

import cv2
import numpy as np

from vision.arrays import Image
from vision.photo.crops import shrink_image

ROOM_RATIO = 2.0
"""How many times as large as wanted a source picture is: averaged twice, a picture is a little softer than averaged
once. With less room a reading differs: squares lie up to a pixel elsewhere, and what is doubtful may tip over."""
MIN_SIZE_SHARE = 0.9
"""A half with this share of the size that is wanted is large enough to be looked at, if a little soft."""
MIN_NEAR_SHARE = 0.75
"""What is wanted at this share of a picture's size or more is not made out of it: that takes longer than to look at
more."""
MIN_HALF_PX = 16
"""A picture whose shorter side is less than twice this has no half."""


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
    def from_half(cls, half: Image, make: Callable[[], Image]) -> Halves:
        """Build a picture of which only the half is at hand; `make` makes the whole, of twice its size, when it is
        needed."""
        halves = cls(half)
        halves.size = (2 * half.shape[1], 2 * half.shape[0])
        halves._make, halves._levels = make, [half, half]
        return halves

    @property
    def whole(self) -> Image:
        """The picture (h, w, 3) in full size, which may have to be made first."""
        with self._making:
            if self._make is not None:
                self._levels[0], self._make = self._make(), None
            return self._levels[0]

    def at_least(self, scale: float, room: float = ROOM_RATIO) -> tuple[Image, float]:
        """Return the smallest picture with `room` for the one at `scale`, and its own scale."""
        level = 0
        while 0.5 ** (level + 1) >= room * scale and self._has(level + 1):
            level += 1
        return self._levels[level] if level else self.whole, 0.5**level

    def shrunk(self, scale: float) -> tuple[Image, float]:
        """Return the picture made smaller by area averaging, and the scale really used; see `shrink_image`."""
        near, level_scale = self.at_least(scale)
        image, used = shrink_image(near, scale / level_scale)
        return image, level_scale * used

    def sized(self, scale: float) -> tuple[Image, float]:
        """Return about the picture at `scale` and the scale really used, a little softer than `shrunk`: ten times as
        fast.

        It is averaged as well: where four pixels alone are weighed, a patterned cloth's weave passes for tiles.
        """
        near, level_scale = self.at_least(scale, room=MIN_SIZE_SHARE)
        if scale / level_scale >= MIN_NEAR_SHARE or min(near.shape[:2]) * scale < level_scale:  # a line stays one
            return near, level_scale
        image, used = shrink_image(near, scale / level_scale)
        return image, level_scale * used

    def _has(self, level: int) -> bool:
        """Whether there is such a half; makes it, the one before being there."""
        with self._making:
            if level == len(self._levels) and min(self._levels[-1].shape[:2]) >= 2 * MIN_HALF_PX:
                before = self._levels[-1]
                even = before[: before.shape[0] // 2 * 2, : before.shape[1] // 2 * 2]
                size = (even.shape[1] // 2, even.shape[0] // 2)
                self._levels.append(np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8))
            return level < len(self._levels)
