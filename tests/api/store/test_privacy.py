"""Kept data is closed to the machine's other users; entries that are not the server's are unchanged, and named."""

from __future__ import annotations

import logging
import os
import stat
from pathlib import Path

import pytest

from api.server.settings import Settings
from api.store.photos import MARK
from tests.api.serving import unopened

OTHER_USER = 54321
"""A user id that does not exist on this machine."""


def mode(place: Path) -> int:
    return stat.S_IMODE(place.stat().st_mode)


def start(settings: Settings, caplog: pytest.LogCaptureFixture) -> list[str]:
    """Start and end a server; return the places that it names as open."""
    caplog.clear()
    with caplog.at_level(logging.WARNING, "wondertally"), unopened(settings):
        pass
    return [record.file for record in caplog.records if record.msg == "open_to_others"]  # type: ignore[attr-defined]


def test_a_data_folder_readable_by_others_is_closed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    data = tmp_path / "data"
    data.mkdir()
    start(Settings(data=data), caplog)
    for place in (data, data / "photos"):
        place.chmod(0o2775)
    (data / "server.db").chmod(0o666)
    assert start(Settings(data=data), caplog) == []
    assert [mode(place) for place in (data, data / "server.db", data / "photos")] == [0o2700, 0o600, 0o2700]


def test_places_elsewhere_are_closed_but_not_their_neighbours(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o755)
    foreign = shared / "accounts.txt"
    foreign.write_text("somebody else's")
    foreign.chmod(0o644)
    settings = Settings(
        data=tmp_path / "data", database=f"sqlite:///{shared / 'tally.db'}", photos=str(shared / "photos")
    )
    start(settings, caplog)
    (shared / "tally.db").chmod(0o644)
    (shared / "photos").chmod(0o755)
    assert start(settings, caplog) == []
    assert [mode(shared / name) for name in ("tally.db", "photos")] == [0o600, 0o700]
    assert [mode(place) for place in (shared, foreign)] == [0o755, 0o644]


def test_a_data_folder_with_foreign_files_is_named_and_own_files_are_closed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    foreign = tmp_path / "website"
    foreign.mkdir(mode=0o755)
    tmp_path.chmod(0o755)
    assert start(Settings(data=tmp_path), caplog) == [str(tmp_path)]
    assert [mode(tmp_path / name) for name in ("server.db", "photos")] == [0o600, 0o700]
    assert [mode(place) for place in (tmp_path, foreign)] == [0o755, 0o755]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_entries_of_another_user_are_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    data = tmp_path / "data"
    start(Settings(data=data), caplog)
    for place in (data, data / "photos"):
        os.chown(place, OTHER_USER, OTHER_USER)
        place.chmod(0o755)
    assert start(Settings(data=data), caplog) == [str(data), str(data / "photos")]
    assert [mode(place) for place in (data, data / "photos")] == [0o755, 0o755]
    assert (data / "photos" / MARK).exists()
