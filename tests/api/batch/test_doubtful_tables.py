"""Results state the reason for every doubtful table, and the second table of a photo used twice."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from api.batch.run import run_batch
from api.carcassonne.corrections.apply import build_review
from api.carcassonne.report.snapshot import build_snapshot
from api.tournament.errors import BatchError
from api.tournament.listed_tables import ListedTable
from api.tournament.options_file import BatchOptions
from api.tournament.results import Result, format_result_csv, summarise_result
from tests.api.batched import HEAD, NAMES, listing, read_by_batch
from tests.api.doubted import doubted, joined, small
from vision.reading.values import Reading


def build_readings(seed: int) -> list[Reading]:
    """Return readings of one table: as read, without its score board, without its pieces, and without a doubt."""
    read, bare = doubted(small(seed), seed), doubted(replace(small(seed), meeples=()), seed)
    sure = replace(read, tiles=tuple(replace(tile, alternatives=(), confidence=1.0) for tile in read.tiles))
    return [read, replace(read, track=None), bare, replace(bare, track=None), replace(sure, track=None)]


@pytest.mark.parametrize("seed", range(6))
def test_each_doubtful_table_states_its_reason(seed: int) -> None:
    statuses = set()
    for reading in build_readings(seed):
        report = _report(reading)
        for missing in ((), (("b.jpg", {"code": "truncated_image"}),)):
            result = Result(ListedTable(("a.jpg",)), report, missing=missing)
            row = summarise_result(result)
            statuses.add(row.status)
            lines = list(csv.reader(format_result_csv(result, row).splitlines()))
            assert row.status != "doubtful" or row.doubts or row.problems, report["scores"]
            assert all(("truncated_image" in " ".join(line)) == bool(missing) for line in lines)
    assert "doubtful" in statuses


def test_results_report_a_board_without_pieces_and_unknown_track_points() -> None:
    bare, read = build_readings(3)[3], build_readings(3)[1]
    row = summarise_result(Result(ListedTable(("a.jpg",)), _report(bare)))
    assert (row.status, row.problems) == ("doubtful", ("nobody scores: no piece was found on the board",))
    row = summarise_result(Result(ListedTable(("a.jpg",)), _report(read)))
    colours = ", ".join(sorted(colour for colour, *_ in row.scores))
    assert row.problems == (f"the points on the score track are not known: {colours}",)


def test_one_picture_at_two_tables_makes_both_doubtful(tmp_path: Path) -> None:
    folder, out = tmp_path / "photos", tmp_path / "out"
    out.mkdir()
    csv_text = listing({"a.jpg": 1, "twin.jpg": 2, "other.jpg": 3})
    for name, seed in (("a.jpg", 3), ("twin.jpg", 3), ("other.jpg", 4), ("alone.jpg", 4)):
        read_by_batch(folder, out, name, seed, csv_text)
    summary = run_batch(BatchOptions(str(folder), out, "C3", csv_text), lambda stage, done, of: None)
    assert summary.shared == {"a.jpg": "twin.jpg", "twin.jpg": "a.jpg", "alone.jpg": "other.jpg"}
    assert json.loads(summary.to_json())["same_photo_at_two_tables"] == summary.shared
    with (out / "results.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["photos"]: row for row in csv.DictReader(file)}
    assert (rows["a.jpg"]["status"], rows["twin.jpg"]["status"]) == ("doubtful", "doubtful")
    assert "twin.jpg is the same picture as a.jpg, which is of another table" in rows["twin.jpg"]["problems"]
    assert "same picture" not in rows["other.jpg"]["problems"]  # alone.jpg belongs to no named table


def test_one_picture_in_two_files_is_reported_without_a_listing(tmp_path: Path) -> None:
    folder, out = tmp_path / "photos", tmp_path / "out"
    out.mkdir()
    for name, seed in (("a.jpg", 3), ("twin.jpg", 3), ("third.jpg", 3), ("other.jpg", 4)):
        read_by_batch(folder, out, name, seed)
    summary = run_batch(BatchOptions(str(folder), out, "C3", None), lambda stage, done, of: None)
    assert summary.shared.keys() == {"a.jpg", "twin.jpg", "third.jpg"}
    assert all(other != name and other != "other.jpg" for name, other in summary.shared.items())
    with (out / "results.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["photos"]: row for row in csv.DictReader(file)}
    assert {photo for photo, row in rows.items() if "is the same picture as" in row["problems"]} == {*summary.shared}
    assert all(rows[photo]["status"] == "doubtful" for photo in summary.shared)
    assert "twin.jpg is the same picture as" in (out / "index.html").read_text(encoding="utf-8")


def test_one_name_at_two_tables_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    folder, out = tmp_path / "photos", tmp_path / "out"
    folder.mkdir()
    (folder / "a.jpg").write_bytes(b"no picture")
    csv_text = HEAD + f"a.jpg,cup,1,1,{NAMES}\na.jpg,cup,1,2,{NAMES}\n"
    with pytest.raises(BatchError, match=r"a\.jpg stands at two tables, cup 1 1 and cup 1 2") as refused:
        run_batch(BatchOptions(str(folder), out, "C3", csv_text), lambda stage, done, of: None)
    assert refused.value.code == "bad_listing"
    assert not (out / "results.csv").exists()


def _report(reading: Reading) -> dict[str, object]:
    document: dict[str, object] = json.loads(build_review(build_snapshot(joined(reading))).report.to_json())
    return document
