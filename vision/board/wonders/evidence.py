"""The evidence of a board's squares for wonders: how strange each looks, the kinds at its sides, and pieces on their
heads.

Only a wonder's marker stands on its head, and it stays for good. A piece that seems to stand so is evidence for a
wonder on its square, and squares without such a piece are evidence against one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from scoring.calibration import load_weights
from scoring.carcassonne.tiles.catalogue import Catalogue
from scoring.carcassonne.tiles.geometry import SIDES, STEPS, Square
from vision.arrays import FLOOR, Flags, Floats, Ints
from vision.board.legal.problem import build_classes
from vision.squares.classifier import UNKNOWN_TILE_SHARES, TileLogits

EDGE_SHARES = np.array([0.45, 0.29, 0.25, 0.01])
"""Prior share of each of EDGE_KINDS among tile edges (4,). A guess."""
MIN_EDGE_PROBABILITY = 0.02
"""Minimum probability of each kind at a side of a square by the square alone, in art that no net knows: a known tile
beside it is better evidence. It also limits the evidence of an edge against a wonder. A guess."""
STEPS_BY_SIDE = tuple(STEPS[side] for side in SIDES)
"""The steps (down, right) across each side."""
MARGIN_SQUARES = 5
"""The grid's margin in squares: no wonder reaches farther from its own square (0, 0). Geometry of the piece."""
MarkerLooks = Mapping[Square, Sequence[float]]
"""The log-odds by their looks alone that the pieces on a square stand on their heads, in nats."""


@dataclass(frozen=True, slots=True, eq=False)
class SquareEvidence:
    """The evidence of n squares, in nats: how strange each looks (n,), and each kind at each of its sides (n, 4, 4).

    `ordinary` (n, 16) is the support of the catalogue's layouts for a square, by the set of its sides that count (bits
    N E S W). `unknown` (n,) is the probability that each is of no known layout, `bare` (n,) that it has no tile.
    `board` (n,) marks the largest group of squares that have a tile rather than none. `grid` has each square's index,
    -1 if there is none, with a margin of `MARGIN_SQUARES` squares, and `at` (n, 2) is the place of each on it.
    """

    strange: Floats
    edges: Floats
    ordinary: Floats
    unknown: Floats
    bare: Floats
    board: Flags
    grid: Ints
    at: Ints

    @classmethod
    def from_logits(cls, squares: Sequence[Square], logits: TileLogits, catalogue: Catalogue) -> SquareEvidence:
        """Return the evidence of squares (row, col), given the n rows of `logits`."""
        shares = np.exp(logits.layouts)
        known_share = np.maximum(shares[:, :-2].sum(axis=1), FLOOR)
        strange = weigh_strange_odds(compute_strange_odds(logits))
        strange += np.log(np.maximum(1 - shares[:, -1], FLOOR))
        grid, at = _build_grid(squares)
        edges = _weigh_edges(shares, np.exp(logits.edges), catalogue, grid, at)
        ordinary = _explain_by_catalogue(shares[:, :-2] / known_share[:, None], edges, catalogue)
        board = _find_largest_group(shares[:, -1] < 0.5, grid, at)
        return cls(strange, edges, ordinary, shares[:, -2], shares[:, -1], board, grid, at)

    def weigh_strangeness(self, apart: Flags) -> Floats:
        """Return (n, 16) the log-likelihood ratio of a wonder's square against any other tile, known or not.

        By the set of its sides that count. The share of tiles of no known layout is estimated on the squares other than
        those `apart` (n,), which a wonder explains.
        """
        rest = self.unknown[~apart]
        share = np.clip(rest.mean() if len(rest) else 0.0, UNKNOWN_TILE_SHARES.min(), UNKNOWN_TILE_SHARES.max())
        without = np.logaddexp(np.log(1 - share) + self.ordinary, np.log(share) + self.strange[:, None])
        return np.asarray(self.strange[:, None] - without)

    def bound_edge_gains(self) -> Floats:
        """Return (n, 16) upper bounds of the support of each square's edges for a wonder.

        By the set of its sides that count.
        """
        best = self.edges.max(axis=2)
        counted = (np.arange(16)[:, None] >> np.arange(4)) & 1
        return np.asarray(best @ counted.T)


def compute_strange_odds(logits: TileLogits) -> Floats:
    """Compute (n,) the log-odds that each square is of no known layout rather than of any known one."""
    known = np.logaddexp.reduce(logits.layouts[:, :-2], axis=1)
    least = np.log(FLOOR)
    return np.asarray(np.maximum(logits.layouts[:, -2], least) - np.maximum(known, least))


