"""What a person says of a reading, as typed corrections, and the report that they give.

A correction is data: kept in a list, undone by leaving it out. `build_review` is a pure function of what was read and
of that list; what was set by a person is certain, and everything else is worked out anew.
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
from api.errors import CorrectionError
from api.report.photo_view import PhotoView
from api.report.plain_numbers import PlainNumbers
from api.report.schema import Model, Report, Track
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
from scoring.connected_squares import MAX_COORDINATE
from scoring.player_colours import find_colour
from vision.doubt.alternatives import find_alternatives

MAX_CORRECTIONS = 2000
MAX_PLAYER_NAME_CHARACTERS = 40
MAX_PILE = 20

Coordinate = Annotated[int, Field(ge=-MAX_COORDINATE, le=MAX_COORDINATE)]
At = tuple[Coordinate, Coordinate]
Turns = Annotated[int, Field(ge=0, le=3)]
MeepleId = Annotated[str, Field(pattern=r"^m[1-9][0-9]{0,5}$")]
Name = Annotated[str, Field(min_length=1, max_length=40)]
"""The name of a tile, a wonder, a colour or a rule set."""
ColourName = Annotated[Name, AfterValidator(find_colour)]
"""A player's colour by its name, or by any word that `scoring.player_colours` knows for it."""
_SIDED, _HALVED = r"(road|city):[NESW]", r"field:[NESW][LR]"
_INNER = r"(road|city|field|monastery|garden|wonder)(:[1-9])?"
Place = Annotated[str, Field(pattern=rf"^({_SIDED}|{_HALVED}|{_INNER})$")]
"""A part of a tile as `scoring.carcassonne.board.places` names it, by its edges as placed."""


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
"""A box with rules of its own."""
T = TypeVar("T")
Piece = Literal["meeple", "big", "builder", "pig", "abbot", "disc"]
Pose = Literal["standing", "lying", "upside_down", "disc"]


def _hand_over(by_colour: dict[str, T], colour: str, instead: str) -> None:
    if colour in by_colour:
        by_colour.setdefault(instead, by_colour.pop(colour))


@dataclass
class CorrectionState:
    """All that was said of a reading so far."""

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
        """Whether more tiles lie there than somebody said were in play."""
        return self.tiles_in_play is not None and self.tiles_in_play < len(self.amended.tiles)

    @property
    def table(self) -> Table:
        """What was said of the table beside the board, on which wonders' owners have their markers.

        A number of tiles that the board contradicts is none.
        """
        goods = {kind: counts for kind, counts in self.goods.items() if counts}
        tiles = None if self.lacks_tiles else self.tiles_in_play
        return Table(tuple({**self.typed, **self.names}), tiles, goods, self.player_count)

    def repaint(self, colour: str, instead: str) -> None:
        """Hand what was said of one colour to another, as far as nothing was said of that."""
        _hand_over(self.typed, colour, instead)
        _hand_over(self.names, colour, instead)
        for counts in self.goods.values():
            _hand_over(counts, colour, instead)
        earlier = {read: instead if now == colour else now for read, now in self.repainted.items()}
        self.repainted = {**earlier, colour: instead}


class SetTile(PlainNumbers, Model):
    """Another tile on a square, or one where none was; `tile` is an id or a letter, None for one nobody knows."""

    kind: Literal["tile"] = "tile"
    row: Coordinate
    col: Coordinate
    tile: Name | None
    turns: Turns = 0

    def apply(self, state: CorrectionState) -> None:
        state.amended.lay((self.row, self.col), self.tile, self.turns)


class NoTile(PlainNumbers, Model):
    """There is no tile on a square."""

    kind: Literal["no_tile"] = "no_tile"
    row: Coordinate
    col: Coordinate

    def apply(self, state: CorrectionState) -> None:
        state.amended.clear((self.row, self.col))


