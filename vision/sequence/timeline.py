"""Photos of one game in the order of time, brought into one lattice: when each tile was laid, and which one it is.

A tile does not change after it is laid. So each photo from then on tells which tile it is, and each before then only
that the square was empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from scoring.carcassonne.tiles.catalogue import Catalogue
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats
from vision.errors import ReadingError
from vision.geometry.lattice_transform import Step
from vision.multiview.alignment import Alignment, LatticeEvidence, align_lattices
from vision.multiview.tile_fusion import compute_class_prior, join_logits
from vision.squares.classifier import TileLogits
from vision.survey.survey import PlacedSurvey, Survey

SUREST = 1e-3
"""No photo is surer than this that a square is empty, or is not."""
OVERLOOKED = 0.05
"""How likely a photo's lattice lacks a tile whose middle is in the picture: a hand, a glare."""
BEYOND = 0.2
"""How likely a tile that lies beyond a photo's border was there: photos show the whole board, or nearly so."""
SURELY_THERE = 0.1
"""A square less likely empty than this holds a tile, if another photo is to be held against that."""
TIME_SURE = np.log(10.0)
"""Nats by which the time of a tile must stand out from any other."""


@dataclass(frozen=True, slots=True, eq=False)
class Timeline:
    """The photos in their order of time, in one lattice whose squares are counted from 0.

    `since` is the number of the photo that shows a square's tile first, `logits` go with its squares; `unsure` are
    squares whose time may be another. `apart` are photos of another board, each with the best step that was found.
    """

    placed: tuple[PlacedSurvey, ...]
    since: Mapping[Square, int]
    logits: TileLogits
    unsure: frozenset[Square]
    apart: tuple[tuple[Survey, Alignment], ...] = ()


def build_timeline(surveys: Sequence[Survey], catalogue: Catalogue) -> Timeline:
    """The photos that show one board grow, with most of them, and the others apart.

    Raises ReadingError `photos_out_of_order` where tiles vanish from one photo to the next.
    """
    prior = compute_class_prior(catalogue)
    placed, apart = _largest(surveys, catalogue, prior)
    _refuse_shrinking(placed)
    squares = sorted({square for own in placed for square in own.index})
    weighed = _weighed(placed, squares)
    times = weighed.argmax(axis=0)
    laid = [n for n, time in enumerate(times) if time < len(placed)]
    margins = np.diff(np.sort(weighed, axis=0)[-2:], axis=0)[0]
    since = {squares[n]: int(times[n]) for n in laid}
    unsure = frozenset(squares[n] for n in laid if margins[n] < TIME_SURE)
    return Timeline(tuple(placed), since, _logits(placed, since, prior), unsure, tuple(apart))


def _largest(
    surveys: Sequence[Survey], catalogue: Catalogue, prior: Floats
) -> tuple[list[PlacedSurvey], list[tuple[Survey, Alignment]]]:
    best: tuple[list[PlacedSurvey], list[tuple[Survey, Alignment]]] = [], []
    left = list(surveys)
    while len(left) > len(best[0]):
        placed, apart = _chain(left, catalogue, prior)
        best = max((placed, apart), best, key=lambda group: len(group[0]))
        left = [survey for survey, _ in apart]
    mine = {id(own.survey) for own in best[0]}
    others = [survey for survey in surveys if id(survey) not in mine]
    return _from_zero(best[0], catalogue), [(own, _fit(best[0][0], own, catalogue, prior)) for own in others]


def _chain(
    surveys: Sequence[Survey], catalogue: Catalogue, prior: Floats
) -> tuple[list[PlacedSurvey], list[tuple[Survey, Alignment]]]:
    """The last survey, and each before it that joins the next one after it."""
    placed = [PlacedSurvey.at(surveys[-1], Step(), catalogue)]
    apart: list[tuple[Survey, Alignment]] = []
    for survey in reversed(surveys[:-1]):
        found = _fit(placed[0], survey, catalogue, prior)
        if found.is_sure:
            placed.insert(0, PlacedSurvey.at(survey, found.step, catalogue))
        else:
            apart.insert(0, (survey, found))
    return placed, apart


