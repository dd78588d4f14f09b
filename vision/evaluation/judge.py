"""The verdict on one photo's reading: the figures behind a row of the evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from statistics import median

import numpy as np

from scoring.carcassonne.doubt.relevance import ScoreDoubts, assess_score_doubts
from scoring.carcassonne.final.scoring import compute_final_scoring
from vision.doubt.alternatives import find_alternatives
from vision.evaluation.interview import Interview
from vision.evaluation.labels import Truth
from vision.evaluation.matching import is_same_place, is_same_tile, match_reading
from vision.evaluation.outcomes import Outcome, list_outcomes
from vision.reading.board import build_board
from vision.reading.values import Reading, Warp

NOTHING_READ = Reading(0, 0, (), (), Warp(np.eye(3)), {})


@dataclass(frozen=True, slots=True)
class Verdict:
    """One photo of tiles in some `art`.

    `squares` have a readable tile; of these `tiles` are of the catalogue; all other counts follow the same scheme.

    `error` is the code if the photo could not be read. `doubtful_tiles` are tiles whose label is not sure itself; they
    are among `tiles` too. `sure_wrong` counts tiles that are wrong and not marked doubtful. `final_sure` means that no
    doubt of the reading can change the points, and `final_sure_wrong` that they are wrong nevertheless.
    `final_confidence` is the probability of the points given the reading's own doubts, None if a tile is not known at
    all, or the board runs out of the picture.

    `wrong_confidences` are those of the tiles that are wrong. `times_ms` are by stage, decoding included. `outcomes`
    are the tiles and meeples one by one. `right_after` has whether the points are right after 0, 1, 2, ... answers of
    an oracle, up to the last question, and `settled` whether no doubt is left then; without an interview they are ()
    and None. The photo is one of a `series`, taken by a `photographer`.
    """

    photo: str
    art: str = ""
    error: str = ""
    squares: int = 0
    squares_found: int = 0
    invented: int = 0
    tiles: int = 0
    tiles_exact: int = 0
    doubtful_tiles: int = 0
    doubtful_tiles_exact: int = 0
    board_exact: bool = False
    meeples: int = 0
    meeples_found: int = 0
    meeples_colour: int = 0
    meeples_place: int = 0
    meeples_pose: int = 0
    meeples_kind: int = 0
    meeples_extra: int = 0
    final_exact: bool = False
    final_true: Mapping[str, int] = field(default_factory=dict)
    final_read: Mapping[str, int] = field(default_factory=dict)
    sure_wrong: int = 0
    final_sure: bool = False
    final_sure_wrong: bool = False
    final_confidence: float | None = None
    wrong_confidences: tuple[float, ...] = ()
    times_ms: Mapping[str, float] = field(default_factory=dict)
    outcomes: tuple[Outcome, ...] = field(default=(), repr=False)
    series: str = ""
    photographer: str = ""
    right_after: tuple[bool, ...] = ()
    settled: bool | None = None

    @property
    def questions(self) -> int | None:
        """The number of questions put to the oracle until none was left; None without an interview."""
        return len(self.right_after) - 1 if self.right_after else None

    def is_right_after(self, answers: int | None = None) -> bool:
        """Return whether the points are right after this number of answers, after all of them for None."""
        if not self.right_after:
            return self.final_exact
        last = len(self.right_after) - 1
        return self.right_after[last if answers is None else min(answers, last)]

    @property
    def wrong_confidence(self) -> float | None:
        """The median confidence of the tiles that are wrong."""
        return median(self.wrong_confidences) if self.wrong_confidences else None

    @property
    def decode_ratio(self) -> float | None:
        """The time of the whole reading as a multiple of that for decoding the photo."""
        decode = self.times_ms.get("decode", 0.0)
        return sum(self.times_ms.values()) / decode if decode else None


def judge_unread(truth: Truth, error: str) -> Verdict:
    """Return the verdict on a photo that could not be read: everything is missed."""
    return Verdict(
        photo=truth.name,
        art=truth.art,
        error=error,
        squares=sum(tile.readable for tile in truth.tiles),
        tiles=sum(tile.placement is not None for tile in truth.tiles),
        doubtful_tiles=sum(tile.doubtful and tile.placement is not None for tile in truth.tiles),
        meeples=len(truth.meeples),
        final_true=compute_final_points(truth),
        outcomes=list_outcomes(NOTHING_READ, truth, match_reading(NOTHING_READ, truth)),
        series=truth.series,
        photographer=truth.photographer,
    )


def judge_interview(verdict: Verdict, interview: Interview) -> Verdict:
    """Return the verdict with the points after an interview of an oracle."""
    right = tuple(dict(final) == dict(verdict.final_true) for final in interview.finals)
    return replace(verdict, right_after=right, settled=interview.settled)


def judge_reading(reading: Reading, truth: Truth, times_ms: Mapping[str, float]) -> Verdict:
    """Judge a reading by the truth."""
    match = match_reading(reading, truth)
    missed = judge_unread(truth, "")
    wrong = [read for read, true in match.tiles if not is_same_tile(read, true, match)]
    exact = [true for read, true in match.tiles if true.placement and is_same_tile(read, true, match)]
    final = _points(compute_final_scoring(build_board(reading)).totals)
    doubts = collect_score_doubts(reading)
    sure = not doubts.doubtful
    return replace(
        missed,
        squares_found=len(match.tiles),
        invented=len(match.invented),
        tiles_exact=len(exact),
        doubtful_tiles_exact=sum(true.doubtful for true in exact),
        board_exact=not wrong and not match.missed and not match.invented,
        meeples_found=len(match.meeples),
        meeples_extra=len(match.extra_meeples),
        meeples_colour=sum(read.colour == true.placed.colour for read, true in match.meeples),
        meeples_place=sum(is_same_place(read, true, truth, match) for read, true in match.meeples),
        meeples_pose=sum(read.pose == true.placed.pose for read, true in match.meeples),
        meeples_kind=sum(read.kind == true.placed.kind for read, true in match.meeples),
        final_exact=final == missed.final_true,
        final_read=final,
        sure_wrong=sum(not tile.doubtful for tile in wrong),
        final_sure=sure,
        final_sure_wrong=sure and final != missed.final_true,
        final_confidence=doubts.stated_confidence,
        wrong_confidences=tuple(tile.confidence for tile in wrong),
        times_ms=times_ms,
        outcomes=list_outcomes(reading, truth, match),
    )


def compute_final_points(truth: Truth) -> dict[str, int]:
    """Return the true points: as the game's players counted them if the label has these, else scored from its board."""
    return _points(truth.expect_final or compute_final_scoring(truth.board, table=truth.table).totals)


def collect_score_doubts(reading: Reading) -> ScoreDoubts:
    """Collect the doubts of a reading that may change the points."""
    board = build_board(reading)
    return assess_score_doubts(board, list(find_alternatives(reading, board)), probability=reading.probability)


def _points(totals: Mapping[str, int]) -> dict[str, int]:
    return {player: points for player, points in sorted(totals.items()) if points}
