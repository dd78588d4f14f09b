"""Surveys of one board brought into one lattice; those of other boards are kept apart.

Every quarter turn and offset of a lattice is weighed by the log-likelihood ratio of coinciding squares holding the same
tile against any two tiles (Bayes factors, summed over the photos' doubts). A board has so many tiles of so many kinds
that the true step stands out by dozens of nats; if it does not, the step is ambiguous and nothing is joined.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.carcassonne.tiles.catalogue import Catalogue
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import EVEN_ODDS, Floats, Ints
from vision.board.legal.pruning import REACH_NATS
from vision.geometry.lattice_transform import Step
from vision.multiview.tile_fusion import OVERLOOKED_SHARE, compute_class_prior, join_logits
from vision.photo.crops import compute_tile_px
from vision.reading.values import DOUBT_BELOW
from vision.squares.classifier import TileLogits
from vision.survey.survey import PlacedSurvey, Survey, map_turned_classes

MISREAD_SHARE = 0.05
"""Share of the squares that may be completely misread in one of two photos, or of the pieces. A guess."""
MAX_CANDIDATES = 8
"""Number of the best steps that are also weighed by the squares that each photo should then show. Bounds time."""

WeighedStep = tuple[float, int, Step]
"""The evidence of a step in nats, the number of squares that coincide, and the step."""


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """Surveys in one lattice, whose squares are counted from 0: the one that shows most first.

    The rows of `logits` belong to `squares`. `apart` are surveys that could not be joined to these, with the best step
    found.
    """

    placed: tuple[PlacedSurvey, ...]
    squares: tuple[Square, ...]
    logits: TileLogits
    apart: tuple[tuple[Survey, Alignment], ...] = ()


def group_surveys(surveys: Sequence[Survey], catalogue: Catalogue) -> Joint:
    """Return the largest group of surveys that join, by photos, then by tiles; the others are kept apart in it."""
    prior = compute_class_prior(catalogue)
    ordered = sorted(surveys, key=lambda survey: -survey.found)
    best: Joint | None = None
    left = ordered
    while left and (best is None or len(left) > len(best.placed)):
        group = _group_first_survey(left, catalogue, prior)
        best = group if best is None or len(group.placed) > len(best.placed) else best
        left = [survey for survey, _ in group.apart]
    if best is None:
        raise ValueError("no surveys to join")
    mine = {id(placed.survey) for placed in best.placed}
    others = [survey for survey in ordered if id(survey) not in mine]
    return Joint(best.placed, best.squares, best.logits, tuple(_try_alignments(best, others, catalogue, prior)))


def replace_surveys(joint: Joint, surveys: Sequence[Survey], catalogue: Catalogue) -> Joint:
    """Return the photos, placed as they were, with new surveys whose lattices are numbered in the same way."""
    placed = [PlacedSurvey.at(survey, view.step, catalogue) for survey, view in zip(surveys, joint.placed, strict=True)]
    return replace(_build_joint(placed, catalogue, compute_class_prior(catalogue)), apart=joint.apart)


def _try_alignments(
    joint: Joint, others: Sequence[Survey], catalogue: Catalogue, prior: Floats
) -> list[tuple[Survey, Alignment]]:
    """Align each of the others with the joint."""
    whole = LatticeEvidence(joint.squares, joint.logits.layouts, joint.placed)
    singles = [LatticeEvidence.of(PlacedSurvey.at(survey, Step(), catalogue)) for survey in others]
    return [
        (survey, align_lattices(whole, single, catalogue, prior))
        for survey, single in zip(others, singles, strict=True)
    ]


def _group_first_survey(surveys: Sequence[Survey], catalogue: Catalogue, prior: Floats) -> Joint:
    """Return the first survey and those that join it, the best match first; the others are kept apart."""
    joint = _build_joint([PlacedSurvey.at(surveys[0], Step(), catalogue)], catalogue, prior)
    left = list(surveys[1:])
    while left:
        tried = sorted(_try_alignments(joint, left, catalogue, prior), key=lambda attempt: -attempt[1].nats)
        survey, alignment = next(((s, a) for s, a in tried if a.is_sure), (None, None))
        if survey is None or alignment is None:
            return Joint(joint.placed, joint.squares, joint.logits, tuple(tried))
        left = [other for other in left if other is not survey]
        joint = _build_joint([*joint.placed, PlacedSurvey.at(survey, alignment.step, catalogue)], catalogue, prior)
    return joint


def _build_joint(placed: Sequence[PlacedSurvey], catalogue: Catalogue, prior: Floats) -> Joint:
    """Build the joint of surveys in the lattice whose squares begin at row 0 and column 0."""
    placed = count_from_zero(placed)
    ordered = tuple(dict.fromkeys(square for view in placed for square in view.index))
    return Joint(tuple(placed), ordered, join_logits(placed, ordered, prior))


def count_from_zero(placed: Sequence[PlacedSurvey]) -> list[PlacedSurvey]:
    """Return surveys in a lattice whose squares begin at row 0 and column 0."""
    squares = {square for view in placed for square in view.index}
    shift = Step(0, -min(row for row, _ in squares), -min(col for _, col in squares))
    if shift == Step():
        return [*placed]
    return [view.shift(shift) for view in placed]


@dataclass(frozen=True, slots=True, eq=False)
class LatticeEvidence:
    """Squares of a lattice with (n, K + 2) log-probabilities, and the photos that show them."""

    squares: Sequence[Square]
    log_probs: Floats
    views: Sequence[PlacedSurvey]

    @classmethod
    def of(cls, placed: PlacedSurvey) -> LatticeEvidence:
        """Return the evidence of a single photo."""
        return cls([*placed.index], placed.logits.layouts, [placed])


@dataclass(frozen=True, slots=True)
class Alignment:
    """The best step, its evidence in nats, that of the next best, and the number of squares that then coincide.

    The evidence must outweigh all possible steps, with `least` nats, and by these be beyond the next best, or beyond
    its reach.
    """

    step: Step
    nats: float
    runner_up: float
    overlap: int
    least: float

    @property
    def is_enough(self) -> bool:
        """Whether the photos have too much in common for chance."""
        return self.nats >= self.least

    @property
    def is_sure(self) -> bool:
        """Whether the photos have enough in common, and the best step alone explains it."""
        return self.is_enough and self.nats - self.runner_up >= min(REACH_NATS, self.least)


def align_lattices(
    here: LatticeEvidence, there: LatticeEvidence, catalogue: Catalogue, prior: Floats, grown: bool = False
) -> Alignment:
    """Find the step that leads from the lattice `there` to the lattice `here`.

    With `grown`, the photos are of one game, and tiles may have been placed between them: the further tiles of the
    larger board are no evidence against a step, and a board of a few tiles is enough if each is found again. A camera
    that stood still decides between steps for which the tiles speak alike. Steps that lead to the same board, turned,
    are no alternatives to each other: the photographer is taken to stay on one side of the table.
    """
    weigh_missing = _weigh_missing_of_smaller if grown else _weigh_missing_squares
    steps = sorted(_weigh_steps(here, there, catalogue, prior), key=lambda candidate: -candidate[0])
    likely, least = steps[:MAX_CANDIDATES], REACH_NATS + float(np.log(len(steps)))
    if grown:
        least = min(least, DOUBT_BELOW * min(_weigh_same_board(here, prior), _weigh_same_board(there, prior)))
        likely = [(nats + REACH_NATS * _is_steady(here, there, step), count, step) for nats, count, step in likely]
    weighed = sorted(
        ((nats + weigh_missing(here, there, step), n, step) for nats, n, step in likely), key=lambda f: -f[0]
    )
    if grown:
        weighed = _choose_among_alike(here, there, catalogue, weighed)
    (nats, overlap, step), rest = weighed[0], weighed[1:]
    return Alignment(step, nats, rest[0][0] if rest else -np.inf, overlap, least)


def _choose_among_alike(
    here: LatticeEvidence, there: LatticeEvidence, catalogue: Catalogue, steps: Sequence[WeighedStep]
) -> list[WeighedStep]:
    """Return steps, the best first, without those that lead to the same board as the best one without a turn."""
    boards = [_describe_joined_tiles(here, there, catalogue, step) for _, _, step in steps]
    alike = [one for one, board in zip(steps, boards, strict=True) if board == boards[0]]
    best = next((one for one in alike if one[2].turns == 0), None)
    return [*steps] if best is None else [best, *(one for one in steps if one not in alike)]


def _describe_joined_tiles(
    here: LatticeEvidence, there: LatticeEvidence, catalogue: Catalogue, step: Step
) -> tuple[tuple[int, int, int], ...]:
    """Describe the likeliest classes of all tiles after a step, in the same way however the board is turned.

    A tile that is read differently in both lattices has two.
    """
    theirs = map_turned_classes(catalogue, step.turns)[there.log_probs.argmax(axis=1)].tolist()
    tiles = {*zip(here.squares, here.log_probs.argmax(axis=1).tolist(), strict=True)}
    tiles |= {*zip(map(step.square, there.squares), theirs, strict=True)}
    none = here.log_probs.shape[1] - 1
    placed = [(square, number) for square, number in tiles if number != none]
    return min(_list_turned(placed, turns, map_turned_classes(catalogue, turns)) for turns in range(4))


def _list_turned(tiles: Sequence[tuple[Square, int]], turns: int, classes: Ints) -> tuple[tuple[int, int, int], ...]:
    """List (row, column, class) of turned tiles in order, counted from their first row and column."""
    moved = [(*Step(turns).square(square), int(classes[number])) for square, number in tiles]
    top, left = (min((tile[axis] for tile in moved), default=0) for axis in (0, 1))
    return tuple(sorted((row - top, col - left, number) for row, col, number in moved))


def _weigh_steps(
    here: LatticeEvidence, there: LatticeEvidence, catalogue: Catalogue, prior: Floats
) -> Iterator[WeighedStep]:
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


def _weigh_same_board(evidence: LatticeEvidence, prior: Floats) -> float:
    """Return the evidence of the tiles of a lattice if all of them are found again."""
    probabilities = np.exp(evidence.log_probs[evidence.log_probs.argmax(axis=1) < len(prior) - 1])
    return float(np.log(MISREAD_SHARE + (1 - MISREAD_SHARE) * (probabilities**2 / prior).sum(axis=1)).sum())


def _is_steady(here: LatticeEvidence, there: LatticeEvidence, step: Step) -> bool:
    """Return whether the squares of a photo lie at the same pixels in the other, within half a tile."""
    mine, other = here.views[-1], there.views[-1]
    if mine.size != other.size:
        return False
    quads = other.quads(there.squares)
    moved = mine.quads([step.square(square) for square in there.squares])
    distance = np.linalg.norm(moved.mean(axis=1) - quads.mean(axis=1), axis=1)
    return bool(np.median(distance / compute_tile_px(quads)) < EVEN_ODDS)


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
