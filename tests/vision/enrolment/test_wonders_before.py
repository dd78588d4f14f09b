"""What was taught of a wonder before is gone back to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.scene.varied_wonders import vary_wonder
from vision.enrolment.wonders import TaughtWonder, TaughtWonders
from vision.errors import EnrolmentError

COPIES = [TaughtWonder(vary_wonder("WH/tikal", np.random.default_rng(seed))) for seed in (1, 2, 3)]


def test_what_was_taught_before_is_gone_back_to_step_by_step(tmp_path: Path) -> None:
    taught = TaughtWonders(tmp_path / "wonders")
    for copy in COPIES:
        taught.save(copy, again=True)
    assert taught.names() == ["tikal"]
    for copy in COPIES[1::-1]:
        state = taught.state()
        assert taught.undo("tikal").layout.parts == copy.layout.parts
        assert taught.load("tikal").layout.parts == copy.layout.parts
        assert taught.state() != state
    with pytest.raises(EnrolmentError) as raised:
        taught.undo("tikal")
    assert raised.value.code == "nothing_before"
    assert taught.load("tikal").layout.parts == COPIES[0].layout.parts


def test_what_is_taught_once_more_is_no_step(tmp_path: Path) -> None:
    taught = TaughtWonders(tmp_path / "wonders")
    for _ in range(2):
        taught.save(COPIES[0], again=True)
    with pytest.raises(EnrolmentError, match="nothing_before"):
        taught.undo("tikal")


def test_what_is_forgotten_leaves_nothing_behind(tmp_path: Path) -> None:
    taught = TaughtWonders(tmp_path / "wonders")
    for copy in COPIES:
        taught.save(copy, again=True)
    taught.forget("tikal")
    assert list((tmp_path / "wonders").iterdir()) == []
    with pytest.raises(EnrolmentError, match="no_such_enrolment"):
        taught.undo("tikal")
