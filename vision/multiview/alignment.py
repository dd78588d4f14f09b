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
from vision.multiview.tile_fusion import OVERLOOKED
from vision.survey.survey import PlacedSurvey, map_turned_classes

MISREAD = 0.05
"""Of the squares: how many may be read quite wrongly in one of two photos."""
CANDIDATES = 8
"""So many of the steps that bring most likeness are weighed by what each photo should then show, too."""
NATS_LEAST = 14.0
"""What speaks for a step must outweigh the some 1,500 steps that there are, with a hundred to one to spare."""
NATS_AHEAD = 6.0
"""And the next best step by so much."""


@dataclass(frozen=True, slots=True, eq=False)
class Known:
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
        """Whether as much in common is no chance."""
        return self.nats >= NATS_LEAST

    @property
    def is_sure(self) -> bool:
        """Whether it is besides the one step that explains it."""
        return self.is_enough and self.nats - self.runner_up >= NATS_AHEAD


def align_lattices(here: Known, there: Known, catalogue: Catalogue, prior: Floats, grown: bool = False) -> Alignment:
    """The step that leads from the lattice `there` to the lattice `here`.

    `grown`: tiles may have been laid between the two photos, so that those which the larger board has besides tell
    nothing.
    """
    missed = _missed_of_smaller if grown else _missed
    likely = sorted(_likely(here, there, catalogue, prior), key=lambda found: -found[0])[:CANDIDATES]
    weighed = sorted(((nats + missed(here, there, step), n, step) for nats, n, step in likely), key=lambda f: -f[0])
    (nats, overlap, step), rest = weighed[0], weighed[1:]
    return Alignment(step, nats, rest[0][0] if rest else -np.inf, overlap)


def _likely(here: Known, there: Known, catalogue: Catalogue, prior: Floats) -> Iterator[tuple[float, int, Step]]:
    """Every step that lays a square on a square: what speaks for it, how many squares coincide, the step."""
    mine, theirs = np.array(here.squares), there.squares
    weighed = np.exp(here.log_probs) / prior
    for turns in range(4):
        turned = np.array([Step(turns).square(square) for square in theirs])
        same = np.empty_like(there.log_probs)
        same[:, map_turned_classes(catalogue, turns)] = np.exp(there.log_probs)
        nats = np.log(MISREAD + (1 - MISREAD) * weighed @ same.T)
        offsets, which = np.unique((mine[:, None] - turned[None]).reshape(-1, 2), axis=0, return_inverse=True)
        sums = np.bincount(which.ravel(), nats.ravel())
        counts = np.bincount(which.ravel())
        for (row, col), total, count in zip(offsets.tolist(), sums.tolist(), counts.tolist(), strict=True):
            yield total, count, Step(turns, row, col)


def _missed(here: Known, there: Known, step: Step) -> float:
    """What speaks against a step: squares that the other photos should show as well, and do not."""
    return _lacking(there, here, step) + _lacking(here, there, step.inverse())


def _missed_of_smaller(here: Known, there: Known, step: Step) -> float:
    """Likewise where one board has grown into the other."""
    if len(there.squares) <= len(here.squares):
        return _lacking(there, here, step)
    return _lacking(here, there, step.inverse())


def _lacking(known: Known, by: Known, step: Step) -> float:
    """Likewise for the squares of one side, a step from the lattice of the other."""
    own = set(by.squares)
    moved = [step.square(square) for square in known.squares]
    missing = [i for i, square in enumerate(moved) if square not in own]
    if not missing:
        return 0.0
    shown = np.any([view.shows([moved[i] for i in missing]) for view in by.views], axis=0)
    empty = np.exp(known.log_probs[missing, -1])
    return float(np.log(empty + OVERLOOKED * (1 - empty))[shown].sum())
