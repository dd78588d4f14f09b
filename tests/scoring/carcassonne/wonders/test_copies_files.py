"""Layouts of copies: restored from their files, with other coats of arms, and confirmed by a person."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest
from shapely import Point

from datasets.scene.varied_wonders import OTHER_SHAPES, vary_wonder
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.files import (
    build_bare_wonder,
    change_coats,
    draw_plan,
    list_unsettled_cities,
    read_wonder,
    restore_wonder,
    settle_coats,
    settle_layout,
    vouch_for,
)
from scoring.carcassonne.wonders.tiles import COATS_UNSEEN, WONDERS, WonderLayout
from scoring.errors import CatalogueError

IDS = sorted(WONDERS)
SEEDS = dict(zip(IDS, (2, 3, 4, 3, 0, 1, 3, 2), strict=True))
"""Seeds that soon draw a copy, by wonder."""
STRIP = ((0, 0), (0, 1), (0, 2), (0, 3), (0, 4))
SQUARES = [pytest.param(id, w.squares, id=id) for id, w in sorted(load_wonder_catalogue().items())] + [
    pytest.param(id, shapes[-1], id=f"{id}-reshaped") for id, shapes in sorted(OTHER_SHAPES.items())
]


@cache
def copy_of(id: str) -> WonderLayout:
    """Return a copy whose edges are not the inferred ones, without coats of arms, of which nothing is a guess."""
    entry = dict(vary_wonder(id, np.random.default_rng(SEEDS[id])).entry)
    cities = [{key: value for key, value in city.items() if key != "coats"} for city in entry["cities"]]
    return read_wonder({**entry, "cities": cities})


@cache
def guessed_copy_of(id: str) -> WonderLayout:
    """Return a copy as a photo shows it: its inside is a guess, and its coats of arms are unseen."""
    return read_wonder({**copy_of(id).entry, "inferred": ["what lies within it", COATS_UNSEEN]})


@cache
def with_coats(layout: WonderLayout) -> tuple[WonderLayout, ...]:
    """Return the layout with one coat of arms more in each of its cities in turn."""
    return tuple(
        change_coats(layout, city, layout.count_coats(city) + 1)
        for city, part in enumerate(layout.parts)
        if part.kind == "city"
    )


@pytest.fixture(params=[*IDS, "WH/abu-simbel copy", "WH/alhambra copy", "WH/notre-dame copy"])
def unseen(request: pytest.FixtureRequest) -> WonderLayout:
    """Return a layout with unknown coats of arms, drawn with paths or planned."""
    id, _, copy = request.param.partition(" ")
    return guessed_copy_of(id) if copy else load_wonder_catalogue()[id]


def describe_squares(layout: WonderLayout) -> list[list[tuple[Any, ...]]]:
    """Describe the contents of each square and their places, coats of arms apart."""
    return [
        [(part, s.kind, s.geometry, s.edges, s.cities) for part, s in zip(cell.parts, cell.segments, strict=True)]
        for cell in layout.cells
    ]


def assert_same(layout: WonderLayout, other: WonderLayout) -> None:
    assert (layout.id, layout.name, layout.squares) == (other.id, other.name, other.squares)
    assert (layout.parts, layout.marker) == (other.parts, other.marker)
    assert describe_squares(layout) == describe_squares(other)
    assert count_coats(layout) == count_coats(other)
    assert (layout.inferred, layout.entry) == (other.inferred, other.entry)


def count_coats(layout: WonderLayout) -> list[int]:
    """Return the number of coats of arms of each city."""
    cities = [number for number, part in enumerate(layout.parts) if part.kind == "city"]
    return [sum(layout.cells[cell].segments[i].shields for cell, i in layout.members(number)) for number in cities]


def test_a_layout_is_restored_from_its_file(unseen: WonderLayout) -> None:
    assert_same(restore_wonder(json.loads(json.dumps(unseen.entry))), unseen)


@pytest.mark.parametrize("id", IDS)
def test_a_fully_known_copy_is_restored(id: str) -> None:
    restored = restore_wonder(copy_of(id).entry)
    assert_same(restored, copy_of(id))
    assert restored.inferred == ()
    assert not restored.is_guessed


@pytest.mark.parametrize(("id", "squares"), SQUARES)
def test_a_bare_wonder_has_only_known_squares_and_is_restored(id: str, squares: tuple[Square, ...]) -> None:
    bare = build_bare_wonder(id, squares)
    assert bare.is_bare
    assert bare.is_guessed
    assert bare.squares == squares
    assert [(part.kind, part.squares) for part in bare.parts] == [
        ("field", (0, 1, 2, 3, 4)),
        ("wonder", (0, 1, 2, 3, 4)),
    ]
    assert bare.parts[0].open_ends == 2 * sum(4 - len(cell.inside) for cell in bare.cells)
    restored = restore_wonder(json.loads(json.dumps(bare.entry)))
    assert_same(restored, bare)
    assert restored.is_bare


def test_shipped_layouts_and_copies_are_not_bare(unseen: WonderLayout) -> None:
    assert not unseen.is_bare


def test_an_incomplete_entry_is_restored_only_if_it_is_bare() -> None:
    entry = {"id": "WH/abu-simbel", "squares": [list(square) for square in STRIP]}
    assert restore_wonder(entry).is_bare
    with pytest.raises(CatalogueError) as caught:
        restore_wonder({**entry, "inferred": []})
    assert caught.value.code == "missing_key"


@pytest.mark.parametrize("squares", [STRIP[:4], (*STRIP[:4], (0, 3)), (*STRIP[:4], (1, 4))])
def test_a_bare_wonder_must_have_five_connected_squares(squares: tuple[Square, ...]) -> None:
    with pytest.raises(CatalogueError) as caught:
        restore_wonder({"id": "WH/abu-simbel", "squares": [list(square) for square in squares]})
    assert caught.value.code == "bad_squares"


def test_each_variant_adds_one_coat_of_arms_to_one_city(unseen: WonderLayout) -> None:
    before = count_coats(unseen)
    varied = with_coats(unseen)
    assert len(varied) == len(before) > 0
    for number, layout in enumerate(varied):
        assert count_coats(layout) == [coats + (city == number) for city, coats in enumerate(before)]
        assert (layout.id, layout.squares, layout.parts, layout.marker) == (
            unseen.id,
            unseen.squares,
            unseen.parts,
            unseen.marker,
        )
        assert describe_squares(layout) == describe_squares(unseen)
        assert layout.inferred == unseen.inferred


def test_a_coat_of_arms_lies_in_its_city_and_can_be_removed(unseen: WonderLayout) -> None:
    before = count_coats(unseen)
    for number, layout in enumerate(with_coats(unseen)):
        spots = [(cell, Point(spot)) for cell, square in enumerate(layout.cells) for spot in square.coat_spots]
        pieces = {cell: layout.cells[cell].segments[index].geometry for cell, index in layout.members(number)}
        assert sum(cell in pieces and pieces[cell].contains(spot) for cell, spot in spots) == before[number] + 1
        less = change_coats(layout, number, before[number])
        assert count_coats(less) == before
        assert sum(len(square.coat_spots) for square in less.cells) == sum(before)


def test_a_change_of_coats_of_arms_equals_the_file_without_redrawing(unseen: WonderLayout) -> None:
    drawn = read_wonder(unseen.entry)
    cities = [city for city, part in enumerate(drawn.parts) if part.kind == "city"]
    more = [change_coats(drawn, city, drawn.count_coats(city) + 1) for city in cities]
    less = [change_coats(layout, city, drawn.count_coats(city)) for city, layout in zip(cities, more, strict=True)]
    assert all(any(cell is old for cell, old in zip(layout.cells, drawn.cells, strict=True)) for layout in more)
    for layout in (*more, *less):
        draw_plan.cache_clear()
        for entry, changed in ((layout.entry, layout), (settle_coats(layout), settle_layout(layout))):
            assert_same(read_wonder(entry), changed)
            assert [cell.coat_spots for cell in read_wonder(entry).cells] == [cell.coat_spots for cell in changed.cells]


def test_a_city_has_no_more_coats_of_arms_than_squares(unseen: WonderLayout) -> None:
    city = next(number for number, part in enumerate(unseen.parts) if part.kind == "city")
    with pytest.raises(CatalogueError) as caught:
        change_coats(unseen, city, len(set(unseen.parts[city].squares)) + 1)
    assert caught.value.code == "bad_value"


def test_cities_with_inferred_coats_of_arms_are_unsettled(unseen: WonderLayout) -> None:
    cities = [number for number, part in enumerate(unseen.parts) if part.kind == "city"]
    assert [*list_unsettled_cities(unseen)] == cities


@pytest.mark.parametrize("id", IDS)
def test_known_coats_of_arms_are_settled(id: str) -> None:
    assert not list_unsettled_cities(copy_of(id))
    assert not list_unsettled_cities(read_wonder({**load_wonder_catalogue()[id].entry, "inferred": ["shape"]}))
    assert not list_unsettled_cities(build_bare_wonder(id, copy_of(id).squares))


def test_settling_coats_of_arms_keeps_them_and_removes_the_inference(unseen: WonderLayout) -> None:
    entry = settle_coats(unseen)
    assert entry["inferred"] == list(unseen.inferred)[:-1]
    settled = read_wonder(entry)
    assert settled.parts == unseen.parts
    assert describe_squares(settled) == describe_squares(unseen)
    assert not list_unsettled_cities(settled)
    assert settle_coats(settled) == entry
    assert COATS_UNSEEN in unseen.entry["inferred"]


def test_only_the_coats_of_arms_of_a_confirmed_layout_stay_inferred(unseen: WonderLayout) -> None:
    assert unseen.is_guessed
    vouched = vouch_for(unseen)
    assert vouched.inferred == (COATS_UNSEEN,)
    assert not vouched.is_guessed
    assert (vouched.parts, vouched.marker) == (unseen.parts, unseen.marker)
    assert describe_squares(vouched) == describe_squares(unseen)
    assert vouch_for(vouched).entry == vouched.entry


def test_nothing_is_inferred_if_the_coats_of_arms_are_also_known(unseen: WonderLayout) -> None:
    for layout in with_coats(unseen):
        vouched = vouch_for(read_wonder(settle_coats(layout)))
        assert vouched.inferred == ()
        assert describe_squares(vouched) == describe_squares(layout)
        assert count_coats(vouched) == count_coats(layout)
