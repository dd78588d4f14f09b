"""HTTP documents about games kept by their photos, as typed models."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, WrapValidator, model_validator

from api.carcassonne.report.moves_schema import Moves
from api.documents.game_corrections import GameCorrection, TrackPoints, refuse_twice
from api.documents.tile_corrections import Name, NamedBox, PlayerName, RuledBox
from api.inputs.table_words import refuse_colour
from api.schemas.readings import ErrorBody, Stage, Wire
from scoring.carcassonne.board.boxes import read_boxes
from scoring.carcassonne.final.rulesets import TODAY, get_ruleset
from scoring.carcassonne.play.setup import MAX_PLAYERS

PlayedColour = Annotated[Name, AfterValidator(refuse_colour)]


class GamePlayer(Wire):
    """A player of a game: the colour, and the name if it was given."""

    colour: PlayedColour
    name: PlayerName | None = None


class GameCreate(Wire):
    """A game to be kept: the players in turn order, and all that is known before its first photo.

    `on_turn` is the player on turn at the first photo, `points` those of the players then. `boxes` are the numbers of
    copies of boxes, `box_rules` states whether a box's own rules are played. `wonders` is the number of wonders that
    each player may take, 0 if it is not known.
    """

    players: Annotated[list[GamePlayer], Field(min_length=2, max_length=MAX_PLAYERS)]
    rules: Annotated[str, AfterValidator(lambda name: get_ruleset(name).name)] = TODAY.name
    boxes: Annotated[dict[NamedBox, int], AfterValidator(read_boxes)] = Field(default={})
    box_rules: dict[RuledBox, bool] = Field(default={})
    wonders: Annotated[int, Field(ge=0, le=2)] = 0
    on_turn: PlayedColour | None = None
    points: Annotated[dict[PlayedColour, TrackPoints], WrapValidator(refuse_twice)] = Field(default={})

    @model_validator(mode="after")
    def _check_colours(self) -> GameCreate:
        colours = {player.colour for player in self.players}
        if len(colours) < len(self.players):
            raise ValueError("each player has a colour of their own")
        if not {*self.points, *([self.on_turn] if self.on_turn else [])} <= colours:
            raise ValueError("on_turn and points name players of the game")
        return self


class GamePhotoDocument(Wire):
    """A photo of a game, by its number from 1 in order of arrival; `client_id` is the sender's own id for it.

    In the game's log it has the name `file`; `place` is its place in `log.photos`, None if it is not among them. A
    photo that is `aside` does not count: `reason` is the code of the error, as of one that `failed`.
    """

    number: int
    client_id: str
    file: str
    status: Literal["queued", "reading", "read", "aside", "failed"]
    place: int | None = None
    reason: str | None = None
    width: int
    height: int
    sent: datetime


class GameCorrectionDocument(Wire):
    """A correction of a game, by the id with which it is removed, and who made it (empty: unknown)."""

    id: int
    correction: GameCorrection
    who: str
    made: datetime


class GameDocument(Wire):
    """A game kept by its photos: its `log` follows from the photos read so far and all corrections.

    Without a log, `problem` states why. `is_current` is false while photos wait or the log is written anew; `stage` is
    that of the photo being read, `ahead` the number of readings before it. `version` counts all changes.
    """

    id: str
    settings: GameCreate
    photos: list[GamePhotoDocument]
    corrections: list[GameCorrectionDocument]
    log: Moves | None = None
    problem: ErrorBody | None = None
    is_current: bool
    stage: Stage | None = None
    ahead: int = 0
    version: int
    finished: datetime | None = None
    may_correct: bool = False
    created: datetime
    expires: datetime


class GameCreated(GameDocument):
    """A new game, with the owner's token, which is given only this once."""

    token: str


class GameFinish(Wire):
    """Whether a game is finished; a finished one goes on with `finished` false, or with its next photo."""

    finished: bool = True
