"""A question to a person about a reading, and its ready answers."""

from __future__ import annotations

from typing import Literal

from api.documents.corrections import Correction
from api.documents.report import Model, Point, Square

Totals = dict[str, int]
About = Literal["tile", "meeple", "player", "pile", "special", "border", "table", "track"]


class Choice(Model):
    """An answer: the `correction` it stands for, and the players' `final_scoring` with it.

    `probability` is None for values that the reader did not consider. `drawing` is the URL of a tile's drawing,
    `colour` the colour of a player's pieces.
    """

    label: str
    tile: str | None
    turns: int
    drawing: str | None
    colour: str | None = None
    probability: float | None
    final_scoring: Totals | None
    correction: Correction


class Question(Model):
    """A doubt: its square or meeple, its place in the photo that shows it best, and the choices.

    `text` is the question in a player's words. The first choice is the value as read, if any. `quad_px` is NW, NE, SE,
    SW of the square, or encloses a wonder or several pieces. A question about a player or a pile has the square of its
    most certain piece, one about the border that of a tile there, one about the table that of the wonder, or of a
    feature with the boxes' rules, whose points depend on the answer; `squares` are all its subjects. `foot_px` is the
    foot of the piece in question, None if there is no single piece or the photo does not show it. A question about the
    score track has an arbitrary square of the board, no `squares`, and `quad_px` of the score board.
    """

    about: About
    text: str
    square: Square
    squares: list[Square]
    meeple: str | None
    photo: int
    quad_px: list[Point]
    foot_px: Point | None = None
    choices: list[Choice]
