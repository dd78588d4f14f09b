"""What a person says of a table of spots, as typed corrections (Carcassonne: `api.corrections.commands`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, NoReturn

from pydantic import AfterValidator, Field, StrictInt

from api.errors import CorrectionError
from api.report.plain_numbers import PlainNumbers
from api.report.schema import Model
from scoring.player_colours import find_colour
from scoring.spots.game import Value

SpotId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$")]
"""A spot as `scoring.spots.game` calls it: `parts.giza.red.1`, `map.blue.3.4`."""
SpotValue = Annotated[StrictInt, Field(ge=-9999, le=9999)] | Annotated[str, Field(pattern=r"^[A-Za-z0-9._#-]{1,40}$")]
Colour = Annotated[str, Field(min_length=1, max_length=20), AfterValidator(find_colour)]


@dataclass(slots=True)
class SpotCorrectionState:
    """All that was said of a table so far: what lies where (None: nobody knows), what is as read, and who plays.

    `players` is None where nobody said who plays: then those do whose pieces were seen, and who has a name. `colours`
    are the players who were read in another colour than they have, `sure_colours` those whose colour somebody told.
    """

    laid: dict[str, Value | None] = field(default_factory=dict)
    confirmed: set[str] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)
    players: tuple[str, ...] | None = None
    colours: dict[str, str] = field(default_factory=dict)
    sure_colours: set[str] = field(default_factory=set)

    def repaint(self, colour: str, instead: str, renaming: Mapping[str, str]) -> None:
        """Give a player another colour, and who had that one, the first; `renaming` are spots under both."""
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
    """What lies on a spot: one of the report's `choices` for it; None where nobody knows."""

    kind: Literal["spot"] = "spot"
    id: SpotId
    value: SpotValue | None

    def apply_to_spots(self, state: SpotCorrectionState) -> None:
        state.laid[self.id] = self.value
        state.confirmed.discard(self.id)


class SetSpots(SpotCorrection):
    """What lies on several spots that are one thing: the same on each."""

    kind: Literal["spots"] = "spots"
    ids: Annotated[list[SpotId], Field(min_length=1, max_length=100)]
    value: SpotValue

    def apply_to_spots(self, state: SpotCorrectionState) -> None:
        for id in self.ids:
            SetSpot(id=id, value=self.value).apply_to_spots(state)


class SetPiece(SpotCorrection):
    """What a piece is that lies on several spots: all those of its player that hold what the spot `id` holds now."""

    kind: Literal["piece"] = "piece"
    id: SpotId
    value: SpotValue


class ConfirmSpot(SpotCorrection):
    """What lies on a spot is as read."""

    kind: Literal["confirm_spot"] = "confirm_spot"
    id: SpotId

    def apply_to_spots(self, state: SpotCorrectionState) -> None:
        state.confirmed.add(self.id)


class NothingMore(SpotCorrection):
    """Nothing is there of all that no photo shows and nobody has said: no disc, no card, no loan.

    With a `player`, of all that this player may have.
    """

    kind: Literal["nothing_more"] = "nothing_more"
    player: Colour | None = None


class SetPlayers(SpotCorrection):
    """Who plays, by their colours: all of them."""

    kind: Literal["players"] = "players"
    colours: Annotated[list[Colour], Field(min_length=1, max_length=12)]

    def apply_to_spots(self, state: SpotCorrectionState) -> None:
        state.players = tuple(dict.fromkeys(self.colours))
