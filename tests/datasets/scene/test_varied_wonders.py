"""Copies of wonders that are not as inferred."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.scene.varied_wonders import OTHER_SHAPES, vary_wonder
from scoring.carcassonne.tiles.geometry import SIDES
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.facts import STATED
from scoring.carcassonne.wonders.files import read_wonder
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout

SEEDS = (1, 2, 3)


def list_edges(layout: WonderLayout) -> list[str]:
    """What lies at each outer edge, by its first letter."""
    return [
        next((s.kind[0] for s in cell.segments if side in s.edges and s.kind != "field"), "f")
        for cell in layout.cells
        for side in SIDES
        if side not in cell.inside
    ]


@pytest.mark.parametrize("id", sorted(WONDERS))
def test_copies_are_what_the_rules_state_and_not_all_as_inferred(id: str) -> None:
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


def test_a_seed_gives_the_same_copy_again() -> None:
    first, again = (vary_wonder("WH/stonehenge", np.random.default_rng(5)) for _ in range(2))
    assert first.entry == again.entry
