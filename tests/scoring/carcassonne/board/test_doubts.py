"""Boards whose score is never certain, and several doubts about one board together."""

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
from scoring.carcassonne.doubt.alternatives import MIN_ASKED_PROBABILITY, apply_both
from scoring.carcassonne.doubt.kinds.base import Alternative
from scoring.carcassonne.doubt.kinds.meeple import AnotherMeeple, OtherPlace
from scoring.carcassonne.doubt.kinds.pile import OtherCount
from scoring.carcassonne.doubt.kinds.player import OtherPlayer
from scoring.carcassonne.doubt.kinds.special import OtherSpecial
from scoring.carcassonne.doubt.kinds.tile import OtherTile
from scoring.carcassonne.doubt.local_scoring import LocalScorer
from scoring.carcassonne.doubt.relevance import (
    CONFIDENCE_SURE,
    MAX_PAIRS,
    ScoreChange,
    assess_given_board,
    assess_score_doubts,
    find_contradictions,
    find_joint_changes,
    find_score_changes,
    list_subject_probabilities,
)
from scoring.carcassonne.final.scoring import compute_final_scoring
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
def test_a_board_beyond_the_picture_is_never_certain_until_confirmed(seed: int) -> None:
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
def test_a_player_with_surplus_pieces_is_never_certain(seed: int, kind: str) -> None:
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


def test_even_unlikely_fixes_of_a_contradiction_are_examined() -> None:
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
def test_mismatched_edges_beside_a_wonder_are_never_certain(name: str) -> None:
    wonder = PlacedWonder(load_wonder_catalogue()[name], (0, 0), 0)
    agreeing, disagreeing = (lay_beside(wonder, agree) for agree in (True, False))
    assert not assess_given_board(agreeing).contradictions
    assert [problem.code for problem in find_contradictions(disagreeing)] == ["edge_mismatch"]
    assert assess_given_board(disagreeing).doubtful
    assert assess_score_doubts(disagreeing, ()).doubtful


def test_mismatched_edges_of_two_ordinary_tiles_are_allowed() -> None:
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
def test_a_wonder_with_several_markers_is_never_certain(name: str, markers: tuple[str, ...]) -> None:
    wonder = PlacedWonder(load_wonder_catalogue()[name], (0, 0), 0)
    once, several = mark(wonder, markers[:1]), mark(wonder, markers)
    assert not assess_given_board(once).contradictions
    assert [problem.code for problem in find_contradictions(several)] == ["disputed_wonder"]
    assert assess_given_board(several).doubtful
    assert assess_score_doubts(several, ()).doubtful


@pytest.mark.parametrize(("wonders", "codes"), [(2, []), (3, ["too_many_wonders"])])
def test_a_player_with_more_than_two_wonders_is_never_certain(wonders: int, codes: list[str]) -> None:
    layouts = list(load_wonder_catalogue().values())[:wonders]
    alone = [mark(PlacedWonder(layout, (0, 9 * number)), ["red"]) for number, layout in enumerate(layouts)]
    tiles = {square: placement for board in alone for square, placement in board.tiles.items()}
    board = Board(tiles, tuple(meeple for board in alone for meeple in board.meeples))
    assert [problem.code for problem in find_contradictions(board)] == codes
    assert assess_given_board(board).doubtful == bool(codes)


def test_surplus_pieces_of_an_unscored_kind_contradict_nothing() -> None:
    discs = tuple(PlacedMeeple("blue", (0, 0), None, "disc", "disc") for _ in range(8))
    assert not list(find_contradictions(replace(parse_notation("E1U1"), meeples=discs)))


def contest(red: int, blue: int) -> Board:
    """Return a road on which two players have such numbers of pieces."""
    board = parse_notation("U0 red^0,0=rE")
    thief = board.meeples[0]
    return replace(board, meeples=(*(thief,) * red, *(replace(thief, colour="blue"),) * blue))


def list_contested(board: Board, likely: float) -> list[Alternative]:
    """Return alternatives: one of the first player's pieces may be none, and the other may have one more."""
    colours = [meeple.colour for meeple in board.meeples]
    return [
        OtherPlace(colours.index("red"), None, likely),
        AnotherMeeple(board.meeples[colours.index("blue")], likely),
    ]