class SetWonder(PlainNumbers, Model):
    """A wonder tile with its first square (number 0) there.

    `layout` is what the file of its layout holds; without one it is as read there, or else by the layout that was in
    force as the photos were read.
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
    """There is no wonder on that square: its five squares hold tiles that are not known.

    Where none was read, but one may lie, what was read there stays.
    """

    kind: Literal["no_wonder"] = "no_wonder"
    row: Coordinate
    col: Coordinate

    def apply(self, state: CorrectionState) -> None:
        state.amended.clear_wonder((self.row, self.col))


class SetMeeple(PlainNumbers, Model):
    """Where a meeple stands, and which; without an id another one. Without a place it stands on no known part."""

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
        """The pose: where none is given, what the place asks for."""
        if self.pose is not None:
            return self.pose
        below = (self.place or "").partition(":")[0]
        return "disc" if self.piece == "disc" else {"field": "lying", "wonder": "upside_down"}.get(below, "standing")


class NoMeeple(PlainNumbers, Model):
    """That meeple is not there."""

    kind: Literal["no_meeple"] = "no_meeple"
    id: MeepleId

    def apply(self, state: CorrectionState) -> None:
        state.amended.take(self.id)


class Confirm(PlainNumbers, Model):
    """A tile (with the wonder that it is a part of), a meeple, or the colour of all pieces of a player is as read."""

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
    """All pieces of one colour, those on the score board too, have another: what was named and typed goes with them."""

    kind: Literal["player_colour"] = "player_colour"
    colour: ColourName
    instead: ColourName

    def apply(self, state: CorrectionState) -> None:
        state.amended.repaint_player(self.colour, self.instead)
        state.repaint(self.colour, self.instead)


class SetBorder(PlainNumbers, Model):
    """Whether the board ends at some squares beside it that no photo shows; if not, its points cannot be known."""

    kind: Literal["border"] = "border"
    squares: Annotated[list[At], Field(min_length=1, max_length=MAX_UNSEEN_SQUARES)]
    ends: bool

    def apply(self, state: CorrectionState) -> None:
        state.amended.end_board(self.squares, self.ends)


class SetPile(PlainNumbers, Model):
    """How many of some pieces that lie together are there: the first ones; further ones lie where the first does."""

    kind: Literal["pile"] = "pile"
    ids: Annotated[list[MeepleId], Field(min_length=1, max_length=MAX_PILE), AfterValidator(refuse_twice)]
    count: Annotated[int, Field(ge=0, le=MAX_PILE)]

    def apply(self, state: CorrectionState) -> None:
        state.amended.count_pile(self.ids, self.count)


class SetSpecial(PlainNumbers, Model):
    """Which of some pieces of a player is the one of a kind that each player has once; without an id none of them."""

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
    """The name of who plays a colour, also one of which nothing lies on the board; None takes it back."""

    kind: Literal["player"] = "player"
    colour: ColourName
    name: PlayerName | None

    def apply(self, state: CorrectionState) -> None:
        state.names.pop(refuse_colour(self.colour), None)
        if self.name is not None:
            state.names[self.colour] = self.name


class SetWonderOwner(PlainNumbers, Model):
    """Whose marker stands on a wonder; None for nobody's.

    What was said `beforehand`, when nobody knew what would be read, waits where the wonder was not read.
    """

    kind: Literal["wonder_owner"] = "wonder_owner"
    wonder: Name
    colour: ColourName | None
    beforehand: bool = Field(default=False, exclude_if=not_)

    def apply(self, state: CorrectionState) -> None:
        state.amended.own_wonder(self.wonder, self.colour, self.beforehand)


class SetTrack(PlainNumbers, Model):
    """What a player had on the score track; None takes back what was typed."""

    kind: Literal["track"] = "track"
    colour: ColourName
    points: Annotated[int, Field(ge=0, le=9999)] | None

    def apply(self, state: CorrectionState) -> None:
        state.typed.pop(refuse_colour(self.colour), None)
        if self.points is not None:
            state.typed[self.colour] = self.points


class SetTilesInPlay(PlainNumbers, Model):
    """How many tiles the game was played with, a wonder counting five; None for those on the table.

    All corrections together may not leave more on the table: then what was said `beforehand`, when nobody knew what
    would be read, does not count, and anything else is refused.
    """

    kind: Literal["tiles_in_play"] = "tiles_in_play"
    count: Annotated[int, Field(ge=1, le=MAX_TILES)] | None
    beforehand: bool = Field(default=False, exclude_if=not_)

    def apply(self, state: CorrectionState) -> None:
        state.tiles_in_play, state.tiles_said_beforehand = self.count, self.beforehand


class SetPlayerCount(PlainNumbers, Model):
    """How many played, those without a piece left too; None for as many as have colours here."""

    kind: Literal["player_count"] = "player_count"
    count: Annotated[int, Field(ge=1, le=MAX_PLAYERS)] | None

    def apply(self, state: CorrectionState) -> None:
        state.player_count = self.count


class SetGoods(PlainNumbers, Model):
    """How many goods tokens of a kind a player took; None takes back what was said of them."""

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
    """Whether the own rules of some boxes were played; None takes back what was said of them.

    What was said `beforehand`, of all tables of an event or a batch, means nothing at a table of another game.
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
"""Reads a list of them: `CORRECTIONS.validate_python([...])`, `CORRECTIONS.validate_json(text)`."""


