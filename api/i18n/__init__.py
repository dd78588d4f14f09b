"""What is said to people, in the languages of the rule texts: Fluent files beside this one, `*.LANGUAGE.ftl`.

Terms are those of the rule texts. A report's own `text` fields stay English; what they name is in `values`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from fluent.runtime import FluentBundle, FluentResource

LANGUAGES = ("en", "de", "ro")

Value = int | float | str


class Words:
    """All messages of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._bundle = FluentBundle([language], use_isolating=False)
        for text in read_fluent_texts(language):
            self._bundle.add_resource(FluentResource(text))

    def __contains__(self, message: str) -> bool:
        return self._bundle.has_message(message)

    def say(self, message: str, **values: Value) -> str:
        """A message with its values filled in; raises KeyError for one that is not there, or lacks a value."""
        pattern = self._bundle.get_message(message).value
        if pattern is None:
            raise KeyError(message)
        text, errors = self._bundle.format_pattern(pattern, values)
        if errors:
            raise KeyError(f"{message}: {errors[0]}")
        return str(text)

    def name(self, what: str, name: str) -> str:
        """The word for something that has a name in the code (`colour`, `blue`); the name itself where none is."""
        message = f"{what}-{name.removeprefix('WH/')}"
        return self.say(message) if message in self else name


@cache
def load_words(language: str) -> Words:
    """The words of one of LANGUAGES."""
    return Words(language)


def negotiate_language(accepted: str) -> str:
    """The best of LANGUAGES for what a browser accepts (`de-AT,de;q=0.9,en;q=0.8`); English where none is."""
    wishes = sorted(_wishes(accepted), key=lambda wish: -wish[1])
    return next((language for language, weight in wishes if language in LANGUAGES and weight > 0), LANGUAGES[0])


def _wishes(accepted: str) -> Iterator[tuple[str, float]]:
    for wish in accepted.split(","):
        tag, _, weight = wish.partition(";q=")
        try:
            yield tag.strip().lower().partition("-")[0], float(weight or 1)
        except ValueError:
            continue


def read_fluent_texts(language: str) -> Iterator[str]:
    """The Fluent files of a language."""
    folder = files("api.i18n")
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(f".{language}.ftl"):
            yield file.read_text(encoding="utf-8")
