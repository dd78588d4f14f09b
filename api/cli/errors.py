"""Errors of the command line: sentences for people at a terminal, one line of JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from rich.console import Console

from api.i18n import load_words

MEANT = "meant"
"""Key among an error's details: the word that was most likely meant."""


class ErrorForm(StrEnum):
    """Form in which errors are written to standard error."""

    AUTO = "auto"
    TEXT = "text"
    JSON = "json"


class ErrorPrinter:
    """Printer of a command's error, in the requested form and language."""

    def __init__(self) -> None:
        self.form = ErrorForm.AUTO
        self.language = "en"

    def print(self, code: str, text: str, details: Mapping[str, Any], hint: str = "") -> None:
        """Print an error to standard error; `hint` suggests to a person what to try."""
        if self.form is ErrorForm.JSON or (self.form is ErrorForm.AUTO and not sys.stderr.isatty()):
            error = {"code": code, "text": text, "details": details}
            print(json.dumps({"error": error}, ensure_ascii=False, default=str), file=sys.stderr)
            return
        console = Console(stderr=True, markup=False, highlight=False, emoji=False, soft_wrap=True)
        words = load_words(self.language)
        message = f"error-{code}"
        console.print(f"{words.say('failed-title')} ", style="bold red", end="")
        console.print(words.say(message) if self.language != "en" and message in words else text)
        for line in list_detail_lines(details, self.language):
            console.print(f"  {line}")
        if hint:
            console.print(hint)


def list_detail_lines(details: Mapping[str, Any], language: str = "en") -> Iterator[str]:
    """Yield an error's details as lines for a person; the word most likely meant comes first."""
    if details.get(MEANT):
        yield load_words(language).say("failed-meant", word=str(details[MEANT]))
    for name, value in details.items():
        if name != MEANT and value not in (None, "", [], {}):
            yield f"{name.replace('_', ' ')}: {_format_value(value)}"


def _format_value(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_format_value(one)}" for name, one in value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return ", ".join(map(_format_value, value))
    return str(value)
