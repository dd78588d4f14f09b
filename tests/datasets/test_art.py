"""Tile art: every drawing shows its layout, neighbours join, and folders of scans are read."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from shapely import Point, Polygon, contains_xy, unary_union
from shapely.geometry.base import BaseGeometry

from datasets.art.plan import plan_layout
from datasets.art.procedural import draw_tile, draw_tile_set
from datasets.art.solids import add_snow, build_footprint, build_house
from datasets.art.style import STYLES, Style, is_legible, sample_style, to_lab
from datasets.art.tileset import ArtError, TileSet, crop_printed_tile, load_folder
from scoring.carcassonne.tiles.catalogue import TileLayout, load_base_catalogue
from scoring.carcassonne.tiles.geometry import SIDES, UNIT
from scoring.carcassonne.tiles.other_boxes import load_whole_catalogue
from tests.datasets.tables import list_styles
from vision.arrays import Image

TILES = Path(__file__).parents[3] / "shared" / "tiles"
LAYOUTS = tuple(load_base_catalogue())
SIZE = 96


@pytest.fixture(scope="module", params=[1, *list_styles("meadow", "winter", seeds=(3,))], ids=str)
def painted(request: pytest.FixtureRequest) -> tuple[Style, TileSet]:
    named = STYLES.get(request.param)
    style = sample_style(np.random.default_rng(request.param)) if named is None else named
    return style, draw_tile_set(style, seed=5, size=SIZE)


def pixels(picture: Image, area: BaseGeometry) -> NDArray[np.float32]:
    """Return the colours (n, 3), L*a*b*, of a picture's pixels in an area of the unit square."""
    x, y = np.meshgrid(*[(np.arange(SIZE) + 0.5) / SIZE] * 2)
    inside = contains_xy(area, x, y)
    return np.asarray(cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)[inside])


def looks_like(colours: NDArray[np.float32], style: Style) -> tuple[float, float, float]:
    """Return the shares of colours nearest to grass, to road and to the parts of cities other than snowy roofs."""
    built = (style.city_ground, style.wall, style.tower_roof, style.house, *style.roofs)
    palette = [to_lab(colour) for colour in (style.grass, style.grass_light, style.road)]
    palette += [colour for colour in map(to_lab, built) if np.linalg.norm(colour - palette[0]) > 20]
    away = np.linalg.norm(colours[:, None] - np.array(palette), axis=2)
    nearest = away.argmin(axis=1)
    return float(np.mean(nearest < 2)), float(np.mean(nearest == 2)), float(np.mean(nearest > 2))


def open_ground(layout: TileLayout, kind: str) -> Iterator[BaseGeometry]:
    """Return the parts of a layout's segments of a kind that are well inside them and clear of buildings."""
    spots = [*map(Point, plan_layout(layout, 0, np.random.default_rng(0)).road_ends)]
    if layout.monastery_spot:
        spots.append(Point(layout.monastery_spot))
    built = unary_union([spot.buffer(0.36) for spot in spots])
    margin = {"field": -0.1, "road": -0.02, "city": -0.08}[kind]
    for segment in layout.segments:
        area = segment.area.buffer(margin).difference(built) if segment.kind == kind else None
        if area is not None and area.area > 0.002:
            yield area


@pytest.mark.parametrize(
    ("tile", "ends", "woods", "gardens"),
    [
        ("BA/Rr", 0, 0, 0),
        ("BA/RRR", 1, 0, 0),
        ("TO/RR", 1, 0, 0),
        ("CC.2/RRRr", 1, 0, 0),
        ("CA/RRRR", 0, 0, 0),
        ("CC.2/CFR", 1, 0, 0),
        ("TO/CFR", 0, 0, 0),
        ("CC.2/CFC", 0, 1, 0),
        ("BA/CFC.2", 0, 0, 0),
        ("KR/RCG", 0, 0, 1),
    ],
)
def test_a_drawing_shows_where_roads_end_and_what_divides_fields(
    tile: str, ends: int, woods: int, gardens: int
) -> None:
    plan = plan_layout(load_whole_catalogue()[tile], 1, np.random.default_rng(5))
    assert (len(plan.road_ends), len(plan.woods), len(plan.gardens)) == (ends, woods, gardens)