TABLE_KINDS = frozenset(
    {"player", "players", "track", "player_count", "tiles_in_play", "goods", "wonder_owner", "rules", "box_rules"}
)
"""Corrections that say something of a table whatever its photos show: they hold for another reading of it as well."""
_SAID_BEFOREHAND = ("tiles_in_play", "wonder_owner")


def carry_table_corrections(corrections: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]] | None:
    """Return corrections of a reading, as JSON has them, for another one of the same table.

    None where some of them are of what was read: they mean nothing elsewhere.
    """
    if any(correction["kind"] not in TABLE_KINDS for correction in corrections):
        return None
    return [{**one, **({"beforehand": True} if one["kind"] in _SAID_BEFOREHAND else {})} for one in corrections]


def list_table_corrections(table: Table) -> Iterator[Correction]:
    """List the corrections by which a reading is told beforehand what is known of its table."""
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
    """List the corrections that say which boxes' own rules were played, perhaps `beforehand` of many tables."""
    for played in (True, False):
        if boxes := [box for box, choice in rules.choices.items() if choice is played]:
            yield SetBoxRules(boxes=boxes, played=played, beforehand=beforehand)


@dataclass(frozen=True, eq=False)
class Review:
    """A reading as corrected, `corrections` of what was read (`snapshot`), and all that the report was made from.

    `ids` and `possible` are those of the meeples, and of the possible ones, of the photos' readings in their order.
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
    """Build the report of a reading with corrections, in the order they were made in, and all that it is made from.

    Without any correction it is the report that the photo gave. Raises CorrectionError for a correction that does not
    go with the board, with its number in `details`, and TrackError, ScoringError.
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
    """Raise CorrectionError where a person left more tiles on the table than the same person said were in play."""
    if state.lacks_tiles and not state.tiles_said_beforehand:
        number = max(number for number, one in enumerate(corrections) if isinstance(one, SetTilesInPlay))
        details = {"count": state.tiles_in_play, "on_the_table": len(state.amended.tiles), "correction": number}
        raise CorrectionError("too_few_tiles", details=details)


def _repaint_track(track: Track | None, repainted: Mapping[str, str]) -> Track | None:
    """The score board with the colours that its players have in the end."""
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
    """Apply corrections to a reading, in order; raises CorrectionError for one that does not go with the board."""
    if len(corrections) > MAX_CORRECTIONS:
        raise CorrectionError("too_many_corrections", details={"most": MAX_CORRECTIONS})
    state = CorrectionState(Amended(snapshot), snapshot.rules, dict(snapshot.typed))
    for number, correction in enumerate(corrections):
        try:
            correction.apply(state)
        except CorrectionError as error:
            raise CorrectionError(error.code, error.text, {**error.details, "correction": number}) from error
    return state
