"""The layouts that are read: those that share a class, the order of classes, the name a tile goes by."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from scoring.carcassonne.tiles.catalogue import (
    BOXES,
    TileLayout,
    list_layout_turns,
    load_base_catalogue,
    load_catalogue,
    load_full_catalogue,
)
from scoring.carcassonne.tiles.geometry import SIDES, turn_edge
from vision.squares.catalogue import (
    SAME_TO_SEE,
    SAME_WHEN_TURNED,
    build_reading_catalogue,
    resolve_river_twins,
    select_net_catalogue,
)

RIVER_ENDS = {"RI/s", "RI.1/I.e", "RI.2/I.v"}


def describe_by_rules(layout: TileLayout, turns: int = 0) -> tuple[object, ...]:
    """Return everything that scoring and laying use of a turned layout, computed independently."""

    def edges(names: tuple[str, ...]) -> frozenset[str]:
        return frozenset(turn_edge(name, turns) for name in names)

    parts = Counter(
        (
            *(s.kind, edges(s.edges), s.shields, s.inn, s.cathedral, s.goods, s.pig_herd),
            frozenset(edges(layout.segments[city].edges) for city in s.cities),
        )
        for s in layout.segments
    )
    return tuple(layout.edge(side, turns) for side in SIDES), frozenset(parts.items())


def test_the_base_game_comes_first_in_its_fixed_order() -> None:
    classes, base = list_layout_turns(build_reading_catalogue()), list_layout_turns(load_base_catalogue())
    assert classes[: len(base)] == base
    assert len(classes) == len(set(classes)) == 555


@pytest.mark.parametrize(("twin", "name"), SAME_TO_SEE.items())
def test_twins_are_equal_to_the_rules(twin: str, name: str) -> None:
    assert describe_by_rules(load_full_catalogue()[twin]) == describe_by_rules(load_full_catalogue()[name])
    assert build_reading_catalogue()[twin].id == name
    assert build_reading_catalogue()[twin].count == sum(load_full_catalogue()[one].count for one in (twin, name))


def test_classes_differ_to_the_rules_except_ends_of_rivers() -> None:
    descriptions = [
        (name, describe_by_rules(build_reading_catalogue()[name], k))
        for name, k in list_layout_turns(build_reading_catalogue())
    ]
    same = [{one, other} for (one, first), (other, second) in combinations(descriptions, 2) if first == second]
    assert same
    assert all(pair <= RIVER_ENDS for pair in same)


def test_every_tile_of_the_boxes_is_read_or_listed_as_a_twin() -> None:
    tiles = {layout.id for box in BOXES[1:] for layout in load_catalogue(box)}
    assert {tile for tile in tiles if tile not in build_reading_catalogue()} == set(SAME_WHEN_TURNED)


def test_a_net_determines_its_own_catalogue() -> None:
    names = [f"{tile}@{turns}" for tile, turns in list_layout_turns(load_base_catalogue())]
    assert list_layout_turns(select_net_catalogue([*names, "other", "none"])) == list_layout_turns(
        load_base_catalogue()
    )
    names = [f"{tile}@{turns}" for tile, turns in list_layout_turns(build_reading_catalogue())]
    assert list_layout_turns(select_net_catalogue(names)) == list_layout_turns(build_reading_catalogue())


@pytest.mark.parametrize(
    ("read", "named"),
    [
        (["RI.1/II", "RI.1/IFI", None], ["RI.1/II", "RI.1/IFI", None]),
        (["RI.1/II", "RI.2/III", "BA/L"], ["RI.2/II", "RI.2/III", "BA/L"]),
        (
            ["RI.1/RrII", "RI.1/IFI", "RI.2/III", "RI.1/RrII", "RI.1/II"],
            ["RI.1/RrII", "RI.1/IFI", "RI.2/III", "RI.2/RrII", "RI.1/II"],
        ),
    ],
)
def test_a_tile_of_both_rivers_is_named_by_the_present_river(read: list[str | None], named: list[str | None]) -> None:
    assert resolve_river_twins(read) == named
