"""Pieces seen in several photos of a table: those that are one piece, and its probability given all photos."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import SUREST, Floats, compute_sigmoid, compute_softmax
from vision.geometry.lattice_transform import Step
from vision.multiview.tile_fusion import compute_repeat_discount
from vision.pieces.classifier import compute_feet_distance, logit
from vision.reading.piece import Piece
from vision.survey.survey import PlacedSurvey

SAME_FOOT = 0.25
"""Feet in two photos that are nearer than this, in tiles, are one; within one photo more is known
(`vision.pieces.classifier`). A guess."""
SAME_PIECE = 0.45
"""Feet of one colour in two photos that are nearer than this, in tiles, are one: seen from two sides, a piece seems to
stand to either side of its foot. A guess."""
OVERLOOKED_PIECE_PROBABILITY = 0.13
"""Probability of a piece at a place that a photo shows and where the reader finds none. A guess."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A piece, and the index of the photo that shows it best."""

    piece: Piece
    best: int


def move_piece(piece: Piece, step: Step) -> Piece:
    """Return the piece in another lattice."""
    (col, row), (head_col, head_row) = step.points(np.array([piece.at, piece.head])).tolist()
    return replace(piece, at=(col, row), head=(head_col, head_row))


def join_pieces(pieces_by_photo: Sequence[Sequence[Piece]], placed: Sequence[PlacedSurvey]) -> list[Sighting]:
    """Join the pieces of all photos, in the common lattice, so that each piece appears once."""
    groups: list[dict[int, Piece]] = []
    every = [(photo, piece) for photo, pieces in enumerate(pieces_by_photo) for piece in pieces]
    for photo, piece in sorted(every, key=lambda entry: -entry[1].presence):
        open_groups = [group for group in groups if photo not in group and _compute_relative_distance(piece, group) < 1]
        if open_groups:
            min(open_groups, key=lambda group: _compute_relative_distance(piece, group))[photo] = piece
        else:
            groups.append({photo: piece})
    return [_build_sighting(group, placed) for group in groups]


def _compute_relative_distance(piece: Piece, group: dict[int, Piece]) -> float:
    """Compute the distance from the group's first piece, relative to the maximum for one piece."""
    first = next(iter(group.values()))
    alike = int(np.argmax(piece.colours)) == int(np.argmax(first.colours))
    return compute_feet_distance(piece, first) / (SAME_PIECE if alike else SAME_FOOT)


def _build_sighting(group: dict[int, Piece], placed: Sequence[PlacedSurvey]) -> Sighting:
    best = max(group, key=lambda photo: group[photo].presence)
    lacking = [i for i, survey in enumerate(placed) if i not in group and _is_piece_visible(survey, group[best])]
    if len(group) + len(lacking) == 1:
        return Sighting(group[best], best)
    photos = [*group, *lacking]
    leans = np.array([placed[i].leans(np.array([group[best].at]))[0] for i in photos])
    count = float(compute_repeat_discount(leans, np.ones(len(photos))))
    weights = np.array([piece.presence for piece in group.values()])
    at = weights @ np.array([piece.at for piece in group.values()]) / weights.sum()
    odds = float(logit(weights).sum() + len(lacking) * logit(np.array(OVERLOOKED_PIECE_PROBABILITY)))
    piece = Piece(
        at=(float(at[0]), float(at[1])),
        presence=float(compute_sigmoid(count * odds)),
        colours=_multiply_odds([piece.colours for piece in group.values()], count),
        poses=_multiply_odds([piece.poses for piece in group.values()], count),
        kinds=_multiply_odds([piece.kinds for piece in group.values()], count),
    )
    return Sighting(piece, best)


def _is_piece_visible(survey: PlacedSurvey, piece: Piece) -> bool:
    """Return whether a piece would be visible there: its square is visible as a square."""
    return piece.square in survey.index and bool(survey.shows_points(np.array([piece.at]))[0])


def _multiply_odds(odds: Sequence[Floats], count: float) -> Floats:
    """Return (K,) the product of distributions, to the power `count`."""
    if len(odds) == 1:
        return odds[0]
    log = count * np.log(np.maximum(odds, SUREST)).sum(axis=0)
    return compute_softmax(log)
