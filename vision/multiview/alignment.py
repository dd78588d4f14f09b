"""Which step leads from one lattice to another of the same board: by the tiles that then lie on each other.

Every quarter turn and offset is weighed by the logarithm of how much likelier both photos are if the squares that come
to lie on each other hold the same tile than if they hold any two (Bayes factors, the photos' doubts summed over). A
board has so many tiles of so many kinds that the true step stands out by dozens of nats; where it does not, nobody can
tell and nothing is joined.
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
"""The share of the squares that may be read quite wrongly in one of two photos."""
MAX_CANDIDATES = 8
"""This many of the steps that bring most likeness are weighed by what each photo should then show, too."""
MIN_STEP_NATS = 14.0
"""What speaks for a step must outweigh the some 1,500 possible steps, with a hundred to one to spare."""
MIN_LEAD_NATS = 6.0
"""The best step must be this far ahead of the next best one."""


@dataclass(frozen=True, slots=True, eq=False)
class LatticeEvidence:
    """Squares of a lattice with (n, K + 2) log-probabilities, and the photos that show them."""

    squares: Sequence[Square]
    log_probs: Floats
    views: Sequence[PlacedSurvey]


@dataclass(frozen=True, slots=True)
class Alignment:
    """The best step, what speaks for it in nats, what for the next best, and how many squares then coincide."""

    step: Step
    nats: float
    runner_up: float
    overlap: int

    @property
    def is_enough(self) -> bool:
        """Whether the photos have so much in common that it is no chance."""
        return self.nats >= MIN_STEP_NATS

    @property
    def is_sure(self) -> bool:
        """Whether the photos have enough in common, and the best step alone explains it."""
        return self.is_enough and self.nats - self.runner_up >= MIN_LEAD_NATS


def align_lattices(
    here: LatticeEvidence, there: LatticeEvidence, catalogue: Catalogue, prior: Floats, grown: bool = False
) -> Alignment:
    """Find the step that leads from the lattice `there` to the lattice `here`.

    With `grown`, tiles may have been placed between the two photos, so that those which the larger board has besides
    tell nothing.
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
    """Every step that lays a square on a square: what speaks for it, how many squares coincide, the step."""
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
    """What speaks against a step: squares that the other photos should show as well, and do not."""
    return _compute_missing_nats(there, here, step) + _compute_missing_nats(here, there, step.inverse())


def _weigh_missing_of_smaller(here: LatticeEvidence, there: LatticeEvidence, step: Step) -> float:
    """Return what speaks against a step where one board has grown into the other."""
    if len(there.squares) <= len(here.squares):
        return _compute_missing_nats(there, here, step)
    return _compute_missing_nats(here, there, step.inverse())


def _compute_missing_nats(evidence: LatticeEvidence, by: LatticeEvidence, step: Step) -> float:
    """Compute what speaks against a step by the squares of one side that the other side's photos show, but do not
    have."""
    other_squares = set(by.squares)
    moved = [step.square(square) for square in evidence.squares]
    missing = [i for i, square in enumerate(moved) if square not in other_squares]
    if not missing:
        return 0.0
    visible = np.any([view.shows([moved[i] for i in missing]) for view in by.views], axis=0)
    empty = np.exp(evidence.log_probs[missing, -1])
    return float(np.log(empty + OVERLOOKED_SHARE * (1 - empty))[visible].sum())
