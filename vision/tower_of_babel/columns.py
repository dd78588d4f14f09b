"""The players' columns on the turn order track: they show who plays, and hide the area behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import EVEN_ODDS, Flags, Floats
from vision.flat_boards.board import project_level_to_board
from vision.flat_boards.layout import Region
from vision.tower_of_babel.colour_likelihood import Paints
from vision.tower_of_babel.layout import TurnOrderLayout
from vision.tower_of_babel.view import MIN_VISIBLE_SHARE, BoardView

MIN_COLOUR_SHARE = EVEN_ODDS
"""Minimum share of a column's outline in its colour."""
ROOM_MM = 2.0
"""Margin around the area hidden by a column, for its tolerance of position. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The colours of the columns on the board, and the mask (h, w) of the area they hide."""

    colours: frozenset[str]
    hidden: Flags


def find_columns(view: BoardView, paints: Paints, track: TurnOrderLayout | None) -> Columns:
    """Find the columns of a view."""
    hidden = np.zeros(view.board.shape, np.uint8)
    colours = set()
    for space in _sort_by_distance(track.spaces if track else (), view.camera):
        assert track is not None
        there = np.zeros(view.board.shape, np.uint8)
        cv2.fillConvexPoly(there, _project_column(view, space, track.column), 1)
        visible = (there > 0) & (hidden == 0)
        if visible.sum() < MIN_VISIBLE_SHARE * there.sum():
            continue
        shares = {colour: float(seed[visible].mean()) for colour, seed in paints.seeds.items()}
        colour = max(shares, key=lambda name: shares[name], default=None)
        if colour is not None and shares[colour] >= MIN_COLOUR_SHARE:
            colours.add(colour)
            hidden |= there
    room = 2 * round(ROOM_MM * view.px_mm) + 1
    return Columns(frozenset(colours), np.asarray(cv2.dilate(hidden, np.ones((room, room), np.uint8)) > 0))


def _sort_by_distance(spaces: Sequence[Region], camera: Floats) -> list[Region]:
    """Sort spaces from near to far, because nearer columns hide those behind them."""
    return sorted(spaces, key=lambda space: float(np.linalg.norm(space.outline.mean(axis=0) - camera[:2])))


def _project_column(view: BoardView, space: Region, column: tuple[float, float]) -> NDArray[np.int32]:
    """Return the outline (n, 2) in pixels of a column on its space."""
    wide, high = column
    rim = space.outline
    middle = rim.mean(axis=0)
    foot = middle + (rim - middle) * (wide / 2 / np.linalg.norm(rim - middle, axis=1).mean())
    top = project_level_to_board(view.camera, foot, high)
    hull = cv2.convexHull(view.pixels(np.vstack([foot, top])).astype(np.float32))[:, 0]
    return np.asarray(np.rint(hull), np.int32)
