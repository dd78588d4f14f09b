"""The lattice grown from the output of a perfect net for tables laid by hand and seen from anywhere."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import cv2
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.ndimage import map_coordinates

from datasets.scene.camera import Camera
from datasets.scene.table import lay_by_hand
from models.samples.dense_targets import STRIDE, build_localiser_target, measure_parallelogram
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats
from vision.localise.detector import TileCells, compute_tile_axes, extract_cells, find_tiles
from vision.localise.lattice import MAX_LATTICE_SQUARES, Lattice, add_squares, grow_lattice
from vision.localise.refinement import compute_square_corners, sample_map, stack_square_corners
from vision.localise.search import find_table_squares, paint_over_squares
from vision.photo.crops import compute_tile_px
from vision.photo.pyramid import Halves

SIZE = (1024, 768)
lengths = st.floats(15, 200)
angles = st.floats(0, 6.28)
UNIT = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
SQUARES = {(0, 0): 40 * UNIT, (0, 1): 40 * UNIT + (40, 0), (1, 0): 40 * UNIT + (0, 40)}
LATTICE = Lattice(SQUARES, dict.fromkeys(SQUARES, 1.0), np.eye(3))
NOWHERE = np.zeros((0, 2))


def ideal_cells(quads: Floats, hidden: tuple[int, ...] = ()) -> TileCells:
    """Return the localiser's cells with true maps; tiles `hidden` show only their area."""
    target = build_localiser_target(quads, SIZE)
    maps = target[:10].copy()
    maps[:3] = (maps[:3] - 0.5) * 20
    for i in hidden:
        (x0, y0), (x1, y1) = (quads[i].min(0) / STRIDE).astype(int), (quads[i].max(0) / STRIDE).astype(int) + 1
        maps[8:10, y0:y1, x0:x1] = 3.0  # votes that agree with nothing near
    return extract_cells(maps, STRIDE, np.eye(3))


def table(
    seed: int, tiles: int, elevation: float, azimuth: float, sloppiness: float = 1.0
) -> tuple[list[Square], Floats]:
    """Return the squares of a random board and their (n, 4, 2) placed corners in pixels."""
    rng = np.random.default_rng(seed)
    squares = sorted(deal_random_board(Random(seed), tiles=tiles).tiles)
    corners_by_square = lay_by_hand(squares, rng, sloppiness)
    corners = np.concatenate(list(corners_by_square.values()))
    camera = Camera.look_at(
        (corners.min(0) + corners.max(0)) / 2,
        elevation=elevation,
        azimuth=azimuth,
        roll=3.0,
        distance=26,
        focal_px=800,
        size=SIZE,
    )
    return squares, np.array([camera.project(np.column_stack([corners_by_square[s], np.zeros(4)])) for s in squares])


def found(lattice: Lattice) -> set[Square]:
    """Return the squares on which a tile was found."""
    return {square for square, support in lattice.support.items() if support > 0}


def handed_on(lattice: Lattice) -> set[Square]:
    """Return the squares on which none was found, but which show some tile."""
    return set(lattice.corners) - found(lattice)


def beside(squares: set[Square]) -> set[Square]:
    """Return the free squares that share a side with one of these."""
    return {(r + dr, c + dc) for r, c in squares for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))} - squares


def matched(lattice: Lattice, quads: Floats) -> list[tuple[Square, float]]:
    """Return the lattice's square nearest to each true square, and the largest corner error in tiles."""
    keys = list(lattice.corners)
    middles = np.array([lattice.corners[k].mean(0) for k in keys])
    matches = []
    for quad, size in zip(quads, compute_tile_px(quads), strict=True):
        key = keys[int(np.argmin(np.linalg.norm(middles - quad.mean(0), axis=1)))]
        errors = [np.abs(np.roll(quad, k, 0) - lattice.corners[key]).max() / size for k in range(4)]
        matches.append((key, float(min(errors))))
    return matches


