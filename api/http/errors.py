"""Errors over HTTP: one JSON shape with a status each, and the documented codes of each route.

`raises` declares the codes of a route or of its dependencies, beside the code that raises them. Codes that any request
of a kind may get are added by the request's method, path and parameters.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from fastapi import FastAPI, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import ValidationError
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from starlette.exceptions import HTTPException
from structlog.contextvars import bind_contextvars

from api.errors import build_error_document
from api.i18n.report_text import translate_error
from api.server.errors import ServerError, find_http_status
from api.store.unavailable import find_passing_error, is_database_damaged
from vision.errors import PhotoError, WondertallyError

_CODES_BY_STATUS = {
    400: "bad_request",
    401: "token_wanted",
    403: "not_yours",
    404: "not_found",
    405: "method_not_allowed",
    413: "body_too_large",
    415: "wrong_content_type",
    422: "bad_field",
    429: "too_many_requests",
    503: "not_ready",
}

log = logging.getLogger("wondertally")
F = TypeVar("F", bound=Callable[..., Any])

_ATTRIBUTE = "documented_error_codes"
_HARMLESS = ("GET", "HEAD")
EVERYWHERE = ("internal_error", "not_ready", "unknown_host")
"""Codes for any request to an existing address and method."""
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


def build_error_response(error: WondertallyError) -> JSONResponse:
    """Build the response for an error; its code is added to the request's log line."""
    bind_contextvars(code=error.code)
    headers = error.headers if isinstance(error, ServerError) else {}
    return JSONResponse(build_error_document(error), find_http_status(error), headers)


def install_error_handlers(app: FastAPI) -> None:
    """Install handlers that give all errors the one shape; bugs in the program are left to `middleware.Faults`."""

    @app.exception_handler(WondertallyError)
    async def handle_known(request: Request, error: WondertallyError) -> JSONResponse:
        return build_error_response(error)

    @app.exception_handler(DBAPIError)
    @app.exception_handler(PoolTimeoutError)
    @app.exception_handler(OSError)
    async def handle_passing(request: Request, error: Exception) -> JSONResponse:
        if is_database_damaged(error):
            log.error("database_damaged", exc_info=error)
            return build_error_response(ServerError("database_damaged"))
        if (passing := find_passing_error(error)) is None:
            raise error
        return build_error_response(passing)

    @app.exception_handler(RequestValidationError)
    async def handle_validation(request: Request, error: RequestValidationError) -> JSONResponse:
        if request.method in ("POST", "PATCH") and not _is_json(request):
            return build_error_response(ServerError("wrong_content_type", "Send the body as application/json."))
        broken = any(field_error["type"] == "json_invalid" for field_error in error.errors())
        details = {"fields": [describe_field_error(field_error) for field_error in error.errors()[:20]]}
        return build_error_response(ServerError("bad_request" if broken else "bad_field", details=details))

    @app.exception_handler(HTTPException)
    async def handle_http(request: Request, error: HTTPException) -> JSONResponse:
        code = _CODES_BY_STATUS.get(error.status_code, "bad_request" if error.status_code < 500 else "internal_error")
        details = {} if error.detail in (None, "") or error.status_code in (404, 405) else {"reason": error.detail}
        return build_error_response(ServerError(code, details=details, headers=_allow_head(error.headers)))


def _allow_head(headers: Mapping[str, str] | None) -> Mapping[str, str]:
    """Add HEAD to the allowed methods if GET is among them."""
    allowed = (headers or {}).get("Allow", "").split(", ")
    return {**(headers or {}), "Allow": ", ".join([*allowed, "HEAD"])} if "GET" in allowed else headers or {}


def build_validation_error(error: ValidationError) -> ServerError:
    """Build the error for fields that the framework does not validate."""
    details = {"fields": [describe_field_error(field_error) for field_error in error.errors(include_input=False)[:20]]}
    return ServerError("bad_field", details=details)


def _is_json(request: Request) -> bool:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"


def describe_field_error(error: Mapping[str, Any]) -> dict[str, str]:
    """Describe the place and the reason of an invalid field; its value is not repeated."""
    return {"field": ".".join(str(part) for part in error["loc"]), "reason": str(error["msg"])}


def raises(*codes: str | type[WondertallyError]) -> Callable[[F], F]:
    """Declare the codes that a route or a dependency raises; a class stands for all its codes."""

    names = [name for code in codes for name in ([code] if isinstance(code, str) else code.list_codes())]

    def name_codes(function: F) -> F:
        setattr(function, _ATTRIBUTE, (*getattr(function, _ATTRIBUTE, ()), *names))
        return function

    return name_codes


def answers_with(content_type: str, description: str) -> dict[str, Any]:
    """Return the arguments of a route that answers with something else than JSON."""
    return {
        "response_class": Response,
        "responses": {200: {"content": {content_type: {}}, "description": description}},
    }


def list_error_codes(dependant: Dependant, method: str, path: str, takes_body: bool) -> list[str]:
    """List the distinct codes that a route may answer, sorted by status and name."""
    codes = {*EVERYWHERE, *_gather_codes(dependant)}
    if path.startswith("/v1/"):
        codes |= {"too_many_requests"}
    if method not in _HARMLESS:
        codes |= {"cross_site"}
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


def _gather_codes(dependant: Dependant) -> Iterator[str]:
    yield from getattr(dependant.call, _ATTRIBUTE, ())
    for needed in dependant.dependencies:
        yield from _gather_codes(needed)


def _has_parameters(dependant: Dependant) -> bool:
    """Return whether a request has query or header parameters, which the framework validates."""
    named = bool(dependant.query_params or dependant.header_params)
    return named or any(map(_has_parameters, dependant.dependencies))