def weigh_strange_odds(odds: Floats) -> Floats:
    """Return the log-likelihood ratio of wonders' squares against known tiles, given these odds (n,).

    Fitted by `python -m models.calibration.wonders`.
    """
    fitted = load_weights("carcassonne", "wonders")["strange"]
    return np.asarray(np.clip(fitted["slope"] * odds + fitted["offset"], fitted["least"], fitted["most"]))


def load_single_nats() -> float:
    """Load by how many nats one wonder without another is less likely."""
    return load_weights("carcassonne", "wonders")["single"]["nats"]


def _build_grid(squares: Sequence[Square]) -> tuple[Ints, Ints]:
    """Build the grid of the squares' indices, and the place (n, 2) of each on it."""
    at = np.array(squares) - np.min(squares, axis=0) + MARGIN_SQUARES
    grid = np.full(at.max(axis=0) + MARGIN_SQUARES + 1, -1)
    grid[tuple(at.T)] = np.arange(len(at))
    return grid, at


def _find_largest_group(tile_flags: Flags, grid: Ints, at: Ints) -> Flags:
    """Mark (n,) the squares with a tile that belong to the largest connected group."""
    there = grid >= 0
    there[there] = tile_flags[grid[there]]
    _, groups = cv2.connectedComponents(there.astype(np.uint8), connectivity=4)
    sizes = np.bincount(groups.ravel())
    sizes[0] = 0
    return np.asarray(tile_flags & (groups[tuple(at.T)] == sizes.argmax()))


def _weigh_edges(shares: Floats, edge_probs: Floats, catalogue: Catalogue, grid: Ints, at: Ints) -> Floats:
    """Return the (n, 4, 4) evidence for each kind at each side, from the square itself and from its neighbour."""
    kinds = build_classes(catalogue).kinds[:-2]
    facing = np.stack([np.stack([shares[:, :-2] @ (kinds[:, side] == k) for k in range(4)], 1) for side in range(4)], 1)
    strange = (shares[:, -2] + FLOOR)[:, None, None]
    facing = facing + strange * edge_probs + shares[:, -1][:, None, None] * EDGE_SHARES
    evidence = np.log(np.maximum(edge_probs, MIN_EDGE_PROBABILITY))
    for side, (down, right) in enumerate(STEPS_BY_SIDE):
        beside = grid[at[:, 0] + down, at[:, 1] + right]
        there = np.flatnonzero(beside >= 0)
        across = facing[beside[there], (side + 2) % 4]
        evidence[there, side] += np.log(np.maximum(across / across.sum(axis=1, keepdims=True), FLOOR)) - np.log(
            EDGE_SHARES
        )
    evidence -= np.logaddexp.reduce(evidence, axis=2, keepdims=True)
    return np.asarray(np.maximum(evidence - np.log(EDGE_SHARES), np.log(MIN_EDGE_PROBABILITY)))


def _explain_by_catalogue(shares: Floats, edges: Floats, catalogue: Catalogue) -> Floats:
    """Return the support of the catalogue's layouts for a square (n, 16), by the set of its sides that count."""
    kinds = build_classes(catalogue).kinds[:-2]
    explained = [np.maximum(shares, FLOOR)]
    for side in range(4):
        likelier = np.exp(edges[:, side, :][:, kinds[:, side]])
        explained += [without * likelier for without in explained]
    return np.asarray(np.log(np.stack([each.sum(axis=1) for each in explained], axis=1)))


def count_marker_evidence(squares: Sequence[Square], looks: MarkerLooks) -> Floats:
    """Return (n,) the likelihood ratio of the pieces on each square with a wonder's marker among them.

    Fitted by `python -m models.calibration.markers`. It is summed over the squares of a wonder, relative to the number
    of pieces expected there without it.
    """
    look = load_weights("carcassonne", "wonders")["marker_look"]
    evidence = np.zeros(len(squares))
    for i, square in enumerate(squares):
        odds = np.array(looks.get(square, ()))
        nats = np.clip(look["slope"] * odds + look["offset"], look["least"], look["most"])
        evidence[i] = np.exp(nats).sum() / look["expected"]
    return evidence


def weigh_marker(evidence: Floats) -> Floats:
    """Return the log-likelihood ratio of a wonder given the pieces on squares; `evidence` is the sum over these."""
    none = load_weights("carcassonne", "wonders")["marker"]["none"]
    return np.asarray(np.log(none + (1 - none) * evidence))
