"""The report of a game whose board is printed: the same document, with spots in place of tiles and meeples."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from api.report.schema import (
    SCHEMA,
    BatchPlace,
    Entry,
    Feature,
    Line,
    Model,
    PhotoInfo,
    Point,
    SetAside,
    Square,
)

Value = int | str


class SpotChoice(Model):
    """Another reading of a spot."""

    value: Value
    probability: float


class SpotState(Model):
    """A spot: what it is (`kind`, and what its words name), what lies there (None: not known), what else may.

    `outline_px` is a ring in the photo of that number. `typed` where no photo shows it. `set_by_person` where a person
    said what lies there.
    """

    id: str
    kind: str
    values: dict[str, int | str]
    value: Value | None
    choices: list[Value]
    typed: bool = False
    outline_px: list[Point] | None = None
    photo: int = 0
    confidence: float = 1.0
    doubtful: bool = False
    alternatives: list[SpotChoice] = Field(default_factory=list)
    set_by_person: bool = False


class SpotProblem(Model):
    """Something that the rules do not allow, or that is missing; `tiles` are squares, where the board has any."""

    code: str
    tiles: list[Square] = Field(default_factory=list)
    spots: list[str] = Field(default_factory=list)
    text: str
    values: dict[str, int | str] = Field(default_factory=dict)


class SpotBoard(Model):
    """What lies on the table."""

    notation: str
    spots: list[SpotState]
    problems: list[SpotProblem]


class SpotFeature(Feature):
    """What scores; `spots` are what it is made of, `photo` the photo that its outline lies in."""

    spots: list[str] = Field(default_factory=list)
    photo: int = 0


class SpotRules(Model):
    """What it was scored by: the game's rules, and the players in the game's order."""

    edition: str | None = None
    players: list[str]


class SpotScores(Model):
    """The players' points, with the entries that they are made of.

    `winners` are those with the most points, after the game's tie-break. `on_track` is {} in a game where nothing is
    scored before: then `total` is the final scoring.
    """

    final_scoring: dict[str, int]
    on_track: dict[str, int | None]
    total: dict[str, int | None]
    entries: list[Entry]
    confidence: float | None = None
    winners: list[str] = Field(default_factory=list)


class SpotDoubt(Model):
    """A doubt that matters: the spot, what may lie there instead, and the points that would give.

    `on_track` is what each player had before then, as in the scores. `spots` are all that it is about, the squares of a
    piece together; `partly` where only some of them may hold something else. `instead` is None where nobody knows what
    lies there. With a `player` it is another colour that this player may have, and `spots` are all of this player's.
    """

    spot: str
    spots: list[str]
    partly: bool = False
    instead: Value | None
    probability: float | None
    final_scoring: dict[str, int] | None
    on_track: dict[str, int | None] = Field(default_factory=dict)
    player: str | None = None


class SpotReport(Model):
    """The whole document, under the names of the contract."""

    schema_: Literal["wondertally/report/1"] = Field(default=SCHEMA, alias="schema")
    game: str
    photo: PhotoInfo | None
    rules: SpotRules
    board: SpotBoard
    features: list[SpotFeature]
    lines: list[Line] = Field(default_factory=list)
    scores: SpotScores
    doubtful: bool
    doubts: list[SpotDoubt]
    timing_ms: dict[str, float]
    photos: list[PhotoInfo] = Field(default_factory=list)
    set_aside: list[SetAside] = Field(default_factory=list)
    names: dict[str, str] = Field(default_factory=dict)
    batch: BatchPlace | None = None

    def to_json(self) -> str:
        """The document as one line of text."""
        return self.model_dump_json() + "\n"
