"""A doubt that matters only together with another is described as such, in every language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from api.carcassonne.report.doubts import build_doubts
from api.i18n import load_words
from api.i18n.report_text import translate_doubt_sentence
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.doubt.kinds.base import Alternative
from scoring.carcassonne.doubt.kinds.meeple import AnotherMeeple, OtherPlace
from scoring.carcassonne.doubt.relevance import assess_score_doubts


def test_it_says_so_with_the_points_of_both() -> None:
    board = parse_notation("U0 red^0,0=rE")
    thief = board.meeples[0]
    board = replace(board, meeples=(thief, thief, thief, replace(thief, colour="blue")))
    red = next(number for number, meeple in enumerate(board.meeples) if meeple.colour == "red")
    doubted: list[Alternative] = [OtherPlace(red, None, 0.2), AnotherMeeple(replace(thief, colour="blue"), 0.3)]
    (told,) = build_doubts(assess_score_doubts(board, doubted), board)
    assert told.instead == "no meeple, together with blue on road:E in row 1, column 1"
    assert told.probability == pytest.approx(0.06)
    assert told.final_scoring == {"blue": 1, "red": 1}
    for language, words in (
        ("en", "together with meeple"),
        ("de", "zusammen mit Meeple"),
        ("ro", "împreună cu meeple"),
    ):
        assert words in translate_doubt_sentence(load_words(language), told)
