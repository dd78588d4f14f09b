"""Coats of arms told anew once the pieces are found: what is not seen may lie under one, or not be there at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scoring.carcassonne.catalogue import Catalogue
from vision.coats import Ints, SeenCoats, coats_told_anew
from vision.evidence import joined_logits, prior_of
from vision.grouping import Joint
from vision.hiding import hidden_shares
from vision.leaning import camera_over, leans_at
from vision.pieces import Piece
from vision.sightings import moved
from vision.survey import PlacedSurvey, Survey

CHANGE_LEAST = 0.001
"""Where no probability changes by so much, the rules need not be asked again."""


def told_beside_pieces(
    joint: Joint, pieces: Sequence[Sequence[Piece]], poses: Sequence[str], catalogue: Catalogue, twins: Ints
) -> Joint:
    """The same photos, their coats of arms told by the pieces that each shows, which are in the common lattice.

    `poses` name those of the pieces, `twins` (m, 2) are alike but for a coat of arms. It is the very same joint where
    nothing changes.
    """
    told = [_beside(*own, poses, catalogue, twins) for own in zip(joint.placed, pieces, strict=True)]
    if all(now is before for now, before in zip(told, joint.placed, strict=True)):
        return joint
    return replace(joint, placed=tuple(told), logits=joined_logits(told, joint.squares, prior_of(catalogue)))


def _beside(
    placed: PlacedSurvey, pieces: Sequence[Piece], poses: Sequence[str], catalogue: Catalogue, twins: Ints
) -> PlacedSurvey:
    survey, back = placed.survey, placed.step.inverse()
    if survey.logits.coats is None:
        return placed
    seen = coats_beside(survey, survey.logits.coats, [moved(piece, back) for piece in pieces], poses)
    before = survey.logits.layouts
    layouts = coats_told_anew(before, twins, survey.logits.coats, seen)
    if np.abs(np.exp(layouts) - np.exp(before)).max() < CHANGE_LEAST:
        return placed
    told = replace(survey, logits=replace(survey.logits, layouts=layouts, coats=seen))
    return PlacedSurvey.at(told, placed.step, catalogue)


def coats_beside(survey: Survey, coats: SeenCoats, pieces: Sequence[Piece], poses: Sequence[str]) -> SeenCoats:
    """What is said of a photo's coats once its pieces are found, which are in its own lattice."""
    camera = camera_over(survey.lattice.warp().homography, (survey.photo.width, survey.photo.height))
    leans = leans_at(camera, np.array([piece.at for piece in pieces]).reshape(-1, 2))
    return replace(coats, hidden=hidden_shares(survey.squares, pieces, leans, poses))