def test_a_printed_garden_is_painted() -> None:
    plain, planted = (draw_tile(load_whole_catalogue()[tile], STYLES["ink"], 2, 96) for tile in ("KR/RC", "KR/RCG"))
    (bed,) = plan_layout(load_whole_catalogue()["KR/RCG"], 0, np.random.default_rng(0)).gardens
    colours = [np.unique(pixels(picture, bed).round(), axis=0) for picture in (plain, planted)]
    assert len(colours[1]) > 2 * len(colours[0])


def test_a_set_holds_every_layout_in_two_different_pictures(painted: tuple[Style, TileSet]) -> None:
    _, tiles = painted
    assert set(tiles.pictures) == {layout.id for layout in LAYOUTS}
    for one, other in tiles.pictures.values():
        assert one.shape == other.shape == (SIZE, SIZE, 3)
        assert one.dtype == np.uint8
        assert not np.array_equal(one, other)


def test_fields_look_like_grass(painted: tuple[Style, TileSet]) -> None:
    style, tiles = painted
    shares = [
        looks_like(pixels(picture, area), style)[0]
        for layout in LAYOUTS
        for area in open_ground(layout, "field")
        for picture in tiles.pictures[layout.id]
    ]
    assert np.median(shares) > 0.75
    assert np.mean(np.array(shares) > 0.5) > 0.85


def test_roads_look_like_roads_and_cities_differ_from_meadows(painted: tuple[Style, TileSet]) -> None:
    style, tiles = painted
    for layout in LAYOUTS:
        for picture in tiles.pictures[layout.id]:
            for area in open_ground(layout, "road"):
                grass, road, _ = looks_like(pixels(picture, area), style)
                assert road > grass, layout.letter
            for area in open_ground(layout, "city"):
                grass, _, built = looks_like(pixels(picture, area), style)
                assert built > 1.5 * grass, layout.letter


def test_a_monastery_and_a_crossing_are_built_up(painted: tuple[Style, TileSet]) -> None:
    style, tiles = painted
    for letter, spot in (("A", (0.5, 0.5)), ("B", (0.5, 0.53)), ("W", (0.5, 0.5)), ("X", (0.5, 0.5))):
        for picture in tiles.pictures[load_base_catalogue()[letter].id]:
            grass, _, _ = looks_like(pixels(picture, Point(spot).buffer(0.07)), style)
            assert grass < 0.6, letter


def test_a_coat_of_arms_shows_its_colours(painted: tuple[Style, TileSet]) -> None:
    style, tiles = painted
    for layout in LAYOUTS:
        for picture in tiles.pictures[layout.id]:
            for spot in layout.coat_spots:
                colours = pixels(picture, Point(spot).buffer(0.045))
                for tincture in style.shield:
                    close = np.linalg.norm(colours - to_lab(tincture), axis=1) < 15
                    assert close.mean() > 0.2, layout.letter


def edge_profile(picture: Image, side: str) -> NDArray[np.float32]:
    """Return the smoothed colours (n, 3), L*a*b*, along an edge, west to east or north to south."""
    colours = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    strip = {"N": colours[:2], "S": colours[-2:], "W": colours[:, :2], "E": colours[:, -2:]}[side]
    line = strip.mean(axis=0 if side in "NS" else 1)
    return np.asarray(cv2.blur(line[None], (7, 1))[0], np.float32)


