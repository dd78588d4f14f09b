"""/healthz, /readyz and /metrics: for those who run the server."""

from __future__ import annotations

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from api.server import Server, Serving
from api.server_errors import ServerError
from api.wire import Health

router = APIRouter(tags=["health"])


@router.get("/healthz", response_model=Health)
def healthz(server: Serving) -> Health:
    """200 while photos can be read: the processes that read live, and have loaded and asked their nets."""
    return _health(server)


@router.get("/readyz", response_model=Health)
def readyz(server: Serving) -> Health:
    """200 while photos can be read and kept, and the queue has room."""
    health = _health(server)
    try:
        with server.engine.connect() as connection:
            connection.execute(text("SELECT 1 FROM readings LIMIT 1"))
    except SQLAlchemyError as error:
        raise ServerError("not_ready", details={"reason": "database"}) from error
    if health.waiting > 0 and health.waiting >= server.settings.queue:
        raise ServerError("not_ready", details={"reason": "queue"})
    return health


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}, "description": "Counters, as Prometheus reads them."}},
)
def metrics(server: Serving) -> Response:
    """Requests, readings and the queue."""
    return Response(server.gauges.text(), media_type=CONTENT_TYPE_LATEST)


def _health(server: Server) -> Health:
    if not server.jobs.is_ready:
        raise ServerError("not_ready", details={"reason": "readers"})
    waiting, working = server.jobs.counts
    return Health(readers=server.settings.readers, waiting=waiting, working=working)
