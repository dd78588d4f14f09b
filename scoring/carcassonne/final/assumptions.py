"""What a final scoring takes for granted since nobody said it, where something depends on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Literal

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.box_rules import BOX_TITLES
from scoring.carcassonne.board.features import Feature, FeatureMap
from scoring.carcassonne.board.missing_tiles import MAX_MISSING_TILES
from scoring.carcassonne.board.pieces import PIECES
from scoring.carcassonne.final.rulesets import LARGE_GAME_TILES, Ruleset
from scoring.carcassonne.final.scoring import ScoreSheet, compute_final_scoring
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.tiles.catalogue import find_tile_box
from scoring.carcassonne.tiles.geometry import Square
from scoring.counts import format_count, join_names
from scoring.score_entry import Values

CIRCUS_MAXIMUS, ALHAMBRA = "WH/circus-maximus", "WH/alhambra"
USUAL_PLAYERS = 6
"""Players that the base game with Inns & Cathedrals has pieces for; more are taken to be said."""

Fact = Literal["players", "tiles_in_play", "goods", "box_rules"]
PLAYED, NOT_PLAYED = 1, 0
"""The numbers that the fact `box_rules` may have."""


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
    """Find what was taken for granted.

    It is the number of players and of tiles where a wonder pays by it, the goods, and beside a wonder the rules of
    other boxes.
    """
    wonders = {feature.placements[0].tile: feature for feature in features if feature.owner is not None}
    found = (
        *_assume_players(board, features, rules, table, wonders.get(CIRCUS_MAXIMUS)),
        *_assume_tiles(board, features, rules, table, wonders.get(ALHAMBRA)),
        *_assume_goods(board, features, table),
        *_assume_box_rules(board, features, rules, table),
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


def _assume_goods(board: Board, features: FeatureMap, table: Table) -> Iterator[Assumption]:
    """No goods, though some were taken: a city that shows them is complete. No photo shows who holds them."""
    if any(table.goods.values()) or board.box_rules.ignores("traders"):
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


def _assume_box_rules(board: Board, features: FeatureMap, rules: Ruleset, table: Table) -> Iterator[Assumption]:
    """The rules of other boxes, where a wonder lies, whose setup says to ignore them ("Preparation", footnote 13).

    Each box is asked for by itself where its rules change points by themselves. Else the fewest boxes are asked for
    together whose rules change points together, as those of two inns on one road.
    """
    unsaid = _list_boxes_that_may_matter(board, features, table) if board.wonders else []
    if not unsaid:
        return
    now = _score_without(board, features, rules, table, ())
    for number in range(1, len(unsaid) + 1):
        sheets = {boxes: _score_without(board, features, rules, table, boxes) for boxes in combinations(unsaid, number)}
        changing = {boxes: sheet for boxes, sheet in sheets.items() if sheet.totals != now.totals}
        for boxes, sheet in [*changing.items()] if number == 1 else [*changing.items()][:1]:
            text = f"The rules of {join_names(BOX_TITLES[box] for box in boxes)} are taken to have been played"
            totals = {PLAYED: now.totals, NOT_PLAYED: sheet.totals}
            squares = _find_differing_squares(features, now, sheet) or board.wonders[0].squares
            yield Assumption("box_rules", text, {"boxes": ",".join(boxes)}, squares, totals)
        if changing:
            return


def _list_boxes_that_may_matter(board: Board, features: FeatureMap, table: Table) -> list[str]:
    """The boxes of which nobody spoke and of which something is there that their rules pay for."""
    there = {"traders"} if any(table.goods.values()) else set[str | None]()
    for feature in features:
        if feature.pieces:
            there |= {PIECES[piece.kind].box for piece in feature.pieces if piece.kind in PIECES}
            there |= {find_tile_box(tile.tile) for tile in feature.placements}
            there |= {"abbot"} if feature.kind == "garden" else set()
    return [box for box in board.box_rules.unsaid if box in there]


def _score_without(
    board: Board, features: FeatureMap, rules: Ruleset, table: Table, boxes: tuple[str, ...]
) -> ScoreSheet:
    """The scoring where the rules of some boxes were not played."""
    chosen = board.box_rules.turn_off(boxes)
    return compute_final_scoring(
        replace(board, box_rules=chosen), features.change_box_rules(chosen) if boxes else features, rules, table
    )


def _find_differing_squares(features: FeatureMap, one: ScoreSheet, other: ScoreSheet) -> tuple[Square, ...]:
    """The squares of the features that two scorings of a board pay otherwise, once each."""
    paid = ({(entry.player, entry.points, entry.feature) for entry in sheet.entries} for sheet in (one, other))
    differing = {feature for _, _, feature in next(paid) ^ next(paid)}
    return tuple(dict.fromkeys(square for feature in features if feature.id in differing for square in feature.squares))
