"""`wondertally rules`: the rule sets by the years of their boxes, and their differences."""

from __future__ import annotations

import json as as_json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from api.cli.output import output_document
from api.cli.terminal import build_console
from scoring.carcassonne.final.rulesets import LARGE_GAME_TILES, RULESETS, TODAY, Ruleset

_FARMS = {
    "by_farm": "{points} points for each finished city beside a farm, to the player with most farmers on that farm",
    "by_farm_each_city_once": "{points} points for each finished city beside a farm, but no player has a city twice",
    "by_city": "{points} points for each finished city, to the player with most farmers around it",
}


_OF_LATER_BOXES = "; these boxes had none, so they are scored by the rules since 09/2024"
_NOT_KNOWN = (
    "The years of the base game's boxes are approximate: their rules do not date the changes. "
    "If the year does not settle it, compare your booklet's rules on farms and on cities of two tiles."
)


def list_rules(
    json: Annotated[Path | None, typer.Option(help="Write the rule sets to this file; - prints them instead.")] = None,
) -> None:
    """List the rule sets of Carcassonne: the boxes that have them, and their differences.

    Years are given as far as they are known. Your year is printed in the rules booklet or on the bottom of the box.
    """
    documents = [asdict(rules) for rules in RULESETS.values()]
    if output_document(json, as_json.dumps({"rules": documents}, indent=2) + "\n"):
        return
    console = build_console()
    for rules in RULESETS.values():
        used = "; the default of --rules" if rules is TODAY else ""
        console.print(f"{rules.name}  (boxes {rules.years}{used})", style="bold" if console.is_terminal else "")
        for what, words in list_ruleset_words(rules).items():
            console.print(f"  {what}: {words}")
    console.print(_NOT_KNOWN, soft_wrap=not console.is_terminal)


def list_ruleset_words(rules: Ruleset) -> dict[str, str]:
    """Describe a rule set in words, by the points in which rule sets differ."""
    alhambra = f"{rules.farmer} points a farmer"
    if rules.farmer_of_many != rules.farmer:
        alhambra += f", {rules.farmer_of_many} from {LARGE_GAME_TILES} tiles on"
    begin = "in the turn in which they are laid" if rules.wonders_at_once else "on their owner's next turn"
    return {
        "farms": _FARMS[rules.farms].format(points=rules.city_of_a_farm),
        "finished city of two tiles": "2 points, and 1 for each coat of arms"
        if rules.small_city
        else "4 points, and 2 for each coat of arms",
        "Alhambra": alhambra,
        "wonders": f"begin to score {begin}" + ("" if rules.has_wonders else _OF_LATER_BOXES),
    }
