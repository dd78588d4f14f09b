"""A person's corrections of a reading as typed models, and the report that they give.

Corrections are data: kept in a list and undone by leaving them out. `build_review` is a pure function of the snapshot
and that list; values set by a person are certain, and everything else is computed again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import not_
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, Field, TypeAdapter, model_validator

from api.corrections.board_edit import Amended, Stand, refuse_colour
from api.corrections.rebuild import rebuild_views
from api.corrections.spots import ConfirmSpot, NothingMore, SetPiece, SetPlayers, SetSpot, SetSpots
from api.documents.plain_numbers import PlainNumbers
from api.documents.report import Model, Report, Track
from api.errors import CorrectionError
from api.report.photo_view import PhotoView
from api.report.score_track import add_track_points
from api.report.several_photos import build_joined_board, build_report_from_views
from api.report.snapshot import Snapshot
from api.report.unused import build_unused_tile_count, list_unused
from scoring.carcassonne.board.board import MAX_UNSEEN_SQUARES, Board
from scoring.carcassonne.board.box_rules import RULED_BOXES, BoxRules
from scoring.carcassonne.doubt.relevance import ScoreDoubts, assess_score_doubts
from scoring.carcassonne.final.rulesets import Ruleset, get_ruleset
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.final.table import MAX_PLAYERS, MAX_TILES, MAX_TOKENS, Table
from scoring.carcassonne.tiles.kinds import join_kinds
from scoring.connected_squares import MAX_COORDINATE
from scoring.player_colours import find_colour
from vision.doubt.alternatives import find_alternatives

MAX_CORRECTIONS = 2000
"""Maximum number of corrections of a reading. Bounds time."""
MAX_PLAYER_NAME_CHARACTERS = 40
"""Maximum length of a player's name. A guess."""
MAX_PILE = 20
"""Maximum number of pieces in a pile. A guess."""

Coordinate = Annotated[int, Field(ge=-MAX_COORDINATE, le=MAX_COORDINATE)]
At = tuple[Coordinate, Coordinate]
Turns = Annotated[int, Field(ge=0, le=3)]
MeepleId = Annotated[str, Field(pattern=r"^m[1-9][0-9]{0,5}$")]
Name = Annotated[str, Field(min_length=1, max_length=40)]
"""Name of a tile, a wonder, a colour or a rule set."""
ColourName = Annotated[Name, AfterValidator(find_colour)]
"""Colour of a player, by its name or any word that `scoring.player_colours` knows for it."""
_SIDED = rf"({join_kinds('sides')}):[NESW]"
_HALVED = rf"{join_kinds('halves')}:[NESW][LR]"
_INNER = rf"({join_kinds()})(:[1-9])?"
Place = Annotated[str, Field(pattern=rf"^({_SIDED}|{_HALVED}|{_INNER})$")]
"""Part of a tile as `scoring.carcassonne.board.places` names it, by its edges as placed."""


def one_line(name: str) -> str:
    if not name.isprintable() or " ".join(name.split()) != name:
        raise ValueError("a name is one line without control characters or spaces around it")
    return name


def refuse_twice(ids: list[str]) -> list[str]:
    if len({*ids}) < len(ids):
        raise ValueError("each is named once")
    return ids


PlayerName = Annotated[str, Field(min_length=1, max_length=MAX_PLAYER_NAME_CHARACTERS), AfterValidator(one_line)]
RuledBox = Annotated[str, Field(pattern=rf"^({'|'.join(RULED_BOXES)})$")]
"""Name of a box with rules of its own."""
T = TypeVar("T")
Piece = Literal["meeple", "big", "builder", "pig", "abbot", "disc"]
Pose = Literal["standing", "lying", "upside_down", "disc"]


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


class SetTile(PlainNumbers, Model):
    """The tile on a square, occupied or empty; `tile` is an id or a letter, None if unknown."""

    kind: Literal["tile"] = "tile"
    row: Coordinate
    col: Coordinate
    tile: Name | None
    turns: Turns = 0

    def apply(self, state: CorrectionState) -> None:
        state.amended.lay((self.row, self.col), self.tile, self.turns)


