"""Photos of one game in chronological order, aligned in one lattice: the time of each tile, and its identity.

A tile does not change after it is laid. Each later photo is therefore evidence of its identity, and each earlier one
only of the square being empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from scoring.carcassonne.tiles.catalogue import Catalogue
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats
from vision.board.legal.problem import SHOWN_PROBABILITY
from vision.errors import ReadingError
from vision.geometry.lattice_transform import Step
from vision.multiview.grouping import MISREAD_SHARE, Alignment, LatticeEvidence, align_lattices, count_from_zero
from vision.multiview.tile_fusion import compute_class_prior, join_logits
from vision.reading.values import DOUBT_BELOW, SURE_NATS
from vision.squares.classifier import TileLogits
from vision.survey.survey import PlacedSurvey, Survey

BEYOND_BORDER_PROBABILITY = 0.2
"""Probability that a tile beyond a photo's border was there: photos show almost the whole board. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class Timeline:
    """The photos in chronological order, in one lattice whose squares count from 0.

    `since` is the number of the first photo with each square's tile, and `logits` are in the order of its squares;
    `unsure` are squares whose time may differ. `apart` are photos of another board, each with the best alignment found.
    `left_out` are photos after those placed that cannot follow them, because of the error `stopped`.
    """

    placed: tuple[PlacedSurvey, ...]
    since: Mapping[Square, int]
    logits: TileLogits
    unsure: frozenset[Square]
    apart: tuple[tuple[Survey, Alignment], ...] = ()
    left_out: tuple[Survey, ...] = ()
    stopped: ReadingError | None = None


def build_timeline(surveys: Sequence[Survey], catalogue: Catalogue) -> Timeline:
    """Build the timeline of one growing board from as many photos as possible, and keep the others apart.

    If tiles vanish from one photo to the next, the timeline ends before them (`photos_out_of_order`). Raises that
    ReadingError if fewer than 2 photos are left.
    """
    prior = compute_class_prior(catalogue)
    chain, apart = _find_largest_chain(surveys, catalogue, prior)
    growing, stopped = _end_before_shrinking(chain)
    if stopped is not None and len(growing) < 2:
        raise stopped
    placed = count_from_zero(growing)
    squares = sorted({square for photo in placed for square in photo.index})
    weighed = _weigh_times(placed, squares)
    times = weighed.argmax(axis=0)
    tiled = [n for n, time in enumerate(times) if time < len(placed)]
    margins = np.diff(np.sort(weighed, axis=0)[-2:], axis=0)[0]
    since = {squares[n]: int(times[n]) for n in tiled}
    unsure = frozenset(squares[n] for n in tiled if margins[n] < SURE_NATS)
    left_out = tuple(photo.survey for photo in chain[len(growing) :])
    logits = _join_logits_since(placed, since, prior)
    return Timeline(tuple(placed), since, logits, unsure, tuple(apart), left_out, stopped)


def _find_largest_chain(
    surveys: Sequence[Survey], catalogue: Catalogue, prior: Floats
) -> tuple[list[PlacedSurvey], list[tuple[Survey, Alignment]]]:
    best: tuple[list[PlacedSurvey], list[tuple[Survey, Alignment]]] = [], []
    remaining = list(surveys)
    while len(remaining) > len(best[0]):
        placed, apart = _chain_surveys(remaining, catalogue, prior)
        best = max((placed, apart), best, key=lambda group: len(group[0]))
        remaining = [survey for survey, _ in apart]
    mine = {id(photo.survey) for photo in best[0]}
    others = [survey for survey in surveys if id(survey) not in mine]
    return best[0], [(survey, _align_survey(best[0][0], survey, catalogue, prior)) for survey in others]


def _chain_surveys(
    surveys: Sequence[Survey], catalogue: Catalogue, prior: Floats
) -> tuple[list[PlacedSurvey], list[tuple[Survey, Alignment]]]:
    """Return the last survey and each earlier one that joins its successor, and the surveys apart from these."""
    placed = [PlacedSurvey.at(surveys[-1], Step(), catalogue)]
    apart: list[tuple[Survey, Alignment]] = []
    for survey in reversed(surveys[:-1]):
        alignment = _align_survey(placed[0], survey, catalogue, prior)
        if alignment.is_sure:
            placed.insert(0, PlacedSurvey.at(survey, alignment.step, catalogue))
        else:
            apart.insert(0, (survey, alignment))
    return placed, apart


