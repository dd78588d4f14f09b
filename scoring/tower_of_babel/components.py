"""Components and printed values of a copy of Tower of Babel (`data/components.toml`, which lists what a person
adds).
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from scoring.spots.components import ComponentsError, list_missing_values, read_components, require_value

ROWS = 7
"""By the rules: one row for each wonder that can be completed, as the last disc of a kind is taken before the eighth
is.
"""

Number = Annotated[int, Field(ge=0, le=1000)]
Wonder = Annotated[str, Field(pattern="^(giza|colossus|zeus|gardens|mausoleum|lighthouse|artemis|babel)$")]
Card = Literal["card-trade", "joker", "disc-bonus", "card-draw", "triple-bonus", "double-turn", "points"]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Row(_Model):
    """A row of the scoring table: victory points for most and for second most parts."""

    most: Number
    second: Number


class ScoringTable(_Model):
    """Rows by number, starting with 1; `light` is the light space, None if unknown."""

    others: Number
    rows: dict[Annotated[int, Field(ge=1, le=ROWS)], Row]
    light: Row | None = None


class Parts(_Model):
    """Number of building parts of each value per player."""

    value_1: Number
    value_3: Number

    def of(self, worth: int) -> int:
        """Return the number of parts of value 1 or 3."""
        return self.value_1 if worth == 1 else self.value_3


class Discs(_Model):
    """Numbers of discs per kind, per wonder and with 2 colours, and the least and most cards that a disc needs."""

    of_a_kind: Number
    on_a_wonder: Number
    two_coloured: Number
    least: Number
    most: Number


class Track(_Model):
    """The victory point track; `length` is its highest number."""

    length: Annotated[int, Field(ge=1, le=1000)] | None = None


class ActionCards(_Model):
    """Number of action cards of each kind, and the worth of those that score."""

    number: dict[Card, Number]
    worth: dict[Card, Number]


class Components(_Model):
    """All components of a copy. `pictures` and `layout` belong to the reader and are not validated here."""

    wonders: dict[Wonder, str]
    parts: Parts
    discs: Discs
    scoring_table: ScoringTable
    disc_bonus: dict[Annotated[int, Field(ge=1, le=28)], Number]
    action_cards: ActionCards
    track: Track = Track()
    pictures: Any = None
    layout: Any = None

    def row(self, number: int) -> Row:
        """Return a row of the scoring table, 1 to 7; raise ComponentsError `component_missing`."""
        printed = f"in row {number} of the scoring table on the board"
        return require_value(self.scoring_table.rows.get(number), f"scoring_table.rows.{number}", printed)

    def light_row(self) -> Row:
        """Return the light space of the scoring table; raise ComponentsError `component_missing`."""
        printed = "in the light space of the scoring table on the board"
        return require_value(self.scoring_table.light, "scoring_table.light", printed)

    def bonus(self, discs: int) -> int:
        """Return the points for this many discs of one kind; raise ComponentsError `component_missing`."""
        printed = f"in the bonus table on the board, for {discs} discs of one kind"
        return require_value(self.disc_bonus.get(discs), f"disc_bonus.{discs}", printed) if discs else 0

    def missing(self) -> tuple[ComponentsError, ...]:
        """Return the missing values that some table needs, as errors; 7 discs of a kind include two-coloured ones."""
        rows = (partial(self.row, number) for number in range(1, ROWS + 1))
        bonuses = (partial(self.bonus, discs) for discs in range(1, self.discs.of_a_kind + 1))
        return list_missing_values((self.light_row, *rows, *bonuses))


def load_components(text: str | None) -> Components:
    """Return the components of every copy, overridden by a person's TOML.

    Raises ComponentsError `components_invalid`.
    """
    return read_components(Components, Path(__file__).parent / "data" / "components.toml", text)
