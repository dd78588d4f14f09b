"""The roads of a wonder are followed along their print, wherever its layout draws them."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.board.board import Board, PlacedWonder, Placement
from scoring.carcassonne.board.locate import locate_piece
from scoring.carcassonne.tiles.geometry import Square, place_geometry
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.files import build_bare_wonder
from tests.vision.roads.prints import TILE_PX, WALL, bend_course, finish, paint_road, square_corners, strew_meadow
from vision.arrays import Floats, Image
from vision.roads.printed_roads import trace_printed_roads

Foot = tuple[float, float]

BULGE = 0.22
"""Maximum distance of the printed roads in these tests from their drawings, in tiles: no base game tile has as much."""
WONDERS = sorted(load_wonder_catalogue())


def lay_table(id: str, turns: int) -> tuple[PlacedWonder, dict[Square, Placement]]:
    """Lay a wonder beside twelve tiles with roads, from which the photo's roads are learned."""
    layout = load_wonder_catalogue()[id]
    squares = layout.placed((0, 0), turns)
    anchor = -min(row for row, _ in squares), -min(col for _, col in squares)
    wonder = PlacedWonder(layout, anchor, turns)
    right = 1 + max(col for _, col in wonder.squares)
    others = {
        (row, right + col): Placement("V" if (row + col) % 2 else "U", row + col)
        for row in range(3)
        for col in range(4)
    }
    return wonder, {**wonder.placements, **others}


def list_courses(square: Square, placement: Placement, bulge: float) -> dict[int, BaseGeometry]:
    """Return the printed courses of a tile's roads, in lattice units, by segment."""
    roads = {i: part.geometry for i, part in enumerate(placement.layout.segments) if part.kind == "road"}
    return {i: place_geometry(_bend(line, bulge), placement.turns, square) for i, line in roads.items()}


def _bend(line: BaseGeometry, bulge: float) -> BaseGeometry:
    """Return a road beside its drawing; one that forks keeps to it."""
    return bend_course(line, bulge) if isinstance(line, LineString) else line


def print_table(placements: dict[Square, Placement], bulge: float, rng: np.random.Generator) -> Image:
    """Draw a picture of tiles: meadows with roofs and trees strewn over them, cities, and the bent roads of wonders."""
    rows, cols = (max(square[i] for square in placements) + 1 for i in (0, 1))
    picture = strew_meadow(rows, cols, 15, rng)
    for square, placement in placements.items():
        for part in placement.layout.segments:
            if part.kind not in ("road", "field"):
                for area in shapely.get_parts(place_geometry(part.geometry, placement.turns, square)):
                    corners = np.round(shapely.get_coordinates(area.exterior) * TILE_PX).astype(np.int32)
                    cv2.fillPoly(picture, [corners], WALL)
        for course in list_courses(square, placement, bulge if placement.wonder else 0.0).values():
            for line in shapely.get_parts(course):
                paint_road(picture, line)
    return finish(picture, rng)


def trace(placements: dict[Square, Placement], picture: Image, feet: Floats) -> dict[tuple[Square, int], BaseGeometry]:
    """Return the courses found, on their unturned tiles."""
    return {**trace_printed_roads(picture, square_corners(placements), placements, feet)}


@settings(max_examples=16, deadline=None)
@given(st.sampled_from(WONDERS), st.integers(0, 3), st.floats(-BULGE, BULGE), st.integers(0, 99))
def test_a_traced_course_follows_the_printed_road(id: str, turns: int, bulge: float, seed: int) -> None:
    """Nearly all followed points lie on a printed road: the feature a road runs into covers its end."""
    wonder, placements = lay_table(id, turns)
    picture = print_table(placements, bulge, np.random.default_rng(seed))
    row, col = wonder.squares[0]
    found = trace(placements, picture, np.array([[col + 0.5, row + 0.5]]))
    assert found
    for (square, index), course in found.items():
        placement = placements[square]
        printed = list_courses(square, placement, bulge)[index]
        drawn = shapely.union_all([p.geometry for p in placement.layout.segments if p.kind not in ("road", "field")])
        seen = place_geometry(course, placement.turns, square).difference(
            place_geometry(drawn, placement.turns, square).buffer(0.05)
        )
        away = [printed.distance(shapely.Point(point)) for point in shapely.get_coordinates(seen)]
        assert np.mean(np.array(away) < 0.1) > 0.9


def list_feet_beside_drawings(
    placements: dict[Square, Placement], wonder: PlacedWonder
) -> list[tuple[Square, int, Foot]]:
    """Return feet on printed roads, each with its square and segment, on squares whose drawing has a field."""
    feet = []
    for square in wonder.squares:
        segments = placements[square].layout.segments
        built = shapely.union_all([part.geometry for part in segments if part.kind not in ("road", "field")])
        for index, course in list_courses(square, placements[square], BULGE).items():
            middle = course.interpolate(0.5, normalized=True)
            drawn, walls = (translate(shape, square[1], square[0]) for shape in (segments[index].geometry, built))
            on = (math.floor(middle.y), math.floor(middle.x)) == square
            if isinstance(course, LineString) and on and drawn.distance(middle) > 0.15 < walls.distance(middle):
                feet.append((square, index, (middle.x, middle.y)))
    return feet


def test_a_thief_stands_on_the_road_printed_beneath() -> None:
    """By the drawing alone he would stand beside it."""
    tried = 0
    for id in WONDERS:
        wonder, placements = lay_table(id, 0)
        picture, board = print_table(placements, BULGE, np.random.default_rng(7)), Board(placements)
        for square, index, foot in list_feet_beside_drawings(placements, wonder):
            (first, *_) = locate_piece(board, foot, "standing", printed=trace(placements, picture, np.array([foot])))
            assert (first.square, first.segment) == (square, index)
            by_drawing = {(s.square, s.segment): s.mass for s in locate_piece(board, foot, "standing")}
            assert first.mass > 2 * by_drawing[square, index]
            tried += 1
    assert tried >= 5


def test_only_known_occupied_roads_of_wonders_are_traced() -> None:
    wonder, placements = lay_table(WONDERS[0], 0)
    picture = print_table(placements, 0.1, np.random.default_rng(1))
    assert not {square for square, _ in trace(placements, picture, np.array([[99.5, 99.5]]))} & {*wonder.squares}
    bare = PlacedWonder(build_bare_wonder(wonder.layout.id, wonder.layout.squares), wonder.anchor)
    row, col = wonder.squares[0]
    stripped = {**placements, **bare.placements}
    found = trace(stripped, picture, np.array([[col + 0.5, row + 0.5]]))
    assert not {square for square, _ in found} & {*wonder.squares}


@pytest.mark.parametrize("id", WONDERS)
def test_a_road_with_an_unseen_square_keeps_its_drawn_course(id: str) -> None:
    wonder, placements = lay_table(id, 0)
    picture = print_table(placements, 0.1, np.random.default_rng(1))
    roads = [
        [(wonder.squares[cell], index) for cell, index in wonder.layout.members(number)]
        for number, part in enumerate(wonder.layout.parts)
        if part.kind == "road"
    ]
    for away in wonder.squares:
        (stood_on, *_) = [square for square in wonder.squares if square != away]
        shown = {square: placement for square, placement in placements.items() if square != away}
        found = {*trace(shown, picture, np.array([[stood_on[1] + 0.5, stood_on[0] + 0.5]]))}
        for road in roads:
            drawn = [placements[square].layout.segments[index].geometry for square, index in road]
            unforked = {at for at, line in zip(road, drawn, strict=True) if isinstance(line, LineString)}
            assert found & {*road} == (set() if away in {square for square, _ in road} else unforked)
