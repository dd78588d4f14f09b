"""The piece on a tile and its duration, by readings that agree, miss it, or contradict each other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from vision.pieces.kind_prior import MARKER
from vision.reading.values import MeepleAlternative, MeepleReading
from vision.sequence.piece_history import PieceDoubt, trace_pieces

START = parse_notation("@0,0 L0")
"""Roads to the east, south and west; the one to the south is complete when the crossroads lies below it."""
DONE = parse_notation("@0,0 L0/X0")
SOUTH = next(m for m in parse_notation("L0 blue^0,0=rS").meeples)
EAST = next(m for m in parse_notation("L0 blue^0,0=rE").meeples)
HERE = frozenset({(0, 0), (1, 0)})


def read(
    piece: PlacedMeeple = SOUTH, confidence: float = 0.95, alternatives: tuple[MeepleAlternative, ...] = ()
) -> list[MeepleReading]:
    where = (0.5, 0.5)
    row, col = piece.square
    fields = (row, col, piece.segment, confidence, confidence < 0.8, alternatives)
    return [MeepleReading(piece.colour, "meeple", "standing", where, where, *fields)]


def stood(
    boards: list[Board], readings: list[list[MeepleReading]], colours: tuple[str, ...] = ()
) -> tuple[list[tuple[PlacedMeeple, ...]], tuple[PieceDoubt, ...]]:
    traced_boards, doubts, *_ = trace_pieces(boards, readings, [HERE] * len(boards), colours)
    assert [board.tiles for board in traced_boards] == [board.tiles for board in boards]
    return [board.meeples for board in traced_boards], doubts


def test_a_piece_stands_until_its_feature_is_complete() -> None:
    assert stood([START, START, DONE], [read(), read(), []]) == ([(SOUTH,), (SOUTH,), ()], ())


def test_a_piece_hidden_in_one_photo_is_known_from_the_others() -> None:
    assert stood([START] * 3, [read(), [], read()]) == ([(SOUTH,)] * 3, ())


def test_a_piece_seen_in_only_one_photo_is_rejected() -> None:
    readings = read(confidence=0.5, alternatives=(MeepleAlternative(None, 0.45),))
    assert stood([START] * 3, [[], readings, []]) == ([()] * 3, ())


def test_a_piece_that_returns_with_the_south_road_stood_on_it() -> None:
    """One photo shows it on the east road; but there it would still be."""
    readings = read(EAST, 0.6, (MeepleAlternative(SOUTH.segment, 0.35),))
    pieces, _ = stood([START, DONE, DONE], [readings, [], []])
    assert pieces == [(SOUTH,), (), ()]


def test_a_piece_seen_on_a_complete_road_stands_elsewhere() -> None:
    readings = read(SOUTH, 0.6, (MeepleAlternative(EAST.segment, 0.3),))
    assert stood([DONE], [readings])[0] == [(EAST,)]


NORTH = next(m for m in parse_notation("L0/X0 blue^1,0=rN").meeples)


def test_a_piece_photographed_before_it_goes_home_was_set_and_taken_back() -> None:
    readings = [[], read(NORTH), []]
    traced = trace_pieces([START, DONE, DONE], readings, [HERE] * 3)
    assert [board.meeples for board in traced.boards] == [(), (), ()]
    assert traced.takers == {(1, 0): "blue"}
    assert not traced.doubts
    assert traced.photographed > 0.5
    assert not trace_pieces([START, DONE, DONE], [[], [], []], [HERE] * 3).takers
    assert trace_pieces([START, DONE], [read(SOUTH), []], [HERE] * 2).photographed < 0.5


def test_a_piece_that_still_stands_on_its_complete_feature_goes_home() -> None:
    assert stood([START, DONE, DONE], [read(), read(), []]) == ([(SOUTH,), (), ()], ())


def test_a_piece_of_a_colour_that_does_not_play_is_renamed() -> None:
    readings = read(SOUTH, 0.5, (MeepleAlternative(SOUTH.segment, 0.4, "black"),))
    ((black,),), doubts = stood([START], [readings], ("black", "red"))
    assert black.colour == "black"
    assert not doubts


@pytest.mark.parametrize("share", [0.3, 0.4])
def test_a_doubtful_colour_is_reported(share: float) -> None:
    readings = read(SOUTH, 0.55, (MeepleAlternative(SOUTH.segment, share, "black"),))
    (pieces, (doubt,)) = stood([START], [readings])
    assert pieces == [(SOUTH,)]
    assert (doubt.square, doubt.instead) == ((0, 0), ("black", SOUTH.segment, "meeple"))
    assert 0.1 < doubt.probability < 0.5


def test_a_seen_builder_stays_after_its_road_is_complete() -> None:
    builder = replace(EAST, kind="builder")
    reading = replace(read(builder)[0], kind="builder")
    assert stood([START, DONE], [[reading], [reading]]) == ([(builder,)] * 2, ())


def test_a_doubtful_kind_is_reported() -> None:
    readings = read(EAST, 0.55, (MeepleAlternative(EAST.segment, 0.4, kind="big"),))
    _, (doubt,) = stood([START], [readings])
    assert (doubt.read, doubt.instead) == (("blue", EAST.segment, "meeple"), ("blue", EAST.segment, "big"))


@pytest.mark.parametrize("seen_in", [1, 2, 3])
def test_an_abbot_may_be_taken_back_before_its_monastery_is_complete(seen_in: int) -> None:
    board = parse_notation("@0,0 B0 blue.abbot^0,0=M")
    (abbot,) = board.meeples
    reading = replace(read(abbot)[0], kind="abbot")
    pieces, _ = stood([Board(board.tiles)] * 3, [[reading]] * seen_in + [[]] * (3 - seen_in))
    assert pieces == [(abbot,)] * seen_in + [()] * (3 - seen_in)


def wonder() -> tuple[Board, frozenset[tuple[int, int]], PlacedMeeple]:
    """Return a wonder alone, its squares, and red's marker as the play engine sets it."""
    layout = next(iter(load_wonder_catalogue().values()))
    placed = PlacedWonder(layout, (0, 0))
    cell, segment = layout.marked
    return (
        Board(placed.placements),
        frozenset(placed.squares),
        PlacedMeeple("red", placed.squares[cell], segment, MARKER),
    )


