"""Enrolments of a wonder are steps: undone one by one, and none is lost if several are made at once."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from datasets.scene.varied_wonders import vary_wonder
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from tests.kept import keep
from vision.enrolment.prints import Enrolment, TileKey
from vision.enrolment.wonders import EnrolledWonder, EnrolledWonders
from vision.errors import EnrolmentError
from vision.photo.crops import CROP_PX

WORKERS, ENROLMENTS = 4, 4
STEPS = 6
"""Steps that are kept in a test, which are hundred otherwise."""


@keep
def copy_of(seed: int) -> EnrolledWonder:
    return EnrolledWonder(vary_wonder("WH/tikal", np.random.default_rng(seed)))


def print_of(seed: int) -> Enrolment:
    keys = tuple(TileKey(f"WH/tikal#{cell}", 0) for cell in range(5))
    return Enrolment("tikal", f"{seed}.jpg", "2026-11-28", keys, np.full((5, CROP_PX, CROP_PX, 3), seed, np.uint8))


def enrol_copies(store: Path | EnrolledWonders, person: int) -> None:
    """Enrol different copies, one after the other."""
    enrolled = store if isinstance(store, EnrolledWonders) else EnrolledWonders(store)
    for trial in range(ENROLMENTS):
        number = person * ENROLMENTS + trial
        layout = load_wonder_catalogue()["WH/tikal"]
        enrolled.save(EnrolledWonder(layout, print_of(number)), again=True)


def take_all_back(folder: Path) -> list[str]:
    """Undo all enrolments; return the names of the photos, the last one first."""
    enrolled, sources = EnrolledWonders(folder), list[str]()
    while "tikal" in enrolled.names():
        art = enrolled.load("tikal").art
        assert art is not None, "each layout goes with its own print"
        sources.append(art.source)
        enrolled.take_back("tikal")
    return sources


@pytest.mark.parametrize(
    ("pool", "shares_store"),
    [
        pytest.param(
            partial(ProcessPoolExecutor, mp_context=get_context("spawn")), False, id="processes", marks=pytest.mark.soak
        ),
        pytest.param(ThreadPoolExecutor, False, id="threads"),
        pytest.param(ThreadPoolExecutor, True, id="threads that share a store"),
    ],
)
def test_simultaneous_enrolments_lose_nothing(
    pool: Callable[[int], Executor], shares_store: bool, tmp_path: Path
) -> None:
    folder = tmp_path / "wonders"
    with pool(WORKERS) as workers:
        list(workers.map(partial(enrol_copies, EnrolledWonders(folder) if shares_store else folder), range(WORKERS)))
    assert sorted(take_all_back(folder)) == sorted(f"{n}.jpg" for n in range(WORKERS * ENROLMENTS))


def test_enrolling_the_same_data_again_adds_no_step(tmp_path: Path) -> None:
    enrolled = EnrolledWonders(tmp_path / "wonders")
    for _ in range(3):
        enrolled.save(copy_of(1), again=True)
    enrolled.save(EnrolledWonder(copy_of(1).layout, print_of(1)), again=True)
    enrolled.save(EnrolledWonder(copy_of(1).layout, print_of(1)), again=True)
    enrolled.take_back("tikal")
    assert enrolled.load("tikal").art is None, "a print was another step"
    enrolled.take_back("tikal")
    assert enrolled.names() == []


def test_the_number_of_stored_steps_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.enrolment.steps.MAX_EARLIER", STEPS)
    enrolled = EnrolledWonders(tmp_path / "wonders")
    layout = load_wonder_catalogue()["WH/tikal"]
    for number in range(STEPS + 5):
        enrolled.save(EnrolledWonder(layout, print_of(number)), again=True)
    assert len([*(tmp_path / "wonders-earlier").rglob("*.*")]) == 2 * STEPS
    newest = [f"{number}.jpg" for number in range(STEPS + 4, 3, -1)]
    assert take_all_back(tmp_path / "wonders") == newest
    assert enrolled.list_forgotten() == ["tikal"], "the one whose earlier ones were too many is kept as well"


def test_the_second_simultaneous_enrolment_of_a_name_is_refused(tmp_path: Path) -> None:
    enrolled = EnrolledWonders(tmp_path / "wonders")

    def save(seed: int) -> str:
        try:
            enrolled.save(copy_of(seed))
        except EnrolmentError as error:
            return error.code
        return "saved"

    with ThreadPoolExecutor(WORKERS) as pool:
        answers = list(pool.map(save, range(WORKERS)))
    assert sorted(answers) == ["enrolment_exists"] * (WORKERS - 1) + ["saved"]


def test_a_forgotten_wonder_comes_back_with_all_its_steps(tmp_path: Path) -> None:
    enrolled = EnrolledWonders(tmp_path / "wonders")
    for number in (1, 2):
        enrolled.save(EnrolledWonder(copy_of(1).layout, print_of(number)), again=True)
    enrolled.forget("tikal")
    assert (enrolled.files(), enrolled.list_forgotten()) == ([], ["tikal"])
    enrolled.take_back("tikal")
    assert enrolled.list_forgotten() == []
    assert take_all_back(tmp_path / "wonders") == ["2.jpg", "1.jpg"]


def test_an_unwritable_folder_is_reported(tmp_path: Path) -> None:
    enrolled, copies = EnrolledWonders(tmp_path / "wonders"), [copy_of(seed) for seed in range(12)]
    enrolled.save(copies[0], again=True)
    shutil.rmtree(earlier := tmp_path / "wonders-earlier")
    earlier.write_text("no folder")
    with pytest.raises(EnrolmentError, match="cannot_write_enrolment"):
        enrolled.save(copies[1], again=True)
    assert enrolled.load("tikal").layout.parts == copies[0].layout.parts
