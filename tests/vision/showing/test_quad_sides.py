"""Corners are moved to a board's own edge, whatever is printed beside it, and whatever the table shows."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from datasets.evaluation.board_owner import BoardOwner, draw_owner
from datasets.tower_of_babel.plan import SIZE_MM
from vision.arrays import Floats, Image
from vision.showing.quad_sides import (
    EdgeWeights,
    SideLine,
    choose_edges,
    choose_line,
    list_lines,
    load_edge_weights,
    refine_corners,
)

EDGE_PX = 200.0


@cache
def draw_shown_board(art: str, seed: int, number: int) -> BoardOwner:
    return draw_owner(art, seed, number)


def measure_corners(art: str, seed: int, number: int) -> float:
    """Return the error of the farthest corner, in millimetres, after taps three millimetres off."""
    owner = draw_shown_board(art, seed, number)
    true = owner.photo.corners_px
    px_mm = float(np.linalg.norm(true[1] - true[0])) / SIZE_MM[0]
    pointed = true + 3 * px_mm * np.array([(-0.6, 0.8), (0.8, 0.6), (0.6, -0.8), (0.8, -0.6)])
    refined = refine_corners(owner.pixels, pointed, load_edge_weights())
    return float(np.linalg.norm(refined - true, axis=1).max()) / px_mm


@pytest.mark.parametrize(
    ("art", "number"),
    [("papyrus", 1), *(pytest.param("fresco", number, marks=pytest.mark.soak) for number in (1, 3))],
    ids=lambda part: str(part),
)
def test_a_stronger_line_beside_the_edge_does_not_attract_corners(art: str, number: int) -> None:
    """The track's line is printed 0.4 mm within and could attract a corner, or one end of a side."""
    assert measure_corners(art, 31, number) < 0.7


