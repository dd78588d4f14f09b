"""A piece is of a kind that its table can have, that may stand there, and that its player has left."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement
from scoring.carcassonne.tiles.catalogue import load_catalogue
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from vision.doubt.alternatives import find_alternatives
from vision.pieces.kind_classifier import Names
from vision.pieces.kind_prior import apply_kind_prior, find_board_boxes, weigh_markers
from vision.pieces.meeples import read_meeples
from vision.reading.board import place_meeple
from vision.reading.piece import Piece
from vision.reading.values import MeepleReading, Reading, Warp

NAMES = Names(
    ("red", "blue"), ("standing", "lying", "disc", "upside_down"), ("meeple", "big", "builder", "pig", "abbot")
)
KINDS = NAMES.kinds
ROW = 5
WARP = Warp(np.diag([100.0, 100.0, 1.0]))


def board(*further: str) -> Board:
    """Return five straight roads in a row, and further squares far below."""
    road = {(0, col): Placement("U") for col in range(ROW)}
    return Board({**road, **{(9, 2 * i): Placement(tile) for i, tile in enumerate(further)}})


def piece(col: int, kind: str, colour: str = "red", presence: float = 0.99, sure: float = 0.96) -> Piece:
    """Return a piece on the road of a square, `sure` of its kind."""
    kinds = np.where(np.array(KINDS) == kind, sure, (1 - sure) / (len(KINDS) - 1))
    colours = np.array([float(name == colour) for name in NAMES.colours])
    return Piece((col + 0.5, 0.5), presence, colours, np.array([0.97, 0.01, 0.01, 0.01]), kinds)


def read(on: Board, *pieces: Piece) -> tuple[MeepleReading, ...]:
    likely, _ = read_meeples(pieces, NAMES, WARP, on)
    return tuple(sorted(likely, key=lambda meeple: meeple.at))


def expansion_tiles(box: str) -> str:
    return next(layout.id for layout in load_catalogue(box) if layout.id.startswith(("IC/", "TB/")))


INNS, TRADERS = expansion_tiles("inns"), expansion_tiles("traders")


def test_boxes_are_recognised_by_their_tiles() -> None:
    assert find_board_boxes(board()) == set()
    assert find_board_boxes(board(INNS, TRADERS)) == {"inns", "traders"}
    wonder = next(iter(load_wonder_catalogue().values()))
    assert find_board_boxes(Board({(0, 0): Placement(wonder.id, cell=0)})) == {"wonders"}


@given(st.lists(st.floats(0.001, 1), min_size=5, max_size=5))
def test_the_base_game_has_only_meeples(odds: list[float]) -> None:
    candidate = replace(piece(0, "meeple"), kinds=np.array(odds) / sum(odds))
    (posterior,) = apply_kind_prior([candidate], board(), NAMES.poses, KINDS)
    assert posterior.kinds.tolist() == pytest.approx([1, 0, 0, 0, 0])
    assert posterior.poses[3] == pytest.approx(0)
    assert posterior.poses.sum() == pytest.approx(1)


@given(st.lists(st.floats(0.001, 1), min_size=5, max_size=5))
def test_odds_stay_normalised(odds: list[float]) -> None:
    candidate = replace(piece(0, "meeple"), kinds=np.array(odds) / sum(odds))
    both = apply_kind_prior([candidate, replace(candidate, at=(3.0, 0.5))], board(INNS, TRADERS), NAMES.poses, KINDS)
    assert [posterior.kinds.sum() for posterior in both] == pytest.approx([1, 1])


def test_a_big_meeple_is_read_if_its_box_is_present() -> None:
    assert [m.kind for m in read(board(INNS), piece(0, "big"), piece(2, "meeple"))] == ["big", "meeple"]
    assert [m.kind for m in read(board(), piece(0, "big"), piece(2, "meeple"))] == ["meeple", "meeple"]


def test_a_player_has_one_big_meeple() -> None:
    meeples = read(
        board(INNS), piece(0, "big"), piece(2, "big", sure=0.8), piece(4, "big", "blue"), piece(3, "meeple", "blue")
    )
    assert [m.kind for m in meeples] == ["big", "meeple", "meeple", "big"]


def test_a_builder_stands_with_its_own_meeple() -> None:
    joined = read(board(TRADERS), piece(0, "meeple"), piece(2, "builder", sure=0.9))
    assert [m.kind for m in joined] == ["meeple", "builder"]
    strange = read(
        board(TRADERS), piece(0, "meeple", "blue"), piece(4, "meeple", "blue"), piece(2, "builder", sure=0.9)
    )
    assert strange[1].kind == "meeple"


def test_pigs_and_abbots_are_not_read_on_roads() -> None:
    for kind in ("pig", "abbot"):
        meeples = read(board(TRADERS), piece(0, "meeple"), piece(2, kind))
        assert [m.kind for m in meeples] == ["meeple", "meeple"] or meeples[1].doubtful


@given(st.floats(0.13, 0.9), st.floats(0, 1), st.sampled_from(KINDS), st.sampled_from(["standing", "lying", "disc"]))
def test_pieces_beside_the_board_are_not_counted(away: float, along: float, kind: str, pose: str) -> None:
    posed = np.array([float(pose == name) for name in NAMES.poses])
    beside = [(ROW + away, along), (-away, along), (ROW * along, -away), (ROW * along, 1 + away)]
    strays = [replace(piece(0, kind), at=at, poses=posed) for at in beside]
    board_piece = piece(2, "meeple")
    likely, possible = read_meeples([board_piece, *strays], NAMES, WARP, board(INNS, TRADERS))
    assert [meeple.at for meeple in likely] == [board_piece.at]
    assert possible == ()


def test_an_uncertain_kind_is_a_doubt_that_names_the_other() -> None:
    pieces = [piece(0, "meeple"), piece(1, "meeple", "blue"), piece(2, "big", "blue", sure=0.35)]
    on = board(INNS)
    unsure = read(on, *pieces)[2]
    assert unsure.doubtful
    assert {unsure.kind, *(other.kind for other in unsure.alternatives)} >= {"meeple", "big"}
    reading = Reading(900, 900, (), (unsure,), WARP, {})
    board_with_meeple = replace(on, meeples=(place_meeple(unsure),))
    others = [m for a in find_alternatives(reading, board_with_meeple) for m in a.on(board_with_meeple).meeples]
    assert {(m.kind, m.segment) for m in others if isinstance(m, PlacedMeeple)} >= {
        (other.kind or unsure.kind, other.segment) for other in unsure.alternatives if other.segment is not None
    }


def on_wonder(board: Board, cell: int, on_head: float, lying: float = 0.01) -> Piece:
    """Return a piece on a square of the one wonder, upside down or lying with this probability, else standing."""
    row, col = board.wonders[0].squares[cell]
    poses = np.array([1 - on_head - lying - 1e-4, lying, 1e-4, on_head])
    kinds = np.array([float(kind == "meeple") for kind in KINDS])
    return Piece((col + 0.5, row + 0.5), 0.99, np.array([0.99, 0.01]), poses, kinds)


def wonder_board() -> Board:
    wonder = load_wonder_catalogue()["WH/alhambra"]
    squares = {(20 + row, 20 + col): Placement(wonder.id, cell=cell) for cell, (row, col) in enumerate(wonder.squares)}
    return Board({**board().tiles, **squares})


def marker_odds(*pieces: Piece) -> list[float]:
    return [float(piece.poses[3]) for piece in apply_kind_prior(pieces, wonder_board(), NAMES.poses, KINDS)]


def test_the_most_marker_like_piece_on_a_wonder_is_its_marker() -> None:
    on = wonder_board()
    marker, other = marker_odds(on_wonder(on, 0, 0.15), on_wonder(on, 2, 0.002))
    assert marker > 0.75
    assert other < 0.01


def test_the_only_piece_on_a_wonder_is_more_likely_its_marker() -> None:
    on = wonder_board()
    (alone,) = marker_odds(on_wonder(on, 1, 0.1))
    assert 0.5 < alone < 0.95
    (farmer,) = marker_odds(on_wonder(on, 1, 1e-5, lying=0.99))
    assert farmer < 0.01


def test_a_wonder_has_no_second_marker() -> None:
    on = wonder_board()
    first, second = marker_odds(on_wonder(on, 0, 0.97), on_wonder(on, 3, 0.3))
    assert first > 0.9
    assert second < 0.1


def test_pieces_beside_the_wonder_are_not_upside_down() -> None:
    assert marker_odds(replace(piece(1, "meeple"), poses=np.array([0.3, 0.0, 0.0, 0.7]))) == [0.0]


@given(st.lists(st.floats(1e-6, 1 - 1e-6), min_size=1, max_size=4))
def test_the_probabilities_of_markers_sum_to_about_one(looks: list[float]) -> None:
    """Each probability lies between 0 and 1, and together they amount to one marker, or rarely to none or two."""
    weights = weigh_markers(np.array(looks))
    chances = [w * p / (w * p + 1 - p) for w, p in zip(weights.tolist(), looks, strict=True)]
    assert all(0 <= chance <= 1 for chance in chances)
    assert sum(chances) < 2.01
    if max(looks) > 0.5:
        assert sum(chances) > 0.9


def test_a_marker_counts_on_any_square_of_its_wonder() -> None:
    on = wonder_board()
    for cell, (row, col) in enumerate(on.wonders[0].squares):
        (meeple,) = read(on, on_wonder(on, cell, 0.99, lying=0.001))
        assert meeple.pose == "upside_down"
        assert meeple.segment is not None
        assert on.tiles[meeple.row, meeple.col] is not None
        assert (meeple.row, meeple.col) in on.wonders[0].squares
        placement = on.tiles[meeple.row, meeple.col]
        assert placement is not None
        assert placement.layout.segments[meeple.segment].kind == "wonder", (row, col)
