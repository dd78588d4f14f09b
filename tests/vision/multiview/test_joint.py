"""Surveys aligned in one lattice: known steps are recovered, other boards rejected, evidence combined."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.tiles.geometry import Square
from tests.vision.surveys import CATALOGUE, CLASSES, survey_of
from vision.arrays import Floats
from vision.geometry.lattice_transform import Step
from vision.multiview.grouping import Alignment, Joint, LatticeEvidence, align_lattices, group_surveys
from vision.multiview.placed_pieces import join_pieces, move_piece
from vision.multiview.reading import exclude_duplicate_surveys
from vision.multiview.tile_fusion import compute_class_prior, compute_repeat_discount, join_logits
from vision.photo.crops import CORNERS
from vision.reading.piece import Piece
from vision.survey.photo_border import _measure_shares
from vision.survey.survey import PlacedSurvey, Survey

PRIOR = compute_class_prior(CATALOGUE)
COLOURS = np.array([0.9, 0.05, 0.05])
STEPS = st.builds(Step, st.integers(0, 3), st.integers(-9, 9), st.integers(-9, 9))


@cache
def board(seed: int, tiles: int = 40) -> Board:
    return deal_random_board(Random(seed), tiles=tiles)


def half(game_board: Board, east: bool, share: float = 0.6) -> set[Square]:
    """Return the squares of the board's western or eastern part, that share of its tiles."""
    by_column = sorted(game_board.tiles, key=lambda square: (square[1], square[0]))
    count = round(share * len(by_column))
    return set(by_column[-count:] if east else by_column[:count])


def aligned(here: Survey, there: Survey) -> Alignment:
    views = [PlacedSurvey.at(survey, Step(), CATALOGUE) for survey in (here, there)]
    evidence = [LatticeEvidence(view.survey.squares, view.logits.layouts, [view]) for view in views]
    return align_lattices(evidence[0], evidence[1], CATALOGUE, PRIOR)


def read(joint: Joint) -> dict[Square, int]:
    """Return the most likely class of each square."""
    return dict(zip(joint.squares, joint.logits.layouts.argmax(axis=1).tolist(), strict=True))


@settings(max_examples=12)
@given(STEPS, st.integers(0, 5), st.sampled_from([0.0, 0.1, 0.25]))
def test_a_known_step_is_recovered(step: Step, seed: int, wrong: float) -> None:
    alignment = aligned(survey_of(board(seed)), survey_of(board(seed), step, wrong=wrong, seed=seed))
    assert alignment.step == step.inverse()
    assert alignment.is_sure
    assert alignment.overlap == len(board(seed).tiles)


@settings(max_examples=12)
@given(STEPS, st.integers(0, 5))
def test_overlapping_halves_are_aligned(step: Step, seed: int) -> None:
    whole = board(seed)
    west, east = half(whole, east=False), half(whole, east=True)
    alignment = aligned(survey_of(whole, only=west), survey_of(whole, step, only=east))
    assert alignment.is_sure
    assert alignment.step == step.inverse()
    assert alignment.overlap == len(west & east)


@pytest.mark.parametrize("seed", range(6))
def test_a_photo_of_another_board_is_set_apart(seed: int) -> None:
    joint = group_surveys([survey_of(board(seed)), survey_of(board(seed + 100, 30), name="b.jpg")], CATALOGUE)
    assert [placed.survey.photo.file for placed in joint.placed] == ["a.jpg"]
    assert [survey.photo.file for survey, _ in joint.apart] == ["b.jpg"]


@pytest.mark.parametrize("shared", [0, 1, 2])
def test_too_little_in_common_is_not_enough(shared: int) -> None:
    whole = board(3)
    west = half(whole, east=False, share=0.5)
    east = set(whole.tiles) - west | set(sorted(west, key=lambda square: square[::-1])[len(west) - shared :])
    assert not aligned(survey_of(whole, only=west), survey_of(whole, only=east)).is_enough


def test_a_board_that_looks_the_same_when_turned_is_ambiguous() -> None:
    game_board = Board({(row, col): Placement(CATALOGUE["B"].id, 0) for row in range(3) for col in range(3)})
    alignment = aligned(survey_of(game_board), survey_of(game_board))
    assert alignment.is_enough
    assert not alignment.is_sure


