"""Doubts about one wonder are distinguished in words: by its edges, or by its first square."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from api.carcassonne.report.builder import build_board_report
from api.carcassonne.report.doubts import build_doubts
from api.documents.report import Doubt
from api.i18n import load_words
from api.i18n.remarks import list_remarks
from api.i18n.report_text import translate_doubt_sentence
from api.languages import LANGUAGES
from scoring.carcassonne.doubt.kinds.wonder import OtherWonder
from scoring.carcassonne.doubt.relevance import ScoreChange, ScoreDoubts
from tests.api.carcassonne.report.copied import copy_of, dealt_with

SEEDS = range(4, 8)


def build_wonder_doubts() -> list[Doubt]:
    """Return doubts: the copy that was read may be one of four others, or lie a square further south, or east."""
    board = dealt_with(copy_of())
    (here,) = board.wonders
    row, col = here.anchor
    others = [replace(here, layout=copy_of(seed=seed)) for seed in SEEDS]
    others += [replace(here, anchor=anchor) for anchor in ((row + 1, col), (row, col + 1))]
    changes = tuple(ScoreChange(OtherWonder(here.squares, other, 0.1), {"red": 1}) for other in others)
    return list(build_doubts(ScoreDoubts(changes, 0.4, ()), board))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_sentences_are_alike_and_none_has_an_id(language: str) -> None:
    board, words = dealt_with(copy_of()), load_words(language)
    sentences = [translate_doubt_sentence(words, doubt, board.origin) for doubt in build_wonder_doubts()]
    assert len({*sentences}) == len(sentences) == len(SEEDS) + 2
    assert not [sentence for sentence in sentences if "WH/" in sentence or re.search(r"\d,\d", sentence)]


def test_the_command_line_tells_them_apart_by_what_lies_where() -> None:
    report = build_board_report(dealt_with(copy_of()))
    report.doubts, report.doubtful = build_wonder_doubts(), True
    lines = [line for line in list_remarks(report) if "may be Alhambra" in line]
    assert len({*lines}) == len(lines) == len(SEEDS) + 2
    assert all(re.search(r"at the (north|east|south|west) of row|starting at row", line) for line in lines)
    assert not [line for line in lines if "turned" in line]
