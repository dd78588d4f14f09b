"""What was played between photos of one game, as typed models; squares are (row, col) in one frame for all photos."""

from __future__ import annotations

from operator import not_
from typing import Any, Literal

from pydantic import Field

from api.report.schema import Entry, Model, PhotoInfo, Problem, SetAside, Square, Tile

SCHEMA: Literal["wondertally/moves/1"] = "wondertally/moves/1"

Range = tuple[int, int]
"""The fewest and the most that it may be."""


class Piece(Model):
    """A piece set or taken back, and what it stood on, as `city:W`."""

    colour: str
    kind: str
    tile: Square
    on: str


class Move(Model):
    """One turn: the squares that were laid, pieces set and gone home, what it scored; `text` says it in a line."""

    player: str
    tiles: list[Tile]
    pieces: list[Piece]
    back: list[Piece]
    scores: list[Entry]
    text: str


class Stretch(Model):
    """What happened from one photo to the next.

    `moves` are one way that explains it, with as few unseen pieces as may be; `possible` the points of every way, none
    where no way is known; `gains` what each player scored. `settled` where all ways give the same points, and no doubt
    about what the photos show touches what was laid or what it belongs to. `open` is what the two photos do not tell.
    """

    photos: tuple[int, int]
    moves: list[Move]
    possible: list[dict[str, int]]
    gains: dict[str, Range] | None
    settled: bool
    open: list[Problem]


class Scores(Model):
    """The points at a photo; None for a player where they are not known."""

    photo: int
    points: dict[str, Range] | None


class Moves(Model):
    """The whole document. `points` count from the first photo where nobody said what they were then.

    `boards` are the boards of the photos in their notation. `orders` are the orders of the players, from whoever was on
    turn at the first photo, that explain the photos. `record` is the game's record up to the first move that is open.
    `wonders` are the layouts of wonders that lie there other than as shipped, each as in a wonder's file.
    """

    schema_: Literal["wondertally/moves/1"] = Field(default=SCHEMA, alias="schema")
    game: Literal["carcassonne"] = "carcassonne"
    rules: str
    orders: list[list[str]]
    photos: list[PhotoInfo]
    boards: list[str]
    stretches: list[Stretch]
    scores: list[Scores]
    settled: bool
    open: list[Problem]
    record: str
    set_aside: list[SetAside] = Field(default_factory=list)
    wonders: list[dict[str, Any]] = Field(default_factory=list, exclude_if=not_)

    def to_json(self) -> str:
        """The document as one line of text."""
        return self.model_dump_json() + "\n"
