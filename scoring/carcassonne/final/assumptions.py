"""Unstated facts that a final scoring assumes, if the result depends on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Literal

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.box_rules import BOX_TITLES, find_rules_of_tile
from scoring.carcassonne.board.features import Feature, FeatureMap
from scoring.carcassonne.board.pieces import PIECES
from scoring.carcassonne.board.tile_counts import MAX_MISSING_TILES
from scoring.carcassonne.final.rulesets import LARGE_GAME_TILES, Ruleset
from scoring.carcassonne.final.scoring import ScoreSheet, compute_final_scoring
from scoring.carcassonne.final.table import Table, holds_goods
from scoring.carcassonne.tiles.expansions import EXPANSIONS
from scoring.carcassonne.tiles.geometry import Square
from scoring.counts import format_count, join_names
from scoring.score_entry import Values

CIRCUS_MAXIMUS, ALHAMBRA = "WH/circus-maximus", "WH/alhambra"
USUAL_PLAYERS = 6
"""By the rules: number of players with pieces in the base game with Inns & Cathedrals; a larger number is assumed to be
stated.
"""

Fact = Literal["players", "tiles_in_play", "goods", "holdings", "box_rules"]
PLAYED, NOT_PLAYED = 1, 0
"""Possible values of the fact `box_rules`."""


@dataclass(frozen=True)
class Assumption:
    """An unstated fact of the table: the assumption in words, and the values in the words.

    `totals` are the players' points for each value that the fact may have, the assumed one first, if the user should be
    asked; it is empty if the assumption is only reported. `squares` are those of the features that depend on it.
    """

    fact: Fact
    text: str
    values: Values
    squares: tuple[Square, ...]
    totals: Mapping[int, Mapping[str, int]] = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        """Return whether the user should be asked, because another value would change the points."""
        return len({tuple(totals.items()) for totals in self.totals.values()}) > 1


def find_assumptions(board: Board, features: FeatureMap, rules: Ruleset, table: Table) -> tuple[Assumption, ...]:
    """Return the assumptions made.

    They are the numbers of players and of tiles if a wonder pays by them, goods and other holdings, and, if there is a
    wonder, the rules of other boxes.
    """
    wonders = {feature.placements[0].tile: feature for feature in features if feature.owner is not None}
    found = (
        *_assume_players(board, features, rules, table, wonders.get(CIRCUS_MAXIMUS)),
        *_assume_tiles(board, features, rules, table, wonders.get(ALHAMBRA)),
        *_assume_goods(board, features, table),
        *_assume_holdings(board, table),
        *_assume_box_rules(board, features, rules, table),
    )
    return tuple(found)


def _assume_players(
    board: Board, features: FeatureMap, rules: Ruleset, table: Table, circus: Feature | None
) -> Iterator[Assumption]:
    """Yield the assumption that there are as many players as colours on the board; one without pieces would count as
    well.
    """
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
    """Yield the assumption that the tiles in play are those on the board; a question only if a few more would make a
    large game.
    """
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
    """Yield the assumption that no goods are held although complete cities show some: no photo shows their owners."""
    if holds_goods(table) or board.box_rules.ignores("traders"):
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


def _assume_holdings(board: Board, table: Table) -> Iterator[Assumption]:
    """Yield the assumption that nobody holds what a box on the board pays for and no photo shows."""
    for expansion in EXPANSIONS:
        squares = tuple(square for square, tile in board.known if tile.layout.box in expansion.boxes)
        if squares and expansion.holdings and not any(table.goods.get(kind) for kind in expansion.holdings):
            text = f"Nothing is counted for what players hold of {expansion.name}"
            yield Assumption("holdings", text, {"box": expansion.name, "holding": expansion.holdings[0]}, squares)


def _assume_box_rules(board: Board, features: FeatureMap, rules: Ruleset, table: Table) -> Iterator[Assumption]:
    """Yield the assumption that other boxes' rules apply beside a wonder ("Preparation", footnote 13, says to ignore
    them).

    Each box is a separate question if its rules change points by themselves. Otherwise the smallest set of boxes whose
    rules change points in combination is one question, as for 2 inns on one road.
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
    """Return the unstated boxes with something on the board that their rules score."""
    there = {"traders"} if holds_goods(table) else set[str | None]()
    for feature in features:
        if feature.pieces:
            there |= {PIECES[piece.kind].box for piece in feature.pieces if piece.kind in PIECES}
            there |= {find_rules_of_tile(tile.tile) for tile in feature.placements}
            there |= {"abbot"} if feature.kind == "garden" else set()
    return [box for box in board.box_rules.unsaid if box in there]


def _score_without(
    board: Board, features: FeatureMap, rules: Ruleset, table: Table, boxes: tuple[str, ...]
) -> ScoreSheet:
    """Return the scoring without the rules of some boxes."""
    chosen = board.box_rules.turn_off(boxes)
    return compute_final_scoring(
        replace(board, box_rules=chosen), features.change_box_rules(chosen) if boxes else features, rules, table
    )


def _find_differing_squares(features: FeatureMap, one: ScoreSheet, other: ScoreSheet) -> tuple[Square, ...]:
    """Return the squares of the features that 2 scorings of a board score differently, without repeats."""
    paid = ({(entry.player, entry.points, entry.feature) for entry in sheet.entries} for sheet in (one, other))
    differing = {feature for _, _, feature in next(paid) ^ next(paid)}
    return tuple(dict.fromkeys(square for feature in features if feature.id in differing for square in feature.squares))
