"""The page docs/games.md, and the keys of models that it has to name."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel

PAGE = (Path(__file__).parents[3] / "docs" / "games.md").read_text(encoding="utf-8")


def part(title: str) -> str:
    """Return the page from a heading to the next one."""
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def keys(model: type[BaseModel]) -> Iterator[str]:
    """Yield all keys of a model and of the models in it; those of dictionaries name themselves."""
    for name, field in model.model_fields.items():
        yield name
        for inner in models_in(field.annotation):
            yield from keys(inner)


def models_in(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in typing.get_args(annotation):
        yield from models_in(argument)