def _fit(placed: PlacedSurvey, survey: Survey, catalogue: Catalogue, prior: Floats) -> Alignment:
    own = PlacedSurvey.at(survey, Step(), catalogue)
    here = LatticeEvidence(list(placed.index), placed.logits.layouts, [placed])
    return align_lattices(
        here, LatticeEvidence(survey.squares, survey.logits.layouts, [own]), catalogue, prior, grown=True
    )


def _from_zero(placed: Sequence[PlacedSurvey], catalogue: Catalogue) -> list[PlacedSurvey]:
    squares = [square for own in placed for square in own.index]
    shift = Step(0, -min(row for row, _ in squares), -min(col for _, col in squares))
    return [PlacedSurvey.at(own.survey, own.step.then(shift), catalogue) for own in placed]


def _refuse_shrinking(placed: Sequence[PlacedSurvey]) -> None:
    """Raise ReadingError `photos_out_of_order` where a photo lacks tiles of the one before, and has none more."""
    for before, after in pairwise(placed):
        gone, come = _gone(before, after), set(_surely_there(after)) - set(before.index)
        if gone and not come:
            details = {"earlier": before.survey.photo.file, "later": after.survey.photo.file, "tiles": len(gone)}
            raise ReadingError("photos_out_of_order", details=details)


def _gone(before: PlacedSurvey, after: PlacedSurvey) -> list[Square]:
    """The squares that surely hold a tile in one photo and none in the next, be it that this one cuts them off."""
    lacking = _empty(after)
    return [square for square in _surely_there(before) if lacking.get(square, 1.0) > 0.5]


def _surely_there(placed: PlacedSurvey) -> list[Square]:
    return [square for square, empty in _empty(placed).items() if empty < SURELY_THERE]


def _empty(placed: PlacedSurvey) -> Mapping[Square, float]:
    """How likely each square of a photo's lattice is empty."""
    return {square: float(np.exp(placed.logits.layouts[n, -1])) for square, n in placed.index.items()}


def _weighed(placed: Sequence[PlacedSurvey], squares: Sequence[Square]) -> Floats:
    """(n + 1, m) what speaks for each of m squares having its tile since each of n photos, or having none at all."""
    told = np.array([_presence(own, squares) for own in placed])
    absent, present = told[..., 0], told[..., 1]
    none = np.zeros((1, len(squares)))
    before = np.concatenate([none, absent.cumsum(axis=0)])
    since = np.concatenate([present[::-1].cumsum(axis=0)[::-1], none])
    having = np.array([[square in own.index for square in squares] for own in placed])
    seen = np.concatenate([np.logical_or.accumulate(having[::-1])[::-1], np.ones((1, len(squares)), bool)])
    return np.where(seen, before + since, -np.inf)


def _presence(placed: PlacedSurvey, squares: Sequence[Square]) -> Floats:
    """(m, 2) what one photo's word on each square weighs if it is empty, and if it holds a tile."""
    empty, shown = _empty(placed), placed.shows_points(np.array(squares, np.float64)[:, ::-1] + 0.5)
    told = []
    for square, is_shown in zip(squares, shown, strict=True):
        share = empty.get(square)
        if share is None:
            told.append((0.0, float(np.log(OVERLOOKED if is_shown else BEYOND))))
        else:
            share = min(max(share, SUREST), 1 - SUREST)
            told.append((float(np.log(share)), float(np.log(1 - share))))
    return np.array(told)


def _logits(placed: Sequence[PlacedSurvey], since: Mapping[Square, int], prior: Floats) -> TileLogits:
    """What lies on each square, by the photos since its tile was laid."""
    layouts: dict[Square, Floats] = {}
    edges: dict[Square, Floats] = {}
    for time in sorted(set(since.values())):
        own = [square for square, at in since.items() if at == time]
        told = join_logits(placed[time:], own, prior) if time + 1 < len(placed) else _alone(placed[time], own)
        layouts |= dict(zip(own, told.layouts, strict=True))
        edges |= dict(zip(own, told.edges, strict=True))
    return TileLogits(np.array([layouts[square] for square in since]), np.array([edges[square] for square in since]))


def _alone(placed: PlacedSurvey, squares: Sequence[Square]) -> TileLogits:
    """What the last photo says of the squares that only it shows."""
    own = [placed.index[square] for square in squares]
    return TileLogits(placed.logits.layouts[own], placed.logits.edges[own])
