"""A server that ends in the middle, and starts again on what it kept."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import create_engine, select, update
from sqlalchemy.orm import Session

from api.store.tables import ReadingRow
from tests.api.serving import LEVEL, error_in, photo_form, running

ASYNC = {"Prefer": "respond-async"}


@contextmanager
def sessions(url: str) -> Iterator[Session]:
    """A session beside the server's."""
    engine = create_engine(url)
    with Session(engine) as session:
        yield session
    engine.dispose()


def test_a_killed_server_takes_up_what_it_can_and_sweeps_what_is_past_its_time(tmp_path: Path, database: str) -> None:
    data = tmp_path / "data"
    with running(data, database=database, readers=1) as first:
        form = photo_form(LEVEL.read_bytes())
        reading, waiting = (first.client.post("/v1/readings", **form, headers=ASYNC).json() for _ in range(2))
        while not any(reading["id"] in name for name in first.photos()):
            time.sleep(0.02)
        first.process.send_signal(signal.SIGKILL)
        first.process.wait()
    assert any((data / "incoming").iterdir())
    with running(data, database=database, readers=1, sweep_minutes=0.02) as again:
        assert not any((data / "incoming").iterdir()), "what came with its place is gone"
        lost = again.client.get(waiting["poll"]).json()
        assert (lost["status"], lost["error"]["code"]) == ("failed", "interrupted")
        assert again.followed(reading["id"])["status"] == "done"
        assert len(again.photos()) == 1
        with sessions(database) as session, session.begin():
            session.execute(update(ReadingRow).where(ReadingRow.id == reading["id"]).values(expires=1))
        assert error_in(again.client.get(reading["poll"]), 404)["code"] == "not_found"
        while again.photos():
            time.sleep(0.1)
        with sessions(database) as session:
            assert session.scalars(select(ReadingRow.id)).all() == [waiting["id"]]
        again.process.send_signal(signal.SIGTERM)
        assert again.process.wait(20) in (0, -signal.SIGTERM)
