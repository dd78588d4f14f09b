"""The step that leads from one lattice to another of the same board, found by the tiles that then coincide.

Every quarter turn and offset is weighed by the log-likelihood ratio of coinciding squares holding the same tile against
any two tiles (Bayes factors, summed over the photos' doubts). A board has so many tiles of so many kinds that the true
step stands out by dozens of nats; if it does not, the step is ambiguous and nothing is joined.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.carcassonne.tiles.catalogue import Catalogue
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats
from vision.geometry.lattice_transform import Step
from vision.multiview.tile_fusion import OVERLOOKED_SHARE
from vision.survey.survey import PlacedSurvey, map_turned_classes

MISREAD_SHARE = 0.05
"""Share of the squares that may be completely misread in one of two photos. A guess."""
MAX_CANDIDATES = 8
"""Number of the best steps that are also weighed by the squares that each photo should then show. Bounds time."""
MIN_STEP_NATS = 14.0
"""The evidence for a step must outweigh the roughly 1,500 possible steps by a hundred to one. A guess."""
MIN_LEAD_NATS = 6.0
"""Minimum lead of the best way to lay two boards over each other. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class LatticeEvidence:
    """Squares of a lattice with (n, K + 2) log-probabilities, and the photos that show them."""

    squares: Sequence[Square]
    log_probs: Floats
    views: Sequence[PlacedSurvey]


@dataclass(frozen=True, slots=True)
class Alignment:
    """The best step, its evidence in nats, that of the next best, and the number of squares that then coincide."""

    step: Step
    nats: float
    runner_up: float
    overlap: int

    @property
    def is_enough(self) -> bool:
        """Whether the photos have too much in common for chance."""
        return self.nats >= MIN_STEP_NATS

    @property
    def is_sure(self) -> bool:
        """Whether the photos have enough in common, and the best step alone explains it."""
        return self.is_enough and self.nats - self.runner_up >= MIN_LEAD_NATS


def align_lattices(
    here: LatticeEvidence, there: LatticeEvidence, catalogue: Catalogue, prior: Floats, grown: bool = False
) -> Alignment:
    """Find the step that leads from the lattice `there` to the lattice `here`.

    With `grown`, tiles may have been placed between the two photos, so the further tiles of the larger board are no
    evidence against a step.
    """
    weigh_missing = _weigh_missing_of_smaller if grown else _weigh_missing_squares
    likely = sorted(_weigh_steps(here, there, catalogue, prior), key=lambda candidate: -candidate[0])[:MAX_CANDIDATES]
    weighed = sorted(
        ((nats + weigh_missing(here, there, step), n, step) for nats, n, step in likely), key=lambda f: -f[0]
    )
    (nats, overlap, step), rest = weighed[0], weighed[1:]
    return Alignment(step, nats, rest[0][0] if rest else -np.inf, overlap)


def _weigh_steps(
    here: LatticeEvidence, there: LatticeEvidence, catalogue: Catalogue, prior: Floats
) -> Iterator[tuple[float, int, Step]]:
    """Yield every step that lays a square on a square: its evidence, the number of squares that coincide, the step."""
    mine, theirs = np.array(here.squares), there.squares
    weighed = np.exp(here.log_probs) / prior
    for turns in range(4):
        turned = np.array([Step(turns).square(square) for square in theirs])
        same = np.empty_like(there.log_probs)
        same[:, map_turned_classes(catalogue, turns)] = np.exp(there.log_probs)
        nats = np.log(MISREAD_SHARE + (1 - MISREAD_SHARE) * weighed @ same.T)
        offsets, which = np.unique((mine[:, None] - turned[None]).reshape(-1, 2), axis=0, return_inverse=True)
        sums = np.bincount(which.ravel(), nats.ravel())
        counts = np.bincount(which.ravel())
        for (row, col), total, count in zip(offsets.tolist(), sums.tolist(), counts.tolist(), strict=True):
            yield total, count, Step(turns, row, col)


def _weigh_missing_squares(here: LatticeEvidence, there: LatticeEvidence, step: Step) -> float:
    """Return the evidence against a step: squares that the other photos should show as well, but do not."""
    return _compute_missing_nats(there, here, step) + _compute_missing_nats(here, there, step.inverse())


def _weigh_missing_of_smaller(here: LatticeEvidence, there: LatticeEvidence, step: Step) -> float:
    """Return the evidence against a step if one board has grown into the other."""
    if len(there.squares) <= len(here.squares):
        return _compute_missing_nats(there, here, step)
    return _compute_missing_nats(here, there, step.inverse())


def _compute_missing_nats(evidence: LatticeEvidence, by: LatticeEvidence, step: Step) -> float:
    """Compute the evidence against a step from one side's squares that the other side shows but lacks."""
    other_squares = set(by.squares)
    moved = [step.square(square) for square in evidence.squares]
    missing = [i for i, square in enumerate(moved) if square not in other_squares]
    if not missing:
        return 0.0
    visible = np.any([view.shows([moved[i] for i in missing]) for view in by.views], axis=0)
    empty = np.exp(evidence.log_probs[missing, -1])
    return float(np.log(empty + OVERLOOKED_SHARE * (1 - empty))[visible].sum())
