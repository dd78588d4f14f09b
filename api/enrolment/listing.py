"""Lists of enrolments of any kind, and of the names in use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vision.enrolment.prints import Enrolments
from vision.enrolment.score_boards import ScoreBoards, ScoreTokens
from vision.enrolment.store import N, NamedFiles
from vision.enrolment.wonders import EnrolledWonders
from vision.errors import EnrolmentError

DocumentAndLines = tuple[dict[str, Any], list[str]]
"""The result of a command or a listing, as a document and as lines of text."""


def list_enrolment_stores() -> tuple[NamedFiles[Any], ...]:
    """List the stores of all enrolments for Carcassonne, which share one set of names."""
    return Enrolments(), ScoreBoards(), ScoreTokens(), EnrolledWonders()


def list_taken_names(own_store: NamedFiles[Any]) -> list[str]:
    """List the names used by the other stores."""
    return [name for store in list_enrolment_stores() if type(store) is not type(own_store) for name in store.names()]


def describe_enrolments(store: NamedFiles[N], words: Callable[[N], str]) -> tuple[dict[str, str], list[str]]:
    """Describe each enrolment of a store, as a document and as lines; a damaged one by its error."""
    descriptions = {name: _describe(store, name, words) for name in store.names()}
    return descriptions, [f"{name}: {description}" for name, description in descriptions.items()]


def _describe(store: NamedFiles[N], name: str, words: Callable[[N], str]) -> str:
    try:
        return words(store.load(name))
    except EnrolmentError as error:
        return error.text
