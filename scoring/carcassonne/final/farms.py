"""What farmers score, under the rules of each edition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from scoring.carcassonne.board.features import Feature, FeatureMap
from scoring.carcassonne.final.rulesets import Ruleset
from scoring.carcassonne.final.sheet import Worth
from scoring.counts import format_count
from scoring.score_entry import ScoreEntry

PIG_POINTS = 1
"""What a city of a farm brings its farmer's pig besides (Traders & Builders); a printed pig herd, every farmer."""


def score_farms(features: FeatureMap, rules: Ruleset) -> Iterator[ScoreEntry]:
    """Yield the entries of all farms, in the order of the features."""
    if rules.farms == "by_city":
        return _score_by_city(features, rules)
    return _score_by_farm(features, rules, once=rules.farms == "by_farm_each_city_once")


def compute_farm_worth(farm: Feature, rules: Ruleset) -> Worth:
    """Return what a farm brings a farmer who has no pig there, taken alone."""
    return _build_worth(farm, len(farm.cities), rules.city_of_a_farm + PIG_POINTS * farm.pig_herds)


def find_leaders(strengths: Mapping[str, int]) -> tuple[str, ...]:
    """Return the players with the most, all of them where several have it."""
    most = max(strengths.values(), default=0)
    return tuple(player for player, strength in strengths.items() if strength == most)


def _score_by_farm(features: FeatureMap, rules: Ruleset, once: bool) -> Iterator[ScoreEntry]:
    """Base game, "Final scoring: farms", third edition and later; of the second edition where a city counts `once`.

    Whoever has most farmers on a farm scores each complete city that the farm touches.
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
    """What a city of a farm brings a player."""
    return rules.city_of_a_farm + PIG_POINTS * (_has_pig(farm, player) + farm.pig_herds)


def _has_pig(farm: Feature, player: str) -> bool:
    pigs = (piece for piece in farm.pieces if piece.kind == "pig" and piece.colour == player)
    return any(pigs) and not farm.box_rules.ignores("traders")


def _score_by_city(features: FeatureMap, rules: Ruleset) -> Iterator[ScoreEntry]:
    """Base game of the first edition, "Final scoring: farms".

    Whoever has most farmers on all farms around a complete city scores that city, once.
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
