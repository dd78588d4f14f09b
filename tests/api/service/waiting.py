"""Readings that wait for a job which never begins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from api.server.settings import Settings
from api.service.job_queue import Jobs
from api.service.metrics import Gauges
from api.service.readings import ReadingOptions, Readings
from api.service.worker import EnrolmentPlaces, Outcome, Upload
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


def uploaded(folder: Path, light: int) -> Upload:
    folder.mkdir(exist_ok=True)
    file = folder / f"{light:022}"
    file.write_bytes(cv2.imencode(".png", np.full((30, 40, 3), light, np.uint8))[1].tobytes())
    return Upload(file, f"{light}.png")


async def take(readings: Readings) -> str:
    await readings.open()
    upload = readings.build_upload_path()
    reading = await readings.begin([Upload(uploaded(upload.parent, 60).file, "a.png")], ReadingOptions("C3", {}))
    await readings.close()
    return reading.id
