"""What is told of things that a person taught, whatever they are."""

from __future__ import annotations

from collections.abc import Callable

from vision.errors import EnrolmentError
from vision.named_files import N, NamedFiles


def taught_told(store: NamedFiles[N], words: Callable[[N], str]) -> tuple[dict[str, str], list[str]]:
    """What is known of each, as a document and in words, a line each; of a damaged one, that it is."""
    told = {name: _told(store, name, words) for name in store.names()}
    return told, [f"{name}: {own}" for name, own in told.items()]


def _told(store: NamedFiles[N], name: str, words: Callable[[N], str]) -> str:
    try:
        return words(store.load(name))
    except EnrolmentError as error:
        return error.text
