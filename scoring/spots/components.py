"""The printed values of a person's own copy of a game: a TOML file with facts that are not published.

Values known for every copy are in the game's own `data/components.toml`; a person's file adds those that are missing
there. Nothing is guessed: a score that needs an unknown value names it, and the place where it is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from scoring.documents import DocumentError, parse_toml
from scoring.errors import ScoringError

MAX_TILE_SHAPES = 20
"""Maximum number of stacks of tiles of one shape each. Bounds memory."""
MAX_TILE_SIDE = 5
"""Maximum length and width of a tile in squares. Bounds memory."""

M = TypeVar("M", bound=BaseModel)
V = TypeVar("V")


class ComponentsError(ScoringError):
    """A copy's printed value is missing or invalid.

    `component_missing` names the value's `key` and the place where it is `printed`, `components_invalid` the invalid
    key.
    """

    codes: ClassVar[tuple[str, ...]] = ("component_missing", "components_invalid")


def build_missing_error(key: str, printed: str) -> ComponentsError:
    """Return the error for a value that a score needs; `key` is its place in the TOML file."""
    text = f"{key} is not known: it is printed {printed}. Write it into your components file."
    return ComponentsError("component_missing", text, key=key, printed=printed)


def require_value(value: V | None, key: str, printed: str) -> V:
    """Return a value that a score needs; raise `build_missing_error` if it is unknown."""
    if value is None:
        raise build_missing_error(key, printed)
    return value


def list_missing_values(lookups: Iterable[Callable[[], object]]) -> tuple[ComponentsError, ...]:
    """Return the errors of the lookups, one for each missing value."""
    errors: dict[str, ComponentsError] = {}
    for ask in lookups:
        try:
            ask()
        except ComponentsError as error:
            errors.setdefault(error.details["key"], error)
    return tuple(errors.values())


def read_components(model: type[M], default_file: Path, text: str | None) -> M:
    """Return the components of every copy, overridden by a person's (tables are merged); raise ComponentsError."""
    merged = _parse_toml(default_file.read_text(encoding="utf-8"))
    if text is not None:
        merged = _merge(merged, _parse_toml(text))
    try:
        return model.model_validate(merged)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise ComponentsError("components_invalid", f"{key}: {first['msg']}", key=key) from error


def _parse_toml(text: str) -> dict[str, Any]:
    try:
        return parse_toml(text)
    except DocumentError as error:
        raise ComponentsError("components_invalid", f"Invalid TOML: {error}", key=error.key) from error


def _merge(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, value in above.items():
        base_value = merged.get(key)
        merged[key] = _merge(base_value, value) if isinstance(base_value, dict) and isinstance(value, dict) else value
    return merged


FactKind = Literal["number", "choice", "switch"]
FactValue = int | str | bool | None


@dataclass(frozen=True, slots=True)
class Fact:
    """A value of the components file by its key; None if it is unknown.

    `words` names the message about it and `of` its subject, both messages; `name` is the subject's plain name if it has
    no message. A `choice` has `choices`. A score fails without a value that it needs, unless it is `optional`.
    """

    key: str
    kind: FactKind
    words: str
    value: FactValue
    of: str = ""
    name: str = ""
    choices: tuple[str, ...] = ()
    optional: bool = False
