"""All texts of Tower of Babel are worded in every language, with all their values."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from api.documents.report import Entry
from api.i18n import load_words
from api.i18n.report_text import translate_entry, translate_rule
from api.languages import LANGUAGES
from scoring.spots.game import Laid
from scoring.tower_of_babel.board import CARDS, DISC_KINDS, WONDERS
from scoring.tower_of_babel.game import GAME
from tests.scoring.tower_of_babel.tables import COMPONENTS, tables

each_language = pytest.mark.parametrize("language", LANGUAGES)


@each_language
def test_every_object_on_a_table_has_a_name(language: str) -> None:
    words = load_words(language)
    discs = [disc if isinstance(disc, str) else "-".join(disc) for disc in DISC_KINDS]
    lying = {"wonder": WONDERS, "disc": discs, "card": CARDS, "kind": ("wonder", "discs", "card")}
    for what, names in lying.items():
        assert [name for name in names if f"{what}-{name}" not in words] == []
    for spot in GAME.spots(COMPONENTS, GAME.colours, {}):
        text = words.say(f"spot-{spot.kind}", **{key: f"<{value}>" for key, value in spot.values.items()})
        assert all(f"<{value}>" in text for value in spot.values.values()), text


@each_language
def test_every_rule_has_a_name_and_a_sum_text(language: str) -> None:
    for rule in GAME.sections:
        assert translate_rule(language, rule)
        assert f"entry-{rule.replace('.', '-')}" in load_words(language)


@each_language
@settings(max_examples=15, deadline=None)
@given(told=tables())
def test_entries_and_problems_are_worded(language: str, told: tuple[tuple[str, ...], Laid]) -> None:
    scored = GAME.score(COMPONENTS, *told)
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
        if language == "en":
            assert text.replace("×", "x") == score_entry.text
    for trouble in scored.troubles:
        text = load_words(language).say(f"problem-{trouble.code}", **trouble.values)
        assert all(str(value) in text for value in trouble.values.values())
