"""Accuracy on tiles of other boxes in printings that no training saw: `python -m models.evaluation.other_boxes`.

The tiles lie among those of measured art on composed tables, and are read at their own corners, slightly moved. The
topology is right if the class is; a tile is sure if its probability is at least `DOUBT_BELOW`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from datasets.render.compositor import compose, project_top_corners
from datasets.render.photometric import photograph
from datasets.render.random_tables import Props, View, sample_table
from models.samples.splits import gather_held_out_printings
from models.samples.tiles import CLASSES, NONE, Sample, find_tile_classes, stream_square_samples
from vision.arrays import Floats, Ints, compute_softmax
from vision.evaluation.reliability import format_share
from vision.reading.values import DOUBT_BELOW
from vision.runtime.onnx import MODELS, Net
from vision.squares.classifier import compute_tile_logits

VIEW = View((640, 640), tile_px=(40, 90))
"""Cut-outs of composed photos, with tiles as large as those that are read. A guess."""
OTHERS_SHARE, CROWD = 0.5, 0.1
"""Share of the tiles that are of other boxes, and number of pieces per tile. A guess."""


def stream_held_out_samples(props: Props, tables: int, rng: np.random.Generator) -> Iterator[Sample]:
    """Yield the crops of the tiles of other boxes on `tables` tables, their classes, and those of their edges."""
    for _ in range(tables):
        table = sample_table(props, VIEW, rng, crowd=CROWD, others=OTHERS_SHARE)
        foreign = [tile for tile in table.tiles if tile.foreign]
        quads = {tile.square: project_top_corners(table, tile) for tile in foreign}
        truth = {tile.square: find_tile_classes(tile) for tile in foreign}
        board = {tile.square for tile in table.tiles}
        samples = stream_square_samples(photograph(compose(table), rng), quads, truth, board, rng)
        yield from (sample for sample in samples if int(sample[1]) != NONE)


def describe_figures(probs: Floats, classes: Ints, edge_logits: Floats, edges: Ints) -> Iterator[str]:
    """Describe the (n, K + 1) probabilities of known and unknown layouts and the (n, 4, 4) logits of edges.

    `classes` (n,) and `edges` (n, 4) are the true ones, an edge of no known kind -1. The commonest mistakes come last.
    """
    read, sure, known = probs.argmax(axis=1), probs.max(axis=1) >= DOUBT_BELOW, edges >= 0
    right_edges = (edge_logits.argmax(axis=2) == edges)[known]
    yield f"topology {format_share(int((read == classes).sum()), len(classes))}"
    yield f"edges {format_share(int(right_edges.sum()), len(right_edges))}"
    yield f"sure {format_share(int(sure.sum()), len(classes))}"
    yield f"sure and wrong {format_share(int((sure & (read != classes)).sum()), len(classes))}"
    names = [*(f"{tile}@{turns}" for tile, turns in CLASSES), "unknown"]
    for (label, answer), count in Counter(zip(classes.tolist(), read.tolist(), strict=True)).most_common():
        if label != answer and count > 1:
            yield f"{count} x {names[label]} read as {names[answer]}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--art", type=Path, default=Path("../shared/tiles"))
    parser.add_argument("--model", type=Path, default=MODELS / "classifier.onnx")
    parser.add_argument("--tables", type=int, default=120)
    parser.add_argument("--seed", type=int, default=63)
    options = parser.parse_args(arguments)
    props = gather_held_out_printings(options.art, options.seed).props
    samples = stream_held_out_samples(props, options.tables, np.random.default_rng(options.seed))
    crops, classes, edges = (np.stack(column) for column in zip(*samples, strict=True))
    logits, edge_logits = compute_tile_logits(Net(options.model), crops.astype(np.uint8))
    # Without the class for no tile: a square of the lattice holds one.
    probs = compute_softmax(logits[:, :-1], axis=1)
    print(*describe_figures(probs, classes.astype(np.int64), edge_logits, edges.astype(np.int64)), sep="\n")


if __name__ == "__main__":
    main()
