"""Prints of a tile are found where they are printed, not where the catalogue draws them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from shapely import LineString

from datasets.art.ground_sheet import main as draw_sheet
from datasets.art.printed_ground import GROUND_PX, PrintedGround, trace_print
from datasets.art.procedural import draw_grounds, draw_tile
from datasets.art.style import STYLES
from scoring.carcassonne.tiles.catalogue import Catalogue, load_base_catalogue
from vision.arrays import Floats, Image

SIZE = 192
LAND, ROAD, CITY = (60, 150, 90), (225, 230, 232), (40, 80, 150)


def paint(*, road: Floats | None = None, city: Floats | None = None) -> Image:
    """Paint a noisy meadow with a pale road along points (n, 2), or a city inside them, of the unit square."""
    rng = np.random.default_rng(3)
    picture = np.clip(np.array(LAND) + rng.normal(0, 5, (SIZE, SIZE, 1)), 0, 255).astype(np.uint8)
    if city is not None:
        cv2.fillPoly(picture, [np.round(city * SIZE).astype(np.int32)], CITY)
    if road is not None:
        cv2.polylines(picture, [np.round(road * SIZE).astype(np.int32)], False, ROAD, round(0.07 * SIZE))
    return picture


def measure_farthest(ground: PrintedGround, index: int, line: Floats) -> float:
    """Return the maximum distance of a road's course from a line, in tiles."""
    (course,) = ground.roads[index]
    return max(LineString(line).distance(LineString([point, point])) for point in course)


@pytest.mark.parametrize("aside", [-0.17, 0.17])
def test_a_road_printed_far_from_its_drawing_is_found(aside: float) -> None:
    layout = load_base_catalogue()["U"]
    index = next(i for i, part in enumerate(layout.segments) if part.kind == "road")
    (x0, y0), (x1, y1) = (layout.segments[index].geometry.coords[end] for end in (0, -1))
    along = np.linspace(0, 1, 40)
    line = np.column_stack([x0 + (x1 - x0) * along, y0 + (y1 - y0) * along])
    across = np.array([y1 - y0, x0 - x1]) / np.hypot(x1 - x0, y1 - y0)
    line += np.sin(np.pi * along)[:, None] * across * aside
    ground = trace_print(paint(road=line), layout)
    assert measure_farthest(ground, index, line) < 0.04
    beside = 0.5 * (line[19] + line[20])
    one, other = (ground.holds(tuple((beside + across * step).tolist())) for step in (-0.12, 0.12))
    assert {layout.segments[one].kind, layout.segments[other].kind} == {"field"}
    assert one != other


def test_a_wall_is_found_at_the_end_of_the_city() -> None:
    layout = load_base_catalogue()["E"]
    angle = np.linspace(0, np.pi, 40)
    bulge = np.column_stack([0.5 + 0.5 * np.cos(angle), 0.48 * np.sin(angle)])
    ground = trace_print(paint(city=bulge), layout)
    drawn = layout.segments[0].geometry
    assert not drawn.buffer(0.05).contains(LineString([(0.5, 0.44), (0.5, 0.45)]))
    assert ground.holds((0.5, 0.44)) == 0
    assert layout.segments[ground.holds((0.5, 0.53))].kind == "field"
    assert layout.segments[ground.holds((0.06, 0.35))].kind == "field"


def test_a_traced_drawing_equals_its_ground() -> None:
    layouts = Catalogue(tuple(load_base_catalogue()[letter] for letter in "DKV"))
    grounds = draw_grounds(5, variants=2, catalogue=layouts)
    for layout in layouts:
        for variant, ground in enumerate(grounds[layout.id]):
            traced = trace_print(draw_tile(layout, STYLES["meadow"], 5, SIZE, variant), layout)
            assert (traced.segments == ground.segments).mean() > 0.85
            for index, (line,) in ground.roads.items():
                assert measure_farthest(traced, index, line) < 0.07


def test_every_segment_is_printed_and_roads_separate_fields() -> None:
    for layout in load_base_catalogue():
        ground = draw_grounds(2, variants=1, catalogue=Catalogue((layout,)))[layout.id][0]
        assert ground.segments.shape == (GROUND_PX, GROUND_PX)
        assert set(np.unique(ground.segments)) == set(range(len(layout.segments)))


def test_a_sheet_of_prints_is_drawn(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    cv2.imwrite(str(folder / "v.png"), draw_tile(load_base_catalogue()["V"], STYLES["meadow"], 1, 96))
    (tmp_path / "manifest.csv").write_text("file,topology_id\nset/v.png,V\n", encoding="utf-8")
    draw_sheet(["--art", str(folder), "--out", str(tmp_path / "sheet.png"), "--count", "2"])
    sheet = cv2.imread(str(tmp_path / "sheet.png"))
    assert sheet is not None
    assert (sheet[..., 2].astype(int) - sheet[..., 1] > 200).any()
