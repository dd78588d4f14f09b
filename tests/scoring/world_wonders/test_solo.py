"""Solo play: the automaton has the sum of the player's resources, and in hard mode its monuments' rings as well."""

from __future__ import annotations

import pytest

from scoring.spots.game import Value
from scoring.world_wonders.final import SECTIONS
from tests.scoring.world_wonders.cities import beside, city, printed, score

MAP = printed("...")


@pytest.mark.parametrize(
    ("mode", "rings", "resources", "winner"),
    [
        ("easy", None, (1, 1, 1), ("red",)),
        ("easy", None, (2, 1, 1), ("automaton",)),
        ("easy", None, (1, 2, 3), ("automaton",)),
        ("hard", 0, (1, 1, 1), ("red",)),
        ("hard", 2, (1, 1, 1), ("automaton",)),
        ("hard", 3, (1, 1, 1), ("automaton",)),
    ],
)
def test_the_player_wins_with_more_points(
    mode: str, rings: int | None, resources: tuple[int, int, int], winner: tuple[str, ...]
) -> None:
    """Red has a ring of population, 2 of Giza, and the least resource."""
    solo: dict[str, Value] = {"solo.mode": mode} | ({} if rings is None else {"solo.monuments": rings})
    scored = score(MAP, city("red", "giza1 . ."), beside("red", 2, resources), solo)
    assert scored.totals == {"red": 1 + 2 + min(resources), "automaton": sum(resources) + (rings or 0)}
    assert scored.winners == winner


def test_the_sum_of_resources_is_cited_as_the_rule_of_both_modes() -> None:
    """The citation does not depend on the mode."""
    for mode in ("easy", "hard"):
        laid: dict[str, Value] = {"solo.mode": mode, "solo.monuments": 2}
        scored = score(MAP, city("red", ". . ."), beside("red", 4, (0, 0, 3)), laid)
        cited = [SECTIONS[entry.rule] for entry in scored.entries if entry.player == "automaton"]
        assert cited == ["world-solo-resources", *(["world-solo-hard"] if mode == "hard" else [])]


def test_an_equal_number_is_no_victory() -> None:
    scored = score(MAP, city("red", ". . ."), beside("red", 4, (0, 0, 3)), {"solo.mode": "easy"})
    assert scored.totals == {"red": 3, "automaton": 3}
    assert scored.winners == ("automaton",)


def test_without_the_automaton_nobody_wins() -> None:
    scored = score(MAP, city("red", ". . ."), beside("red", 4, (0, 0, 3)), {"solo.mode": "-"})
    assert (scored.totals, scored.winners, scored.unknown) == ({"red": 3}, (), ())


def test_what_is_not_known_of_it_is_asked() -> None:
    scored = score(MAP, city("red", ". . ."), beside("red", 4, (0, 0, 3)))
    assert scored.unknown == ("solo.mode",)
    hard = score(MAP, city("red", ". . ."), beside("red", 4, (0, 0, 3)), {"solo.mode": "hard"})
    assert (hard.unknown, hard.winners) == (("solo.monuments",), ())
