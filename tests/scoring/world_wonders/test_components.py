"""The printed facts of a copy, as TOML: accepted, refused, and missing ones."""

from __future__ import annotations

import pytest

from scoring.spots.components import ComponentsError
from scoring.world_wonders.game import GAME
from tests.scoring.world_wonders.cities import printed

GRID = 'side = "A"\nnatural_resources = 1\nA = """\n..~\n.*.\n"""'


def test_defaults_hold_the_facts_printed_on_every_copy() -> None:
    components = GAME.components(None)
    assert len(components.monuments) == 21
    assert {name: monument.rings for name, monument in components.monuments.items() if monument.rings is not None} == {
        "giza": 2
    }
    assert (components.box.long_roads, components.box.towers, components.box.building_tiles) == (35, 10, 80)
    assert (components.objectives.first, components.objectives.second, components.objectives.shared) == (3, 1, 4)


def test_a_copy_with_the_mundo_box_has_its_monuments() -> None:
    base, whole = GAME.components(None).monuments, GAME.components("[box]\nmundo = true").monuments
    assert len(whole.keys() - base.keys()) == 9
    assert "himeji" in whole
    assert GAME.components("[monuments.himeji]\nrings = 1").monuments.keys() - base.keys() == {"himeji"}


def test_a_map_is_a_grid_of_letters() -> None:
    terrain = GAME.components(f"[map]\n{GRID}").terrain("red")
    assert (terrain.rows, terrain.columns) == (2, 3)
    assert terrain.is_water((0, 2))
    assert terrain.is_natural((1, 1))
    assert (terrain.beyond((2, 0)), terrain.beyond((0, 3)), terrain.beyond((1, 2))) == ("sidewalk", "edge", None)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        pytest.param("[map]\ncolour = 1", "map.colour", id="a key that there is not"),
        pytest.param('[map]\nA = "..\\n."', "map.A", id="rows of different lengths"),
        pytest.param('[map]\nA = "x"', "map.A", id="another letter"),
        pytest.param('[map]\nA = ""', "map.A", id="no square"),
        pytest.param('[map]\nA = "***"', "map", id="another number of natural resources than ten"),
        pytest.param('[map]\nnatural_resources = 0\nA = ".."\n[map.B]\nred = "..."', "map", id="maps of two sizes"),
        pytest.param("[resources.A.food]\nlast = true", "resources.A.food.last", id="no number"),
        pytest.param("[resources.A.food]\nlast = 1000000000", "resources.A.food.last", id="a track without an end"),
        pytest.param("[monuments.petra]\nrings = 1001", "monuments.petra.rings", id="rings without number"),
        pytest.param(f"[map]\nA = '{'.' * 1601}'", "map.A", id="a map without an end"),
        pytest.param("[monuments.road]\nname = 'Road'", "", id="a monument called as a road is"),
        pytest.param("[monuments.giza]\npieces = 2\nfootprint = ['##']", "monuments.giza", id="one shape of two"),
        pytest.param("[monuments.giza]\nfootprint = ['#.#']", "monuments.giza.footprint.0", id="a torn shape"),
        pytest.param("[monuments.giza]\nadjacent = ['sea']", "monuments.giza.adjacent.0", id="nothing to be beside"),
        pytest.param("[[buildings.shapes]]\nshape = '~'", "buildings.shapes.0.shape", id="a tile of water"),
        pytest.param("[map", "", id="no TOML"),
    ],
)
def test_impossible_printed_values_are_refused_with_their_key(text: str, key: str) -> None:
    with pytest.raises(ComponentsError) as raised:
        GAME.components(text)
    assert raised.value.code == "components_invalid"
    assert raised.value.details["key"] == key


def test_pictures_and_layout_are_left_to_reading() -> None:
    GAME.components("[pictures.map]\nsize_mm = [300, 200]\n[layout.map]\nleft = 3")


def test_each_missing_component_is_listed_once() -> None:
    keys = [error.details["key"] for error in GAME.missing(GAME.components(None))]
    assert keys[:2] == ["map.side", "resources.side"]
    assert len(keys) == 2, "the rings of a monument matter only on a table where it lies"
    river = [error.details["key"] for error in GAME.missing(GAME.components('[map]\nside = "B"'))]
    assert river[:5] == ["map.B.yellow", "map.B.green", "map.B.white", "map.B.red", "map.B.blue"]
    assert all("printed" in error.details for error in GAME.missing(GAME.components(None)))


def test_nothing_is_missing_if_all_components_are_given() -> None:
    assert list(GAME.missing(printed("."))) == []
