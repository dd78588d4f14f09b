"""Middleware for all requests: headers, request ids, known hosts, same-site checks and faults."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

from api.http.errors import build_error_response
from api.http.limits import RefusedError, find_scope_client, is_photo_upload
from api.server.clients import asking_client, is_known_host
from api.server.errors import ServerError
from api.server.logs import find_client_network
from api.server.settings import PREFIX
from api.server.tokens import is_id
from api.service.job_queue import ReturnedError
from api.service.metrics import Gauges

CONTENT_SECURITY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
"""Methods that are counted separately, since a client may send any method."""
PROBED = ("/healthz", "/readyz", "/metrics")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_HARMLESS = ("GET", "HEAD", "OPTIONS")

log = logging.getLogger("wondertally")


class Wrapping:
    """The outermost middleware: it gives each request an id, headers, a log line, and counts it."""

    def __init__(self, app: ASGIApp, gauges: Gauges) -> None:
        self._app, self._gauges = app, gauges

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status, is_noted = time.perf_counter(), 0, False
        method = scope["method"] if scope["method"] in _METHODS else "other"
        scope["request_id"] = _choose_request_id(Headers(scope=scope))
        clear_contextvars()
        bind_contextvars(request=scope["request_id"])
        asking_client.set(find_scope_client(scope))

        def note() -> None:
            nonlocal is_noted
            if not is_noted:
                is_noted = True
                self._note(scope, method, status, time.perf_counter() - started)

        async def send_wrapped(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _put_headers(MutableHeaders(scope=message), scope)
            elif message["type"] == "http.response.body" and not message.get("more_body"):
                note()  # whoever has the answer finds it in the log
            await send(message)

        try:
            await self._app(scope, receive, send_wrapped)
        finally:
            note()

    def _note(self, scope: Scope, method: str, status: int, seconds: float) -> None:
        """Count and log an answered request; its status is 0 if the client has gone."""
        path = getattr(scope.get("route"), "path", "other")
        reading = scope.get("path_params", {}).get("reading_id", "")
        if is_id(reading):
            bind_contextvars(reading=reading)
        self._gauges.requests.labels(method, path, str(status)).inc()
        context = get_contextvars()
        if status >= 400 and is_photo_upload(scope) and "reading" not in context:
            self._gauges.refused.labels(context.get("code", "")).inc()
        client = find_client_network(scope["client"][0]) if scope.get("client") else ""
        about = {"method": method, "path": path, "status": status, "seconds": round(seconds, 4), "client": client}
        log.log(_choose_level(path, status), "request", extra=about)


def _choose_request_id(headers: Headers) -> str:
    """Return the request's id from its proxy or client if that is valid, else a new one."""
    request_id = headers.get("x-request-id", "")
    return request_id if _REQUEST_ID.fullmatch(request_id) else secrets.token_hex(8)


def _put_headers(headers: MutableHeaders, scope: Scope) -> None:
    headers["X-Request-ID"] = scope["request_id"]
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    if scope["path"].startswith("/v1/"):
        headers.setdefault("Cache-Control", "no-store")


def _choose_level(path: str, status: int) -> int:
    """Choose the log level: faults stand out, and frequent probes are logged only on request."""
    if status >= 500:
        return logging.WARNING
    return logging.DEBUG if path in PROBED else logging.INFO


class KnownHosts:
    """Middleware that answers only requests for known hosts, since another site may point its own name here.

    Known are this machine's own names, `names`, `bound` (the hosts it listens on), and the address that was reached.
    """

    def __init__(self, app: ASGIApp, names: Collection[str], bound: Collection[str]) -> None:
        self._app, self._names, self._bound = app, names, bound

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            host = Headers(scope=scope).get("host", "")
            reached = scope.get("server") or ()
            if not is_known_host(host, self._names, {*self._bound, *map(str, reached[:1])}):
                details = {"host": host, "setting": f"{PREFIX}HOSTS"}
                await build_error_response(ServerError("unknown_host", details=details))(scope, receive, send)
                return
        await self._app(scope, receive, send)


class SameSite:
    """Middleware that refuses changes requested by a page of another site."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] not in _HARMLESS and _is_foreign(Headers(scope=scope)):
            await build_error_response(ServerError("cross_site"))(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _is_foreign(headers: Headers) -> bool:
    if (site := headers.get("sec-fetch-site")) is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host")


class Faults:
    """The innermost middleware: a bug in the program becomes an error response and a line in the log.

    A request interrupted by the server's end is answered too, which uvicorn would report as a bug. A client that
    disconnects while sending gets no answer.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_started = False

        async def send_noted(message: Message) -> None:
            nonlocal has_started
            has_started = True
            await send(message)

        try:
            await self._app(scope, receive, send_noted)
        except ClientDisconnect:
            log.info("client_gone", extra={"request": scope.get("request_id")})
        except asyncio.CancelledError:
            if scope["type"] != "http" or has_started:
                raise
            await build_error_response(ReturnedError())(scope, receive, send)
        except Exception as error:
            if scope["type"] != "http" or has_started or isinstance(error, RefusedError):
                raise
            log.exception("fault", extra={"request": scope.get("request_id")})
            fault = ServerError("internal_error", details={"request": scope.get("request_id")})
            await build_error_response(fault)(scope, receive, send)


class HeadAsGet:
    """Middleware that answers HEAD wherever GET is answered: with the same headers and no body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def send_without_body(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        scope["method"] = "GET"  # in the scope itself, where the router stores the route for the log
        try:
            await self._app(scope, receive, send_without_body)
        finally:
            scope["method"] = "HEAD"
