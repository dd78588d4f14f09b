"""Errors of the server, as a branch of the tree in `vision.errors`, and the HTTP status of every error.

WondertallyError
  ServerError               a request that is refused or fails
  InputError
    ServingError            the server does not start
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from api.errors import ReportError
from vision.errors import InputError, WondertallyError

_RETRY_HEADERS: Mapping[str, Mapping[str, str]] = {
    "storage_away": {"Retry-After": "10"},
    "scoring_busy": {"Retry-After": "2"},
    "storage_full": {"Retry-After": "60"},
    "storage_read_only": {"Retry-After": "60"},
}
"""Headers sent with every error of a code."""
_DAMAGED = "The database is damaged: restore a copy of it, or move the file away to start with an empty one."
_READ_ONLY = "The storage cannot be written to: make the disk writable, and let the server's user write there."
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

_REFUSALS: Mapping[str, tuple[int, str]] = {
    "bad_request": (400, "The request cannot be understood."),
    "token_wanted": (401, "Only its owner may do that: send the token as Authorization: Bearer TOKEN."),
    "key_wanted": (401, "This server asks for an API key: send it as X-API-Key."),
    "not_yours": (403, "Only its owner may do that, and this is not the owner's token."),
    "wrong_key": (403, "There is no such API key."),
    "wrong_code": (403, "That is not the code that the server shows."),
    "cross_site": (403, "The request came from a page of another site."),
    "local_only": (403, "Only the server's own machine, or a client with an API key, may do that."),
    "not_found": (404, "There is nothing here, or it no longer exists."),
    "method_not_allowed": (405, "This address does not support that method."),
    "upload_too_slow": (408, "The upload took too long."),
    "conflict": (409, "It was changed in the meantime: fetch it again first."),
    "not_read_yet": (409, "The photo has not been read yet."),
    "table_exists": (
        409,
        "This round has such a table already: add further photos there, and correct what has changed.",
    ),
    "already_checked": (409, "Somebody has corrected or checked this table: undo that before you add photos."),
    "track_open": (409, "The points on the score track are still missing, or not certain: enter them first."),
    "nothing_to_undo": (409, "There is nothing to undo or redo."),
    "body_too_large": (413, "The body is too large."),
    "wrong_content_type": (415, "This address does not accept that type of body."),
    "unknown_host": (
        421,
        "The server does not answer under that name: use localhost, or add the name to its settings.",
    ),
    "bad_field": (422, "A field is missing or invalid: see the details."),
    "too_many_requests": (429, "Too many requests: try again later."),
    "queue_full": (429, "Too many photos are waiting to be read: try again later."),
    "scoring_busy": (503, "Too many boards are waiting to be scored: try again later."),
    "reading_stopped": (503, "The reading took too long and was stopped."),
    "internal_error": (500, "This should not have happened."),
    "reading_crashed": (500, "The reading crashed."),
    "interrupted": (503, "The server was restarted before the photo was read: send it again."),
    "not_ready": (503, "Photos cannot be read now."),
    "storage_away": (503, "The storage cannot be reached now: try again later."),
    "storage_full": (503, "The server's disk is full: try again later, or delete readings."),
    "storage_read_only": (503, _READ_ONLY),
    "database_damaged": (500, _DAMAGED),
}
"""HTTP status and text of each code of a request that is refused or fails."""


class ServerError(WondertallyError):
    """A request that is refused or fails; `headers` are sent with the response."""

    statuses: ClassVar[Mapping[str, int]] = {code: status for code, (status, _) in _REFUSALS.items()}
    texts: ClassVar[Mapping[str, str]] = {code: text for code, (_, text) in _REFUSALS.items()}

    def __init__(
        self,
        code: str,
        text: str = "",
        details: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code, text, details)
        self.headers = {**_RETRY_HEADERS.get(code, {}), **(headers or {})}

    @property
    def status(self) -> int:
        """HTTP status of the error."""
        return self.statuses[self.code]


class ServingError(InputError):
    """A reason why the server does not start."""

    texts: ClassVar[Mapping[str, str]] = {
        "cannot_listen": "The server cannot listen there: the address is in use, or does not belong to this machine.",
        "bad_settings": "The server's settings are invalid: see docs/settings.md.",
        "disk_full": "The disk of the database is full: make room on it, then start the server again.",
        "storage_read_only": _READ_ONLY,
        "database_newer": "The database was migrated by a newer version of Wondertally: start that version, or "
        "restore a copy from before.",
        "database_older": "The database is of a version before 0.1.0, which this version cannot migrate: start version "
        "0.6.0 with it once, or name another database.",
        "database_unversioned": "The database has tables of these names, but does not state their version: restore "
        "a copy of it, or name another database.",
        "database_damaged": _DAMAGED,
        "photos_not_empty": "The folder for photos holds files that are not the server's: name an empty one.",
        "photos_of_another": "The photos in that folder belong to another database: name that database, or an empty "
        "folder.",
    }
    advised: ClassVar[tuple[str, ...]] = (
        "cannot_listen",
        "database_newer",
        "database_older",
        "database_unversioned",
        "disk_full",
        "photos_not_empty",
        "photos_of_another",
    )


def build_field_error(name: str, reason: str) -> ServerError:
    """Build the error for an invalid field of a form."""
    return ServerError("bad_field", details={"fields": [{"field": name, "reason": reason}]})


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