def test_edges_of_one_kind_meet_at_the_same_places_and_in_the_same_colours(painted: tuple[Style, TileSet]) -> None:
    _, tiles = painted
    profiles: dict[str, list[NDArray[np.float32]]] = {"field": [], "road": [], "city": []}
    for layout in LAYOUTS:
        for picture in tiles.pictures[layout.id]:
            for side in SIDES:
                profiles[layout.edge(side)].append(edge_profile(picture, side))
    typical = {kind: np.median(several, axis=0) for kind, several in profiles.items()}
    inner = slice(SIZE // 8, -SIZE // 8)
    for kind, several in profiles.items():
        for profile in several:
            away = {other: np.linalg.norm(profile - line, axis=1)[inner].mean() for other, line in typical.items()}
            assert min(away, key=away.__getitem__) == kind
    for one, other in combinations(typical.values(), 2):
        assert np.linalg.norm(one - other, axis=1)[inner].max() > 20
    for kind in ("field", "road"):
        for profile in profiles[kind]:
            assert np.median(np.linalg.norm(profile - typical[kind], axis=1)[SIZE // 4 : -SIZE // 4]) < 8


def test_a_drawing_is_the_same_for_the_same_seed_alone() -> None:
    layout, style = load_base_catalogue()["P"], STYLES["terra"]
    one, again, other = (draw_tile(layout, style, seed, SIZE) for seed in (7, 7, 8))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_a_random_style_keeps_road_city_and_field_apart(seed: int) -> None:
    style = sample_style(np.random.default_rng(seed))
    assert is_legible(style)
    assert style == sample_style(np.random.default_rng(seed))


@given(layout=st.sampled_from(LAYOUTS), view=st.integers(0, 3), seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_bending_a_plan_moves_no_edge_and_breaks_nothing(layout: TileLayout, view: int, seed: int) -> None:
    plan = plan_layout(layout, view, np.random.default_rng(seed))
    covered = sum(shape.area for shape in (*plan.cities, *plan.fields)) + (plan.monastery or Point(0, 0)).area
    assert covered == pytest.approx(1, abs=1e-4)
    assert all(shape.is_valid and UNIT.buffer(1e-9).covers(shape) for shape in (*plan.cities, *plan.fields))
    ends = [end for road in plan.roads for end in road[[1, -2]] if UNIT.boundary.distance(Point(end)) < 1e-6]
    assert len(ends) == sum(layout.edge(side) == "road" for side in SIDES)
    assert all(np.abs(end - 0.5).min() < 1e-6 for end in ends)
    for wall in plan.walls:
        assert np.allclose(wall.path[[0, -1]], np.round(wall.path[[0, -1]]), atol=0.01)
    assert len(plan.gates) == len([s for s in layout.segments if s.kind == "road"]) * (layout.letter in "ST")


def write_folder(root: Path, rows: dict[str, tuple[str, Image]]) -> Path:
    """Write an art folder `mine` with its manifest, a picture for each (topology id, picture)."""
    folder = root / "mine"
    folder.mkdir()
    with (root / "manifest.csv").open("w", newline="", encoding="utf-8") as lines:
        writer = csv.DictWriter(lines, ["file", "set", "edition", "topology_id"])
        writer.writeheader()
        for name, (topology, picture) in rows.items():
            assert cv2.imwrite(str(folder / name), picture)
            writer.writerow({"file": f"mine/{name}", "set": "mine", "edition": "C1", "topology_id": topology})
        writer.writerow({"file": "theirs/BA_C__0.png", "set": "theirs", "edition": "C1", "topology_id": "BA/C"})
    return folder


def test_a_folder_of_scans_is_read_by_its_manifest(tmp_path: Path) -> None:
    plain = draw_tile(load_base_catalogue()["E"], STYLES["meadow"], seed=1, size=200)
    rows = {
        "BA_C__0.png": ("BA/C", plain),
        "BA_CG__0.png": ("BA/CG", np.ascontiguousarray(plain[:, ::-1])),
        "ZZ_F__0.png": ("ZZ/F", draw_tile(load_base_catalogue()["B"], STYLES["meadow"], seed=1, size=120)),
    }
    tiles = load_folder(write_folder(tmp_path, rows), load_base_catalogue())
    assert tiles.name == "mine"
    assert {name: len(several) for name, several in tiles.pictures.items()} == {"BA/C": 2}
    assert {name: len(several) for name, several in tiles.others.items()} == {"ZZ/F": 1}
    picture = tiles.pictures["BA/C"][0]
    assert picture.shape == (160, 160, 3)
    assert np.abs(picture.astype(int) - cv2.resize(plain, (160, 160), interpolation=cv2.INTER_AREA)).mean() < 3


@pytest.mark.parametrize("level", [0, 255], ids=["black", "white"])
@pytest.mark.parametrize("letter", ["D", "X", "C"])
def test_margins_and_rounded_corners_are_trimmed(level: int, letter: str) -> None:
    tile = draw_tile(load_base_catalogue()[letter], STYLES["terra"], seed=3, size=200)
    rounded = np.full_like(tile, 255)
    cv2.rectangle(rounded, (8, 0), (191, 199), (0, 0, 0), -1)
    cv2.rectangle(rounded, (0, 8), (199, 191), (0, 0, 0), -1)
    for corner in ((8, 8), (191, 8), (8, 191), (191, 191)):
        cv2.circle(rounded, corner, 8, (0, 0, 0), -1)
    tile[rounded > 0] = level
    scan = cv2.copyMakeBorder(tile, 9, 4, 0, 12, cv2.BORDER_CONSTANT, value=(level,) * 3)
    trimmed = crop_printed_tile(np.asarray(scan, np.uint8), 160).astype(int)
    rim = np.concatenate([trimmed[0], trimmed[-1], trimmed[:, 0], trimmed[:, -1]])
    assert np.mean(np.abs(rim - level).max(axis=1) < 25) < 0.03


def test_a_folder_without_manifest_or_with_a_broken_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArtError) as missing:
        load_folder(tmp_path / "mine", load_base_catalogue())
    assert missing.value.code == "no_manifest"
    folder = write_folder(tmp_path, {"BA_C__0.png": ("BA/C", np.zeros((50, 50, 3), np.uint8))})
    (folder / "BA_C__0.png").write_text("no picture")
    with pytest.raises(ArtError) as broken:
        load_folder(folder, load_base_catalogue())
    assert broken.value.code == "unreadable_picture"


@pytest.mark.skipif(not TILES.is_dir(), reason="needs the tile scans in ../shared/tiles")
@pytest.mark.parametrize("name", ["c1-kpmrozowski", "c2-krueger80", "c2-wingedsheep", "c3-lnidogon", "we-farin"])
def test_printed_sets_lie_as_their_layouts_say(name: str) -> None:
    tiles = load_folder(TILES / name, load_base_catalogue())
    assert set(tiles.pictures) == {layout.id for layout in LAYOUTS}
    lines: dict[str, list[NDArray[np.float32]]] = {"field": [], "road": [], "city": []}
    mismatches = [
        (layout.edge(side), edge_profile(picture, side))
        for layout in LAYOUTS
        for picture in tiles.pictures[layout.id]
        for side in SIDES
    ]
    for kind, profile in mismatches:
        lines[kind].append(profile)
    typical = {kind: np.median(several, axis=0) for kind, several in lines.items()}
    right = [
        min(typical, key=lambda other: float(np.linalg.norm(profile - typical[other], axis=1).mean())) == kind
        for kind, profile in mismatches
    ]
    assert np.mean(right) > 0.9


def test_snow_lies_on_roofs_but_not_on_walls() -> None:
    body = build_house(build_footprint(np.array([0.5, 0.5]), 0.4, 0.2, 0.1), 0.13, 0.11, (150, 110, 80), (180, 60, 50))
    rng = np.random.default_rng(1)
    assert add_snow(body, 0.0, rng) is body
    white = [face for face in add_snow(body, 0.7, rng).faces if min(face.colour) > 150]
    slopes = [face for face in body.faces if face.colour[0] > 1.8 * face.colour[1]]
    assert len(white) == len(slopes) > 0
    for snow, slope in zip(white, slopes, strict=True):
        roof = Polygon(slope.polygon)
        assert Polygon(snow.polygon).within(roof.buffer(1e-9))
        assert 0.3 < Polygon(snow.polygon).area / roof.area < 1
    again, before = np.random.default_rng(1), np.random.default_rng(1).random()
    add_snow(body, 0.0, again)
    assert again.random() == before


@pytest.mark.parametrize("letter", ["E", "U", "V"])
def test_winter_fields_are_white_with_bluish_shades(letter: str) -> None:
    layout, style = load_base_catalogue()[letter], STYLES["winter"]
    picture = draw_tile(layout, style, seed=5, size=SIZE)
    field = np.concatenate([pixels(picture, area) for area in open_ground(layout, "field")])
    lightness, _, yellow = np.median(field, axis=0)
    assert lightness > 93
    assert -8 < yellow < 0
    shaded_ones = field[(field[:, 0] > 85) & (field[:, 2] < -4)]
    assert 0.02 < len(shaded_ones) / len(field) < 0.5
