"""Texts for people, in the languages of the rule texts: Fluent files beside this module, `*.LANGUAGE.ftl`.

Terms are those of the rule texts. A report's own `text` fields stay English; `values` holds the parts for a
translation.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from threading import Lock
from typing import Literal

from babel.lists import format_list
from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax.ast import BaseNode, MessageReference, Resource, TermReference
from fluent.syntax.visitor import Visitor

from api.languages import LANGUAGES, LanguageCode

Value = int | float | str
_ENTRY_START = re.compile(r"^(-?[a-zA-Z][\w-]*) *=", re.MULTILINE)
"""Beginning of a message, or of a term (its name begins with a hyphen); the rest of an entry is indented."""


class Words:
    """All messages of one language; each is parsed on first use, together with the entries it refers to."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._bundle = FluentBundle([language], use_isolating=False)
        self._unparsed: dict[str, str] = {}
        for text in read_fluent_texts(language):
            for name, entry in split_entries(text):
                self._unparsed.setdefault(name, entry)
        self._messages = {name for name in self._unparsed if not name.startswith("-")}
        self._lock = Lock()

    def __contains__(self, message: str) -> bool:
        return message in self._messages

    def _parse(self, name: str) -> None:
        """Add a message or a term to the bundle after the entries it refers to; unknown names are ignored."""
        if (entry := self._unparsed.pop(name, None)) is not None:
            resource = FluentResource(entry)
            for other in _list_references(resource):
                self._parse(other)
            self._bundle.add_resource(resource)

    def say(self, message: str, **values: Value) -> str:
        """Return a message with its values filled in; raises KeyError for an unknown message or a missing value."""
        with self._lock:
            self._parse(message)
        pattern = self._bundle.get_message(message).value
        if pattern is None:
            raise KeyError(message)
        text, errors = self._bundle.format_pattern(pattern, values)
        if errors:
            raise KeyError(f"{message}: {errors[0]}")
        return str(text)

    def name(self, what: str, name: str) -> str:
        """Return the word for a name in the code (`colour`, `blue`), or the name itself if there is none."""
        message = f"{what}-{name.removeprefix('WH/')}"
        return self.say(message) if message in self else name

    def join(self, names: Iterable[str], style: Literal["standard", "or"] = "standard") -> str:
        """Join names into one list as in a sentence: a, b and c; or a, b or c."""
        return format_list(list(names), style, self.language)


def capitalise(sentence: str, names: Iterable[str] = ()) -> str:
    """Capitalise a sentence, unless it begins with one of the names, which stay as typed."""
    return sentence if sentence.startswith(tuple(names)) else sentence[:1].upper() + sentence[1:]


class _References(Visitor):
    """Names of the messages and terms that a resource refers to."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def generic_visit(self, node: BaseNode) -> None:
        """Visit one node of a resource, then its children."""
        if isinstance(node, TermReference):
            self.names.append(f"-{node.id.name}")
        elif isinstance(node, MessageReference):
            self.names.append(node.id.name)
        super().generic_visit(node)


def _list_references(resource: Resource) -> list[str]:
    references = _References()
    references.visit(resource)
    return references.names


def split_entries(text: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the source of each message, and of each term (`-name`), in a Fluent file."""
    starts = [*_ENTRY_START.finditer(text)]
    ends = [*(start.start() for start in starts[1:]), len(text)]
    for start, end in zip(starts, ends, strict=True):
        yield start[1], text[start.start() : end]


@cache
def load_words(language: str) -> Words:
    """Return the words of one of LANGUAGES."""
    return Words(language)


def fold_name(name: str) -> str:
    """Normalise a name: without case, accents, hyphens and extra spaces."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return " ".join(re.findall(r"\w+", "".join(letter for letter in letters if not unicodedata.combining(letter))))


def list_names(what: str, name: str) -> list[str]:
    """List the names of something in each of LANGUAGES, by its kind and its name in the code (`wonder`, `alhambra`)."""
    return [load_words(language).name(what, name) for language in LANGUAGES]


def negotiate_language(accepted: str) -> str:
    """Return the best of LANGUAGES for an Accept-Language header (`de-AT,de;q=0.9`), English if none matches."""
    wishes = sorted(_wishes(accepted), key=lambda wish: -wish[1])
    return next((language for language, weight in wishes if language in LANGUAGES and weight > 0), LanguageCode.ENGLISH)


def _wishes(accepted: str) -> Iterator[tuple[str, float]]:
    for wish in accepted.split(","):
        tag, _, weight = wish.partition(";q=")
        try:
            yield tag.strip().lower().partition("-")[0], float(weight or 1)
        except ValueError:
            continue


def read_fluent_texts(language: str) -> Iterator[str]:
    """Yield the texts of a language's Fluent files."""
    folder = files("api.i18n")
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(f".{language}.ftl"):
            yield file.read_text(encoding="utf-8")
