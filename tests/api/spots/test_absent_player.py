"""A player who was read from a dark paper over the track, where nobody plays that colour, can be answered away."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from api.documents.question import SpotAnswer
from api.documents.tile_corrections import SetPlayerColour
from api.languages import LANGUAGES
from api.spots.inputs import parse_spot_corrections
from api.spots.oracle import interview_table
from api.spots.questions import build_spot_questions
from api.spots.review import build_table_review
from api.spots.snapshot import SpotSnapshot, build_table_snapshot
from api.spots.table_text import list_remarks
from datasets.tower_of_babel.deal import Deal, deal_game
from datasets.tower_of_babel.plan import list_track_middles
from datasets.tower_of_babel.shots import shoot
from datasets.tower_of_babel.staging import stage_table
from scoring.player_colours import NOBODY
from scoring.spots.text import SpotLabel, SpotTable
from scoring.tower_of_babel.game import GAME
from tests.vision.tower_of_babel.papyrus import MANNER, draw_papyrus, enrol_papyrus
from vision.evaluation.spot_judge import Truth
from vision.flat_boards.reading import TableReading
from vision.photo.decoding import Photo
from vision.tower_of_babel.reader import build_reader

PAPER_MM = np.array([(191.0, 3.0), (209.0, 3.0), (211.0, 18.0), (191.0, 21.0)])
"""A dark paper over a space of the track."""


@pytest.fixture(scope="module")
def covered() -> tuple[Deal, TableReading]:
    """Return a game without black, and the reading of a photo with the paper."""
    rng = np.random.default_rng(42)
    deal = deal_game(rng, len(list_track_middles()) - 1)
    assert deal.players == ("red", "green", "blue")
    image = shoot(draw_papyrus(), stage_table(deal, rng), "wood", MANNER, rng).image
    reader = build_reader(enrol_papyrus())

    def to_photo() -> Photo:
        return Photo.from_bytes(cv2.imencode(".png", image)[1].tobytes(), "table.png")

    corners = reader._finder.find(to_photo().halves).to_photo(PAPER_MM)
    cv2.fillConvexPoly(image, np.rint(corners).astype(np.int32), (25, 25, 28))
    return deal, reader.read([to_photo()])


@pytest.fixture(scope="module")
def snapshot(covered: tuple[Deal, TableReading]) -> SpotSnapshot:
    return build_table_snapshot(covered[1], GAME.name, enrol_papyrus().components)


def find_absence(snapshot: SpotSnapshot, language: str = "en") -> SpotAnswer:
    """Return the answer that black did not play."""
    questions = build_spot_questions(build_table_review(snapshot), language)
    (answer,) = (
        choice
        for question in questions
        for choice in question.choices
        if choice.correction == SetPlayerColour(colour="black", instead=NOBODY)
    )
    return answer


def test_a_player_with_a_counter_alone_is_asked_about(snapshot: SpotSnapshot) -> None:
    assert "black" in snapshot.players
    review = build_table_review(snapshot)
    assert review.report.doubtful
    assert any("--set colour.black=none" in remark for remark in list_remarks(review.report))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_answer_says_that_the_player_did_not_play(snapshot: SpotSnapshot, language: str) -> None:
    answer = find_absence(snapshot, language)
    assert answer.label != answer.value
    assert answer.final_scoring is not None
    assert "black" not in answer.final_scoring


def test_the_answer_and_its_word_remove_the_player(snapshot: SpotSnapshot) -> None:
    (word,) = parse_spot_corrections(["colour.black=none"])
    assert word == find_absence(snapshot).correction
    review = build_table_review(snapshot, [word])
    assert review.table.players == ("red", "green", "blue")
    assert "track.black" not in {spot.id for spot in review.table.spots}
    assert "black" not in {doubt.player for doubt in review.report.doubts}


def test_the_label_answers_that_the_player_did_not_play(covered: tuple[Deal, TableReading]) -> None:
    deal, reading = covered
    components = enrol_papyrus().components
    label = SpotLabel("table.png", SpotTable(GAME.name, deal.players, deal.laid()))
    interview = interview_table(reading, Truth.of(label, GAME, GAME.components(components)), components)
    assert "black" in interview.finals[0]
    assert "black" not in interview.finals[-1]