def test_a_wonders_marker_is_recognised_on_any_of_its_squares() -> None:
    board, squares, marker = wonder()
    other = next(square for square in sorted(squares) if square != marker.square)
    reading = replace(read(replace(marker, square=other), 0.9)[0], pose=MARKER)
    traced_boards, doubts, *_ = trace_pieces([board] * 2, [[reading], []], [squares] * 2)
    assert [traced_board.meeples for traced_board in traced_boards] == [(marker,)] * 2
    assert not doubts


def test_a_piece_on_the_wonder_itself_marks_it_in_any_pose() -> None:
    board, squares, marker = wonder()
    reading = replace(read(marker, 0.9)[0], pose="disc", kind="big")
    (traced_board,), *_ = trace_pieces([board], [[reading]], [squares])
    assert traced_board.meeples == (replace(marker, kind="big"),)


def test_a_marker_of_doubtful_colour_is_a_doubt() -> None:
    board, squares, marker = wonder()
    reading = replace(read(marker, 0.5, (MeepleAlternative(marker.segment, 0.4, "black"),))[0], pose=MARKER)
    (traced_board,), (doubt,), *_ = trace_pieces([board], [[reading]], [squares])
    assert traced_board.meeples == (marker,)
    assert doubt.instead == ("black", marker.segment, "meeple")
    assert trace_pieces([board], [[reading]], [squares], ("black",))[0][0].meeples[0].colour == "black"
