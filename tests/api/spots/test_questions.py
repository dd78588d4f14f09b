"""Questions about tables of spots: their order, players' colours, and maps that no photo shows."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import pytest

from api.documents.corrections import CORRECTIONS, Correction
from api.documents.question import SpotQuestion
from api.documents.spot_corrections import SetPlayers
from api.errors import CorrectionError
from api.languages import LANGUAGES
from api.spots.questions import build_spot_questions
from api.spots.review import TableReview, build_table_review
from api.spots.snapshot import SpotSnapshot, build_table_snapshot
from api.spots.table_text import list_remarks
from api.spots.text import translate_spot_doubt
from datasets.world_wonders.scene import BOARD_MM
from datasets.world_wonders.tables import Shot
from scoring.world_wonders.game import GAME
from tests.api.spots.conftest import ART
from tests.api.spots_seen import babel
from tests.vision.world_wonders.drawn_tables import enrolled
from vision.photo.decoding import Photo
from vision.world_wonders.reader import build_reader


@pytest.fixture(scope="module")
def review(snapshot: SpotSnapshot) -> TableReview:
    """Return the review of a reading with unidentified boards, one of which has a marker in an unknown place."""
    spots = tuple(spot for spot in snapshot.spots if spot.id != f"resource.{snapshot.players[0]}.population")
    return build_table_review(snapshot.model_copy(update={"spots": spots}))


def count_moved(totals: Mapping[str, int] | None, now: Mapping[str, int]) -> int:
    return 0 if totals is None else sum(abs(totals.get(name, 0) - now.get(name, 0)) for name in {*totals, *now})


def count_worth(question: SpotQuestion, now: Mapping[str, int]) -> float:
    """Return the expected worth: the stated probabilities, and equal shares of the remainder for the other values."""
    others = [choice for choice in question.choices if choice.probability is None and choice.final_scoring is not None]
    left = max(0.0, 1 - sum(choice.probability or 0.0 for choice in question.choices))
    each = left / len(others) if others else 0.0
    return sum(
        (each if choice.probability is None else choice.probability) * count_moved(choice.final_scoring, now)
        for choice in question.choices
    )


def test_whose_something_is_comes_before_what_it_is(review: TableReview) -> None:
    questions = build_spot_questions(review)
    first = next(number for number, question in enumerate(questions) if question.about == "spot")
    missing = f"resource.{review.table.players[0]}.population"
    assert first > 0
    assert missing in [question.spot for question in questions[first:]]


def test_what_nobody_knows_is_ranked_with_the_doubts(review: TableReview) -> None:
    questions = [question for question in build_spot_questions(review) if question.about == "spot"]
    missing = f"resource.{review.table.players[0]}.population"
    worth = {question.spot: count_worth(question, review.scored.totals) for question in questions}
    assert worth[missing] > 0.5
    at = [question.spot for question in questions].index(missing)
    certain = [question.spot for question in questions[:at] if question.choices[0].probability is not None]
    assert all(worth[spot] >= 0.9 * worth[missing] for spot in certain)


def test_a_number_of_a_whole_track_is_typed_not_chosen() -> None:
    """None of more than a hundred is more likely than another; it is reported as unknown."""
    table = babel(3, doubts=0)
    spots = tuple(spot for spot in table.spots if spot.id != "track.black")
    review = build_table_review(table.model_copy(update={"spots": spots}))
    assert "track.black" in [doubt.spot for doubt in review.report.doubts]
    assert review.report.scores.total["black"] is None
    assert review.report.scores.winners == []
    questions = build_spot_questions(review)
    assert questions
    assert "track.black" not in [question.spot for question in questions]


def test_what_a_counter_may_change_is_told_in_all_points() -> None:
    """Points on the track count like those of the final scoring."""
    table = babel(3, doubts=0)
    now = next(int(spot.value) for spot in table.spots if spot.id == "track.black")
    spots = tuple(
        spot.model_copy(update={"confidence": 0.6, "alternatives": ((now + 30, 0.4),)})
        if spot.id == "track.black"
        else spot.model_copy(update={"confidence": 0.9, "alternatives": ((spot.value + 1, 0.1),)})
        if spot.id == "track.red" and isinstance(spot.value, int)
        else spot
        for spot in table.spots
    )
    review = build_table_review(table.model_copy(update={"spots": spots}))
    scores = review.report.scores
    questions = build_spot_questions(review)
    first, second = (question for question in questions if question.spot.startswith("track"))
    assert [first.spot, second.spot] == ["track.black", "track.red"]
    assert [choice.on_track["black"] for choice in first.choices] == [now, now + 30]
    assert [choice.final_scoring for choice in first.choices] == [scores.final_scoring] * 2
    doubt = next(doubt for doubt in review.report.doubts if doubt.spot == "track.black")
    assert doubt.on_track == {**scores.on_track, "black": now + 30}
    (line,) = [line for line in list_remarks(review.report) if "track.black=" in line]
    points = {player: scores.total[player] for player in scores.total} | {"black": (scores.total["black"] or 0) + 30}
    assert f"then {', '.join(f'{player} {points[player]}' for player in scores.final_scoring)} [" in line


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


def test_who_a_player_is_is_asked_before_what_the_player_has() -> None:
    questions = build_spot_questions(build_table_review(draw_snapshot((FREE, 0.2)), []))
    assert [question.about for question in questions[:2]] == ["colour", "spot"]
    assert any(question.spot.startswith("held.yellow") for question in questions)


@pytest.mark.parametrize("colour", ["green", "black"])
def test_the_answer_renames_all_that_is_theirs_and_settles_it(colour: str) -> None:
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


def test_who_is_named_as_read_is_asked_no_more() -> None:
    snapshot = draw_snapshot((FREE, 0.2))
    question = list_questions(snapshot, [])[0]
    review = build_table_review(snapshot, [question.choices[0].correction])
    assert not [doubt for doubt in review.report.doubts if doubt.player]
    assert list_questions(snapshot, [question.choices[0].correction]) == []


def test_a_colour_that_the_game_has_not_is_refused() -> None:
    wrong = CORRECTIONS.validate_python([{"kind": "player_colour", "colour": "yellow", "instead": "pink"}])
    with pytest.raises(CorrectionError) as caught:
        build_table_review(draw_snapshot(), wrong)
    assert caught.value.code == "colour_unknown"


@pytest.mark.parametrize("instead", ["green", "yellow"])
def test_who_does_not_play_takes_nobodys_pieces(instead: str) -> None:
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


def test_colours_that_two_players_would_share_are_no_doubt() -> None:
    assert not list_questions(draw_snapshot(({"yellow": "black"}, 0.3)), [])


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


def test_who_has_it_is_a_player_of_whom_no_square_is_known(snapshot: SpotSnapshot, shot: Shot) -> None:
    player = get_hidden_player(shot)
    assert set(snapshot.players) == set(shot.label.table.players)
    assert any(spot.id.startswith(f"resource.{player}.") for spot in snapshot.spots)
    assert not any(spot.id.startswith(f"map.{player}.") for spot in snapshot.spots)
    assert build_table_review(snapshot).report.doubtful


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_asked_once_whether_they_play(snapshot: SpotSnapshot, shot: Shot, language: str) -> None:
    player = get_hidden_player(shot)
    questions = build_spot_questions(build_table_review(snapshot), language)
    mine = [question for question in questions if any(spot.startswith(f"map.{player}.") for spot in question.spots)]
    assert mine == [questions[0]]
    assert len(questions[0].quad_px) == 4
    assert questions[0].label in (questions[0].text or "")
    assert [type(choice.correction) for choice in questions[0].choices] == [SetPlayers]


def test_the_answer_settles_their_squares(snapshot: SpotSnapshot, shot: Shot) -> None:
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


@pytest.mark.parametrize("is_map_first", [True, pytest.param(False, marks=pytest.mark.soak)])
def test_a_map_and_its_resource_board_may_be_in_two_photos(shot: Shot, is_map_first: bool) -> None:
    player = get_hidden_player(shot)
    snapshot = read_apart(shot, is_map_first)
    assert set(snapshot.players) == set(shot.label.table.players)
    photos = {
        kind: {spot.photo for spot in snapshot.spots if spot.id.startswith(f"{kind}.{player}.")}
        for kind in ("map", "resource")
    }
    assert photos == {"map": {0 if is_map_first else 1}, "resource": {1 if is_map_first else 0}}
