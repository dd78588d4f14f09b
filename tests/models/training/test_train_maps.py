"""Samples of maps: their truth about a city, and its validity after a turn."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.world_wonders.deal import deal_city, list_values
from datasets.world_wonders.own_copy import COLS, MARGIN_MM, MORE_SHAPES, PIECES, ROWS, SQUARE_MM, build_land
from datasets.world_wonders.style import build_style
from datasets.world_wonders.tables import deal_scene
from models.samples.maps import build_truth, cut_out_pieces, mirror_planes, mirror_seams
from vision.world_wonders.squares import KINDS, SQUARE_PX, compare_views, turn_planes, turn_seams


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 40), st.integers(0, 2**32))
def test_neighbours_of_one_piece_are_joined(turns: int, seed: int) -> None:
    city = deal_city("green", build_land("A", "green"), turns, np.random.default_rng(seed))
    kinds, joined = build_truth(city)
    values_by_square = dict(list_values(city))
    for row in range(ROWS):
        for col in range(COLS):
            assert (kinds[row, col] == 0) == (values_by_square[row, col] == "-")
            if col + 1 < COLS and joined[row, col, 0] >= 0:
                assert kinds[row, col] == kinds[row, col + 1]
                is_same = values_by_square[row, col] == values_by_square[row, col + 1]
                is_of_several = values_by_square[row, col].partition("#")[0] in PIECES
                assert joined[row, col, 0] == is_same or (is_same and is_of_several)
    assert (joined[:, -1, 0] == -1).all()
    assert (joined[-1, :, 1] == -1).all()


@given(st.integers(0, 3))
def test_four_turns_change_nothing(turns: int) -> None:
    rng = np.random.default_rng(turns)
    planes = rng.integers(1, 256, (2, 24, 48, 10), np.uint8)
    joined = rng.integers(-1, 2, (2, 3, 4, 2))
    joined[:, :, -1, 0] = joined[:, -1, :, 1] = -1
    assert np.array_equal(turn_planes(turn_planes(planes, turns), 4 - turns), planes)
    assert np.array_equal(turn_seams(turn_seams(joined, turns), 4 - turns), joined)


def test_a_lean_to_the_right_points_up_after_a_turn() -> None:
    planes = np.full((1, 24, 24, 10), 128, np.uint8)
    planes[..., 6] = 150
    turned = turn_planes(planes, 1)
    assert (turned[..., 6] == 128).all()
    assert (turned[..., 7] == 106).all()


def test_a_mirrored_map_has_mirrored_leans_and_seams() -> None:
    rng = np.random.default_rng(6)
    planes = rng.integers(1, 256, (2, 24, 48, 10), np.uint8)
    joined = rng.integers(-1, 2, (2, 3, 4, 2))
    joined[:, :, -1, 0] = joined[:, -1, :, 1] = -1
    assert np.array_equal(mirror_planes(mirror_planes(planes)), planes)
    assert np.array_equal(mirror_seams(mirror_seams(joined)), joined)
    upside_down = turn_planes(mirror_planes(planes), 2)
    assert np.array_equal(upside_down[..., 6], planes[:, ::-1, :, 6])
    assert np.array_equal(upside_down[..., 7], np.uint8(0) - planes[:, ::-1, :, 7])
    assert np.array_equal(turn_seams(mirror_seams(joined), 2)[..., :-1, :, 1], joined[:, -2::-1, :, 1])


def test_pieces_cut_out_of_a_scene_lie_on_any_ground() -> None:
    rng = np.random.default_rng(3)
    scene, _ = deal_scene(build_style("medley-1"), "A", (70.0, 80.0), rng, ("plain",), 0.3, shapes=tuple(MORE_SHAPES))
    ((seat, cutout),) = list(cut_out_pieces(scene, 5))[:1]
    assert seat.city is not None
    h, w = cutout.through.shape[:2]
    white, black = (cutout.lay_on(np.full((h, w, 3), grey, np.uint8)).astype(float) for grey in (255, 0))
    px = SQUARE_PX / SQUARE_MM
    for (row, col), value in list_values(seat.city):
        x, y = (round(px * (MARGIN_MM + (at + 0.5) * SQUARE_MM)) for at in (col, row))
        shows_ground = np.median((white - black)[y - 3 : y + 3, x - 3 : x + 3]) > 40
        if value != "-":
            assert not shows_ground, value


def test_views_of_one_print_are_alike_at_a_small_shift_and_a_piece_is_not() -> None:
    rng = np.random.default_rng(4)
    ground = rng.integers(0, 256, (60, 80, 3), np.uint8)
    shifted = np.roll(ground, (1, -2), (0, 1))
    assert np.quantile(compare_views(shifted, ground)[5:-5, 5:-5, 0], 0.9) < 10
    assert np.quantile(compare_views(shifted, ground)[5:-5, 5:-5, 1], 0.1) > 240
    shifted[20:40, 20:40] = (30, 160, 60)
    assert compare_views(shifted, ground)[24:36, 24:36, 0].min() > 60


def test_kinds_are_those_of_the_rules() -> None:
    assert KINDS[0] == "-"
    assert len(set(KINDS)) == len(KINDS) == 10
