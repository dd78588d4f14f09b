"""The tournament's benchmark notices faults in a batch's results, and draws what it announces."""

from __future__ import annotations

import csv
import json
from collections import Counter
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from datasets.benchmark.tournament import AGAIN, LOST, READ, compare_totals, find_faults, find_outcomes, sum_standings
from datasets.benchmark.tournament_photos import Drawn, draw_tournament, write_listing
from tests.datasets.tables import cheap_art

TABLES, PHOTOS = 5, 12


def line(total: dict[str, int], photos: list[str], *read: str, table: str = "1", **more: Any) -> dict[str, Any]:
    """Return a result of red and blue with photos of some names, of which those with some contents were read."""
    place = {"event": "cup", "round": "1", "table": table, "photos": photos}
    names = {"red": "Ann", "blue": "Bob"}
    photo_entries = [{"sha256": sha256} for sha256 in read]
    return {
        "scores": {"total": total},
        "names": names,
        "doubtful": False,
        "photos": photo_entries,
        "batch": place,
    } | more


def failed(code: str, photos: list[str], table: str) -> dict[str, Any]:
    place = {"event": "cup", "round": "1", "table": table, "photos": photos}
    return {"error": {"code": code}, "batch": place}


@pytest.mark.parametrize(
    ("read", "not_read", "came"),
    [
        (("x", "y"), {}, {"a": READ, "b": AGAIN, "c": READ}),
        (("x",), {"c": "board_not_found"}, {"a": READ, "b": AGAIN, "c": "board_not_found"}),
        (("y",), {"a": "board_not_found"}, {"a": "board_not_found", "b": AGAIN, "c": READ}),
        (("y",), {}, {"a": LOST, "b": LOST, "c": READ}),
    ],
)
def test_what_came_of_each_photo(read: tuple[str, ...], not_read: dict[str, str], came: dict[str, str]) -> None:
    record = line({"red": 1}, ["a", "b", "c"], *read)
    assert find_outcomes(record, {"a": "x", "b": "x", "c": "y"}, not_read) == came


def test_a_report_of_one_photo_tells_it_as_its_photo() -> None:
    record = line({"red": 1}, ["a"]) | {"photos": [], "photo": {"sha256": "x"}}
    assert find_outcomes(record, {"a": "x"}, {}) == {"a": READ}


def test_standings_are_added_up_from_tables_whose_players_have_names() -> None:
    lines = [
        line({"red": 5, "blue": 5}, []),
        line({"red": 7, "blue": 3}, []),
        line({"red": 9, "blue": 3, "green": 1}, []),
        failed("torn", [], "2"),
    ]
    assert sum_standings(lines) == {"Ann": (2, Fraction(3, 2), 12), "Bob": (2, Fraction(1, 2), 8)}


def test_tables_are_held_against_what_was_drawn() -> None:
    tables = [Drawn(1, number, {}, {}, {}, {"red": 5}) for number in (1, 2, 3, 4)]
    lines = [
        line({"red": 5}, [], table="1"),
        line({"red": 6}, [], table="2", doubtful=True),
        line({"red": 6}, [], table="3"),
        failed("torn", [], "4"),
    ]
    assert compare_totals(lines, tables) == (3, 1, 1)


@pytest.fixture
def batch(tmp_path: Path) -> tuple[Path, Path, dict[str, str], list[Drawn]]:
    """Return two tables as left by a faultless batch: one read, one torn."""
    photos, out = tmp_path / "photos", tmp_path / "out"
    photos.mkdir()
    out.mkdir()
    for name, data in {"a": b"1", "b": b"1", "c": b"2", "d": b"3"}.items():
        (photos / name).write_bytes(data)
    read, other = sha256(b"1").hexdigest(), sha256(b"3").hexdigest()
    results = [line({"red": 5, "blue": 3}, ["a", "b", "d"], read, other), failed("truncated_image", ["c"], "2")]
    (out / "results.jsonl").write_text("".join(json.dumps(record) + "\n" for record in results), encoding="utf-8")
    (out / "journal.jsonl").write_text('{"photo": "a"}\n{"reading": "x"}\n', encoding="utf-8")
    (out / "standings.csv").write_text("player,tables,wins,points\nAnn,1,1,5\nBob,1,0,3\n", encoding="utf-8")
    kinds = {"a": "seen", "b": "twice", "d": "seen"}
    tables = [Drawn(1, 1, kinds, {}, {}, {"red": 5, "blue": 3}), Drawn(1, 2, {"c": "torn"}, {}, {}, {})]
    return photos, out, {"c": "truncated_image"}, tables


def test_a_batch_that_is_right_has_no_fault(batch: tuple[Path, Path, dict[str, str], list[Drawn]]) -> None:
    counts, wrong = find_faults(*batch)
    assert wrong == []
    assert counts == {"seen: read": 2, f"twice: {AGAIN}": 1, "torn: truncated_image": 1}


@pytest.mark.parametrize(
    ("file", "before", "after", "fault"),
    [
        ("results.jsonl", '"b", "d"', '"b", "d", "c"', "c is in 2 results"),
        ("results.jsonl", '"b", "d"', '"b"', "d is in 0 results"),
        ("results.jsonl", sha256(b"3").hexdigest(), "0", "d (seen): LOST"),
        ("journal.jsonl", '{"reading": "x"}', '{"reading": "x"}\n{"reading": "x"}', "x is 2 times in the journal"),
        ("standings.csv", "Bob,1,0,3", "Bob,1,0,4", "standings.csv does not follow from what was read"),
    ],
)
def test_what_is_wrong_is_seen(
    batch: tuple[Path, Path, dict[str, str], list[Drawn]], file: str, before: str, after: str, fault: str
) -> None:
    text = (batch[1] / file).read_text(encoding="utf-8")
    assert before in text
    (batch[1] / file).write_text(text.replace(before, after, 1), encoding="utf-8")
    assert find_faults(*batch)[1] == [fault]


@pytest.mark.soak
def test_all_photos_are_drawn_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.benchmark.tournament_photos.gather_art", lambda *_: [cheap_art()] * 2)
    tables = draw_tournament(tmp_path / "photos", TABLES, PHOTOS, seed=1)
    kinds = {name: kind for table in tables for name, kind in table.photos.items()}
    assert Counter(kinds.values()) == {"seen": 6, "twice": 1, "torn": 3, "no picture": 1, "no board": 1}
    contents = {name: (tmp_path / "photos" / name).read_bytes() for name in kinds}
    assert len(set(contents.values())) == PHOTOS - 1
    assert len({(table.round, table.number) for table in tables}) == TABLES
    assert all(table.totals.keys() == table.names.keys() == table.track.keys() for table in tables)
    write_listing(tmp_path / "list.csv", tables)
    with (tmp_path / "list.csv").open(encoding="utf-8", newline="") as opened:
        rows = {row["photo"]: row for row in csv.DictReader(opened)}
    assert rows.keys() == kinds.keys()
    for table in tables:
        for name, (colour, player) in (
            (name, colour_and_player) for name in table.photos for colour_and_player in table.names.items()
        ):
            assert (rows[name][colour], rows[name][f"{colour}_track"]) == (player, str(table.track[colour]))
