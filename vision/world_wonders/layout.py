"""Where the squares and tracks of World Wonders lie on the enrolled pictures: the `[layout]` of a components file.

    [layout.map]
    first = [14.0, 14.0]
    square = 18.0

    [layout.resources.food]
    first = [30.0, 54.0]
    step = [10.2, 0.0]
    spaces = 12

All in millimetres: the north-west corner of the map's first square and a square's side; the middle of a track's space
0, the step to the next one, and how many there are. The gold track is told as well: its marker is not read, but may
hide others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from pydantic import Field

from vision.arrays import Floats
from vision.printed.layout import Length, Part, Point


class MapLayout(Part):
    """The map's squares."""

    first: Point
    square: Length


class TrackLayout(Part):
    """The spaces of a track."""

    first: Point
    step: Point
    spaces: Annotated[int, Field(ge=2, le=100)]

    @property
    def middles(self) -> Floats:
        """(spaces, 2) millimetres."""
        return np.asarray(np.array(self.first) + np.arange(self.spaces)[:, None] * np.array(self.step))


class Layout(Part):
    """The whole `[layout]`."""

    map: MapLayout
    resources: dict[str, TrackLayout] = Field(default_factory=dict)


@dataclass(frozen=True)
class Grid:
    """The squares of a map board in millimetres of its picture."""

    rows: int
    cols: int
    first: tuple[float, float]
    square: float

    @cached_property
    def corners(self) -> Floats:
        """(rows, cols, 4, 2) corners NW, NE, SE, SW."""
        col, row = np.meshgrid(np.arange(self.cols), np.arange(self.rows))
        unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
        return np.asarray(np.array(self.first) + self.square * (np.stack([col, row], -1)[:, :, None] + unit))
