"""Where what is kept cannot be reached, or its address cannot be: told as what it is, whatever raised it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from sqlalchemy.exc import ArgumentError

from api.server_errors import ServerError, ServingError
from api.settings import PREFIX

Storage = Literal["database", "photos"]

log = logging.getLogger("wondertally")


@contextmanager
def reached(storage: Storage, kinds: type[Exception] = Exception) -> Iterator[None]:
    """Raises ServerError `storage_away` for errors of these kinds: each file system has its own."""
    try:
        yield
    except kinds as error:
        raise away(storage, error) from error


@contextmanager
def configured(storage: Storage) -> Iterator[None]:
    """Raises ServingError `bad_settings` for an address that cannot be, or one whose library is not installed."""
    try:
        yield
    except (ArgumentError, ImportError, ValueError) as error:
        raise ServingError("bad_settings", details={"settings": [f"{PREFIX}{storage.upper()}: {error}"]}) from error


def away(storage: Storage, error: Exception) -> ServerError:
    """The error for who asks; what was behind it stands in the log alone, since it may name hosts and keys."""
    log.warning("%s cannot be reached: %s: %s", storage, type(error).__name__, error)
    return ServerError("storage_away", details={"storage": storage})
