"""The rules that players use, where editions differ: named sets, never single switches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scoring.errors import RulesetError

Farms = Literal["by_farm", "by_farm_each_city_once", "by_city"]


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One way to score, taken from RULESETS.

    `years` are those of the boxes with these rules, as far as known; only the wonders' rules date their own changes.
    `has_wonders`: wonders were published with these boxes. `farms`: each farm scores its complete cities for the player
    with most farmers on it (`by_farm`); the same, but no player scores a city twice (`by_farm_each_city_once`); or each
    complete city scores for the player with most farmers on all farms around it together (`by_city`). `city_of_a_farm`
    is the worth of a city then. `small_city`: a complete city of 2 tiles scores 1 per tile and coat of arms instead of
    2. `farmer` is what the Alhambra pays per farmer, and `farmer_of_many` with LARGE_GAME_TILES tiles or more.
    `wonders_at_once`: a wonder takes effect in the turn in which it is laid.
    """

    name: str
    years: str
    about: str
    farms: Farms = "by_farm"
    city_of_a_farm: int = 3
    small_city: bool = False
    farmer: int = 5
    farmer_of_many: int = 6
    wonders_at_once: bool = False
    has_wonders: bool = True


LARGE_GAME_TILES = 120
"""By the rules: number of tiles in play from which the Alhambra pays more ("Scoring after the game: Alhambra")."""

TODAY = Ruleset("C3", "since about 2014", "Second and third printing (C2, C3), wonders by the rules since 2024-09.")

_ALL = (
    TODAY,
    Ruleset(
        "C3-2023",
        "since about 2014, wonders by the rules of 10/2023",
        "As C3, with the Alhambra of the rules before 2024-09: 4 a farmer.",
        farmer=4,
        farmer_of_many=4,
    ),
    Ruleset(
        "C3-original",
        "since about 2014, wonders by the rules before 10/2023",
        "As C3-2023, by the first print of the wonders' rules: a wonder scores from the turn in which it is laid.",
        farmer=4,
        farmer_of_many=4,
        wonders_at_once=True,
    ),
    Ruleset(
        "C1-third",
        "until about 2014",
        "First printing by its third edition's rules: scored as today.",
        has_wonders=False,
    ),
    Ruleset(
        "C1-second",
        "about 2003",
        "Second edition: no player scores a city for two farms.",
        "by_farm_each_city_once",
        3,
        True,
        has_wonders=False,
    ),
    Ruleset(
        "C1-first",
        "from about 2000",
        "First edition: each city pays 4 to who has most farmers around it.",
        "by_city",
        4,
        True,
        has_wonders=False,
    ),
)
RULESETS = {rules.name: rules for rules in _ALL}
"""Rule sets by name. The first printing's 3 editions differ in farms and in cities of 2 tiles."""


def get_ruleset(name: str) -> Ruleset:
    """Return the rule set with a name; raise RulesetError for an unknown name."""
    if name not in RULESETS:
        raise RulesetError("unknown_rules", f"{name!r} is none of {', '.join(RULESETS)}", rules=name)
    return RULESETS[name]
