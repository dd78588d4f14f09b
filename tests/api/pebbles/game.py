"""The rules of Pebbles: each pebble on the board of two rows of three is a point, a whole row a printed bonus.

The holder of the sun, which no photo shows, has two points more.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from scoring.errors import BoardError
from scoring.score_entry import ScoreEntry
from scoring.spots.components import ComponentsError, build_missing_error
from scoring.spots.game import Area, Game, Laid, Scored, Spot, Trouble, find_strange_spot

ROWS, COLUMNS = 2, 3
PRINTED = "beside each row"


class Components(BaseModel):
    """The facts printed on a copy."""

    model_config = ConfigDict(extra="forbid")

    row_bonus: int | None = None
    pictures: Any = None
    layout: Any = None


class Pebbles:
    """An implementation of `scoring.spots.game.Game`."""

    name = "pebbles"
    colours: tuple[str, ...] = ("red", "blue")
    sections: Mapping[str, str] = {"row": "Scoring, rows", "pebbles": "Scoring, pebbles", "sun": "The sun"}

    def components(self, text: str | None) -> Components:
        try:
            return Components.model_validate(tomllib.loads(text or ""))
        except ValueError as error:
            raise ComponentsError("components_invalid", str(error), key="row_bonus") from error

    def missing(self, components: Components) -> Sequence[ComponentsError]:
        return [build_missing_error("row_bonus", PRINTED)] if components.row_bonus is None else []

    def spots(self, components: Components, players: Sequence[str], laid: Laid) -> tuple[Spot, ...]:
        squares = [
            Spot(f"square.{row}.{col}", "pebble_square", {"row": row, "col": col}, ("-", *players))
            for row in range(ROWS)
            for col in range(COLUMNS)
        ]
        return (*squares, Spot("sun", "sun", {}, ("-", *players), typed=True))

    def score(self, components: Components, players: Sequence[str], laid: Laid, check: bool = True) -> Scored:
        spots = self.spots(components, players, laid)
        if strange := find_strange_spot(spots, laid):
            raise BoardError("spot_value_impossible", f"{strange[1]} on {strange[0]}", spot=strange[0])
        entries: list[ScoreEntry] = []
        areas: list[Area] = []
        for row in range(ROWS):
            names = tuple(f"square.{row}.{col}" for col in range(COLUMNS))
            here = [str(laid[name]) for name in names if laid.get(name, "-") != "-"]
            counts = {player: here.count(player) for player in players if player in here}
            areas.append(Area(f"row{row}", "row", names, len(here), len(here) == COLUMNS, counts))
            for player, count in counts.items():
                entries.append(ScoreEntry(player, count, f"row{row}", "pebbles", f"{count} pebbles", {"n": count}))
                if count == COLUMNS:
                    if components.row_bonus is None:
                        raise build_missing_error("row_bonus", PRINTED)
                    text = f"a whole row: {components.row_bonus}"
                    entries.append(ScoreEntry(player, components.row_bonus, f"row{row}", "row", text))
        if laid.get("sun", "-") != "-":
            entries.append(ScoreEntry(str(laid["sun"]), 2, "", "sun", "the sun"))
        totals = {player: sum(entry.points for entry in entries if entry.player == player) for player in players}
        best = max(totals.values(), default=0)
        return Scored(
            entries=tuple(entries),
            totals=totals,
            areas=tuple(areas),
            troubles=() if entries or not check else (Trouble("empty", "Nothing lies there.", ("square.0.0",)),),
            unknown=tuple(spot.id for spot in spots if spot.id not in laid),
            winners=tuple(player for player in players if totals[player] == best),
        )


GAME: Game = Pebbles()
