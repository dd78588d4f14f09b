"""The moves between photos of one game, as typed models; squares are (row, col) in one frame for all photos."""

from __future__ import annotations

from operator import not_
from typing import Any, Literal, Self

from pydantic import Field

from api.documents.report import Entry, Model, PhotoInfo, Problem, SetAside, Square, Tile
from scoring.carcassonne.board.square_names import name_square

SCHEMA: Literal["wondertally/moves/1"] = "wondertally/moves/1"

Range = tuple[int, int]
"""Minimum and maximum of a value."""


class Piece(Model):
    """A piece placed or taken back, and the part it stood on, as `city:W`."""

    colour: str
    kind: str
    tile: Square
    where: str = ""
    on: str


class Move(Model):
    """One turn: the tiles laid, pieces placed and returned, and its points; `text` describes it in a line.

    `round` counts from 1 at the first photo. `marker` is the kind of piece that marks the wonder laid, `goods` are the
    tokens taken by kind, and `again` states that the builder brings a second turn. A move is `assumed` if no photo
    shows a piece of it and the points depend on that.
    """

    round: int = 1
    player: str
    tiles: list[Tile]
    pieces: list[Piece]
    back: list[Piece]
    scores: list[Entry]
    marker: str | None = None
    goods: dict[str, int] = Field(default_factory=dict)
    again: bool = False
    assumed: bool = False
    text: str = ""


class LogLine(Model):
    """A line of the log: a move, points, or something `open`; `stretch` is the number of its stretch.

    `move` is the number of the move in the stretch; `code` names what is open. `tiles` are the squares concerned.
    """

    kind: Literal["move", "points", "open"]
    stretch: int
    move: int | None = None
    round: int | None = None
    player: str | None = None
    points: int | None = None
    code: str | None = None
    tiles: list[Square]
    text: str


class Stretch(Model):
    """The moves from one photo to the next.

    `moves` are the likeliest explanation, in which `assumed` pieces were set and taken back unseen; `possible` are the
    points of every explanation, empty if none is known; `gains` is the range of each player's points. `settled` is set
    if all explanations give the same points and no doubt about the photos concerns the tiles laid or their features.
    `open` lists questions that the two photos leave open.
    """

    photos: tuple[int, int]
    moves: list[Move]
    assumed: int = 0
    possible: list[dict[str, int]]
    gains: dict[str, Range] | None
    settled: bool
    open: list[Problem]


class PhotoScores(Model):
    """The points at a photo: the range of each player's `points`, None if unknown, and the `likeliest` ones."""

    photo: int
    points: dict[str, Range] | None
    likeliest: dict[str, int] | None = None


class Totals(Model):
    """The result if the game ended with the last photo's board.

    `total` is the sum of the likeliest points at that photo and the `final_scoring`, whose points `entries` list;
    `ranges` are None if points are unknown. Several `winners` share the first place; `settled` is set if no points
    within the ranges change who they are.
    """

    final_scoring: dict[str, int]
    entries: list[Entry]
    total: dict[str, int]
    ranges: dict[str, Range] | None
    winners: list[str]
    settled: bool


class RefusedCorrection(Model):
    """A correction that was not applied, by its number from 0, and the reason."""

    correction: int
    kind: str
    code: str
    text: str
    details: dict[str, Any]


class Moves(Model):
    """The whole document; `points` count from the first photo if its score is unknown.

    `origin` is the square of the first board that people call row 1, column 1. `log` lists all moves, points and what
    is open, a line each. `boards` are the boards of the photos in notation. `orders` are the orders of the players,
    beginning with the player on turn at the first photo, that explain the photos. `record` is the game's record; moves
    that the photos leave open are marked in it.
    `wonders` are layouts of wonders that differ from the shipped ones, each as in a wonder's file. `views` hold a
    matrix for each photo, its rows one after the other: (col, row, 1) times it are homogeneous pixels.
    """

    schema_: Literal["wondertally/moves/1"] = Field(default=SCHEMA, alias="schema")
    game: Literal["carcassonne"] = "carcassonne"
    rules: str
    orders: list[list[str]]
    origin: Square = (0, 0)
    photos: list[PhotoInfo]
    boards: list[str]
    stretches: list[Stretch]
    scores: list[PhotoScores]
    totals: Totals | None = None
    settled: bool
    open: list[Problem]
    record: str
    set_aside: list[SetAside] = Field(default_factory=list)
    log: list[LogLine] = Field(default_factory=list)
    refused: list[RefusedCorrection] = Field(default_factory=list)
    wonders: list[dict[str, Any]] = Field(default_factory=list, exclude_if=not_)
    views: list[list[float]] = Field(default_factory=list, exclude_if=not_)

    def name_squares(self, origin: Square) -> Self:
        """Name each square as people see it on the first board, whose `origin` they call row 1, column 1."""
        moves = [move for stretch in self.stretches for move in stretch.moves]
        for tile in (tile for move in moves for tile in move.tiles):
            tile.where = name_square((tile.row, tile.col), origin)
        for piece in (piece for move in moves for piece in (*move.pieces, *move.back)):
            piece.where = name_square(piece.tile, origin)
        for problem in (*self.open, *(problem for stretch in self.stretches for problem in stretch.open)):
            problem.where = [name_square(square, origin) for square in problem.tiles]
        return self

    def to_json(self) -> str:
        """Return the document as one line of JSON."""
        return self.model_dump_json() + "\n"
