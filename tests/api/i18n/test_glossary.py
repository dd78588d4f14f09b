"""The texts keep to the words of docs/words.md, in every language and every interface."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from api.languages import LANGUAGES

ROOT = Path(__file__).parents[3]


class Term(NamedTuple):
    """A row of the glossary; `words` are in the order of LANGUAGES."""

    message: str
    words: tuple[str, ...]
    avoided: tuple[str, ...]


def list_terms() -> list[Term]:
    lines = (ROOT / "docs" / "words.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")][2:]
    return [
        Term(message.strip("`"), tuple(words), tuple(filter(None, re.split(r",\s*", avoided))))
        for message, *words, avoided in rows
    ]


def list_texts(language: str) -> Iterator[tuple[str, str, str]]:
    """Yield the file, the name and the text of each message."""
    for file in sorted((ROOT / "api" / "i18n").glob(f"*.{language}.ftl")):
        text = "\n".join(line for line in file.read_text(encoding="utf-8").splitlines() if line[:1] != "#")
        for name, value in re.findall(r"^([a-z][\w-]*) = ?((?:.|\n(?! *\n|[a-z]))*)", text, re.MULTILINE):
            yield file.name, name, value


TERMS = list_terms()


def test_the_glossary_has_a_column_for_each_language() -> None:
    short = [term for term in TERMS if len(term.words) != len(LANGUAGES)]
    assert not short, f"docs/words.md needs a column for each of {', '.join(LANGUAGES)}, in this order, before `not`"


@pytest.mark.parametrize("term", [term for term in TERMS if term.message], ids=lambda term: term.message)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_message_uses_the_term_of_the_glossary(term: Term, language: str) -> None:
    words = dict(zip(LANGUAGES, term.words, strict=False))
    assert language in words, f"docs/words.md has no column for {language}"
    texts = {text.casefold() for _, name, text in list_texts(language) if name == term.message}
    assert texts == {words[language].casefold()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_uses_words_that_the_glossary_avoids(language: str) -> None:
    avoided = "|".join(re.escape(word) for term in TERMS for word in term.avoided)
    pattern = re.compile(rf"\b(?:{avoided})", re.IGNORECASE)
    found = [(file, name, match[0]) for file, name, text in list_texts(language) if (match := pattern.search(text))]
    assert found == []


SPOKEN_TO = re.compile(r"(?<!^)(?<![.!?:…] )\b(?:Du|Dir|Dich|Dein|Deine[mnrs]?|Euch|Euer|Eure[mnrs]?)\b")


def test_german_texts_address_the_reader_with_a_small_du() -> None:
    said = [(file, name, line.strip()) for file, name, text in list_texts("de") for line in text.splitlines()]
    assert [found for found in said if SPOKEN_TO.search(re.sub(r"^\*?\[\w+\] ", "", found[2]))] == []


FRONTED = re.compile(
    r"(?:^|\] |[.:] )(?:What|Whatever|Where|Who|Whoever|Whose|Whether|Of)\b[^.?]*\.(?: |$)", re.MULTILINE
)


def test_english_sentences_begin_with_their_subject() -> None:
    assert [(name, text) for _, name, text in list_texts("en") if FRONTED.search(text)] == []


def test_english_texts_avoid_words_of_narration() -> None:
    assert [(name, text) for _, name, text in list_texts("en") if re.search(r"\b(?:tells?|told)\b", text)] == []


def test_romanian_texts_distinguish_squares_from_ranks() -> None:
    english = {name: text for _, name, text in list_texts("en")}
    ranks = re.compile(r"\bloc(?:ul|uri|urile|urilor|ului)?\b(?! fișierului)", re.IGNORECASE)
    called = {name for _, name, text in list_texts("ro") if ranks.search(text)}
    assert "place-of" in called
    assert {name for name in called if re.search("square|spot", english[name], re.IGNORECASE)} == set()


def test_the_checks_cover_the_whole_glossary_and_all_texts() -> None:
    assert len(TERMS) > 25
    for language in LANGUAGES:
        assert sum(1 for _ in list_texts(language)) > 800
