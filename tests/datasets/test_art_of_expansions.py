"""The prints of expansions are visible: water, inns, goods, cathedrals; the base game's tiles show none of it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from shapely import LineString, Point, contains_xy
from shapely.geometry.base import BaseGeometry

from datasets.art.canvas import Canvas
from datasets.art.country import CLOTH, PALE, STRAW, WOOD
from datasets.art.ground import paint_bridge
from datasets.art.plan import POND_OFFSET_TILES, Bridge, plan_layout
from datasets.art.procedural import draw_tile
from datasets.art.style import STYLES, Colour, Style, sample_style, to_lab
from scoring.carcassonne.tiles.catalogue import BOXES, load_catalogue, load_full_catalogue
from scoring.carcassonne.tiles.geometry import SIDES
from scoring.carcassonne.tiles.layout import TileLayout
from scoring.carcassonne.tiles.other_boxes import list_drawings
from tests.datasets.tables import list_styles
from vision.arrays import Image
from vision.squares.catalogue import SAME_TO_SEE

SIZE = 96
NEW = [layout for box in BOXES[1:] for layout in load_catalogue(box)]
INNS = [layout for layout in NEW if layout.inn_spots]
GOODS = [layout for layout in NEW if layout.goods_spots]
MIDDLES = {"N": (0.5, 0.03), "E": (0.97, 0.5), "S": (0.5, 0.97), "W": (0.03, 0.5)}


@pytest.fixture(
    scope="module", params=[3, *(pytest.param(name, marks=pytest.mark.soak) for name in list_styles("winter"))], ids=str
)
def style(request: pytest.FixtureRequest) -> Style:
    return STYLES.get(request.param) or sample_style(np.random.default_rng(request.param))


@cache
def drawn(tile: str, style: Style) -> list[Image]:
    """Return both pictures of a tile; many tests share them."""
    return [draw_tile(load_full_catalogue()[tile], style, 5, SIZE, variant) for variant in (0, 1)]


def colours(picture: Image, area: BaseGeometry) -> NDArray[np.float32]:
    """Return the colours (n, 3), L*a*b*, of a picture's pixels in an area of the unit square."""
    x, y = np.meshgrid(*[(np.arange(SIZE) + 0.5) / SIZE] * 2)
    return np.asarray(cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)[contains_xy(area, x, y)])


def share_of(pixels: NDArray[np.float32], these: Iterable[Colour], others: Iterable[Colour]) -> float:
    """Return the share of colours that is nearer to one of these than to any of the others."""
    mine, theirs = (np.array([to_lab(colour) for colour in named]) for named in (these, others))
    near, far = (np.linalg.norm(pixels[:, None] - named, axis=2).min(axis=1) for named in (mine, theirs))
    return float(np.mean(near < far))


def wet(picture: Image, area: BaseGeometry, style: Style) -> float:
    dry = (style.grass, style.grass_light, style.road, style.city_ground, style.road_border)
    return share_of(colours(picture, area), [style.water], dry)


def test_rivers_run_off_the_tile_where_the_layout_says(style: Style) -> None:
    for layout in (layout for layout in NEW if layout.rivers):
        for picture in drawn(layout.id, style):
            for side in SIDES:
                share = wet(picture, Point(MIDDLES[side]).buffer(0.03), style)
                if layout.edge(side) == "river":
                    assert share > 0.8, (layout.id, side)
                elif layout.edge(side) == "field":
                    assert share < 0.3, (layout.id, side)


def test_a_bridge_with_rails_in_parts_is_drawn(style: Style) -> None:
    ways = (0.56, 0.59, 0.63, 0.64, 0.7, 0.7, 0.74, 0.77)
    path = np.column_stack([np.linspace(0.3, 0.7, len(ways)), ways])
    assert LineString(path).offset_curve(-0.09).geom_type == "MultiLineString"
    canvas = Canvas(64, style, np.random.default_rng(0))
    before = canvas.finished()
    paint_bridge(canvas, Bridge(path, of_city=True))
    assert (canvas.finished() != before).any(axis=2).mean() > 0.02


@pytest.mark.parametrize("layout", INNS, ids=lambda layout: layout.id)
def test_an_inn_is_drawn_with_a_pond(layout: object, style: Style) -> None:
    pond = [Point(np.array(spot) + aside).buffer(0.05) for spot in layout.inn_spots for aside in _asides()]  # type: ignore[attr-defined]
    for picture in drawn(layout.id, style):  # type: ignore[attr-defined]
        assert max(wet(picture, area, style) for area in pond) > 0.4


