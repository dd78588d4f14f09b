"""Fit what makes the odds of coats of arms honest: `python -m models.calibrate_coats LABEL.json ... --photos DIR`.

The tables are to be those of `models.calibrate_doubt`, which is fitted after it. Prints the two numbers of
`vision.coats`; a photo tells as much of them as its coats can be read.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from datasets.evaluate import find_photo
from datasets.labels import Truth, load_truth
from models.calibrate_doubt import OFFSET_SPREAD, SLOPE_SPREAD
from scoring.carcassonne.catalogue import turned_layouts
from vision.catalogue import catalogue_of
from vision.coats import SHARE, coats_seen, log_odds, readable
from vision.crops import crop_squares, tile_px
from vision.lamp import under_white_light
from vision.nets import MODELS, Net
from vision.photo import Photo
from vision.reader import TILE_PX
from vision.tiles import scores_of, twins_of

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("labels", type=Path, nargs="+")
    parser.add_argument("--photos", type=Path, required=True)
    options = parser.parse_args()
    net = Net(MODELS / "classifier.onnx")
    truths = [load_truth(label) for label in options.labels]
    seen = [coats_of(net, Photo.from_path(find_photo(truth.photo, options.photos)), truth) for truth in truths]
    known, odds, coats = (np.concatenate(parts) for parts in zip(*seen, strict=True))
    slope, offset = fitted(known, odds, coats)
    print(f"SLOPE, OFFSET = {slope:.2f}, {offset:.2f}  # {len(coats)} squares, {int(coats.sum())} with a coat of arms")


def fitted(known: Floats, odds: Floats, coats: Flags) -> tuple[float, float]:
    """Slope and offset of (n,) logits that make what is so likeliest, where coats are so likely known, (n,)."""
    signs, shares = np.where(coats, 1.0, -1.0), np.where(coats, SHARE, 1 - SHARE)

    def loss(numbers: Floats) -> float:
        slope, offset = numbers
        logs = log_odds(signs * (slope * odds + offset), known, shares)
        return float(((slope - 1) / SLOPE_SPREAD) ** 2 / 2 + (offset / OFFSET_SPREAD) ** 2 / 2 - logs.sum())

    slope, offset = minimize(loss, np.array([1.0, 0.0])).x.tolist()
    return slope, offset


def coats_of(net: Net, photo: Photo, truth: Truth) -> tuple[Floats, Floats, Flags]:
    """What a photo tells of its n tiles that have a twin but for a coat of arms, (n,) each.

    How likely its coats can be read, the net's logits of a coat against none, and whether there is one.
    """
    classes = tuple(net.metadata["classes"])
    number = {turned: i for i, turned in enumerate(turned_layouts(catalogue_of(classes)))}
    twins = twins_of(classes)
    quads = np.array([tile.corners_px for tile in truth.tiles])
    image, scale = photo.halves.sized(TILE_PX / float(np.median(tile_px(quads))))
    scores, _ = scores_of(net, crop_squares(under_white_light(image, quads * scale), quads * scale))
    laid = [tile.placement for tile in truth.tiles]
    own = np.array([number.get((p.tile, p.turns % p.layout.symmetry), -1) if p else -1 for p in laid])
    squares, pairs = np.nonzero((own[:, None, None] == twins).any(axis=2))
    odds = scores[squares, twins[pairs, 1]] - scores[squares, twins[pairs, 0]]
    known = np.full(len(odds), readable(*coats_seen(scores, twins)))
    return known, odds, np.asarray(own[squares] == twins[pairs, 1])


if __name__ == "__main__":
    main()
