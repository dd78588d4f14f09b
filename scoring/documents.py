"""JSON and TOML from users, parsed within bounds: the only place that checks numbers, lengths and depth.

The result holds integers up to `MAX_NUMBER`, finite floats, encodable text, and no nesting deeper than `MAX_DEPTH`: it
can be walked, compared, formatted and written again. Each format adds bounds of its own.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Iterator
from typing import Any

MAX_NUMBER = 2**53 - 1
"""Largest integer; readers that use doubles cannot distinguish larger neighbours (RFC 8259, section 6)."""
MAX_DEPTH = 32
"""Maximum nesting of lists and objects; a report has 8. A guess, far below the stack limit."""
MAX_TEXT_BYTES = 64 * 2**20
"""Maximum size of a text file in bytes; a report of 400 squares on 50 photos takes about 10 MiB. A guess. Bounds
memory.
"""
MAX_TOML_CHARACTERS = 100_000
"""Maximum length of a TOML file; the fitted numbers take 14,000 characters, and files of wonders and components a few
thousand. Bounds time.
"""
MAX_KEY_PARTS = 8
"""Maximum number of parts of a dotted TOML key; a components file needs 4. Bounds time, which grows with their
square.
"""

_DIGITS = len(str(MAX_NUMBER))
_KEY_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_DEEP_KEY = re.compile(rf"(?<![\w-]){_KEY_PART}(?:[ \t]*+\.[ \t]*+{_KEY_PART}){{{MAX_KEY_PARTS}}}")


class DocumentError(ValueError):
    """A text is not valid JSON or TOML, or exceeds the bounds. It has no code, since each format has its own.

    `key` is the dotted path of a value beyond the bounds, and empty for a text without a value.
    """

    def __init__(self, reason: str, key: str = "") -> None:
        super().__init__(f"{key}: {reason}" if key else reason)
        self.key = key


def parse_json(text: str | bytes) -> Any:
    """Return the content of a JSON text; raise DocumentError."""
    if len(text) > MAX_TEXT_BYTES:
        raise DocumentError(f"a file of text has at most {MAX_TEXT_BYTES} bytes")
    try:
        document = json.loads(text, parse_int=_parse_int, parse_float=_parse_float, parse_constant=_parse_float)
    except RecursionError as error:
        raise _build_depth_error() from error
    except ValueError as error:
        raise DocumentError(str(error)) from error
    _refuse_beyond_bounds(document)
    return document


def parse_toml(text: str) -> dict[str, Any]:
    """Return the content of a TOML text; raise DocumentError."""
    if len(text) > MAX_TOML_CHARACTERS:
        raise DocumentError(f"the file has more than {MAX_TOML_CHARACTERS} characters")
    if _DEEP_KEY.search(text):
        raise DocumentError(f"the file has a key of more than {MAX_KEY_PARTS} parts")
    try:
        document = tomllib.loads(text)
    except RecursionError as error:
        raise _build_depth_error() from error
    except ValueError as error:  # invalid TOML, or a number with more digits than Python reads
        raise DocumentError(str(error)) from error
    _refuse_beyond_bounds(document)
    return document


def _parse_int(digits: str) -> int:
    if len(digits) > _DIGITS + 1:
        raise DocumentError(f"a number of {len(digits)} digits")
    return int(digits)


def _parse_float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise DocumentError(f"{digits[:20]} is no finite number")
    return number


def _refuse_beyond_bounds(document: Any) -> None:
    """Raise DocumentError for values that are too deep, too large, or not encodable."""
    values = [document]
    for _ in range(MAX_DEPTH):
        if not values:
            return
        for value in values:
            if fault := _find_fault(value):
                raise DocumentError(fault, _find_key(document, value))
        values = [inner for value in values for inner in _list_inner(value)]
    if values:
        raise _build_depth_error()


def _list_inner(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value
        yield from value.values()
    elif isinstance(value, list):
        yield from value


def _find_fault(value: Any) -> str:
    """Return the reason why a value alone is refused; empty if it is within the bounds."""
    if isinstance(value, str):
        if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
            return "half a character"
    elif isinstance(value, int) and not -MAX_NUMBER <= value <= MAX_NUMBER:
        return f"no whole number beyond {MAX_NUMBER} is accepted"
    elif isinstance(value, float) and not math.isfinite(value):
        return "no infinite number is accepted"
    return ""


def _find_key(document: Any, wanted: Any) -> str:
    """Return the dotted path of this very value in a document of bounded depth; empty for the name of an entry."""
    if isinstance(document, dict | list):
        for name, value in document.items() if isinstance(document, dict) else enumerate(document):
            if value is wanted:
                return str(name)
            if inner := _find_key(value, wanted):
                return f"{name}.{inner}"
    return ""


def _build_depth_error() -> DocumentError:
    return DocumentError(f"lists and objects are nested deeper than {MAX_DEPTH}")
