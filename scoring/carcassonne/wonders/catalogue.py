"""The wonder tiles that a game is played with: the eight as they are most likely printed, or a person's own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from scoring.carcassonne.wonders.files import parse_wonder
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout


@cache
def load_wonder_catalogue() -> Mapping[str, WonderLayout]:
    """Return the eight wonders by id, as they are most likely printed."""
    folder = files("scoring.carcassonne").joinpath("data")
    texts = (folder.joinpath(f"wonder_{id.removeprefix('WH/')}.toml").read_text(encoding="utf-8") for id in WONDERS)
    return {wonder.id: wonder for wonder in map(parse_wonder, texts)}


def is_shipped(layout: WonderLayout) -> bool:
    """Return whether a layout is the catalogue's own of its wonder."""
    return layout is load_wonder_catalogue()[layout.id]


def load_custom_wonders(*paths: Path) -> Mapping[str, WonderLayout]:
    """Return the eight wonders, some of them replaced by a person's own files; raises CatalogueError, OSError."""
    custom_wonders = (parse_wonder(path.read_text(encoding="utf-8")) for path in paths)
    return {**load_wonder_catalogue(), **{wonder.id: wonder for wonder in custom_wonders}}
