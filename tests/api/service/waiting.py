"""Readings that wait for a job which never begins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from api.server.settings import Settings
from api.service.job_queue import Jobs
from api.service.metrics import Gauges
from api.service.readings import Readings
from api.service.worker import EnrolmentPlaces, Outcome
from api.store.database import open_database
from api.store.photos import PhotoStore
from api.store.readings import ReadingStore


class Waiting(Jobs):
    """A queue whose jobs never begin."""

    def add(self, job: str, work: Callable[..., Any], *arguments: Any, always: bool = False) -> asyncio.Future[Any]:
        """Add a task that waits until the server stops."""
        self.taken = [*getattr(self, "taken", []), job]
        outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        return outcome


@contextmanager
def opened_readings(data: Path) -> Iterator[tuple[Readings, Waiting]]:
    settings = Settings(data=data)
    data.mkdir(exist_ok=True)
    engine = open_database(settings.database_url)
    jobs = Waiting(1, 9, 60, EnrolmentPlaces(settings.database_url, data))
    yield Readings(settings, ReadingStore(engine), PhotoStore(settings.photos_url), jobs, Gauges(jobs)), jobs
    engine.dispose()
