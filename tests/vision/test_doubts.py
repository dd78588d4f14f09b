"""What a reading doubts beside what its nets doubt: a wonder that nobody seems to have marked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scoring.carcassonne.alternatives import UnseenMarker
from scoring.carcassonne.board import Board, PlacedMeeple, PlacedWonder
from scoring.carcassonne.doubt import score_doubts
from scoring.carcassonne.features import features
from scoring.carcassonne.wonders import wonder_catalogue
from vision.doubts import alternatives_of
from vision.reading import Reading, Warp, WonderReading

ALHAMBRA = PlacedWonder(wonder_catalogue()["WH/alhambra"], (0, 0))
READING = Reading(100, 100, (), (), Warp(np.eye(3), {}), {})


def board(*meeples: PlacedMeeple) -> Board:
    return Board(ALHAMBRA.placements, meeples)


def on(kind: str, colour: str, pose: str) -> PlacedMeeple:
    square, segment = next(own.members[0] for own in features(board()) if own.kind == kind)
    return PlacedMeeple(colour, square, segment, pose)


def markers(of: Board, reading: Reading = READING) -> set[str]:
    others = [other for other in alternatives_of(reading, of) if isinstance(other, UnseenMarker)]
    assert {(other.wonder, other.meeple.pose) for other in others} <= {("WH/alhambra", "upside_down")}
    return {other.meeple.colour for other in others}


def test_a_wonder_without_a_marker_is_doubted_for_each_player() -> None:
    unmarked = board(on("road", "red", "standing"), on("field", "blue", "lying"))
    assert markers(unmarked) == {"red", "blue"}
    assert score_doubts(unmarked, alternatives_of(READING, unmarked)).doubtful


def test_a_marked_wonder_is_not() -> None:
    marked = board(on("road", "red", "standing"), on("wonder", "blue", "upside_down"))
    assert markers(marked) == set()


def test_one_of_which_a_person_said_that_it_is_nobodys_is_not() -> None:
    unmarked = board(on("road", "red", "standing"))
    assert markers(unmarked, replace(READING, wonders=(WonderReading(ALHAMBRA, 1.0),))) == {"red"}
    assert markers(unmarked, replace(READING, wonders=(WonderReading(ALHAMBRA, 1.0, nobodys=True),))) == set()


def test_a_table_without_pieces_has_nobody_to_ask_about() -> None:
    assert markers(board()) == set()
