"""Boards that do not identify their owner: each is read and scored apart, and a question asks for the owner."""

from __future__ import annotations

import numpy as np
import pytest

from api.documents.corrections import Correction
from api.spots.labelled_table import LabelledTable
from api.spots.questions import AskedDoubt, ask_doubts
from api.spots.review import build_table_review
from api.spots.snapshot import SpotSnapshot
from datasets.world_wonders.tables import Shot, shoot
from scoring.world_wonders.game import GAME
from tests.api.spots.conftest import ART, build_enrolment, to_photo
from vision.enrolment.games import GameEnrolment
from vision.evaluation.spot_judge import Truth
from vision.world_wonders.reader import build_reader

MIN_RIGHT_SHARE = 0.95


@pytest.fixture(scope="module")
def truth(shot: Shot, snapshot: SpotSnapshot) -> Truth:
    return Truth.of(shot.label, GAME, GAME.components(snapshot.components))


def list_colour_questions(snapshot: SpotSnapshot, corrections: list[Correction]) -> list[AskedDoubt]:
    asked = ask_doubts(build_table_review(snapshot, corrections))
    return [one for one in asked if one.question.about == "colour"]


def test_both_boards_are_read_apart_and_it_is_asked_whose_each_is(snapshot: SpotSnapshot, shot: Shot) -> None:
    assert len(shot.label.table.players) == len(snapshot.players) == 2
    questions = list_colour_questions(snapshot, [])
    assert questions
    assert all(len(asked.question.quad_px) == 4 for asked in questions)
    assert build_table_review(snapshot).report.doubtful


def test_once_it_is_told_the_boards_are_those_of_their_players(snapshot: SpotSnapshot, truth: Truth) -> None:
    table, corrections = LabelledTable(truth), list[Correction]()
    while questions := list_colour_questions(snapshot, corrections):
        kind, question = questions[0]
        corrections += kind.find_truth(question, table, build_table_review(snapshot, corrections))
        assert len(corrections) <= 2
    review = build_table_review(snapshot, corrections)
    assert {*review.report.rules.players} == {*truth.table.players}
    for player in truth.table.players:
        own_squares = [id for id in truth.shown if id.startswith(f"map.{player}.")]
        right = [
            str(review.table.laid[id]).partition("#")[0].replace("monument", "")
            in (str(truth.table.laid[id]).partition("#")[0], "")
            for id in own_squares
        ]
        assert np.mean(right) >= MIN_RIGHT_SHARE


def test_a_photo_for_each_player_is_read_as_one_table() -> None:
    enrolment = build_enrolment()
    shots = [shoot("table", ART, "A", (70.0, 80.0), np.random.default_rng(seed), ("wood",), 0.8) for seed in (17, 5)]
    reading = build_reader(enrolment).read([to_photo(shot.image, f"{n}.png") for n, shot in enumerate(shots)])
    assert len(reading.players) == len(reading.photos) == 2
    assert {spot.photo for spot in reading.spots} == {0, 1}
    assert reading.renames


def test_pieces_of_no_known_shape_are_not_doubted_square_by_square() -> None:
    enrolment = build_enrolment()
    text = "\n".join(
        line for line in enrolment.components.splitlines() if not line.startswith(("[[buildings", "shape ="))
    )
    shot = shoot("table", ART, "A", (70.0, 80.0), np.random.default_rng(17), ("wood",), 0.9)
    reading = build_reader(GameEnrolment(GAME.name, text, enrolment.pictures)).read([to_photo(shot.image, "one.png")])
    doubted = [
        spot.id
        for spot in reading.spots
        if any(
            likely > 0.5 and str(value).partition("#")[0] == str(spot.value).partition("#")[0]
            for value, likely in spot.alternatives
        )
    ]
    assert doubted == []
