"""Enrolments of a wonder are undone, step by step."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.scene.varied_wonders import vary_wonder
from tests.kept import keep
from vision.enrolment.wonders import TaughtWonder, TaughtWonders
from vision.errors import EnrolmentError


@keep
def make_copies() -> list[TaughtWonder]:
    return [TaughtWonder(vary_wonder("WH/tikal", np.random.default_rng(seed))) for seed in range(12)]


def test_what_was_taught_is_taken_back_step_by_step(tmp_path: Path) -> None:
    taught, copies = TaughtWonders(tmp_path / "wonders"), make_copies()
    for copy in copies:
        taught.replace(copy)
    assert taught.names() == ["tikal"]
    for copy in copies[-2::-1]:
        state = taught.state()
        taught.take_back("tikal")
        assert taught.load("tikal").layout.parts == copy.layout.parts
        assert taught.state() != state
    taught.take_back("tikal")
    assert taught.names() == []
    with pytest.raises(EnrolmentError, match="no_such_enrolment"):
        taught.take_back("tikal")


def test_what_is_forgotten_leaves_nothing_behind(tmp_path: Path) -> None:
    taught, copies = TaughtWonders(tmp_path / "wonders"), make_copies()
    for copy in copies[:3]:
        taught.replace(copy)
    taught.forget("tikal")
    assert list((tmp_path / "wonders").iterdir()) == []


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    taught, copies = TaughtWonders(tmp_path / "wonders"), make_copies()
    taught.replace(copies[0])
    taught.earlier_folder.write_text("no folder")
    with pytest.raises(EnrolmentError, match="cannot_write_enrolment"):
        taught.replace(copies[1])
    assert taught.load("tikal").layout.parts == copies[0].layout.parts