@pytest.mark.parametrize(
    ("seed", "check"),
    [
        *[(1, check) for check in (1.8, 2.5)],
        *[
            pytest.param(*many, marks=pytest.mark.soak)
            for many in ((1, 0.35), (1, 0.55), *((2, c) for c in (0.35, 0.55, 1.8, 2.5)))
        ],
    ],
)
def test_checks_of_another_size_are_not_taken_for_tiles(seed: int, check: float) -> None:
    _, quads = table(seed, 12, 90, 0)
    px = float(np.median(compute_tile_px(quads)))
    square = check * px * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    places = np.stack(np.meshgrid(*(np.arange(0, along, check * px) for along in SIZE)), -1).reshape(-1, 2)
    away = np.linalg.norm(quads.reshape(-1, 1, 2) - places, axis=2).min(axis=0)
    cloth = [place + square for place in places[away > 2 * max(1, check) * px]]
    alone, both = ideal_cells(quads), ideal_cells(np.concatenate([quads, cloth]))
    selection = both.select_size(px)
    of_cloth = len(both.at) - len(alone.at)
    assert of_cloth > len(alone.at)
    assert {*map(tuple, alone.at)} <= {*map(tuple, selection.at)}
    assert len(selection.at) - len(alone.at) < 0.1 * of_cloth
    assert alone.tiles == pytest.approx(len(quads), rel=0.25)
    assert (selection.area >= 0.5).sum() == len(selection.at)


@pytest.mark.parametrize(("elevation", "azimuth"), [(90, 0), (75, 40), (60, 130), (45, 200), (35, 305)])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_tile_is_found_at_its_place(seed: int, elevation: float, azimuth: float) -> None:
    squares, quads = table(seed, 40, elevation, azimuth)
    cells = ideal_cells(quads)
    lattice = grow_lattice(find_tiles(cells), cells)
    assert lattice is not None
    assert sum(support > 0 for support in lattice.support.values()) == len(squares)
    assert handed_on(lattice) <= beside(found(lattice)), "what faintly shows a tile is the classifier's to judge"
    errors = [error for _, error in matched(lattice, quads)]
    assert np.median(errors) < 0.06
    assert max(errors) < 0.15  # a square is not bent: one laid askew keeps that error


def test_neighbours_on_the_table_are_neighbours_in_the_lattice() -> None:
    squares, quads = table(7, 60, 50, 250)
    cells = ideal_cells(quads)
    lattice = grow_lattice(find_tiles(cells), cells)
    assert lattice is not None
    place = {square: key for square, (key, _) in zip(squares, matched(lattice, quads), strict=True)}
    for (r, c), (row, col) in place.items():
        for other in ((r, c + 1), (r + 1, c)):
            if other in place:
                assert abs(place[other][0] - row) + abs(place[other][1] - col) == 1


def test_north_is_nearest_to_up_in_the_photo() -> None:
    for azimuth in (90, 170, 260, 350):
        _, quads = table(2, 30, 80, azimuth)
        cells = ideal_cells(quads)
        lattice = grow_lattice(find_tiles(cells), cells)
        assert lattice is not None
        down = np.mean([quad[3] - quad[0] for quad in lattice.corners.values()], axis=0)
        assert down[1] >= abs(down[0]) * 0.95


def test_a_hidden_tile_is_filled_in() -> None:
    squares, quads = table(5, 36, 70, 100, sloppiness=0.3)
    inner = _surrounded(squares)
    cells = ideal_cells(quads, hidden=(inner,))
    lattice = grow_lattice(find_tiles(cells), cells)
    assert lattice is not None
    key, error = matched(lattice, quads)[inner]
    assert error < 0.15
    assert lattice.support[key] < 0.3


def _surrounded(squares: list[Square]) -> int:
    """Return the number of a square with tiles on all sides."""
    return next(
        i for i, (r, c) in enumerate(squares) if {(r, c + 1), (r, c - 1), (r + 1, c), (r - 1, c)} <= set(squares)
    )


