"""The explanation of a board as typed models: the points of each feature, line and player, with reasons."""

from __future__ import annotations

from operator import not_
from typing import Literal

from pydantic import Field

from api.documents.report import Line, Model, Nothing, Problem, Rules, Square
from api.documents.spot_report import SpotProblem, SpotRules, Value

SCHEMA: Literal["wondertally/explanation/1"] = "wondertally/explanation/1"


class OpenEnd(Model):
    """A side of a tile at which a road or city is open; `why` is in the requested language."""

    tile: Square
    where: str = ""
    side: str
    why: str


class Mark(Model):
    """A coat of arms, inn, cathedral, pig herd or goods."""

    what: str
    tile: Square
    where: str = ""


class TouchedCity(Model):
    """A city beside a farm (`name` is its label); it brings points only if complete."""

    id: str
    complete: bool
    name: str = ""


class Counted(Model):
    """A piece, road, row or column that a wonder pays for, with its `points`: 0 for a row or column that is too short.

    `name` is in the requested language, as in the sentences. `tiles` are its squares, those of the long runs if it
    counts. `feature` is the road, or that on which the piece stands, and `meeple` the piece's index among the report's.
    """

    what: Literal["piece", "road", "row", "column"]
    name: str
    points: int
    tiles: list[Square]
    where: list[str]
    feature: str = ""
    meeple: int | None = None


class HoldingAccount(Model):
    """A player's holding on a feature: the number of pieces of each kind, and their strength in the majority."""

    player: str
    pieces: dict[str, int]
    strength: int


class FeatureAccount(Model):
    """The account of a feature; the `tiles` of a road are in order along it.

    `id` is that of the report, `name` the label shown to people, `wonder` the id of a wonder, `counted` what it pays
    for, wherever that lies.

    `points` and `sum` are the feature's worth to the holder of its majority, for a wonder to its owner; None if that
    depends on the player, or if no player scores it. `majority` are the players with the majority, who score in full,
    `nothing` the players with pieces there who score nothing. `text` repeats it all in words; `sentences` states the
    majority, the points and the reasons. Both are in the requested language.
    """

    id: str
    kind: str
    tiles: list[Square]
    where: list[str] = Field(default=[])
    size: int
    complete: bool
    open_ends: list[OpenEnd]
    marks: list[Mark]
    cities: list[TouchedCity]
    meeples: dict[str, int]
    points: int | None
    sum: str
    text: list[str]
    holdings: list[HoldingAccount] = Field(default=[])
    majority: list[str] = Field(default=[])
    nothing: list[Nothing] = Field(default=[])
    sentences: list[str] = Field(default=[])
    name: str = ""
    wonder: str = Field(default="", exclude_if=not_)
    counted: list[Counted] = Field(default=[], exclude_if=not_)


class Part(Model):
    """A part of a tile (`road:N` meets its north edge as placed) and the feature that it belongs to."""

    place: str
    feature: str
    name: str = ""


class SquareAccount(Model):
    """The tile on a square; `name` is as in the notation, None for an unknown tile."""

    tile: Square
    where: str = ""
    name: str | None
    turns: int
    parts: list[Part]


class LineAccount(Line):
    """A row or column with its runs, also in words of the requested language."""

    text: str


class PlayerEntry(Model):
    """Points of a player, with the sections of the rule texts that grant them; `name` is the feature's.

    `section` is in the requested language; `sum` translates the sum in `text`.
    """

    points: int
    feature: str
    rule: str
    text: str
    section: str
    name: str = Field(default="", exclude_if=not_)
    sum: str = Field(default="", exclude_if=not_)


class Standing(Model):
    """A player's total: the final scoring and the score track; `place` is None unless all totals are known."""

    player: str
    final_scoring: int
    on_track: int | None
    total: int | None
    place: int | None


class PlayerAccount(Model):
    """Sources of a player's points in the final scoring."""

    player: str
    total: int
    entries: list[PlayerEntry]


class Explanation(Model):
    """The whole document; parts that were not asked for are empty lists.

    `standing` is present if any player's points on the score track are known, best first. `where` are the names of
    squares that people see, counted from 1: `origin` is the square that they call row 1, column 1.
    """

    schema_: Literal["wondertally/explanation/1"] = Field(default=SCHEMA, alias="schema")
    game: Literal["carcassonne"] = "carcassonne"
    rules: Rules
    players: list[PlayerAccount]
    squares: list[SquareAccount]
    features: list[FeatureAccount]
    lines: list[LineAccount]
    problems: list[Problem]
    origin: Square = (0, 0)
    standing: list[Standing] = Field(default=[], exclude_if=not_)

    def to_json(self) -> str:
        """Return the document as JSON, indented for human readers."""
        return self.model_dump_json(indent=1) + "\n"


class SpotPlayerEntry(PlayerEntry):
    """Points of a player, with the label of the feature that brings them."""

    label: str = ""


class SpotPlayerAccount(PlayerAccount):
    """A player's points with all entries."""

    entries: list[SpotPlayerEntry]  # type: ignore[assignment]


class FeatureEntry(SpotPlayerEntry):
    """Points of a feature, with their player."""

    player: str


class SpotLaid(Model):
    """A spot of a feature with its label, its value (None: unknown), and the value in words."""

    id: str
    label: str = ""
    value: Value | None
    value_label: str = ""


class SpotFeatureAccount(Model):
    """The account of a feature: its label, its spots, each player's count, and its points."""

    id: str
    label: str = ""
    kind: str
    size: int
    complete: bool
    players: dict[str, int]
    spots: list[SpotLaid]
    entries: list[FeatureEntry]


class SpotExplanation(Model):
    """The whole document; parts that were not asked for are empty lists."""

    schema_: Literal["wondertally/explanation/1"] = Field(default=SCHEMA, alias="schema")
    game: str
    rules: SpotRules
    players: list[SpotPlayerAccount]
    features: list[SpotFeatureAccount]
    problems: list[SpotProblem]

    def to_json(self) -> str:
        """Return the document as JSON, indented for human readers."""
        return self.model_dump_json(indent=1) + "\n"
