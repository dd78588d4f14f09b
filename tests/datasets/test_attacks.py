"""The attacks notice lost and deleted data; small ones here show that a server and a batch withstand them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from datasets.benchmark.attacks import Bystanders, Tally
from datasets.benchmark.attacks.disks import fill_disk
from datasets.benchmark.attacks.hostile_photos import send_hostile_photos
from datasets.benchmark.attacks.outages import cut_database
from datasets.benchmark.attacks.places import name_foreign_folder
from datasets.benchmark.attacks.removals import remove_storage, start_on_unfit_databases
from datasets.benchmark.marked import Sent
from datasets.benchmark.references import Alone, read_alone
from datasets.benchmark.serving import run_server
from datasets.benchmark.uploads import SETTINGS, Found, Uploads, load_boards


def test_all_that_was_accepted_and_not_read_is_lost() -> None:
    tally = Tally("kills", 3)
    accepted = {str(number): Sent("a", b"") for number in range(4)}
    tally.add(Uploads(accepted), Found(Counter({"done": 2, "lost": 1, "failed: interrupted": 1})))
    assert (tally.accepted, tally.done, len(tally.lost), tally.is_well) == (4, 2, 2, False)
    tally = Tally("kills", 3)
    tally.add(Uploads(accepted), Found(Counter({"done": 4})))
    assert tally.is_well
    tally.add(Uploads(), Found())
    assert not tally.is_well, "where nothing was read nothing is proved"


@pytest.mark.parametrize("answer", ["500: a fault", "503 without a time"])
def test_an_answer_that_may_not_be_is_wrong(answer: str) -> None:
    tally = Tally("kills", 3)
    tally.add(Uploads(unexpected=[answer]), Found(Counter({"done": 1})))
    assert tally.wrong == [f"unexpected answer {answer}"]


def test_files_of_others_that_are_gone_or_changed_are_found(tmp_path: Path) -> None:
    others = Bystanders(tmp_path / "album", ["a.jpg", "b.jpg", "c.jpg"])
    assert others.find_deleted() == []
    (tmp_path / "album" / "a.jpg").unlink()
    (tmp_path / "album" / "b.jpg").write_bytes(b"")
    assert others.find_deleted() == [str(tmp_path / "album" / name) for name in ("a.jpg", "b.jpg")]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Alone:
    with run_server(tmp_path_factory.mktemp("alone") / "data", **SETTINGS) as server:
        return read_alone(server.url, load_boards())


def check(tally: Tally) -> None:
    if tally.left_out:
        pytest.skip(tally.left_out)
    assert (tally.lost, tally.deleted, tally.wrong) == ([], [], [])
    assert tally.accepted == tally.done > 0


@pytest.mark.soak
def test_outages_of_the_database_lose_nothing(tmp_path: Path, alone: Alone) -> None:
    check(cut_database(tmp_path, 2, 0, alone))


@pytest.mark.soak
def test_a_full_disk_loses_nothing(tmp_path: Path, alone: Alone) -> None:
    check(fill_disk(tmp_path, 1, alone))


@pytest.mark.soak
def test_storage_that_is_taken_away_loses_nothing(tmp_path: Path, alone: Alone) -> None:
    check(remove_storage(tmp_path, 3, alone))


@pytest.mark.soak
def test_no_server_starts_on_a_database_that_does_not_fit(tmp_path: Path, alone: Alone) -> None:
    tally = start_on_unfit_databases(tmp_path, alone)
    assert (tally.deleted, tally.wrong) == ([], [])


@pytest.mark.soak
def test_files_of_others_are_never_deleted(tmp_path: Path, alone: Alone) -> None:
    check(name_foreign_folder(tmp_path, alone))


def test_a_good_photo_beside_hostile_ones_is_answered_and_the_server_stops(tmp_path: Path) -> None:
    tally = send_hostile_photos(tmp_path, ["scans", "half-jpeg"])
    check(tally)
    assert {answer.split(": ", 1)[1] for answer in tally.answers} == {"422 costly_image", "422 truncated_image"}
