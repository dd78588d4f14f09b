"""Limits that hold before anything is parsed: bytes of a body, its time, and requests of one client."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from dataclasses import dataclass, field

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http.error_responses import build_error_response
from api.server.errors import ServerError
from api.server.settings import Settings

MAX_JSON_BYTES = 2 * 2**20
"""Corrections, boards and records are far smaller."""
_HAND_IN = re.compile(r"/v1/(readings|enrolments|wonders/[^/]+/photo|events/[^/]+/tables(/[^/]+/photos)?)")
DRAIN_TIMES = 2
"""How many times the limit is read and thrown away, so that a client that only sends hears why it is refused."""


def is_photo_upload(scope: Scope) -> bool:
    """Whether a request hands in photos."""
    return scope["method"] == "POST" and _HAND_IN.fullmatch(scope["path"]) is not None


class RefusedError(Exception):
    """Tells the parser that there is no more."""


@dataclass(slots=True)
class _Body:
    """One body as it comes in."""

    receive: Receive
    max_bytes: int
    seconds: float
    idle_seconds: float
    started: float = field(default_factory=time.monotonic)
    count: int = 0
    whole: bool = False
    refusal: ServerError | None = None

    async def read_message(self) -> Message:
        """Read the next message; raises RefusedError once it is too much or too slow."""
        if self.refusal:
            raise RefusedError
        if self.whole:
            return await self.receive()
        message = await self._receive_in_time()
        self.count += len(message.get("body", b""))
        self.whole = not message.get("more_body", False)
        if self.count > self.max_bytes:
            await self._drain()
            self.refusal = self.refusal or build_size_error(self.max_bytes)
            raise RefusedError
        return message

    async def _receive_in_time(self) -> Message:
        left = self.started + self.seconds - time.monotonic()
        try:
            return await asyncio.wait_for(self.receive(), max(0.0, min(left, self.idle_seconds)))
        except TimeoutError:
            self.refusal = ServerError("upload_too_slow", headers={"Connection": "close"})
            raise RefusedError from None

    async def _drain(self) -> None:
        while not self.whole and self.count <= DRAIN_TIMES * self.max_bytes:
            message = await self._receive_in_time()
            self.count += len(message.get("body", b""))
            self.whole = not message.get("more_body", False)


def build_size_error(max_bytes: int) -> ServerError:
    """Build the error of a body with more bytes than are taken."""
    text = f"More than {max_bytes / 2**20:.0f} MiB are not taken."
    return ServerError("body_too_large", text, {"max_bytes": max_bytes}, {"Connection": "close"})


class BodyLimit:
    """Middleware that counts a body's bytes as they come, and lets none stand still."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        upload = headers.get("content-type", "").startswith("multipart/form-data")
        max_bytes = self._settings.body_mib * 2**20 if upload else MAX_JSON_BYTES
        body = _Body(receive, max_bytes, self._settings.body_seconds, self._settings.idle_seconds)
        has_started = False

        async def send_unless_refused(message: Message) -> None:
            nonlocal has_started
            if has_started or body.refusal is None:
                has_started = True
                await send(message)

        with suppress(RefusedError):
            await self._app(scope, body.read_message, send_unless_refused)
        if body.refusal is not None and not has_started:
            await build_error_response(body.refusal)(scope, receive, send)


class RateLimit:
    """Middleware that counts each client's requests to the API, and those that send photos once more."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._requests = RateLimitItemPerMinute(settings.requests_per_minute)
        self._readings = RateLimitItemPerMinute(settings.readings_per_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/v1/"):
            request = Request(scope)
            client = request.client.host if request.client else ""
            for item, counts in ((self._requests, True), (self._readings, is_photo_upload(scope))):
                if counts and not self._limiter.hit(item, str(item.amount), client):
                    reset = self._limiter.get_window_stats(item, str(item.amount), client).reset_time
                    wait = str(max(1, round(reset - time.time())))
                    await build_error_response(ServerError("too_many_requests", headers={"Retry-After": wait}))(
                        scope, receive, send
                    )
                    return
        await self._app(scope, receive, send)