@pytest.mark.parametrize(("shown", "filled"), [(0.3, True), (0.05, True), (0.0, False)])
def test_a_tile_in_glare_is_filled_in_but_a_hole_is_not(shown: float, filled: bool) -> None:
    squares, quads = table(5, 36, 70, 100, sloppiness=0.3)
    place = _surrounded(squares)
    cells = ideal_cells(np.delete(quads, place, 0))
    cells = dimmed(cells, quads[[place]], shown)
    lattice = grow_lattice(find_tiles(cells), cells)
    assert lattice is not None
    assert len(found(lattice)) == len(squares) - 1
    assert (matched(lattice, quads)[place][1] < 0.15) == filled


def dimmed(cells: TileCells, quads: Floats, share: float) -> TileCells:
    """Return the cells with the tile evidence of (n, 4, 2) squares reduced to a share."""
    dim = np.zeros(cells.area.shape, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(dim, np.round(quad / STRIDE).astype(np.int32), 1)
    return replace(cells, area=np.where(dim > 0, share, cells.area).astype(np.float32))


def seen_from_above(squares: list[Square], middle: tuple[float, float]) -> Floats:
    """Return (n, 4, 2) pixel corners of squares laid exactly, about a centre (col, row)."""
    camera = Camera.look_at(np.array(middle), elevation=70, azimuth=20, roll=0.0, distance=14, focal_px=800, size=SIZE)
    corners = [np.column_stack([compute_square_corners(square), np.zeros(4)]) for square in squares]
    return np.array([camera.project(corner) for corner in corners])


def test_a_square_is_reexamined_once_it_has_neighbours() -> None:
    """Two tiles in glare side by side: the second has three neighbours only when the first is filled in."""
    squares = [(r, c) for r in range(3) for c in range(4)]
    quads = seen_from_above(squares, (2.0, 1.5))
    cells = dimmed(ideal_cells(np.delete(quads, [5, 6], 0)), quads[[5, 6]], 0.4)
    lattice = grow_lattice(find_tiles(cells), cells)
    assert lattice is not None
    assert len(found(lattice)) == len(squares) - 2
    assert all(error < 0.15 for _, error in matched(lattice, quads))


@pytest.mark.parametrize(("shown", "reached"), [(0.4, 2), (0.1, 1)])
def test_a_hint_of_a_tile_does_not_extend_the_lattice(shown: float, reached: int) -> None:
    """Two squares in a row beyond the tiles: a cloth shows a hint of tile all over, and must not be followed."""
    squares = [(r, c) for r in range(2) for c in range(6)]
    quads = seen_from_above(squares, (3.0, 1.0))
    beyond = [4, 5, 10, 11]
    cells = dimmed(ideal_cells(np.delete(quads, beyond, 0)), quads[beyond], shown)
    lattice = grow_lattice(find_tiles(cells), cells)
    assert lattice is not None
    near = [error < 0.4 for _, error in matched(lattice, quads)]  # the prediction is off by some perspective
    assert sum(near) == len(squares) - 4 + 2 * reached


def test_squares_beside_a_lattice_continue_it_and_others_are_left_out() -> None:
    squares = [(row, col) for row in range(3) for col in range(4)]
    plain = np.diag([50.0, 50.0, 1.0])
    lattice = Lattice({s: compute_square_corners(s) * 50 for s in squares}, dict.fromkeys(squares, 1.0), plain)
    wider = add_squares(lattice, [(3, 2), (-1, 0), (5, 5)])
    assert [*wider.corners] == [*squares, (3, 2), (-1, 0)]
    for square, quad in wider.corners.items():
        np.testing.assert_allclose(quad, compute_square_corners(square) * 50, atol=1e-9)
    assert [wider.support[s] for s in ((0, 0), (3, 2), (-1, 0))] == [1.0, 0.0, 0.0]
    assert add_squares(lattice, [(5, 5)]) is lattice


def test_no_square_is_added_to_a_lattice_beyond_all_boxes() -> None:
    for rows, added in ((MAX_LATTICE_SQUARES // 20 - 1, 1), (MAX_LATTICE_SQUARES // 20, 0)):
        squares = [(row, col) for row in range(rows) for col in range(20)]
        lattice = Lattice({s: compute_square_corners(s) for s in squares}, dict.fromkeys(squares, 1.0), np.eye(3))
        assert len(add_squares(lattice, [(-1, 0)]).corners) == len(squares) + added


def test_an_empty_table_has_no_lattice() -> None:
    cells = ideal_cells(np.zeros((0, 4, 2)))
    assert grow_lattice(find_tiles(cells), cells) is None


@given(lengths, lengths, angles, st.floats(0.6, 2.5))
def test_estimated_axes_span_the_tile_up_to_a_quarter_turn(one: float, two: float, turn: float, between: float) -> None:
    assume(max(one, two) < 3 * min(one, two))
    e1 = one * np.array([np.cos(turn), np.sin(turn)])
    e2 = two * np.array([np.cos(turn + between), np.sin(turn + between)])
    quad = np.array([-e1 - e2, e1 - e2, e1 + e2, -e1 + e2]) / 2
    a1, a2 = compute_tile_axes(measure_parallelogram(quad)[None].astype(np.float64))[0].T
    ways = [(a1, a2), (a2, -a1), (-a1, -a2), (-a2, a1)]
    assert min(np.abs(np.array(way) - (e1, e2)).max() for way in ways) == pytest.approx(0, abs=0.01 * max(one, two))


def test_squares_that_certainly_show_no_tile_are_table() -> None:
    none = np.array([0.99, 0.6, 0.96])
    layouts = np.log(np.stack([1 - none, none], axis=1))
    np.testing.assert_array_equal(find_table_squares(layouts, LATTICE), [SQUARES[0, 0], SQUARES[1, 0]])


def test_painted_squares_have_one_colour_and_the_rest_is_unchanged() -> None:
    rng = np.random.default_rng(3)
    picture = rng.integers(0, 200, (120, 120, 3), np.uint8)
    before = picture.copy()
    photo = Halves(picture)
    painted = paint_over_squares(photo, np.array([SQUARES[0, 1], SQUARES[1, 0]])).whole
    np.testing.assert_array_equal(photo.whole, before)
    changed = (painted != before).any(axis=2)
    assert len(np.unique(painted[changed], axis=0)) == 1
    assert changed[2:36, 45:80].all(axis=1).mean() > 0.9
    assert not changed[90:].any()
    assert not changed[4:34, 4:34].any()
    assert painted.shape == before.shape


def test_squares_beyond_the_photo_are_not_painted() -> None:
    picture = np.full((50, 50, 3), 9, np.uint8)
    np.testing.assert_array_equal(paint_over_squares(Halves(picture), np.array([40 * UNIT + 500])).whole, picture)


def cells_of(maps: NDArray[np.float32], scale: float) -> TileCells:
    return TileCells(NOWHERE, NOWHERE, np.zeros((0, 5)), np.zeros(0), maps, maps, maps, np.eye(3), scale)


@given(
    st.integers(2, 40),
    st.integers(2, 40),
    st.floats(0.1, 1),
    st.lists(st.tuples(*(st.floats(-50, 300),) * 2), min_size=1),
    st.lists(st.tuples(*(st.floats(-20, 20),) * 2), min_size=1),
)
def test_maps_are_interpolated_between_cells_and_clamped_at_the_border(
    h: int, w: int, scale: float, points: list[tuple[float, float]], moves: list[tuple[float, float]]
) -> None:
    maps = np.random.default_rng(h * w).random((h, w), np.float32)
    at = np.array(points) + np.array(moves)[:, None]
    expected = map_coordinates(maps, (at.reshape(-1, 2) * scale - 0.5)[:, ::-1].T, order=1, mode="nearest")
    sampled = sample_map(maps, cells_of(maps, scale), np.array([points]), np.array([moves]))
    assert sampled.shape == (1, len(moves), len(points))
    assert np.abs(sampled.ravel() - expected).max() < 2e-4  # places in single precision


@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20))))
def test_corners_of_several_squares_equal_those_of_each_square(squares: list[Square]) -> None:
    corners = stack_square_corners(squares)
    assert corners.shape == (len(squares), 4, 2)
    assert all((quad == compute_square_corners(square)).all() for quad, square in zip(corners, squares, strict=True))
