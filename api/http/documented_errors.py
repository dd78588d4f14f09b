"""Documented errors of each route: declared beside the code that raises them, and collected for the API document.

`raises` declares the codes of a route or of its dependencies. Codes that any request of a kind may get are added by the
request's method, path and parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from fastapi.dependencies.models import Dependant

from api.i18n.report_text import translate_error
from api.server.errors import ServerError
from api.server.statuses import find_http_status
from vision.errors import PhotoError, WondertallyError

F = TypeVar("F", bound=Callable[..., Any])

_ATTRIBUTE = "documented_error_codes"
_HARMLESS = ("GET", "HEAD")
EVERYWHERE = ("internal_error", "not_ready", "unknown_host")
"""Codes for any request to an existing address and method."""
LIMITED = ("too_many_requests",)
"""Codes for any request under /v1."""
FOREIGN = ("cross_site",)
"""Codes for any request that changes something."""
BODY = ("bad_request", "bad_field", "body_too_large", "upload_too_slow", "wrong_content_type")
"""Codes for any request with a body."""
STORAGE = ("storage_away", "storage_full", "storage_read_only", "database_damaged")
"""Codes for a request that needs the database or the photos."""
PHOTO = tuple(code for code in PhotoError.texts if code not in ("photo_not_found", "photo_unreadable"))
"""Codes for an uploaded photo; missing files occur only on the command line."""
MODELS = ("models_missing", "models_damaged")
"""Codes for a request that needs the nets or the calibration."""
JOB = ("not_ready", "queue_full", "reading_stopped", "reading_crashed", "interrupted", *MODELS)
"""Codes for a request that reads a photo."""


def raises(*codes: str | type[WondertallyError]) -> Callable[[F], F]:
    """Declare the codes that a route or a dependency raises; a class stands for all its codes."""

    def name_codes(function: F) -> F:
        setattr(function, _ATTRIBUTE, (*getattr(function, _ATTRIBUTE, ()), *_flatten_codes(codes)))
        return function

    return name_codes


def list_error_codes(dependant: Dependant, method: str, path: str, takes_body: bool) -> list[str]:
    """List the distinct codes that a route may answer, sorted by status and name."""
    codes = {*EVERYWHERE, *_gather_codes(dependant)}
    if path.startswith("/v1/"):
        codes |= {*LIMITED}
    if method not in _HARMLESS:
        codes |= {*FOREIGN}
    if takes_body:
        codes |= {*BODY}
    if _has_parameters(dependant):
        codes |= {"bad_field"}
    return sorted(codes, key=lambda code: (find_code_status(code), code))


def find_code_status(code: str) -> int:
    """Return the HTTP status of an error code."""
    kind = ServerError if code in ServerError.statuses else WondertallyError
    return find_http_status(kind(code))


def build_error_responses(codes: Iterable[str]) -> dict[str, Any]:
    """Build the OpenAPI responses for error codes: one for each status, with the codes and their meaning."""
    by_status: dict[str, list[str]] = {}
    for code in codes:
        by_status.setdefault(str(find_code_status(code)), []).append(code)
    return {
        status: {
            "description": "\n".join(f"* `{code}`: {translate_error('en', code)}" for code in names),
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorDocument"}}},
            "x-error-codes": names,
        }
        for status, names in by_status.items()
    }


def _flatten_codes(codes: Iterable[str | type[WondertallyError]]) -> Iterator[str]:
    for code in codes:
        if isinstance(code, str):
            yield code
        else:
            yield from code.list_codes()


def _gather_codes(dependant: Dependant) -> Iterator[str]:
    yield from getattr(dependant.call, _ATTRIBUTE, ())
    for needed in dependant.dependencies:
        yield from _gather_codes(needed)


def _has_parameters(dependant: Dependant) -> bool:
    """Return whether a request has query or header parameters, which the framework validates."""
    named = bool(dependant.query_params or dependant.header_params)
    return named or any(map(_has_parameters, dependant.dependencies))
