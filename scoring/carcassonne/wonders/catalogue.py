"""The wonder tiles of a game: the 8 as most likely printed, or a person's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from scoring.carcassonne.wonders.files import parse_wonder
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout
from scoring.documents import MAX_TOML_CHARACTERS
from scoring.errors import CatalogueError


@cache
def load_wonder_catalogue() -> Mapping[str, WonderLayout]:
    """Return the 8 wonders by id, as they are most likely printed."""
    folder = files("scoring.carcassonne").joinpath("data")
    texts = (folder.joinpath(f"wonder_{id.removeprefix('WH/')}.toml").read_text(encoding="utf-8") for id in WONDERS)
    return {wonder.id: wonder for wonder in map(parse_wonder, texts)}


def is_shipped(layout: WonderLayout) -> bool:
    """Return whether a layout is the one shipped for its wonder."""
    return layout is load_wonder_catalogue()[layout.id]


def load_custom_wonders(*paths: Path) -> Mapping[str, WonderLayout]:
    """Return the 8 wonders, some of them replaced by a person's own files; raise CatalogueError or OSError."""
    return {**load_wonder_catalogue(), **index_wonders(map(parse_wonder, map(_read_text, paths)))}


def index_wonders(layouts: Iterable[WonderLayout]) -> dict[str, WonderLayout]:
    """Return layouts by id; raise CatalogueError `wonder_twice` if 2 layouts are given for one wonder."""
    by_id = dict[str, WonderLayout]()
    for layout in layouts:
        if layout.id in by_id:
            raise CatalogueError("wonder_twice", f"two layouts of {layout.name} are given", wonder=layout.id)
        by_id[layout.id] = layout
    return by_id


def _read_text(path: Path) -> str:
    """Return the text of a file, up to one character more than a wonder's file may have."""
    with path.open(encoding="utf-8") as file:
        return file.read(MAX_TOML_CHARACTERS + 1)
