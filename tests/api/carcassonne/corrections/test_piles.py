"""The number of pieces in a pile is asked once, and answered with a number."""

from __future__ import annotations

from dataclasses import replace

import pytest

from api.carcassonne.corrections.review import build_review
from api.carcassonne.questions.oracle import interview_oracle
from api.carcassonne.questions.pieces import UNSEEN_OF_PILE
from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from api.documents.corrections import CORRECTIONS
from api.documents.tile_corrections import SetPile
from api.i18n import load_words
from api.i18n.report_text import translate_doubt_sentence
from tests.api.carcassonne.corrections.piles import find_farmer, heap, list_doubts
from tests.api.doubted import joined
from tests.api.tables_read import grey_photo
from tests.vision.evaluation.dealt import join_reading
from vision.doubt.piles import PILE_REACH_TILES, find_piles
from vision.evaluation.judge import compute_final_points


@pytest.fixture(scope="module")
def piled() -> Snapshot:
    _, reading, number = find_farmer()
    return build_snapshot(joined(heap(reading, number)))


def test_one_question_counts_all_that_lie_there(piled: Snapshot) -> None:
    (question,) = list_doubts(build_review(piled))
    assert question.about == "pile"
    read, *others = [choice.correction for choice in question.choices]
    ids = [f"m{len(piled.meeples)}", f"m{len(piled.meeples) + 1}"]
    assert read == SetPile(ids=ids, count=1)
    assert [other.count for other in others if isinstance(other, SetPile)] == [0, *range(2, 3 + UNSEEN_OF_PILE)]
    assert sum(choice.probability or 0 for choice in question.choices) == pytest.approx(1, abs=1e-3)
    assert [choice.probability is None for choice in question.choices[-3:]] == [False, True, True]
    for choice in question.choices:
        (correction,) = CORRECTIONS.validate_python([choice.correction.model_dump()])
        assert isinstance(correction, SetPile)
        review = build_review(piled, [correction])
        assert len(review.report.board.meeples) == len(piled.meeples) - 1 + correction.count
        points = {player: n for player, n in (choice.final_scoring or {}).items() if n}
        assert {p: n for p, n in review.report.scores.final_scoring.items() if n} == points
        assert not list_doubts(review)
        assert not review.report.doubts


def test_the_doubt_is_told_in_words(piled: Snapshot) -> None:
    (told, *_) = build_review(piled).report.doubts
    assert (told.about, told.instead.split()[0]) == ("pile", "0")
    for language, words in (("en", "no piece"), ("de", "keine Figur"), ("ro", "nicio piesă")):
        assert words in translate_doubt_sentence(load_words(language), told)


def test_farmers_of_one_colour_are_piled_where_they_lie_near_each_other() -> None:
    _, reading, number = find_farmer()
    near = heap(reading, number)
    (above,) = near.possible_meeples
    assert [pile.read for pile in find_piles(near.meeples, near.possible_meeples)] == [1]
    apart = replace(above, at=(above.at[0], above.at[1] + PILE_REACH_TILES))
    for other in (apart, replace(above, colour="orange"), replace(above, pose="standing")):
        assert not find_piles(near.meeples, (other,))


def test_an_oracle_counts_a_pile_with_one_answer() -> None:
    truth, reading, number = find_farmer()
    interview = interview_oracle(join_reading(grey_photo(), heap(reading, number)), truth)
    assert [final == compute_final_points(truth) for final in interview.finals] == [True, True]
    missed = heap(reading, number)
    gone = replace(missed, meeples=missed.meeples[:-1], possible_meeples=(missed.meeples[-1], *missed.possible_meeples))
    interview = interview_oracle(join_reading(grey_photo(), gone), truth)
    assert [final == compute_final_points(truth) for final in interview.finals] == [False, True]
    assert interview.settled
