"""The evidence of several photos of one table on its squares, combined.

Every photo's evidence on a square is a distribution over its contents, and may be worthless (a hand, a glare): then
only the contents of the box are known. The evidence of independent photos multiplies. Photos from one place in one
light make the same mistakes, and so do nets in art that they have not seen, so two photos that agree count for less
than two.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.tiles.catalogue import Catalogue, list_layout_turns
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats
from vision.squares.classifier import TileLogits
from vision.squares.square_reader import TILE_PX
from vision.survey.survey import PlacedSurvey

OTHER_SHARE = 0.02
"""Prior share of a lattice's squares with tiles of other expansions. A guess."""
NONE_SHARE = 0.05
"""Prior share of a lattice's squares without a tile. A guess."""
BLIND_PROBABILITY = 0.02
"""Probability that a photo's evidence on a square is worthless. A guess."""
OVERLOOKED_SHARE = 0.15
"""Prior share of the tiles that a photo shows and its lattice or its cells lack, because of a hand or a glare, and of
the pieces. A guess."""
OVERLOOKED_PRIOR_TILES = 10
"""Weight of the prior `OVERLOOKED_SHARE` in counted tiles. A guess."""
MAX_INDEPENDENCE_SHARE = 0.5
"""Weight of a second photo from a completely different place: the nets, the art and the light are the same. A guess."""
INDEPENDENT_LEAN_TILES = 0.5
"""Difference of leans from which two photos count as taken from completely different places. A guess."""
FULL_TILE_PX = TILE_PX
"""Size in pixels beyond which a larger tile is read no better: squares are cut from a picture with tiles of it."""


@cache
def compute_class_prior(catalogue: Catalogue) -> Floats:
    """Compute (K + 2,) the frequency of each class on a square, by the contents of the box."""
    counts = np.array([catalogue[tile].count / catalogue[tile].symmetry for tile, _ in list_layout_turns(catalogue)])
    shares = np.maximum(counts, 0.25) / np.maximum(counts, 0.25).sum() * (1 - OTHER_SHARE - NONE_SHARE)
    return np.array([*shares, OTHER_SHARE, NONE_SHARE])


def join_logits(placed: Sequence[PlacedSurvey], squares: Sequence[Square], prior: Floats) -> TileLogits:
    """Join the log-probabilities of the squares from all photos; with a single photo, its own are returned."""
    if len(placed) == 1:
        return placed[0].logits
    visibility = [survey.shows(squares) for survey in placed]
    centres = np.array(squares, np.float64)[:, ::-1] + 0.5
    leans = np.array([survey.leans(centres) for survey in placed])
    overlooked = [
        _estimate_overlooked_share(survey, squares, there) for survey, there in zip(placed, visibility, strict=True)
    ]
    layouts, edges = [], []
    for n, square in enumerate(squares):
        having = [i for i, survey in enumerate(placed) if square in survey.index]
        layout_log_probs = [placed[i].logits.layouts[placed[i].index[square]] for i in having]
        sides = np.array([placed[i].logits.edges[placed[i].index[square]] for i in having])
        lacking = [overlooked[i] for i in range(len(placed)) if i not in having and visibility[i][n]]
        blind = [_estimate_blindness(placed[i], square) for i in having]
        layouts.append(
            _apply_missing_tile(_combine_log_probs(np.array(layout_log_probs), prior, blind, leans[having, n]), lacking)
        )
        edges.append(_combine_log_probs(sides, np.full(4, 0.25), blind, leans[having, n]))
    return TileLogits(np.array(layouts), np.array(edges))


def compute_repeat_discount(leans: Floats, informed: Floats) -> Floats:
    """Compute (...) the weight of the evidence of n photos on one thing, 1 / n to 1: less for dependent photos.

    `leans` (n, 2) indicate where each photo was taken; `informed` (n, ...) is the information in each. Errors that all
    photos share are never outvoted: however many there are, they count for a few, as measurements with equal
    correlations do.
    """
    total = informed.sum(axis=0)
    many = np.where(total > 0, total**2 / np.maximum((informed**2).sum(axis=0), 1e-12), 1.0)
    independence = _estimate_independence(leans)
    correlation = (1 - independence) / (1 + independence)
    return np.asarray(1 / (1 + correlation * (np.maximum(many, 1) - 1)))


def _estimate_independence(leans: Floats) -> float:
    """Estimate the independence of photos from their viewpoints: 0 for the same place."""
    pairs = [np.linalg.norm(a - b) for i, a in enumerate(leans) for b in leans[:i]]
    return MAX_INDEPENDENCE_SHARE * min(float(np.mean(pairs)) / INDEPENDENT_LEAN_TILES, 1.0) if pairs else 0.0


def _estimate_blindness(placed: PlacedSurvey, square: Square) -> float:
    survey_square = placed.step.inverse().square(square)
    return BLIND_PROBABILITY + OVERLOOKED_SHARE * (1 - placed.survey.lattice.support[survey_square])


def _combine_log_probs(log_probs: Floats, prior: Floats, blind: Sequence[float], leans: Floats) -> Floats:
    """Return log-probabilities (..., K) given those of n photos, (n, ..., K), and their prior, (K,)."""
    if len(log_probs) == 1:
        return np.asarray(log_probs[0])
    share = np.reshape(blind, (-1, *[1] * (log_probs.ndim - 1)))
    words = np.log((1 - share) * np.exp(log_probs) + share * prior) - np.log(prior)
    informed = (np.exp(log_probs) * np.maximum(words, -20.0)).sum(axis=-1).clip(min=0)
    joint = np.log(prior) + compute_repeat_discount(leans, informed)[..., None] * words.sum(axis=0)
    return np.asarray(joint - np.logaddexp.reduce(joint, axis=-1, keepdims=True))


def _estimate_overlooked_share(placed: PlacedSurvey, squares: Sequence[Square], visible: NDArray[np.bool_]) -> float:
    """Estimate the share of the squares visible in a photo that its lattice lacks, whatever their contents."""
    lacking = [square not in placed.index for square, there in zip(squares, visible, strict=True) if there]
    return (sum(lacking) + OVERLOOKED_SHARE * OVERLOOKED_PRIOR_TILES) / (len(lacking) + OVERLOOKED_PRIOR_TILES)


def _apply_missing_tile(log_probs: Floats, overlooked: Sequence[float]) -> Floats:
    """Return the log-probabilities (K + 2,) given photos with these shares of missed tiles that show no tile there."""
    if not overlooked:
        return log_probs
    weighed = log_probs + np.log(overlooked).sum()
    weighed[-1] = log_probs[-1]
    return np.asarray(weighed - np.logaddexp.reduce(weighed))
