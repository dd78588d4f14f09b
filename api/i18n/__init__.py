"""What is said to people, in the languages of the rule texts: Fluent files beside this one, `*.LANGUAGE.ftl`.

Terms are those of the rule texts. A report's own `text` fields stay English; what they name is in `values`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from threading import Lock

from babel.lists import format_list
from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax.ast import BaseNode, MessageReference, Resource, TermReference
from fluent.syntax.visitor import Visitor

from api.languages import LANGUAGES, Language

Value = int | float | str
_ENTRY_START = re.compile(r"^(-?[a-zA-Z][\w-]*) *=", re.MULTILINE)
"""Where a message begins, or a term, whose name begins with a hyphen: what belongs to it besides is indented."""


class Words:
    """All messages of one language; each is parsed when it is first said, with what it refers to."""

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
        """Put a message or a term into the bundle, and before it what it refers to; what is not there is left out."""
        if (entry := self._unparsed.pop(name, None)) is not None:
            resource = FluentResource(entry)
            for other in _list_references(resource):
                self._parse(other)
            self._bundle.add_resource(resource)

    def say(self, message: str, **values: Value) -> str:
        """A message with its values filled in; raises KeyError for one that is not there, or lacks a value."""
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
        """The word for something that has a name in the code (`colour`, `blue`); the name itself where none is."""
        message = f"{what}-{name.removeprefix('WH/')}"
        return self.say(message) if message in self else name

    def join(self, names: Iterable[str]) -> str:
        """All names in one list, as a sentence has it: a, b and c."""
        return format_list(list(names), locale=self.language)


def capitalise(sentence: str, names: Iterable[str] = ()) -> str:
    """Begin a sentence with a capital, but for one that begins with one of the names: those stay as they were typed."""
    return sentence if sentence.startswith(tuple(names)) else sentence[:1].upper() + sentence[1:]


class _References(Visitor):
    """The names of the messages and terms that a resource refers to."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def generic_visit(self, node: BaseNode) -> None:
        """Look at one part of a resource, and at what it consists of."""
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
    """Split a Fluent file into the name and the source of each message, and of each term (`-name`)."""
    starts = [*_ENTRY_START.finditer(text)]
    ends = [*(start.start() for start in starts[1:]), len(text)]
    for start, end in zip(starts, ends, strict=True):
        yield start[1], text[start.start() : end]


@cache
def load_words(language: str) -> Words:
    """Return the words of one of LANGUAGES."""
    return Words(language)


def fold_name(name: str) -> str:
    """Return a name without what people leave out or write otherwise: capitals, accents, hyphens, further spaces."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return " ".join(re.findall(r"\w+", "".join(letter for letter in letters if not unicodedata.combining(letter))))


def list_names(what: str, name: str) -> list[str]:
    """List what something that has a name in the code is called (`wonder`, `alhambra`), in each of LANGUAGES."""
    return [load_words(language).name(what, name) for language in LANGUAGES]


def negotiate_language(accepted: str) -> str:
    """Return the best of LANGUAGES for an Accept-Language header (`de-AT,de;q=0.9`), English if none matches."""
    wishes = sorted(_wishes(accepted), key=lambda wish: -wish[1])
    return next((language for language, weight in wishes if language in LANGUAGES and weight > 0), Language.ENGLISH)


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
