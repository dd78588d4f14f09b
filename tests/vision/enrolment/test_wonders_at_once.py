"""Several processes and threads enrol one wonder at once: no layout is lost, and each step is one."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from datasets.scene.varied_wonders import vary_wonder
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from vision.enrolment.prints import Enrolment, TileKey
from vision.enrolment.wonders import MAX_EARLIER, TaughtWonder, TaughtWonders
from vision.errors import EnrolmentError
from vision.photo.crops import CROP_PX

TEACHERS, LESSONS = 4, 4


def copy_of(seed: int) -> TaughtWonder:
    return TaughtWonder(vary_wonder("WH/tikal", np.random.default_rng(seed)))


def print_of(seed: int) -> Enrolment:
    keys = tuple(TileKey(f"WH/tikal#{cell}", 0) for cell in range(5))
    return Enrolment("tikal", f"{seed}.jpg", "2026-11-28", keys, np.full((5, CROP_PX, CROP_PX, 3), seed, np.uint8))


def teach(folder: Path, teacher: int) -> None:
    """Enrol different copies, one after the other."""
    taught = TaughtWonders(folder)
    for lesson in range(LESSONS):
        number = teacher * LESSONS + lesson
        layout = load_wonder_catalogue()["WH/tikal"]
        taught.replace(TaughtWonder(layout, print_of(number)))


def take_all_back(folder: Path) -> list[str]:
    """Undo all enrolments; return the names of the photos, the last one first."""
    taught, sources = TaughtWonders(folder), list[str]()
    while "tikal" in taught.names():
        art = taught.load("tikal").art
        assert art is not None, "each layout goes with its own print"
        sources.append(art.source)
        taught.take_back("tikal")
    return sources


@pytest.mark.parametrize("workers", ["processes", "threads"])
def test_whoever_teaches_at_once_loses_nothing(workers: str, tmp_path: Path) -> None:
    pool = (
        ProcessPoolExecutor(TEACHERS, get_context("spawn")) if workers == "processes" else ThreadPoolExecutor(TEACHERS)
    )
    with pool:
        list(pool.map(partial(teach, tmp_path / "wonders"), range(TEACHERS)))
    assert sorted(take_all_back(tmp_path / "wonders")) == sorted(f"{n}.jpg" for n in range(TEACHERS * LESSONS))


def test_threads_that_share_a_store_lose_nothing(tmp_path: Path) -> None:
    taught = TaughtWonders(tmp_path / "wonders")
    layout = load_wonder_catalogue()["WH/tikal"]
    with ThreadPoolExecutor(TEACHERS) as pool:
        list(pool.map(lambda seed: taught.replace(TaughtWonder(layout, print_of(seed))), range(12)))
    assert sorted(take_all_back(tmp_path / "wonders")) == sorted(f"{n}.jpg" for n in range(12))


def test_what_is_kept_already_is_no_further_step(tmp_path: Path) -> None:
    taught = TaughtWonders(tmp_path / "wonders")
    for _ in range(3):
        taught.replace(copy_of(1))
    taught.replace(TaughtWonder(copy_of(1).layout, print_of(1)))
    taught.replace(TaughtWonder(copy_of(1).layout, print_of(1)))
    taught.take_back("tikal")
    assert taught.load("tikal").art is None, "a print was another step"
    taught.take_back("tikal")
    assert taught.names() == []


def test_so_many_steps_are_kept(tmp_path: Path) -> None:
    taught = TaughtWonders(tmp_path / "wonders")
    layout = load_wonder_catalogue()["WH/tikal"]
    for number in range(MAX_EARLIER + 5):
        taught.replace(TaughtWonder(layout, print_of(number)))
    assert len([*taught.earlier_folder.iterdir()]) == 2 * MAX_EARLIER
    newest = [f"{number}.jpg" for number in range(MAX_EARLIER + 4, 3, -1)]
    assert take_all_back(tmp_path / "wonders") == newest
    assert [*taught.earlier_folder.iterdir()] == []


def test_of_two_who_teach_one_name_at_once_the_second_is_refused(tmp_path: Path) -> None:
    taught = TaughtWonders(tmp_path / "wonders")

    def save(seed: int) -> str:
        try:
            taught.save(copy_of(seed))
        except EnrolmentError as error:
            return error.code
        return "saved"

    with ThreadPoolExecutor(TEACHERS) as pool:
        answers = list(pool.map(save, range(TEACHERS)))
    assert sorted(answers) == ["enrolment_exists"] * (TEACHERS - 1) + ["saved"]
