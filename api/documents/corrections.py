"""A person's corrections of a reading of any game.

Corrections are data: kept in a list and undone by leaving them out. Each game applies those that it knows, and refuses
the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from api.documents.spot_corrections import ConfirmSpot, NothingMore, SetPiece, SetPlayers, SetSpot, SetSpots
from api.documents.tile_corrections import (
    Confirm,
    NoMeeple,
    NoTile,
    NoWonder,
    SetBorder,
    SetBoxes,
    SetBoxRules,
    SetGoods,
    SetMeeple,
    SetPile,
    SetPlayer,
    SetPlayerColour,
    SetPlayerCount,
    SetRules,
    SetSpecial,
    SetTile,
    SetTilesInPlay,
    SetTrack,
    SetWonder,
    SetWonderOwner,
)
from scoring.carcassonne.board.box_rules import BoxRules
from scoring.carcassonne.final.table import Table

MAX_CORRECTIONS = 2000
"""Maximum number of corrections of a reading. Bounds time."""

Correction = Annotated[
    SetTile
    | NoTile
    | SetWonder
    | NoWonder
    | SetMeeple
    | NoMeeple
    | Confirm
    | SetBorder
    | SetPile
    | SetSpecial
    | SetPlayer
    | SetPlayerColour
    | SetWonderOwner
    | SetTrack
    | SetTilesInPlay
    | SetPlayerCount
    | SetGoods
    | SetRules
    | SetBoxRules
    | SetBoxes
    | SetSpot
    | SetSpots
    | NothingMore
    | SetPiece
    | ConfirmSpot
    | SetPlayers,
    Field(discriminator="kind"),
]
CORRECTIONS: TypeAdapter[list[Correction]] = TypeAdapter(list[Correction])
"""Validates a list of corrections: `CORRECTIONS.validate_python([...])`, `CORRECTIONS.validate_json(text)`."""


TABLE_KINDS = frozenset(
    {
        "player",
        "players",
        "track",
        "player_count",
        "tiles_in_play",
        "goods",
        "wonder_owner",
        "rules",
        "box_rules",
        "boxes",
    }
)
"""Kinds of corrections about the table rather than its photos; they also apply to another reading of the table."""
_SAID_BEFOREHAND = ("tiles_in_play", "wonder_owner")


def carry_table_corrections(corrections: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]] | None:
    """Return a reading's corrections, as JSON, for another reading of the same table.

    Return None if some of them are about the reading itself, and therefore mean nothing elsewhere.
    """
    if any(correction["kind"] not in TABLE_KINDS for correction in corrections):
        return None
    return [{**one, **({"beforehand": True} if one["kind"] in _SAID_BEFOREHAND else {})} for one in corrections]


def list_table_corrections(table: Table) -> Iterator[Correction]:
    """Yield the corrections that state the known facts of a table before its reading."""
    if table.player_count is not None:
        yield SetPlayerCount(count=table.player_count)
    if table.tiles_in_play is not None:
        yield SetTilesInPlay(count=table.tiles_in_play, beforehand=True)
    for kind, counts in sorted(table.goods.items()):
        for colour, count in sorted(counts.items()):
            yield SetGoods.model_validate({"goods": kind, "colour": colour, "count": count})
    for wonder, owner in sorted(table.owners.items()):
        yield SetWonderOwner(wonder=wonder, colour=owner, beforehand=True)
    yield from list_box_corrections(table.box_rules)
    for box, copies in table.boxes.items():
        yield SetBoxes(box=box, count=copies)


def list_box_corrections(rules: BoxRules, beforehand: bool = False) -> Iterator[SetBoxRules]:
    """Yield the corrections that state which boxes' own rules were played, optionally `beforehand` for many tables."""
    for played in (True, False):
        if boxes := [box for box, choice in rules.choices.items() if choice is played]:
            yield SetBoxRules(boxes=boxes, played=played, beforehand=beforehand)
