"""The final scoring of any table: sums, ties, players in any order, unknown facts, and facts not stated."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import BoardError
from scoring.spots.components import ComponentsError
from scoring.spots.game import Laid, Trouble, Value
from scoring.spots.table import settle_table
from scoring.spots.text import SpotTable, format_table, parse_table
from scoring.tower_of_babel.board import COLOURS, KINDS, PAIRS, WONDERS, Kind
from scoring.tower_of_babel.components import Row
from scoring.tower_of_babel.final import SECTIONS, assign_disc_kinds, compute_shares
from scoring.tower_of_babel.game import GAME
from tests.scoring.tower_of_babel.tables import COMPONENTS, COPY, empty, players, scored, tables

KNOWN = GAME.components(None)
WORTHS = st.dictionaries(st.sampled_from(COLOURS), st.integers(0, 9))


@given(tables())
def test_totals_are_the_sums_of_entries(draw: tuple[tuple[str, ...], Laid]) -> None:
    who, values = draw
    scores = GAME.score(COMPONENTS, who, values)
    assert set(scores.totals) == set(who)
    for player in who:
        assert scores.totals[player] == sum(entry.points for entry in scores.entries if entry.player == player)
    assert {entry.feature for entry in scores.entries} <= {area.id for area in scores.areas}
    assert {entry.rule for entry in scores.entries} <= GAME.sections.keys() == SECTIONS.keys()
    spots = {spot.id for spot in GAME.spots(COMPONENTS, who, values)}
    assert {spot for area in scores.areas for spot in area.spots} <= spots
    assert set(scores.unknown) <= spots - values.keys()


@given(tables())
def test_the_order_of_players_changes_nothing(draw: tuple[tuple[str, ...], Laid]) -> None:
    who, values = draw
    other = who[::-1]
    assert GAME.score(COMPONENTS, who, values).totals == GAME.score(COMPONENTS, other, values).totals


@given(tables(), st.permutations(COLOURS))
def test_other_colours_score_the_same(draw: tuple[tuple[str, ...], Laid], other: list[str]) -> None:
    """Seats are irrelevant to the rules: with colours exchanged, points are exchanged."""
    who, values = draw
    named = dict(zip(COLOURS, other, strict=True))
    renamed = {".".join(named.get(word, word) for word in spot.split(".")): value for spot, value in values.items()}
    before = GAME.score(COMPONENTS, who, values).totals
    after = GAME.score(COMPONENTS, [named[player] for player in who], renamed).totals
    assert after == {named[player]: points for player, points in before.items()}


@given(WORTHS)
def test_players_with_equal_holdings_score_equally(worths: Mapping[str, int]) -> None:
    shares = compute_shares(Row(most=8, second=4), 3, worths)
    assert shares.keys() == {player for player, worth in worths.items() if worth}
    for one, first in shares.items():
        for other, second in shares.items():
            if worths[one] == worths[other]:
                assert (first.rule, first.points) == (second.rule, second.points)
            if worths[one] > worths[other]:
                assert first.points >= second.points


@given(tables())
def test_notation_reads_back(draw: tuple[tuple[str, ...], Laid]) -> None:
    table = SpotTable(GAME.name, *draw)
    assert parse_table(format_table(table)) == table


@given(
    st.dictionaries(st.sampled_from(KINDS), st.integers(0, 4)),
    st.dictionaries(st.sampled_from(PAIRS), st.integers(0, 1), max_size=3),
)
def test_two_coloured_discs_are_assigned_for_the_most_points(
    single: dict[str, int], pairs: dict[tuple[str, str], int]
) -> None:
    disc_counts: dict[Kind, int] = {kind: number for counts in (single, pairs) for kind, number in counts.items()}
    counted = assign_disc_kinds(COMPONENTS, disc_counts)
    assert sum(map(len, counted.values())) == sum(disc_counts.values())
    best = sum(COMPONENTS.bonus(len(discs)) for discs in counted.values())
    assert best >= max(ways(single, [pair for pair, number in pairs.items() if number]))


def ways(single: Mapping[str, int], pairs: list[tuple[str, str]]) -> list[int]:
    """Return the result of every choice, one disc after the other."""
    if not pairs:
        return [sum(COMPONENTS.bonus(number) for number in single.values())]
    return [total for kind in pairs[0] for total in ways({**single, kind: single.get(kind, 0) + 1}, pairs[1:])]


@given(tables(), st.data())
def test_unknown_values_without_effect_change_nothing(draw: tuple[tuple[str, ...], Laid], data: st.DataObject) -> None:
    who, values = draw
    scores = GAME.score(COMPONENTS, who, values)
    spots = {spot.id: spot for spot in GAME.spots(COMPONENTS, who, values) if not spot.id.startswith("track.")}
    quiet = sorted(spots.keys() - values.keys() - set(scores.unknown))
    if not quiet:
        return
    spot = spots[data.draw(st.sampled_from(quiet))]
    other = GAME.score(COMPONENTS, who, {**values, spot.id: data.draw(st.sampled_from(spot.choices))})
    assert other.totals == scores.totals or not_possible(other.troubles)


def not_possible(troubles: tuple[Trouble, ...]) -> bool:
    """Return tables with more discs or cards than there are, which no player can hold."""
    codes = {trouble.code for trouble in troubles}
    return bool(codes & {"too_many_discs", "too_many_two_coloured", "discs_do_not_add_up", "too_many_cards"})


def test_a_completely_known_table_leaves_nothing_open() -> None:
    scores = scored(("red", "blue"), {"track.red": 20, "track.blue": 21, "cards.red.points": 1})
    assert scores.unknown == ()
    assert scores.on_track == {"red": 20, "blue": 21}
    assert scores.winners == ("red",)
    assert scored(("red", "blue"), {"track.red": 7, "track.blue": 7}).winners == ("red", "blue")


def test_nobody_wins_while_something_is_unknown() -> None:
    values = empty(("red", "blue"))
    del values["track.blue"]
    scores = GAME.score(COMPONENTS, ("red", "blue"), values)
    assert (scores.winners, scores.on_track) == ((), {"red": 0, "blue": None})
    assert scores.unknown == ("track.blue",)
    del values["track.red"]
    scores = GAME.score(COMPONENTS, ("red", "blue"), values)
    assert (scores.winners, scores.unknown) == ((), ())
    values = {**empty(("red", "blue")), "discs.giza": 0}
    del values["cards.red.points"]
    scores = GAME.score(COMPONENTS, ("red", "blue"), values)
    assert (scores.winners, scores.unknown) == ((), ("cards.red.points",))


def test_accounted_discs_are_not_asked_for() -> None:
    """All 24 lie on wonders or before players: no player holds one of two colours."""
    values: dict[str, Value] = {f"discs.{wonder}": 0 if wonder in ("giza", "zeus") else 3 for wonder in WONDERS}
    values |= {"held.red.camel": 3, "held.blue.camel": 3}
    scores = GAME.score(COMPONENTS, ("red", "blue"), values)
    assert not [spot for spot in scores.unknown if spot.startswith("held.")]
    del values["held.blue.camel"]
    scores = GAME.score(COMPONENTS, ("red", "blue"), values)
    assert "held.blue.camel" in scores.unknown
    assert "two-coloured" in scores.unknown


def test_two_coloured_discs_are_asked_about_only_if_they_were_in_the_game() -> None:
    """First whether they were; then of each player, or of none."""
    values: dict[str, Value] = {f"discs.{wonder}": 1 for wonder in WONDERS}
    for said, asked in ((None, 0), ("no", 0), ("yes", 12)):
        laid = values | ({} if said is None else {"two-coloured": said})
        unknown = GAME.score(COMPONENTS, ("red", "blue"), laid).unknown
        pairs = [name for name in unknown if name.startswith("held.") and "-" in name]
        assert ("two-coloured" in unknown, len(pairs)) == (said is None, asked)


def test_a_held_two_coloured_disc_implies_that_they_were_in_the_game() -> None:
    held: dict[str, Value] = {"held.red.camel-ship": 1}
    table = settle_table(GAME, COMPONENTS, ("red", "blue"), held)
    assert table.laid == {**held, "two-coloured": "yes"}
    with pytest.raises(BoardError) as caught:
        settle_table(GAME, COMPONENTS, ("red", "blue"), {**held, "two-coloured": "no"})
    assert (caught.value.code, caught.value.details["spot"]) == ("spot_value_impossible", "two-coloured")
    nobody = settle_table(GAME, COMPONENTS, ("red",), {"two-coloured": "no"}).laid
    assert [value for name, value in nobody.items() if name.startswith("held.")] == [0] * 6


def test_cards_are_asked_for_only_while_some_are_unaccounted() -> None:
    """A card is taken for each completed wonder."""
    values: dict[str, Value] = {f"discs.{wonder}": 0 if wonder == "giza" else 3 for wonder in WONDERS}
    cards = [name for name in GAME.score(COMPONENTS, ("red", "blue"), values).unknown if name.startswith("cards.")]
    assert len(cards) == 4
    values["cards.red.points"] = 1
    unknown = GAME.score(COMPONENTS, ("red", "blue"), values).unknown
    assert not [name for name in unknown if name.startswith("cards.")]


@given(players())
def test_values_printed_on_the_board_are_asked_for_if_needed(who: tuple[str, ...]) -> None:
    def key(more: Mapping[str, Value]) -> object:
        with pytest.raises(ComponentsError) as caught:
            scored(who, more, KNOWN)
        assert caught.value.code == "component_missing"
        assert "on the board" in caught.value.details["printed"]
        return caught.value.details["key"]

    player = who[0]
    assert key({f"parts.zeus.{player}.1": 1}) == "scoring_table.light"
    assert key({f"held.{player}.ship": 3}) == "disc_bonus.3"
    assert key({f"held.{player}.ship": 2, f"held.{player}.crane-ship": 1}) == "disc_bonus.3"
    completed: dict[str, Value] = {"discs.giza": 0, "discs.babel": 0, "row": 1, f"parts.babel.{player}.1": 1}
    assert key(completed) == "scoring_table.rows.2"
    assert scored(who, {f"held.{player}.ship": 4}, KNOWN).totals[player] == 20


def test_missing_values_are_listed_until_they_are_given() -> None:
    keys = [error.details["key"] for error in GAME.missing(KNOWN)]
    rows = [f"scoring_table.rows.{number}" for number in range(2, 8)]
    assert keys == ["scoring_table.light", *rows, "disc_bonus.3", "disc_bonus.5", "disc_bonus.6"]
    assert not GAME.missing(COMPONENTS)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[", ""),
        ("more = 1", "more"),
        ("[scoring_table.rows]\n8 = { most = 1, second = 1 }", "scoring_table.rows.8.[key]"),
        ("[scoring_table]\nlight = { most = 'many', second = 1 }", "scoring_table.light.most"),
        ("[disc_bonus]\n3 = -1", "disc_bonus.3"),
        ("[wonders]\natlantis = 'Atlantis'", "wonders.atlantis.[key]"),
        ("[track]\nlength = 0", "track.length"),
    ],
)
def test_an_invalid_components_file_is_refused(text: str, key: str) -> None:
    with pytest.raises(ComponentsError) as caught:
        GAME.components(text)
    assert (caught.value.code, caught.value.details["key"]) == ("components_invalid", key)


def test_pictures_and_layout_are_not_validated() -> None:
    text = COPY + "[pictures.board]\nsize_mm = [500, 400]\n[layout.wonders.giza]\ncentre = [1, 2]\n"
    assert GAME.missing(GAME.components(text)) == ()


@pytest.mark.parametrize("who", [(), ("red", "red"), ("red", "pink")])
def test_impossible_players_are_refused(who: tuple[str, ...]) -> None:
    with pytest.raises(BoardError) as caught:
        GAME.score(COMPONENTS, who, {})
    assert caught.value.code == "bad_players"


@pytest.mark.parametrize(
    ("spot", "value"),
    [
        ("parts.giza.red.1", 16),
        ("parts.giza.red.2", 1),
        ("parts.giza.green.1", 1),
        ("discs.giza", 4),
        ("discs.giza", "three"),
        ("row", 8),
        ("held.red.camel", 7),
        ("held.red.ship-crane", 1),
        ("cards.red.joker", 1),
        ("track.red", -1),
    ],
)
def test_impossible_contents_are_refused(spot: str, value: Value) -> None:
    with pytest.raises(BoardError) as caught:
        GAME.score(COMPONENTS, ("red", "blue"), {spot: value})
    assert (caught.value.code, caught.value.details) == ("strange_spot", {"spot": spot, "value": value})


def test_the_track_has_the_length_given_for_the_copy() -> None:
    def most(text: str | None) -> Value:
        spots = GAME.spots(GAME.components(text), ("red",), {})
        return next(spot.choices[-1] for spot in spots if spot.id == "track.red")

    assert most("[track]\nlength = 60") == 120
    assert most(None) == 300