def _asides() -> list[NDArray[np.float64]]:
    """Return the possible sides of the pond."""
    return [POND_OFFSET_TILES * turn for turn in ((1, 1), (1, -1), (-1, 1), (-1, -1))]


@pytest.mark.parametrize("layout", GOODS, ids=lambda layout: layout.id)
def test_goods_lie_on_a_pale_plaque_in_colours_of_their_own(layout: object, style: Style) -> None:
    tints = {"wine": WOOD, "grain": STRAW, "cloth": CLOTH, "chicken": CLOTH}
    for goods, spot in layout.goods_spots:  # type: ignore[attr-defined]
        for picture in drawn(layout.id, style):  # type: ignore[attr-defined]
            pixels = colours(picture, Point(spot).buffer(0.08))
            assert share_of(pixels, [PALE], [style.city_ground, style.wall, *style.roofs, *tints.values()]) > 0.2
            assert np.mean(np.linalg.norm(pixels - to_lab(tints[goods]), axis=1) < 30) > 0.01


def test_goods_look_different_from_each_other_and_from_none() -> None:
    style = STYLES["meadow"]
    spot = Point(0.13, 0.13).buffer(0.09)
    pictures = {
        name: colours(drawn(tile, style)[0], spot)
        for name, tile in {"grain": "TB/Cc.g", "wine": "TB/Cc.w", "cloth": "TB/CcR.c", "none": "BA/Cc.1"}.items()
    }
    for one, other in combinations(pictures, 2):
        assert np.linalg.norm(pictures[one] - pictures[other], axis=1).mean() > 10, (one, other)


def test_a_cathedral_fills_the_middle_of_its_city(style: Style) -> None:
    middle = Point(0.5, 0.5).buffer(0.15)
    for picture in drawn("IC/Cccc.c", style):
        church = (style.church, style.church_roof, tuple(int(0.6 * c) for c in style.church))
        assert share_of(colours(picture, middle), church, [style.city_ground, style.house]) > 0.35  # type: ignore[arg-type]


@pytest.mark.parametrize(("tile", "plain"), [("IC/Rr.i", "BA/Rr"), ("IC/RFr.i", "BA/RFr"), ("IC/RRR.i", "BA/RRR")])
def test_a_tile_differs_from_its_twin_without_an_inn(tile: str, plain: str, style: Style) -> None:
    (spot,) = load_full_catalogue()[tile].inn_spots
    area = Point(spot).buffer(0.12)
    with_inn, without = ([wet(p, area, style) for p in drawn(name, style)] for name in (tile, plain))
    assert min(with_inn) > max(without) + 0.1


def test_tiles_of_one_name_are_drawn_alike() -> None:
    for tile, name in SAME_TO_SEE.items():
        one, other = (
            cv2.blur(drawn(layout_name, STYLES["meadow"])[0], (15, 15)).astype(int) for layout_name in (tile, name)
        )
        assert np.abs(one - other).mean() < 12


@pytest.mark.parametrize("layout", list_drawings()[len(load_full_catalogue()) :], ids=lambda layout: layout.id)
def test_every_topology_of_another_box_is_drawn_in_each_view(layout: TileLayout, style: Style) -> None:
    pictures = [draw_tile(layout, style, 7, SIZE, variant=variant) for variant in (0, 1)]
    assert all(picture.shape == (SIZE, SIZE, 3) and picture.std() > 3 for picture in pictures)


@pytest.mark.parametrize("name", ["AM/CCcc+", "KR/CCcc", "RI.2/CIcI"])
def test_a_bridge_joins_the_two_parts_of_one_city(name: str) -> None:
    (layout,) = [one for one in list_drawings() if one.id == name]
    plan = plan_layout(layout, 1, np.random.default_rng(1))
    (bridge,) = [one for one in plan.bridges if one.of_city]
    ends = [[city.distance(Point(end)) < 1e-6 for city in plan.cities] for end in bridge.path[[0, -1]]]
    joined = {city for end in ends for city, touched in enumerate(end) if touched}
    whole = next(s for s in layout.segments if s.kind == "city" and len(getattr(s.geometry, "geoms", ())) == 2)
    first = sum(
        len(getattr(s.geometry, "geoms", (s.geometry,)))
        for s in layout.segments[: layout.segments.index(whole)]
        if s.kind == "city"
    )
    assert {first, first + 1} <= joined
