"""Feet stand on the feature that geometry says they do."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Point
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.board.board import Board, PlacedWonder, Placement
from scoring.carcassonne.board.features import place_segment_area
from scoring.carcassonne.board.label import read_label, read_meeple
from scoring.carcassonne.board.locate import locate_piece, locate_piece_on_tile
from scoring.carcassonne.deal.boards import deal_random_board, sample_foot_point, sample_foot_points
from scoring.carcassonne.tiles.geometry import UNIT, place_geometry, turn_edge, turn_geometry, unturn_geometry
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WonderLayout
from tests.scoring.boards import placements
from tests.scoring.outside import LABELS, label, needs_shared

coordinates = st.floats(0, 1, exclude_max=True)


@given(placements, st.integers(0, 2**32))
def test_a_foot_point_lies_in_its_segment_and_is_located_there(placement: Placement, seed: int) -> None:
    for index, segment in enumerate(placement.layout.segments):
        foot = sample_foot_point(placement.layout, placement.turns, index, Random(seed), (3, 5))
        square = place_geometry(UNIT, 0, (3, 5))
        assert place_segment_area(placement.layout, placement.turns, index, (3, 5)).distance(Point(foot)) < 1e-9
        assert square.covers(Point(foot))
        pose = "lying" if segment.kind == "field" else "standing"
        assert locate_piece_on_tile(placement, (3, 5), foot, pose)[0][0] == index


@given(placements, coordinates, coordinates, st.sampled_from(["standing", "lying", "disc", "upside_down"]))
def test_probabilities_sum_to_one_and_respect_the_pose(placement: Placement, x: float, y: float, pose: str) -> None:
    standings = locate_piece(Board({(0, 0): placement}), (x, y), pose)
    kinds = {placement.layout.segments[standing.segment].kind for standing in standings}
    assert sum(standing.probability for standing in standings) == pytest.approx(1 if standings else 0)
    assert [s.probability for s in standings] == sorted((s.probability for s in standings), reverse=True)
    allowed = {"lying": {"field"}, "disc": {"field", "road", "city", "monastery"}}
    assert kinds <= allowed.get(pose, {"road", "city", "monastery"})


@pytest.mark.parametrize("wonder", load_wonder_catalogue().values(), ids=lambda wonder: str(wonder.id))
def test_a_piece_on_a_part_of_a_wonder_stands_on_that_part(wonder: WonderLayout) -> None:
    """A photo may show some squares of a wonder before its other squares are known."""
    for square, placement in PlacedWonder(wonder, (0, 0)).placements.items():
        standings = locate_piece(Board({square: placement}), (square[1] + 0.4, square[0] + 0.3), "upside_down")
        assert {standing.square for standing in standings} <= {square}
        assert standings or square != PlacedWonder(wonder, (0, 0)).squares[wonder.marked[0]]


@pytest.mark.parametrize("wonder", load_wonder_catalogue().values(), ids=lambda wonder: str(wonder.id))
def test_every_place_on_a_wonder_has_a_likelihood(wonder: WonderLayout) -> None:
    """This includes corners of fields that are too narrow for any foot."""
    tiles = PlacedWonder(wonder, (0, 0)).placements
    board = Board(tiles)
    for row, col in tiles:
        for pose in ("standing", "lying", "disc", "upside_down"):
            standings = locate_piece(board, (col + 0.4, row + 0.3), pose)
            assert all(0 < standing.mass <= 1 for standing in standings)
            assert sum(standing.probability for standing in standings) == pytest.approx(1 if standings else 0)


def test_doubt_is_shared_at_a_crossing() -> None:
    standings = locate_piece(Board({(0, 0): Placement("X")}), (0.5, 0.5), "standing")
    assert [standing.probability for standing in standings] == pytest.approx([0.25] * 4)


@pytest.mark.parametrize(("tile", "beside", "kind"), [("U", (0.5, 0.36), "road"), ("B", (0.5, 0.3), "monastery")])
def test_a_disc_that_overlaps_a_road_or_monastery_counts_as_on_it(
    tile: str, beside: tuple[float, float], kind: str
) -> None:
    """A meeple's foot would hardly be on it: a disc is wide."""
    placement = Placement(tile)
    board = Board({(0, 0): placement})
    disc, standing = (locate_piece(board, beside, pose)[0] for pose in ("disc", "standing"))
    assert [placement.layout.segments[place.segment].kind for place in (disc, standing)] == [kind, kind]
    assert standing.mass < 0.5 < disc.mass


def test_a_disc_away_from_a_road_counts_as_on_the_field() -> None:
    placement = Placement("U")
    segment, sure = locate_piece_on_tile(placement, (0, 0), (0.5, 0.2), "disc")[0]
    assert placement.layout.segments[segment].kind == "field"
    assert sure > 0.9


@pytest.mark.parametrize("turns", range(4))
def test_a_disc_on_the_printed_course_of_a_road_counts_as_on_it(turns: int) -> None:
    """The nearer of both courses decides; a disc clear of both is on the field."""
    board, square = Board({(2, 3): Placement("U", turns)}), (2, 3)
    road = next(i for i, part in enumerate(Placement("U").layout.segments) if part.kind == "road")
    line = Placement("U").layout.segments[road].geometry
    printed = {(square, road): translate(line, 0.0, -0.15)}

    def locate(y: float, drawn_alone: bool = False) -> str:
        x_at, y_at = place_geometry(Point(0.5, y), turns, square).coords[0]
        standing = locate_piece(board, (x_at, y_at), "disc", printed={} if drawn_alone else printed)[0]
        assert standing.probability > 0.8
        return Placement("U").layout.segments[standing.segment].kind

    assert (locate(0.26, drawn_alone=True), locate(0.26)) == ("field", "road")
    assert (locate(0.5), locate(0.6)) == ("road", "road")
    assert (locate(0.12), locate(0.75)) == ("field", "field")


