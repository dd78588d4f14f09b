"""A resource board without its map: its owner may play, so nothing is certain until a person answers."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from api.documents.spot_corrections import SetPlayers
from api.languages import LANGUAGES
from api.spots.questions import build_spot_questions
from api.spots.review import build_table_review
from api.spots.snapshot import SpotSnapshot, build_table_snapshot
from datasets.world_wonders.scene import BOARD_MM
from datasets.world_wonders.tables import Shot
from scoring.world_wonders.game import GAME
from tests.api.spots.conftest import ART
from tests.vision.world_wonders.drawn_tables import enrolled
from vision.photo.decoding import Photo
from vision.world_wonders.reader import build_reader

COVERED_GREY = 120


@pytest.fixture(scope="module")
def snapshot(shot: Shot) -> SpotSnapshot:
    """Return the reading of a photo with the second player's map beneath a cloth."""
    sheet = shot.scene.seats[1].sheets["map"]
    corners = shot.scene.camera.project(np.column_stack([sheet.corners, np.full(4, BOARD_MM)]))
    image = shot.image.copy()
    cv2.fillConvexPoly(image, np.rint(corners).astype(np.int32), (COVERED_GREY,) * 3)
    enrolment = enrolled(ART, shot.label.table.players)
    photo = Photo.from_bytes(cv2.imencode(".png", image)[1].tobytes(), "table.png")
    return build_table_snapshot(build_reader(enrolment).read([photo]), GAME.name, enrolment.components)


def get_hidden_player(shot: Shot) -> str:
    city = shot.scene.seats[1].city
    assert city is not None
    return city.colour


def test_the_owner_of_a_hidden_map_is_a_player_without_known_squares(snapshot: SpotSnapshot, shot: Shot) -> None:
    player = get_hidden_player(shot)
    assert set(snapshot.players) == set(shot.label.table.players)
    assert any(spot.id.startswith(f"resource.{player}.") for spot in snapshot.spots)
    assert not any(spot.id.startswith(f"map.{player}.") for spot in snapshot.spots)
    assert build_table_review(snapshot).report.doubtful


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_question_asks_whether_the_hidden_player_plays(snapshot: SpotSnapshot, shot: Shot, language: str) -> None:
    player = get_hidden_player(shot)
    questions = build_spot_questions(build_table_review(snapshot), language)
    mine = [question for question in questions if any(spot.startswith(f"map.{player}.") for spot in question.spots)]
    assert mine == [questions[0]]
    assert len(questions[0].quad_px) == 4
    assert questions[0].label in (questions[0].text or "")
    assert [type(choice.correction) for choice in questions[0].choices] == [SetPlayers]


def test_the_answer_settles_the_hidden_players_squares(snapshot: SpotSnapshot, shot: Shot) -> None:
    player = get_hidden_player(shot)
    (absent,) = build_spot_questions(build_table_review(snapshot))[0].choices
    review = build_table_review(snapshot, [absent.correction])
    assert player not in review.table.players
    assert not any(f".{player}." in id for id in review.doubts.unknown)


def read_apart(shot: Shot, is_map_first: bool) -> SpotSnapshot:
    """Return the reading of two photos: the second player's map in one, that player's resource board in the other."""
    photos = []
    for kind in ("resources", "map") if is_map_first else ("map", "resources"):
        image = shot.image.copy()
        corners = shot.scene.camera.project(
            np.column_stack([shot.scene.seats[1].sheets[kind].corners, np.full(4, BOARD_MM)])
        )
        cv2.fillConvexPoly(image, np.rint(corners).astype(np.int32), (COVERED_GREY,) * 3)
        photos.append(Photo.from_bytes(cv2.imencode(".png", image)[1].tobytes(), f"{kind}.png"))
    enrolment = enrolled(ART, shot.label.table.players)
    return build_table_snapshot(build_reader(enrolment).read(photos), GAME.name, enrolment.components)


@pytest.mark.soak
@pytest.mark.parametrize("is_map_first", [True, False])
def test_a_map_and_its_resource_board_may_be_in_two_photos(shot: Shot, is_map_first: bool) -> None:
    player = get_hidden_player(shot)
    snapshot = read_apart(shot, is_map_first)
    assert set(snapshot.players) == set(shot.label.table.players)
    photos = {
        kind: {spot.photo for spot in snapshot.spots if spot.id.startswith(f"{kind}.{player}.")}
        for kind in ("map", "resource")
    }
    assert photos == {"map": {0 if is_map_first else 1}, "resource": {1 if is_map_first else 0}}
