"""The review of a reading: its report with a person's corrections, and all parts that it is made from.

`build_review` is a pure function of the snapshot and the list of corrections; values set by a person are certain, and
everything else is computed again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from api.carcassonne.corrections.apply import CorrectionState, apply_corrections
from api.carcassonne.corrections.rebuild import rebuild_views
from api.carcassonne.report.builder import build_unused_tile_count, list_unused
from api.carcassonne.report.score_track import add_track_points
from api.carcassonne.report.several_photos import PhotoView, build_joined_board, build_report_from_views
from api.carcassonne.report.snapshot import Snapshot
from api.documents.corrections import Correction
from api.documents.report import Report, Track
from api.documents.tile_corrections import SetTilesInPlay
from api.errors import CorrectionError
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.doubt.relevance import ScoreDoubts, assess_score_doubts
from scoring.carcassonne.final.rulesets import Ruleset, get_ruleset
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.final.table import Table
from vision.doubt.alternatives import find_alternatives


@dataclass(frozen=True, eq=False)
class Review:
    """A corrected reading: its `snapshot`, the `corrections`, and all parts from which the report was made.

    `ids` and `possible` are the ids of the meeples and possible meeples of the photos' readings, in order.
    """

    snapshot: Snapshot
    corrections: tuple[Correction, ...]
    report: Report
    state: CorrectionState
    ids: tuple[str, ...]
    possible: tuple[str, ...]
    views: tuple[PhotoView, ...]
    board: Board
    doubts: ScoreDoubts
    rules: Ruleset
    table: Table


def build_review(snapshot: Snapshot, corrections: Sequence[Correction] = ()) -> Review:
    """Build the report of a reading with corrections, applied in order, with all parts it is made from.

    Without corrections it is the report of the photo. Raises CorrectionError for a correction that contradicts the
    board, with its index in `details`, and TrackError, ScoringError.
    """
    state = apply_corrections(snapshot, corrections)
    _refuse_too_few_tiles(state, corrections)
    rules, table = get_ruleset(state.rules), state.table
    built = rebuild_views(snapshot, state.amended)
    board = build_joined_board(built.views)
    reading = built.views[0].reading
    doubts = assess_score_doubts(board, list(find_alternatives(reading, board)), rules, table, reading.probability)
    report = build_report_from_views(built.views, snapshot.apart, rules, table, doubts)
    report.track = _repaint_track(snapshot.track, state.repainted)
    report.set_aside = [*snapshot.set_aside, *report.set_aside]
    report.names = dict(sorted(state.names.items()))
    report.board.problems += list_unused(snapshot.damaged_wonders, state.amended.waiting_owners)
    if state.lacks_tiles and state.tiles_in_play is not None:
        report.board.problems.append(build_unused_tile_count(state.tiles_in_play, len(state.amended.tiles)))
    _mark_persons(report, state, built.ids)
    report = add_track_points(report, state.typed, rules)
    return Review(
        snapshot, tuple(corrections), report, state, built.ids, built.possible, built.views, board, doubts, rules, table
    )


def _refuse_too_few_tiles(state: CorrectionState, corrections: Sequence[Correction]) -> None:
    """Raise CorrectionError if the corrections leave more tiles on the table than they state to be in play."""
    if state.lacks_tiles and not state.tiles_said_beforehand:
        number = max(number for number, one in enumerate(corrections) if isinstance(one, SetTilesInPlay))
        details = {"count": state.tiles_in_play, "on_the_table": len(state.amended.tiles), "correction": number}
        raise CorrectionError("too_few_tiles", details=details)


def _repaint_track(track: Track | None, repainted: Mapping[str, str]) -> Track | None:
    """Return the score board with the players' final colours."""
    if track is None or not repainted:
        return track
    pieces = [p.model_copy(update={"colour": repainted.get(p.colour, p.colour)}) for p in track.pieces]
    tokens = [t.model_copy(update={"colour": t.colour and repainted.get(t.colour, t.colour)}) for t in track.tokens]
    return track.model_copy(update={"pieces": pieces, "tokens": tokens})


def preview_totals(review: Review, correction: Correction) -> Mapping[str, int]:
    """Compute the final scoring of a review with one more correction."""
    state = apply_corrections(review.snapshot, [*review.corrections, correction])
    board = build_joined_board(rebuild_views(review.snapshot, state.amended).views)
    return compute_final_scoring(board, rules=get_ruleset(state.rules), table=state.table).totals


def _mark_persons(report: Report, state: CorrectionState, ids: Sequence[str]) -> None:
    for meeple, id in zip(report.board.meeples, ids, strict=True):
        meeple.id, meeple.set_by_person = id, state.amended.meeples[id].by_person
    for tile in report.board.tiles:
        tile.set_by_person = (tile.row, tile.col) in state.amended.settled
