"""A contradictory board, or one that continues beyond the visible area, is never certain, whatever else holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder, Placement
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.board.pieces import PIECES
from scoring.carcassonne.board.problems import find_problems
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.doubt.alternatives import OtherPlace
from scoring.carcassonne.doubt.relevance import (
    CONFIDENCE_SURE,
    assess_given_board,
    assess_score_doubts,
    find_contradictions,
)
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.tiles.catalogue import list_layout_turns, load_base_catalogue
from scoring.carcassonne.tiles.geometry import SIDES, find_outer_neighbours, get_neighbour, get_opposite_side
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue

seeds = st.integers(0, 10_000)


def whole_game(seed: int) -> Board:
    """Return a finished game of all 72 tiles without any doubt."""
    board = deal_random_board(Random(seed), tiles=72)
    assert not assess_score_doubts(board, ()).doubtful
    return board


@settings(max_examples=10)
@given(seeds)
def test_a_board_that_goes_on_beyond_the_picture_is_never_sure_until_somebody_looked(seed: int) -> None:
    whole = whole_game(seed)
    board = replace(whole, unseen=frozenset(find_outer_neighbours(whole.tiles)[:1]))
    doubts = assess_score_doubts(board, ())
    assert doubts.doubtful
    assert doubts.stated_confidence is None
    assert assess_given_board(board).doubtful
    looked = assess_score_doubts(board, (), table=Table(tiles_in_play=len(board.tiles)))
    assert not looked.doubtful
    assert looked.stated_confidence == 1.0


@settings(max_examples=10)
@given(seeds, st.sampled_from(sorted(PIECES)))
def test_a_player_with_more_pieces_than_the_box_holds_is_never_sure(seed: int, kind: str) -> None:
    board = whole_game(seed)
    places = [
        PlacedMeeple("black", square, number, "standing", kind)
        for square, placement in board.known
        for number, segment in enumerate(placement.layout.segments)
        if segment.kind in PIECES[kind].stands_on
    ]
    most = PIECES[kind].count
    full, over = (replace(board, meeples=tuple(places[: most + more])) for more in (0, 1))
    assert not list(find_contradictions(full))
    assert [problem.code for problem in find_contradictions(over)] == ["too_many_meeples"]
    doubts = assess_score_doubts(over, ())
    assert doubts.doubtful
    assert doubts.confidence < CONFIDENCE_SURE
    assert assess_given_board(over).doubtful


def test_what_mends_a_contradiction_is_looked_at_however_unlikely_it_is() -> None:
    board = whole_game(1)
    roads = [
        PlacedMeeple("black", square, number, "standing", "meeple")
        for square, placement in board.known
        for number, segment in enumerate(placement.layout.segments)
        if segment.kind == "road"
    ]
    for count, looked_at in ((8, True), (7, False)):
        pieces = replace(board, meeples=tuple(roads[:count]))
        others = [OtherPlace(index, replace(m, colour="pink"), 1e-3) for index, m in enumerate(pieces.meeples)]
        doubts = assess_score_doubts(pieces, others[:1])
        assert bool(doubts.to_review) == looked_at
        assert doubts.to_review == doubts.mending


def lay_beside(wonder: PlacedWonder, agree: bool) -> Board:
    """Return a wonder with one tile at its side, whose edges agree or do not."""
    square, side = next(
        (square, side)
        for square in wonder.squares
        for side in SIDES
        if get_neighbour(square, side) not in wonder.squares
    )
    edge = wonder.placements[square].edge(side)
    tile, turns = next(
        (tile, turns)
        for tile, turns in list_layout_turns(load_base_catalogue())
        if (Placement(tile, turns).edge(get_opposite_side(side)) == edge) == agree
    )
    return Board({**wonder.placements, get_neighbour(square, side): Placement(tile, turns)})


@pytest.mark.parametrize("name", sorted(load_wonder_catalogue()))
def test_edges_that_disagree_beside_a_wonder_are_never_sure(name: str) -> None:
    wonder = PlacedWonder(load_wonder_catalogue()[name], (0, 0), 0)
    agreeing, disagreeing = (lay_beside(wonder, agree) for agree in (True, False))
    assert not assess_given_board(agreeing).contradictions
    assert [problem.code for problem in find_contradictions(disagreeing)] == ["edge_mismatch"]
    assert assess_given_board(disagreeing).doubtful
    assert assess_score_doubts(disagreeing, ()).doubtful


def test_two_tiles_of_the_box_may_disagree() -> None:
    """People misplace tiles, and the reader knows their edges well."""
    board = parse_notation("E1U1 red^0,0=cE blue^0,1=rN")
    assert "edge_mismatch" in {problem.code for problem in find_problems(board)}
    assert not list(find_contradictions(board))


def mark(wonder: PlacedWonder, markers: Iterable[str]) -> Board:
    """Return a wonder alone, on whose middle a piece of each of these colours stands."""
    square, segment = next(
        (square, number)
        for square, placement in wonder.placements.items()
        for number, segment in enumerate(placement.layout.segments)
        if segment.kind == "wonder"
    )
    meeples = tuple(PlacedMeeple(colour, square, segment, "upside_down") for colour in markers)
    return Board(dict(wonder.placements), meeples)


@pytest.mark.parametrize("name", sorted(load_wonder_catalogue()))
@pytest.mark.parametrize("markers", [("blue", "blue"), ("blue", "red")], ids="+".join)
def test_a_wonder_with_several_markers_is_never_sure(name: str, markers: tuple[str, ...]) -> None:
    wonder = PlacedWonder(load_wonder_catalogue()[name], (0, 0), 0)
    once, several = mark(wonder, markers[:1]), mark(wonder, markers)
    assert not assess_given_board(once).contradictions
    assert [problem.code for problem in find_contradictions(several)] == ["disputed_wonder"]
    assert assess_given_board(several).doubtful
    assert assess_score_doubts(several, ()).doubtful


@pytest.mark.parametrize(("wonders", "codes"), [(2, []), (3, ["too_many_wonders"])])
def test_a_player_with_more_than_two_wonders_is_never_sure(wonders: int, codes: list[str]) -> None:
    layouts = list(load_wonder_catalogue().values())[:wonders]
    alone = [mark(PlacedWonder(layout, (0, 9 * number)), ["red"]) for number, layout in enumerate(layouts)]
    tiles = {square: placement for board in alone for square, placement in board.tiles.items()}
    board = Board(tiles, tuple(meeple for board in alone for meeple in board.meeples))
    assert [problem.code for problem in find_contradictions(board)] == codes
    assert assess_given_board(board).doubtful == bool(codes)


def test_surplus_pieces_of_an_unscored_kind_contradict_nothing() -> None:
    discs = tuple(PlacedMeeple("blue", (0, 0), None, "disc", "disc") for _ in range(8))
    assert not list(find_contradictions(replace(parse_notation("E1U1"), meeples=discs)))
