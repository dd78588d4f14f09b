"""The final scoring: what stands on the board when the game ends."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import Feature, FeatureMap, build_feature_map
from scoring.carcassonne.final.farms import compute_farm_worth, find_leaders, score_farms
from scoring.carcassonne.final.rulesets import TODAY, Ruleset
from scoring.carcassonne.final.sheet import ScoreSheet, Worth
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.final.wonders import score_wonders
from scoring.counts import format_count
from scoring.score_entry import ScoreEntry

__all__ = ["ScoreEntry", "ScoreSheet", "compute_feature_worth", "compute_final_scoring", "find_majority_holders"]

GOODS_POINTS = 10
_SMALL_CITY_TILES = 2


def compute_final_scoring(
    board: Board, features: FeatureMap | None = None, rules: Ruleset = TODAY, table: Table | None = None
) -> ScoreSheet:
    """Return what each player scores for a board: wonders first, then what meeples stand on, then goods.

    `features` are those of the board where they are known already. "Final Scoring" sets the order. A complete road,
    city, monastery or garden that still holds meeples (it was never scored) counts as complete. Boxes whose rules were
    not played (`board.box_rules`) are plain tiles and pieces.
    """
    features, table = features or build_feature_map(board), table or Table()
    entries = (
        *score_wonders(board, features, rules, table),
        *score_features(features, rules),
        *(() if board.box_rules.ignores("traders") else score_goods(table)),
    )
    totals = dict.fromkeys(sorted({*table.list_players(board), *(entry.player for entry in entries)}), 0)
    for entry in entries:
        totals[entry.player] += entry.points
    return ScoreSheet(entries, totals)


def find_majority_holders(feature: Feature) -> tuple[str, ...]:
    """Return the players with the most on a feature, a big meeple counting two: each of them scores it in full."""
    return find_leaders(feature.strengths)


def compute_feature_worth(feature: Feature, rules: Ruleset = TODAY) -> Worth:
    """Return what a feature scores for whoever has the majority.

    A farm as it scores alone and without a pig; not for a wonder, whose owner scores it by its own rule.
    """
    if feature.kind == "field":
        return compute_farm_worth(feature, rules)
    if feature.kind in ("monastery", "garden"):
        return _compute_monastery_worth(feature)
    return _compute_road_worth(feature) if feature.kind == "road" else _compute_city_worth(feature, rules)


def score_features(features: FeatureMap, rules: Ruleset) -> Iterator[ScoreEntry]:
    """Yield what pieces score for roads, cities, monasteries, gardens and farms, in the order of the features."""
    farms: dict[str, list[ScoreEntry]] = {}
    for entry in score_farms(features, rules):
        farms.setdefault(entry.feature, []).append(entry)
    for feature in features:
        if feature.kind not in ("field", "wonder") and feature.pieces:
            brings = compute_feature_worth(feature, rules)
            yield from (brings.entry(player, feature.id) for player in find_majority_holders(feature))
        yield from farms.get(feature.id, ())


def score_goods(table: Table) -> Iterator[ScoreEntry]:
    """Yield 10 points for whoever has most tokens of a kind, ties in full.

    Traders & Builders, "Final scoring: goods".
    """
    for kind, counts in sorted(table.goods.items()):
        tokens = {player: number for player, number in sorted(counts.items()) if number > 0}
        for player in find_leaders(tokens):
            text = f"most {kind}: {format_count(tokens[player], 'token')}"
            values: dict[str, int | str] = {"goods": kind, "tokens": tokens[player]}
            yield ScoreEntry(player, GOODS_POINTS, "", "goods.majority", text, values)


def _compute_road_worth(road: Feature) -> Worth:
    """Base game, "Scoring a road"; Inns & Cathedrals, "Inns": 2 a tile with an inn, nothing where it is unfinished."""
    each = 1 if not road.has_inn else 2 if road.complete else 0
    text = f"{format_count(road.size, 'tile')} x {each}" + " (inn)" * road.has_inn
    values: dict[str, int | str] = {"tiles": road.size, "each": each, "inn": int(road.has_inn)}
    return Worth(each * road.size, f"road.{_name_state(road)}", text, values)


def _compute_city_worth(city: Feature, rules: Ruleset) -> Worth:
    """Base game, "Scoring a city"; Inns & Cathedrals, "Cathedrals": 3 a tile and coat of arms, nothing unfinished.

    Under the rules of the first two editions a complete city of two tiles scores 1 a tile and coat of arms.
    """
    if city.has_cathedral:
        each = 3 if city.complete else 0
    else:
        each = 2 if city.complete and not (rules.small_city and city.size == _SMALL_CITY_TILES) else 1
    tiles, shields = format_count(city.size, "tile"), city.shields
    counted = f"({tiles} + {format_count(shields, 'coat of arms', 'coats of arms')})" if shields else tiles
    text = f"{counted} x {each}" + " (cathedral)" * city.has_cathedral
    values: dict[str, int | str] = {
        "tiles": city.size,
        "coats": shields,
        "each": each,
        "cathedral": int(city.has_cathedral),
    }
    return Worth(each * (city.size + shields), f"city.{_name_state(city)}", text, values)


def _compute_monastery_worth(feature: Feature) -> Worth:
    """Base game, "Scoring a monastery"; The Abbot, "Gardens"; "Monasteries and wonder tiles".

    1 for its own tile and 1 for each around it; each square of a wonder tile is one.
    """
    text = f"1 + {format_count(feature.size - 1, 'tile')} around"
    return Worth(feature.size, f"{feature.kind}.{_name_state(feature)}", text, {"around": feature.size - 1})


def _name_state(feature: Feature) -> str:
    return "finished" if feature.complete else "unfinished"
