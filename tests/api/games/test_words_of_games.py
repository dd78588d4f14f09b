"""The words of each game are the same in all languages, name the same values, and take no other game's."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from fluent.runtime import FluentResource
from fluent.syntax import ast
from fluent.syntax.visitor import Visitor

from api.languages import LANGUAGES
from api.spots.registry import SPOT_GAMES

FOLDER = Path(__file__).parents[3] / "api" / "i18n"


class Variables(Visitor):
    """The values that a message names."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_VariableReference(self, node: ast.VariableReference) -> None:  # noqa: N802
        self.names.add(node.id.name)


def messages(name: str, language: str) -> dict[str, set[str]]:
    """Return the messages of a file and the values each names; references are resolved."""
    body = FluentResource((FOLDER / f"{name}.{language}.ftl").read_text(encoding="utf-8")).body
    assert not [entry for entry in body if isinstance(entry, ast.Junk)]
    names_by_message = {}
    for entry in body:
        if isinstance(entry, ast.Message):
            variables = Variables()
            variables.visit(entry)
            names_by_message[entry.id.name] = variables.names
    return names_by_message


@pytest.mark.parametrize("game", SPOT_GAMES)
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_all_languages_say_the_same_of_a_game(game: str, language: str) -> None:
    assert messages(game, language) == messages(game, "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_is_given_twice(language: str) -> None:
    """All files of a language share one namespace: the later would replace the earlier."""
    files = [file.name.split(".")[0] for file in FOLDER.glob(f"*.{language}.ftl")]
    counts = Counter(name for file in files for name in messages(file, language))
    assert [name for name, number in counts.items() if number > 1] == []
