"""What the routes work with: the server's parts, and who asks."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from ipaddress import ip_address
from typing import Annotated, Literal, ParamSpec, TypeVar, cast

from anyio import CapacityLimiter, to_thread
from fastapi import Depends, Query, Request
from sqlalchemy import Engine

from api.games.spots.tables import Tables
from api.http.probes import Probe
from api.i18n import LANGUAGES, negotiate_language
from api.server.errors import ServerError
from api.server.settings import Settings
from api.server.tokens import is_known_secret, is_matching_secret
from api.service.event_decisions import Deciding
from api.service.event_submissions import HandingIn
from api.service.job_queue import Jobs
from api.service.metrics import Gauges
from api.service.readings import Readings
from api.service.review_cache import Reviews
from api.store.enrolments import EnrolmentStore
from api.store.events import Event, EventStore
from api.store.readings import Stored

AT_ONCE, DRAWN_AT_ONCE, SCORED_AT_ONCE = 2, 1, 1
"""A photo of 64 megapixels takes about a gibibyte to draw on; a board that is scored takes the interpreter."""
MAX_WAITING_BOARDS = 32
"""A board of the most squares is scored in half a second: a client waits a quarter of a minute for all before it."""

log = logging.getLogger("wondertally")

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Server:
    """The parts of a running server."""

    settings: Settings
    engine: Engine
    jobs: Jobs
    readings: Readings
    gauges: Gauges
    enrolments: EnrolmentStore
    reviews: Reviews
    probes: Mapping[str, Probe]
    events: EventStore
    deciding: Deciding
    handing_in: HandingIn
    tables: Tables
    working: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(AT_ONCE))
    drawing: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(DRAWN_AT_ONCE))
    scoring: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(SCORED_AT_ONCE))

    async def stop(self, seconds: float) -> None:
        """Take no more photos, and settle what is held: read within so many seconds, or left to the next start."""
        waiting, working = self.jobs.counts
        log.info("stopping", extra={"waiting": waiting, "working": working, "seconds": seconds})
        await self.jobs.stop(seconds)
        await self.readings.settle()

    async def heavily(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Have something done beside the event loop that takes time: a few of these at once."""
        return await to_thread.run_sync(partial(work, *arguments, **named), limiter=self.working)

    async def scored(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Have a board scored beside the event loop, one after the other, and not before what `heavily` does.

        Raises ServerError `scoring_busy` where too many wait.
        """
        if self.scoring.statistics().tasks_waiting >= MAX_WAITING_BOARDS:
            raise ServerError("scoring_busy")
        return await to_thread.run_sync(partial(work, *arguments, **named), limiter=self.scoring)

    async def drawn(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Have something drawn on a photo, which takes memory: one after the other."""
        return await to_thread.run_sync(partial(work, *arguments, **named), limiter=self.drawing)


def get_server(request: Request) -> Server:
    """The server that answers."""
    return cast(Server, request.app.state.server)


def check_api_key(request: Request, server: Annotated[Server, Depends(get_server)]) -> None:
    """Where API keys are set, one of them is needed; raises ServerError `key_wanted`, `wrong_key`."""
    keys, given = server.settings.api_keys, request.headers.get("x-api-key")
    if not keys:
        return
    if given is None:
        raise ServerError("key_wanted")
    if not is_known_secret(given, keys):
        raise ServerError("wrong_key")


def check_enrol_permission(request: Request, server: Annotated[Server, Depends(get_server)]) -> None:
    """What is taught changes everybody's readings: with a key, or from this machine; raises ServerError."""
    check_api_key(request, server)
    if not server.settings.api_keys and not _is_local(request):
        raise ServerError("local_only")


def find_reading(reading_id: str, server: Annotated[Server, Depends(get_server)]) -> Stored:
    """The reading of an id; raises ServerError `not_found`."""
    return server.readings.store.get(reading_id)


def is_owner(request: Request, reading: Stored | Event) -> bool:
    """Whether the owner asks."""
    given = _bearer(request)
    return given is not None and is_matching_secret(given, reading.token_hash)


def find_owned_reading(request: Request, reading: Annotated[Stored, Depends(find_reading)]) -> Stored:
    """The reading of an id, for its owner alone; raises ServerError `not_found`, `token_wanted`, `not_yours`."""
    check_owner(request, reading)
    return reading


def check_owner(request: Request, reading: Stored | Event) -> None:
    """Raises ServerError `token_wanted`, `not_yours` for anybody but the owner."""
    if _bearer(request) is None:
        raise ServerError("token_wanted", headers={"WWW-Authenticate": "Bearer"})
    if not is_owner(request, reading):
        raise ServerError("not_yours")


def choose_language(
    request: Request,
    language: Annotated[Literal["en", "de", "ro"] | None, Query(description="Else as the browser prefers.")] = None,
) -> str:
    """The language that is asked for, or chosen on the page, or preferred by the browser."""
    chosen = language or request.cookies.get("language")
    return chosen if chosen in LANGUAGES else negotiate_language(request.headers.get("accept-language", ""))


def _bearer(request: Request) -> str | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def _is_local(request: Request) -> bool:
    """Whether this machine asks, and by a name of its own: pages that have theirs lead here do not."""
    return request.client is not None and all(map(_is_loopback, (request.client.host, request.url.hostname or "")))


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


Serving = Annotated[Server, Depends(get_server)]
Found = Annotated[Stored, Depends(find_reading)]
Owned = Annotated[Stored, Depends(find_owned_reading)]
Language = Annotated[str, Depends(choose_language)]
KEY = Depends(check_api_key)
TEACHER = Depends(check_enrol_permission)
