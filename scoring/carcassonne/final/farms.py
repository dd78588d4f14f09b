"""Points of farmers under the rules of each edition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from scoring.carcassonne.board.features import Feature, FeatureMap, find_leaders
from scoring.carcassonne.final.rulesets import Ruleset
from scoring.carcassonne.final.sheet import Worth
from scoring.counts import format_count
from scoring.score_entry import ScoreEntry

BARN_POINTS = 4
"""By the rules: points of a barn for each complete city at its field (Abbey & Mayor, "Barn")."""
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
    return _build_worth(farm, farm.cities, rules.city_of_a_farm + PIG_POINTS * farm.pig_herds)


def _score_by_farm(features: FeatureMap, rules: Ruleset, once: bool) -> Iterator[ScoreEntry]:
    """Yield the entries by the base game's "Final scoring: farms", third edition and later; `once`: the second edition.

    The player with most farmers on a farm scores each complete city that the farm touches; with `once`, no city twice.
    """
    spent: dict[str, set[str]] = {}
    entries = {}
    farms = [(player, farm) for farm in features if farm.kind == "field" for player in farm.leaders]
    for player, farm in (
        sorted(farms, key=lambda claim: -_compute_city_points(claim[1], claim[0], rules)) if once else farms
    ):
        counted = spent.setdefault(player, set()) if once else set()
        entries[player, farm.id] = _score_farm(farm, player, counted, rules)
        counted |= set(farm.cities)
    yield from (entries[player, farm.id] for player, farm in farms)


def _score_farm(farm: Feature, player: str, counted: set[str], rules: Ruleset) -> ScoreEntry:
    cities = [city for city in farm.cities if city not in counted]
    each = _compute_city_points(farm, player, rules)
    before = len(farm.cities) - len(cities)
    return _build_worth(farm, cities, each, _has_pig(farm, player), before).entry(player, farm.id)


def score_barns(farm: Feature) -> Iterator[ScoreEntry]:
    """Yield 4 points a complete city for each player with a barn on a field (Abbey & Mayor, "Barn")."""
    if farm.kind != "field" or farm.box_rules.ignores("abbey"):
        return
    for player in sorted({piece.colour for piece in farm.pieces if piece.kind == "barn"}):
        worth = _build_worth(farm, farm.cities, BARN_POINTS)
        yield worth._replace(rule="field.barn").entry(player, farm.id)


def _build_worth(farm: Feature, cities: Sequence[str], each: int, pig: bool = False, before: int = 0) -> Worth:
    """Return the worth of some cities at a farm; a besieged one counts twice (The Siege, "Farmers")."""
    besieged = 0 if farm.box_rules.ignores("siege") else len({*cities} & {*farm.besieged})
    text = f"{format_count(len(cities), 'finished city', 'finished cities')} x {each}"
    text += " (pig)" * pig + f", {before} counted before" * bool(before) + f", {besieged} besieged" * bool(besieged)
    values = {"cities": len(cities), "each": each, "pig": int(pig), "herds": farm.pig_herds, "before": before}
    values |= {"besieged": besieged}
    return Worth((len(cities) + besieged) * each, "field.farm", text, values)


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
            points = (rules.city_of_a_farm + PIG_POINTS * pig) * (1 + feature.is_besieged)
            yield ScoreEntry(player, points, feature.id, "field.city", text, values)
