"""Errors of the server, as a branch of the tree in `vision.errors`; each code has its HTTP status.

WondertallyError
  ServerError               a request that is refused or fails
      bad_request             400: it cannot be parsed
      token_wanted            401: only the owner may, and no token was sent
      key_wanted              401: this server requires an API key
      not_yours               403: the token is not the owner's
      wrong_key               403: the API key is unknown
      cross_site              403: a page of another site requests a change
      local_only              403: without API keys, only this machine may enrol
      not_found               404: the page or reading does not exist, or is deleted
      method_not_allowed      405: the address does not support the method
      upload_too_slow         408: the upload stalled, or took too long
      conflict                409: it was changed in the meantime
      not_read_yet            409: the reading is not done
      table_exists            409: the event has the table, with other photos or other stated facts
      already_checked         409: a person has corrected or decided the table's reading
      track_open              409: a player's points on the score track are unknown
      nothing_to_undo         409: there is no step to undo or redo
      body_too_large          413: the body exceeds the limit
      wrong_content_type      415: the address takes another type of body
      unknown_host            421: the requested host name is not this server's
      bad_field               422: a field is missing or invalid
      too_many_requests       429: too many from one client
      queue_full              429: too many readings are queued
      scoring_busy            503: too many boards are waiting to be scored
      reading_stopped         503: the reading exceeded its time limit
      internal_error          500: a bug in the server
      reading_crashed         500: the process of the reading died
      interrupted             503: the server was restarted before the reading
      not_ready               503: photos cannot be read now
      storage_away            503: the database or the place of the photos cannot be reached
      storage_full            503: a disk is full
      storage_read_only       503: a disk, or the database, cannot be written to
      database_damaged        500: the database's file cannot be read
  InputError
    ServingError            the server does not start
      cannot_listen           the address is in use, or not this machine's
      bad_settings            an environment variable is invalid
      disk_full               the disk of the database has no room to start with
      storage_read_only       the disk of the data, or the database, cannot be written to
      database_newer          a newer version of the program has migrated the database
      database_unversioned    the database has tables, but does not state its version
      database_damaged        the database's file cannot be read
      photos_not_empty        the place of the photos holds foreign files
      photos_of_another       the place of the photos belongs to another database
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

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


class ServerError(WondertallyError):
    """A request that is refused or fails; `headers` are sent with the response."""

    statuses: ClassVar[Mapping[str, int]] = {
        "bad_request": 400,
        "token_wanted": 401,
        "key_wanted": 401,
        "not_yours": 403,
        "wrong_key": 403,
        "cross_site": 403,
        "local_only": 403,
        "not_found": 404,
        "method_not_allowed": 405,
        "upload_too_slow": 408,
        "conflict": 409,
        "not_read_yet": 409,
        "table_exists": 409,
        "already_checked": 409,
        "track_open": 409,
        "nothing_to_undo": 409,
        "body_too_large": 413,
        "wrong_content_type": 415,
        "unknown_host": 421,
        "bad_field": 422,
        "too_many_requests": 429,
        "queue_full": 429,
        "scoring_busy": 503,
        "reading_stopped": 503,
        "internal_error": 500,
        "reading_crashed": 500,
        "interrupted": 503,
        "not_ready": 503,
        "storage_away": 503,
        "storage_full": 503,
        "storage_read_only": 503,
        "database_damaged": 500,
    }
    texts: ClassVar[Mapping[str, str]] = {
        "bad_request": "The request cannot be understood.",
        "token_wanted": "Only its owner may do that: send the token as Authorization: Bearer TOKEN.",
        "key_wanted": "This server asks for an API key: send it as X-API-Key.",
        "not_yours": "Only its owner may do that, and this is not the owner's token.",
        "wrong_key": "There is no such API key.",
        "cross_site": "The request came from a page of another site.",
        "local_only": "Only the server's own machine, or a client with an API key, may do that.",
        "not_found": "There is nothing here, or it no longer exists.",
        "method_not_allowed": "This address does not support that method.",
        "upload_too_slow": "The upload took too long.",
        "conflict": "It was changed in the meantime: fetch it again first.",
        "not_read_yet": "The photo has not been read yet.",
        "table_exists": "This round has such a table already: add further photos there, and correct what has changed.",
        "already_checked": "Somebody has corrected or checked this table: undo that before you add photos.",
        "track_open": "The points of the game are still missing, or not certain: enter them first.",
        "nothing_to_undo": "There is nothing to undo or redo.",
        "body_too_large": "The body is too large.",
        "wrong_content_type": "This address does not accept that type of body.",
        "unknown_host": "The server does not answer under that name: use localhost, or add the name to its settings.",
        "bad_field": "A field is missing or invalid: see the details.",
        "too_many_requests": "Too many requests: try again later.",
        "queue_full": "Too many photos are waiting to be read: try again later.",
        "scoring_busy": "Too many boards are waiting to be scored: try again later.",
        "reading_stopped": "The reading took too long and was stopped.",
        "internal_error": "This should not have happened.",
        "reading_crashed": "The reading crashed.",
        "interrupted": "The server was restarted before the photo was read: send it again.",
        "not_ready": "Photos cannot be read now.",
        "storage_away": "The storage cannot be reached now: try again later.",
        "storage_full": "The server's disk is full: try again later, or delete readings.",
        "storage_read_only": _READ_ONLY,
        "database_damaged": _DAMAGED,
    }

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
        "database_unversioned": "The database has tables of these names, but does not state their version: restore "
        "a copy of it, or name another database.",
        "database_damaged": _DAMAGED,
        "photos_not_empty": "The folder for photos holds files that are not the server's: name an empty one.",
        "photos_of_another": "The photos in that folder belong to another database: name that database, or an empty "
        "folder.",
    }


def build_field_error(name: str, reason: str) -> ServerError:
    """Build the error for an invalid field of a form."""
    return ServerError("bad_field", details={"fields": [{"field": name, "reason": reason}]})
