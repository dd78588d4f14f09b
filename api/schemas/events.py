"""HTTP documents about events, as typed models."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, Field, model_validator

from api.documents.corrections import Correction
from api.documents.table_options import list_table_facts
from api.documents.tile_corrections import PlayerName, RuledBox, one_line
from api.errors import CorrectionError
from api.games.protocol import find_unfit_option
from api.games.registry import find_game
from api.inputs.table_words import refuse_colour
from api.schemas.readings import ErrorBody, Wire
from api.service.event_decisions import TableDecision
from api.store.events import Verdict
from api.store.readings import ChangeKind
from api.tournament.roster import MAX_PLACE_CHARACTERS
from api.tournament.standings import TIE_BREAKERS, TieBreaker
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.final.table import Table
from scoring.player_colours import key_by_colour

MAX_REASON_CHARACTERS = 200
"""Maximum length of a reason. A guess."""

MAX_NAME_CHARACTERS = 80
"""Maximum length of an event's name. A guess."""

MAX_ROSTER_CHARACTERS = 1_000_000
"""Maximum length of a roster. Bounds memory."""

Value = TypeVar("Value", str, int)

State = Literal["failed", "doubtful", "sure", "reading", "waiting", "unscorable", "checked"]
"""States of tables, in the order in which they need a person."""

Line = Annotated[str, AfterValidator(one_line)]
PlaceName = Annotated[Line, Field(max_length=MAX_PLACE_CHARACTERS)]
GameName = Annotated[str, AfterValidator(lambda game: find_game(game).name if game else "")]


def _key_by_colour(values: dict[str, Value]) -> dict[str, Value]:
    """Key values of players by their colours; raises CorrectionError for an unknown colour, ValueError for a repeated
    one.
    """
    by_colour = key_by_colour(values)
    for colour in by_colour:
        refuse_colour(colour)
    return by_colour


def refuse_repeated(names: list[TieBreaker]) -> list[TieBreaker]:
    """Refuse a list with a repeated name."""
    if len(set(names)) < len(names):
        raise ValueError("each is wanted once at most")
    return names


TieBreakers = Annotated[
    list[TieBreaker],
    Field(
        min_length=1,
        max_length=len(TIE_BREAKERS),
        description="The criteria by which players are ranked, in this order.",
    ),
    AfterValidator(refuse_repeated),
]


BoxChoices = Annotated[
    dict[RuledBox, bool],
    Field(description="Whether a box's own rules are played (true), or its tiles alone (false), at all tables."),
]


class EventCreate(Wire):
    """An event to be created."""

    name: Annotated[Line, Field(min_length=1, max_length=MAX_NAME_CHARACTERS)]
    rules: Annotated[str, Field(max_length=MAX_PLACE_CHARACTERS, description="A rule set of /v1/rules.")] = TODAY.name
    tie_breakers: TieBreakers = Field(default=list(TIE_BREAKERS))
    box_rules: BoxChoices = Field(default={})


class EventChange(Wire):
    """Changes of an event by its owner; `box_rules` replace the former ones."""

    tie_breakers: TieBreakers | None = None
    box_rules: BoxChoices | None = None

    @model_validator(mode="after")
    def _check_any_change(self) -> EventChange:
        if self.tie_breakers is None and self.box_rules is None:
            raise ValueError("tie_breakers or box_rules are wanted")
        return self


class TableCreate(Wire):
    """A table to be added: its place, the players, their points on the score track, and how it was `played`.

    Without a `game` it is recognised. In a game of spots, `track` must be empty, and only the game's colours are
    accepted.
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
    """An event: the number of tables in each state, and the standings; `version` counts its changes.

    `hand_in` is a token with which players may only add tables; it is shown only to the owner. `may_add` is set if the
    caller has either token. `box_rules` are the boxes for which it was stated, for the event or at any of its tables,
    whether their own rules were played.
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
    """A new event with its owner's token, which is given only this once."""

    token: str


class PlayerScore(Wire):
    """A player's points at a table: with the score track if it is fully known, else the final scoring.

    With the final scoring alone no player has a `place`.
    """

    colour: str
    name: str
    points: int
    place: int | None


class TableDocument(Wire):
    """A table: its state, the points from its photos, and the decision about it with person and time.

    `error` is the reason for missing points, `missing` maps photos that could not be opened to the error's code,
    `same_photos` maps photos with the same content as a photo of another table to that photo's name; `coming` is a
    pending reading of submitted photos, `reading` the one that counts. `whole` is set if the points include the score
    track; `version` counts its changes.
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


class PairingDocument(Wire):
    """A table of the roster: its players' `names` by colour, and `players` whose colours are open."""

    contest: str
    round: str
    table: str
    names: dict[str, str]
    players: list[str]


class EventTables(Wire):
    """The tables of an event, those that need a person first, and its roster."""

    version: int
    tables: list[TableDocument]
    roster: list[PairingDocument]


class RosterChange(Wire):
    """A roster in place of the former one; an empty one removes it."""

    csv: Annotated[
        str,
        Field(
            max_length=MAX_ROSTER_CHARACTERS,
            description="A CSV with a header: `table`, and any of `event`, `round`, a colour (who plays it), "
            "`player 1`, `player 2` and so on.",
        ),
    ]


class EventStandings(Wire):
    """The standings of an event, or of one of its rounds."""

    standings: list[PlayerStanding]


class Decision(Wire):
    """One of: a confirmation, an answer to one of the reading's questions, a reason why it cannot be scored, or undo.

    Undo takes back the last decision, or else the last correction of the reading. With `version` (the table's) the
    decision is refused if the table has changed since.
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

    def to_decision(self) -> TableDecision:
        """Return the decision that is requested."""
        return TableDecision(self.answer, self.unscorable, bool(self.undo), self.version)


class TableChanged(Wire):
    """The changed table and its event."""

    table: TableDocument
    event: EventDocument


class EventHistoryItem(Wire):
    """An act on a table: a change of its reading, a decision (with a `reason`), or photos `added`."""

    made: datetime
    who: str
    what: ChangeKind | Verdict | Literal["added"]
    table: int
    reason: str


class EventHistory(Wire):
    """All acts, newest last."""

    acts: list[EventHistoryItem]
