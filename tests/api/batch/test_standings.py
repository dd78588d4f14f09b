"""Places in an event."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from api.tournament.standings import TIE_BREAKERS, TableScore, compute_standings

NAMES = st.sampled_from(["Anna", "Bob", "Cleo", "Dan", "Eva"])
TABLES = st.lists(
    st.builds(
        TableScore,
        event=st.sampled_from(["cup", "open"]),
        points=st.dictionaries(NAMES, st.integers(0, 150), min_size=2, max_size=5),
        whole=st.booleans(),
        doubtful=st.booleans(),
    ),
    max_size=12,
)


def table(**points: int) -> TableScore:
    return TableScore("cup", points, True, False)


def test_wins_count_before_points() -> None:
    placed = compute_standings([table(Anna=50, Bob=40), table(Anna=60, Cleo=59), table(Bob=200, Cleo=10)])
    assert [(standing.place, standing.player, int(standing.wins), standing.points) for standing in placed] == [
        (1, "Anna", 2, 110),
        (2, "Bob", 1, 240),
        (3, "Cleo", 0, 69),
    ]


def test_a_shared_win_counts_as_a_fraction_and_a_shared_place_is_shared() -> None:
    placed = compute_standings([table(Anna=50, Bob=50), table(Cleo=70, Dan=30)])
    assert [(standing.place, standing.player, standing.wins) for standing in placed] == [
        (1, "Cleo", Fraction(1)),
        (2, "Anna", Fraction(1, 2)),
        (2, "Bob", Fraction(1, 2)),
        (4, "Dan", Fraction(0)),
    ]


def test_a_table_without_its_score_track_has_no_winner_yet() -> None:
    open_table = TableScore("cup", {"Anna": 30, "Bob": 20}, False, True)
    before = compute_standings([open_table, table(Bob=60, Cleo=50)])
    assert [(standing.player, standing.wins, standing.final_only) for standing in before] == [
        ("Bob", Fraction(1), 1),
        ("Cleo", Fraction(0), 0),
        ("Anna", Fraction(0), 1),
    ]
    after = compute_standings([replace(open_table, whole=True), table(Bob=60, Cleo=50)])
    assert {standing.player: int(standing.wins) for standing in after} == {"Anna": 1, "Bob": 1, "Cleo": 0}


@given(tables=TABLES)
def test_every_complete_table_has_one_win_and_places_follow_the_rank(tables: list[TableScore]) -> None:
    placed = compute_standings(tables)
    for event in {table.event for table in tables}:
        standings = [standing for standing in placed if standing.event == event]
        assert sum(standing.wins for standing in standings) == sum(one.event == event and one.whole for one in tables)
        assert sum(s.points for s in standings) == sum(sum(t.points.values()) for t in tables if t.event == event)
        ranks = [standing.rank_by(TIE_BREAKERS) for standing in standings]
        assert ranks == sorted(ranks, reverse=True)
        assert all(
            s.place == 1 + sum(other > rank for other in ranks) for s, rank in zip(standings, ranks, strict=True)
        )
