"""Valid texts made hostile: invalid or huge numbers, endless lists, brackets within brackets."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from hypothesis import strategies as st

BUSY_SECONDS, WAIT_SECONDS = 20, 300
"""Limits for any text in seconds: of the processor's time, which other work on the machine does not use up, and of the
clock. Far above the slowest good text. A guess.
"""
DEEP = 100_000
"""Nested brackets: more than any stack holds."""
MANY = 3000
"""Maximum repetitions of an entry of a list."""
LONG = 1_000_000
"""Number of characters beyond which a text is not made longer still."""
NUMBERS = (
    "-1",
    "0",
    "1",
    "2",
    "3",
    "401",
    "9999",
    "-9999",
    "10000",
    "-10000",
    "100000000",
    "-100000000",
    str(2**63),
    str(2**64 + 1),
    str(-(2**63) - 1),
    "9" * 400,
    "9" * 5000,
    "1e308",
    "-1e308",
    "1e-320",
    "0.5",
    "-0.0",
)
"""Numbers in JSON and TOML: of more digits than Python reads, beyond any count, and beyond a double."""
JSON_WORDS = ("1e400", "NaN", "Infinity", "-Infinity", "true", "null", '""', '"x"', '"\\ud800"', "[]", "{}", "[[0]]")
TOML_WORDS = ("nan", "inf", "-inf", "true", '""', '"x"', "[]", "{}", "[[0]]", "1979-05-27", "0x7fffffffffffffffff")
LINE_NUMBERS = (*NUMBERS, "٣", "²", "1_000", "+7", " 7", "", "NaN", "inf", "true", "0x10", "\uff17")
"""Numbers as a person may type them: in other scripts too."""
JSON_NESTS = tuple(
    before * depth + after * depth for depth in (40, 300, 900, DEEP) for before, after in (("[", "]"), ('{"a":', "}"))
)
"""`{"a":` ends in an empty brace: invalid JSON, as deep as it is."""
TOML_NESTS = (*("[" * depth + "]" * depth for depth in (40, 300, 900, DEEP)), "{a=" * 300 + "1" + "}" * 300)

Document = Any


class HangError(BaseException):
    """A text that kept the program busy beyond the limit; no handler of errors catches it."""


@contextmanager
def no_hang() -> Iterator[None]:
    """Interrupt an action that computes or waits for longer than the limits; raises HangError."""

    def break_off(number: int, _: FrameType | None) -> None:
        raise HangError(f"more than {BUSY_SECONDS if number == signal.SIGPROF else WAIT_SECONDS} s")

    clocks = ((signal.ITIMER_PROF, signal.SIGPROF, BUSY_SECONDS), (signal.ITIMER_REAL, signal.SIGALRM, WAIT_SECONDS))
    former = [signal.signal(number, break_off) for _, number, _ in clocks]
    for clock, _, seconds in clocks:
        signal.setitimer(clock, seconds)
    try:
        yield
    finally:
        for (clock, number, _), handler in zip(clocks, former, strict=True):
            signal.setitimer(clock, 0)
            signal.signal(number, handler)


class Given:
    """A generated text, which Hypothesis prints in part only."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return f"{self.text[:2000]!r} ({len(self.text)} characters)"


class _Raw(str):
    """A text inserted into a document as it is, without quotes."""

    __slots__ = ()


