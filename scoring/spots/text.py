"""Text forms of a table of spots, each with its inverse: one line for people, a label (JSON) for photos.

    tower-of-babel red,yellow giza.red.1=3 giza.yellow.3=1 wonders.giza=done

The line gives the game, the players in order, and the values of spots; a value of only digits is a number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from scoring.documents import DocumentError, parse_json
from scoring.errors import LabelError, NotationError
from scoring.spots.game import Laid, Value

_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_NAMES = rf"{_NAME}(,{_NAME})*"
_WORD = re.compile(rf"({_NAME})=([A-Za-z0-9._#-]+)")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,8})")


@dataclass(frozen=True)
class SpotTable:
    """A table: the game's name, the players' colours, and the values of spots."""

    game: str
    players: tuple[str, ...]
    laid: Laid = field(default_factory=dict)


@dataclass(frozen=True)
class SpotLabel:
    """Ground truth of a photo: its file, the table, and the parameters of the drawing (art, light, elevation)."""

    photo: str
    table: SpotTable
    about: Mapping[str, Any] = field(default_factory=dict)


def format_table(table: SpotTable) -> str:
    """Return the table in one line; `parse_table` is the inverse."""
    return " ".join([table.game, ",".join(table.players), *(f"{k}={v}" for k, v in table.laid.items())])


def parse_table(text: str) -> SpotTable:
    """Return the table from one line; raise NotationError `bad_notation`."""
    words = [(word_match[0], word_match.start()) for word_match in re.finditer(r"\S+", text)]
    for (word, at), (what, pattern) in zip(words[:2], (("game", _NAME), ("players", _NAMES)), strict=False):
        if not re.fullmatch(pattern, word):
            raise NotationError("bad_notation", f"{word!r} names no {what}", at)
    if len(words) < 2:
        raise NotationError("bad_notation", "A game and its players come first", len(text))
    laid: dict[str, Value] = {}
    for word, at in words[2:]:
        match = _WORD.fullmatch(word)
        if match is None or match[1] in laid:
            raise NotationError("bad_notation", f"{word!r} is no SPOT=VALUE that comes once", at)
        laid[match[1]] = int(match[2]) if _NUMBER.fullmatch(match[2]) else match[2]
    return SpotTable(words[0][0], tuple(words[1][0].split(",")), laid)


def format_label(label: SpotLabel) -> str:
    """Return the label as JSON; `parse_label` is the inverse."""
    table = label.table
    content = {"game": table.game, "photo": label.photo, "players": table.players, "laid": dict(table.laid)}
    return json.dumps(content | {"about": dict(label.about)}, ensure_ascii=False, indent=1) + "\n"


def parse_label(text: str) -> SpotLabel:
    """Return the label in a JSON text; raise LabelError `bad_label`."""
    try:
        content = parse_json(text)
    except DocumentError as error:
        raise LabelError("bad_label", f"This is no JSON: {error}") from error
    if not isinstance(content, dict):
        raise LabelError("bad_label", "A label is an object")
    game, photo = _get_text(content, "game"), _get_text(content, "photo")
    players, laid, about = content.get("players"), content.get("laid"), content.get("about", {})
    if not _is_list_of_texts(players) or not isinstance(laid, dict) or not isinstance(about, dict):
        raise LabelError("bad_label", "players is a list of colours; laid and about are objects")
    if not all(isinstance(value, int | str) and not isinstance(value, bool) for value in laid.values()):
        raise LabelError("bad_label", "laid names a number or a text for each spot")
    return SpotLabel(photo, SpotTable(game, tuple(players), laid), about)


def _get_text(content: Mapping[str, Any], key: str) -> str:
    if not isinstance(content.get(key), str):
        raise LabelError("bad_label", f"{key} is a text")
    return str(content[key])


def _is_list_of_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and len(value) > 0 and all(isinstance(text, str) for text in value)
