"""The letter printed on a building tile, read from the full-size photo in any orientation of the tile.

Each type of building has a letter: B, F, H, M, T. None of them resembles another after quarter or half turns (an H maps
to itself after a half turn, and a turned M resembles Σ or W). The net sees each square in four turns and its outputs
are averaged, so that no orientation is favoured. A letter is on one of a tile's squares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scoring.world_wonders.kinds import BUILDINGS
from vision.arrays import Floats, Image, compute_softmax
from vision.flat_boards.board import BoardLie, project_to_board
from vision.flat_boards.reading import MIN_PROBABILITY
from vision.photo.crops import compute_tile_px, crop_squares
from vision.photo.pyramid import Halves
from vision.runtime.onnx import Net
from vision.world_wonders.layout import Grid
from vision.world_wonders.pieces import Piece, Pieces

Square = tuple[int, int]

LETTERS = "BFHMT"
"""The letters of the types of building, in the order of BUILDINGS."""
NONE = 0
"""Index of the net's first logit: no letter."""
SEEN_PX, MARGIN = 48, 0.1
"""Width of the net's input picture of a square, and the share of a square that it shows beyond each side. Geometry of
the net."""
TILE_MM = 2.0
"""Approximate thickness of cardboard, and so the height of a tile's print above the board. Geometry of the piece."""
OVERLOOKED_PROBABILITY = 5e-3
"""Minimum prior of each other type of building, however certain the reading by looks. A guess."""
MIN_DOUBT_PROBABILITY = 0.02
"""Minimum probability of a type by its letter for it to be a doubt. A guess."""


def classify_letters(photo: Halves, lie: BoardLie, grid: Grid, squares: Sequence[Square], net: Net) -> Floats:
    """Return the probabilities (n, 1 + letters) of each letter on squares of a map in a photo, no letter first."""
    if not squares:
        return np.zeros((0, 1 + len(LETTERS)))
    logits = compute_letter_logits(crop_map_squares(photo, lie, grid, squares), net) / net.metadata["temperature"]
    return compute_softmax(logits, axis=1)


def compute_letter_logits(pictures: Image, net: Net) -> Floats:
    """Compute (n, 1 + letters) logits of (n, SEEN_PX, SEEN_PX, 3) squares, averaged over their quarter turns."""
    turned_logits = [net(np.ascontiguousarray(np.rot90(pictures, turns, (1, 2))))[0] for turns in range(4)]
    return np.asarray(np.mean(turned_logits, axis=0), np.float64)


def crop_map_squares(photo: Halves, lie: BoardLie, grid: Grid, squares: Sequence[Square]) -> Image:
    """Crop (n, SEEN_PX, SEEN_PX, 3) pictures of squares from the photo, at no less than its resolution."""
    corners = np.array([grid.corners[square] for square in squares]).reshape(-1, 2)
    quads = lie.to_photo(project_to_board(lie.camera(photo.size), corners, TILE_MM)).reshape(-1, 4, 2)
    near, scale = photo.at_least(SEEN_PX / (1 + 2 * MARGIN) / float(compute_tile_px(quads).max()), room=1.0)
    return crop_squares(near, quads * scale, SEEN_PX, MARGIN)


def combine_letter_evidence(likely: Floats) -> Floats:
    """Combine probabilities (n, 1 + letters) of a tile's squares into those (1 + letters,) of its letter, none first.

    A tile has one letter, on one of its squares, or none if it is hidden or illegible.
    """
    square_odds = np.clip(likely, MIN_PROBABILITY, 1.0)
    weights = (square_odds / square_odds[:, :1]).sum(axis=0)
    weights[NONE] = 1.0
    return np.asarray(weights / weights.sum())


def find_letter_doubts(pieces: Pieces, likely: Mapping[Square, Floats]) -> dict[Piece, dict[str, float]]:
    """Find the types of building that a letter suggests for pieces read as something else, with their probabilities.

    `likely` are the probabilities of squares from `classify_letters`; pieces on none of these, and pieces with no
    contradicting evidence, are left out. A piece's reading stays as it is; a letter only raises a doubt.
    """
    doubts: dict[Piece, dict[str, float]] = {}
    for piece in pieces.pieces:
        square_odds = [likely[square] for square in piece.squares if square in likely]
        others = _find_other_types(pieces, piece, combine_letter_evidence(np.array(square_odds))) if square_odds else {}
        if others:
            doubts[piece] = others
    return doubts


def _find_other_types(pieces: Pieces, piece: Piece, letter: Floats) -> dict[str, float]:
    """Return the probability of each other sufficiently likely type of a piece, by its looks and its letter.

    A building without a legible letter may be of any type; other pieces have no letter.
    """
    by_looks = dict.fromkeys(BUILDINGS, OVERLOOKED_PROBABILITY)
    for square in piece.squares:
        for other in pieces.others.get(square, ()):
            if other.name in by_looks:
                by_looks[other.name] += other.probability / len(piece.squares)
    weights = {kind: by_looks[kind] * float(letter[1 + i]) for i, kind in enumerate(BUILDINGS)}
    none = float(letter[NONE])
    whole = sum(weights.values())
    scale = (1 - none) / whole if piece.name in BUILDINGS else 1 / (none + whole)
    shares = {kind: weight * scale for kind, weight in weights.items() if kind != piece.name}
    return {kind: share for kind, share in shares.items() if share >= MIN_DOUBT_PROBABILITY}
