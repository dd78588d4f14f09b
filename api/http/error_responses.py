"""Errors over HTTP: each has a status, and all share one JSON shape."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import ValidationError
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from starlette.exceptions import HTTPException
from structlog.contextvars import bind_contextvars

from api.errors import build_error_document
from api.server.errors import ServerError
from api.server.statuses import find_http_status
from api.store.unavailable import find_passing_error, is_database_damaged
from vision.errors import WondertallyError

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


def build_error_response(error: WondertallyError) -> JSONResponse:
    """Build the response for an error; its code is added to the request's log line."""
    bind_contextvars(code=error.code)
    headers = error.headers if isinstance(error, ServerError) else {}
    return JSONResponse(build_error_document(error), find_http_status(error), headers)


def install_error_handlers(app: FastAPI) -> None:
    """Install handlers that give all errors the one shape; bugs in the program are left to `safety.Faults`."""

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
