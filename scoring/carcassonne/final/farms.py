"""Points of farmers under the rules of each edition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from scoring.carcassonne.board.features import Feature, FeatureMap
from scoring.carcassonne.final.rulesets import Ruleset
from scoring.carcassonne.final.sheet import Worth
from scoring.counts import format_count
from scoring.score_entry import ScoreEntry

PIG_POINTS = 1
"""By the rules: extra points per city for a farmer with a pig (Traders & Builders), and for all farmers per printed pig
herd.
"""


def score_farms(features: FeatureMap, rules: Ruleset) -> Iterator[ScoreEntry]:
    """Yield the entries of all farms, in the order of the features."""
    if rules.farms == "by_city":
        return _score_by_city(features, rules)
    return _score_by_farm(features, rules, once=rules.farms == "by_farm_each_city_once")


def compute_farm_worth(farm: Feature, rules: Ruleset) -> Worth:
    """Return the worth of a farm by itself for a farmer without a pig."""
    return _build_worth(farm, len(farm.cities), rules.city_of_a_farm + PIG_POINTS * farm.pig_herds)


def find_leaders(strengths: Mapping[str, int]) -> tuple[str, ...]:
    """Return the players with the highest strength; all of them if tied."""
    most = max(strengths.values(), default=0)
    return tuple(player for player, strength in strengths.items() if strength == most)


def _score_by_farm(features: FeatureMap, rules: Ruleset, once: bool) -> Iterator[ScoreEntry]:
    """Yield the entries by the base game's "Final scoring: farms", third edition and later; `once`: the second edition.

    The player with most farmers on a farm scores each complete city that the farm touches; with `once`, no city twice.
    """
    spent: dict[str, set[str]] = {}
    entries = {}
    farms = [(player, farm) for farm in features if farm.kind == "field" for player in find_leaders(farm.strengths)]
    for player, farm in (
        sorted(farms, key=lambda claim: -_compute_city_points(claim[1], claim[0], rules)) if once else farms
    ):
        counted = spent.setdefault(player, set()) if once else set()
        entries[player, farm.id] = _score_farm(farm, player, counted, rules)
        counted |= set(farm.cities)
    yield from (entries[player, farm.id] for player, farm in farms)


def _score_farm(farm: Feature, player: str, counted: set[str], rules: Ruleset) -> ScoreEntry:
    cities = len(set(farm.cities) - counted)
    each = _compute_city_points(farm, player, rules)
    before = len(farm.cities) - cities
    return _build_worth(farm, cities, each, _has_pig(farm, player), before).entry(player, farm.id)


def _build_worth(farm: Feature, cities: int, each: int, pig: bool = False, before: int = 0) -> Worth:
    text = f"{format_count(cities, 'finished city', 'finished cities')} x {each}"
    text += " (pig)" * pig + f", {before} counted before" * bool(before)
    values = {"cities": cities, "each": each, "pig": int(pig), "herds": farm.pig_herds, "before": before}
    return Worth(cities * each, "field.farm", text, values)


def _compute_city_points(farm: Feature, player: str, rules: Ruleset) -> int:
    """Return the points of a farm's city for a player."""
    return rules.city_of_a_farm + PIG_POINTS * (_has_pig(farm, player) + farm.pig_herds)


def _has_pig(farm: Feature, player: str) -> bool:
    pigs = (piece for piece in farm.pieces if piece.kind == "pig" and piece.colour == player)
    return any(pigs) and not farm.box_rules.ignores("traders")


def _score_by_city(features: FeatureMap, rules: Ruleset) -> Iterator[ScoreEntry]:
    """Yield the entries by the base game's first edition, "Final scoring: farms".

    The player with most farmers on all farms around a complete city scores that city, once.
    """
    farms: dict[str, list[Feature]] = {}
    for farm in features:
        if farm.kind == "field":
            for city in farm.cities:
                farms.setdefault(city, []).append(farm)
    for feature in features:
        around = farms.get(feature.id, [])
        farmers = Counter[str]()
        for farm in around:
            farmers.update(farm.strengths)
        for player in find_leaders(dict(sorted(farmers.items()))):
            pig = any(_has_pig(farm, player) for farm in around)
            text = f"{format_count(farmers[player], 'farmer')} around the city" + ", a pig" * pig
            values = {"farmers": farmers[player], "pig": int(pig)}
            yield ScoreEntry(player, rules.city_of_a_farm + PIG_POINTS * pig, feature.id, "field.city", text, values)
