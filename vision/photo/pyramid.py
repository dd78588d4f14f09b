"""An image pyramid, so that small pictures are never computed from the full resolution twice."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

import cv2
import numpy as np

from vision.arrays import Image
from vision.photo.crops import shrink_image

ROOM_RATIO = 2.0
"""Minimum size of a source picture relative to the wanted one; averaging twice is slightly softer than averaging once.
Measured: with less room, squares shift by up to a pixel, and doubtful readings may flip.
"""
MIN_SIZE_SHARE = 0.9
"""Minimum size of a half, relative to the wanted size, at which it is used although slightly soft. A guess."""
MIN_NEAR_SHARE = 0.75
"""Minimum wanted size, relative to a picture, at which the picture is used unresized, because resizing takes longer.
Bounds time.
"""


class Halves:
    """A (h, w, 3) picture; each half is computed once, from the previous level, when first requested.

    Pixels are averaged in exact groups of 4: an odd last row or column is dropped, so the scale is exactly 0.5. Several
    threads may ask at once.
    """

    def __init__(self, picture: Image) -> None:
        self.size = (int(picture.shape[1]), int(picture.shape[0]))
        self._make: Callable[[], Image] | None = None
        self._making = Lock()
        self._levels: list[Image] = [picture]

    @classmethod
    def from_half(cls, half: Image, make: Callable[[], Image]) -> Halves:
        """Build a picture from its half alone; `make` computes the whole, of twice its size, when it is needed."""
        halves = cls(half)
        halves.size = (2 * half.shape[1], 2 * half.shape[0])
        halves._make, halves._levels = make, [half, half]
        return halves

    def without_pixels(self) -> Halves:
        """Return a picture of the same size, all of whose pixels are black and take no memory."""
        return Halves.blank(self.size)

    @classmethod
    def blank(cls, size: tuple[int, int]) -> Halves:
        """Build a picture of a size (w, h), all of whose pixels are black and take no memory."""
        return cls(np.broadcast_to(np.uint8(0), (size[1], size[0], 3)))

    @property
    def has_pixels(self) -> bool:
        """Return whether the picture has pixels of its own."""
        return any(self._levels[0].strides)

    @property
    def whole(self) -> Image:
        """Return the picture (h, w, 3) in full size, computing it first if necessary."""
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
        """Return the picture reduced by area averaging, and the actual scale; see `shrink_image`."""
        near, level_scale = self.at_least(scale)
        image, used = shrink_image(near, scale / level_scale)
        return image, level_scale * used

    def sized(self, scale: float) -> tuple[Image, float]:
        """Return the picture at about `scale`, and the actual scale: slightly softer than `shrunk`, but 10 times as
        fast.

        It is averaged as well: if only 4 pixels were interpolated, the weave of a patterned cloth would pass for tiles.
        """
        near, level_scale = self.at_least(scale, room=MIN_SIZE_SHARE)
        if scale / level_scale >= MIN_NEAR_SHARE or min(near.shape[:2]) * scale < level_scale:  # keep at least one row
            return near, level_scale
        image, used = shrink_image(near, scale / level_scale)
        return image, level_scale * used

    def _has(self, level: int) -> bool:
        """Return whether such a half exists, computing it from the previous level if needed."""
        with self._making:
            if level == len(self._levels) and min(self._levels[-1].shape[:2]) > 1:
                before = self._levels[-1]
                even = before[: before.shape[0] // 2 * 2, : before.shape[1] // 2 * 2]
                size = (even.shape[1] // 2, even.shape[0] // 2)
                self._levels.append(np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8))
            return level < len(self._levels)
