"""The positions on a Tower of Babel board: `[layout]` of the components file, in millimetres.

[layout.parts]                    a wooden house's width, its length along the ridge, and its height
value_1 = [10, 10, 10]
value_3 = [16, 16, 14]

[layout.wonders.giza]
area = { at = [80, 110], size = [88, 84] }
discs = [{ at = [50, 175], radius = 13 }, ...]

[layout.track]                    the victory point track, space 0 first, as straight runs of spaces
radius = 11
runs = [{ first = [12, 12], last = [536, 12], spaces = 24 }, ...]

[layout.scoring_table]            the spaces of the scoring marker from the top, and the light one
rows = [{ at = [480, 60], size = [90, 14] }, ...]
light = { at = [480, 190], size = [90, 14] }
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import Field

from scoring.tower_of_babel.board import WONDERS
from scoring.tower_of_babel.components import ROWS, Wonder
from vision.arrays import Floats
from vision.flat_boards.layout import MAX_PARTS, Length, Part, Point, Region, read_layout


class WonderLayout(Part):
    """The area for building parts, and the three spaces for discs."""

    area: Region
    discs: tuple[Region, Region, Region]


class PartSizes(Part):
    """A building part's width, its length along the ridge, and its height to the ridge, in millimetres."""

    value_1: tuple[Length, Length, Length]
    value_3: tuple[Length, Length, Length]

    def of(self, worth: int) -> tuple[float, float, float]:
        """Return the size of a part of value 1 or 3."""
        return self.value_1 if worth == 1 else self.value_3


class Run(Part):
    """A straight run of spaces, by the centres of the first and the last."""

    first: Point
    last: Point
    spaces: Annotated[int, Field(ge=1, le=200)]


class TrackLayout(Part):
    """The victory point track; a space reaches `radius` from its centre."""

    radius: Length
    runs: Annotated[tuple[Run, ...], Field(min_length=1, max_length=MAX_PARTS)]

    @property
    def middles(self) -> Floats:
        """(n, 2) centres of the spaces in millimetres, 0 first."""
        return np.concatenate([np.linspace(run.first, run.last, run.spaces) for run in self.runs])


Round = tuple[Length, Length]
"""Width and height of a round piece."""


class ScoringTableLayout(Part):
    """The possible places of the scoring marker: the rows from the top, and the light space."""

    marker: Round
    rows: Annotated[tuple[Region, ...], Field(min_length=ROWS, max_length=ROWS + 1)]
    light: Region


class TurnOrderLayout(Part):
    """The spaces for columns."""

    column: Round
    spaces: Annotated[tuple[Region, ...], Field(max_length=MAX_PARTS)]


class Layout(Part):
    """The whole layout of a board."""

    parts: PartSizes
    wonders: dict[Wonder, WonderLayout]
    track: TrackLayout
    scoring_table: ScoringTableLayout
    turn_order: TurnOrderLayout | None = None

    @property
    def known_wonders(self) -> tuple[Wonder, ...]:
        """The wonders in the layout, in the game's order."""
        return tuple(wonder for wonder in WONDERS if wonder in self.wonders)


def read_board_layout(components: str) -> Layout:
    """Read the layout in a components file; raises ComponentsError `components_invalid`."""
    return read_layout(Layout, components)
