"""The report of a game with a printed board: the same document, with spots in place of tiles and meeples."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from api.documents.report import (
    SCHEMA,
    Assumed,
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
    """Another possible value of a spot."""

    value: Value
    probability: float


class SpotState(Model):
    """A spot: its kind, the `values` that name it, its value (None: unknown), and its possible values.

    `outline_px` is a ring in photo number `photo`. `typed` is set if no photo can show the spot, `set_by_person` if a
    person set its value.
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
    """A violation of the rules, or a missing value; `tiles` are squares, if the board has any."""

    code: str
    tiles: list[Square] = Field(default_factory=list)
    spots: list[str] = Field(default_factory=list)
    text: str
    values: dict[str, int | str] = Field(default_factory=dict)


class PrintedBoard(Model):
    """A board whose spots were read: its enrolled picture by name, its owner ("" for all), its size, and its corners.

    `corners_px` begin at the picture's upper left; they are in photo number `photo`, or in the drawn table.
    """

    picture: str
    owner: str
    size_mm: tuple[float, float]
    corners_px: list[Point]
    photo: int = 0


class SpotBoard(Model):
    """The table's notation, spots and problems, and the printed boards that photos show."""

    notation: str
    spots: list[SpotState]
    problems: list[SpotProblem]
    printed: list[PrintedBoard] = Field(default_factory=list)


class SpotFeature(Feature):
    """A scoring feature; `spots` are its parts, `photo` is the photo of its outline."""

    spots: list[str] = Field(default_factory=list)
    photo: int = 0


class SpotRules(Model):
    """The rules that the table was scored by, and the players in the game's order."""

    edition: str | None = None
    players: list[str]

    @property
    def box_rules(self) -> dict[str, bool]:
        """Stated choices on boxes' own rules: none."""
        return {}


class SpotScores(Model):
    """The players' points, with their entries.

    `winners` are the players with the most points, after the game's tie-break. `on_track` is {} in a game without a
    score track: `total` is the final scoring then.
    """

    final_scoring: dict[str, int]
    on_track: dict[str, int | None]
    total: dict[str, int | None]
    entries: list[Entry]
    confidence: float | None = None
    winners: list[str] = Field(default_factory=list)

    @property
    def assumed(self) -> list[Assumed]:
        """Assumptions of the scoring: none."""
        return []


class SpotDoubt(Model):
    """A doubt that matters: the spot, its other possible value, and the points with it.

    `on_track` is each player's score track with it, as in the scores. `spots` are all spots concerned, for a piece all
    its squares; `partly` is set if only some of them may have the other value. `instead` is None for an unknown spot.
    With a `player`, it is another possible colour of that player, and `spots` are all spots of the player.
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
        """Return the document as one line of JSON."""
        return self.model_dump_json() + "\n"
