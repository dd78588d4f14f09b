"""How well tiles of an edition are read by a classifier that never saw any: `python -m models.leave_out --edition C2`.

Trains from nothing without that edition's scans and without photos of its tiles (those that do not tell their edition
among them), or with `--set NAME` without one art set and the photos of its edition; then reads tables composed in
exactly the sets left out, and the labelled photos of the edition. It speaks of the base game alone, since of that every
edition has whole sets, and reads squares where they truly lie: what is told is how far the art carries over.
Checkpoint, weights and figures go to a folder of their own under `--runs` (`runs/without-C2`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.generate import gather_art, generate
from datasets.labels import Truth, load_truth, read_truth
from datasets.shares import counted, wilson_interval
from datasets.shots import Manner
from datasets.tabletops import MEASURED_KINDS
from models.material import CALIBRATION_SETS, LeftOut, material_without, without_edition, without_set
from models.real import training_labels
from models.samples import CATALOGUE, class_of
from models.train_classifier import new_net, recipe, write
from models.training import arguments, train
from scoring.carcassonne.catalogue import base_catalogue
from vision.boxes import boxes_seen, weighed_by_boxes
from vision.crops import shrink_to, tile_px
from vision.legal import legal_board
from vision.nets import Net
from vision.reader import TILE_PX
from vision.tiles import classify

Image = NDArray[np.uint8]

STEPS = 3000
"""Some 35 minutes on one core, of tables of the base game alone."""
MANNER = Manner((1600, 1200))
SEED = 97


@dataclass(frozen=True, slots=True)
class Figures:
    """Tiles of the base game in one art set or photo: exact by the picture of each alone, and on the legal board."""

    name: str
    tiles: int
    exact_alone: int
    exact: int


def read_squares(net: Net, image: Image, truth: Truth, name: str) -> Figures:
    """Read the squares of a photo (h, w, 3) BGR where its label says that they lie."""
    quads = np.array([tile.corners_px for tile in truth.tiles])
    shrunk, scale = shrink_to(image, TILE_PX / float(np.median(tile_px(quads))))
    logits = classify(net, shrunk, quads * scale, np.ones(len(quads)))
    likely = weighed_by_boxes(logits.layouts, CATALOGUE, boxes_seen(logits.layouts, CATALOGUE))
    squares = [tile.square for tile in truth.tiles]
    board = legal_board(squares, likely, CATALOGUE, edge_log_probs=logits.edges)
    known = [i for i, tile in enumerate(truth.tiles) if tile.placement is not None]
    laid = [class_of(p.tile, p.turns) for i in known if (p := truth.tiles[i].placement)]
    alone, legal = logits.layouts.argmax(axis=1)[known], np.array([s.choice for s in board.squares])[known]
    return Figures(name, len(known), int((alone == laid).sum()), int((legal == laid).sum()))


def composed(net: Net, left: LeftOut, art: Path, tables: int) -> Iterator[Figures]:
    """Figures of so many tables in each whole set that is left out; calibration has its own sets to itself."""
    for folder in sorted(art / name for name in left.sets - {*CALIBRATION_SETS}):
        (tiles,) = gather_art([folder], [], SEED)
        if tiles.pictures.keys() >= {layout.id for layout in base_catalogue()}:
            shots = generate([tiles], MEASURED_KINDS, MANNER, tables, SEED)
            read = [read_squares(net, s.image, read_truth({"photo": n, **s.label}, n), n) for n, s in shots]
            yield summed(folder.name, read)


def photographed(net: Net, left: LeftOut, photos: Path, labels: Path) -> Iterator[Figures]:
    """Figures of each labelled photo that may be trained on and shows the edition left out."""
    for label in training_labels(labels):
        truth = load_truth(label)
        if truth.art and left.covers(label):
            image = np.asarray(cv2.imread(str(photos.parent / truth.photo)), dtype=np.uint8)
            yield read_squares(net, image, truth, truth.photo)


def summed(name: str, figures: Sequence[Figures]) -> Figures:
    """The sum of several figures under a name of its own."""
    return Figures(name, *(sum(getattr(f, part) for f in figures) for part in ("tiles", "exact_alone", "exact")))


def _show(rows: Sequence[Figures]) -> None:
    for row in rows:
        if row.tiles:
            print(
                f"{row.name}: tiles exact {counted(row.exact, row.tiles)}, "
                f"by the picture alone {counted(row.exact_alone, row.tiles)}"
            )


def main() -> None:
    parser = argparse.ArgumentParser()
    chosen = parser.add_mutually_exclusive_group(required=True)
    chosen.add_argument("--edition", help="as in the manifest: C1, C2, C3, ...")
    chosen.add_argument("--set", help="one art set's folder")
    parser.add_argument("--tables", type=int, default=8, help="composed in each set that is left out")
    options = arguments(__doc__ or "", STEPS, cycles=1, parser=parser)
    try:
        left = (
            without_edition(options.art, options.edition) if options.edition else without_set(options.art, options.set)
        )
    except ValueError as error:
        parser.error(str(error))
    options.runs /= f"without-{options.edition or options.set}"
    material = partial(material_without, left, options.art, options.photos, options.labels)
    trained = train(recipe(options.steps), new_net(), options, material)
    write(trained, options.runs / "classifier.onnx", options)
    net = Net(options.runs / "classifier.onnx", options.threads)
    drawn = list(composed(net, left, options.art, options.tables))
    real = list(photographed(net, left, options.photos, options.labels))
    rows = [*drawn, summed("all composed tables", drawn), *real, summed("all photos", real)]
    _show(rows)
    said = [asdict(row) | {"interval_95": wilson_interval(row.exact, row.tiles)} for row in rows]
    (options.runs / "figures.json").write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
