"""A player's colour is asked once, and the answer applies to all of that player's pieces."""

from __future__ import annotations

from dataclasses import replace

import pytest

from api.carcassonne.corrections.review import build_review
from api.carcassonne.questions.builder import build_questions
from api.carcassonne.questions.oracle import interview_oracle
from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from api.documents.corrections import CORRECTIONS, Correction
from api.documents.question import Question
from api.documents.tile_corrections import Confirm, SetPlayerColour
from api.errors import CorrectionError
from api.i18n import load_words
from api.i18n.remarks import list_remarks
from api.i18n.report_text import translate_doubt_sentence
from api.languages import LANGUAGES
from tests.api.doubted import joined
from tests.api.tables_read import grey_photo
from tests.vision.doubt.player_colours import FREE, doubt, find_table
from tests.vision.evaluation.dealt import Frame, dealt, join_reading, perfect
from vision.evaluation.judge import compute_final_points
from vision.reading.values import Reading


@pytest.fixture(scope="module")
def misnamed() -> tuple[Snapshot, str]:
    """Return a reading that is certain except whether one player is orange, and that player."""
    reading, colour = find_table()
    return build_snapshot(joined(doubt(reading, colour, FREE, [0.2] * 9))), colour


def ask(snapshot: Snapshot, *corrections: Correction, language: str = "en") -> list[Question]:
    return build_questions(build_review(snapshot, corrections), language)


def test_it_is_asked_once_and_answered_with_the_names_that_nobody_else_has(misnamed: tuple[Snapshot, str]) -> None:
    snapshot, colour = misnamed
    (question,) = ask(snapshot, language="de")
    assert question.about == "player"
    assert {*question.squares} == {(m.row, m.col) for m in snapshot.meeples if m.colour == colour}
    assert [choice.label for choice in question.choices[:2]] == [
        load_words("de").name("colour", name) for name in (colour, FREE)
    ]
    others = {meeple.colour for meeple in snapshot.meeples} - {colour}
    assert not others & {choice.colour for choice in question.choices}
    for choice in question.choices:
        (correction,) = CORRECTIONS.validate_python([choice.correction.model_dump()])
        review = build_review(snapshot, [correction])
        points = {player: n for player, n in (choice.final_scoring or {}).items() if n}
        assert {p: n for p, n in review.report.scores.final_scoring.items() if n} == points
        assert not build_questions(review)
        assert not review.report.doubtful


def test_all_pieces_change_with_what_was_said_of_the_player_and_back(misnamed: tuple[Snapshot, str]) -> None:
    snapshot, colour = misnamed
    told = CORRECTIONS.validate_python(
        [{"kind": "player", "colour": colour, "name": "Ana"}, {"kind": "track", "colour": colour, "points": 40}]
    )
    before = build_review(snapshot, told).report
    review = build_review(snapshot, [*told, SetPlayerColour(colour=colour, instead=FREE)])
    report = review.report
    count = sum(meeple.colour == colour for meeple in snapshot.meeples)
    assert sum(meeple.colour == FREE for meeple in report.board.meeples) == count
    assert colour not in report.rules.players
    assert report.names == {FREE: "Ana"}
    assert report.scores.total[FREE] == before.scores.total[colour]
    back = build_review(snapshot, [*told, *review.corrections[2:], SetPlayerColour(colour=FREE, instead=colour)])
    assert back.report.scores.total == before.scores.total
    with pytest.raises(CorrectionError):
        build_review(snapshot, [SetPlayerColour(colour=colour, instead="plaid")])


def test_whoever_names_one_of_the_pieces_has_named_the_player(misnamed: tuple[Snapshot, str]) -> None:
    snapshot, colour = misnamed
    number = next(n for n, meeple in enumerate(snapshot.meeples, 1) if meeple.colour == colour)
    assert ask(snapshot)
    assert not ask(snapshot, Confirm(about="meeple", id=f"m{number}"))


def test_the_command_line_and_the_sheet_say_so(misnamed: tuple[Snapshot, str]) -> None:
    snapshot, colour = misnamed
    report = build_review(snapshot).report
    assert any(f"all pieces of {colour} may be {FREE} (" in line for line in list_remarks(report))
    (doubt_told,) = report.doubts
    for language in LANGUAGES:
        sentence = translate_doubt_sentence(load_words(language), doubt_told)
        assert load_words(language).name("colour", FREE) in sentence


def test_an_oracle_names_a_player_with_one_answer() -> None:
    truth = next(t for t in map(dealt, range(50)) if len({m.placed.colour for m in t.meeples}) > 1)
    good = perfect(truth, Frame())
    points = compute_final_points(truth)
    colour = max(points, key=lambda player: sum(m.colour == player for m in good.meeples))
    renamed = tuple(replace(m, colour=FREE) if m.colour == colour else m for m in good.meeples)
    misread: Reading = doubt(replace(good, meeples=renamed), FREE, colour, [0.3] * 9)
    interview = interview_oracle(join_reading(grey_photo(), misread), truth)
    assert [final == points for final in interview.finals] == [False, True]
    assert interview.settled
