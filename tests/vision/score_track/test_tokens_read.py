"""Tokens of points beside the board are found by their print, read by their side, and given to their owners."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.evaluation.score_tracks import judge_tokens
from datasets.render.compositor import compose
from datasets.scene.pieces import Piece
from tests.vision.score_track.tokens import laid, lattice, scene, shot, shown_side
from vision.enrolment.score_boards import EnrolledToken, build_score_token
from vision.photo.pyramid import Halves
from vision.reading.values import TrackReading, TrackToken
from vision.runtime.onnx import MODELS, Net
from vision.score_track.pieces import PieceNets
from vision.score_track.token_detector import FoundToken, TokenFinder, merge_overlapping_tokens
from vision.score_track.token_owners import SeenTable, assign_owners, doubt_duplicate_tokens


@cache
def enrolled(points: int, colour: str | None = None) -> EnrolledToken:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vision.flat_boards.board.PICTURE_PX", 500)  # more than any photo here shows of a token
        return build_score_token(f"of-{points}", shown_side(points), points, colour)


def found(*sides: EnrolledToken) -> tuple[FoundToken, ...]:
    squares = lattice()
    quads = np.array(list(squares.corners.values()))
    tile_px = float(np.median(np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)))
    return TokenFinder(sides).find(shot(), tile_px, quads)


def truth() -> list[dict[str, object]]:
    camera = scene().camera
    return [
        {
            "points": token.points,
            "colour": token.colour,
            "corners_px": camera.project(np.column_stack([token.corners, np.zeros(4)])),
        }
        for token in laid()
    ]


def read(tokens: tuple[TrackToken, ...]) -> TrackReading:
    return TrackReading(np.zeros((4, 2)), 1.0, (), tokens=tokens)


def nets() -> PieceNets:
    return PieceNets(Net(MODELS / "meeples.onnx"), Net(MODELS / "pieces.onnx"))


def table_of(photo: Halves) -> SeenTable:
    return SeenTable(nets(), photo, lattice(), set(lattice().corners))


def test_each_token_is_found_once_with_its_side() -> None:
    tokens = found(enrolled(50), enrolled(100))
    assert len(laid()) >= 3
    assert {token.points for token in laid()} == {50, 100}
    assert all(token.sure for token in tokens)
    players = {token.colour for token in laid()}
    counts = judge_tokens(truth(), read(assign_owners(table_of(shot()), tokens, players)))
    assert counts["tokens found"] == counts["token points right"] == len(laid())
    assert (counts["tokens invented"], counts["tokens wrong"]) == (0, 0)


@pytest.mark.soak
def test_an_unenrolled_side_leaves_the_other_one_uncertain() -> None:
    tokens = found(enrolled(50))
    assert tokens
    assert not any(token.sure for token in tokens)


def test_without_enrolled_tokens_nothing_is_searched_for() -> None:
    assert found() == ()


@pytest.mark.parametrize(
    ("beside", "sure"), [(("red", "red"), True), (("red",), False), (("red", "red", "blue"), False), ((), False)]
)
def test_a_token_belongs_to_the_only_player_with_pieces_beside_it(beside: tuple[str, ...], sure: bool) -> None:
    rng = np.random.default_rng(2)
    drawn_scene = scene()
    [token, *_] = laid()
    x, y = token.corners.mean(0).tolist()
    bgr = {"red": (35, 30, 190), "blue": (170, 70, 25)}
    places = [(x + 0.9, y), (x - 0.9, y + 0.1), (x, y + 0.95)]
    pieces = [
        Piece(colour, "meeple", "lying", at, float(rng.uniform(0, 6)), bgr[colour])
        for colour, at in zip(beside, places, strict=False)
    ]
    assert drawn_scene.score_board is not None
    bare = replace(
        drawn_scene, strays=tuple(pieces), score_board=replace(drawn_scene.score_board, pieces=(), tokens=(token,))
    )
    image = Halves(compose(bare))
    corners = drawn_scene.camera.project(np.column_stack([token.corners, np.zeros(4)]))
    [track_token] = assign_owners(table_of(image), [FoundToken(enrolled(50), corners, 0.9, True)], {"red", "blue"})
    assert track_token.doubtful == (not sure)
    assert track_token.colour in beside if beside else track_token.colour is None


def test_a_print_with_a_stated_owner_needs_no_pieces_beside_it() -> None:
    corners = truth()[0]["corners_px"]
    assert isinstance(corners, np.ndarray)
    token = FoundToken(enrolled(50, "green"), corners, 0.9, sure=True)
    for players, doubtful in (({"green", "red"}, False), ({"red"}, True)):
        [track_token] = assign_owners(table_of(shot()), [token], players)
        assert (track_token.colour, track_token.doubtful) == ("green", doubtful)


@given(st.lists(st.tuples(st.sampled_from(["red", "blue"]), st.sampled_from([50, 100])), max_size=5))
def test_a_token_found_twice_at_one_player_is_doubtful(own: list[tuple[str, int]]) -> None:
    tokens = [TrackToken(points, colour, np.zeros((4, 2)), "mine", 0.9, doubtful=False) for colour, points in own]
    track_tokens = doubt_duplicate_tokens(tokens)
    assert [(token.colour, token.points) for token in track_tokens] == own
    assert [token.doubtful for token in track_tokens] == [own.count(one) > 1 for one in own]


@given(st.permutations([(50, 0.95), (100, 0.8), (50, 0.7)]))
def test_the_most_likely_of_several_prints_at_one_place_counts(order: list[tuple[int, float]]) -> None:
    square = np.array([(0.0, 0), (80, 0), (80, 80), (0, 80)])
    one = [FoundToken(enrolled(points), square + 5 * alike, alike, sure=True) for points, alike in order]
    far = FoundToken(enrolled(100), square + 300, 0.9, sure=True)
    assert [(token.enrolled.points, token.alike, token.sure) for token in merge_overlapping_tokens([*one, far])] == [
        (50, 0.95, True),
        (100, 0.9, True),
    ]


def test_sides_that_fit_equally_well_stay_uncertain() -> None:
    square = np.array([(0.0, 0), (80, 0), (80, 80), (0, 80)])
    near = [FoundToken(enrolled(points), square, alike, sure=True) for points, alike in ((50, 0.95), (100, 0.94))]
    assert [(token.enrolled.points, token.sure) for token in merge_overlapping_tokens(near)] == [(50, False)]
