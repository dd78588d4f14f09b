"""What goes over HTTP of boards and records, as typed models."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field, model_validator

from api.corrections.commands import MAX_PLAYER_NAME_CHARACTERS, MAX_TILES_IN_PLAY
from api.corrections.url_fragment import Colour
from api.games.reports import AnyReport
from api.report.schema import Entry
from api.schemas.readings import Wire

MAX_BOARD_CHARACTERS = 8000
"""Characters: a board of 400 squares with a hundred meeples takes some 2,500, one of many wonders twice that."""
MAX_RECORD_CHARACTERS = 40_000


class ScoreRequest(Wire):
    """A board in one line, or the record of a game; `track` is what players had on the score track before.

    A table of a game of spots begins with the game's name (`scoring.spots.text`), and has its track among its spots.
    `names` are the players' by colour, `tiles_in_play` is wanted where more were played with than lie there.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"board": "D0V0/-U1 red^1,1=rN blue^0,0=cN", "track": {"blue": 90}}]},
    )

    board: str | None = Field(default=None, max_length=MAX_BOARD_CHARACTERS)
    record: str | None = Field(default=None, max_length=MAX_RECORD_CHARACTERS)
    rules: str | None = Field(default=None, max_length=40)
    track: dict[str, Annotated[int, Field(ge=0, le=9999)]] = Field(default={}, max_length=20)
    names: dict[Colour, Annotated[str, Field(min_length=1, max_length=MAX_PLAYER_NAME_CHARACTERS)]] = Field(
        default={}, max_length=20
    )
    tiles_in_play: int | None = Field(default=None, ge=1, le=MAX_TILES_IN_PLAY)

    @model_validator(mode="after")
    def _check_one_input(self) -> ScoreRequest:
        if (self.board is None) == (self.record is None):
            raise ValueError("one of board and record is wanted")
        if self.record is not None and (self.rules or self.track or self.names or self.tiles_in_play):
            raise ValueError("a record has its own rules and points")
        return self


class MoveTold(Wire):
    """A move of a record, and the points after it."""

    player: str
    scores: dict[str, int]
    entries: list[Entry]


class RecordTold(Wire):
    """What a game's record tells beside its last board: points in turn order, `totals` with the final scoring."""

    players: list[str]
    over: bool
    moves: list[MoveTold]
    scores: dict[str, int]
    totals: dict[str, int]


class ScoreDocument(Wire):
    """A board's report; of a record, that of its last board, and how it came to it."""

    report: AnyReport
    record: RecordTold | None = None
