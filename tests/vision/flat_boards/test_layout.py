from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon as Shape

from scoring.spots.components import ComponentsError
from vision.flat_boards.layout import Circle, Part, Rectangle, Region, read_layout, read_pictures


class Wonder(Part):
    area: Region
    discs: tuple[Region, ...] = ()


class Layout(Part):
    wonders: dict[str, Wonder]


TEXT = """
[scoring_table]
rows = [[8, 4]]
[pictures.board]
size_mm = [560, 400]
corners_px = [[0, 0], [10.5, 0], [10, 9], [0, 9]]
[layout.wonders.giza]
area = { points = [[0, 0], [50, 0], [50, 40]] }
discs = [{ at = [10, 20], radius = 8 }, { at = [40, 20], size = [20, 10], turned = 90 }]
"""


def test_regions_are_distinguished_by_their_keys() -> None:
    wonder = read_layout(Layout, TEXT).wonders["giza"]
    assert wonder.area.outline.tolist() == [[0, 0], [50, 0], [50, 40]]
    assert isinstance(wonder.discs[0], Circle)
    assert isinstance(wonder.discs[1], Rectangle)
    turned = wonder.discs[1].outline
    assert np.allclose([turned.min(0), turned.max(0)], [(35, 10), (45, 30)])


def test_pictures_have_a_size_and_optional_corners() -> None:
    facts = read_pictures(TEXT)["board"]
    assert facts.size_mm == (560, 400)
    assert facts.corners_px is not None
    assert facts.corners_px[1] == (10.5, 0)
    assert read_pictures("") == {}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[pictures.board]\nsize_mm = [0, 3]", "pictures.board.size_mm.0"),
        ("[pictures.board]\nsize_mm = [nan, 300]", "pictures.board.size_mm.0"),
        ("[pictures.board]\nsize_mm = [400, -300]", "pictures.board.size_mm.1"),
        ("[pictures.board]\nsize_mm = [0.001, 0.001]", "pictures.board.size_mm.0"),
        ("[pictures.board]\nsize_mm = [400, 1e9]", "pictures.board.size_mm.1"),
        ("[pictures.board]\nsize_mm = [560000, 560]", "pictures.board.size_mm.0"),
        ("[pictures.board]\nsize_mm = [400, 300]\nsize_inch = 3", "pictures.board.size_inch"),
        ("pictures = 3", "pictures"),
        ("a =", ""),
    ],
)
def test_an_invalid_picture_entry_is_refused(text: str, key: str) -> None:
    with pytest.raises(ComponentsError) as caught:
        read_pictures(text)
    assert caught.value.code == "components_invalid"
    assert caught.value.details["key"] == key


@pytest.mark.parametrize(
    "area",
    [
        "{ at = [0, 0] }",
        "{ points = [[0, 0], [1, 1]] }",
        "3",
        "{ at = [0, 0], radius = -1 }",
        "{ at = [1e9, 0], radius = 9 }",
    ],
)
def test_an_invalid_region_is_refused(area: str) -> None:
    with pytest.raises(ComponentsError) as caught:
        read_layout(Layout, f"[layout.wonders.giza]\narea = {area}")
    assert caught.value.details["key"].startswith("layout.wonders.giza.area")


sizes = st.floats(1, 500)


@given(sizes, sizes, sizes, sizes, st.floats(-720, 720))
def test_a_rectangle_keeps_its_middle_and_area_in_any_turn(
    x: float, y: float, w: float, h: float, turned: float
) -> None:
    shape = Shape(Rectangle(at=(x, y), size=(w, h), turned=turned).outline)
    assert shape.area == pytest.approx(w * h)
    assert (shape.centroid.x, shape.centroid.y) == pytest.approx((x, y), abs=1e-6 * (w + h + x + y))


@given(sizes, sizes, sizes)
def test_a_circle_s_outline_lies_on_it(x: float, y: float, radius: float) -> None:
    outline = Circle(at=(x, y), radius=radius).outline
    assert np.allclose(np.linalg.norm(outline - (x, y), axis=1), radius)
