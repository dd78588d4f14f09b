"""Which players' columns stand on the turn order track: they tell who plays, and hide what lies behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags, Floats
from vision.printed.board import project_to_board
from vision.printed.layout import Region
from vision.tower_of_babel.colour_likelihood import Paints
from vision.tower_of_babel.layout import TurnOrderLayout
from vision.tower_of_babel.view import BoardView

COVERED_LEAST = 0.5
"""Of a column as it is seen: so much is of its colour."""
SEEN_LEAST = 0.2
"""Of a column: where nearer ones hide more, nothing is known of it."""
ROOM_MM = 2.0
"""What a column hides, and how far it may stand beside its place."""


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The colours of the columns that stand on the board, and (h, w) what they hide."""

    colours: frozenset[str]
    hidden: Flags


def find_columns(view: BoardView, paints: Paints, track: TurnOrderLayout | None) -> Columns:
    """The columns of a view."""
    hidden = np.zeros(view.board.shape, np.uint8)
    found = set()
    for space in _nearest_first(track.spaces if track else (), view.camera):
        assert track is not None
        there = np.zeros(view.board.shape, np.uint8)
        cv2.fillConvexPoly(there, _outline(view, space, track.column), 1)
        seen = (there > 0) & (hidden == 0)
        if seen.sum() < SEEN_LEAST * there.sum():
            continue
        shares = {colour: float(seed[seen].mean()) for colour, seed in paints.seeds.items()}
        colour = max(shares, key=lambda own: shares[own], default=None)
        if colour is not None and shares[colour] >= COVERED_LEAST:
            found.add(colour)
            hidden |= there
    room = 2 * round(ROOM_MM * view.px_mm) + 1
    return Columns(frozenset(found), np.asarray(cv2.dilate(hidden, np.ones((room, room), np.uint8)) > 0))


def _nearest_first(spaces: Sequence[Region], camera: Floats) -> list[Region]:
    """Nearer columns hide those behind them."""
    return sorted(spaces, key=lambda own: float(np.linalg.norm(own.outline.mean(axis=0) - camera[:2])))


def _outline(view: BoardView, space: Region, column: tuple[float, float]) -> NDArray[np.int32]:
    """(n, 2) pixels of a column as it is seen on its space."""
    wide, high = column
    rim = space.outline
    middle = rim.mean(axis=0)
    foot = middle + (rim - middle) * (wide / 2 / np.linalg.norm(rim - middle, axis=1).mean())
    top = project_to_board(view.camera, np.column_stack([foot, np.full(len(foot), high)]))
    hull = cv2.convexHull(view.pixels(np.vstack([foot, top])).astype(np.float32))[:, 0]
    return np.asarray(np.rint(hull), np.int32)