class NoTile(PlainNumbers, Model):
    """The square is empty."""

    kind: Literal["no_tile"] = "no_tile"
    row: Coordinate
    col: Coordinate

    def apply(self, state: CorrectionState) -> None:
        state.amended.clear((self.row, self.col))


class SetWonder(PlainNumbers, Model):
    """A wonder tile with its first square (number 0) there.

    `layout` is the content of its layout file; the default is the layout as read there, or the one in force when the
    photos were read.
    """

    kind: Literal["wonder"] = "wonder"
    wonder: Name
    row: Coordinate
    col: Coordinate
    turns: Turns
    layout: dict[str, Any] | None = None

    def apply(self, state: CorrectionState) -> None:
        state.amended.lay_wonder(self.wonder, (self.row, self.col), self.turns, self.layout)


class NoWonder(PlainNumbers, Model):
    """No wonder lies on the square: its five squares hold unknown tiles.

    If a wonder was only possible there, the tiles as read stay.
    """

    kind: Literal["no_wonder"] = "no_wonder"
    row: Coordinate
    col: Coordinate

    def apply(self, state: CorrectionState) -> None:
        state.amended.clear_wonder((self.row, self.col))


class SetMeeple(PlainNumbers, Model):
    """The place of a meeple, a new one without an id. Without a place it stands on no known part."""

    kind: Literal["meeple"] = "meeple"
    id: MeepleId | None = None
    square: At
    place: Place | None
    colour: ColourName
    piece: Piece = "meeple"
    pose: Pose | None = None

    def apply(self, state: CorrectionState) -> None:
        piece = "meeple" if self.piece == "disc" else self.piece
        state.amended.stand(self.id, Stand(self.square, self.place, self.colour, piece, self.posed))

    @property
    def posed(self) -> str:
        """The pose; by default the usual one for the place."""
        if self.pose is not None:
            return self.pose
        below = (self.place or "").partition(":")[0]
        return "disc" if self.piece == "disc" else {"field": "lying", "wonder": "upside_down"}.get(below, "standing")


class NoMeeple(PlainNumbers, Model):
    """The meeple is not there."""

    kind: Literal["no_meeple"] = "no_meeple"
    id: MeepleId

    def apply(self, state: CorrectionState) -> None:
        state.amended.take(self.id)


class Confirm(PlainNumbers, Model):
    """A tile (with its wonder), a meeple, or the colour of all pieces of a player is as read."""

    kind: Literal["confirm"] = "confirm"
    about: Literal["tile", "meeple", "player"]
    row: Coordinate | None = None
    col: Coordinate | None = None
    id: MeepleId | None = None
    colour: ColourName | None = None

    @model_validator(mode="after")
    def _says_which(self) -> Confirm:
        fields = {name for name in ("row", "col", "id", "colour") if getattr(self, name) is not None}
        if fields != {"tile": {"row", "col"}, "meeple": {"id"}, "player": {"colour"}}[self.about]:
            raise ValueError("a tile is confirmed by its row and col, a meeple by its id, a player by the colour")
        return self

    def apply(self, state: CorrectionState) -> None:
        if self.id is not None:
            state.amended.confirm_meeple(self.id)
        elif self.row is not None and self.col is not None:
            state.amended.confirm_tile((self.row, self.col))
        elif self.colour is not None:
            state.amended.confirm_player(self.colour)


class SetPlayerColour(PlainNumbers, Model):
    """All pieces of a colour, including the score board's, have another; names and typed points move with them."""

    kind: Literal["player_colour"] = "player_colour"
    colour: ColourName
    instead: ColourName

    def apply(self, state: CorrectionState) -> None:
        state.amended.repaint_player(self.colour, self.instead)
        state.repaint(self.colour, self.instead)


class SetBorder(PlainNumbers, Model):
    """Whether the board ends at some neighbouring squares that no photo shows; if not, its points are unknown."""

    kind: Literal["border"] = "border"
    squares: Annotated[list[At], Field(min_length=1, max_length=MAX_UNSEEN_SQUARES)]
    ends: bool

    def apply(self, state: CorrectionState) -> None:
        state.amended.end_board(self.squares, self.ends)


