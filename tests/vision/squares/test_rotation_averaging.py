"""Squares in four turns: names turn with the tiles, and unclear squares are read alike in every turn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.carcassonne.tiles.geometry import SIDES
from vision.arrays import compute_softmax
from vision.runtime.onnx import MODELS, Net
from vision.squares.catalogue import build_reading_catalogue
from vision.squares.classifier import MIN_PLAIN_PROBABILITY, average_over_turns, map_turned_classes

NET = Net(MODELS / "classifier.onnx", threads=1)
CLASSES = tuple(NET.metadata["classes"])


@given(st.integers(0, 3), st.integers(0, 3))
def test_turns_compose(first: int, second: int) -> None:
    both = map_turned_classes(CLASSES, second)[map_turned_classes(CLASSES, first)]
    assert both.tolist() == map_turned_classes(CLASSES, (first + second) % 4).tolist()


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_class_has_the_edges_of_the_turned_tile(turns: int) -> None:
    layouts = build_reading_catalogue()
    for name, number in zip(CLASSES[:-2], map_turned_classes(CLASSES, turns)[:-2], strict=True):
        (tile, class_turns), (other, other_turns) = name.split("@"), CLASSES[number].split("@")
        sides = [layouts[tile].edge(side, int(class_turns)) for side in SIDES]
        assert other == tile
        assert [layouts[tile].edge(side, int(other_turns)) for side in SIDES] == np.roll(sides, turns).tolist()


def test_classes_outside_the_catalogue_have_no_turn() -> None:
    assert CLASSES[-2:] == ("other", "none")
    assert map_turned_classes(CLASSES, 1)[-2:].tolist() == [len(CLASSES) - 2, len(CLASSES) - 1]


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_unclear_squares_are_read_alike_in_every_turn(turns: int) -> None:
    rng = np.random.default_rng(5)
    blots = rng.integers(0, 256, (48, 8, 8, 3), dtype=np.uint8).repeat(8, axis=1).repeat(8, axis=2)
    layouts, edges = average_over_turns(NET, blots)
    looks = [NET(np.ascontiguousarray(np.rot90(blots, -quarters, axes=(1, 2))))[0] for quarters in range(4)]
    surest = np.max([compute_softmax(np.asarray(look), axis=1).max(axis=1) for look in looks], axis=0)
    unclear = np.flatnonzero(surest < MIN_PLAIN_PROBABILITY)
    assert len(unclear) >= 3
    turned = np.ascontiguousarray(np.rot90(blots[unclear], -turns, axes=(1, 2)))
    again, sides = average_over_turns(NET, turned)
    np.testing.assert_allclose(again[:, map_turned_classes(CLASSES, turns)], layouts[unclear], atol=1e-4)
    np.testing.assert_allclose(np.roll(sides, -turns, axis=1), edges[unclear], atol=1e-4)