def test_two_of_three_photos_outvote_a_larger_unrelated_one() -> None:
    small, large = board(1, 24), board(50, 60)
    surveys = [survey_of(large, name="x.jpg"), survey_of(small, name="b.jpg"), survey_of(small, Step(1), name="c.jpg")]
    joint = group_surveys(surveys, CATALOGUE)
    assert {placed.survey.photo.file for placed in joint.placed} == {"b.jpg", "c.jpg"}


@settings(max_examples=10)
@given(st.lists(STEPS, min_size=3, max_size=3), st.integers(0, 5))
def test_three_parts_form_the_whole_board_counted_from_0(steps: list[Step], seed: int) -> None:
    whole = board(seed)
    middle = half(whole, east=False, share=0.75) & half(whole, east=True, share=0.75)
    parts = (half(whole, east=False), half(whole, east=True), middle)
    surveys = [survey_of(whole, steps[i], only=parts[i], seed=i) for i in range(3)]
    joint = group_surveys(surveys, CATALOGUE)
    assert len(joint.placed) == 3
    assert np.array(joint.squares).min(axis=0).tolist() == [0, 0]
    first = joint.placed[0]
    step = steps[next(i for i in range(3) if surveys[i] is first.survey)].then(first.step)
    expected = {}
    for square, placement in whole.tiles.items():
        assert placement is not None
        turns = (placement.turns + step.turns) % placement.layout.symmetry
        expected[step.square(square)] = CLASSES[placement.tile, turns]
    assert read(joint) == expected


def test_a_single_photo_keeps_its_own_evidence() -> None:
    survey = survey_of(board(2), wrong=0.2)
    joint = group_surveys([survey], CATALOGUE)
    assert joint.logits is joint.placed[0].logits
    assert (joint.logits.layouts == survey.logits.layouts).all()


def test_a_file_given_twice_is_one_photo() -> None:
    survey = survey_of(board(2))
    assert (
        exclude_duplicate_surveys([survey, survey_of(board(2)), survey_of(board(2), seed=1)])[0].photo == survey.photo
    )
    assert len(exclude_duplicate_surveys([survey, survey_of(board(2)), survey_of(board(2), seed=1)])) == 2


def two(sure: float, other: float, wrong: float) -> Joint:
    """Return two photos from one place."""
    surveys = [survey_of(board(4), sure=sure), survey_of(board(4), sure=other, wrong=wrong, seed=1)]
    return group_surveys(surveys, CATALOGUE)


def test_two_photos_from_one_place_are_as_certain_as_the_better_one() -> None:
    joint = two(0.9, 0.9, 0.0)
    assert np.exp(joint.logits.layouts.max(axis=1)) == pytest.approx(0.9, abs=0.02)


def test_photos_equally_certain_of_different_tiles_leave_a_doubt() -> None:
    joint = two(0.98, 0.98, 0.25)
    views = joint.placed
    best = [view.logits.layouts[[view.index[s] for s in joint.squares]].argmax(axis=1) for view in views]
    split = best[0] != best[1]
    assert 0 < split.sum() < len(split) / 2
    assert np.exp(joint.logits.layouts[split].max(axis=1)).max() < 0.7


def test_an_uncertain_photo_does_not_weaken_a_certain_one() -> None:
    joint = two(0.99, 0.05, 0.0)
    assert np.exp(joint.logits.layouts.max(axis=1)).min() > 0.9


def test_a_square_found_in_one_of_two_photos_that_show_it_is_less_certain() -> None:
    game_board = board(4)
    inner = next(
        s
        for s in game_board.tiles
        if all((s[0] + d, s[1] + e) in game_board.tiles for d, e in ((0, 1), (1, 0), (0, -1)))
    )
    surveys = [survey_of(game_board, sure=0.6), survey_of(game_board, only=set(game_board.tiles) - {inner}, seed=1)]
    placed = [PlacedSurvey.at(survey, Step(), CATALOGUE) for survey in surveys]
    alone = placed[0].logits.layouts[placed[0].index[inner]]
    both = join_logits(placed, [inner], PRIOR).layouts[0]
    assert both.argmax() == alone.argmax()
    assert both[-1] > alone[-1]
    assert np.logaddexp.reduce(both) == pytest.approx(0)


def piece(at: tuple[float, float], presence: float = 0.95, colours: Floats = COLOURS) -> Piece:
    return Piece(at, presence, colours, np.array([0.8, 0.1, 0.1]))


