"""Accounts of wonders as values: what one scores, for whom and why. `api.carcassonne.explain` puts them into words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.board.features import Feature, FeatureMap
from scoring.carcassonne.board.pieces import get_piece_strength
from scoring.carcassonne.final.majority import DURING_THE_GAME
from scoring.carcassonne.final.rulesets import Ruleset
from scoring.carcassonne.final.sheet import Worth
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.final.wonders import compute_wonder_worth

Lack = Literal["in_play", "disputed", "said", "unmarked"]
"""Reasons why a wonder scores for no player at the end: it scores only during the game, pieces of several players are
on it, a person said it has no owner, or no marker is on it.
"""


@dataclass(frozen=True)
class WonderAccount:
    """The points of a wonder for its owner, and the reason.

    `worth` is what the owner scores, None if there is no owner; then `lack` gives the reason and `would` what each
    player would score as its owner. `counted` are the pieces it pays for. `players` and `tiles` are those of the game,
    on which Circus Maximus and the Alhambra depend.
    """

    wonder: str
    owner: str | None
    players: int
    tiles: int
    worth: Worth | None = None
    lack: Lack | None = None
    would: Mapping[str, int] | None = None
    counted: tuple[PlacedMeeple, ...] = ()


def explain_wonder(wonder: Feature, board: Board, features: FeatureMap, rules: Ruleset, table: Table) -> WonderAccount:
    """Return what a wonder pays its owner and why, or what each player would get as its owner."""
    owner, name = wonder.owner, wonder.placements[0].tile
    players, tiles = table.count_players(board), table.count_tiles(board)
    if name in DURING_THE_GAME:
        return WonderAccount(name, owner, players, tiles, lack="in_play")
    if owner is not None:
        worth = compute_wonder_worth(wonder, owner, board, features, rules, table)
        counted = tuple(_find_counted(name, owner, features))
        return WonderAccount(name, owner, players, tiles, worth, counted=counted)
    would = {
        player: worth.points
        for player in table.list_players(board)
        if (worth := compute_wonder_worth(wonder, player, board, features, rules, table)) is not None
    }
    lack: Lack = "disputed" if wonder.meeples else "said" if name in board.unowned else "unmarked"
    return WonderAccount(name, owner, players, tiles, lack=lack, would=would)


def _find_counted(wonder: str, owner: str, features: FeatureMap) -> Iterator[PlacedMeeple]:
    """Yield the followers that a wonder pays for: others' in unfinished cities, or the owner's farmers."""
    for feature in features:
        rivals = wonder == "WH/circus-maximus" and feature.kind == "city" and not feature.complete
        farmers = wonder == "WH/alhambra" and feature.kind == "field"
        for piece in feature.pieces if rivals or farmers else ():
            if get_piece_strength(piece.kind) > 0 and (piece.colour == owner) == farmers:
                yield piece
