"""Application of a person's corrections to a reading of tiles, in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from api.carcassonne.corrections.board_edit import Amended, Stand
from api.carcassonne.corrections.rebuild import rebuild_views
from api.carcassonne.report.builder import build_unused_tile_count, list_unused
from api.carcassonne.report.score_track import add_track_points
from api.carcassonne.report.several_photos import PhotoView, build_joined_board, build_report_from_views
from api.carcassonne.report.snapshot import Snapshot
from api.documents.corrections import MAX_CORRECTIONS, Correction
from api.documents.report import DEFAULT_GAME, Report, Track
from api.documents.tile_corrections import (
    Confirm,
    NoMeeple,
    NoTile,
    NoWonder,
    SetBorder,
    SetBoxes,
    SetBoxRules,
    SetGoods,
    SetMeeple,
    SetPile,
    SetPlayer,
    SetPlayerColour,
    SetPlayerCount,
    SetRules,
    SetSpecial,
    SetTile,
    SetTilesInPlay,
    SetTrack,
    SetWonder,
    SetWonderOwner,
)
from api.errors import CorrectionError
from api.inputs.table_words import refuse_colour
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.box_rules import BoxRules
from scoring.carcassonne.board.boxes import state_copies
from scoring.carcassonne.doubt.relevance import ScoreDoubts, assess_score_doubts
from scoring.carcassonne.final.rulesets import Ruleset, get_ruleset
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.final.table import Table
from scoring.player_colours import NOBODY
from vision.doubt.alternatives import find_alternatives

T = TypeVar("T")


def _hand_over(by_colour: dict[str, T], colour: str, instead: str) -> None:
    if colour in by_colour:
        by_colour.setdefault(instead, by_colour.pop(colour))


@dataclass
class CorrectionState:
    """State after all corrections of a reading so far."""

    amended: Amended
    rules: str
    typed: dict[str, int]
    names: dict[str, str] = field(default_factory=dict)
    tiles_in_play: int | None = None
    player_count: int | None = None
    goods: dict[str, dict[str, int]] = field(default_factory=dict)
    repainted: dict[str, str] = field(default_factory=dict)
    tiles_said_beforehand: bool = False

    @property
    def lacks_tiles(self) -> bool:
        """Whether more tiles are on the table than were stated to be in play."""
        return self.tiles_in_play is not None and self.tiles_in_play < len(self.amended.tiles)

    @property
    def table(self) -> Table:
        """The facts stated about the table; wonders' owners are on the board, as markers.

        A number of tiles that the board contradicts is ignored.
        """
        goods = {kind: counts for kind, counts in self.goods.items() if counts}
        tiles = None if self.lacks_tiles else self.tiles_in_play
        return Table(tuple({**self.typed, **self.names}), tiles, goods, self.player_count)

    def repaint(self, colour: str, instead: str) -> None:
        """Transfer the statements about one colour to another that has none."""
        _hand_over(self.typed, colour, instead)
        _hand_over(self.names, colour, instead)
        for counts in self.goods.values():
            _hand_over(counts, colour, instead)
        earlier = {read: instead if now == colour else now for read, now in self.repainted.items()}
        self.repainted = {**earlier, colour: instead}


def apply_corrections(snapshot: Snapshot, corrections: Sequence[Correction]) -> CorrectionState:
    """Apply corrections to a reading in order; raises CorrectionError for one that contradicts the board."""
    if len(corrections) > MAX_CORRECTIONS:
        raise CorrectionError("too_many_corrections", details={"most": MAX_CORRECTIONS})
    state = CorrectionState(Amended(snapshot), snapshot.rules, dict(snapshot.typed))
    for number, correction in enumerate(corrections):
        try:
            _apply(correction, state)
        except CorrectionError as error:
            raise CorrectionError(error.code, error.text, {**error.details, "correction": number}) from error
    return state


def _apply(correction: Correction, state: CorrectionState) -> None:
    """Apply a correction of the board, or else of the table; raises CorrectionError."""
    amended = state.amended
    match correction:
        case SetTile(row=row, col=col, tile=tile, turns=turns):
            amended.lay((row, col), tile, turns)
        case NoTile(row=row, col=col):
            amended.clear((row, col))
        case SetWonder(wonder=wonder, row=row, col=col, turns=turns, layout=layout):
            amended.lay_wonder(wonder, (row, col), turns, layout)
        case NoWonder(row=row, col=col):
            amended.clear_wonder((row, col))
        case SetMeeple(square=square, place=place, colour=colour):
            piece = "meeple" if correction.piece == "disc" else correction.piece
            amended.stand(correction.id, Stand(square, place, colour, piece, correction.posed))
        case NoMeeple(id=id):
            amended.take(id)
        case Confirm():
            _confirm(correction, amended)
        case SetPlayerColour(colour=colour, instead=instead):
            amended.repaint_player(colour, instead)
            if instead != NOBODY:
                state.repaint(colour, instead)
        case SetBorder(squares=squares, ends=ends):
            amended.end_board(squares, ends)
        case SetPile(ids=ids, count=count):
            amended.count_pile(ids, count)
        case SetSpecial(piece=special, ids=ids, id=chosen):
            amended.choose_special(special, ids, chosen)
        case SetWonderOwner(wonder=wonder, colour=owner, beforehand=beforehand):
            amended.own_wonder(wonder, owner, beforehand)
        case _:
            _state_fact(correction, state)


def _confirm(correction: Confirm, amended: Amended) -> None:
    if correction.id is not None:
        amended.confirm_meeple(correction.id)
    elif correction.row is not None and correction.col is not None:
        amended.confirm_tile((correction.row, correction.col))
    elif correction.colour is not None:
        amended.confirm_player(correction.colour)


def _state_fact(correction: Correction, state: CorrectionState) -> None:
    """Apply a statement about the table; raises CorrectionError, also for a correction of another game."""
    match correction:
        case SetPlayer(colour=colour, name=name):
            _set_or_remove(state.names, colour, name)
        case SetTrack(colour=colour, points=points):
            _set_or_remove(state.typed, colour, points)
        case SetGoods(goods=goods, colour=colour, count=tokens):
            _set_or_remove(state.goods.setdefault(goods, {}), colour, tokens)
        case SetTilesInPlay(count=tiles, beforehand=beforehand):
            state.tiles_in_play, state.tiles_said_beforehand = tiles, beforehand
        case SetPlayerCount(count=players):
            state.player_count = players
        case SetRules(edition=edition):
            state.rules = get_ruleset(edition).name
        case SetBoxRules(boxes=boxes, played=played):
            choices = {box: on for box, on in state.amended.box_rules.choices.items() if box not in boxes}
            if played is not None:
                choices |= dict.fromkeys(boxes, played)
            state.amended.box_rules = BoxRules.of(choices)
        case SetBoxes(box=box, count=copies):
            state.amended.boxes = state_copies(state.amended.boxes, box, copies)
        case _:
            raise CorrectionError("other_game", details={"kind": correction.kind, "game": DEFAULT_GAME})


def _set_or_remove(by_colour: dict[str, T], colour: str, value: T | None) -> None:
    """Set the value of a player's colour, or remove it if it is None; raises CorrectionError for an unknown colour."""
    by_colour.pop(refuse_colour(colour), None)
    if value is not None:
        by_colour[colour] = value


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
