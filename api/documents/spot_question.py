"""A question to a person about a table of spots, and its ready answers."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from api.documents.corrections import Correction
from api.documents.report import Model, Point

Totals = dict[str, int]


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
