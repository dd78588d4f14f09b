"""Two doubts that change points only together are found."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.doubt.alternatives import (
    MIN_ASKED_PROBABILITY,
    Alternative,
    AnotherMeeple,
    OtherCount,
    OtherPlace,
    OtherPlayer,
    OtherSpecial,
    OtherTile,
    apply_both,
)
from scoring.carcassonne.doubt.local_scoring import LocalScorer
from scoring.carcassonne.doubt.relevance import (
    CONFIDENCE_SURE,
    MAX_PAIRS,
    ScoreChange,
    assess_score_doubts,
    find_joint_changes,
    find_score_changes,
    list_subject_probabilities,
)
from scoring.carcassonne.final.scoring import compute_final_scoring


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


def test_a_majority_that_only_two_doubts_together_would_turn_is_seen() -> None:
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


def test_what_is_too_unlikely_together_is_not_looked_at() -> None:
    board = contest(3, 1)
    doubted = list_contested(board, MIN_ASKED_PROBABILITY**0.5 * 0.99)
    assert not find_joint_changes(LocalScorer(board), doubted)
    assert assess_score_doubts(board, doubted).confidence == 1.0 > CONFIDENCE_SURE


seeds = st.integers(0, 10_000)


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_both_of_two_doubts_are_so_whatever_comes_first(seed: int) -> None:
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


def test_what_only_one_shared_doubt_brings_counts_once() -> None:
    board = contest(12, 1)
    red = [number for number, meeple in enumerate(board.meeples) if meeple.colour == "red"]
    further = AnotherMeeple(next(meeple for meeple in board.meeples if meeple.colour == "blue"), 0.1)
    changes = [ScoreChange(further, {}, OtherPlace(number, None, 0.45)) for number in red]
    ((_, probability),) = list_subject_probabilities(changes)
    assert probability == pytest.approx(0.1 * (1 - 0.55**12))


def test_a_great_many_doubts_are_not_looked_at_in_all_pairs() -> None:
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
