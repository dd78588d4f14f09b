"""An event's standings under concurrent requests and changes: every answer is consistent, none is a fault."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx2 as httpx
import pytest

from api.store.database import open_database
from api.store.events import EventStore
from tests.api.batched import leave_batch, take_over
from tests.api.databases import ON_BOTH_DATABASES
from tests.api.serving import Running, running

TABLES = {f"{number}.png": number for number in range(1, 7)}
WRITERS, READERS, TIMES = 8, 12, 12
"""Clients that decide and correct, clients that read, and the number of requests of each."""


TURNS = 8
"""Number of times all tables are taken out, or put back."""


@dataclass
class Seen:
    """The answers, contradictions between two documents of one version, and failures."""

    statuses: Counter[str] = field(default_factory=Counter)
    documents: dict[tuple[str, int], Any] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def note(self, what: str, answer: httpx.Response) -> httpx.Response:
        """Count an answer; faults of the server are wrong."""
        self.statuses[f"{what} {answer.status_code}"] += 1
        if answer.status_code >= 500:
            self.wrong.append(f"{what}: {answer.status_code} {answer.text[:300]}")
        return answer

    def compare(self, what: str, document: Any) -> None:
        """Compare a document with another of the same version: they must agree."""
        if self.documents.setdefault((what, document["version"]), document) != document:
            self.wrong.append(f"{what}: two documents of version {document['version']} differ")


@dataclass(frozen=True)
class Cup:
    """An event at a running server, and its owner's token."""

    server: Running
    event: str
    token: str

    @property
    def path(self) -> str:
        return f"/v1/events/{self.event}"

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.server.url, timeout=120, headers={"Authorization": f"Bearer {self.token}"})

    def list_tables(self, client: httpx.Client) -> list[Any]:
        return list(client.get(f"{self.path}/tables").raise_for_status().json()["tables"])


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a batch of some tables, beside its photos."""
    folder = tmp_path_factory.mktemp("batch")
    leave_batch(folder, TABLES, TABLES)
    return folder


@pytest.fixture
def cup(left: Path, database: str, tmp_path: Path) -> Iterator[Cup]:
    """Return it, taken over by a running server."""
    done = take_over(left, database, tmp_path).done
    assert done.token is not None
    limits: dict[str, Any] = {"requests_per_minute": 1_000_000, "readers": 1, "connections_per_client": 500}
    with running(tmp_path / "data", database=database, **limits) as server:
        yield Cup(server, done.event, done.token)


def write(cup: Cup, seen: Seen, random: Random) -> Callable[[httpx.Client], None]:
    """Decide on a table, undo that, or correct a reading."""

    def act(client: httpx.Client) -> None:
        table = random.choice(cup.list_tables(client))
        if random.random() < 0.5:
            decided = table["state"] in ("checked", "unscorable")
            decision: dict[str, Any] = (
                {"undo": True} if decided else random.choice([{"unscorable": "rain"}, {"confirm": True}])
            )
            path = f"{cup.path}/tables/{table['id']}/decisions"
            seen.note("decide", client.post(path, json={**decision, "version": table["version"]}))
        elif table["reading"]:
            correction = {"kind": "track", "colour": "red", "points": random.randrange(100)}
            path = f"/v1/readings/{table['reading']}"
            seen.note("correct", client.patch(path, json={"corrections": [correction]}))

    return act


def look(cup: Cup, seen: Seen) -> Callable[[httpx.Client], None]:
    """Request the event, its tables and all its files."""

    def act(client: httpx.Client) -> None:
        seen.compare("event", seen.note("event", client.get(cup.path)).json())
        seen.compare("tables", seen.note("tables", client.get(f"{cup.path}/tables")).json())
        for name in ("standings.csv", "results.csv", "results.jsonl", "history"):
            seen.note(name, client.get(f"{cup.path}/{name}"))

    return act


def attack(cup: Cup, seen: Seen, acts: Sequence[Callable[[httpx.Client], None]]) -> None:
    """Let a client do each of these repeatedly, all at once."""

    def repeat(act: Callable[[httpx.Client], None]) -> None:
        with cup.client() as client:
            for _ in range(TIMES):
                try:
                    act(client)
                except Exception as error:
                    seen.wrong.append(f"{type(error).__name__}: {error}"[:300])

    threads = [threading.Thread(target=repeat, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.soak
@ON_BOTH_DATABASES
def test_standings_match_the_results_during_concurrent_changes(cup: Cup) -> None:
    seen, random = Seen(), Random(7)
    attack(cup, seen, [write(cup, seen, random)] * WRITERS + [look(cup, seen)] * READERS)
    print(f"{seen.statuses.total()} requests: {dict(sorted(seen.statuses.items()))}")
    assert seen.wrong == []
    assert seen.statuses["decide 200"] > 0 < seen.statuses["correct 200"]
    assert len({version for what, version in seen.documents if what == "event"}) > 1
    with cup.client() as client:
        before = client.get(f"{cup.path}/standings.csv").raise_for_status().text
        event = client.get(cup.path).raise_for_status().json()
        client.patch(cup.path, json={"tie_breakers": event["tie_breakers"]}).raise_for_status()
        assert client.get(f"{cup.path}/standings.csv").raise_for_status().text == before  # recomputed
    assert [line for line in cup.server.lines() if line["event"] == "fault"] == []


@pytest.fixture
def store(left: Path, database: str, tmp_path: Path) -> Iterator[tuple[EventStore, str]]:
    """Return the events of a database, and the one in it."""
    done = take_over(left, database, tmp_path).done
    engine = open_database(database)
    yield EventStore(engine), done.event
    engine.dispose()


def test_an_overview_is_a_consistent_snapshot(store: tuple[EventStore, str]) -> None:
    """Tables are taken out and put back one by one: the standings are those of the tables beside them."""
    events, event = store
    is_over = threading.Event()

    def change() -> None:
        tables = [table.id for table in events.list_tables(event)]
        for turn in range(TURNS):
            for table in tables:
                now = events.get_table(event, table)
                events.decide(now, "reopened" if turn % 2 else "unscorable", "Vera", "rain")
        is_over.set()

    writer = threading.Thread(target=change)
    writer.start()
    versions = set()
    while not is_over.is_set():
        overview = events.get_overview(event)
        played = sum(table.decided is None for table in overview.tables)
        assert {standing.tables for standing in overview.standings} <= {*range(played + 1)}
        assert max((standing.tables for standing in overview.standings), default=0) == played
        versions.add(overview.event.version)
    writer.join()
    assert len(versions) > 3


@pytest.mark.soak
@ON_BOTH_DATABASES
def test_an_event_deleted_during_a_change_is_gone(cup: Cup) -> None:
    seen, random = Seen(), Random(8)

    deletions = iter(range(TIMES))

    def delete_one_after_another(client: httpx.Client) -> None:
        tables = client.get(f"{cup.path}/tables").json().get("tables", [])
        if next(deletions) == TIMES * 2 // 3:
            seen.note("delete event", client.delete(cup.path))
        elif len(tables) > 1:
            seen.note("delete", client.delete(f"{cup.path}/tables/{random.choice(tables)['id']}"))

    def write_or_see_it_gone(client: httpx.Client) -> None:
        tables = seen.note("tables", client.get(f"{cup.path}/tables"))
        if tables.is_success:
            write(cup, seen, random)(client)

    attack(cup, seen, [*[write_or_see_it_gone] * WRITERS, delete_one_after_another])
    print(f"{seen.statuses.total()} requests: {dict(sorted(seen.statuses.items()))}")
    assert [wrong for wrong in seen.wrong if "404" not in wrong] == []
    with cup.client() as client:
        for name in ("", "/tables", "/standings.csv", "/results.csv"):
            assert client.get(f"{cup.path}{name}").status_code == 404
    assert [line for line in cup.server.lines() if line["event"] == "fault"] == []
