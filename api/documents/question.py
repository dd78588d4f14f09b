"""Questions to a person about a reading of tiles or a table of spots, and their ready answers."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

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
    feature with the boxes' rules, whose points depend on the answer; `squares` are all its subjects, `where` their
    names. `foot_px` is the foot of the piece in question, None if there is no single piece or the photo does not show
    it. A question about the score track has an arbitrary square of the board, no `squares`, and `quad_px` of the score
    board.
    """

    about: About
    text: str
    square: Square
    squares: list[Square]
    where: list[str] = Field(default=[])
    meeple: str | None
    photo: int
    quad_px: list[Point]
    foot_px: Point | None = None
    choices: list[Choice]


class SpotAnswer(Model):
    """An answer: the `correction` it stands for, the players' `final_scoring` with it, and the `colour` it names.

    `on_track` is each player's score track with it, {} in a game without one. `final_scoring` is None if it was not
    computed, and `on_track` is {} then; `probability` is None for values that the reader did not consider.
    """

    label: str
    value: int | str
    probability: float | None
    final_scoring: Totals | None
    on_track: dict[str, int | None] = Field(default_factory=dict)
    correction: Correction
    colour: str | None = None


class SpotQuestion(Model):
    """A doubt about a spot with a `label`, and its choices, of which the first is the value as read, if any.

    About a `colour`, it asks for the colour of all spots of a player. `spots` are all its subjects: those of a whole
    piece, such as a monument, or the one spot. `quad_px` encloses them in photo number `photo`, and is empty if no
    photo shows them. `text` is set if the question has its own wording. If there are more choices than these, the
    report lists all of them at the spot.
    """

    about: Literal["spot", "colour"] = "spot"
    text: str | None = None
    spot: str
    spots: list[str]
    label: str
    photo: int
    quad_px: list[Point]
    choices: list[SpotAnswer]
