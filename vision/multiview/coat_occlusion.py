"""Coats of arms read again once the pieces are found: an unseen one may be hidden by a piece, or may not exist."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scoring.carcassonne.tiles.catalogue import Catalogue
from vision.arrays import Floats, Ints
from vision.board.legal.problem import SHOWN_PROBABILITY
from vision.multiview.grouping import Joint
from vision.multiview.tile_fusion import compute_class_prior, join_logits
from vision.pieces.crops import estimate_heights
from vision.pieces.placement import FOOT_SPREAD_TILES
from vision.reading.piece import Piece
from vision.roads.printed_roads import HIDDEN_TILES
from vision.squares.coat_posterior import SeenCoats, locate_coats, update_coat_evidence
from vision.survey.survey import PlacedSurvey

POINT_STEP_TILES = 0.0625
"""Spacing of the 9 points in a square that represent a place; a coat of arms is about as large. A guess."""


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
    if np.abs(np.exp(layouts) - np.exp(before)).max() < SHOWN_PROBABILITY:
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


def compute_occlusion(places: Floats, pieces: Sequence[Piece], leans: Floats, poses: Sequence[str]) -> Floats:
    """Return the share (n,) of each of (n, 2) places that pieces hide, about the line from foot to head of each.

    Places (col, row) and pieces are in one lattice; `leans` (p, 2) are those of an object one tile tall at each piece,
    and `poses` is the order of the pieces' odds of poses.
    """
    steps = POINT_STEP_TILES * np.arange(-1, 2)
    points = np.asarray(places)[:, None] + np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    high = estimate_heights(np.array([piece.poses for piece in pieces]).reshape(-1, len(poses)), poses)
    hidden = np.zeros(points.shape[:2])
    for piece, head in zip(pieces, high[:, None] * leans, strict=True):
        beyond = points - piece.at
        up = np.clip(beyond @ head / max(float(head @ head), 1e-12), 0, 1)
        away = np.linalg.norm(beyond - up[..., None] * head, axis=-1)
        hidden = np.maximum(
            hidden, piece.presence / (1 + np.exp(np.minimum((away - HIDDEN_TILES) / FOOT_SPREAD_TILES, 500)))
        )
    return np.asarray(hidden.mean(axis=1))
