"""What a wonder scores, for whom and why, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.board.features import Feature, FeatureMap
from scoring.carcassonne.board.pieces import get_piece_strength
from scoring.carcassonne.final.rulesets import LARGE_GAME_TILES, Ruleset
from scoring.carcassonne.final.sheet import Worth
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.final.wonders import MIN_ROAD_TILES, MIN_RUN_TILES, compute_wonder_worth
from scoring.counts import format_count

_DURING_THE_GAME = {
    "WH/notre-dame": "3 points for each meeple that its owner places beside a monastery",
    "WH/stonehenge": "3 points for each occupied road that its owner completes",
    "WH/abu-simbel": "its owner chooses each turn between two tiles",
    "WH/tikal": "2 points for each of its owner's meeples in cities, whenever a city of 3 tiles or more is scored in "
    "which one of them stands",
}


def explain_wonder(wonder: Feature, board: Board, features: FeatureMap, rules: Ruleset, table: Table) -> Iterator[str]:
    """Yield the sentences: what its owner has from it and by which rule, or who would have what if nobody holds it."""
    owner, name = wonder.owner, wonder.name
    holders = [owner] if owner else table.list_players(board)
    worths = {player: compute_wonder_worth(wonder, player, board, features, rules, table) for player in holders}
    brings = {player: worth for player, worth in worths.items() if worth is not None}
    if wonder.placements[0].tile in _DURING_THE_GAME:
        yield f"{name} scores nothing at the end of the game, whoever holds it."
        yield f"It counts during the game alone: {_DURING_THE_GAME[wonder.placements[0].tile]}."
    elif owner in brings:
        yield f"{owner} holds {name} and scores {format_count(brings[owner].points, 'point')} for it."
        yield _give_reason(wonder, owner, brings[owner], board, features, table)
    else:
        markers = sum(wonder.meeples.values())
        is_unowned = wonder.placements[0].tile in board.unowned
        yield f"{name} scores for nobody: {_explain_lack(markers, is_unowned)}."
        if brings:
            would = (f"{player} {format_count(worth.points, 'point')}" for player, worth in brings.items())
            yield f"As its owner each player would score: {', '.join(would)}."


def _explain_lack(markers: int, is_unowned: bool) -> str:
    if markers:
        return f"{markers} markers of different players lie on it, and it has one owner"
    return "it was said that nobody holds it" if is_unowned else "no marker is on it"


def _give_reason(wonder: Feature, owner: str, worth: Worth, board: Board, features: FeatureMap, table: Table) -> str:
    """Say by which rule the owner scores so much, with what the table and the board have to do with it."""
    each = worth.values["each"]
    if worth.rule == "wonder.circus-maximus":
        rivals = [p for f in features if f.kind == "city" and not f.complete for p in _find_followers(f, owner, False)]
        players = format_count(table.count_players(board), "player")
        rule = f"With {players}, each meeple of another player in an unfinished city brings {each} points"
        return f"{rule}, and there {_count_there(rivals, 'meeple', board)}."
    if worth.rule == "wonder.alhambra":
        farmers = [p for f in features if f.kind == "field" for p in _find_followers(f, owner, True)]
        tiles = table.count_tiles(board)
        size = "at least" if tiles >= LARGE_GAME_TILES else "fewer than"
        size += f" {LARGE_GAME_TILES} tiles ({tiles} here)"
        rule = f"In a game of {size} each farmer of the owner brings {each} points"
        return f"{rule}, and there {_count_there(farmers, 'farmer', board)}."
    if worth.rule == "wonder.angkor-wat":
        rule = f"Each road of at least {MIN_ROAD_TILES} tiles brings {each} points, finished or not"
        return f"{rule}, and there {_count_named(int(worth.values['roads']), 'such road', str(worth.values['names']))}."
    rule = f"Each row and each column with at least {MIN_RUN_TILES} tiles side by side brings {each} points"
    rows, columns = (_count_lines(worth, axis) for axis in ("row", "column"))
    return f"{rule}, and there are {rows} and {columns}."


def _find_followers(feature: Feature, owner: str, of_owner: bool) -> Iterator[PlacedMeeple]:
    """Yield those who count: the owner's, or all the others'."""
    for piece in feature.pieces:
        if get_piece_strength(piece.kind) > 0 and (piece.colour == owner) == of_owner:
            yield piece


def _count_there(pieces: list[PlacedMeeple], noun: str, board: Board) -> str:
    places = "; ".join(f"{piece.colour} in {board.name_square(piece.square)}" for piece in pieces)
    return _count_named(len(pieces), noun, places)


def _count_named(number: int, noun: str, names: str) -> str:
    if not number:
        return f"is no {noun}"
    return f"{'is' if number == 1 else 'are'} {format_count(number, noun)} ({names})"


def _count_lines(worth: Worth, axis: str) -> str:
    numbers = str(worth.values[f"{axis}_numbers"])
    count = int(worth.values[f"{axis}s"])
    return format_count(count, f"long {axis}") + (f" ({axis}{'s' * (count > 1)} {numbers})" if numbers else "")
