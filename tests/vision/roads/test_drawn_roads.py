"""Distances of pixels from a drawn road agree with geometry, for any turn of its tile."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from scoring.carcassonne.tiles.catalogue import load_full_catalogue
from scoring.carcassonne.tiles.geometry import turn_geometry
from vision.roads.drawn_roads import TILE_PX, build_pixel_middles, measure_road_distance

WITH_ROADS = [layout for layout in load_full_catalogue() if any(part.kind == "road" for part in layout.segments)]


@pytest.mark.parametrize("turns", range(4))
def test_every_layout_is_measured_as_it_lies(turns: int) -> None:
    middles = build_pixel_middles()
    points = shapely.points(*np.meshgrid(middles, middles))
    for layout in WITH_ROADS:
        roads = [i for i, part in enumerate(layout.segments) if part.kind == "road"]
        lines = [turn_geometry(layout.segments[i].geometry, turns) for i in roads]
        distances = [shapely.distance(points, line) for line in lines]
        for index, distance in zip(roads, distances, strict=True):
            assert np.allclose(measure_road_distance(layout, turns, index), distance, atol=1e-12)
        assert np.allclose(measure_road_distance(layout, turns), np.min(distances, axis=0), atol=1e-12)


def test_a_tile_without_roads_is_infinitely_far() -> None:
    layout = next(layout for layout in load_full_catalogue() if all(part.kind != "road" for part in layout.segments))
    assert np.isinf(measure_road_distance(layout, 1)).all()
    assert measure_road_distance(layout, 1).shape == (TILE_PX, TILE_PX)
