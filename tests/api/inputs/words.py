"""A board whose words can be checked against its notation."""

from __future__ import annotations

from scoring.carcassonne.board.board import mark_wonders
from scoring.carcassonne.board.notation import format_notation
from tests.scoring.laid import laid, wonder

BOARD = mark_wonders(
    laid(
        "E0E0E0 yellow^0,0=cN yellow^0,1=cN red^0,2=cN red_0,0=fSL",
        (wonder("circus-maximus", (1, 0)), "red"),
        (wonder("alhambra", (1, 4)), "red"),
    ),
    {"WH/circus-maximus": None, "WH/alhambra": None},
)
"""Two wonders without a marker."""


NOTATION = format_notation(BOARD)