def test_a_farmer_between_both_courses_of_a_road_may_be_on_either_side() -> None:
    board, square = Board({(0, 0): Placement("U")}), (0, 0)
    road = next(i for i, part in enumerate(Placement("U").layout.segments) if part.kind == "road")
    line = Placement("U").layout.segments[road].geometry
    far = locate_piece(board, (0.5, 0.35), "lying", printed={(square, road): line})
    between = locate_piece(board, (0.5, 0.35), "lying", printed={(square, road): translate(line, 0.0, -0.2)})
    assert far[0].probability > 0.95
    assert between[0].probability < far[0].probability


def test_a_knight_behind_a_gate_is_not_taken_for_a_thief() -> None:
    """A road ends at the wall: its reach does not extend into the city."""
    placement = Placement("BA/CccR")
    segments = placement.layout.segments
    road = next(segment.geometry for segment in segments if segment.kind == "road")
    city = next(segment.geometry for segment in segments if segment.kind == "city")
    gate = min((Point(road.coords[0]), Point(road.coords[-1])), key=city.distance)
    before, behind = ((gate.x, gate.y + step) for step in (0.06, -0.06))
    kinds = [
        segments[locate_piece_on_tile(placement, (0, 0), foot, "standing")[0][0]].kind for foot in (before, behind)
    ]
    assert kinds == ["road", "city"]
    assert locate_piece_on_tile(placement, (0, 0), behind, "standing")[0][1] > 0.7


@pytest.mark.parametrize(("beside", "edge"), [(-0.04, "W"), (0.04, "E")])
def test_a_farmer_close_to_a_road_is_on_the_side_where_he_lies(beside: float, edge: str) -> None:
    layout, (_, road) = Placement("U", 1).layout, find_road(Placement("U", 1))
    middle = road.interpolate(0.5, normalized=True)
    segment, sure = locate_piece_on_tile(Placement("U", 1), (0, 0), (middle.x + beside, middle.y), "lying")[0]
    assert edge in {turn_edge(half, 1)[0] for half in layout.segments[segment].edges}
    assert sure > 0.75


def test_fields_meet_halfway_between_the_courses_of_a_road() -> None:
    placement = Placement("U", 1)
    board, (index, road) = Board({(0, 0): placement}), find_road(placement)
    printed = {((0, 0), index): unturn_geometry(translate(road, -0.16, 0.0), 1)}
    middle = road.interpolate(0.5, normalized=True)
    west, east = (locate_piece(board, (middle.x + step, middle.y), "lying")[0].segment for step in (-0.1, 0.1))
    by_print, halfway, by_drawing = (
        locate_piece(board, (middle.x + step, middle.y), "lying", printed=printed)[0] for step in (-0.14, -0.08, -0.02)
    )
    assert (by_print.segment, by_drawing.segment) == (west, east)
    assert halfway.probability < 0.65 < min(by_print.probability, by_drawing.probability)


def find_road(placement: Placement) -> tuple[int, BaseGeometry]:
    """Return the road of a tile with one, as placed, which runs from north to south, and its segment."""
    index, road = next((i, part.geometry) for i, part in enumerate(placement.layout.segments) if part.kind == "road")
    return index, turn_geometry(road, placement.turns)


def test_a_foot_at_the_border_may_belong_to_the_next_tile() -> None:
    board = Board({(0, 0): Placement("C"), (0, 1): Placement("B")})
    standings = locate_piece(board, (0.97, 0.5), "standing")
    assert (standings[0].square, standings[0].segment) == ((0, 0), 0)
    assert {standing.square for standing in standings} == {(0, 0), (0, 1)}


def test_pieces_off_known_tiles_have_no_place() -> None:
    assert locate_piece(Board({(0, 0): None}), (0.5, 0.5), "standing") == ()


def test_feet_of_a_random_game_are_located_correctly() -> None:
    board = deal_random_board(Random(8))
    feet = sample_foot_points(board, Random(8))
    assert len(feet) == len(board.meeples)
    for meeple, foot in zip(board.meeples, feet, strict=True):
        best = locate_piece(board, foot, meeple.pose)[0]
        assert (best.square, best.segment) == (meeple.square, meeple.segment)


@needs_shared
def test_feet_on_real_tables_are_located_as_labelled() -> None:
    wrong, all_of_them = [], 0
    for path in LABELS:
        content = label(path)
        board = read_label(content)
        for row in content["meeples"]:
            meeple = read_meeple(row, board.tiles)
            if meeple.segment is None:
                continue
            all_of_them += 1
            best = locate_piece(board, tuple(row["at"]), meeple.pose)[0]
            if (best.square, best.segment) != (meeple.square, meeple.segment):
                wrong.append((path.stem, row))
    assert all_of_them > 70
    assert len(wrong) <= 0.03 * all_of_them, wrong
