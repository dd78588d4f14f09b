"""Limits that apply before anything is parsed: a body's size and duration, and a client's request rate."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http.errors import build_error_response
from api.server.clients import find_client_group
from api.server.errors import ServerError
from api.server.settings import Settings

MAX_JSON_BYTES = 2 * 2**20
"""Maximum size of a JSON body; corrections, boards and records are far smaller. Bounds memory."""
_HAND_IN = re.compile(
    r"/v1/(readings|enrolments|wonders/[^/]+/photo|boards/[^/]+/[^/]+/photo|tile-shapes/[^/]+/photo|events/[^/]+/tables(/[^/]+/photos)?|games/[^/]+/photos)"
)
_BOARD_FILE = re.compile(r"/v1/boards/[^/]+/file")
_GRACE_SECONDS, _MIN_BYTES_PER_SECOND = 20.0, 32 * 1024
"""Seconds granted to any body, and the minimum rate for a large one, a third of a slow mobile network. A guess."""
DRAIN_TIMES = 2
"""Multiple of the limit that is read and discarded, so that a client that only sends can read the refusal. A guess."""


def is_photo_upload(scope: Scope) -> bool:
    """Return whether a request uploads photos."""
    return scope["method"] == "POST" and _HAND_IN.fullmatch(scope["path"]) is not None


class RefusedError(Exception):
    """Stops the parser once a body is refused."""


@dataclass(slots=True)
class _Body:
    """A request body while it is received."""

    receive: Receive
    max_bytes: int
    seconds: float
    idle_seconds: float
    started: float = field(default_factory=time.monotonic)
    count: int = 0
    whole: bool = False
    refusal: ServerError | None = None
    on_end: Callable[[], None] | None = None

    async def read_message(self) -> Message:
        """Read the next message; raises RefusedError once the body is too large or too slow."""
        if self.refusal:
            raise RefusedError
        if self.whole:
            return await self.receive()
        message = await self._receive_in_time()
        self.count += len(message.get("body", b""))
        self._note_end(message)
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
            self._note_end(message)

    def _note_end(self, message: Message) -> None:
        self.whole = not message.get("more_body", False)
        if self.whole:
            self.end()

    def end(self) -> None:
        """Call `on_end` once, when the body is complete or abandoned."""
        on_end, self.on_end = self.on_end, None
        if on_end is not None:
            on_end()


def build_size_error(max_bytes: int) -> ServerError:
    """Build the error for a body above the size limit."""
    text = f"At most {max_bytes / 2**20:.0f} MiB are accepted."
    return ServerError("body_too_large", text, {"max_bytes": max_bytes}, {"Connection": "close"})


def build_crowd_error() -> ServerError:
    """Build the error for a client with too many uploads or connections open."""
    return ServerError("too_many_requests", headers={"Retry-After": "5", "Connection": "close"})


def compute_patience_seconds(headers: Headers, max_bytes: int) -> float:
    """Compute the seconds allowed for a body by its length; without a length the maximum size is assumed."""
    length = headers.get("content-length", "")
    count = min(int(length), max_bytes) if length.isascii() and length.isdecimal() else max_bytes
    return _GRACE_SECONDS + count / _MIN_BYTES_PER_SECOND


class BodyLimit:
    """Middleware that limits a body's size and pauses, and the number of bodies that one client sends at once."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings
        self._coming = Counter[str]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        is_board_file = scope["method"] == "PUT" and _BOARD_FILE.fullmatch(scope["path"]) is not None
        upload = is_board_file or headers.get("content-type", "").startswith("multipart/form-data")
        max_bytes = self._settings.body_mib * 2**20 if upload else MAX_JSON_BYTES
        seconds = min(self._settings.body_seconds, compute_patience_seconds(headers, max_bytes))
        body = _Body(receive, max_bytes, seconds, self._settings.idle_seconds)
        has_started = False

        async def send_unless_refused(message: Message) -> None:
            nonlocal has_started
            if has_started or body.refusal is None:
                has_started = True
                await send(message)

        with self._count(scope, headers, body):
            if body.refusal is None:
                with suppress(RefusedError):
                    await self._app(scope, body.read_message, send_unless_refused)
        if body.refusal is not None and not has_started:
            await build_error_response(body.refusal)(scope, receive, send)

    @contextmanager
    def _count(self, scope: Scope, headers: Headers, body: _Body) -> Iterator[None]:
        """Count an incoming body for its client, or refuse it if the client has too many."""
        client = find_scope_client(scope)
        if "transfer-encoding" not in headers and headers.get("content-length", "0") == "0":
            yield
        elif self._coming[client] >= self._settings.uploads_per_client:
            body.refusal = build_crowd_error()
            yield
        else:
            self._coming[client] += 1
            body.on_end = partial(self._leave, client)
            try:
                yield
            finally:
                body.end()

    def _leave(self, client: str) -> None:
        self._coming[client] -= 1
        if not self._coming[client]:
            del self._coming[client]


def find_scope_client(scope: Scope) -> str:
    """Return the key by which a request's client is counted."""
    return find_client_group(scope["client"][0]) if scope.get("client") else ""


class RateLimit:
    """Middleware that limits each client's API requests, and its photo uploads separately."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._requests = RateLimitItemPerMinute(settings.requests_per_minute)
        self._readings = RateLimitItemPerMinute(settings.readings_per_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/v1/"):
            client = find_scope_client(scope)
            for item, counts in ((self._requests, True), (self._readings, is_photo_upload(scope))):
                if counts and not self._limiter.hit(item, str(item.amount), client):
                    reset = self._limiter.get_window_stats(item, str(item.amount), client).reset_time
                    wait = str(max(1, round(reset - time.time())))
                    await build_error_response(ServerError("too_many_requests", headers={"Retry-After": wait}))(
                        scope, receive, send
                    )
                    return
        await self._app(scope, receive, send)
