"""Completed work is recognised again, however a run ended."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.batch.journal import Journal, Stamp, compute_reading_key
from api.tournament.errors import BatchError

STAMP = Stamp("a.jpg", 12, "3.5")


def filled(file: Path) -> int:
    with Journal(file) as journal:
        journal.add_content(STAMP, "ab")
        journal.add_reading("first", {"report": {"text": "ä\u2028"}})
        journal.add_reading("second", {"error": {"code": "broken_image"}})
    return file.stat().st_size


def test_the_journal_returns_its_entries(tmp_path: Path) -> None:
    filled(tmp_path / "journal.jsonl")
    with Journal(tmp_path / "journal.jsonl") as journal:
        assert journal.get_content(STAMP) == "ab"
        assert journal.get_content(Stamp("a.jpg", 13, "3.5")) is None
        assert "first" in journal
        assert "third" not in journal
        assert journal.get_reading("first")["report"] == {"text": "ä\u2028"}
        journal.add_reading("third", {"error": {}})
        assert journal.get_reading("third")["error"] == {}


def test_a_torn_last_line_is_removed_wherever_it_was_cut(tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    size, data = filled(whole), whole.read_bytes()
    for length in range(size):
        file = tmp_path / "torn.jsonl"
        file.write_bytes(data[:length])
        with Journal(file) as journal:
            line_count = data[:length].count(b"\n")
            assert ("second" in journal) == (line_count == 3)
            assert ("first" in journal) == (line_count >= 2)
            journal.add_reading("new", {"error": {}})
            assert journal.get_reading("new") == {"reading": "new", "error": {}}
        with Journal(file) as journal:
            assert "new" in journal


def test_an_invalid_journal_line_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").write_text('{"reading": "a"}\nnonsense\n{"reading": "b"}\n', encoding="utf-8")
    with pytest.raises(BatchError) as caught:
        Journal(tmp_path / "journal.jsonl")
    assert caught.value.code == "bad_journal"


def test_a_disk_that_fills_up_is_reported_and_earlier_entries_survive(tmp_path: Path) -> None:
    """A limit to the size of files stands for the full disk: the last line is written in part."""
    file = tmp_path / "journal.jsonl"
    filled(file)
    full = "import resource, sys; size = int(sys.argv[2]); resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))"
    then = "from pathlib import Path; from api.batch.journal import Journal; Journal(Path(sys.argv[1])).add_reading"
    size = str(file.stat().st_size + 20)
    written = subprocess.run(
        [sys.executable, "-c", f"{full}; {then}('third', {{'error': 'x' * 99}})", str(file), size],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "cannot_write" in written.stderr.splitlines()[-1]
    assert not file.read_bytes().endswith(b"\n")
    with Journal(file) as journal:
        assert "second" in journal
        assert "third" not in journal


@given(contents=st.lists(st.sampled_from(["aa", "bb", "cc"]), min_size=1, max_size=5))
def test_a_reading_is_identified_by_its_photos_in_any_order(contents: list[str]) -> None:
    assert compute_reading_key("C3", contents) == compute_reading_key("C3", sorted(contents + contents[:1]))
    assert compute_reading_key("C3", contents) != compute_reading_key("C2", contents)


def test_a_second_reader_of_the_journal_ignores_an_incomplete_line(tmp_path: Path) -> None:
    file = tmp_path / "journal.jsonl"
    with Journal(file) as journal:
        journal.add_reading("a", {"report": 1})
    whole = file.read_bytes()
    file.write_bytes(whole + b'{"reading": "b", ')
    with Journal(file, beside=True) as journal:
        assert journal.get_reading("a")["report"] == 1
        assert "b" not in journal
    assert file.read_bytes() == whole + b'{"reading": "b", '
