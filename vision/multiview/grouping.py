"""Surveys of one board brought into one lattice; those of other boards are kept apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoring.carcassonne.tiles.catalogue import Catalogue
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats
from vision.geometry.lattice_transform import Step
from vision.multiview.alignment import Alignment, LatticeEvidence, align_lattices
from vision.multiview.tile_fusion import compute_class_prior, join_logits
from vision.squares.classifier import TileLogits
from vision.survey.survey import PlacedSurvey, Survey


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
    return [
        (survey, align_lattices(whole, _build_single_evidence(survey, catalogue), catalogue, prior))
        for survey in others
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
    squares = {square for view in placed for square in view.index}
    shift = Step(0, -min(row for row, _ in squares), -min(col for _, col in squares))
    if shift != Step():
        placed = [PlacedSurvey.at(view.survey, view.step.then(shift), catalogue) for view in placed]
    ordered = tuple(dict.fromkeys(square for view in placed for square in view.index))
    return Joint(tuple(placed), ordered, join_logits(placed, ordered, prior))


def _build_single_evidence(survey: Survey, catalogue: Catalogue) -> LatticeEvidence:
    placed = PlacedSurvey.at(survey, Step(), catalogue)
    return LatticeEvidence(survey.squares, survey.logits.layouts, [placed])
