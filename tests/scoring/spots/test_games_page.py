"""docs/games.md: the games accept its examples, and it names every key of their components files."""

from __future__ import annotations

import re

import pytest
from pydantic import BaseModel

from scoring.spots.game import Game
from scoring.tower_of_babel import components as babel
from scoring.tower_of_babel.game import GAME as BABEL
from scoring.world_wonders import components as wonders
from scoring.world_wonders.game import GAME as WONDERS
from tests.scoring.spots.games_page import keys, part

TITLES = {"tower-of-babel": "Tower of Babel", "world-wonders": "World Wonders"}


@pytest.mark.parametrize("game", [BABEL, WONDERS], ids=lambda game: game.name)
def test_the_documented_example_is_accepted_and_supplies_components(game: Game) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", part(TITLES[game.name]), re.S)
    left, all_keys = ({each.details["key"] for each in game.missing(game.components(text))} for text in (example, None))
    assert all_keys - left


@pytest.mark.parametrize(
    ("title", "model"), [("Tower of Babel", babel.Components), ("World Wonders", wonders.Components)]
)
def test_the_page_names_every_key(title: str, model: type[BaseModel]) -> None:
    section = part(title)
    named = {word for code in re.findall(r"`([^`]+)`", section) for word in re.findall(r"[A-Za-z_0-9]+", code)}
    assert {*keys(model)} - named - {"pictures", "layout", "name"} == set()


@pytest.mark.parametrize("card", wonders.load_components(None).monuments)
def test_the_page_names_every_monument(card: str) -> None:
    assert f"`{card}`" in part("World Wonders")


def test_the_page_names_every_kind_of_spot() -> None:
    """By the first part of its id."""
    (example,) = re.findall(r"```toml\n(.*?)```", part("World Wonders"), re.S)
    components = WONDERS.components(f"{example}\n[resources.A]\nceramics.last = 9\ngears.last = 9")
    spots = [*WONDERS.spots(components, ("red",), {}), *WONDERS.spots(components, ("red", "blue"), {})]
    spots += BABEL.spots(BABEL.components(None), ("red", "yellow"), {})
    for first in {spot.id.split(".")[0] for spot in spots}:
        assert re.search(rf"\| `{first}[.`]", part("What lies where: spots")), first
