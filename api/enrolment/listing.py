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


def find_undoable_store(name: str) -> NamedFiles[Any] | None:
    """Find the store that has an enrolment of this name, or else had one last, and can take back a change of it."""
    stores = [store for store in list_enrolment_stores() if store.can_take_back(name)]
    return max(stores, key=lambda store: (name in store.names(), store.get_change_time(name)), default=None)


def take_entry_back(store: NamedFiles[Any], name: str) -> DocumentAndLines:
    """Undo the last change of an enrolment, also if it was forgotten; raises EnrolmentError."""
    store.take_back(name)
    is_enrolled = name in store.names()
    state = "back to the previous enrolment" if is_enrolled else "no longer enrolled"
    return {"undone": name, "enrolled": is_enrolled}, [f"{name}: {state}"]


def describe_replaced(store: NamedFiles[Any], name: str) -> list[str]:
    """Describe in lines what an enrolment of this name is about to replace."""
    replaced = f"replaces the previous {name}, which `wondertally enrol undo {name}` restores"
    return [replaced] if name in store.names() else []


def describe_enrolments(store: NamedFiles[N], words: Callable[[N], str]) -> tuple[dict[str, str], list[str]]:
    """Describe each enrolment of a store, as a document and as lines; a damaged one by its error."""
    descriptions = {name: _describe(store, name, words) for name in store.names()}
    return descriptions, [f"{name}: {description}" for name, description in descriptions.items()]


def _describe(store: NamedFiles[N], name: str, words: Callable[[N], str]) -> str:
    try:
        return words(store.load(name))
    except EnrolmentError as error:
        return error.text
