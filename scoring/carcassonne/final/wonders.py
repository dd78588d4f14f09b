"""The wonders that score at the end of the game, before all other features ("Final Scoring")."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.board.features import LINE_AXES, Feature, FeatureMap, Line, Run, list_lines, number_line
from scoring.carcassonne.board.pieces import get_piece_strength
from scoring.carcassonne.final.rulesets import LARGE_GAME_TILES, Ruleset
from scoring.carcassonne.final.sheet import Worth
from scoring.carcassonne.final.table import Table
from scoring.counts import format_count
from scoring.score_entry import ScoreEntry

MIN_ROAD_TILES, MIN_RUN_TILES = 5, 7
"""By the rules: length of a road that counts for Angkor Wat, and of a run that counts for the Terracotta Army, in
tiles.
"""
ROAD_POINTS, LINE_POINTS = 5, 2
"""By the rules: points for each road of Angkor Wat, and for each row or column of the Terracotta Army."""


def score_wonders(board: Board, features: FeatureMap, rules: Ruleset, table: Table) -> Iterator[ScoreEntry]:
    """Yield the entries of the wonders that have an owner, in the order of the features.

    Stonehenge, Notre-Dame, Abu Simbel and Tikal score only during the game.
    """
    for feature in features:
        if feature.owner is not None:
            worth = compute_wonder_worth(feature, feature.owner, board, features, rules, table)
            if worth is not None:
                yield worth.entry(feature.owner, feature.id)


def compute_wonder_worth(
    wonder: Feature, owner: str, board: Board, features: FeatureMap, rules: Ruleset, table: Table
) -> Worth | None:
    """Return what a wonder pays a player who holds it; None for one that scores only during the game."""
    name = wonder.placements[0].tile
    if name == "WH/circus-maximus":
        return score_circus_maximus(features, owner, table.count_players(board))
    if name == "WH/alhambra":
        return score_alhambra(features, owner, table.count_tiles(board), rules)
    if name == "WH/angkor-wat":
        return score_angkor_wat(features)
    return score_terracotta_army(board) if name == "WH/terracotta-army" else None


def find_counted_pieces(wonder: str, owner: str, features: FeatureMap) -> Iterator[PlacedMeeple]:
    """Yield the followers that a wonder pays for: others' in unfinished cities, or the owner's farmers."""
    for feature in features:
        rivals = wonder == "WH/circus-maximus" and feature.kind == "city" and not feature.complete
        farmers = wonder == "WH/alhambra" and feature.kind == "field"
        for piece in feature.pieces if rivals or farmers else ():
            if get_piece_strength(piece.kind) > 0 and (piece.colour == owner) == farmers:
                yield piece


def score_circus_maximus(features: FeatureMap, owner: str, players: int) -> Worth:
    """Return what Circus Maximus pays its owner ("Scoring after the game: Circus Maximus").

    Each meeple of another player in an incomplete city pays 4 points in a game of 2 players, 3 with 3 or 4, and 2 with
    more. A big meeple counts as one meeple; a builder does not count.
    """
    others = sum(1 for _ in find_counted_pieces("WH/circus-maximus", owner, features))
    each = get_circus_points(players)
    text = f"{format_count(others, 'meeple of others', 'meeples of others')} in unfinished cities x {each}"
    return Worth(others * each, "wonder.circus-maximus", text, {"meeples": others, "each": each})


def get_circus_points(players: int) -> int:
    """Return what Circus Maximus pays for a meeple, given the number of players."""
    return 4 if players <= 2 else 3 if players <= 4 else 2


def score_alhambra(features: FeatureMap, owner: str, tiles: int, rules: Ruleset) -> Worth:
    """Return what the Alhambra pays its owner.

    See "Scoring after the game: Alhambra", and "Rules history" for its amount before 2024-09. Each farmer of the owner
    scores, whether or not the farm itself does, and more in a game of many tiles.
    """
    farmers = sum(1 for _ in find_counted_pieces("WH/alhambra", owner, features))
    each = get_farmer_points(tiles, rules)
    text = f"{format_count(farmers, 'farmer')} x {each}"
    return Worth(farmers * each, "wonder.alhambra", text, {"farmers": farmers, "each": each})


def get_farmer_points(tiles: int, rules: Ruleset) -> int:
    """Return what the Alhambra pays for a farmer, given the number of tiles in the game."""
    return rules.farmer if tiles < LARGE_GAME_TILES else rules.farmer_of_many


def score_angkor_wat(features: FeatureMap) -> Worth:
    """Return what Angkor Wat pays its owner ("Scoring after the game: Angkor Wat").

    Every road of 5 tiles or more pays 5 points, complete or not, with or without meeples.
    """
    roads = [road.name for road in features if is_long_road(road)]
    text = f"{format_count(len(roads), 'long road')} x {ROAD_POINTS}" + _format_list(roads)
    values: dict[str, int | str] = {"roads": len(roads), "each": ROAD_POINTS, "names": ", ".join(roads)}
    return Worth(ROAD_POINTS * len(roads), "wonder.angkor-wat", text, values)


def is_long_road(feature: Feature) -> bool:
    """Return whether a feature is a road that counts for Angkor Wat."""
    return feature.kind == "road" and feature.size >= MIN_ROAD_TILES


def score_terracotta_army(board: Board) -> Worth:
    """Return what the Terracotta Army pays its owner ("Scoring after the game: Terracotta Army").

    Every row and column with at least 7 adjacent tiles pays 2 points, once however many runs it has.
    """
    long = find_long_lines(board)
    numbers = {axis: [str(number_line(line, board.origin)) for line in long if line.axis == axis] for axis in LINE_AXES}
    names = [f"{axis} {number}" for axis in LINE_AXES for number in numbers[axis]]
    rows, columns = (len(numbers[axis]) for axis in LINE_AXES)
    text = f"({format_count(rows, 'long row')} + {format_count(columns, 'long column')}) x {LINE_POINTS}"
    values: dict[str, int | str] = {"rows": rows, "columns": columns, "each": LINE_POINTS}
    values |= {f"{axis}_numbers": ", ".join(numbers[axis]) for axis in LINE_AXES}
    return Worth(LINE_POINTS * len(long), "wonder.terracotta-army", text + _format_list(names), values)


def find_long_lines(board: Board) -> tuple[Line, ...]:
    """Return the rows and columns that count for the Terracotta Army."""
    return tuple(line for line in list_lines(board) if any(map(is_long_run, line.runs)))


def is_long_run(run: Run) -> bool:
    """Return whether a run makes its row or column count for the Terracotta Army."""
    return run.length >= MIN_RUN_TILES


def _format_list(names: list[str]) -> str:
    return f": {', '.join(names)}" if names else ""
