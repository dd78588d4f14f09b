"""What is told of things that a person taught, whatever they are, and what has its names in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vision.enrolment.prints import Enrolments
from vision.enrolment.score_boards import ScoreBoards
from vision.enrolment.score_tokens import ScoreTokens
from vision.enrolment.store import N, NamedFiles
from vision.enrolment.wonders import TaughtWonders
from vision.errors import EnrolmentError

DocumentAndLines = tuple[dict[str, Any], list[str]]
"""What was done or is there, as a document and in words, a line each."""


def list_enrolment_stores() -> tuple[NamedFiles[Any], ...]:
    """List the stores of all that this machine was taught of Carcassonne, under names that are each given once."""
    return Enrolments(), ScoreBoards(), ScoreTokens(), TaughtWonders()


def list_taken_names(own_store: NamedFiles[Any]) -> list[str]:
    """List the names that enrolments of other stores than this one have."""
    return [name for store in list_enrolment_stores() if type(store) is not type(own_store) for name in store.names()]


def describe_enrolments(store: NamedFiles[N], words: Callable[[N], str]) -> tuple[dict[str, str], list[str]]:
    """Describe each enrolment of a store, as a document and in words, a line each; of a damaged one, that it is."""
    descriptions = {name: _describe(store, name, words) for name in store.names()}
    return descriptions, [f"{name}: {description}" for name, description in descriptions.items()]


def _describe(store: NamedFiles[N], name: str, words: Callable[[N], str]) -> str:
    try:
        return words(store.load(name))
    except EnrolmentError as error:
        return error.text