def _align_survey(placed: PlacedSurvey, survey: Survey, catalogue: Catalogue, prior: Floats) -> Alignment:
    there = LatticeEvidence.of(PlacedSurvey.at(survey, Step(), catalogue))
    return align_lattices(LatticeEvidence.of(placed), there, catalogue, prior, grown=True)


def _end_before_shrinking(chain: Sequence[PlacedSurvey]) -> tuple[Sequence[PlacedSurvey], ReadingError | None]:
    """Return the photos before the first one that lacks tiles of its predecessor without adding any, and the error."""
    for number, (before, after) in enumerate(pairwise(chain), 1):
        gone, come = _list_vanished(before, after), set(_list_sure_tiles(after)) - set(_list_sure_tiles(before))
        if gone and not come:
            details = {"earlier": before.survey.photo.file, "later": after.survey.photo.file, "tiles": len(gone)}
            return chain[:number], ReadingError("photos_out_of_order", details=details)
    return chain, None


def _list_vanished(before: PlacedSurvey, after: PlacedSurvey) -> list[Square]:
    """Return the squares that certainly hold a tile in one photo and none in the next, including those cut off
    there.
    """
    lacking = _compute_empty_odds(after)
    return [square for square in _list_sure_tiles(before) if lacking.get(square, 1.0) > 0.5]


def _list_sure_tiles(placed: PlacedSurvey) -> list[Square]:
    return [square for square, empty in _compute_empty_odds(placed).items() if empty < 1 - DOUBT_BELOW]


def _compute_empty_odds(placed: PlacedSurvey) -> Mapping[Square, float]:
    """Return the probability that each square of a photo's lattice is empty."""
    return {square: float(np.exp(placed.logits.layouts[n, -1])) for square, n in placed.index.items()}


def _weigh_times(placed: Sequence[PlacedSurvey], squares: Sequence[Square]) -> Floats:
    """Return the evidence (n + 1, m) for each of m squares having its tile since each of n photos, or never."""
    evidence = np.array([_weigh_presence(photo, squares) for photo in placed])
    absent, present = evidence[..., 0], evidence[..., 1]
    none = np.zeros((1, len(squares)))
    before = np.concatenate([none, absent.cumsum(axis=0)])
    since = np.concatenate([present[::-1].cumsum(axis=0)[::-1], none])
    having = np.array([[square in photo.index for square in squares] for photo in placed])
    possible = np.concatenate([np.logical_or.accumulate(having[::-1])[::-1], np.ones((1, len(squares)), bool)])
    return np.where(possible, before + since, -np.inf)


def _weigh_presence(placed: PlacedSurvey, squares: Sequence[Square]) -> Floats:
    """Return the log-likelihood (m, 2) of one photo for each square being empty, and being tiled."""
    empty, visible = _compute_empty_odds(placed), placed.shows_points(np.array(squares, np.float64)[:, ::-1] + 0.5)
    evidence = []
    for square, is_shown in zip(squares, visible, strict=True):
        share = empty.get(square)
        if share is None:
            evidence.append((0.0, float(np.log(MISREAD_SHARE if is_shown else BEYOND_BORDER_PROBABILITY))))
        else:
            share = min(max(share, SHOWN_PROBABILITY), 1 - SHOWN_PROBABILITY)
            evidence.append((float(np.log(share)), float(np.log(1 - share))))
    return np.array(evidence)


def _join_logits_since(placed: Sequence[PlacedSurvey], since: Mapping[Square, int], prior: Floats) -> TileLogits:
    """Return the logits of each square from the photos since its tile was laid."""
    layouts: dict[Square, Floats] = {}
    edges: dict[Square, Floats] = {}
    for time in sorted(set(since.values())):
        new_squares = [square for square, at in since.items() if at == time]
        logits = (
            join_logits(placed[time:], new_squares, prior)
            if time + 1 < len(placed)
            else _select_logits(placed[time], new_squares)
        )
        layouts |= dict(zip(new_squares, logits.layouts, strict=True))
        edges |= dict(zip(new_squares, logits.edges, strict=True))
    return TileLogits(np.array([layouts[square] for square in since]), np.array([edges[square] for square in since]))


def _select_logits(placed: PlacedSurvey, squares: Sequence[Square]) -> TileLogits:
    """Return the last photo's logits of the squares that only it shows."""
    rows = [placed.index[square] for square in squares]
    return TileLogits(placed.logits.layouts[rows], placed.logits.edges[rows])
