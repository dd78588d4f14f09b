"""Accuracy on tiles of other boxes in printings that no training saw: `python -m models.evaluation.other_boxes`.

The tiles lie among those of measured art on composed tables, and are read at their own corners, slightly moved. The
topology is right if the class is; a tile is sure if its probability is at least `DOUBT_BELOW`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from datasets.render.compositor import compose, project_top_corners
from datasets.render.photometric import photograph
from datasets.render.random_tables import View, sample_table
from models.samples.splits import gather_held_out_printings
from models.samples.tiles import CLASSES, NONE, OTHER, find_tile_classes, stream_square_samples
from vision.arrays import Image, Ints, compute_softmax
from vision.evaluation.reliability import format_share
from vision.reading.values import DOUBT_BELOW
from vision.runtime.onnx import MODELS, Net
from vision.squares.classifier import compute_tile_logits

VIEW = View((640, 640), tile_px=(40, 90))
"""Cut-outs of composed photos, with tiles as large as those that are read. A guess."""
OTHERS_SHARE = 0.5
"""Share of the tiles that are of other boxes. A guess."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--art", type=Path, default=Path("../shared/tiles"))
    parser.add_argument("--model", type=Path, default=MODELS / "classifier.onnx")
    parser.add_argument("--tables", type=int, default=120)
    parser.add_argument("--seed", type=int, default=63)
    options = parser.parse_args(arguments)
    rng, net = np.random.default_rng(options.seed), Net(options.model)
    props = gather_held_out_printings(options.art, options.seed).props
    crops, classes, edges = list[Image](), list[int](), list[Ints]()
    for _ in range(options.tables):
        table = sample_table(props, VIEW, rng, crowd=0.1, others=OTHERS_SHARE)
        image = photograph(compose(table), rng)
        foreign = [tile for tile in table.tiles if tile.foreign]
        quads = {tile.square: project_top_corners(table, tile) for tile in foreign}
        truth = {tile.square: find_tile_classes(tile) for tile in foreign}
        for crop, label, kinds in stream_square_samples(
            image, quads, truth, {tile.square for tile in table.tiles}, rng
        ):
            if int(label) != NONE:
                crops.append(crop.astype(np.uint8))
                classes.append(int(label))
                edges.append(kinds.astype(np.int64))
    logits, sides = compute_tile_logits(net, np.stack(crops))
    # Without the class for no tile: a square of the lattice holds one.
    probs, right = compute_softmax(logits[:, :-1], axis=1), np.array(classes)
    read, known = probs.argmax(axis=1), np.array(edges) >= 0
    sure = probs.max(axis=1) >= DOUBT_BELOW
    sides_right = (sides.argmax(axis=2) == np.array(edges))[known]
    print(f"topology {format_share(int((read == right).sum()), len(right))}")
    print(f"edges {format_share(int(sides_right.sum()), len(sides_right))}")
    print(f"sure {format_share(int(sure.sum()), len(right))}")
    print(f"sure and wrong {format_share(int((sure & (read != right)).sum()), len(right))}")
    names = [*(f"{tile}@{turns}" for tile, turns in CLASSES), "unknown"]
    for (truth_class, read_class), count in Counter(zip(right, read, strict=True)).most_common():
        if truth_class != read_class and count > 1:
            print(f"{count} x {names[truth_class]} read as {names[min(read_class, OTHER)]}")


if __name__ == "__main__":
    main()
