"""Dependencies of the routes: the server's parts, and the caller."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from threading import Thread
from typing import Annotated, ParamSpec, TypeVar, cast
from urllib.parse import unquote_to_bytes

from anyio import CapacityLimiter, fail_after, to_thread
from fastapi import Depends, Header, Query, Request
from sqlalchemy import Engine

from api.documents.forms import AnyReport, parse_report_json
from api.documents.report import Report
from api.enrolment.board_showing import BoardShowing
from api.enrolment.tile_shapes import ShapeDrawing
from api.games.registry import find_game_of
from api.http.errors import STORAGE, raises
from api.i18n import negotiate_language
from api.languages import LANGUAGES, LanguageCode
from api.server.clients import Network, is_in_networks, is_loopback, is_of_other_user
from api.server.errors import ServerError
from api.server.lan import LanSite, PairedDevices
from api.server.settings import Settings
from api.server.tokens import is_known_secret, is_matching_secret
from api.service.enrolment import WonderPrints
from api.service.event_decisions import EventDecisions
from api.service.event_submissions import EventSubmissions
from api.service.games import Games
from api.service.job_queue import Jobs
from api.service.metrics import Gauges
from api.service.openers import Openers
from api.service.readings import Readings
from api.service.reviews import Reviews
from api.spots.tables import Tables
from api.store.enrolments import EnrolmentStore
from api.store.events import Event, EventStore
from api.store.games import StoredGame
from api.store.readings import StoredReading
from api.store.rosters import RosterStore
from vision.enrolment.wonders import EnrolledWonders

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
PROBE_SECONDS = 5.0
"""Seconds a probe may take: a lost network folder may block forever. A guess."""
HEADER = "X-Wondertally-Who"
MAX_WHO_CHARACTERS = 80
"""Maximum length of the name. A guess."""

_ENCODED = re.compile(r"(?:[ -$&-~]|%[0-9A-Fa-f]{2})*")


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
    rosters: RosterStore
    decisions: EventDecisions
    submissions: EventSubmissions
    tables: Tables
    enrolled_wonders: EnrolledWonders
    wonder_prints: WonderPrints
    board_showing: BoardShowing
    shape_drawing: ShapeDrawing
    paired: PairedDevices
    games: Games
    site: LanSite | None = None
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
    if not keys or server.paired.knows(key):
        return
    if key is None:
        raise ServerError("key_wanted")
    if not is_known_secret(key, keys):
        raise ServerError("wrong_key")


@raises("key_wanted", "wrong_key", "local_only")
def check_enrol_permission(request: Request, server: Annotated[Server, Depends(get_server)]) -> None:
    """Check that the caller may enrol, by a key or from this machine, since it changes the readings of all users."""
    check_api_key(request, server)
    if not (server.settings.api_keys or is_paired(request) or is_local_request(request, server.settings.proxies)):
        raise ServerError("local_only")


def is_paired(request: Request) -> bool:
    """Return whether the request comes from a paired device."""
    return get_server(request).paired.knows(request.headers.get("x-api-key"))


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


def load_report(reading: StoredReading) -> AnyReport:
    """Load the report of a reading with its corrections; raises ServerError `not_read_yet`."""
    return parse_report_json(reading.get_report_json())


def load_tile_report(reading: StoredReading) -> Report:
    """Load such a report of a game of tiles; raises ServerError `not_read_yet`, InputError `other_game`."""
    report = load_report(reading)
    return find_game_of(report).require_tiles(report)


def is_owner(request: Request, reading: StoredReading | Event | StoredGame) -> bool:
    """Return whether the caller is the owner."""
    token = read_bearer_token(request)
    return token is not None and is_matching_secret(token, reading.token_hash)


def may_review(request: Request, reading: StoredReading | StoredGame) -> bool:
    """Return whether the caller may correct a reading or a game that its owner shares with nobody."""
    return is_owner(request, reading) or is_paired(request)


@raises("token_wanted", "not_yours")
def find_owned_reading(request: Request, reading: Annotated[StoredReading, Depends(find_reading)]) -> StoredReading:
    """Find the reading of an id for its owner; raises ServerError `not_found`, `token_wanted`, `not_yours`."""
    check_owner(request, reading)
    return reading


def check_owner(request: Request, reading: StoredReading | Event | StoredGame) -> None:
    """Raise ServerError `token_wanted`, `not_yours` for any caller but the owner."""
    if read_bearer_token(request) is None:
        raise ServerError("token_wanted", headers={"WWW-Authenticate": "Bearer"})
    if not is_owner(request, reading):
        raise ServerError("not_yours")


def choose_language(
    request: Request,
    language: Annotated[
        LanguageCode | None, Query(description="By default the language that the browser prefers.")
    ] = None,
) -> str:
    """Return the language that the request names, else the one chosen on the page, else the browser's."""
    chosen = (language and language.value) or request.cookies.get("language")
    return chosen if chosen in LANGUAGES else negotiate_language(request.headers.get("accept-language", ""))


def read_bearer_token(request: Request) -> str | None:
    """Return a request's bearer token, None without one."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def is_local_request(request: Request, proxies: Iterable[Network]) -> bool:
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
MAY_ENROL = Depends(check_enrol_permission)


class Probe:
    """A trial that raises if something is wrong."""

    def __init__(self, trial: Callable[[], None]) -> None:
        self._trial = trial
        self._going: Future[None] | None = None

    async def try_once(self) -> Exception | None:
        """Try once, or await the trial in progress; return the error it raises, TimeoutError if it takes too long."""
        if self._going is None or self._going.done():
            self._going = Future()
            # Not a thread of a pool: one that hangs would keep the program from exiting.
            Thread(target=self._run, args=(self._going,), daemon=True).start()
        try:
            await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(self._going)), PROBE_SECONDS)
        except Exception as error:
            return error
        return None

    def _run(self, going: Future[None]) -> None:
        try:
            self._trial()
        except Exception as error:
            going.set_exception(error)
        else:
            going.set_result(None)


def decode_who_header(written: str) -> str:
    """Decode the name in a header's value, percent-encoded UTF-8, and strip spaces.

    Raises ServerError `bad_field` for a name that is not percent-encoded UTF-8, longer than MAX_WHO_CHARACTERS, or not
    printable.
    """
    if not _ENCODED.fullmatch(written):
        raise _build_header_error("it must be percent-encoded UTF-8")
    try:
        who = unquote_to_bytes(written).decode("utf-8").strip(" ")
    except UnicodeDecodeError as error:
        raise _build_header_error("it must be percent-encoded UTF-8") from error
    if len(who) > MAX_WHO_CHARACTERS:
        raise _build_header_error(f"at most {MAX_WHO_CHARACTERS} characters are accepted")
    if not who.isprintable():
        raise _build_header_error("a character in it cannot be displayed")
    return who


@raises("bad_field")
def read_who_header(
    header: Annotated[
        str,
        Header(
            alias=HEADER,
            description=f"The name of the person, for the history: up to {MAX_WHO_CHARACTERS} characters, "
            "as percent-encoded UTF-8. It is not verified",
            examples=["J%C3%BCrgen"],
        ),
    ] = "",
) -> str:
    """Read the name of the person who asks for a change; empty without the header. Raises ServerError `bad_field`."""
    return decode_who_header(header)


Who = Annotated[str, Depends(read_who_header)]


def _build_header_error(reason: str) -> ServerError:
    return ServerError("bad_field", details={"fields": [{"field": f"header.{HEADER.lower()}", "reason": reason}]})
