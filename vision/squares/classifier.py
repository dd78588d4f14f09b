"""The tile on each square: all squares in one batch through the classifier, unclear ones in four turns.

A tile turned by a quarter is the same tile, turned by a quarter. The classifier does not know that: its four answers
differ, and their mean is right more often than any one of them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

import numpy as np

from vision.arrays import Floats, Image, Ints, compute_log_softmax, compute_softmax
from vision.photo.crops import crop_squares
from vision.runtime.onnx import Net
from vision.squares.catalogue import select_net_catalogue
from vision.squares.coat_classifier import compute_coat_logits
from vision.squares.coat_posterior import SeenCoats, apply_coat_evidence, find_coat_twins
from vision.squares.print_matching import Beyond, References

OTHER_PRIOR = 0.25
"""Frequency of other expansions' tiles on tables relative to the net's training crops. A guess."""
UNKNOWN_TILE_SHARES = np.array([0.003, 0.01, 0.03, 0.08, 0.2, 0.4])
"""The shares (6,) of a table's squares that tiles of no known layout may fill, all equally likely. A guess."""
NONE_PRIOR = 0.5
"""Frequency of squares without a tile on tables relative to those crops, if the localiser saw nothing. A guess."""
NONE_FLOOR = 0.01
"""The same if the localiser was sure of a tile. A guess."""
MIN_PLAIN_PROBABILITY = 0.85
"""Minimum probability in the first pass, before the temperature, of a clear square. Measured: of 4,000 crops of
calibration art (`models.training.calibrate_classifier`) as many are right as with four passes over each."""


@dataclass(frozen=True, slots=True, eq=False)
class TileLogits:
    """Calibrated log-probabilities of n squares.

    `layouts` (n, K + 2): the K turned layouts of the catalogue, a tile of another expansion, no tile; `edges` (n, 4,
    4): the kinds N, E, S, W as placed: field, road, city or river. `beyond` exists for one photo's own logits if tiles
    were enrolled: the identity of squares that are of no class of the catalogue. `coats`, of one photo as well, is the
    evidence for its coats of arms.
    """

    layouts: Floats
    edges: Floats
    beyond: Beyond | None = None
    coats: SeenCoats | None = None


def classify_squares(
    net: Net, coat_net: Net | None, image: Image, corners: Floats, support: Floats, enrolled: References | None = None
) -> TileLogits:
    """Read the squares with (n, 4, 2) corners NW, NE, SE, SW; see `crop_squares` for the size they should have.

    Without a `coat_net` coats of arms are as `net` alone sees them. `support` (n,) is the share of each square that the
    localiser marked as tile: evidence against `none`. `enrolled` are the prints that a person enrolled.
    """
    crops = crop_squares(image, corners)
    scores, edges = compute_tile_logits(net, crops)
    classes = tuple(net.metadata["classes"])
    twins = find_class_twins(classes)
    coat_logits = (
        compute_coat_logits(coat_net, crops, scores, twins, classes)
        if coat_net
        else np.full((len(crops), len(twins)), np.nan)
    )
    coats = SeenCoats.of(scores, twins, coat_logits)
    scores = apply_coat_evidence(scores, twins, coats)
    scores[:, -2] += np.log(OTHER_PRIOR)
    scores[:, -1] += np.log(NONE_PRIOR * (1 - support) + NONE_FLOOR)
    beyond = None
    if enrolled:
        scores, beyond = enrolled.weigh(scores, crops, twins)
    return TileLogits(compute_log_softmax(scores), compute_log_softmax(edges), beyond, coats)


def compute_tile_logits(net: Net, crops: Image) -> tuple[Floats, Floats]:
    """Compute the net's calibrated logits of (n, CROP_PX, CROP_PX, 3) crops.

    They are (n, K + 2) for the turned layouts, a strange tile and none, and (n, 4, 4) for the kinds of the edges.
    """
    layouts, edges = average_over_turns(net, crops)
    return layouts / float(net.metadata.get("temperature", 1.0)), edges


@cache
def find_class_twins(classes: tuple[str, ...]) -> Ints:
    """Find the pairs (n, 2) of a net's own classes that differ in a coat of arms alone."""
    return find_coat_twins(select_net_catalogue(classes))


def average_over_turns(net: Net, crops: Image) -> tuple[Floats, Floats]:
    """Return logits (n, classes), and (n, 4, kinds) of the edges N, E, S, W, of (n, h, h, 3) crops.

    For squares that are not clear at once they are the means over all four quarter turns of the crop.
    """
    layouts, edges = _run_net(net, crops)
    again = np.flatnonzero(compute_softmax(layouts, axis=1).max(axis=1) < MIN_PLAIN_PROBABILITY)
    if not len(again):
        return layouts, edges
    classes = tuple(net.metadata["classes"])
    turned = [np.rot90(crops[again], -turns, axes=(1, 2)) for turns in range(1, 4)]
    named, sides = (np.split(answers, len(turned)) for answers in _run_net(net, np.concatenate(turned)))
    for turns, (tiles, kinds) in enumerate(zip(named, sides, strict=True), 1):
        layouts[again] += tiles[:, map_turned_classes(classes, turns)]
        edges[again] += np.roll(kinds, -turns, axis=1)
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
