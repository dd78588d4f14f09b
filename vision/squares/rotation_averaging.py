"""Squares classified in four turns: a tile turned by a quarter is the same tile, turned by a quarter.

The classifier does not know that: its four answers differ, and their mean is right more often than any one of them. A
square that is clear in the first pass is not classified again.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np

from vision.arrays import Floats, Image, Ints, compute_softmax
from vision.runtime.onnx import Net

MIN_PLAIN_PROBABILITY = 0.85
"""Minimum probability in the first pass, before the temperature, of a clear square. Measured: of 4,000 crops of
calibration art (`models.training.calibrate_classifier`) as many are right as with four passes over each."""
TURNS = (1, 2, 3)
"""The clockwise quarter turns beside the first pass. Geometry of the lattice."""


def average_over_turns(net: Net, crops: Image) -> tuple[Floats, Floats]:
    """Return logits (n, classes), and (n, 4, kinds) of the edges N, E, S, W, of (n, h, h, 3) crops.

    For squares that are not clear at once they are the means over all four quarter turns of the crop.
    """
    layouts, edges = _run_net(net, crops)
    again = np.flatnonzero(_compute_largest_probability(layouts) < MIN_PLAIN_PROBABILITY)
    if not len(again):
        return layouts, edges
    classes = tuple(net.metadata["classes"])
    turned = [np.rot90(crops[again], -turns, axes=(1, 2)) for turns in TURNS]
    named, sides = (np.split(answers, len(TURNS)) for answers in _run_net(net, np.concatenate(turned)))
    for number, turns in enumerate(TURNS):
        layouts[again] += named[number][:, map_turned_classes(classes, turns)]
        edges[again] += np.roll(sides[number], -turns, axis=1)
    layouts[again] /= 4
    edges[again] /= 4
    return layouts, edges


@cache
def map_turned_classes(classes: tuple[str, ...], turns: int) -> Ints:
    """Return (n,) the index of each class (`BA/RCr@0` and so on, then other and none) after clockwise quarter turns."""
    ways = Counter(tile for tile, at, _ in map(_split_name, classes) if at)
    numbers = {name: number for number, name in enumerate(classes)}
    return np.array([numbers[_turn_name(name, turns, ways)] for name in classes], np.int64)


def _turn_name(name: str, turns: int, ways: Counter[str]) -> str:
    tile, at, quarter = _split_name(name)
    return f"{tile}@{(int(quarter) + turns) % ways[tile]}" if at else name


def _split_name(name: str) -> tuple[str, str, str]:
    return name.partition("@")


def _run_net(net: Net, crops: Image) -> tuple[Floats, Floats]:
    layouts, edges, _ = net(crops)
    return layouts.astype(np.float64), edges.reshape(len(crops), 4, -1).astype(np.float64)


def _compute_largest_probability(layouts: Floats) -> Floats:
    """Compute (n,) the probability of the most likely class."""
    return np.asarray(compute_softmax(layouts, axis=1).max(axis=1))
