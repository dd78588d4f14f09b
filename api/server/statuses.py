"""The HTTP status of each error, and the restoration of errors stored as JSON."""

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
"""HTTP statuses of codes other than the server's own; the default is 422."""


def find_http_status(error: WondertallyError) -> int:
    """Return the HTTP status of an error."""
    if isinstance(error, ServerError):
        return error.status
    if isinstance(error, ReportError):
        return 500  # a report that the server itself has stored
    return _STATUSES.get(error.code, 422)


def restore_error(error: Mapping[str, Any]) -> WondertallyError:
    """Restore an error from its stored document."""
    kind = ServerError if error["code"] in ServerError.statuses else WondertallyError
    return kind(error["code"], error["text"], error["details"])
