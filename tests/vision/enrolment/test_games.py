"""Nothing that was enrolled for a game is lost: each change can be undone, and the earlier state is restored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.enrolment.games import GameEnrolment, GameEnrolments
from vision.enrolment.steps import MAX_EARLIER
from vision.errors import EnrolmentError

GAME = "world-wonders"
NAMES = ("map", "resources", "map-red")
Change = Callable[[GameEnrolments], object]


def picture(grey: int) -> np.ndarray:
    return np.full((4, 5, 3), grey, np.uint8)


def look(grey: int) -> np.ndarray:
    return np.full((3, 3, 4), grey, np.uint8)


def forget(store: GameEnrolments) -> None:
    if GAME in store.games():
        store.forget(GAME)


def forget_piece(store: GameEnrolments, name: str) -> None:
    if name in store.load(GAME).pieces:
        store.forget_piece(GAME, name)


GREYS, PIECES = st.integers(0, 255), st.sampled_from(("giza", "tower"))
CHANGES: st.SearchStrategy[Change] = st.one_of(
    st.builds(
        lambda text, name, grey: lambda store: store.save(GameEnrolment(GAME, f"# {text}", {name: picture(grey)})),
        GREYS,
        st.sampled_from(NAMES),
        GREYS,
    ),
    st.builds(lambda text: lambda store: store.save(GameEnrolment(GAME, f"# {text}")), GREYS),
    st.builds(lambda name, grey: lambda store: store.add_pieces(GAME, {name: [look(grey)]}), PIECES, GREYS),
    st.builds(lambda name: lambda store: forget_piece(store, name), PIECES),
    st.just(forget),
)


def list_files(store: GameEnrolments) -> dict[str, bytes]:
    """Return the contents of all files of the game by their paths; none without an enrolment."""
    folder = store.folder / GAME
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@given(changes=st.lists(CHANGES, min_size=1, max_size=12))
def test_steps_back_restore_every_earlier_state_in_turn(changes: list[Change]) -> None:
    with TemporaryDirectory() as folder:
        store = GameEnrolments(Path(folder) / "games")
        states = [list_files(store)]
        for change in changes:
            change(store)
            if (state := list_files(store)) != states[-1]:
                states.append(state)
        assert store.count_steps(GAME) == len(states) - 1
        for state in reversed(states[:-1]):
            store.take_back(GAME)
            assert list_files(store) == state
        assert store.games() == []
        with pytest.raises(EnrolmentError, match="no change left"):
            store.take_back(GAME)


def test_a_change_that_fails_can_be_taken_back(tmp_path: Path) -> None:
    store = GameEnrolments(tmp_path / "games")
    store.save(GameEnrolment(GAME, "# one", {"map": picture(1)}))
    before = list_files(store)
    with pytest.raises(EnrolmentError, match="letters"):
        store.save(GameEnrolment(GAME, "# two", {"map": picture(2), "no name": picture(3)}))
    store.take_back(GAME)
    assert list_files(store) == before


def test_only_the_last_steps_are_kept(tmp_path: Path) -> None:
    store = GameEnrolments(tmp_path / "games")
    for number in range(MAX_EARLIER + 3):
        store.save(GameEnrolment(GAME, f"# {number}"))
    assert store.count_steps(GAME) == MAX_EARLIER
    store.take_back(GAME)
    assert store.components(GAME) == f"# {MAX_EARLIER + 1}"


def test_a_step_back_is_noticed_by_readers(tmp_path: Path) -> None:
    store = GameEnrolments(tmp_path / "games")
    states = set()
    for text in ("# a", "# b"):
        store.save(GameEnrolment(GAME, text))
        states.add(store.state(GAME))
    store.take_back(GAME)
    states.add(store.state(GAME))
    assert len(states) == 3