def _list_places(document: Document, before: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield before
    if isinstance(document, dict):
        for key, value in document.items():
            yield from _list_places(value, (*before, key))
    elif isinstance(document, list):
        for number, value in enumerate(document):
            yield from _list_places(value, (*before, number))


def _find(document: Document, place: tuple[str | int, ...]) -> Document:
    for key in place:
        document = document[key]
    return document


def _put(document: Document, place: tuple[str | int, ...], value: Document) -> Document:
    if not place:
        return value
    _find(document, place[:-1])[place[-1]] = value
    return document


def _write(document: Document) -> str:
    """Write the JSON of a document with raw texts in it."""
    raws: list[str] = []

    def mark(value: Document) -> Document:
        if isinstance(value, _Raw):
            raws.append(value)
            return f"\x00{len(raws) - 1}\x00"
        if isinstance(value, dict):
            return {key: mark(inner) for key, inner in value.items()}
        return [mark(inner) for inner in value] if isinstance(value, list) else value

    text = json.dumps(mark(document), ensure_ascii=False)
    return re.sub(r'"\\u0000(\d+)\\u0000"', lambda match: raws[int(match[1])], text)


@st.composite
def hostile_json(draw: st.DrawFn, valid: str) -> str:
    """Draw a JSON document with one to three of its values made hostile; most values keep their kind."""
    document = json.loads(valid)
    for _ in range(draw(st.integers(1, 3))):
        places = list(_list_places(document))
        leaves = [place for place in places if not isinstance(_find(document, place), dict | list)]
        numbers = [place for place in leaves if isinstance(_find(document, place), int | float)]
        lists = [place for place in places if isinstance(_find(document, place), list) and _find(document, place)]
        texts = [place for place in leaves if type(_find(document, place)) is str]
        kind = draw(st.sampled_from(["number", "number", "number", "text", "swap", "repeat", "drop", "nest", "key"]))
        if kind == "number" and numbers:
            document = _put(document, draw(st.sampled_from(numbers)), _Raw(draw(st.sampled_from(NUMBERS))))
        elif kind == "text" and texts:
            place = draw(st.sampled_from(texts))
            document = _put(document, place, draw(hostile_line(_find(document, place))))
        elif kind == "repeat" and lists:
            place = draw(st.sampled_from(lists))
            times = draw(st.sampled_from([2, 30, MANY]))
            entries = _find(document, place)
            document = _put(document, place, (entries * times)[:MANY])
        elif kind == "drop" and len(places) > 1:
            place = draw(st.sampled_from(places[1:]))
            del _find(document, place[:-1])[place[-1]]
        elif kind == "nest":
            document = _put(document, draw(st.sampled_from(places)), _Raw(draw(st.sampled_from(JSON_NESTS))))
        elif kind == "key":
            objects = [place for place in places if isinstance(_find(document, place), dict)]
            if objects:
                inner = _find(document, draw(st.sampled_from(objects)))
                inner[draw(st.sampled_from([*inner, "x", "", "9" * 5000, "\N{SNOWMAN}"]))] = _Raw("7")
        else:
            document = _put(
                document, draw(st.sampled_from(places)), _Raw(draw(st.sampled_from((*JSON_WORDS, *NUMBERS))))
            )
    return _write(document)


_DIGITS = re.compile(r"-?\d+(?:\.\d+)?")


@st.composite
def hostile_line(draw: st.DrawFn, valid: str, numbers: tuple[str, ...] = LINE_NUMBERS) -> str:
    """Draw a text in which a number, a word or a line is replaced, or repeated many times."""
    text = valid
    for _ in range(draw(st.integers(1, 2))):
        found = list(_DIGITS.finditer(text[:20_000]))
        kind = draw(st.sampled_from(["number", "number", "number", "letter", "repeat", "cut"]))
        if kind == "number" and found:
            match = draw(st.sampled_from(found))
            text = text[: match.start()] + draw(st.sampled_from(numbers)) + text[match.end() :]
        elif kind == "repeat" and 0 < len(text) < LONG:
            parts = re.split(r"(?<=[\s,/])", text)
            number = draw(st.integers(0, len(parts) - 1))
            text = "".join(
                [*parts[:number], (parts[number] * draw(st.sampled_from([2, 50, MANY])))[:LONG], *parts[number + 1 :]]
            )
        elif kind == "cut" and text:
            text = text[: draw(st.integers(0, len(text)))]
        elif text:
            at = draw(st.integers(0, len(text) - 1))
            text = text[:at] + draw(st.sampled_from("@-~^=,.:/()#*\N{SNOWMAN}\x00\n ")) + text[at + 1 :]
    return text


@st.composite
def hostile_toml(draw: st.DrawFn, valid: str) -> str:
    """Draw a TOML document of which some values are hostile, or a line is repeated many times."""
    text = valid
    for _ in range(draw(st.integers(1, 3))):
        found = list(_DIGITS.finditer(text))
        kind = draw(st.sampled_from(["number", "number", "number", "word", "nest", "key", "line"]))
        if kind in ("number", "word", "nest") and found:
            words = {"number": NUMBERS, "word": TOML_WORDS, "nest": TOML_NESTS}[kind]
            match = draw(st.sampled_from(found))
            text = text[: match.start()] + draw(st.sampled_from(words)) + text[match.end() :]
        elif kind == "key":
            depth = draw(st.sampled_from([2, 30, 20_000]))
            text = f"{text}\n{'a.' * depth}a = 1\n"
        else:
            text = draw(hostile_line(text, NUMBERS))
    return text


@st.composite
def give(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> Given:
    """Draw one of the texts to be printed in part; `map` would print all of its argument."""
    return Given(draw(texts))
