"""The app, assembled from its parts, which are opened and closed with it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from fastapi import FastAPI

from api.enrolment.board_showing import BoardShowing
from api.enrolment.tile_shapes import ShapeDrawing
from api.http.dependencies import Probe, Server
from api.http.errors import install_error_handlers
from api.http.limits import BodyLimit, RateLimit
from api.http.middleware import Faults, HeadAsGet, KnownHosts, SameSite, Wrapping
from api.http.openapi import add_docs_page, get_operation_id, install_openapi
from api.http.routes import (
    boards,
    catalogue,
    corrections,
    enrolments,
    event_tables,
    events,
    exports,
    games,
    health,
    phones,
    reading_enrolments,
    readings,
    scores,
    tile_shapes,
    wonders,
)
from api.page.site import add_page
from api.schemas.readings import ErrorDocument
from api.server.clients import is_loopback
from api.server.errors import ServingError
from api.server.lan import LanSite, PairedDevices
from api.server.logs import Lines
from api.server.settings import PREFIX, Settings
from api.service.enrolment import WonderPrints
from api.service.event_decisions import EventDecisions
from api.service.event_submissions import EventSubmissions
from api.service.games import Games
from api.service.job_queue import Jobs
from api.service.metrics import Gauges
from api.service.openers import Openers
from api.service.readings import Readings
from api.service.reviews import Reviews
from api.service.worker import EnrolmentPlaces
from api.spots.tables import Tables
from api.store.database import open_database, probe_database
from api.store.enrolments import EnrolmentStore
from api.store.event_additions import SubmissionStore
from api.store.events import EventStore
from api.store.games import GameStore
from api.store.photos import PhotoStore
from api.store.privacy import close_to_others
from api.store.readings import ReadingStore
from api.store.rosters import RosterStore
from api.store.unavailable import check_writable
from vision.enrolment.games import GameEnrolments
from vision.enrolment.wonders import EnrolledWonders
from vision.showing.board_drafts import BoardDrafts, ShapeDrafts

ROUTES = (
    readings,
    corrections,
    exports,
    events,
    event_tables,
    games,
    scores,
    enrolments,
    wonders,
    tile_shapes,
    boards,
    reading_enrolments,
    catalogue,
    health,
    phones,
)
ABOUT = "Photograph the finished table; get every player's final score, every point explained."
_ERRORS = {"4XX": {"model": ErrorDocument}, "5XX": {"model": ErrorDocument}}


def _make_data_folder(folder: Path) -> None:
    """Create the data folder unless it exists.

    Raises ServingError `bad_settings`, `storage_read_only`.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ServingError("bad_settings", details={"settings": [f"{PREFIX}DATA: {error}"]}) from error
    check_writable("data", folder)


def create_app(settings: Settings | None = None, bound: Collection[str] = (), site: LanSite | None = None) -> FastAPI:
    """Create the app with these settings, or those of the environment; `bound` are the hosts it will listen on.

    `site` is its address in the local network, if other devices reach it.
    """
    settings = settings or Settings()
    _make_data_folder(settings.data)
    places = EnrolmentPlaces(settings.database_url, settings.data / "enrolments")
    engine = open_database(settings.database_url)
    lines = Lines.of(settings.log_format, settings.log_level)
    jobs = Jobs(settings.readers, settings.queue, settings.reading_seconds, places, lines)
    gauges, openers = Gauges(jobs), Openers()
    try:
        photos = PhotoStore(settings.photos_url)
        check_writable("photos", *filter(None, [photos.local_folder]))
        reading_service = Readings(settings, ReadingStore(engine), photos, jobs, gauges)
        game_store = GameStore(engine, reading_service.measure_keep_seconds)
        games_in_photos = Games(settings, game_store, reading_service, jobs, gauges)
        close_to_others(settings.data, engine.url, photos)
    except Exception:
        engine.dispose()  # SQLite's files beside the database would be taken for those of a restored database
        raise
    probes = {"database": Probe(partial(probe_database, engine)), "photos": Probe(photos.probe)}

    @asynccontextmanager
    async def opened(app: FastAPI) -> AsyncIterator[None]:
        await jobs.open()
        await reading_service.open()
        await games_in_photos.open()
        try:
            yield
        finally:
            await openers.close()
            await jobs.close()
            await games_in_photos.close()
            await reading_service.close()
            engine.dispose()

    app = FastAPI(
        title="Wondertally",
        summary=ABOUT,
        version="1",
        lifespan=opened,
        docs_url=None,  # these pages load their scripts from another host: see docs_page
        redoc_url=None,
        responses=_ERRORS,  # type: ignore[arg-type]
        generate_unique_id_function=get_operation_id,
    )
    enrolled = EnrolmentStore(engine, places.folder)
    reviews, tournaments, rosters = Reviews(reading_service.store), EventStore(engine), RosterStore(engine)
    decisions = EventDecisions(tournaments, reading_service.store, reviews)
    reading_service.after_reading = decisions.catch_up
    app.state.server = Server(
        settings,
        engine,
        jobs,
        openers,
        reading_service,
        gauges,
        enrolled,
        reviews,
        probes,
        tournaments,
        rosters,
        decisions,
        EventSubmissions(tournaments, SubmissionStore(engine), rosters, reading_service, settings.photos_most),
        Tables(places.games),
        EnrolledWonders(places.wonders),
        WonderPrints(),
        BoardShowing(BoardDrafts(settings.data / "board-drafts"), GameEnrolments(places.games)),
        ShapeDrawing(ShapeDrafts(settings.data / "board-drafts"), GameEnrolments(places.games)),
        PairedDevices(settings.data / "paired-devices"),
        games_in_photos,
        site,
    )
    install_error_handlers(app)
    for routes in ROUTES:
        app.include_router(routes.router)
    add_docs_page(app)
    add_page(app)
    install_openapi(app, bool(settings.api_keys))
    app.add_middleware(HeadAsGet)
    app.add_middleware(Faults)
    app.add_middleware(BodyLimit, settings=settings)
    app.add_middleware(RateLimit, settings=settings)
    app.add_middleware(SameSite)
    if settings.hosts or any(map(is_loopback, bound)):
        app.add_middleware(KnownHosts, names=settings.hosts, bound=bound)
    app.add_middleware(Wrapping, gauges=gauges)
    return app
