"""A person's corrections of a table of spots, as typed models (for Carcassonne see `api.corrections.commands`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, NoReturn

from pydantic import AfterValidator, Field, StrictInt

from api.documents.plain_numbers import PlainNumbers
from api.documents.report import Model
from api.errors import CorrectionError
from scoring.player_colours import find_colour
from scoring.spots.game import Value

SpotId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$")]
"""Id of a spot, as `scoring.spots.game` writes it: `parts.giza.red.1`, `map.blue.3.4`."""
SpotValue = Annotated[StrictInt, Field(ge=-9999, le=9999)] | Annotated[str, Field(pattern=r"^[A-Za-z0-9._#-]{1,40}$")]
Colour = Annotated[str, Field(min_length=1, max_length=20), AfterValidator(find_colour)]


@dataclass(slots=True)
class SpotCorrectionState:
    """State after all corrections so far: the values of spots (None: unknown), the confirmed spots, and the players.

    `players` is None if unknown: then the players are those with pieces in the photos and those with names. `colours`
    maps colours as read to the players' true colours; `sure_colours` are the colours that a person has stated.
    """

    laid: dict[str, Value | None] = field(default_factory=dict)
    confirmed: set[str] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)
    players: tuple[str, ...] | None = None
    colours: dict[str, str] = field(default_factory=dict)
    sure_colours: set[str] = field(default_factory=set)

    def repaint(self, colour: str, instead: str, renaming: Mapping[str, str]) -> None:
        """Swap the colours of two players; `renaming` maps the ids of spots from one colour to the other."""
        swapped = {colour: instead, instead: colour}
        read = {now: old for old, now in self.colours.items()}
        for now in (colour, instead):
            self.colours[read.get(now, now)] = swapped[now]
        self.laid = {renaming.get(id, id): value for id, value in self.laid.items()}
        self.confirmed = {renaming.get(id, id) for id in self.confirmed}
        self.names = {swapped.get(player, player): name for player, name in self.names.items()}
        if self.players is not None:
            self.players = tuple(swapped.get(player, player) for player in self.players)
        self.sure_colours = {swapped.get(player, player) for player in self.sure_colours} | {instead}


class SpotCorrection(PlainNumbers, Model):
    """A correction of spots, which a board of tiles refuses."""

    kind: str

    def apply(self, state: object) -> NoReturn:
        """Refuse to be applied to a board of tiles; raises CorrectionError."""
        raise CorrectionError("other_game", details={"kind": self.kind, "game": "carcassonne"})


class SetSpot(SpotCorrection):
    """The value of a spot: one of the report's `choices` for it, or None if unknown."""

    kind: Literal["spot"] = "spot"
    id: SpotId
    value: SpotValue | None

    def apply_to_spots(self, state: SpotCorrectionState) -> None:
        state.laid[self.id] = self.value
        state.confirmed.discard(self.id)


class SetSpots(SpotCorrection):
    """The value of several spots that hold the same thing."""

    kind: Literal["spots"] = "spots"
    ids: Annotated[list[SpotId], Field(min_length=1, max_length=100)]
    value: SpotValue

    def apply_to_spots(self, state: SpotCorrectionState) -> None:
        for id in self.ids:
            SetSpot(id=id, value=self.value).apply_to_spots(state)


class SetPiece(SpotCorrection):
    """The identity of a piece on several spots: all spots of its player with the same value as the spot `id`."""

    kind: Literal["piece"] = "piece"
    id: SpotId
    value: SpotValue


class ConfirmSpot(SpotCorrection):
    """A spot's value is as read."""

    kind: Literal["confirm_spot"] = "confirm_spot"
    id: SpotId

    def apply_to_spots(self, state: SpotCorrectionState) -> None:
        state.confirmed.add(self.id)


class NothingMore(SpotCorrection):
    """The spots without any photo or correction are empty: no disc, no card, no loan.

    With a `player`, only that player's spots.
    """

    kind: Literal["nothing_more"] = "nothing_more"
    player: Colour | None = None


class SetPlayers(SpotCorrection):
    """All players, by their colours."""

    kind: Literal["players"] = "players"
    colours: Annotated[list[Colour], Field(min_length=1, max_length=12)]

    def apply_to_spots(self, state: SpotCorrectionState) -> None:
        state.players = tuple(dict.fromkeys(self.colours))
