"""Drawn tiles: valid, small, without anything that a strict policy would refuse, and all different."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from api.errors import CorrectionError
from api.render.tile_svg import render_tile_svg
from scoring.carcassonne.board.places import name_segment
from scoring.carcassonne.tiles.catalogue import load_full_catalogue
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.player_colours import COLOURS

SVG = "{http://www.w3.org/2000/svg}"
BYTES_MOST = 2_000
ALL = [(layout.id, None) for layout in load_full_catalogue()] + [(wonder, i) for wonder in WONDERS for i in range(5)]


@pytest.mark.parametrize(("tile", "square"), ALL)
def test_every_tile_is_drawn_small_and_valid(tile: str, square: int | None) -> None:
    for turns in range(4):
        drawing = render_tile_svg(tile, turns, square)
        root = ET.fromstring(drawing)
        assert root.tag == f"{SVG}svg"
        assert len(drawing) < BYTES_MOST
        assert {part.tag for part in root.iter()} <= {f"{SVG}{name}" for name in ("svg", "g", "path", "circle")}
        assert not [name for part in root.iter() for name in part.attrib if name == "style" or name.startswith("on")]


def test_tiles_of_the_base_game_look_different() -> None:
    drawings = {render_tile_svg(layout.id) for layout in load_full_catalogue() if layout.letter}
    assert len(drawings) == sum(bool(layout.letter) for layout in load_full_catalogue())


def test_a_turn_rotates_the_drawing() -> None:
    assert len({render_tile_svg("BA/RCr", turns) for turns in range(4)}) == 4
    assert "rotate(90 50 50)" in render_tile_svg("BA/RCr", 1)


def test_meeples_of_every_colour_stand_on_every_part() -> None:
    layout = load_full_catalogue()["L"]
    for turns in range(4):
        for part in range(len(layout.segments)):
            drawing = render_tile_svg("L", turns, None, name_segment(layout, turns, part), "red")
            assert drawing != render_tile_svg("L", turns)
    assert len({render_tile_svg("A", 0, None, "monastery", colour) for colour in COLOURS}) == len(COLOURS)


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (("nonesuch",), "tile_unknown_name"),
        (("WH/alhambra", 0, 5), "place_unknown"),
        (("WH/alhambra", 0, None), "place_unknown"),
        (("E", 0, 1), "place_unknown"),
        (("E", 0, None, "road:N", "red"), "place_unknown"),
        (("E", 0, None, "city:N", "mauve"), "colour_unknown"),
    ],
)
def test_invalid_tiles_are_not_drawn(asked: tuple[str], code: str) -> None:
    with pytest.raises(CorrectionError) as error:
        render_tile_svg(*asked)
    assert error.value.code == code


def test_the_big_meeple_is_drawn_larger_with_its_strength() -> None:
    plain, big = (render_tile_svg("BA/LR", 0, None, "monastery", "red", piece) for piece in ("meeple", "big"))
    scales = [float(drawing.split("scale(")[1].split(")")[0]) for drawing in (plain, big)]
    assert scales[1] > 1.4 * scales[0]
    assert big.count("<path") == plain.count("<path") + 1
    ET.fromstring(big)
