"""State of a table of spots under correction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scoring.spots.game import Value


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

    def lay(self, spot: str, value: Value | None) -> None:
        """Set the value of a spot, which is no longer confirmed as read."""
        self.laid[spot] = value
        self.confirmed.discard(spot)

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
