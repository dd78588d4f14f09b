"""What goes over HTTP about events, as typed models."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, Field, model_validator

from api.corrections.board_edit import refuse_colour
from api.corrections.commands import Correction, PlayerName, RuledBox, one_line
from api.errors import CorrectionError
from api.games.protocol import find_unfit_option, list_table_facts
from api.games.registry import find_game
from api.schemas.readings import ErrorBody, Wire
from api.store.events import Verdict
from api.store.history import ChangeKind
from api.tournament.standings import TIE_BREAKERS, TieBreaker
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.final.table import Table
from scoring.player_colours import key_by_colour

MAX_REASON_CHARACTERS = 200

MAX_NAME_CHARACTERS = 80
MAX_PLACE_CHARACTERS = 40

Value = TypeVar("Value", str, int)

State = Literal["failed", "doubtful", "sure", "reading", "waiting", "unscorable", "checked"]
"""In the order in which tables need a person."""

Line = Annotated[str, AfterValidator(one_line)]
PlaceName = Annotated[Line, Field(max_length=MAX_PLACE_CHARACTERS)]
GameName = Annotated[str, AfterValidator(lambda game: find_game(game).name if game else "")]


def _key_by_colour(values: dict[str, Value]) -> dict[str, Value]:
    """Key what is said of players by their colours; raises CorrectionError for what is none, ValueError for twice."""
    by_colour = key_by_colour(values)
    for colour in by_colour:
        refuse_colour(colour)
    return by_colour


def refuse_repeated(names: list[TieBreaker]) -> list[TieBreaker]:
    """Refuse a list that names something twice."""
    if len(set(names)) < len(names):
        raise ValueError("each is wanted once at most")
    return names


TieBreakers = Annotated[
    list[TieBreaker],
    Field(min_length=1, max_length=len(TIE_BREAKERS), description="What players are ranked by, in this order."),
    AfterValidator(refuse_repeated),
]


BoxChoices = Annotated[
    dict[RuledBox, bool],
    Field(description="Whether a box's own rules are played (true), or its tiles alone (false), at all tables."),
]


class EventCreate(Wire):
    """An event to be made."""

    name: Annotated[Line, Field(min_length=1, max_length=MAX_NAME_CHARACTERS)]
    rules: Annotated[str, Field(max_length=MAX_PLACE_CHARACTERS, description="A rule set of /v1/rules.")] = TODAY.name
    tie_breakers: TieBreakers = Field(default=list(TIE_BREAKERS))
    box_rules: BoxChoices = Field(default={})


class EventChange(Wire):
    """What an event's owner changes of it; `box_rules` take the place of those before."""

    tie_breakers: TieBreakers | None = None
    box_rules: BoxChoices | None = None

    @model_validator(mode="after")
    def _check_any_change(self) -> EventChange:
        if self.tie_breakers is None and self.box_rules is None:
            raise ValueError("tie_breakers or box_rules are wanted")
        return self


class TableCreate(Wire):
    """A table to be added: its place, the players, what they had on the score track, and how it was `played`.

    Without a `game` it is recognised. Of a game of spots the track is among these, and only its colours play.
    """

    game: GameName = ""
    contest: PlaceName
    round: PlaceName
    table: Annotated[PlaceName, Field(min_length=1)]
    names: Annotated[dict[str, PlayerName], AfterValidator(_key_by_colour)]
    track: Annotated[dict[str, int], AfterValidator(_key_by_colour)]
    played: Table = Field(default_factory=Table)

    @model_validator(mode="after")
    def _check_players(self) -> TableCreate:
        if self.game:
            game = find_game(self.game)
            if option := find_unfit_option(game, {"track": self.track, **list_table_facts(self.played)}):
                raise ValueError(game.unfit_options[option])
            if strangers := self.names.keys() - {*game.colours}:
                raise CorrectionError("colour_unknown", details={"colour": min(strangers), "game": self.game})
        return self


class PlayerStanding(Wire):
    """A player's place; `wins` is the sum of shares in wins, `share` that of the tables' points."""

    contest: str
    place: int
    player: str
    tables: int
    wins: float
    points: int
    share: float
    without_score_track: int
    doubtful_tables: int


class EventDocument(Wire):
    """An event: how many of its tables are in which state, and who stands where now; `version` counts its changes.

    `hand_in` is a token with which players may add tables, and nothing else; only who has the owner's is told it.
    `may_add` where who asks has either of the two. `box_rules` are the boxes of which somebody said, here or at any of
    its tables, whether their own rules were played.
    """

    id: str
    name: str
    rules: str
    created: datetime
    version: int
    may_decide: bool
    may_add: bool
    hand_in: str | None
    counts: dict[State, int]
    tie_breakers: list[TieBreaker]
    box_rules: dict[str, bool]
    standings: list[PlayerStanding]


class EventCreated(EventDocument):
    """An event that was just made, with its owner's token: it is told this once."""

    token: str


class PlayerScore(Wire):
    """What a player has at a table: with the score track where all of it is known, else of the final scoring.

    Of the final scoring alone nobody has a `place`.
    """

    colour: str
    name: str
    points: int
    place: int | None


class TableDocument(Wire):
    """A table: where it stands, what its photos gave, and who decided what of it and when.

    `error` says why there are no points, `missing` which of its photos could not be opened, with the error's code,
    `same_photos` which are the very same picture as a photo of another table, with that photo's name; `coming` is a
    reading of photos that were handed in, and is still to be done; `reading` the one that counts. `whole` is set where
    the score track is in the points; `version` counts its changes.
    """

    id: int
    state: State
    contest: str
    round: str
    table: str
    photos: list[str]
    reading: str | None
    coming: str | None
    error: ErrorBody | None
    missing: dict[str, str]
    same_photos: dict[str, str]
    confidence: float | None
    doubts: int
    whole: bool
    scores: list[PlayerScore]
    version: int
    reason: str
    who: str
    decided_at: datetime | None


class EventTables(Wire):
    """The tables of an event, those first that need a person."""

    version: int
    tables: list[TableDocument]


class Decision(Wire):
    """One of: it is right as it is, an answer to one of the reading's questions, why it cannot be scored, or undo.

    Undo takes the last decision back, or else the last correction of the reading. With `version` (the table's) it is
    refused where the table has changed since.
    """

    confirm: Literal[True] | None = None
    answer: Correction | None = None
    unscorable: Annotated[Line, Field(min_length=1, max_length=MAX_REASON_CHARACTERS)] | None = None
    undo: Literal[True] | None = None
    version: int | None = None

    @model_validator(mode="after")
    def _check_one_choice(self) -> Decision:
        if sum(one is not None for one in (self.confirm, self.answer, self.unscorable, self.undo)) != 1:
            raise ValueError("one of confirm, answer, unscorable and undo is wanted")
        return self


class TableChanged(Wire):
    """The table as it is now, and its event."""

    table: TableDocument
    event: EventDocument


class EventHistoryItem(Wire):
    """What somebody did to a table: a change of its reading, a decision (for a `reason`), or photos `added`."""

    made: datetime
    who: str
    what: ChangeKind | Verdict | Literal["added"]
    table: int
    reason: str


class EventHistory(Wire):
    """What people did, the newest last."""

    acts: list[EventHistoryItem]
