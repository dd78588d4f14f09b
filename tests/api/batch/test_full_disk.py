"""An output folder on a full disk: a batch ends with an error, and resumes once there is room."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.api.batch.run import FOLDER, entries, lines, run
from tests.api.server.filled import FILLER, fill

ROOM_BYTES = 90_000
"""Room for the first reading of a photo, and not for all."""


@pytest.mark.soak
@pytest.mark.parametrize("room", [0, ROOM_BYTES])
def test_a_batch_on_a_full_disk_ends_with_an_error_and_resumes_later(disk: Path, tmp_path: Path, room: int) -> None:
    photos, out = tmp_path / "photos", disk / "out"
    photos.mkdir()
    for name in ("test_level", "test_snow", "test_clutter"):
        shutil.copy(FOLDER / f"{name}.jpg", photos)
    out.mkdir()
    fill(disk)
    with (disk / FILLER).open("ab") as filler:
        filler.truncate(filler.tell() - room)
    full = run(str(photos), "--out", str(out))
    assert full.returncode == 2
    (line,) = full.stderr.splitlines()
    assert json.loads(line)["error"]["code"] == "cannot_write"
    (disk / FILLER).unlink()
    done = run(str(photos), "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert len(lines(out)) == 3
    assert len(entries(out)) == len(set(entries(out))) == 6
