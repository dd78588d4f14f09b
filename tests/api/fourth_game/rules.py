"""The rules: a stone scores the worth of its row of quays; the holder of the flag, never in photos, gets one more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from scoring.errors import BoardError
from scoring.score_entry import ScoreEntry
from scoring.spots.components import ComponentsError, build_missing_error, read_components
from scoring.spots.game import Area, Game, Laid, Scored, Spot, Trouble, find_strange_spot

ROWS = ("upper", "lower")
QUAYS = 3
MOST_STONES = 2
"""Stones per player."""


class Components(BaseModel):
    """The facts printed on a copy."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    worth: dict[str, int]
    pictures: Any = None
    layout: Any = None

    def of_row(self, row: str) -> int:
        """Return the worth of a stone on a row; raises ComponentsError `component_missing`."""
        if row not in self.worth:
            raise build_missing_error(f"worth.{row}", f"beside the {row} quays")
        return self.worth[row]


class Quays:
    """An implementation of `scoring.spots.game.Game`."""

    name = "fourth-game"
    colours: tuple[str, ...] = ("red", "blue")
    sections: Mapping[str, str] = {"quay.stone": "Stones", "quay.flag": "The flag"}

    def components(self, text: str | None) -> Components:
        return read_components(Components, Path(__file__).parent / "data" / "components.toml", text)

    def missing(self, components: Components) -> Sequence[ComponentsError]:
        return [
            build_missing_error(f"worth.{row}", f"beside the {row} quays")
            for row in ROWS
            if row not in components.worth
        ]

    def spots(self, components: Components, players: Sequence[str], laid: Laid) -> tuple[Spot, ...]:
        quays = [
            Spot(f"quay.{row}.{number}", "quay", {"berth": row, "number": number}, ("-", *players))
            for row in ROWS
            for number in range(1, QUAYS + 1)
        ]
        return (*quays, Spot("flag", "flag", {}, ("-", *players), typed=True))

    def score(self, components: Components, players: Sequence[str], laid: Laid, check: bool = True) -> Scored:
        spots = self.spots(components, players, laid)
        if strange := find_strange_spot(spots, laid):
            raise BoardError("strange_spot", f"{strange[1]} cannot be on {strange[0]}", spot=strange[0])
        entries: list[ScoreEntry] = []
        areas: list[Area] = []
        for spot in spots[:-1]:
            player = str(laid.get(spot.id, "-"))
            areas.append(Area(spot.id, "quay", (spot.id,), 1, True, {} if player == "-" else {player: 1}))
            if player != "-":
                worth = components.of_row(str(spot.values["berth"]))
                text = f"a stone, worth {worth}"
                entries.append(ScoreEntry(player, worth, spot.id, "quay.stone", text, {"worth": worth}))
        if laid.get("flag", "-") != "-":
            entries.append(ScoreEntry(str(laid["flag"]), 1, "", "quay.flag", "the flag", {}))
        totals = {player: sum(entry.points for entry in entries if entry.player == player) for player in players}
        return Scored(
            tuple(entries),
            totals,
            tuple(areas),
            tuple(_find_troubles(players, laid)) if check else (),
            tuple(spot.id for spot in spots if spot.id not in laid),
            winners=tuple(player for player in players if totals[player] == max(totals.values())),
        )


def _find_troubles(players: Sequence[str], laid: Laid) -> list[Trouble]:
    by_player = {player: tuple(spot for spot, value in laid.items() if value == player) for player in players}
    stones = {player: tuple(spot for spot in spots if spot != "flag") for player, spots in by_player.items()}
    return [
        Trouble("too_many_stones", f"{player} has {len(spots)} stones", spots, {"player": player, "number": len(spots)})
        for player, spots in stones.items()
        if len(spots) > MOST_STONES
    ]


GAME: Game = Quays()
