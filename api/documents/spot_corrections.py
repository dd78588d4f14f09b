"""A person's corrections of a table of spots, as typed models."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StrictInt

from api.documents.plain_numbers import PlainNumbers
from api.documents.report import Model
from scoring.player_colours import find_colour

SpotId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$")]
"""Id of a spot, as `scoring.spots.game` writes it: `parts.giza.red.1`, `map.blue.3.4`."""
SpotValue = Annotated[StrictInt, Field(ge=-9999, le=9999)] | Annotated[str, Field(pattern=r"^[A-Za-z0-9._#-]{1,40}$")]
Colour = Annotated[str, Field(min_length=1, max_length=20), AfterValidator(find_colour)]


class SetSpot(PlainNumbers, Model):
    """The value of a spot: one of the report's `choices` for it, or None if unknown."""

    kind: Literal["spot"] = "spot"
    id: SpotId
    value: SpotValue | None


class SetSpots(PlainNumbers, Model):
    """The value of several spots that hold the same thing."""

    kind: Literal["spots"] = "spots"
    ids: Annotated[list[SpotId], Field(min_length=1, max_length=100)]
    value: SpotValue


class SetPiece(PlainNumbers, Model):
    """The identity of a piece on several spots: all spots of its player with the same value as the spot `id`."""

    kind: Literal["piece"] = "piece"
    id: SpotId
    value: SpotValue


class ConfirmSpot(PlainNumbers, Model):
    """A spot's value is as read."""

    kind: Literal["confirm_spot"] = "confirm_spot"
    id: SpotId


class NothingMore(PlainNumbers, Model):
    """The spots without any photo or correction are empty: no disc, no card, no loan.

    With a `player`, only that player's spots.
    """

    kind: Literal["nothing_more"] = "nothing_more"
    player: Colour | None = None


class SetPlayers(PlainNumbers, Model):
    """All players, by their colours."""

    kind: Literal["players"] = "players"
    colours: Annotated[list[Colour], Field(min_length=1, max_length=12)]
