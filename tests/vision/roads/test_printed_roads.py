"""A road is followed along its print, through the area a piece hides, and in any turn of its tile."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.board.locate import DISC_RADIUS_TILES
from scoring.carcassonne.tiles.catalogue import load_full_catalogue
from scoring.carcassonne.tiles.geometry import Square, place_geometry, turn_geometry
from tests.vision.roads.prints import TILE_PX, bend_course, finish, paint_road, square_corners, strew_meadow
from vision.arrays import Floats, Image
from vision.photo.crops import CORNERS
from vision.roads.printed_roads import build_pixel_middles, measure_road_distance, trace_printed_roads

STRAIGHT, BEND, CROSSING = Placement("U"), Placement("V"), Placement("X")
BULGE = 0.13
"""Maximum distance of the printed courses in these tests from their drawings, in tiles."""
WITH_ROADS = [layout for layout in load_full_catalogue() if any(part.kind == "road" for part in layout.segments)]


def print_table(placements: dict[Square, Placement], bulge: float, rng: np.random.Generator) -> Image:
    """Draw a picture of tiles whose roads run beside their drawings, with roofs and trees strewn over the meadows."""
    rows, cols = (max(square[i] for square in placements) + 1 for i in (0, 1))
    picture = strew_meadow(rows, cols, 20, rng)
    for square, placement in placements.items():
        for _, course in list_courses(placement, bulge):
            paint_road(picture, place_geometry(course, placement.turns, square))
    return finish(picture, rng)


def list_courses(placement: Placement, bulge: float) -> list[tuple[int, LineString]]:
    """Return the printed courses of a tile's roads, in the unit square of the unturned tile."""
    roads = [(i, part.geometry) for i, part in enumerate(placement.layout.segments) if part.kind == "road"]
    return [(i, bend_course(line, bulge)) for i, line in roads if isinstance(line, LineString)]


def trace(placements: dict[Square, Placement], bulge: float, feet: Floats, seed: int) -> dict[int, BaseGeometry]:
    """Return the courses found on the first tile, by segment."""
    picture = print_table(placements, bulge, np.random.default_rng(seed))
    courses = trace_printed_roads(picture, square_corners(placements), placements, feet)
    return {index: course for (square, index), course in courses.items() if square == (0, 0)}


def lay_beside(placement: Placement) -> dict[Square, Placement]:
    """Lay a tile among others, from which the photo's roads are learned."""
    others = {(row, col): Placement("V" if (row + col) % 2 else "U", row + col) for row in range(3) for col in range(4)}
    return {**others, (0, 0): placement}


@settings(max_examples=12, deadline=None)
@given(
    st.sampled_from([STRAIGHT, BEND, CROSSING, Placement("J"), Placement("K")]),
    st.integers(0, 3),
    st.floats(-BULGE, BULGE),
    st.integers(0, 99),
)
def test_a_traced_course_follows_the_printed_road(placement: Placement, turns: int, bulge: float, seed: int) -> None:
    """Every road near a foot is followed, and no other; feet beside the tile hide only its borders."""
    turned = Placement(placement.tile, turns)
    feet = np.array([[0.5, -0.21], [1.21, 0.5], [0.5, 1.21], [-0.21, 0.5]])
    found = trace(lay_beside(turned), bulge, feet, seed)
    courses = list_courses(turned, bulge)
    assert set(found) == {index for index, _ in courses} != set()
    for index, course in courses:
        assert shapely.hausdorff_distance(found[index], course) < 0.09
    assert trace(lay_beside(turned), bulge, feet + 9, seed) == {}


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("bulge", [-BULGE, 0.0, BULGE])
def test_a_road_is_traced_beneath_a_piece(turns: int, bulge: float) -> None:
    """It is nearer to the print than to its drawing, whose ends it shares."""
    placement = Placement(BEND.tile, turns)
    ((index, course),) = list_courses(placement, bulge)
    middle = place_geometry(course.interpolate(0.2, normalized=True), turns, (0, 0))
    placements = lay_beside(placement)
    found = trace(placements, bulge, np.array([[middle.x, middle.y]]), 3)[index]
    drawn = placement.layout.segments[index].geometry
    far = [course.interpolate(share, normalized=True) for share in np.linspace(0.6, 0.8, 5)]
    assert max(found.distance(point) for point in far) < 0.05
    assert bulge == 0 or min(drawn.distance(point) for point in far) > 0.05


def test_a_bend_beneath_a_disc_is_cut_less() -> None:
    """The course cuts the corner of a hidden bend less beneath a disc than beneath a piece of unknown extent."""
    of_discs, of_others = list[float](), list[float]()
    for turns in range(4):
        placement = Placement(BEND.tile, turns)
        ((index, course),) = list_courses(placement, -BULGE)
        middle = course.interpolate(0.5, normalized=True)
        at = place_geometry(middle, turns, (0, 0))
        placements, feet = lay_beside(placement), np.array([[at.x, at.y]])
        picture = print_table(placements, -BULGE, np.random.default_rng(4))
        centre = (feet[0] * TILE_PX).round().astype(int).tolist()
        cv2.circle(picture, centre, round(DISC_RADIUS_TILES * TILE_PX), (120, 60, 20), -1)
        for distances, radii in ((of_discs, np.array([DISC_RADIUS_TILES])), (of_others, None)):
            courses = trace_printed_roads(picture, square_corners(placements), placements, feet, radii)
            distances.append(courses[(0, 0), index].distance(middle))
    assert np.mean(of_discs) < 0.1 < np.mean(of_others)


def test_nothing_is_traced_without_a_piece_or_a_road() -> None:
    assert trace(lay_beside(STRAIGHT), 0.0, np.zeros((0, 2)), 1) == {}
    assert trace({(0, 0): Placement("C"), (0, 1): Placement("C")}, 0.0, np.array([[0.5, 0.5]]), 1) == {}


def test_a_table_of_one_colour_gives_straight_courses() -> None:
    """If no pixel indicates a road, the course is close to the straight one between its ends."""
    grey = np.full((TILE_PX, TILE_PX, 3), 128, np.uint8)
    quads = CORNERS[None] * TILE_PX
    courses = trace_printed_roads(grey, quads, {(0, 0): STRAIGHT}, np.array([[0.5, 0.5]]))
    ((_, course),) = courses.items()
    drawn = next(part.geometry for part in STRAIGHT.layout.segments if part.kind == "road")
    assert shapely.hausdorff_distance(course, drawn) < 0.12


@pytest.mark.parametrize("turns", range(4))
def test_distances_to_roads_are_right_in_every_turn(turns: int) -> None:
    middles = build_pixel_middles()
    points = shapely.points(*np.meshgrid(middles, middles))
    for layout in WITH_ROADS:
        roads = [i for i, part in enumerate(layout.segments) if part.kind == "road"]
        lines = [turn_geometry(layout.segments[i].geometry, turns) for i in roads]
        distances = [shapely.distance(points, line) for line in lines]
        for index, distance in zip(roads, distances, strict=True):
            assert np.allclose(measure_road_distance(layout, turns, index), distance, atol=1e-12)
        assert np.allclose(measure_road_distance(layout, turns), np.min(distances, axis=0), atol=1e-12)


def test_a_tile_without_roads_has_infinite_distances() -> None:
    layout = next(layout for layout in load_full_catalogue() if all(part.kind != "road" for part in layout.segments))
    assert np.isinf(measure_road_distance(layout, 1)).all()
    assert measure_road_distance(layout, 1).shape == (len(build_pixel_middles()),) * 2
