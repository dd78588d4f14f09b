"""The costs of pieces are fitted by the pieces that really lie there."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx", reason="weights are written with the extra [train]")

from models.calibration.maps import KnownMap, fit_costs
from vision.world_wonders.pieces import Square
from vision.world_wonders.squares import KINDS, Sighted

FARM = KINDS.index("farm")
PAIR = [(0, 0), (0, 1)]
SHAPES = {"farm": (((0, 0),), ((0, 0), (0, 1)))}


def build_map(parted: bool) -> KnownMap:
    """Return the squares of two farms that a net cannot distinguish from one piece."""
    logits = np.where(np.arange(len(KINDS)) == FARM, 8.0, -8.0) * np.ones((1, 2, 1))
    sighted = Sighted(logits, np.zeros((1, 2, 2)), np.ones((1, 2), bool))
    whole = frozenset(PAIR)
    truth: dict[Square, tuple[str, frozenset[Square]]] = {
        square: ("farm", frozenset({square}) if parted else whole) for square in PAIR
    }
    return KnownMap(sighted, SHAPES, truth)


def test_pieces_cost_more_if_possible_splits_are_rare() -> None:
    seldom = [build_map(parted=False)] * 3 + [build_map(parted=True)]
    often = [build_map(parted=True)] * 3 + [build_map(parted=False)]
    costs = [fit_costs(maps).values for maps in (seldom, often)]
    assert costs[0]["piece"] > costs[1]["piece"]
    assert [row["squares"] for row in costs] == [8, 8]
    assert [row["wrong"] for row in costs] == [2, 2]
