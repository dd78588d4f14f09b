"""What a final scoring takes for granted since nobody said it, where something depends on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import Feature, FeatureMap
from scoring.carcassonne.board.missing_tiles import MAX_MISSING_TILES
from scoring.carcassonne.final.rulesets import LARGE_GAME_TILES, Ruleset
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.tiles.geometry import Square
from scoring.counts import format_count
from scoring.score_entry import Values

CIRCUS_MAXIMUS, ALHAMBRA = "WH/circus-maximus", "WH/alhambra"
USUAL_PLAYERS = 6
"""Players that the base game with Inns & Cathedrals has pieces for; more are taken to be said."""

Fact = Literal["players", "tiles_in_play", "goods"]


@dataclass(frozen=True)
class Assumption:
    """A fact of the table that nobody said: what the scoring took for it, in words, and what the words name.

    `totals` are the players' points by each number that the fact may have, that which was taken first, where a person
    is to be asked; empty where the fact is only told. `squares` are those of what depends on it.
    """

    fact: Fact
    text: str
    values: Values
    squares: tuple[Square, ...]
    totals: Mapping[int, Mapping[str, int]] = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        """Whether a person is to be asked, as another number would give other points."""
        return len({tuple(totals.items()) for totals in self.totals.values()}) > 1


def find_assumptions(board: Board, features: FeatureMap, rules: Ruleset, table: Table) -> tuple[Assumption, ...]:
    """Find what was taken for granted: the number of players and of tiles where a wonder pays by it, and the goods."""
    wonders = {feature.placements[0].tile: feature for feature in features if feature.owner is not None}
    found = (
        *_assume_players(board, features, rules, table, wonders.get(CIRCUS_MAXIMUS)),
        *_assume_tiles(board, features, rules, table, wonders.get(ALHAMBRA)),
        *_assume_goods(features, table),
    )
    return tuple(found)


def _assume_players(
    board: Board, features: FeatureMap, rules: Ruleset, table: Table, circus: Feature | None
) -> Iterator[Assumption]:
    """As many players as have colours here: one without a piece left would count as well."""
    if circus is None or table.player_count is not None:
        return
    count = table.count_players(board)
    numbers = range(count, max(count, USUAL_PLAYERS) + 1)
    totals = {
        number: compute_final_scoring(board, features, rules, replace(table, player_count=number)).totals
        for number in numbers
    }
    text = f"Circus Maximus is counted for {format_count(count, 'player')}, as many as have colours here"
    values: dict[str, int | str] = {"players": count}
    assumption = Assumption("players", text, values, circus.squares, totals)
    if assumption.is_open:
        yield assumption


def _assume_tiles(
    board: Board, features: FeatureMap, rules: Ruleset, table: Table, alhambra: Feature | None
) -> Iterator[Assumption]:
    """As many tiles as lie there; it is asked only where a few that were left over would make it a large game."""
    tiles = len(board.tiles)
    if alhambra is None or table.tiles_in_play is not None or tiles >= LARGE_GAME_TILES:
        return
    large = replace(table, tiles_in_play=LARGE_GAME_TILES)
    totals = {
        tiles: compute_final_scoring(board, features, rules, table).totals,
        LARGE_GAME_TILES: compute_final_scoring(board, features, rules, large).totals,
    }
    text = f"Alhambra is counted for a game of {format_count(tiles, 'tile')}, as many as lie here"
    assumption = Assumption("tiles_in_play", text, {"tiles": tiles}, alhambra.squares, totals)
    if assumption.is_open:
        may_be_large = LARGE_GAME_TILES - tiles <= MAX_MISSING_TILES
        yield assumption if may_be_large else replace(assumption, totals={})


def _assume_goods(features: FeatureMap, table: Table) -> Iterator[Assumption]:
    """No goods, though some were taken: a city that shows them is complete. No photo shows who holds them."""
    if any(table.goods.values()):
        return
    traded = [
        feature
        for feature in features
        if feature.kind == "city" and feature.complete and any(part.goods for part in feature.segments)
    ]
    if traded:
        tokens = sum(bool(part.goods) for feature in traded for part in feature.segments)
        text = f"No goods are counted, though finished cities show {tokens}"
        squares = tuple(square for feature in traded for square in feature.squares)
        yield Assumption("goods", text, {"tokens": tokens}, squares)