def draw_edge(lines: tuple[tuple[float, float, int], ...], runs_on: bool = False) -> Image:
    """Draw a dark table above a lighter board whose edge lies at `EDGE_PX`, and level lines: (top, height, brightness).

    The board is 1000 pixels wide; the lines are as wide, unless they continue over the table beside it.
    """
    picture = np.full((500, 1400), 90.0)
    picture[round(EDGE_PX) :, 200:1200] = 140
    for top, height, brightness in lines:
        left, right = (0, 1400) if runs_on else (200, 1200)
        picture[round(top) : round(top + height), left:right] = brightness
    noisy = cv2.GaussianBlur(picture, (0, 0), 0.8) + np.random.default_rng(1).normal(0, 3, picture.shape)
    return np.asarray(cv2.cvtColor(np.clip(noisy, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR))


def find_edge(picture: Image, miss_px: float = 6.0) -> Floats:
    """Return the position of a side, at both corners, after a tap that is too low by such an amount."""
    first, last = np.array([200.0, EDGE_PX + miss_px]), np.array([1200.0, EDGE_PX + miss_px])
    line = choose_line(list(list_lines(picture, first, last, 20.0)), load_edge_weights().surprise)
    assert line is not None
    return EDGE_PX + miss_px - np.array(line.offsets)


def test_an_edge_is_found_with_subpixel_accuracy() -> None:
    assert find_edge(draw_edge(())) == pytest.approx([EDGE_PX, EDGE_PX], abs=0.2)


def test_a_strong_line_printed_within_is_not_taken_for_the_edge() -> None:
    assert find_edge(draw_edge(((EDGE_PX + 5, 3, 10),))) == pytest.approx([EDGE_PX, EDGE_PX], abs=0.5)


def test_a_table_line_beyond_the_corners_is_not_taken_for_the_edge() -> None:
    assert find_edge(draw_edge(((EDGE_PX - 10, 3, 20),), runs_on=True)) == pytest.approx([EDGE_PX] * 2, abs=0.5)


def test_a_shadow_beside_a_board_is_not_taken_for_its_edge() -> None:
    picture = draw_edge(()).astype(np.float32)
    above = np.clip((EDGE_PX - np.arange(500)) / 20, 0, 1)
    above[round(EDGE_PX) :] = 1
    picture[:, 200:1200] *= (0.5 + 0.5 * above)[:, None, None]
    assert find_edge(np.clip(picture, 0, 255).astype(np.uint8)) == pytest.approx([EDGE_PX, EDGE_PX], abs=0.5)


def test_without_visible_edges_corners_stay() -> None:
    corners = np.array([(100.0, 100), (400, 100), (400, 300), (100, 300)])
    plain = np.full((400, 500, 3), 120, np.uint8)
    assert (refine_corners(plain, corners, load_edge_weights()) == corners).all()


@pytest.mark.parametrize(
    ("art", "number"), [("kilim", 1), pytest.param("oasis", 0, marks=pytest.mark.soak)], ids=lambda part: str(part)
)
def test_an_edge_faint_on_some_sides_is_found_from_the_others(art: str, number: int) -> None:
    """Kilim's edge is as dark as its table: three of four sides could snap to the line a millimetre within.

    Oasis has an edge that the photo shows on parts of two sides only.
    """
    assert measure_corners(art, 31, number) < 0.5


def build_line(at: float, surprise: float, within: float = 0.0) -> SideLine:
    return SideLine((at, at), surprise, np.full(3, within))


WEIGHTS = EdgeWeights(surprise=5.0, table=2.0)
SHOWN, FAINT, LONE = (
    [build_line(0.0, 7.0, within=50), build_line(-4.0, 8.0, within=200)],
    [build_line(0.2, 3.0, within=50), build_line(-4.0, 8.0, within=200)],
    [build_line(-4.0, 8.0, within=190)],
)


def choose_middles(*sides: list[SideLine]) -> list[float | None]:
    return [None if line is None else round(line.middle, 6) for line in choose_edges(sides, WEIGHTS)]


def test_a_faint_line_at_the_distance_of_other_edges_is_an_edge() -> None:
    assert choose_middles(SHOWN, FAINT, SHOWN, FAINT) == [0.0, 0.2, 0.0, 0.2]
    assert choose_middles(FAINT, FAINT, FAINT, FAINT) == [0.2] * 4
    assert choose_middles(FAINT, LONE, LONE, LONE) == [-4.0] * 4


def test_a_faint_edge_is_as_straight_as_the_line_printed_beside_it() -> None:
    crooked = [SideLine((-0.6, 1.0), 3.0, np.full(3, 50)), SideLine((-4.1, -3.9), 8.0, np.full(3, 200))]
    edge = choose_edges([SHOWN, crooked, SHOWN, SHOWN], WEIGHTS)[1]
    assert edge is not None
    assert edge.offsets == pytest.approx((0.1, 0.3))


def test_a_faint_line_elsewhere_belongs_to_the_table() -> None:
    assert choose_middles(SHOWN, [build_line(6.0, 3.0), LONE[0]], SHOWN, SHOWN)[1] != 6.0


def test_a_line_with_the_same_print_within_as_other_edges_is_an_edge() -> None:
    """This holds for any table outside it, and for a faint print within."""
    for within in ([], [build_line(-4.0, 3.0, within=200)]):
        edge = [build_line(4.0, 3.0, within=120), build_line(0.0, 8.0, within=60), *within]
        assert choose_middles(SHOWN, edge, SHOWN, edge) == [0.0] * 4


def test_a_side_that_shows_no_border_keeps_its_line() -> None:
    edge_alone = [build_line(0.0, 8.0, within=150)]
    assert choose_middles(SHOWN, edge_alone, SHOWN, SHOWN) == [0.0] * 4
    assert choose_middles(SHOWN, LONE, SHOWN, SHOWN) == [0.0, -4.0, 0.0, 0.0]
    assert choose_middles(SHOWN, [], SHOWN, SHOWN) == [0.0, None, 0.0, 0.0]


def test_the_outermost_line_not_of_the_table_is_chosen() -> None:
    lines = [build_line(-3.0, 8.0), build_line(1.0, 6.0), build_line(4.0, 2.0)]
    assert choose_line(lines, 5.0) == lines[1]
    assert choose_line(lines, 9.0) == lines[0]
    assert choose_line(lines, 20.0) is None
    assert choose_line(lines, None) == lines[0]
    assert choose_line([], 5.0) is None
