"""The server killed before each of its writes, one after the other: a new start finds every reading complete, or gone.

The same holds for an event's tables.
"""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.api import killed
from tests.api.lived import Live, Lived, Looked, forked_lives
from tests.api.service import games_killed

LEAST = 60
"""Writes of the tested life: statements, commits, files begun, half written, moved and removed."""
MIGRATIONS_LEAST = 10
EVENT_LEAST = 110
OF_EVENTS = 13
OF_POSTGRESQL = 3
"""Every third write there, and every thirteenth of an event's: each takes its time."""
GAME_LEAST, OF_GAMES = 100, 29
"""Every 29th write of a game's life."""
STATES = {"failed 1", *(f"done {version}" for version in range(1, 8))}
"""Possible states of readings after a start, with their versions."""


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    with forked_lives() as live:
        yield live


@pytest.mark.soak
def test_killed_before_any_write_the_server_leaves_no_half_reading(live: Live, database: str, tmp_path: Path) -> None:
    every = OF_POSTGRESQL if database.startswith("postgresql") else 1
    migrated, _ = kill_before_each(live, killed.migrate, None, database, tmp_path, every)
    lived, counts = kill_before_each(live, killed.live, killed.look, database, tmp_path, every)
    print(f"killed before {migrated} writes of migrations and {lived} of a life; then there were {counts}")
    assert migrated >= MIGRATIONS_LEAST // every
    assert lived >= LEAST // every
    assert set(counts) <= STATES
    assert every > 1 or set(counts) == STATES


def test_killed_before_any_write_an_event_has_no_half_table(live: Live, database: str, tmp_path: Path) -> None:
    assert live(killed.migrate, database, tmp_path, 0) == 0
    lived, counts = kill_before_each(live, killed.hand_in, killed.look, database, tmp_path, OF_EVENTS)
    print(f"killed before {lived} writes of an event; then there were {counts}")
    assert lived >= EVENT_LEAST // OF_EVENTS
    assert {"table failed 3", "table doubtful 3"} <= set(counts)


def test_killed_before_any_write_a_game_counts_each_photo_once(tmp_path: Path) -> None:
    kill_game_before_each(f"sqlite:///{tmp_path / 'server.db'}", tmp_path, OF_GAMES)


@pytest.mark.soak
def test_killed_before_every_write_a_game_counts_each_photo_once(database: str, tmp_path: Path) -> None:
    every = OF_POSTGRESQL if database.startswith("postgresql") else 1
    counts = kill_game_before_each(database, tmp_path, every)
    assert every > 1 or {"0 0 False", "1 0 False", "3 1 False", "3 0 True"} <= set(counts)


def kill_game_before_each(database: str, folder: Path, every: int) -> Counter[str]:
    """Kill a game's server before each write of this number; return the states in which the games were found."""
    with forked_lives(games_killed.keep, games_killed.look) as live:
        assert live(killed.migrate, database, folder, 0) == 0
        lived, counts = kill_before_each(live, games_killed.keep, games_killed.look, database, folder, every)
    print(f"killed before {lived} writes of a game; then there were {counts}")
    assert lived >= GAME_LEAST // every
    return counts


def kill_before_each(
    live: Live, work: Lived, look: Looked | None, url: str, folder: Path, every: int
) -> tuple[int, Counter[str]]:
    """Kill a life before each write of this number, and look at what it leaves, until it comes to its end.

    Return the number of kills, and the states that were found.
    """
    counts = Counter[str]()
    for number in count(1, every):
        status = live(work, url, folder, number)
        if look is not None:
            assert live(look, url, folder) == 0
            counts.update(json.loads((folder / "told.json").read_text()))
        if status == 0:
            return (number - 1) // every, counts
        assert status == -signal.SIGKILL, number
    raise AssertionError
