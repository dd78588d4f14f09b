"""Squares that may show a coat of arms, each with copies of the same tile that surely show one, and surely none.

Every copy of a tile is printed alike: if a square lacks the mark that the other shows, and no piece stands there, it
has no coat of arms, however an art draws them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.arrays import Floats, Image, Ints
from vision.photo.crops import COARSE_PX, CROP_PX
from vision.reading.values import SURE_NATS
from vision.runtime.onnx import Net

CHANNELS = 9
"""Channels of the net's input: three pictures of three colours. Geometry of the net."""
MIN_TWIN_PROBABILITY = 0.3
"""Minimum joint probability of two twins for a square to be examined for a coat of arms. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class CoatViews:
    """The net's inputs for the k squares of a photo that may show a coat of arms.

    `squares` (k,) are their indices, `pairs` (k,) those of the most likely twins. `pictures` (k, CROP_PX, CROP_PX,
    CHANNELS) show the square as its tile is printed, then the copy with a coat, then the copy without; black if the
    photo has none.
    """

    squares: Ints
    pairs: Ints
    pictures: Image


def compute_coat_logits(net: Net | None, crops: Image, logits: Floats, twins: Ints, classes: Sequence[str]) -> Floats:
    """Compute (n, m) the net's logits of a coat of arms against none, NaN for squares that are not examined.

    The other arguments are those of `build_coat_views`.
    """
    coat_logits = np.full((len(crops), len(twins)), np.nan)
    views = build_coat_views(crops, logits, twins, classes)
    if net and len(views.squares):
        coat_logits[views.squares, views.pairs] = net(views.pictures)[0][:, 0]
    return coat_logits


def build_coat_views(crops: Image, logits: Floats, twins: Ints, classes: Sequence[str]) -> CoatViews:
    """Build the views of (n, CROP_PX, CROP_PX, 3) crops.

    The logits (n, classes) and (m, 2) twins are as for `vision.squares.coat_posterior`; `classes` name the net's own
    (`BA/Cc+@1`).
    """
    pairs, odds, share = find_likely_twins(logits, twins)
    squares = np.flatnonzero(share >= MIN_TWIN_PROBABILITY)
    tiles, turns = _parse_classes(tuple(classes), tuple(twins[:, 0].tolist()))
    pictures = np.zeros((len(squares), CROP_PX, CROP_PX, CHANNELS), np.uint8)
    upright = {i: np.rot90(crops[i], turns[pairs[i]]) for i in squares.tolist()}
    for picture, i in zip(pictures, squares.tolist(), strict=True):
        tile = tiles[pairs[i]]
        copies = [j for j in squares.tolist() if j != i and tiles[pairs[j]] == tile]
        picture[..., :3] = upright[i]
        for channel, sign in ((3, 1), (6, -1)):
            surest = max(copies, key=lambda j: sign * odds[j], default=i)
            if surest != i and sign * odds[surest] > SURE_NATS:
                alike = max(turns[k] for k in range(len(tiles)) if tiles[k] == tile) < 2
                aligned = _turn_alike(upright[i], upright[surest]) if alike else upright[surest]
                picture[..., channel : channel + 3] = aligned
    return CoatViews(squares, pairs[squares], pictures)


def find_likely_twins(logits: Floats, twins: Ints) -> tuple[Ints, Floats, Floats]:
    """Find (n,) the most likely twins for each square, the odds of the coat, and the pair's probability."""
    together = np.logaddexp(logits[:, twins[:, 0]], logits[:, twins[:, 1]])
    pairs = together.argmax(axis=1)
    rows = np.arange(len(logits))
    odds = logits[rows, twins[pairs, 1]] - logits[rows, twins[pairs, 0]]
    return pairs, odds, np.exp(together[rows, pairs] - np.logaddexp.reduce(logits, axis=1))


@cache
def _parse_classes(classes: tuple[str, ...], numbers: tuple[int, ...]) -> tuple[list[str], list[int]]:
    """Return the tiles and the clockwise quarter turns of some classes."""
    parted = [classes[number].partition("@") for number in numbers]
    return [tile for tile, _, _ in parted], [int(turns) for _, _, turns in parted]


def _turn_alike(upright: Image, copy: Image) -> Image:
    """Turn a copy of a tile that is symmetric under the rules by half a turn to match this one's print."""
    ways = copy, np.rot90(copy, 2)
    return max(ways, key=lambda way: float((_extract_outline(upright) * _extract_outline(way)).sum()))


def _extract_outline(crop: Image) -> Floats:
    small = cv2.resize(np.ascontiguousarray(crop), (COARSE_PX, COARSE_PX), interpolation=cv2.INTER_AREA)
    grey = small.astype(np.float64).mean(axis=2)
    deviation = grey - grey.mean()
    return np.asarray(deviation / max(float(np.linalg.norm(deviation)), 1e-9))