def test_a_majority_changed_only_by_two_doubts_together_is_found() -> None:
    board = contest(3, 1)
    doubted = list_contested(board, 0.2)
    assert not find_score_changes(LocalScorer(board), doubted)
    (change,) = find_joint_changes(LocalScorer(board), doubted)
    assert change.totals == {"blue": 1, "red": 1}
    assert change.probability == pytest.approx(0.04)
    assert change.subjects == tuple(alternative.subject for alternative in doubted)
    doubts = assess_score_doubts(board, doubted)
    assert doubts.confidence == pytest.approx(0.96)
    assert doubts.doubtful
    assert doubts.to_review == (change,)
    assert not assess_score_doubts(contest(4, 1), list_contested(contest(4, 1), 0.2)).doubtful


def test_pairs_of_doubts_that_are_too_unlikely_are_skipped() -> None:
    board = contest(3, 1)
    doubted = list_contested(board, MIN_ASKED_PROBABILITY**0.5 * 0.99)
    assert not find_joint_changes(LocalScorer(board), doubted)
    assert assess_score_doubts(board, doubted).confidence == 1.0 > CONFIDENCE_SURE


seeds = st.integers(0, 10_000)


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_two_doubts_together_give_the_same_board_in_either_order(seed: int) -> None:
    rng = Random(seed)
    board = deal_random_board(rng, tiles=24, players=3)
    meeples = [replace(meeple) for meeple in board.meeples]
    board = replace(board, meeples=tuple(meeples))
    number = range(len(meeples))
    square = rng.choice([square for square, _ in board.known])
    placement = board.tiles[square]
    assert placement is not None
    further = PlacedMeeple("red", square, rng.randrange(len(placement.layout.segments)), "lying")
    gone = rng.sample(number, min(3, len(meeples)))
    doubts: list[Alternative] = [
        *(OtherPlace(i, None, 0.2) for i in number),
        *(OtherPlace(i, replace(meeples[i], kind="big"), 0.2) for i in number),
        AnotherMeeple(further, 0.2),
        OtherCount((90, 91), 0, frozenset(gone[:2]), (), 0.2),
        OtherSpecial("big", tuple(sorted(gone)), gone[0], 0.2),
        OtherPlayer("red", "orange", 0.2),
        OtherTile(square, Placement("W"), 0.1),
        OtherTile(square, Placement("D"), 0.1),
        OtherTile(meeples[0].square, None, 0.1),
        OtherTile(square, None, 0.1, empty=True),
    ]
    one, other = rng.sample(doubts, 2)
    there, back = apply_both(one, other, board), apply_both(other, one, board)
    if there is None or back is None:
        assert (there, back) == (None, None) or isinstance(one, OtherSpecial) or isinstance(other, OtherSpecial)
        assert one.subject == other.subject or _list_pieces(one) & _list_pieces(other)
        return
    assert compute_final_scoring(there).totals == compute_final_scoring(back).totals
    assert _list_meeples(there) == _list_meeples(back)
    assert there.tiles == back.tiles


def test_a_change_by_one_shared_doubt_counts_once() -> None:
    board = contest(12, 1)
    red = [number for number, meeple in enumerate(board.meeples) if meeple.colour == "red"]
    further = AnotherMeeple(next(meeple for meeple in board.meeples if meeple.colour == "blue"), 0.1)
    changes = [ScoreChange(further, {}, OtherPlace(number, None, 0.45)) for number in red]
    ((_, probability),) = list_subject_probabilities(changes)
    assert probability == pytest.approx(0.1 * (1 - 0.55**12))


def test_not_all_pairs_of_very_many_doubts_are_examined() -> None:
    board = deal_random_board(Random(3), tiles=72, players=5)
    doubted = [OtherPlace(number, None, 0.2) for number in range(len(board.meeples))] * 3
    counted = []

    def count(one: Alternative, other: Alternative, board: Board) -> Board | None:
        counted.append((one, other))
        return None

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("scoring.carcassonne.doubt.relevance.apply_both", count)
        find_joint_changes(LocalScorer(board), doubted)
    assert len(counted) == MAX_PAIRS < len(doubted) ** 2 / 2


def _list_meeples(board: Board) -> list[str]:
    return sorted(map(str, board.meeples))


def _list_pieces(doubt: Alternative) -> set[int]:
    """Return the board's meeples that a doubt is about."""
    if isinstance(doubt, OtherPlace):
        return {doubt.meeple}
    if isinstance(doubt, OtherCount):
        return {*doubt.gone}
    if isinstance(doubt, OtherSpecial):
        return {*doubt.pieces}
    return set()
