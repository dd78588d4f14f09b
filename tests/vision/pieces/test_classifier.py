"""Both nets decide together whether a place shows a piece, and no piece is counted twice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.art.procedural import draw_tile
from datasets.art.style import STYLES
from datasets.scene.camera import Camera
from datasets.scene.pieces import Finish, draw_piece
from datasets.scene.pieces import Piece as DrawnPiece
from scoring.calibration import load_weights
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from vision.pieces.classifier import (
    NAMED_SURE,
    SAME_FOOT,
    _names,
    _presence,
    _with_mirrors,
    combine_presence,
    compute_feet_distance,
    merge_duplicate_pieces,
)
from vision.pieces.crops import compute_stand_corners, crop_stands
from vision.reading.piece import Piece
from vision.runtime.onnx import MODELS, Net

likely = st.floats(0, 1)


def both(classifier: float, seeming: float) -> float:
    return float(combine_presence(np.array([classifier]), np.array([seeming]))[0])


@given(seen=likely, seeming=likely, more=likely)
def test_a_piece_is_more_likely_if_either_net_is_more_certain(seen: float, seeming: float, more: float) -> None:
    assert 0 < both(seen, seeming) < 1
    assert both(max(seen, more), seeming) >= both(seen, seeming)
    assert both(seen, max(seeming, more)) >= both(seen, seeming)


def test_if_one_net_is_undecided_the_other_decides() -> None:
    assert both(0.5, 0.9) > 0.5 > both(0.5, 0.1)
    assert both(0.9, 0.45) > 0.5 > both(0.1, 0.45)


def test_the_close_up_net_is_not_overruled_if_it_is_certain() -> None:
    assert both(0.999, 0.08) > 0.8
    assert both(0.001, 0.6) < 0.05


def piece(at: tuple[float, float], presence: float, colour: int) -> Piece:
    return Piece(at, presence, np.eye(3)[colour], np.ones(1))


places = st.lists(
    st.builds(piece, st.tuples(st.floats(0, 2), st.floats(0, 2)), st.floats(0, 1), st.integers(0, 2)), max_size=12
)


@given(found=places)
def test_each_foot_keeps_its_most_likely_piece(found: list[Piece]) -> None:
    pieces = merge_duplicate_pieces(found)
    at_feet = {one.at: one for one in found}
    assert all(piece.presence <= max(one.presence for one in found if one.at == piece.at) for piece in pieces)
    assert all(piece.at in at_feet for piece in pieces)
    for i, piece in enumerate(pieces):
        assert all(compute_feet_distance(piece, other) >= SAME_FOOT for other in pieces[:i])
    for left in found:
        if not any(left.at == piece.at for piece in pieces):
            assert any(compute_feet_distance(left, piece) < SAME_FOOT for piece in pieces)


def test_a_shadow_at_a_piece_does_not_give_it_its_colour() -> None:
    red, shadow = piece((1.5, 1.5), 0.99, 0), piece((1.5, 1.6), 0.3, 1)
    assert merge_duplicate_pieces([shadow, red]) == [red] == merge_duplicate_pieces([red, shadow])


def leaning(foot: tuple[float, float], head: tuple[float, float], colour: int = 0, presence: float = 0.99) -> Piece:
    return replace(piece(foot, presence, colour), head=head)


def behind(up: float, aside: float, colour: int = 0, seen: float = 0.5) -> Piece:
    """Return a point `up` times as far behind the foot (1, 2) as the head (1, 1.4) of its piece, and `aside` of it."""
    return replace(piece((1 + aside, 2 - 0.6 * up), 0.9, colour), seen=seen)


@pytest.mark.parametrize("up", [0.55, 0.8, 1.0, 1.2])
def test_the_head_of_a_leaning_piece_is_not_a_second_piece(up: float) -> None:
    body = leaning((1.0, 2.0), (1.0, 1.4))
    assert (
        merge_duplicate_pieces([behind(up, 0.05), body]) == [body] == merge_duplicate_pieces([body, behind(up, -0.05)])
    )


@pytest.mark.parametrize(
    "other", [behind(0.8, 0.15), behind(1.6, 0.0), behind(-0.6, 0.0), behind(0.8, 0.0, 1), behind(0.8, 0.0, seen=0.95)]
)
def test_a_piece_beside_or_behind_a_leaning_one_is_kept(other: Piece) -> None:
    """Aside of its body, beyond its head, before it, in another colour, or clearly seen by itself."""
    body = leaning((1.0, 2.0), (1.0, 1.4))
    assert merge_duplicate_pieces([other, body]) == [body, other]


def test_without_a_known_lean_only_the_foot_of_a_piece_counts() -> None:
    body, other = piece((1.0, 2.0), 0.99, 0), behind(0.8, 0.0)
    assert merge_duplicate_pieces([other, body]) == [body, other]


def test_touching_pieces_are_two_unless_one_is_seen_twice() -> None:
    one, beside, again = piece((1.0, 1.0), 0.9, 0), piece((1.2, 1.0), 0.8, 1), piece((1.2, 1.0), 0.8, 0)
    assert merge_duplicate_pieces([one, beside]) == [one, beside]
    first, second = merge_duplicate_pieces([one, again])
    assert (first, second.at) == (one, again.at)
    assert second.presence < load_weights("carcassonne", "touching")["two_poses"]["share"] * again.presence


@pytest.mark.parametrize(
    ("poses", "apart", "presences"),
    [
        pytest.param((0.1, 0.9), 0.25, [0.99, 0.57], id="one stands and one lies"),
        pytest.param((0.9, 0.1), 0.25, [0.99, 0.22], id="both stand"),
        pytest.param((0.1, 0.9), 0.1, [0.99], id="both have one foot"),
        pytest.param((0.9, 0.1), 0.35, [0.99, 0.98], id="they do not touch"),
    ],
)
def test_touching_pieces_of_one_colour_are_distinguished_by_their_poses(
    poses: tuple[float, float], apart: float, presences: list[float]
) -> None:
    """With the numbers in force: a piece that may be a duplicate of another stays in doubt."""
    standing = replace(piece((1.0, 1.0), 0.99, 0), poses=np.array([0.95, 0.05]))
    other = replace(piece((1.0 + apart, 1.0), 0.98, 0), poses=np.array(poses))
    kept = merge_duplicate_pieces([other, standing])
    assert [one.presence for one in kept] == pytest.approx(presences, abs=0.06)


@pytest.mark.parametrize("away", [0.32, 0.4])
def test_a_possible_duplicate_does_not_affect_a_third_piece(away: float) -> None:
    first, again = piece((1.0, 1.0), 0.99, 0), piece((1.2, 1.0), 0.95, 0)
    third = piece((1.0 + away, 1.0), 0.9, 0)
    kept = merge_duplicate_pieces([first, again, third])
    assert kept[:2] == [first, third]
    assert all(other.presence < 0.2 for other in kept[2:])


def test_an_uncertain_colour_is_taken_from_the_mirrored_picture() -> None:
    """A standing meeple, red on the left and black on the right: only the net distinguishes it from its mirror."""
    size = 80
    camera = Camera.look_at(
        (1.5, 1.5), elevation=60, azimuth=90, roll=0, distance=25, focal_px=25 * size, size=(3 * size, 3 * size)
    )
    tile = draw_tile(load_base_catalogue()["E"], STYLES["meadow"], 5, size)
    halves = [np.vstack([np.hstack([tile] * 3)] * 3) for _ in range(2)]
    for view, bgr in zip(halves, ((40, 30, 200), (30, 30, 30)), strict=True):
        meeple = DrawnPiece("red", "meeple", "standing", (1.5, 1.5), 0.0, bgr)
        draw_piece(view, meeple, camera, np.array([0.0, 0.0, 1.0]), Finish(0.0))
    picture = np.hstack([halves[0][:, :120], halves[1][:, 120:]])
    net, length = Net(MODELS / "pieces.onnx", 1), np.array([0.5])
    corners = size * compute_stand_corners(np.array([(1.5, 1.5)]), np.array([(0.0, -0.5)]))
    shown = crop_stands(picture, np.zeros((240, 240, 4), np.uint8), corners)
    names, shares = [], []
    for pictures in (shown, np.ascontiguousarray(shown[:, :, ::-1])):
        (out,) = net(pictures, leans=length.astype(np.float32))
        assert _presence(out)[0] > NAMED_SURE
        names.append(_names(net, out)[0])
        shares.append(_names(net, _with_mirrors(net, out, pictures, length))[0])
    assert np.abs(names[0] - names[1]).max() > 0.1
    np.testing.assert_allclose(shares[0], shares[1], atol=1e-4)
