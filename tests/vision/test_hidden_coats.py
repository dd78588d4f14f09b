"""What pieces hide of tiles, and what that says of coats of arms that are not seen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.carcassonne.catalogue import turned_layouts
from vision.coat_places import CELLS, places_of_coats
from vision.coats import SeenCoats, coats_doubted
from vision.grouping import Joint, joint_of
from vision.hidden_coats import BROAD, SURELY, hidden_cells, hidden_in, likely_pairs, told_beside_pieces
from vision.photo import Photo
from vision.pieces import Piece
from vision.reader import Reader
from vision.tiles import twins_of

PHOTO = Path(__file__).parents[2] / "datasets" / "examples" / "table.jpg"
places = st.floats(-2, 3)


def piece_at(col: float, row: float, presence: float = 1.0) -> Piece:
    return Piece((col, row), presence, np.ones(1), np.ones(1))


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


@pytest.fixture(scope="module")
def joint(reader: Reader) -> Joint:
    return joint_of([reader.survey(Photo.from_path(PHOTO))], reader.catalogue)


def test_a_piece_seen_from_above_hides_what_it_stands_on() -> None:
    own, beside, other = hidden_cells([(0, 0), (0, 1), (3, 3)], [piece_at(0.9, 0.5, 0.5)], np.zeros((1, 2)))
    assert own.max() == beside.max() == 0.5
    assert (own > 0).mean() + (beside > 0).mean() == pytest.approx(np.pi * BROAD**2, abs=0.02)
    assert (own > 0).sum() > (beside > 0).sum()
    assert not other.any()


@given(at=st.tuples(places, places), lean=st.tuples(st.floats(-2, 2), st.floats(-2, 2)), presence=st.floats(0.1, 1))
def test_what_leans_hides_more_and_all_of_that_which_it_would_hide_upright(
    at: tuple[float, float], lean: tuple[float, float], presence: float
) -> None:
    squares = [(row, col) for row in range(-3, 5) for col in range(-3, 5)]
    upright, leaning = (hidden_cells(squares, [piece_at(*at, presence)], np.array([by])) for by in ((0.0, 0.0), lean))
    assert (leaning >= upright).all()
    assert set(np.unique(leaning)) <= {0.0, presence}


def test_no_pieces_hide_nothing() -> None:
    assert not hidden_cells([(0, 0)], [], np.zeros((0, 2))).any()


def test_a_coat_that_is_not_seen_is_told_by_whether_a_piece_hides_its_place(reader: Reader, joint: Joint) -> None:
    (placed,) = joint.placed
    twins = twins_of(tuple(reader.classifier.metadata["classes"]))
    coats = placed.survey.logits.coats
    assert coats is not None
    pairs, odds = likely_pairs(placed.survey.logits.layouts, coats, twins)
    number = int(np.argmin(odds + 100 * (placed.survey.logits.layouts.argmax(axis=1) != twins[pairs, 0])))
    unsure = SeenCoats(coats.odds.copy(), coats.known, coats.crops)
    unsure.odds[number] = -0.5
    layouts = coats_doubted(placed.survey.logits.layouts, twins, unsure)
    logits = replace(placed.survey.logits, layouts=layouts, coats=unsure)
    doubted = replace(joint, placed=(replace(placed, survey=replace(placed.survey, logits=logits)),))
    row, col = list(placed.index)[number]
    everywhere = [piece_at(col + x, row + y) for x in (0.1, 0.5, 0.9) for y in (0.1, 0.5, 0.9)]
    bare, hidden = (
        told_beside_pieces(reader.classifier, doubted, [pieces], reader.catalogue) for pieces in ([], everywhere)
    )
    coat = twins[pairs[number], 1]
    assert bare.logits.layouts[number, coat] + 0.5 < hidden.logits.layouts[number, coat]
    np.testing.assert_allclose(np.logaddexp.reduce(hidden.logits.layouts, axis=1), 0, atol=1e-9)


def test_a_piece_hides_a_coat_where_another_copy_of_the_tile_shows_it(reader: Reader, joint: Joint) -> None:
    survey, net = joint.placed[0].survey, reader.classifier
    coats = survey.logits.coats
    assert coats is not None
    twins = twins_of(tuple(net.metadata["classes"]))
    pairs, odds = likely_pairs(survey.logits.layouts, coats, twins)
    tiles = [turned_layouts(reader.catalogue)[number] for number in twins[pairs, 0].tolist()]
    shown = [i for i in range(len(tiles)) if odds[i] > SURELY and reader.catalogue[tiles[i][0]].symmetry == 4]
    copies = [i for i in shown if any(tiles[i][0] == tiles[k][0] and tiles[i][1] != tiles[k][1] for k in shown)]
    assert len(copies) >= 2
    for i in copies:
        (place,) = places_of_coats(net, coats.crops[[i]], twins[pairs[[i]]])
        down, right = ((np.indices(place.shape) + 0.5) / CELLS * place).sum(axis=(1, 2))
        row, col = survey.squares[i]
        unsure = SeenCoats(coats.odds.copy(), coats.known, coats.crops)
        unsure.odds[i] = -0.5
        pieces = [piece_at(col + right, row + down)], [piece_at(col + 1 - right, row + 1 - down)]
        there, elsewhere = (hidden_in(net, survey, unsure, own, reader.catalogue)[i] for own in pieces)
        assert there > 0.5
        assert elsewhere < 0.5


def test_where_nothing_was_said_of_coats_nothing_is_changed(reader: Reader, joint: Joint) -> None:
    (placed,) = joint.placed
    survey = replace(placed.survey, logits=replace(placed.survey.logits, coats=None))
    silent = replace(joint, placed=(replace(placed, survey=survey),))
    assert told_beside_pieces(reader.classifier, silent, [[]], reader.catalogue) is silent
