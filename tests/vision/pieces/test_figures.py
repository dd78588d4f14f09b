"""Dragons, bridges and coins may be no player's pieces, a barn is; pieces that look like the others are meeples."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.pieces import brings_pieces
from scoring.carcassonne.tiles.expansions import EXPANSIONS
from scoring.carcassonne.tiles.other_boxes import get_layout
from vision.arrays import compute_sigmoid
from vision.doubt.alternatives import calibrate_probability, find_alternatives
from vision.pieces.figures import estimate_figures
from vision.pieces.kind_classifier import Names
from vision.pieces.meeples import read_meeples
from vision.reading.board import place_meeple
from vision.reading.piece import Piece
from vision.reading.values import MeepleReading, Reading, Warp

NAMES = Names(("red", "blue"), ("standing", "lying"), ("meeple",))
WARP = Warp(np.diag([100.0, 100.0, 1.0]))


def lay(*further: str) -> Board:
    """Return eight roads in a row, and further tiles far below."""
    tiles = {(0, col): Placement("U", 1) for col in range(8)}
    return Board({**tiles, **{(9, 2 * col): Placement(tile) for col, tile in enumerate(further)}})


def piece(col: int, logits: float = 8.0, pose: float = 0.999) -> Piece:
    """Return a red piece on the road of a square, which the net sees so surely."""
    seen = float(compute_sigmoid(logits))
    return Piece((col + 0.5, 0.5), 1.0, np.array([0.99, 0.01]), np.array([pose, 1 - pose]), seen=seen, seeming=0.7)


DRAGON = piece(7, 2.0, 0.8)
DRAGONS = ("DG/CRcr.d", "DG/F.v")
"""Tiles of the box with the dragon."""
PIECES = [*map(piece, range(6)), DRAGON]


def test_an_unusual_thing_may_be_a_figure_if_its_box_lies_there() -> None:
    *pieces, dragon = estimate_figures(PIECES, lay(*DRAGONS))
    assert max(pieces) == 0
    assert dragon > 0.5
    assert estimate_figures(PIECES, lay())[-1] < dragon
    alone, without = estimate_figures(PIECES, lay(*DRAGONS[:1])), estimate_figures(PIECES, lay("GQ/CRCr.2", "GQ/F"))
    assert alone[-1] == without[-1] == estimate_figures(PIECES, lay())[-1], (
        "a tile may be misread; a box has no figures"
    )


def test_a_table_on_which_the_net_is_less_sure_has_no_figures() -> None:
    blurred = [piece(col, 5.0) for col in range(7)]
    assert estimate_figures(blurred, lay()).tolist() == [0.0] * 7


def test_nothing_is_said_of_pieces_whose_shape_is_unknown() -> None:
    unknown = [replace(each, seen=np.nan) for each in PIECES]
    assert estimate_figures(unknown, lay(*DRAGONS)).tolist() == [0.0] * 7
    assert estimate_figures([], lay()).tolist() == []


def test_a_piece_that_the_border_cuts_is_no_figure() -> None:
    cut = replace(DRAGON, whole=False)
    assert estimate_figures([*PIECES[:-1], cut], lay(*DRAGONS))[-1] == 0


def test_a_figure_is_asked_about_and_not_its_player() -> None:
    board = lay(*DRAGONS)
    meeples, _ = read_meeples(PIECES, NAMES, WARP, board)
    reading = Reading(900, 100, (), meeples, WARP, {})
    others = list(find_alternatives(reading, replace(board, meeples=tuple(map(place_meeple, meeples)))))
    (figure,) = (meeple for meeple in meeples if meeple.doubtful)
    assert (figure.row, figure.col) == (0, 7)
    assert figure.confidence < 0.5
    gone = [other.probability for other in others if getattr(other, "instead", "") is None]
    assert gone == [pytest.approx(1 - figure.confidence, abs=0.05)]
    assert calibrate_probability("nobody", 0.7) == 0.7


def test_expansions_with_pieces_of_their_own_bring_figures() -> None:
    brings = {expansion.name for expansion in EXPANSIONS if brings_pieces(expansion)}
    assert {"Abbey & Mayor", "Bridges, Castles & Bazaars", "The Princess & the Dragon", "The Tower"} <= brings
    assert not brings & {"Games Quarterly 11", "King & Robber Baron", "The River III", "The Siege"}


def read_in_country(at: tuple[float, float], *further: str, tile: str = "BA/L", logits: float = 2.0) -> MeepleReading:
    """Return what is read of a thing on four tiles, the first of them a `tile`, beside six sure pieces on roads."""
    country = {(row, col): Placement("BA/L") for row in (4, 5) for col in (0, 1)} | {(4, 0): Placement(tile)}
    roads = lay(*further)
    board = replace(roads, tiles={**roads.tiles, **country})
    thing = replace(piece(0, logits, 0.8 if logits < 5 else 0.999), at=at)
    meeples, _ = read_meeples([*map(piece, range(6)), thing], NAMES, WARP, board)
    return next(meeple for meeple in meeples if meeple.row > 0)


def test_a_thing_where_four_fields_meet_is_a_barn_if_its_box_lies_there() -> None:
    barn = read_in_country((1.03, 4.98), "AM/CCRR", "AM/A")
    assert (barn.kind, barn.doubtful, barn.confidence > 0.8) == ("barn", True, True)
    field = get_layout("BA/L").segments[barn.segment or 0]
    assert field.kind == "field"
    usual, none = barn.alternatives
    assert (usual.kind, none.segment) == ("meeple", None)
    assert barn.confidence + usual.probability + none.probability == pytest.approx(1)


@pytest.mark.parametrize(
    ("at", "boxes", "tile", "logits"),
    [
        ((1.3, 4.98), ["AM/CCRR", "AM/A"], "BA/L", 2.0),
        ((1.03, 4.98), [*DRAGONS], "BA/L", 2.0),
        ((1.03, 4.98), ["AM/CCRR", "AM/A"], "BA/Cccc+", 2.0),
        ((1.03, 4.98), ["AM/CCRR", "AM/A"], "BA/L", 8.0),
    ],
    ids=["off the corner", "another box", "beside a city", "a sure meeple"],
)
def test_other_things_are_no_barns(at: tuple[float, float], boxes: list[str], tile: str, logits: float) -> None:
    assert read_in_country(at, *boxes, tile=tile, logits=logits).kind == "meeple"
