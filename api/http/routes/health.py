"""/healthz, /readyz and /metrics: for operators of the server."""

from __future__ import annotations

import logging

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST

from api.http.dependencies import Serving
from api.http.errors import answers_with, raises
from api.schemas.readings import Health
from api.server.errors import ServerError

router = APIRouter(tags=["health"])

log = logging.getLogger("wondertally")


@router.get("/healthz", response_model=Health)
@raises("not_ready")
async def get_health(server: Serving) -> Health:
    """Return 200 while photos can be read: at least one reader process is alive and has loaded and tried its nets."""
    alive = server.jobs.alive
    if not alive:
        raise _not_ready("readers")
    waiting, working = server.jobs.counts
    return Health(readers=len(alive), waiting=waiting, working=working)


@router.get("/readyz", response_model=Health)
@raises("not_ready")
async def get_readiness(server: Serving) -> Health:
    """Return 200 while photos can be read and stored, the queue has room, and the server is not stopping.

    The storage is tried: a photo is written, read and removed, and the database is written to.
    """
    if server.jobs.is_stopping:
        raise _not_ready("stopping")
    health = await get_health(server)
    if server.jobs.is_full:
        raise _not_ready("queue")
    for what, probe in server.probes.items():
        if (error := await probe.try_once()) is not None:
            log.warning("probe_failed", extra={"code": what}, exc_info=error)
            raise _not_ready(what)
    return health


def _not_ready(reason: str) -> ServerError:
    return ServerError("not_ready", details={"reason": reason})


@router.get("/metrics", **answers_with("text/plain", "Counters, as Prometheus reads them."))
def get_metrics(server: Serving) -> Response:
    """Return counters of requests, readings, doubts, the queue and memory."""
    return Response(server.gauges.render(), media_type=CONTENT_TYPE_LATEST)
