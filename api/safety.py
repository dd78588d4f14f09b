"""What every answer carries, and what every request must not be: headers, request ids, other sites, faults."""

from __future__ import annotations

import logging
import secrets
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.answers import answer
from api.gauges import Gauges
from api.limits import RefusedError
from api.server_errors import ServerError

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
_HARMLESS = ("GET", "HEAD", "OPTIONS")

log = logging.getLogger("wondertally")


class Wrapping:
    """The outermost middleware: an id for each request, headers on each answer, and a count of them."""

    def __init__(self, app: ASGIApp, gauges: Gauges) -> None:
        self._app, self._gauges = app, gauges

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["request_id"] = secrets.token_hex(8)

        async def send_wrapped(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["X-Request-ID"] = scope["request_id"]
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/v1/"):
                    headers.setdefault("Cache-Control", "no-store")
                route = getattr(scope.get("route"), "path", "other")
                self._gauges.requests.labels(scope["method"], route, str(message["status"])).inc()
            await send(message)

        await self._app(scope, receive, send_wrapped)


class SameSite:
    """Middleware that refuses changes which a page of another site asks a browser for."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] not in _HARMLESS and _is_foreign(Headers(scope=scope)):
            await answer(ServerError("cross_site"))(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _is_foreign(headers: Headers) -> bool:
    if (site := headers.get("sec-fetch-site")) is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host")


class Faults:
    """The innermost middleware: a fault of the program becomes an answer in the one shape, and a line in the log."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def send_noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, send_noted)
        except Exception as error:
            if scope["type"] != "http" or begun or isinstance(error, RefusedError):
                raise
            log.exception("request %s failed", scope.get("request_id"))
            fault = ServerError("internal_error", details={"request": scope.get("request_id")})
            await answer(fault)(scope, receive, send)
