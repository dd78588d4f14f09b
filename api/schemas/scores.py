"""HTTP documents about boards and records, as typed models."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from api.documents.forms import AnyReport
from api.documents.report import Entry
from api.documents.tile_corrections import ColourName, NamedBox, PlayerName, RuledBox
from api.errors import TableError
from api.schemas.readings import Wire
from scoring.carcassonne.board.box_rules import BoxRules
from scoring.carcassonne.board.boxes import MAX_COPIES, read_boxes
from scoring.carcassonne.final.table import HOLDINGS, MAX_PLAYERS, MAX_TILES, MAX_TOKENS, Table, find_wonder_id
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.player_colours import key_by_colour

MAX_BOARD_CHARACTERS = 8000
"""Maximum length of a board: one of 400 squares with a hundred meeples takes some 2,500 characters, one with many
wonders twice that. Bounds time.
"""
MAX_RECORD_CHARACTERS = 40_000
"""Maximum length of a record. Bounds time."""

Word = Annotated[str, Field(min_length=1, max_length=20)]
"""Colour in any of the words that `scoring.player_colours` knows for it."""
TrackPoints = Annotated[
    dict[Word, Annotated[int, Field(ge=0, le=9999)]], Field(max_length=20), AfterValidator(key_by_colour)
]
Names = Annotated[
    dict[Word, PlayerName],
    Field(max_length=20),
    AfterValidator(key_by_colour),
]
TokenCounts = dict[
    Annotated[str, Field(pattern=rf"^({'|'.join(HOLDINGS)})$")],
    Annotated[
        dict[Word, Annotated[int, Field(ge=0, le=MAX_TOKENS)]], Field(max_length=20), AfterValidator(key_by_colour)
    ],
]
"""Goods tokens by kind, then by colour."""


class ScoreRequest(Wire):
    """A board in one line, or the record of a game; `track` holds the players' points on the score track.

    A table of a game of spots begins with the game's name (`scoring.spots.text`), and has its track among its spots.
    `names` are the players' names by colour; `tiles_in_play` is needed if the game had more tiles than the board, and
    `player_count` if Circus Maximus depends on players without a piece left. `goods` are tokens by kind, then by
    colour, `owners` the colours of the wonders' owners (`alhambra`), null for nobody. `box_rules` are false for boxes
    (`inns`) of which only the tiles were played, and true for those whose own rules were, `boxes` are the numbers of
    copies of boxes (`base`) on the table. `wonders` are layouts, each as in a wonder's file, that override those
    enrolled on the server. With `drawn` the report of a board has the places of tiles, features and pieces on the board
    as drawn, 120 pixels a square.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"board": "D0V0/-U1 red^1,1=rN blue^0,0=cN", "track": {"blue": 90}}]},
    )

    board: str | None = Field(default=None, max_length=MAX_BOARD_CHARACTERS)
    record: str | None = Field(default=None, max_length=MAX_RECORD_CHARACTERS)
    rules: str | None = Field(default=None, max_length=40)
    track: TrackPoints = Field(default={})
    names: Names = Field(default={})
    tiles_in_play: int | None = Field(default=None, ge=1, le=MAX_TILES)
    player_count: int | None = Field(default=None, ge=1, le=MAX_PLAYERS)
    goods: TokenCounts = Field(default={})
    owners: dict[Annotated[str, Field(max_length=40)], ColourName | None] = Field(default={}, max_length=len(WONDERS))
    box_rules: dict[RuledBox, bool] = Field(default={})
    boxes: dict[NamedBox, Annotated[int, Field(ge=0, le=MAX_COPIES)]] = Field(default={})
    wonders: list[dict[str, Any]] = Field(default=[], max_length=len(WONDERS))
    drawn: bool = False

    @property
    def table(self) -> Table:
        """Facts about the table; raises TableError for an unknown wonder."""
        owners = dict[str, str | None]()
        for name, colour in self.owners.items():
            if (id := find_wonder_id(name)) is None:
                raise TableError("bad_owner", details={"given": name})
            owners[id] = colour
        goods = {kind: counts for kind, counts in self.goods.items() if counts}
        box_rules, boxes = BoxRules.of(self.box_rules), read_boxes(self.boxes)
        return Table((), self.tiles_in_play, goods, self.player_count, owners, box_rules, boxes)

    @model_validator(mode="after")
    def _check_one_input(self) -> ScoreRequest:
        if (self.board is None) == (self.record is None):
            raise ValueError("one of board and record is wanted")
        if self.record is not None and self.model_fields_set - {"board", "record", "wonders"}:
            raise ValueError("a record has its own rules and points")
        return self


class RecordMove(Wire):
    """A move of a record, and the points after it."""

    player: str
    scores: dict[str, int]
    entries: list[Entry]


class GameRecord(Wire):
    """A record's data beside its last board: points in turn order, and `totals` with the final scoring."""

    players: list[str]
    over: bool
    moves: list[RecordMove]
    scores: dict[str, int]
    totals: dict[str, int]


class ScoreResult(Wire):
    """A board's report; for a record that of its last board, with its moves."""

    report: AnyReport
    record: GameRecord | None = None
