"""Corners come to lie on a board's own edge, whatever it prints beside it, and whatever its table shows."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from datasets.evaluation.board_owner import BoardOwner, draw_owner
from datasets.tower_of_babel.plan import SIZE_MM
from vision.arrays import Floats, Image
from vision.printed.quad_sides import SideLine, choose_line, list_lines, load_least_surprise, refine_corners

EDGE_PX = 200.0


@cache
def draw_shown_board(art: str, seed: int, number: int) -> BoardOwner:
    return draw_owner(art, seed, number)


def measure_corners(art: str, seed: int, number: int) -> float:
    """How far the farthest corner is off, in millimetres, when each was pointed at three millimetres beside it."""
    owner = draw_shown_board(art, seed, number)
    true = owner.photo.corners_px
    px_mm = float(np.linalg.norm(true[1] - true[0])) / SIZE_MM[0]
    pointed = true + 3 * px_mm * np.array([(-0.6, 0.8), (0.8, 0.6), (0.6, -0.8), (0.8, -0.6)])
    refined = refine_corners(owner.pixels, pointed, load_least_surprise())
    return float(np.linalg.norm(refined - true, axis=1).max()) / px_mm


@pytest.mark.parametrize(("art", "number"), [("papyrus", 1), ("fresco", 1), ("fresco", 3)], ids=lambda part: str(part))
def test_a_stronger_line_beside_the_edge_is_not_taken_for_it(art: str, number: int) -> None:
    """The track's line is printed 0.4 mm within: corners lay on it, or one end of a side on it and one on the edge."""
    assert measure_corners(art, 31, number) < 0.7


def draw_edge(lines: tuple[tuple[float, float, int], ...], runs_on: bool = False) -> Image:
    """A dark table above a lighter board whose edge lies at `EDGE_PX`, and level lines: (top, height, brightness).

    The board is 1000 pixels wide; the lines are as wide, unless they run on over the table beside it.
    """
    picture = np.full((500, 1400), 90.0)
    picture[round(EDGE_PX) :, 200:1200] = 140
    for top, height, brightness in lines:
        left, right = (0, 1400) if runs_on else (200, 1200)
        picture[round(top) : round(top + height), left:right] = brightness
    noisy = cv2.GaussianBlur(picture, (0, 0), 0.8) + np.random.default_rng(1).normal(0, 3, picture.shape)
    return np.asarray(cv2.cvtColor(np.clip(noisy, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR))


def find_edge(picture: Image, miss_px: float = 6.0) -> Floats:
    """Where the side is seen, at both corners, that is pointed at so much too low."""
    first, last = np.array([200.0, EDGE_PX + miss_px]), np.array([1200.0, EDGE_PX + miss_px])
    line = choose_line(list(list_lines(picture, first, last, 20.0)), load_least_surprise())
    assert line is not None
    return EDGE_PX + miss_px - np.array(line.offsets)


def test_an_edge_is_found_to_a_part_of_a_pixel() -> None:
    assert find_edge(draw_edge(())) == pytest.approx([EDGE_PX, EDGE_PX], abs=0.2)


def test_what_is_printed_within_is_no_edge_however_strong() -> None:
    assert find_edge(draw_edge(((EDGE_PX + 5, 3, 10),))) == pytest.approx([EDGE_PX, EDGE_PX], abs=0.5)


def test_a_line_of_the_table_that_runs_on_beyond_the_corners_is_no_edge() -> None:
    assert find_edge(draw_edge(((EDGE_PX - 10, 3, 20),), runs_on=True)) == pytest.approx([EDGE_PX] * 2, abs=0.5)


def test_a_shadow_beside_a_board_is_no_edge() -> None:
    picture = draw_edge(()).astype(np.float32)
    above = np.clip((EDGE_PX - np.arange(500)) / 20, 0, 1)
    above[round(EDGE_PX) :] = 1
    picture[:, 200:1200] *= (0.5 + 0.5 * above)[:, None, None]
    assert find_edge(np.clip(picture, 0, 255).astype(np.uint8)) == pytest.approx([EDGE_PX, EDGE_PX], abs=0.5)


def test_where_nothing_is_seen_corners_stay() -> None:
    corners = np.array([(100.0, 100), (400, 100), (400, 300), (100, 300)])
    plain = np.full((400, 500, 3), 120, np.uint8)
    assert (refine_corners(plain, corners, load_least_surprise()) == corners).all()


def test_the_outermost_line_that_is_surely_none_of_the_table_is_taken() -> None:
    lines = [SideLine((-3.0, -3.0), 8.0), SideLine((1.0, 1.0), 6.0), SideLine((4.0, 4.0), 2.0)]
    assert choose_line(lines, 5.0) == lines[1]
    assert choose_line(lines, 9.0) == lines[0]
    assert choose_line(lines, 20.0) is None
    assert choose_line(lines, None) == lines[0]
    assert choose_line([], 5.0) is None
