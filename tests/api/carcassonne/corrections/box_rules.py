"""A board whose score depends on the rules of a box, and the question about them."""

from __future__ import annotations

from dataclasses import replace

from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from scoring.carcassonne.board.board import Board
from tests.api.doubted import joined
from tests.api.tables_read import reading_of
from tests.scoring.laid import laid, wonder
from vision.reading.values import WonderReading

ASKED = {
    "en": "Did you play with the rules of Inns & Cathedrals?",
    "de": "Wurde mit den Regeln von „Wirtshäuser & Kathedralen“ gespielt?",
    "ro": "S-a jucat cu regulile din „Hanuri și catedrale”?",
}


def build_board(pieces: str = "red^0,1=rE") -> Board:
    """Return an unfinished road with an inn; blue's Stonehenge lies apart."""
    return laid(f"(IC/RFr.i)0U0 {pieces}", (wonder("stonehenge", (4, 0)), "blue"))


def hold(board: Board) -> Snapshot:
    wonders = tuple(WonderReading(placed, 1.0) for placed in board.wonders)
    return build_snapshot(joined(replace(reading_of(board), wonders=wonders)))
