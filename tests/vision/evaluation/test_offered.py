"""An alternative counts as true if it agrees with the truth, in any frame of the reading."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.carcassonne.doubt.kinds.meeple import OtherPlace
from tests.vision.evaluation.dealt import Frame, dealt, perfect
from vision.doubt.alternatives import calibrate_probability, find_alternatives, find_raw_alternatives
from vision.evaluation.labels import Truth
from vision.evaluation.offered import judge_alternatives
from vision.reading.board import build_board, place_meeple
from vision.reading.values import MeepleAlternative, MeepleReading, Reading, TileAlternative, TileReading

TRUTH = dealt(7, 40)
frames = st.builds(Frame, st.integers(0, 3), st.tuples(st.integers(-9, 9), st.integers(-9, 9)))


def with_tile(reading: Reading, number: int, tile: TileReading) -> Reading:
    return replace(reading, tiles=(*reading.tiles[:number], tile, *reading.tiles[number + 1 :]))


def with_meeple(reading: Reading, number: int, meeple: MeepleReading) -> Reading:
    return replace(reading, meeples=(*reading.meeples[:number], meeple, *reading.meeples[number + 1 :]))


def said_of(reading: Reading, truth: Truth = TRUTH) -> set[tuple[str, float, bool]]:
    """Return the alternatives offered with more than the small remainder of a certain reading."""
    return {(one.doubted, round(one.said, 6), one.so) for one in judge_alternatives(reading, truth) if one.said > 0.05}


@settings(max_examples=20)
@given(frame=frames, number=st.integers(0, len(TRUTH.tiles) - 1), turns=st.integers(1, 3))
def test_the_true_one_of_two_tiles_counts_as_true(frame: Frame, number: int, turns: int) -> None:
    good = replace(perfect(TRUTH, frame), meeples=())
    tile = good.tiles[number]
    other = "BA/L" if tile.tile != "BA/L" else "BA/LR"
    true = TileAlternative(tile.tile or "", tile.turns, 0.4)
    misread = replace(tile, tile=other, confidence=0.6, alternatives=(true,))
    assert {so for _, _, so in said_of(with_tile(good, number, misread))} == {True}
    read = replace(tile, confidence=0.6, alternatives=(TileAlternative(other, turns, 0.4),))
    assert {so for _, _, so in said_of(with_tile(good, number, read))} == {False}


@settings(max_examples=20)
@given(frame=frames, number=st.integers(0, len(TRUTH.meeples) - 1))
def test_the_true_colour_of_two_is_right_and_a_standing_meeple_is_present(frame: Frame, number: int) -> None:
    good = perfect(TRUTH, frame)
    meeple = good.meeples[number]
    other = "pink" if meeple.colour != "pink" else "red"
    gone = MeepleAlternative(None, 0.2)
    true = replace(meeple, alternatives=(MeepleAlternative(meeple.segment, 0.3, other), gone))
    assert said_of(with_meeple(good, number, true)) == {("colour", 0.3, False), ("gone", 0.2, False)}
    back = MeepleAlternative(meeple.segment, 0.3, meeple.colour)
    repainted = replace(meeple, colour=other, alternatives=(back, gone))
    assert said_of(with_meeple(good, number, repainted)) == {("colour", 0.3, True), ("gone", 0.2, False)}
    invented = replace(true, foot_px=(1e5, 1e5), alternatives=(gone,))
    assert said_of(with_meeple(good, number, invented)) == {("gone", 0.2, True)}


@settings(max_examples=20)
@given(frame=frames, number=st.integers(0, len(TRUTH.meeples) - 1), kind=st.sampled_from([None, "builder"]))
def test_another_pose_is_another_doubt_than_another_place(frame: Frame, number: int, kind: str | None) -> None:
    good = perfect(TRUTH, frame)
    meeple = good.meeples[number]
    pose = "lying" if meeple.pose == "standing" else "standing"
    alternatives = (MeepleAlternative(meeple.segment, 0.3, kind=kind, pose=pose), MeepleAlternative(None, 0.2))
    reading = with_meeple(good, number, replace(meeple, alternatives=alternatives))
    aspect = "kind" if kind else "pose"
    assert {doubted for doubted, _, _ in said_of(reading)} == {aspect, "gone"}
    board = build_board(reading)
    (other,) = (other for doubted, other in find_raw_alternatives(reading, board) if doubted == aspect)
    assert isinstance(other, OtherPlace)
    assert other.instead == replace(place_meeple(meeple), pose=pose, kind=kind or meeple.kind)


def test_a_further_meeple_counts_as_true_if_one_was_missed() -> None:
    good = perfect(TRUTH, Frame(1))
    first, rest = good.meeples[0], good.meeples[1:]
    possible = replace(first, confidence=0.3)
    assert said_of(replace(good, meeples=rest, possible_meeples=(possible,))) == {("further", 0.3, True)}
    assert said_of(replace(good, possible_meeples=(possible,))) == {("further", 0.3, False)}


def test_foreign_tiles_and_empty_squares_get_the_remaining_probability() -> None:
    good = perfect(TRUTH, Frame())
    good = replace(good, meeples=())
    unsure = replace(good.tiles[0], confidence=0.6, alternatives=(TileAlternative("BA/LR", 0, 0.1),))
    assert ("rest", 0.3, False) in said_of(with_tile(good, 0, unsure))
    beside = replace(unsure, row=50, corners_px=unsure.corners_px + 5000, alternatives=())
    assert ("rest", 0.4, True) in said_of(replace(good, tiles=(*good.tiles, beside)))


def test_scoring_receives_calibrated_probabilities() -> None:
    good = replace(perfect(TRUTH, Frame()), meeples=())
    unsure = replace(good.tiles[0], confidence=0.6, alternatives=(TileAlternative("BA/LR", 0, 0.4),))
    reading = with_tile(good, 0, unsure)
    board = build_board(reading)
    (raw_alternative,) = (other for _, other in find_raw_alternatives(reading, board) if other.probability == 0.4)
    (alternative,) = (other for other in find_alternatives(reading, board) if other.subject == raw_alternative.subject)
    assert replace(alternative, probability=0.4) == raw_alternative
    assert alternative.probability == pytest.approx(calibrate_probability("tile", 0.4))
