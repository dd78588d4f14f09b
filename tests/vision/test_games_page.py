"""docs/games.md names every key of a board's layout."""

from __future__ import annotations

import re

import pytest
from pydantic import BaseModel

from tests.scoring.spots.games_page import keys, part
from vision.flat_boards.layout import PictureFacts
from vision.tower_of_babel.layout import Layout as BabelLayout
from vision.world_wonders.layout import Layout as WondersLayout


@pytest.mark.parametrize(
    "model", [PictureFacts, BabelLayout, WondersLayout], ids=["pictures", "tower-of-babel", "world-wonders"]
)
def test_the_page_names_every_key(model: type[BaseModel]) -> None:
    text = part("Pictures and layout")
    named = {word for code in re.findall(r"`([^`]+)`", text) for word in re.findall(r"[a-z_0-9]+", code)}
    assert {*keys(model)} - named == set()
