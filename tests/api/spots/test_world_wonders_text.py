"""All texts of World Wonders are worded in every language, with all their values."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.documents.report import Entry
from api.documents.spot_report import SpotProblem
from api.i18n import load_words
from api.i18n.report_text import translate_entry, translate_problem, translate_rule
from api.languages import LANGUAGES
from api.spots.text import translate_spot, translate_value
from scoring.spots.game import Scored, Value
from scoring.spots.text import parse_table
from scoring.world_wonders.components import Neighbour
from scoring.world_wonders.game import GAME
from scoring.world_wonders.places import CARDS
from scoring.world_wonders.terrain import Terrain
from tests.scoring.world_wonders.cities import beside, cities, printed

each_language = pytest.mark.parametrize("language", LANGUAGES)


@each_language
def test_every_object_on_a_table_has_a_name(language: str) -> None:
    words, components = load_words(language), printed("...")
    for players in (("red", "blue"), ("red",)):
        for spot in GAME.spots(components, players, {}):
            assert translate_spot(words, spot.id, spot.kind, spot.values, {}) != spot.id
            texts = {choice: translate_value(words, spot.kind, choice) for choice in spot.choices}
            assert len({*texts.values()}) == len(texts)
            assert "-" not in texts.values()
    cards = GAME.components("[box]\nmundo = true").monuments
    assert [card for card in cards if f"value-{card}" not in words] == []
    names = {"kind": {"district", "natural_resource", "monument", "road", "green", "objective"}, "value": {*CARDS}}
    for what, those in ({"beside": {*get_args(Neighbour)}} | names).items():
        assert [name for name in those if f"{what}-{name}" not in words] == []


@each_language
def test_every_rule_has_a_name_and_a_sum_text(language: str) -> None:
    for rule in GAME.sections:
        assert translate_rule(language, rule) != rule.replace(".", "-")
        assert f"entry-{rule.replace('.', '-')}" in load_words(language)


@each_language
@settings(max_examples=15, deadline=None)
@given(
    drawn=cities(),
    card=st.sampled_from(CARDS),
    rings=st.integers(0, 20),
    markers=st.tuples(*[st.integers(0, 12)] * 4),
    alone=st.booleans(),
)
def test_entries_and_problems_are_worded(
    language: str,
    drawn: tuple[Terrain, dict[str, Value]],
    card: str,
    rings: int,
    markers: tuple[int, int, int, int],
    alone: bool,
) -> None:
    terrain, values = drawn
    population, *resources = markers
    values |= beside("red", population, (resources[0], resources[1], resources[2]), loan=True)
    values |= {"solo.mode": "hard", "solo.monuments": rings} if alone else {"objective.1": card, "objective.2": card}
    scored = GAME.score(printed(*terrain.lines), ("red",) if alone else ("red", "blue"), values)
    _all_is_said(language, scored)


def _all_is_said(language: str, scored: Scored) -> None:
    for score_entry in scored.entries:
        entry = Entry(
            player=score_entry.player,
            points=score_entry.points,
            feature=score_entry.feature,
            rule=score_entry.rule,
            text=score_entry.text,
        )
        entry.values = dict(score_entry.values)
        text = translate_entry(language, entry)
        if language == "en" and not score_entry.rule.startswith("objective"):
            assert text == score_entry.text
    for trouble in scored.troubles:
        problem = SpotProblem(code=trouble.code, text=trouble.text, values=dict(trouble.values))
        assert translate_problem(language, problem)
        plain = load_words(language).say(f"problem-{trouble.code}", **trouble.values)
        assert all(str(value) in plain for value in trouble.values.values())


@each_language
@pytest.mark.parametrize(
    ("city", "more"),
    [
        ("map.red.0.0=petra#1 map.red.0.1=road#1", '[monuments.petra]\nrings = 1\nadjacent = ["farm"]'),
        ("map.red.0.0=library#1 map.red.0.1=road#1", '[[buildings.shapes]]\nshape = "#"\ntiles = { library = 0 }'),
        ("map.red.0.0=roman-bridge#1 map.red.0.1=-", '[monuments.roman-bridge]\nrings = 1\nfootprint = ["~"]'),
        (" ".join(f"map.red.0.{col}=road#{col + 1}" for col in range(21)), ""),
    ],
)
def test_problems_of_a_copys_own_cards_are_worded(language: str, city: str, more: str) -> None:
    table = parse_table(f"{GAME.name} red,blue {city}")
    scored = GAME.score(printed("." * 21, more=more), table.players, table.laid)
    assert scored.troubles
    _all_is_said(language, scored)
