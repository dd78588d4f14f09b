"""Accuracy of a classifier on squares of known corners: in tables composed for it, and in labelled photos."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from datasets.generate import gather_art, generate
from datasets.render.shots import Manner
from datasets.render.tabletops import MEASURED_KINDS
from models.samples.real_photos import find_training_labels
from models.samples.splits import CALIBRATION_SETS, LeftOut
from models.samples.tiles import CATALOGUE, find_class
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from vision.arrays import Image
from vision.board.expansions import apply_box_prior, infer_boxes
from vision.board.legal.board import find_legal_board
from vision.evaluation.labels import Truth, load_truth, read_truth
from vision.photo.crops import compute_tile_px, shrink_image
from vision.runtime.onnx import Net
from vision.squares.classifier import classify_squares
from vision.squares.square_reader import TILE_PX

MANNER = Manner((1600, 1200))
"""Size of the composed photos in pixels. A guess."""
SEED = 97
"""Seed of the composed tables. A guess."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts of base tiles in one art set or photo: exact from each picture alone, and on the legal board."""

    name: str
    tiles: int
    exact_alone: int
    exact: int


def read_squares(net: Net, image: Image, truth: Truth, name: str) -> Figures:
    """Read the squares of a photo (h, w, 3) BGR at the places given by its label.

    The net that recognises coats of arms is left out, since it has seen all editions.
    """
    quads = np.array([tile.corners_px for tile in truth.tiles])
    shrunk, scale = shrink_image(image, TILE_PX / float(np.median(compute_tile_px(quads))))
    logits = classify_squares(net, None, shrunk, quads * scale, np.ones(len(quads)))
    likely = apply_box_prior(logits.layouts, infer_boxes(logits.layouts, CATALOGUE))
    squares = [tile.square for tile in truth.tiles]
    board = find_legal_board(squares, likely, CATALOGUE, edge_log_probs=logits.edges)
    labelled = [i for i, tile in enumerate(truth.tiles) if tile.placement is not None]
    classes = [find_class(p.tile, p.turns) for i in labelled if (p := truth.tiles[i].placement)]
    alone, legal = logits.layouts.argmax(axis=1)[labelled], np.array([s.choice for s in board.squares])[labelled]
    return Figures(name, len(labelled), int((alone == classes).sum()), int((legal == classes).sum()))


def read_composed_tables(net: Net, left: LeftOut, art: Path, tables: int) -> Iterator[Figures]:
    """Yield the figures of composed tables in each whole set that is left out, except the calibration sets."""
    for folder in sorted(art / name for name in left.sets - {*CALIBRATION_SETS}):
        (tiles,) = gather_art([folder], [], SEED)
        if tiles.pictures.keys() >= {layout.id for layout in load_base_catalogue()}:
            shots = generate([tiles], MEASURED_KINDS, MANNER, tables, SEED)
            read = [read_squares(net, s.image, read_truth({"photo": n, **s.label}, n), n) for n, s in shots]
            yield sum_figures(folder.name, read)


def read_photos(net: Net, left: LeftOut, photos: Path, labels: Path) -> Iterator[Figures]:
    """Yield the figures of each labelled photo that is open to training and shows the edition left out."""
    for label in find_training_labels(labels):
        truth = load_truth(label)
        if truth.art and left.covers(label):
            image = np.asarray(cv2.imread(str(photos.parent / truth.photo)), dtype=np.uint8)
            yield read_squares(net, image, truth, truth.photo)


def sum_figures(name: str, figures: Sequence[Figures]) -> Figures:
    """Return the sum of several figures under a new name."""
    return Figures(name, *(sum(getattr(f, part) for f in figures) for part in ("tiles", "exact_alone", "exact")))
