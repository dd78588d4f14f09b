"""Pieces from a net's scores of squares: shapes and seams together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.world_wonders.deal import deal_city
from datasets.world_wonders.own_copy import MONUMENTS, build_land
from datasets.world_wonders.own_copy import format_components as written
from models.samples.maps import build_truth
from scoring.confidence import CONFIDENCE_SURE
from scoring.world_wonders.components import load_components
from vision.world_wonders.pieces import MONUMENT, NOTHING, Pieces, find_pieces, load_piece_costs
from vision.world_wonders.reader import list_shapes
from vision.world_wonders.squares import KINDS, Sighted

SHAPES = list_shapes(load_components(written("A")))


def said(kinds: np.ndarray, joined: np.ndarray, firm: float = 6.0) -> Sighted:
    """Return the scores of a net that is right everywhere, and fairly certain."""
    logits = np.where(np.arange(len(KINDS)) == kinds[..., None], firm, -firm)
    return Sighted(logits.astype(float), np.where(joined > 0, firm, -firm).astype(float), np.ones(kinds.shape, bool))


def laid(pieces: Pieces) -> set[tuple[str, tuple[tuple[int, int], ...]]]:
    return {(piece.name, tuple(sorted(piece.squares))) for piece in pieces.pieces if piece.kind != NOTHING}


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 40), st.integers(0, 2**32))
def test_the_pieces_laid_are_found(turns: int, seed: int) -> None:
    city = deal_city("blue", build_land("A", "blue"), turns, np.random.default_rng(seed))
    reading = find_pieces(said(*build_truth(city)), SHAPES)
    kinds = dict.fromkeys(MONUMENTS, "monument")
    assert laid(reading) == {(kinds.get(p.kind, p.kind), tuple(sorted(p.cells))) for p in city.pieces}
    assert all(piece.probability > 0.5 for piece in reading.pieces)


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 2**32))
def test_seams_alone_separate_pieces_of_unknown_shapes(seed: int) -> None:
    city = deal_city("blue", build_land("A", "blue"), 25, np.random.default_rng(seed))
    reading = find_pieces(said(*build_truth(city)), dict.fromkeys(SHAPES))
    assert {squares for _, squares in laid(reading)} == {tuple(sorted(piece.cells)) for piece in city.pieces}


def test_shapes_decide_if_a_seam_is_invisible() -> None:
    """Five farms in a row without a visible seam: no tile is so long; domino and bar are likely in either order."""
    kinds = np.zeros((3, 6), np.int64)
    kinds[1, :5] = KINDS.index("farm")
    joined = np.ones((3, 6, 2), np.int64)
    evidence = said(kinds, joined, 4.0)
    evidence.joined[1, 1, 0] = 0.0  # between the second and the third there may be a seam
    reading = find_pieces(evidence, SHAPES)
    assert laid(reading) == {("farm", ((1, 0), (1, 1))), ("farm", ((1, 2), (1, 3), (1, 4)))}


def test_the_look_of_a_monument_separates_it_from_its_neighbours() -> None:
    """Three squares in a row that each look like a monument: one of three, or one of two beside a tower."""
    kinds = np.zeros((3, 5), np.int64)
    kinds[1, 1:4] = MONUMENT
    evidence = said(kinds, np.ones((3, 5, 2), np.int64), 3.0)
    evidence.kinds[1, 3, KINDS.index("tower")] = 2.0
    shapes = {**SHAPES, "monument": [((0, 0), (0, 1)), ((0, 0), (0, 1), (0, 2))]}
    assert laid(find_pieces(evidence, shapes)) == {("monument", ((1, 1), (1, 2), (1, 3)))}

    def weigh_look(squares: Sequence[tuple[int, int]]) -> float:
        return 5.0 if tuple(squares) == ((1, 1), (1, 2)) else -3.0

    reading = find_pieces(evidence, shapes, weigh_look)
    assert laid(reading) == {("monument", ((1, 1), (1, 2))), ("tower", ((1, 3),))}


def test_unclear_pieces_are_not_certain() -> None:
    kinds = np.zeros((2, 4), np.int64)
    kinds[0, :4] = KINDS.index("temple")
    evidence = said(kinds, np.ones((2, 4, 2), np.int64))
    evidence.joined[0, :, 0] = 0.0
    reading = find_pieces(evidence, {**SHAPES, "temple": [((0, 0), (0, 1)), ((0, 0), (0, 1), (0, 2)), ((0, 0),)]})
    assert all(reading.owner[0, col].probability < 0.8 for col in range(4))
    shares = [sum(other.probability for other in reading.others[0, col]) for col in range(4)]
    assert np.allclose(shares, 1.0, atol=0.02)


def test_unseen_squares_are_empty() -> None:
    kinds = np.full((2, 2), KINDS.index("road"))
    evidence = said(kinds, np.ones((2, 2, 2), np.int64))
    hidden = Sighted(evidence.kinds, evidence.joined, np.zeros((2, 2), bool))
    assert laid(find_pieces(hidden, SHAPES)) == set()


def test_no_piece_needs_more_evidence_than_a_piece_costs() -> None:
    """Each piece has a cost, so that two are rarely one; a lone one must not be overlooked for that."""
    kinds = np.zeros((3, 3), np.int64)
    evidence = said(kinds, np.full((3, 3, 2), -1))
    evidence.kinds[1, 1, KINDS.index("road")] = evidence.kinds[1, 1, NOTHING] + load_piece_costs().piece
    assert laid(find_pieces(evidence, SHAPES)) == {("road", ((1, 1),))}
    evidence.kinds[1, 1, KINDS.index("road")] = evidence.kinds[1, 1, NOTHING] - 1.0
    reading = find_pieces(evidence, SHAPES)
    assert laid(reading) == set()
    assert reading.owner[1, 1].probability < CONFIDENCE_SURE