class SetPile(PlainNumbers, Model):
    """The number of pieces in a pile: the first ones of `ids`; further ones lie where the first does."""

    kind: Literal["pile"] = "pile"
    ids: Annotated[list[MeepleId], Field(min_length=1, max_length=MAX_PILE), AfterValidator(refuse_twice)]
    count: Annotated[int, Field(ge=0, le=MAX_PILE)]

    def apply(self, state: CorrectionState) -> None:
        state.amended.count_pile(self.ids, self.count)


class SetSpecial(PlainNumbers, Model):
    """The piece of a player that is the only one of a kind; None if none of them is."""

    kind: Literal["special"] = "special"
    piece: Literal["big", "builder", "pig", "abbot"]
    ids: Annotated[list[MeepleId], Field(min_length=1, max_length=MAX_PILE), AfterValidator(refuse_twice)]
    id: MeepleId | None

    @model_validator(mode="after")
    def _is_one_of_them(self) -> SetSpecial:
        if self.id is not None and self.id not in self.ids:
            raise ValueError("the piece is one of those that may be it")
        return self

    def apply(self, state: CorrectionState) -> None:
        state.amended.choose_special(self.piece, self.ids, self.id)


class SetPlayer(PlainNumbers, Model):
    """The name of the player of a colour, even one without pieces on the board; None removes it."""

    kind: Literal["player"] = "player"
    colour: ColourName
    name: PlayerName | None

    def apply(self, state: CorrectionState) -> None:
        state.names.pop(refuse_colour(self.colour), None)
        if self.name is not None:
            state.names[self.colour] = self.name


class SetWonderOwner(PlainNumbers, Model):
    """The owner of a wonder by their marker; None for nobody.

    A statement made `beforehand`, before the reading, waits if the wonder was not read.
    """

    kind: Literal["wonder_owner"] = "wonder_owner"
    wonder: Name
    colour: ColourName | None
    beforehand: bool = Field(default=False, exclude_if=not_)

    def apply(self, state: CorrectionState) -> None:
        state.amended.own_wonder(self.wonder, self.colour, self.beforehand)


class SetTrack(PlainNumbers, Model):
    """A player's points on the score track; None removes the typed value."""

    kind: Literal["track"] = "track"
    colour: ColourName
    points: Annotated[int, Field(ge=0, le=9999)] | None

    def apply(self, state: CorrectionState) -> None:
        state.typed.pop(refuse_colour(self.colour), None)
        if self.points is not None:
            state.typed[self.colour] = self.points


class SetTilesInPlay(PlainNumbers, Model):
    """The number of tiles in play, a wonder counting as five; None for those on the table.

    The final board may not have more tiles: then a number stated `beforehand`, before the reading, is ignored, and any
    other is refused.
    """

    kind: Literal["tiles_in_play"] = "tiles_in_play"
    count: Annotated[int, Field(ge=1, le=MAX_TILES)] | None
    beforehand: bool = Field(default=False, exclude_if=not_)

    def apply(self, state: CorrectionState) -> None:
        state.tiles_in_play, state.tiles_said_beforehand = self.count, self.beforehand


class SetPlayerCount(PlainNumbers, Model):
    """The number of players, including those without a piece left; None for the number of colours on the board."""

    kind: Literal["player_count"] = "player_count"
    count: Annotated[int, Field(ge=1, le=MAX_PLAYERS)] | None

    def apply(self, state: CorrectionState) -> None:
        state.player_count = self.count


class SetGoods(PlainNumbers, Model):
    """The number of goods tokens of a kind that a player took; None removes the statement."""

    kind: Literal["goods"] = "goods"
    goods: Literal["wine", "grain", "cloth", "chicken"]
    colour: ColourName
    count: Annotated[int, Field(ge=0, le=MAX_TOKENS)] | None

    def apply(self, state: CorrectionState) -> None:
        counts = state.goods.setdefault(self.goods, {})
        counts.pop(refuse_colour(self.colour), None)
        if self.count is not None:
            counts[self.colour] = self.count


class SetRules(PlainNumbers, Model):
    """The rule set to score by."""

    kind: Literal["rules"] = "rules"
    edition: Name

    def apply(self, state: CorrectionState) -> None:
        state.rules = get_ruleset(self.edition).name


