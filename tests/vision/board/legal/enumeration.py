"""The most probable board, found by trying every one."""

from __future__ import annotations

import numpy as np

from scoring.carcassonne.tiles.catalogue import list_layout_turns, load_base_catalogue
from vision.arrays import Floats

CATALOGUE = load_base_catalogue()
CLASSES = list_layout_turns(CATALOGUE)
OTHER, NONE = len(CLASSES), len(CLASSES) + 1
SHAPES = (((0, 0), (0, 1), (0, 2)), ((0, 0), (0, 1), (1, 0), (1, 1)), ((0, 0), (1, 0), (5, 5)))


def named(letter: str, turns: int = 0) -> int:
    layout = CATALOGUE[letter]
    return CLASSES.index((layout.id, turns % layout.symmetry))


def log_softmax(scores: Floats) -> Floats:
    return scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True)


def few_candidates(rng: np.random.Generator, squares: int) -> Floats:
    """Return six likely classes per square: tiles that look alike, other tiles, no tile."""
    scores = np.full((squares, len(CLASSES) + 2), -200.0)
    alike = [named(letter) for letter in "CXGFMNQT"]
    for row in scores:
        picked = rng.choice([*alike, *rng.integers(0, len(CLASSES), 8), OTHER, NONE], 6)
        row[picked] = rng.normal(0, 5, 6)
    return log_softmax(scores)
