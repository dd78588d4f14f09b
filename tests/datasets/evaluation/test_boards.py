"""The simulated owner enrols a board as a person does, and the result is compared with the plan."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.evaluation.board_owner import TRUTH, draw_owner, measure_layout
from datasets.evaluation.boards import NEAR_MM, describe_boards, main, show_board
from datasets.tower_of_babel.plan import list_row_boxes, list_track_middles, list_turn_places, plan_wonders


@pytest.mark.soak
def test_an_owner_shows_a_board_and_drags_what_is_wrong() -> None:
    owner = draw_owner("oasis", 3, 0)
    owner.show()
    before = owner.measure()
    assert set(before) == {name for name in TRUTH if name != "disc_bonus"}
    spaces = 4 * len(plan_wonders()) + len(list_track_middles()) + len(list_row_boxes()) + len(list_turn_places())
    assert measure_layout(owner.draft).shape == (spaces,)
    x, y, w, h = owner.draft.marks["wonders.zeus.area"].box or (0, 0, 0, 0)
    wrong = owner.draft.marks["wonders.zeus.area"].model_copy(update={"box": (x + 20, y, w, h), "at": None})
    owner.draft = owner.draft.model_copy(update={"marks": {**owner.draft.marks, "wonders.zeus.area": wrong}})
    assert owner.measure()["wonders.zeus.area"] > 2 * NEAR_MM
    drags = owner.effort.drags
    owner.drag()
    assert owner.effort.drags > drags
    assert max(owner.measure().values()) < NEAR_MM


@pytest.mark.soak
def test_the_same_seed_shows_the_same_board() -> None:
    first, again = (show_board(draw_owner("marble", 3, 0), "marble") for _ in range(2))
    assert np.array_equal(first.off, again.off)
    assert "n = 2" in describe_boards("both", [first, again])


@pytest.mark.soak
def test_the_command_prints_one_line_for_each_art_and_kind(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--count", "1", "--seed", "3", "--arts", "oasis", "kilim"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" n = ")[0].strip() for line in lines] == ["oasis", "FITTED", "kilim", "HELD OUT"]
