"""What the squares of a board tell about wonders: how strange each looks, and what lies at its sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from scoring.calibration import load_weights
from scoring.carcassonne.tiles.catalogue import Catalogue
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Flags, Floats, Ints
from vision.board.legal.problem import build_classes
from vision.squares.classifier import TileLogits

EDGE_SHARES = np.array([0.45, 0.29, 0.25, 0.01])
"""The share of all tile edges (4,) at which each of EDGE_KINDS lies."""
MAX_EDGE_NATS = 4.0
"""No edge speaks against a wonder with more nats than this."""
MIN_EDGE_PROBABILITY = 0.02
"""So likely at least each kind is at a side of a square by the square alone, in art that no net knows: a known tile
beside it tells more."""
MIN_UNKNOWN_SHARE, MAX_UNKNOWN_SHARE = 0.02, 0.5
"""The least and the greatest share of a table's tiles that may be of an unknown layout."""
MARGIN_SQUARES = 5
"""The grid's margin in squares: no wonder reaches farther from its own square (0, 0)."""
MIN_PROBABILITY = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class SquareEvidence:
    """What n squares tell, in nats: how strange each looks (n,), and each kind at each of its sides (n, 4, 4).

    `ordinary` (n, 16) is what layouts of the catalogue explain of a square, by the set of its sides that count (bits N
    E S W); `unknown` (n,) how likely each is of no known layout; `board` (n,) which are of the largest group of squares
    that hold some tile rather than none; `grid` holds each square's number, -1 where there is none, with a margin of
    `MARGIN_SQUARES` squares, and `at` (n, 2) where each lies on it.
    """

    strange: Floats
    edges: Floats
    ordinary: Floats
    unknown: Floats
    board: Flags
    grid: Ints
    at: Ints

    @classmethod
    def from_logits(cls, squares: Sequence[Square], logits: TileLogits, catalogue: Catalogue) -> SquareEvidence:
        """Return what squares (row, col) tell; the n rows of `logits` go with them."""
        shares = np.exp(logits.layouts)
        known_share = np.maximum(shares[:, :-2].sum(axis=1), MIN_PROBABILITY)
        strange = weigh_strange_odds(compute_strange_odds(logits))
        strange += np.log(np.maximum(1 - shares[:, -1], MIN_PROBABILITY))
        grid, at = _build_grid(squares)
        edges = _weigh_edges(shares, np.exp(logits.edges), catalogue, grid, at)
        ordinary = _explain_by_catalogue(shares[:, :-2] / known_share[:, None], edges, catalogue)
        board = _find_largest_group(shares[:, -1] < 0.5, grid, at)
        return cls(strange, edges, ordinary, shares[:, -2], board, grid, at)

    def weigh_strangeness(self, apart: Flags) -> Floats:
        """Return (n, 16) how much likelier each square is one of a wonder than any other tile, known or not.

        By the set of its sides that count. Among the squares but for those `apart` (n,), which a wonder explains, the
        share of tiles of no known layout is counted.
        """
        rest = self.unknown[~apart]
        share = np.clip(rest.mean() if len(rest) else 0.0, MIN_UNKNOWN_SHARE, MAX_UNKNOWN_SHARE)
        without = np.logaddexp(np.log(1 - share) + self.ordinary, np.log(share) + self.strange[:, None])
        return np.asarray(self.strange[:, None] - without)

    def bound_edge_gains(self) -> Floats:
        """Return (n, 16) how much the edges of each square may speak for a wonder at most, whatever it has there.

        By the set of its sides that count.
        """
        best = self.edges.max(axis=2)
        counted = (np.arange(16)[:, None] >> np.arange(4)) & 1
        return np.asarray(best @ counted.T)


def compute_strange_odds(logits: TileLogits) -> Floats:
    """Compute (n,) the odds, in nats, that each square is of no known layout rather than of any known one."""
    known = np.logaddexp.reduce(logits.layouts[:, :-2], axis=1)
    least = np.log(MIN_PROBABILITY)
    return np.asarray(np.maximum(logits.layouts[:, -2], least) - np.maximum(known, least))


def weigh_strange_odds(odds: Floats) -> Floats:
    """Return how much likelier, in nats, squares of wonders have such odds (n,) than those of known tiles.

    As fitted by `models.calibration.wonders`.
    """
    fitted = load_weights("carcassonne", "wonders")["strange"]
    return np.asarray(np.clip(fitted["slope"] * odds + fitted["offset"], fitted["least"], fitted["most"]))


def _build_grid(squares: Sequence[Square]) -> tuple[Ints, Ints]:
    """The squares' numbers on a grid, and where (n, 2) each lies on it."""
    at = np.array(squares) - np.min(squares, axis=0) + MARGIN_SQUARES
    grid = np.full(at.max(axis=0) + MARGIN_SQUARES + 1, -1)
    grid[tuple(at.T)] = np.arange(len(at))
    return grid, at


def _find_largest_group(tile_flags: Flags, grid: Ints, at: Ints) -> Flags:
    """Which (n,) of the squares that hold a tile are of the largest group of such that touch."""
    there = grid >= 0
    there[there] = tile_flags[grid[there]]
    _, groups = cv2.connectedComponents(there.astype(np.uint8), connectivity=4)
    sizes = np.bincount(groups.ravel())
    sizes[0] = 0
    return np.asarray(tile_flags & (groups[tuple(at.T)] == sizes.argmax()))


def _weigh_edges(shares: Floats, edge_probs: Floats, catalogue: Catalogue, grid: Ints, at: Ints) -> Floats:
    """How much (n, 4, 4) speaks for each kind at each side, by the square itself and by its neighbour."""
    kinds = build_classes(catalogue).kinds[:-2]
    facing = np.stack([np.stack([shares[:, :-2] @ (kinds[:, side] == k) for k in range(4)], 1) for side in range(4)], 1)
    strange = (shares[:, -2] + MIN_PROBABILITY)[:, None, None]
    facing = facing + strange * edge_probs + shares[:, -1][:, None, None] * EDGE_SHARES
    evidence = np.log(np.maximum(edge_probs, MIN_EDGE_PROBABILITY))
    for side, (down, right) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
        beside = grid[at[:, 0] + down, at[:, 1] + right]
        there = np.flatnonzero(beside >= 0)
        across = facing[beside[there], (side + 2) % 4]
        evidence[there, side] += np.log(
            np.maximum(across / across.sum(axis=1, keepdims=True), MIN_PROBABILITY)
        ) - np.log(EDGE_SHARES)
    evidence -= np.logaddexp.reduce(evidence, axis=2, keepdims=True)
    return np.asarray(np.maximum(evidence - np.log(EDGE_SHARES), -MAX_EDGE_NATS))


def _explain_by_catalogue(shares: Floats, edges: Floats, catalogue: Catalogue) -> Floats:
    """What layouts of the catalogue explain of a square (n, 16), by the set of its sides that count."""
    kinds = build_classes(catalogue).kinds[:-2]
    explained = [np.maximum(shares, MIN_PROBABILITY)]
    for side in range(4):
        likelier = np.exp(edges[:, side, :][:, kinds[:, side]])
        explained += [without * likelier for without in explained]
    return np.asarray(np.log(np.stack([each.sum(axis=1) for each in explained], axis=1)))
