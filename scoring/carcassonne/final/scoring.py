"""The final scoring of the board at the end of the game."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import Feature, FeatureMap, build_feature_map
from scoring.carcassonne.final.farms import compute_farm_worth, score_barns, score_farms
from scoring.carcassonne.final.holdings import count_finished, score_holdings
from scoring.carcassonne.final.rulesets import TODAY, Ruleset
from scoring.carcassonne.final.sheet import ScoreSheet, Worth
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.final.wonders import score_wonders
from scoring.carcassonne.tiles.kinds import ENDLESS, counts_surroundings
from scoring.counts import format_count
from scoring.score_entry import ScoreEntry

__all__ = ["ScoreEntry", "ScoreSheet", "compute_feature_worth", "compute_final_scoring"]

VINEYARD_POINTS = 3
"""By the rules: points of a complete monastery for each vineyard around it."""
_SMALL_CITY_TILES = 2
"""By the rules: size of a city that early editions score as small."""


def compute_final_scoring(
    board: Board, features: FeatureMap | None = None, rules: Ruleset = TODAY, table: Table | None = None
) -> ScoreSheet:
    """Return each player's points for a board: wonders first, then meeples on features, then what players hold.

    Pass `features` of the board if they are already built. "Final Scoring" sets the order. A complete road, city,
    monastery or garden that still holds meeples (it was never scored) counts as complete. Boxes whose rules were not
    played (`board.box_rules`) have plain tiles and pieces.
    """
    features, table = features or build_feature_map(board), table or Table()
    entries = (
        *score_wonders(board, features, rules, table),
        *score_features(features, rules),
        *score_holdings(table, count_finished(features), board.box_rules),
    )
    totals = dict.fromkeys(sorted({*table.list_players(board), *(entry.player for entry in entries)}), 0)
    for entry in entries:
        totals[entry.player] += entry.points
    return ScoreSheet(entries, totals)


def compute_feature_worth(feature: Feature, rules: Ruleset = TODAY) -> Worth:
    """Return the worth of a feature for a player with the majority.

    A farm is scored by itself and without a pig. Wonders are excluded: each has its own rule.
    """
    if feature.kind == "field":
        return compute_farm_worth(feature, rules)
    if counts_surroundings(feature.kind):
        return _compute_surrounded_worth(feature)
    return _compute_road_worth(feature) if feature.kind == "road" else _compute_city_worth(feature, rules)


def score_features(features: FeatureMap, rules: Ruleset) -> Iterator[ScoreEntry]:
    """Yield the points of pieces on roads, cities, monasteries, gardens and farms, in the order of the features."""
    farms: dict[str, list[ScoreEntry]] = {}
    for entry in score_farms(features, rules):
        farms.setdefault(entry.feature, []).append(entry)
    for feature in features:
        if feature.kind not in ENDLESS and feature.pieces:
            brings = compute_feature_worth(feature, rules)
            yield from (brings.entry(player, feature.id) for player in feature.leaders)
            for abbot in feature.abbots:
                yield _compute_abbot_worth(feature).entry(abbot.colour, feature.id)
        yield from farms.get(feature.id, ())
        yield from score_barns(feature)


def _compute_road_worth(road: Feature) -> Worth:
    """Return the worth of a road: 1 per tile, or with an inn 2 if complete and 0 if not.

    Base game, "Scoring a road"; Inns & Cathedrals, "Inns".
    """
    each = 1 if not road.has_inn else 2 if road.complete else 0
    text = f"{format_count(road.size, 'tile')} x {each}" + " (inn)" * road.has_inn
    values: dict[str, int | str] = {"tiles": road.size, "each": each, "inn": int(road.has_inn)}
    return Worth(each * road.size, f"road.{_name_state(road)}", text, values)


def _compute_city_worth(city: Feature, rules: Ruleset) -> Worth:
    """Return the worth of a city: per tile and coat of arms 2 if complete and 1 if not, or with a cathedral 3 and 0.

    Base game, "Scoring a city"; Inns & Cathedrals, "Cathedrals". By the rules of the first 2 editions, a complete city
    of 2 tiles scores 1 per tile and coat of arms. A siege takes 1 from each (The Siege, "Scoring").
    """
    if city.has_cathedral:
        each = 3 if city.complete else 0
    else:
        each = 2 if city.complete and not (rules.small_city and city.size == _SMALL_CITY_TILES) else 1
    each = max(0, each - city.is_besieged)
    tiles, shields = format_count(city.size, "tile"), city.shields
    counted = f"({tiles} + {format_count(shields, 'coat of arms', 'coats of arms')})" if shields else tiles
    text = f"{counted} x {each}" + " (cathedral)" * city.has_cathedral + " (besieged)" * city.is_besieged
    values: dict[str, int | str] = {
        "tiles": city.size,
        "coats": shields,
        "each": each,
        "cathedral": int(city.has_cathedral),
        "siege": int(city.is_besieged),
    }
    return Worth(each * (city.size + shields), f"city.{_name_state(city)}", text, values)


def _compute_surrounded_worth(feature: Feature) -> Worth:
    """Return the worth of a monastery or garden: 1 for its own tile and 1 for each around it.

    Base game, "Scoring a monastery"; The Abbot, "Gardens"; "Monasteries and wonder tiles". Each square of a wonder
    counts as a tile. A complete monastery scores 3 more for each vineyard around it (Hills & Sheep, "Vineyards").
    """
    counts = feature.kind == "monastery" and feature.complete and not feature.box_rules.ignores("hills")
    vineyards = feature.vineyards if counts else 0
    further = f" + {format_count(vineyards, 'vineyard')} x {VINEYARD_POINTS}" if vineyards else ""
    text = f"1 + {format_count(feature.size - 1, 'tile')} around{further}"
    values = {"around": feature.size - 1, "vineyards": vineyards, **({"each": VINEYARD_POINTS} if vineyards else {})}
    return Worth(feature.size + VINEYARD_POINTS * vineyards, f"{feature.kind}.{_name_state(feature)}", text, values)


def _compute_abbot_worth(monastery: Feature) -> Worth:
    """Return the worth of a special monastery for a follower lying on it: 1 for its tile and 1 for each in line.

    Monasteries in Germany, "Scoring of monasteries with an abbot": the row and the column count up to the first gaps.
    """
    text = f"1 + {format_count(monastery.cross, 'tile')} in its row and column"
    return Worth(1 + monastery.cross, "monastery.abbot", text, {"cross": monastery.cross})


def _name_state(feature: Feature) -> str:
    return "finished" if feature.complete else "unfinished"