class SetBoxRules(PlainNumbers, Model):
    """Whether the own rules of some boxes were played; None removes the statement.

    A statement made `beforehand`, for all tables of an event or a batch, has no effect at a table of another game.
    """

    kind: Literal["box_rules"] = "box_rules"
    boxes: Annotated[list[RuledBox], Field(min_length=1, max_length=len(RULED_BOXES)), AfterValidator(refuse_twice)]
    played: bool | None
    beforehand: bool = Field(default=False, exclude_if=not_)

    def apply(self, state: CorrectionState) -> None:
        choices = {box: on for box, on in state.amended.box_rules.choices.items() if box not in self.boxes}
        if self.played is not None:
            choices |= dict.fromkeys(self.boxes, self.played)
        state.amended.box_rules = BoxRules.of(choices)


Correction = Annotated[
    SetTile
    | NoTile
    | SetWonder
    | NoWonder
    | SetMeeple
    | NoMeeple
    | Confirm
    | SetBorder
    | SetPile
    | SetSpecial
    | SetPlayer
    | SetPlayerColour
    | SetWonderOwner
    | SetTrack
    | SetTilesInPlay
    | SetPlayerCount
    | SetGoods
    | SetRules
    | SetBoxRules
    | SetSpot
    | SetSpots
    | NothingMore
    | SetPiece
    | ConfirmSpot
    | SetPlayers,
    Field(discriminator="kind"),
]
CORRECTIONS: TypeAdapter[list[Correction]] = TypeAdapter(list[Correction])
"""Validates a list of corrections: `CORRECTIONS.validate_python([...])`, `CORRECTIONS.validate_json(text)`."""


TABLE_KINDS = frozenset(
    {"player", "players", "track", "player_count", "tiles_in_play", "goods", "wonder_owner", "rules", "box_rules"}
)
"""Kinds of corrections about the table rather than its photos; they also apply to another reading of the table."""
_SAID_BEFOREHAND = ("tiles_in_play", "wonder_owner")


def carry_table_corrections(corrections: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]] | None:
    """Return a reading's corrections, as JSON, for another reading of the same table.

    Return None if some of them are about the reading itself, and therefore mean nothing elsewhere.
    """
    if any(correction["kind"] not in TABLE_KINDS for correction in corrections):
        return None
    return [{**one, **({"beforehand": True} if one["kind"] in _SAID_BEFOREHAND else {})} for one in corrections]


def list_table_corrections(table: Table) -> Iterator[Correction]:
    """Yield the corrections that state the known facts of a table before its reading."""
    if table.player_count is not None:
        yield SetPlayerCount(count=table.player_count)
    if table.tiles_in_play is not None:
        yield SetTilesInPlay(count=table.tiles_in_play, beforehand=True)
    for kind, counts in sorted(table.goods.items()):
        for colour, count in sorted(counts.items()):
            yield SetGoods.model_validate({"goods": kind, "colour": colour, "count": count})
    for wonder, owner in sorted(table.owners.items()):
        yield SetWonderOwner(wonder=wonder, colour=owner, beforehand=True)
    yield from list_box_corrections(table.box_rules)


def list_box_corrections(rules: BoxRules, beforehand: bool = False) -> Iterator[SetBoxRules]:
    """Yield the corrections that state which boxes' own rules were played, optionally `beforehand` for many tables."""
    for played in (True, False):
        if boxes := [box for box, choice in rules.choices.items() if choice is played]:
            yield SetBoxRules(boxes=boxes, played=played, beforehand=beforehand)


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
    doubts = assess_score_doubts(board, list(find_alternatives(built.views[0].reading, board)), rules, table)
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


def apply_corrections(snapshot: Snapshot, corrections: Sequence[Correction]) -> CorrectionState:
    """Apply corrections to a reading in order; raises CorrectionError for one that contradicts the board."""
    if len(corrections) > MAX_CORRECTIONS:
        raise CorrectionError("too_many_corrections", details={"most": MAX_CORRECTIONS})
    state = CorrectionState(Amended(snapshot), snapshot.rules, dict(snapshot.typed))
    for number, correction in enumerate(corrections):
        try:
            correction.apply(state)
        except CorrectionError as error:
            raise CorrectionError(error.code, error.text, {**error.details, "correction": number}) from error
    return state
