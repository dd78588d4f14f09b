"""Which HTTP status an error has, and how an error that was kept as JSON becomes one again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from api.errors import ReportError
from api.server.errors import ServerError
from vision.errors import WondertallyError

_STATUSES = {
    "not_an_image": 415,
    "unsupported_image": 415,
    "heif_missing": 415,
    "too_large": 413,
    "no_such_enrolment": 404,
    "no_such_picture": 404,
    "enrolment_exists": 409,
    "enrolment_not_empty": 409,
    "cannot_write_enrolment": 503,
    "models_missing": 503,
    "models_damaged": 503,
    "no_such_feature": 404,
    "nothing_there": 404,
    "no_such_player": 404,
}
"""Of all other codes of what a person hands in it is 422."""


def find_http_status(error: WondertallyError) -> int:
    """The HTTP status of an error."""
    if isinstance(error, ServerError):
        return error.status
    if isinstance(error, ReportError):
        return 500  # one that the server itself has kept
    return _STATUSES.get(error.code, 422)


def restore_error(error: Mapping[str, Any]) -> WondertallyError:
    """An error again, of what was kept of it."""
    kind = ServerError if error["code"] in ServerError.statuses else WondertallyError
    return kind(error["code"], error["text"], error["details"])
