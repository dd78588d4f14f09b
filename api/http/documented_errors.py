"""Which errors an address answers: named beside what raises them, and gathered for the document of the API.

`raises` names the codes of a route or of what it depends on; those that any request may have are added by its form: by
its method, and by what it takes.
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
"""What any request may be answered whose address and method there are."""
LIMITED = ("too_many_requests",)
"""What any request under /v1 may be answered."""
FOREIGN = ("cross_site",)
"""What any request that changes something may be answered."""
BODY = ("bad_request", "bad_field", "body_too_large", "upload_too_slow", "wrong_content_type")
"""What any request with a body may be answered."""
STORAGE = ("storage_away", "storage_full", "storage_read_only", "database_damaged")
"""What a request may be answered that needs the database or the photos."""
PHOTO = tuple(code for code in PhotoError.texts if code not in ("photo_not_found", "photo_unreadable"))
"""What is wrong with a photo that is sent; files that are not there are the command line's."""
MODELS = ("models_missing", "models_damaged")
"""What a request may be answered that needs the nets or the fitted numbers."""
JOB = ("not_ready", "queue_full", "reading_stopped", "reading_crashed", "interrupted", *MODELS)
"""What a request may be answered whose photo is read."""


def raises(*codes: str | type[WondertallyError]) -> Callable[[F], F]:
    """Name the codes that a route, or what it depends on, raises; a class stands for all codes that it lists."""

    def name_codes(function: F) -> F:
        setattr(function, _ATTRIBUTE, (*getattr(function, _ATTRIBUTE, ()), *_flatten_codes(codes)))
        return function

    return name_codes


def list_error_codes(dependant: Dependant, method: str, path: str, takes_body: bool) -> list[str]:
    """List the codes that a route may answer, each once, sorted by status and name."""
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
    """The HTTP status that an error of a code is answered with."""
    kind = ServerError if code in ServerError.statuses else WondertallyError
    return find_http_status(kind(code))


def build_error_responses(codes: Iterable[str]) -> dict[str, Any]:
    """Build what OpenAPI says of the errors of an address: a response for each status, its codes with their meaning."""
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
    """Whether a request names anything that its framework checks: in the query or a header."""
    named = bool(dependant.query_params or dependant.header_params)
    return named or any(map(_has_parameters, dependant.dependencies))
