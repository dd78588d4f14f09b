"""Advice on an error: what a person can try, by the error's code or the nearest of its classes."""

from __future__ import annotations

from collections.abc import Container, Iterator

from api.errors import QuestionError
from api.i18n import Words, load_words
from api.server.errors import ServerError
from api.tournament.errors import BatchError
from scoring.errors import InputError, ScoringError, WondertallyError
from vision.errors import EnrolmentError, PhotoError, ReadingError

PAGE_ERRORS = (
    ServerError,
    PhotoError,
    ReadingError,
    EnrolmentError,
    BatchError,
    QuestionError,
    InputError,
    ScoringError,
)
"""Roots of the errors that a page can show; the first that knows a code gives its advice."""


def advise(code: str, kind: type[WondertallyError], language: str) -> str:
    """Return the advice of a command on an error."""
    words = load_words(language)
    message = _find_message("try", code, kind, words)
    return words.say(message) if message else ""


def find_page_advice(name: str, messages: Container[str]) -> str | None:
    """Return the message of the advice that a page adds to the text of an error; none if the text contains advice.

    The name of the text is the error's code, followed by a hyphen and a variant if there are several texts.
    """
    code = name.partition("-")[0]
    kinds = (kind for root in PAGE_ERRORS for kind in list_error_classes(root))
    kind = next((kind for kind in kinds if code in list_own_codes(kind)), WondertallyError)
    return None if name in vars(kind).get("advised", ()) else _find_message("advice", code, kind, messages)


def _find_message(prefix: str, code: str, kind: type[WondertallyError], messages: Words | Container[str]) -> str | None:
    names = (f"{prefix}-{name}" for name in (code, *(one.__name__ for one in kind.__mro__)))
    return next((name for name in names if name in messages), None)


def list_error_classes(root: type[WondertallyError]) -> Iterator[type[WondertallyError]]:
    """Yield a class of errors and all its subclasses."""
    yield root
    for kind in root.__subclasses__():
        yield from list_error_classes(kind)


def list_own_codes(kind: type[WondertallyError]) -> tuple[str, ...]:
    """List the codes that a class adds to those of its bases."""
    return (*vars(kind).get("texts", ()), *vars(kind).get("codes", ()))