def views_of(game_board: Board, count: int = 2) -> list[PlacedSurvey]:
    return [PlacedSurvey.at(survey_of(game_board, seed=n), Step(), CATALOGUE) for n in range(count)]


def middle_of(game_board: Board, number: int) -> tuple[float, float]:
    row, col = list(game_board.tiles)[number]
    return col + 0.5, row + 0.5


def test_a_piece_in_two_photos_is_read_once() -> None:
    game_board = board(4)
    (x, y), other = middle_of(game_board, 3), middle_of(game_board, 9)
    pieces = [[piece((x, y)), piece(other, 0.9)], [piece((x + 0.1, y), 0.85)]]
    joint_pieces = join_pieces(pieces, views_of(game_board))
    assert len(joint_pieces) == 2
    assert x < joint_pieces[0].piece.at[0] < x + 0.1
    assert joint_pieces[0].best == 0
    assert 0.85 < joint_pieces[0].piece.presence < 0.95


def test_a_piece_missing_in_another_photo_is_less_likely() -> None:
    game_board = board(4)
    (joint_piece,) = join_pieces([[piece(middle_of(game_board, 3))], []], views_of(game_board))
    assert 0.3 < joint_piece.piece.presence < 0.8


def test_kinds_count_in_the_photos_that_examined_them() -> None:
    """In a growing game, the photos before the first tile of a box do not."""
    game_board = board(1)
    plain = piece(middle_of(game_board, 3))
    examined = replace(plain, kinds=np.array([0.2, 0.8]))
    (joint_piece,) = join_pieces([[plain], [examined]], views_of(game_board))
    assert joint_piece.piece.kinds.tolist() == [0.2, 0.8]


def test_a_piece_outside_the_other_photo_keeps_its_probability() -> None:
    game_board = board(4)
    part = survey_of(game_board, only=half(game_board, east=True, share=0.3), seed=1)
    placed = [views_of(game_board, 1)[0], PlacedSurvey.at(part, Step(), CATALOGUE)]
    west = next(square for square in game_board.tiles if square not in placed[1].index)
    west_piece = piece((west[1] + 0.5, west[0] + 0.5))
    assert join_pieces([[west_piece], []], placed)[0].piece is west_piece


def test_two_pieces_of_one_photo_stay_separate() -> None:
    game_board = board(4)
    x, y = middle_of(game_board, 3)
    pieces = [piece((x - 0.1, y)), piece((x + 0.1, y), colours=COLOURS[::-1])]
    assert len(join_pieces([pieces, pieces], views_of(game_board))) == 2


@given(STEPS, st.floats(-9, 9), st.floats(-9, 9))
def test_a_piece_returns_after_a_step_and_its_inverse(step: Step, x: float, y: float) -> None:
    original = replace(piece((x, y)), head=(x + 0.1, y - 0.3))
    there = move_piece(original, step)
    assert np.hypot(*np.subtract(there.head, there.at)) == pytest.approx(np.hypot(0.1, 0.3))
    back = move_piece(there, step.inverse())
    assert (*back.at, *back.head) == pytest.approx((*original.at, *original.head))


def test_shares_of_many_squares_equal_those_of_each_square() -> None:
    places = np.array([(4, 4), (9.5, 4), (-0.5, -0.25), (11, 4), (2, 2), (3, 3)])
    quads = CORNERS + places[:, None]
    quads[4] = quads[4, [0, 2, 1, 3]]  # turned inside out
    quads[5] = quads[5, 0]  # no more than a point
    assert _measure_shares(quads, (10, 8)).tolist() == pytest.approx([1, 0.5, 0.375, 0, 0, 0])


def test_photos_that_share_their_errors_never_count_for_many() -> None:
    """Two photos from quite different places count for 1.5, and even a hundred for three at most."""
    leans = np.array([[np.cos(angle), np.sin(angle)] for angle in np.linspace(0, 2 * np.pi, 100, endpoint=False)])
    two, many = (n * float(compute_repeat_discount(leans[:: 100 // n], np.ones(n))) for n in (2, 100))
    assert two == pytest.approx(1.5)
    assert two < many < 3
    assert 100 * float(compute_repeat_discount(np.zeros((100, 2)), np.ones(100))) == pytest.approx(1)
