"""Dependencies of the routes: the server's parts, and the caller."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, ParamSpec, TypeVar, cast

from anyio import CapacityLimiter, fail_after, to_thread
from fastapi import Depends, Query, Request
from sqlalchemy import Engine

from api.enrolment.board_showing import BoardShowing
from api.enrolment.tile_shapes import ShapeDrawing
from api.http.documented_errors import STORAGE, raises
from api.http.probes import Probe
from api.i18n import negotiate_language
from api.languages import LANGUAGES, LanguageCode
from api.server.clients import Network, is_in_networks, is_loopback, is_of_other_user
from api.server.errors import ServerError
from api.server.settings import Settings
from api.server.tokens import is_known_secret, is_matching_secret
from api.service.event_decisions import EventDecisions
from api.service.event_submissions import EventSubmissions
from api.service.job_queue import Jobs
from api.service.metrics import Gauges
from api.service.openers import Openers
from api.service.readings import Readings
from api.service.review_cache import Reviews
from api.service.wonder_prints import WonderPrints
from api.spots.tables import Tables
from api.store.enrolments import EnrolmentStore
from api.store.events import Event, EventStore
from api.store.readings import StoredReading
from vision.enrolment.wonders import TaughtWonders

MAX_WORKING, MAX_DRAWING, MAX_SCORING = 2, 1, 1
"""Concurrent jobs of each kind: drawing on a photo of 64 megapixels takes about 1 GiB, and scoring a board holds the
interpreter lock. Bounds memory.
"""
MAX_WAITING_BOARDS = 32
"""Boards that may wait: the largest is scored in half a second, so a client waits at most 16 seconds. Bounds time."""
SCORING_PATIENCE_SECONDS = 20.0
"""Seconds a board waits for those before it, after which an overloaded machine refuses it. A guess."""

_FORWARDING = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
"""Headers added by proxies."""

log = logging.getLogger("wondertally")

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Server:
    """Parts of a running server."""

    settings: Settings
    engine: Engine
    jobs: Jobs
    openers: Openers
    readings: Readings
    gauges: Gauges
    enrolments: EnrolmentStore
    reviews: Reviews
    probes: Mapping[str, Probe]
    events: EventStore
    decisions: EventDecisions
    submissions: EventSubmissions
    tables: Tables
    taught_wonders: TaughtWonders
    wonder_prints: WonderPrints
    board_showing: BoardShowing
    shape_drawing: ShapeDrawing
    working: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(MAX_WORKING))
    drawing: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(MAX_DRAWING))
    scoring: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(MAX_SCORING))
    scoring_threads: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(MAX_SCORING))
    scoring_patience_seconds: float = SCORING_PATIENCE_SECONDS

    async def stop(self, seconds: float) -> None:
        """Accept no more photos, and settle the present ones: they are read within these seconds, or left to the next
        start.
        """
        waiting, working = self.jobs.counts
        log.info("stopping", extra={"waiting": waiting, "working": working, "seconds": seconds})
        self.openers.stop()
        await self.jobs.stop(seconds)
        await self.readings.settle()

    async def run_heavy(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Run slow work in a thread; a few run at once."""
        return await to_thread.run_sync(partial(work, *arguments, **named), limiter=self.working)

    async def run_scoring(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Score a board in a thread, one at a time, independently of `run_heavy`.

        Raises ServerError `scoring_busy` if too many boards wait, or those before it take too long.
        """
        if self.scoring.statistics().tasks_waiting >= MAX_WAITING_BOARDS:
            raise ServerError("scoring_busy")
        board = object()
        try:
            with fail_after(self.scoring_patience_seconds):
                await self.scoring.acquire_on_behalf_of(board)
        except TimeoutError as error:
            raise ServerError("scoring_busy") from error
        try:
            return await to_thread.run_sync(partial(work, *arguments, **named), limiter=self.scoring_threads)
        finally:
            self.scoring.release_on_behalf_of(board)

    async def run_drawing(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Draw on a photo in a thread, one at a time, since it needs much memory."""
        return await to_thread.run_sync(partial(work, *arguments, **named), limiter=self.drawing)


def get_server(request: Request) -> Server:
    """Return the server of a request."""
    return cast(Server, request.app.state.server)


@raises("key_wanted", "wrong_key")
def check_api_key(request: Request, server: Annotated[Server, Depends(get_server)]) -> None:
    """Check that a request has an API key if any are set; raises ServerError `key_wanted`, `wrong_key`."""
    keys, key = server.settings.api_keys, request.headers.get("x-api-key")
    if not keys:
        return
    if key is None:
        raise ServerError("key_wanted")
    if not is_known_secret(key, keys):
        raise ServerError("wrong_key")


@raises("key_wanted", "wrong_key", "local_only")
def check_enrol_permission(request: Request, server: Annotated[Server, Depends(get_server)]) -> None:
    """Check that the caller may enrol, by a key or from this machine, since it changes the readings of all users."""
    check_api_key(request, server)
    if not server.settings.api_keys and not _is_local(request, server.settings.proxies):
        raise ServerError("local_only")


def find_enrol_refusal(request: Request, server: Server) -> str | None:
    """Return the error code the caller would get for enrolling, None if allowed."""
    try:
        check_enrol_permission(request, server)
    except ServerError as error:
        return error.code
    return None


@raises("not_found", *STORAGE)
def find_reading(reading_id: str, server: Annotated[Server, Depends(get_server)]) -> StoredReading:
    """Find the reading of an id; raises ServerError `not_found`."""
    return server.readings.store.get(reading_id)


def is_owner(request: Request, reading: StoredReading | Event) -> bool:
    """Return whether the caller is the owner."""
    token = read_bearer_token(request)
    return token is not None and is_matching_secret(token, reading.token_hash)


@raises("token_wanted", "not_yours")
def find_owned_reading(request: Request, reading: Annotated[StoredReading, Depends(find_reading)]) -> StoredReading:
    """Find the reading of an id for its owner; raises ServerError `not_found`, `token_wanted`, `not_yours`."""
    check_owner(request, reading)
    return reading


def check_owner(request: Request, reading: StoredReading | Event) -> None:
    """Raise ServerError `token_wanted`, `not_yours` for any caller but the owner."""
    if read_bearer_token(request) is None:
        raise ServerError("token_wanted", headers={"WWW-Authenticate": "Bearer"})
    if not is_owner(request, reading):
        raise ServerError("not_yours")


def choose_language(
    request: Request,
    language: Annotated[LanguageCode | None, Query(description="Else as the browser prefers.")] = None,
) -> str:
    """Return the language that the request names, else the one chosen on the page, else the browser's."""
    chosen = (language and language.value) or request.cookies.get("language")
    return chosen if chosen in LANGUAGES else negotiate_language(request.headers.get("accept-language", ""))


def read_bearer_token(request: Request) -> str | None:
    """Return a request's bearer token, None without one."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def _is_local(request: Request, proxies: Iterable[Network]) -> bool:
    """Return whether the request comes from a program of the server's own user, under a name of this machine.

    Pages whose name resolves to this machine do not qualify, nor requests through a proxy on it, with or without
    headers.
    """
    client, server = request.client, request.scope.get("server")
    if client is None or server is None or not is_loopback(client.host) or not is_loopback(request.url.hostname or ""):
        return False
    if any(name in request.headers for name in _FORWARDING) or is_in_networks(client.host, proxies):
        return False
    return not is_of_other_user((client.host, client.port), (server[0], server[1]))


Serving = Annotated[Server, Depends(get_server)]
ReadingById = Annotated[StoredReading, Depends(find_reading)]
OwnedReading = Annotated[StoredReading, Depends(find_owned_reading)]
ChosenLanguage = Annotated[str, Depends(choose_language)]
KEY = Depends(check_api_key)
TEACHER = Depends(check_enrol_permission)
