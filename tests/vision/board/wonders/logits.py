"""Logits for the squares of a board with wonders."""

from __future__ import annotations

import numpy as np

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.tiles.catalogue import list_layout_turns
from scoring.carcassonne.tiles.geometry import SIDES
from vision.board.legal.problem import EDGE_KINDS
from vision.squares.catalogue import build_reading_catalogue
from vision.squares.classifier import TileLogits

CATALOGUE = build_reading_catalogue()
CLASSES = {name: i for i, name in enumerate(list_layout_turns(CATALOGUE))}
OTHER = len(CLASSES)


def logits_of(board: Board, rng: np.random.Generator, sure: float = 0.9, edge_sure: float = 0.9) -> TileLogits:
    """Return a net's logits for a board: squares of wonders and unknown tiles look like tiles of no known layout."""
    layouts = np.full((len(board.tiles), OTHER + 2), (1 - sure) / (OTHER + 1))
    edges = rng.dirichlet(np.full(4, 0.7), (len(board.tiles), 4))
    for i, placement in enumerate(board.tiles.values()):
        if placement is None or placement.wonder is not None:
            layouts[i, OTHER] = sure
        else:
            layout = CATALOGUE[placement.tile]
            layouts[i, CLASSES[layout.id, placement.turns % layout.symmetry]] = sure
        for n, side in enumerate(SIDES):
            if placement is not None and placement.edge(side) in EDGE_KINDS:
                edges[i, n] = (1 - edge_sure) / 3
                edges[i, n, EDGE_KINDS.index(placement.edge(side))] = edge_sure
    layouts /= layouts.sum(axis=1, keepdims=True)
    return TileLogits(np.log(layouts), np.log(np.maximum(edges, 1e-6)))
