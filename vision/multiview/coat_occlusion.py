"""Coats of arms read again once the pieces are found: an unseen one may be hidden by a piece, or may not exist."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scoring.carcassonne.tiles.catalogue import Catalogue
from vision.arrays import Floats, Ints
from vision.multiview.grouping import Joint
from vision.multiview.tile_fusion import compute_class_prior, join_logits
from vision.pieces.occlusion import compute_occlusion
from vision.reading.piece import Piece
from vision.squares.coat_posterior import SeenCoats, locate_coats, update_coat_evidence
from vision.survey.survey import PlacedSurvey

MIN_CHANGE_PROBABILITY = 0.001
"""Minimum change of a probability for which the rules are applied again. A guess."""


def update_hidden_coats(
    joint: Joint, pieces: Sequence[Sequence[Piece]], poses: Sequence[str], catalogue: Catalogue, twins: Ints
) -> Joint:
    """Return the photos with their coats of arms read again, given the pieces that each shows, in the common lattice.

    `poses` name those of the pieces, and `twins` (m, 2) are classes that differ in a coat of arms alone. If nothing
    changes, the result is the same object.
    """
    updated = [_update_view(*pair, poses, catalogue, twins) for pair in zip(joint.placed, pieces, strict=True)]
    if all(now is before for now, before in zip(updated, joint.placed, strict=True)):
        return joint
    return replace(
        joint, placed=tuple(updated), logits=join_logits(updated, joint.squares, compute_class_prior(catalogue))
    )


def _update_view(
    placed: PlacedSurvey, pieces: Sequence[Piece], poses: Sequence[str], catalogue: Catalogue, twins: Ints
) -> PlacedSurvey:
    survey, coats = placed.survey, placed.survey.logits.coats
    if coats is None:
        return placed
    occluded_coats = replace(
        coats, hidden=compute_coat_occlusion(placed, coats, pieces, poses, locate_coats(catalogue, twins))
    )
    before = survey.logits.layouts
    layouts = update_coat_evidence(before, twins, coats, occluded_coats)
    if np.abs(np.exp(layouts) - np.exp(before)).max() < MIN_CHANGE_PROBABILITY:
        return placed
    updated = replace(survey, logits=replace(survey.logits, layouts=layouts, coats=occluded_coats))
    return PlacedSurvey.at(updated, placed.step, catalogue)


def compute_coat_occlusion(
    placed: PlacedSurvey, coats: SeenCoats, pieces: Sequence[Piece], poses: Sequence[str], spots: Floats
) -> Floats:
    """Compute (n, m) how far a photo's pieces hide the place of each examined coat, 0 for the others.

    The pieces are in the common lattice, with the odds of their poses in the order of `poses`; `spots` are
    `locate_coats`.
    """
    leans = placed.leans(np.array([piece.at for piece in pieces]).reshape(-1, 2))
    examined = np.isfinite(coats.coat_logits)
    squares, pairs = np.nonzero(examined)
    corners = np.array(placed.survey.squares, np.float64)[squares, ::-1]
    places = placed.step.points((corners + spots[:, pairs]).reshape(-1, 2))
    hidden = np.zeros(examined.shape)
    hidden[examined] = compute_occlusion(places, pieces, leans, poses).reshape(len(spots), len(squares)).max(axis=0)
    return hidden
