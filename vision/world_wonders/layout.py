"""The positions of squares and tracks of World Wonders on the enrolled pictures: the `[layout]` of a components file.

    [layout.map]
    first = [14.0, 14.0]
    square = 18.0

    [layout.resources.food]
    first = [30.0, 54.0]
    step = [10.2, 0.0]
    spaces = 12

`[layout.maps.A]` and `[layout.maps.COLOUR]` exist if the grids of the map boards have different positions on their
pictures: side A's, and that of a player's board on side B. `[layout.resources_b]` are the tracks of side B if both
sides of the resource boards were enrolled.

All values are in millimetres: the north-west corner of the map's first square and a square's side; the centre of a
track's space 0, the step to the next one, and their number. The gold track is included: its marker is not read, but may
hide others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from pydantic import Field

from scoring.world_wonders.components import Side
from vision.arrays import Floats
from vision.flat_boards.layout import MAX_PARTS, Length, Part, Point

SIDE_A: Side = "A"
SIDE_B: Side = "B"
RESOURCES, RESOURCES_B = "resources", "resources-b"
"""The picture of the resource boards' side A, or of the side in use, and of side B if both were enrolled."""


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
        """(spaces, 2) centres in millimetres."""
        return np.asarray(np.array(self.first) + np.arange(self.spaces)[:, None] * np.array(self.step))


class Layout(Part):
    """The whole `[layout]`."""

    map: MapLayout
    maps: Annotated[dict[str, MapLayout], Field(max_length=MAX_PARTS)] = Field(default_factory=dict)
    resources: Annotated[dict[str, TrackLayout], Field(max_length=MAX_PARTS)] = Field(default_factory=dict)
    resources_b: Annotated[dict[str, TrackLayout], Field(max_length=MAX_PARTS)] = Field(default_factory=dict)

    def get_map(self, side: Side | None, colour: str) -> MapLayout:
        """Return the position of a player's map squares on the side in use."""
        return self.maps.get(SIDE_A if side == SIDE_A else colour, self.map)

    def get_tracks(self, side: Side | None) -> dict[str, TrackLayout]:
        """Return the tracks of the side of the resource boards in use."""
        return self.resources_b if side == SIDE_B and self.resources_b else self.resources


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
