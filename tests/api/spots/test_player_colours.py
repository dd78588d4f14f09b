"""A player's colour is one doubt of a table of spots, and one question, whose answer renames all of theirs."""

from __future__ import annotations

import pytest

from api.documents.corrections import CORRECTIONS, Correction
from api.documents.question import SpotQuestion
from api.errors import CorrectionError
from api.languages import LANGUAGES
from api.spots.inputs import apply_spot_corrections, parse_spot_corrections
from api.spots.questions import build_spot_questions
from api.spots.review import build_table_review
from api.spots.snapshot import SpotSnapshot
from api.spots.table_text import list_remarks
from api.spots.text import translate_spot_doubt
from scoring.spots.text import SpotTable
from tests.api.spots_seen import babel

TWO, FREE = {"yellow": "black", "black": "yellow"}, {"yellow": "green"}


def draw_snapshot(*renames: tuple[dict[str, str], float]) -> SpotSnapshot:
    """Draw a table of red, yellow and black, of which only the colours may be others."""
    return babel(3, doubts=0).model_copy(update={"renames": renames})


def list_questions(snapshot: SpotSnapshot, corrections: list[Correction], language: str = "en") -> list[SpotQuestion]:
    questions = build_spot_questions(build_table_review(snapshot, corrections), language)
    return [question for question in questions if question.about == "colour"]


def test_a_players_colour_is_asked_once_with_its_picture() -> None:
    question, *more = list_questions(draw_snapshot((FREE, 0.2), (TWO, 0.1)), [])
    assert not more
    assert question.text == "Which colour is this player?"
    assert [choice.colour for choice in question.choices] == ["yellow", "green", "black", "blue"]
    assert question.choices[0].probability == pytest.approx(0.7)
    assert question.spot == "track.yellow"
    assert len(question.quad_px) == 4
    assert all(".yellow" in spot for spot in question.spots)
    assert question.choices[1].final_scoring != question.choices[0].final_scoring


def test_a_players_colour_is_asked_before_their_holdings() -> None:
    questions = build_spot_questions(build_table_review(draw_snapshot((FREE, 0.2)), []))
    assert [question.about for question in questions[:2]] == ["colour", "spot"]
    assert any(question.spot.startswith("held.yellow") for question in questions)


@pytest.mark.parametrize("colour", ["green", "black"])
def test_the_answer_recolours_everything_of_the_player_and_settles_it(colour: str) -> None:
    snapshot = draw_snapshot((FREE, 0.2), (TWO, 0.1))
    typed = CORRECTIONS.validate_python([{"kind": "spot", "id": "cards.yellow.points", "value": 1}])
    before = build_table_review(snapshot, typed)
    question = list_questions(snapshot, typed)[0]
    answer = next(choice for choice in question.choices if choice.colour == colour)
    after = build_table_review(snapshot, [*typed, answer.correction])
    assert dict(after.scored.totals) == answer.final_scoring
    for id, value in before.table.laid.items():
        now = id.replace("yellow", "*").replace(colour, "yellow").replace("*", colour)
        assert after.table.laid[now] == value
    assert after.scored.totals[colour] == before.scored.totals["yellow"]
    assert not list_questions(snapshot, [*typed, answer.correction])
    back = CORRECTIONS.validate_python([{"kind": "player_colour", "colour": colour, "instead": "yellow"}])
    assert build_table_review(snapshot, [*typed, answer.correction, *back]).table.laid == before.table.laid


def test_confirming_a_players_colour_ends_the_question() -> None:
    snapshot = draw_snapshot((FREE, 0.2))
    question = list_questions(snapshot, [])[0]
    review = build_table_review(snapshot, [question.choices[0].correction])
    assert not [doubt for doubt in review.report.doubts if doubt.player]
    assert list_questions(snapshot, [question.choices[0].correction]) == []


@pytest.mark.parametrize("instead", ["green", "yellow"])
def test_a_typed_answer_to_a_players_colour_settles_it(instead: str) -> None:
    snapshot = draw_snapshot((FREE, 0.2))
    remarks = list_remarks(build_table_review(snapshot, []).report)
    (line,) = [remark for remark in remarks if "all parts read as yellow" in remark]
    assert line.endswith("[--set colour.yellow=green]")
    review = build_table_review(snapshot, [*parse_spot_corrections([f"colour.yellow={instead}"])])
    assert instead in review.table.players
    assert not [doubt for doubt in review.report.doubts if doubt.player]


def test_a_typed_table_takes_no_other_colour() -> None:
    with pytest.raises(CorrectionError) as caught:
        apply_spot_corrections(SpotTable("tower-of-babel", ("red",), {}), parse_spot_corrections(["colour.red=blue"]))
    assert caught.value.code == "bad_set"


def test_a_colour_that_the_game_lacks_is_refused() -> None:
    wrong = CORRECTIONS.validate_python([{"kind": "player_colour", "colour": "yellow", "instead": "pink"}])
    with pytest.raises(CorrectionError) as caught:
        build_table_review(draw_snapshot(), wrong)
    assert caught.value.code == "colour_unknown"


@pytest.mark.parametrize("instead", ["green", "yellow"])
def test_a_colour_that_does_not_play_takes_no_pieces(instead: str) -> None:
    snapshot = draw_snapshot()
    change = CORRECTIONS.validate_python([{"kind": "player_colour", "colour": "red", "instead": "blue"}])
    again = CORRECTIONS.validate_python([{"kind": "player_colour", "colour": "red", "instead": instead}])
    once, twice = (build_table_review(snapshot, said) for said in (change, [*change, *change, *again]))
    assert once.table.players == twice.table.players
    assert once.table.laid == twice.table.laid


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_doubt_is_a_sentence_in_every_language(language: str) -> None:
    report = build_table_review(draw_snapshot((FREE, 0.2))).report
    (doubt,) = [doubt for doubt in report.doubts if doubt.player]
    sentence = translate_spot_doubt(language, report, doubt)
    assert {"en": "yellow", "de": "gelb", "ro": "galben"}[language] in sentence.lower()
    assert "parts." not in sentence
    assert any("all parts read as yellow may be green" in line for line in list_remarks(report))


def test_a_colour_of_another_player_is_no_alternative() -> None:
    assert not list_questions(draw_snapshot(({"yellow": "black"}, 0.3)), [])
