"""Copies of wonders that differ from the inferred layouts."""

from __future__ import annotations

import json

import numpy as np
import pytest

from datasets.art.style import STYLES
from datasets.art.tileset import TileSet
from datasets.scene.varied_wonders import OTHER_SHAPES, Copies, vary_wonder
from scoring.carcassonne.board.board import Board, PlacedWonder
from scoring.carcassonne.board.label import read_label, write_label
from scoring.carcassonne.tiles.geometry import SIDES
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.files import read_wonder
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout
from scoring.carcassonne.wonders.validation import STATED
from scoring.errors import LabelError

SEEDS = (1, 2)


def list_edges(layout: WonderLayout) -> list[str]:
    """Return the kind of each outer edge, by its first letter."""
    return [
        next((s.kind[0] for s in cell.segments if side in s.edges and s.kind != "field"), "f")
        for cell in layout.cells
        for side in SIDES
        if side not in cell.inside
    ]


@pytest.mark.parametrize("id", sorted(WONDERS))
def test_copies_obey_the_rules_and_differ_from_the_inferred_layouts(id: str) -> None:
    inferred, stated = load_wonder_catalogue()[id], STATED[id]
    copies = [vary_wonder(id, np.random.default_rng(seed)) for seed in SEEDS]
    assert all(copy.squares == inferred.squares for copy in copies)
    assert any(list_edges(copy) != list_edges(inferred) for copy in copies)
    for copy in copies:
        assert sum(part.kind == "field" for part in copy.parts) == stated.fields
        assert list_edges(read_wonder(copy.entry)) == list_edges(copy)


@pytest.mark.parametrize("id", sorted(OTHER_SHAPES.keys() - {"WH/alhambra"}))
def test_reshaped_copies_lie_on_other_squares(id: str) -> None:
    copy = vary_wonder(id, np.random.default_rng(1), reshaped=True)
    assert copy.squares in OTHER_SHAPES[id]
    cities = sorted(len(set(part.squares)) for part in copy.parts if part.kind == "city")
    assert cities == sorted(STATED[id].cities)


def test_a_seed_reproduces_a_copy() -> None:
    first, again = (vary_wonder("WH/stonehenge", np.random.default_rng(5)) for _ in range(2))
    assert first.entry == again.entry


def test_a_label_holds_the_layout_of_a_copy() -> None:
    copy = vary_wonder("WH/angkor-wat", np.random.default_rng(2))
    lone = PlacedWonder(copy, (0, 0))
    label = write_label(Board({**lone.placements}))
    assert label["wonders"] == [copy.entry]
    (read,) = read_label(json.loads(json.dumps(label))).wonders
    assert (read.squares, list_edges(read.layout)) == (lone.squares, list_edges(copy))
    (inferred,) = read_label({key: label[key] for key in ("rows", "meeples")}).wonders
    assert inferred.layout is load_wonder_catalogue()["WH/angkor-wat"]


@pytest.mark.parametrize("wonders", ["WH/tikal", [1], [{"id": "WH/tikal"}]])
def test_invalid_wonders_in_a_label_are_one_clear_error(wonders: object) -> None:
    with pytest.raises(LabelError):
        read_label({"rows": ["D0"], "wonders": wonders})


def test_copies_are_drawn_by_their_layout() -> None:
    """At an edge with a road or city of a copy, the picture differs from that of a plain field."""
    style = STYLES["meadow"]
    copies = Copies(3, of_each=1)
    wonders = copies.sample(3, np.random.default_rng(1))
    tiles = copies.draw(TileSet("tried", {}, hand=style), wonders, 120)
    by_kind: dict[str, list[float]] = {"field": [], "road": [], "city": []}
    for wonder in wonders:
        (picture,) = tiles.wonders[wonder.id]
        assert picture.shape == (120 * wonder.extent, 120 * wonder.extent, 3)
        for (row, col), cell in zip(wonder.squares, wonder.cells, strict=True):
            square = picture[row * 120 : (row + 1) * 120, col * 120 : (col + 1) * 120]
            for side in set(SIDES) - set(cell.inside):
                edges = {
                    "N": square[:8, 54:66],
                    "S": square[-8:, 54:66],
                    "W": square[54:66, :8],
                    "E": square[54:66, -8:],
                }
                kind = next((s.kind for s in cell.segments if side in s.edges and s.kind != "field"), "field")
                by_kind[kind].append(float(edges[side].mean()))
    assert len(by_kind["road"]) >= 2
    fields = np.median(by_kind["field"])
    assert all(abs(value - fields) > 8 for value in by_kind["road"])
