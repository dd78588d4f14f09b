"""Unseen coats of arms, weighed by whether pieces hide them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from models.samples.tiles import POSE_NAMES
from scoring.carcassonne.tiles.catalogue import list_layout_turns
from tests.readers import survey_example
from vision.geometry.lattice_transform import Step
from vision.multiview.coat_occlusion import (
    POINT_STEP_TILES,
    compute_occlusion,
    update_hidden_coats,
)
from vision.multiview.grouping import Joint, group_surveys
from vision.pieces.crops import POSE_HEIGHTS_TILES
from vision.reader import Reader
from vision.reading.piece import Piece
from vision.roads.printed_roads import HIDDEN_TILES
from vision.squares.coat_classifier import find_likely_twins
from vision.squares.coat_posterior import locate_coats
from vision.survey.survey import PlacedSurvey

places = st.tuples(st.floats(-2, 3), st.floats(-2, 3))
steps = st.tuples(st.floats(-2, 2), st.floats(-2, 2))

Place = tuple[float, float]


@pytest.fixture(scope="module")
def joint(reader: Reader) -> Joint:
    return group_surveys([survey_example("table")], reader.square_reader.catalogue)


def told(reader: Reader, joint: Joint, pieces: Sequence[Piece]) -> Joint:
    names = reader.pieces.metadata["poses"]
    return update_hidden_coats(joint, [pieces], names, reader.square_reader.catalogue, reader.square_reader.twins)


def standing_at(reader: Reader, place: NDArray[np.float64]) -> Piece:
    poses = np.array([float(pose == "standing") for pose in reader.pieces.metadata["poses"]])
    return Piece((float(place[0]), float(place[1])), 1.0, np.ones(1), poses)


def all_over(reader: Reader, row: int, col: int) -> list[Piece]:
    """Return pieces that hide a whole square."""
    places = [(col + x, row + y) for x in (0.1, 0.35, 0.6, 0.85) for y in (0.15, 0.4, 0.65, 0.9)]
    return [standing_at(reader, np.array(place)) for place in places]


def test_an_unseen_coat_is_more_likely_if_pieces_hide_the_square(reader: Reader, joint: Joint) -> None:
    (placed,) = joint.placed
    layouts, twins = placed.logits.layouts, reader.square_reader.twins
    pairs, odds, share = find_likely_twins(layouts, twins)
    unseen = np.flatnonzero((odds < -1) & (share > 0.9)).tolist()
    assert len(unseen) > 3
    for number in unseen:
        row, col = joint.squares[number]
        hidden = told(reader, joint, all_over(reader, row, col)).logits.layouts
        plain = told(reader, joint, []).logits.layouts
        without, coat = twins[pairs[number]]
        assert hidden[number, without] - hidden[number, coat] < plain[number, without] - plain[number, coat]
        np.testing.assert_allclose(np.logaddexp.reduce(hidden, axis=1), 0, atol=1e-9)


def test_a_piece_on_the_place_of_the_coat_is_stronger_evidence(reader: Reader, joint: Joint) -> None:
    (placed,) = joint.placed
    twins, spots = reader.square_reader.twins, locate_coats(reader.square_reader.catalogue, reader.square_reader.twins)
    pairs, odds, share = find_likely_twins(placed.logits.layouts, twins)
    unseen = [
        n for n in np.flatnonzero((odds < -1) & (share > 0.9)) if (spots[0, pairs[n]] == spots[1, pairs[n]]).all()
    ]
    assert unseen
    for number in unseen:
        corner, spot = np.array(joint.squares[number])[::-1], spots[0, pairs[number]]
        without, coat = twins[pairs[number]]
        on, across = (
            told(reader, joint, [standing_at(reader, corner + place)]).logits.layouts[number]
            for place in (spot, 1 - spot)
        )
        assert on[coat] - on[without] > across[coat] - across[without] + 0.05


@pytest.mark.parametrize("turns", range(4))
def test_a_coats_place_turns_with_its_tile(reader: Reader, turns: int) -> None:
    classes = list_layout_turns(reader.square_reader.catalogue)
    coat_class, twins = classes.index(("BA/Cc+", turns)), reader.square_reader.twins[:, 1].tolist()
    near, far = locate_coats(reader.square_reader.catalogue, reader.square_reader.twins)[:, twins.index(coat_class)]
    np.testing.assert_array_equal(near, far)
    corner = [(0, 0), (1, 0), (1, 1), (0, 1)][turns]
    assert np.abs(near - corner).max() < 0.2


def test_a_half_turn_symmetric_tile_may_have_its_coat_on_either_side(reader: Reader) -> None:
    coat_class = list_layout_turns(reader.square_reader.catalogue).index(("BA/CFc+", 0))
    squares = reader.square_reader
    near, far = locate_coats(squares.catalogue, squares.twins)[:, squares.twins[:, 1].tolist().index(coat_class)]
    np.testing.assert_allclose(near + far, 1)
    assert not np.allclose(near, far)


def test_evidence_of_one_photo_is_the_same_in_any_lattice(reader: Reader, joint: Joint) -> None:
    (placed,) = joint.placed
    step = Step(1, 4, 9)
    moved = PlacedSurvey.at(placed.survey, step, reader.square_reader.catalogue)
    squares = tuple(moved.index)
    elsewhere = Joint((moved,), squares, moved.logits)
    row, col = joint.squares[0]
    pieces = all_over(reader, row, col)
    there = [replace(piece, at=tuple(step.points(np.array([piece.at]))[0].tolist())) for piece in pieces]
    one, other = told(reader, joint, pieces).placed[0], told(reader, elsewhere, there).placed[0]
    np.testing.assert_allclose(one.survey.logits.layouts, other.survey.logits.layouts, atol=1e-6)


def test_without_coat_evidence_nothing_changes(reader: Reader, joint: Joint) -> None:
    (placed,) = joint.placed
    survey = replace(placed.survey, logits=replace(placed.survey.logits, coats=None))
    silent = replace(joint, placed=(replace(placed, survey=survey),))
    assert told(reader, silent, []) is silent


def piece_at(col: float, row: float, presence: float = 1.0, pose: str = "standing") -> Piece:
    return Piece((col, row), presence, np.ones(1), np.array([float(name == pose) for name in POSE_NAMES]))


def hidden(at: list[Place], piece: Piece, lean: Place = (0.0, 0.0)) -> NDArray[np.float64]:
    return compute_occlusion(np.array(at), [piece], np.array([lean]), POSE_NAMES)


@pytest.mark.parametrize("presence", [1.0, 0.5])
def test_a_piece_seen_from_above_hides_its_place_by_its_probability(presence: float) -> None:
    under, edge, away = hidden([(0.5, 0.5), (0.5 + HIDDEN_TILES, 0.5), (3.0, 3.0)], piece_at(0.5, 0.5, presence))
    assert under == pytest.approx(presence, rel=0.1)
    assert edge == pytest.approx(presence / 2, rel=0.25)
    assert away == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("pose", POSE_NAMES)
def test_a_piece_hides_places_behind_it_up_to_its_height(pose: str) -> None:
    """It leans north by its own height."""
    steps = np.linspace(0, 2, 201)
    behind = [(0.5, float(-step)) for step in steps]
    covered = hidden(behind, piece_at(0.5, 0.0, pose=pose), (0.0, -1.0)) > 0.5
    assert steps[covered].max() == pytest.approx(POSE_HEIGHTS_TILES[pose] + HIDDEN_TILES, abs=POINT_STEP_TILES)
    assert covered[steps < POSE_HEIGHTS_TILES[pose]].all()


@given(at=places, seen=places, lean=steps, presence=st.floats(0.1, 1), pose=st.sampled_from(POSE_NAMES))
def test_a_leaning_piece_hides_at_least_what_it_hides_upright(
    at: Place, seen: Place, lean: Place, presence: float, pose: str
) -> None:
    piece = piece_at(*at, presence, pose)
    (upright,), (leaning,) = hidden([seen], piece), hidden([seen], piece, lean)
    assert 0 <= upright <= leaning + 1e-6
    assert leaning <= presence


@given(at=places, other=places, seen=places)
def test_two_pieces_hide_the_union_of_their_areas(at: Place, other: Place, seen: Place) -> None:
    one, two = piece_at(*at), piece_at(*other)
    (both,) = compute_occlusion(np.array([seen]), [one, two], np.zeros((2, 2)), POSE_NAMES)
    alone = [hidden([seen], piece)[0] for piece in (one, two)]
    assert max(alone) - 1e-9 <= both <= sum(alone) + 1e-9


def test_without_pieces_nothing_is_hidden() -> None:
    assert not compute_occlusion(np.zeros((3, 2)), [], np.zeros((0, 2)), POSE_NAMES).any()
