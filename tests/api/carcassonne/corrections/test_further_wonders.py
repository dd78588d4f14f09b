"""A wonder that was not read, but may lie there, is asked about by name; either answer settles it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from api.carcassonne.corrections.apply import Review, build_review
from api.carcassonne.questions.builder import build_questions
from api.carcassonne.questions.oracle import interview_oracle
from api.carcassonne.report.snapshot import build_snapshot
from api.documents.corrections import CORRECTIONS, Correction
from api.documents.question import Question
from api.documents.tile_corrections import NoWonder, SetTile, SetWonder, SetWonderOwner
from api.errors import CorrectionError
from scoring.carcassonne.final.scoring import compute_final_scoring
from tests.api.carcassonne.corrections.further import (
    KNIGHT,
    OWNER,
    PROBABILITY,
    WONDER,
    join_possible,
    keep,
    photograph,
)
from tests.readers import reader
from vision.evaluation.matching import match_reading
from vision.geometry.warp import project_square, project_to_photo
from vision.reading.values import WonderReading

NAMED = {
    "en": "This looks like Alhambra: is it?",
    "de": "Das sieht nach Alhambra aus: Stimmt das?",
    "ro": "Pare să fie Alhambra: așa este?",
}


def ask(corrections: list[Correction] | None = None, language: str = "en") -> tuple[Review, list[Question]]:
    review = build_review(keep(), CORRECTIONS.validate_python([c.model_dump() for c in corrections or []]))
    return review, build_questions(review, language)


def find_wonder() -> WonderReading:
    (wonder,) = join_possible().views[0].reading.possible_wonders
    return wonder


@pytest.mark.parametrize("language", NAMED)
def test_the_wonder_is_asked_about_by_name_before_its_unknown_squares(language: str) -> None:
    review, questions = ask(language=language)
    assert review.board.wonders == ()
    assert {*review.doubts.unknown} & {*find_wonder().placed.squares}
    assert [question.text for question in questions] == [NAMED[language]]
    (question,) = questions
    assert {*question.squares} == {*find_wonder().placed.squares}
    none, named = question.choices
    assert (none.correction.kind, named.correction.kind) == ("no_wonder", "wonder")
    assert (none.probability, named.probability) == (1 - PROBABILITY, PROBABILITY)
    assert named.final_scoring != none.final_scoring


def test_answering_yes_lays_the_wonder_with_its_edges_marker_and_points() -> None:
    _, truth = photograph()
    _, (question,) = ask()
    yes = question.choices[1]
    review, questions = ask([yes.correction])
    (placed,) = review.board.wonders
    assert placed.layout.id == WONDER.id
    match = match_reading(join_possible().views[0].reading, truth)
    (true,) = truth.board.wonders
    squares = {match.locate_square(square): square for square in placed.squares}
    assert squares.keys() == {*true.squares}
    assert match.step is not None
    assert {match.step.square(square) for square in true.squares} == {*placed.squares}
    assert sorted(placed.edges.values()) == sorted(true.edges.values())
    moved = match.move_wonder(true)
    assert moved is not None
    assert moved.edges == placed.edges
    points = compute_final_scoring(truth.board).totals
    assert dict(review.report.scores.final_scoring) == yes.final_scoring == dict(points)
    assert points[OWNER] > 0
    assert points[KNIGHT] > 0
    kinds = {(meeple.colour, meeple.pose): review.board.find_kind_below(meeple) for meeple in review.board.meeples}
    assert kinds == {(OWNER, "upside_down"): "wonder", (OWNER, "lying"): "field", (KNIGHT, "standing"): "city"}
    assert NAMED["en"] not in [question.text for question in questions]
    assert review.views[0].reading.possible_wonders == ()


def test_the_doubt_shows_the_points_that_yes_gives() -> None:
    review, (question,) = ask()
    (doubt,) = [doubt for doubt in review.report.doubts if doubt.values.get("wonder")]
    assert doubt.values["wonder"] == WONDER.id
    assert doubt.final_scoring == question.choices[1].final_scoring
    assert review.report.doubtful


def test_answering_no_removes_the_doubt_and_keeps_the_reading() -> None:
    before, (question,) = ask()
    review, questions = ask([question.choices[0].correction])
    assert review.board == before.board
    assert review.views[0].reading.possible_wonders == ()
    assert NAMED["en"] not in [question.text for question in questions]
    assert {question.square for question in questions} <= {*find_wonder().placed.squares}, (
        "now each tile is asked about"
    )
    with pytest.raises(CorrectionError) as refused:
        ask([question.choices[0].correction] * 2)
    assert refused.value.code == "no_wonder_there"


def test_a_wonder_that_is_not_possible_there_cannot_be_removed() -> None:
    row, col = next((tile.row, tile.col) for tile in keep().tiles if tile.tile is not None)
    with pytest.raises(CorrectionError) as refused:
        ask([NoWonder(row=row, col=col)])
    assert refused.value.code == "no_wonder_there"


def test_naming_a_tile_on_one_of_its_squares_rules_the_wonder_out() -> None:
    row, col = find_wonder().placed.squares[2]
    review, questions = ask([SetTile(row=row, col=col, tile="K")])
    assert review.views[0].reading.possible_wonders == ()
    assert NAMED["en"] not in [question.text for question in questions]


def test_ruling_out_one_placement_keeps_the_total_probability_of_the_others() -> None:
    wonder, joined = find_wonder(), join_possible()
    (row, col), turned = wonder.placed.squares[0], replace(wonder.placed, anchor=(90, 90))
    view = joined.views[0]
    reading = replace(view.reading, possible_wonders=(replace(wonder, alternatives=((turned, 0.3),)),))
    snapshot = build_snapshot(replace(joined, views=(replace(view, reading=reading),)))
    review = build_review(snapshot, [SetTile(row=row, col=col, tile="K")])
    (left,) = review.views[0].reading.possible_wonders
    assert left.placed.squares == turned.squares
    assert left.probability == pytest.approx(0.3 / (1 - PROBABILITY))


def test_laying_the_same_wonder_elsewhere_rules_it_out() -> None:
    rows, cols = zip(*((tile.row, tile.col) for tile in keep().tiles), strict=True)
    elsewhere = SetWonder(wonder="alhambra", row=max(rows) + 3, col=min(cols), turns=0)
    review, _ = ask([elsewhere])
    assert len(review.board.wonders) == 1
    assert review.views[0].reading.possible_wonders == ()


def test_the_owner_can_be_set_after_the_answer_yes() -> None:
    _, (question,) = ask()
    review, _ = ask([question.choices[1].correction, SetWonderOwner(wonder="alhambra", colour=KNIGHT)])
    markers = [m.colour for m in review.board.meeples if review.board.find_kind_below(m) == "wonder"]
    assert markers == [KNIGHT]
    assert sum(meeple.colour == OWNER for meeple in review.board.meeples) == 1


def test_the_oracle_answers_the_question_correctly() -> None:
    _, truth = photograph()
    interview = interview_oracle(join_possible(), truth)
    points = {player: total for player, total in compute_final_scoring(truth.board).totals.items() if total}
    assert interview.finals[0] != points
    assert interview.finals[1] == interview.finals[-1] == points


def test_the_oracle_answers_no_if_another_tile_lies_there() -> None:
    _, truth = photograph()
    bare = replace(truth, board=replace(truth.board, tiles=dict.fromkeys(truth.board.tiles), meeples=()))
    finals = interview_oracle(join_possible(), bare).finals
    assert all(not points for points in finals)


def test_the_reader_recognises_the_marker_of_a_wonder_by_its_look() -> None:
    photo, _ = photograph()
    reading = reader().read(photo)
    (marker,) = [meeple for meeple in reading.meeples if meeple.pose == "upside_down"]
    assert (marker.colour, marker.on_head > 0.5) == (OWNER, True)
    assert all(meeple.on_head < 0.1 for meeple in reading.meeples if meeple is not marker)


def test_a_no_on_any_square_rules_out_the_wonder() -> None:
    """Its ways may share no square, and the question is put at the likeliest that is left."""
    wonder, joined = find_wonder(), join_possible()
    row, col = wonder.placed.anchor
    aside = replace(wonder.placed, anchor=(row, col + 1))
    view = joined.views[0]
    reading = replace(view.reading, possible_wonders=(replace(wonder, alternatives=((aside, 0.3),)),))
    snapshot = build_snapshot(replace(joined, views=(replace(view, reading=reading),)))
    square = next(square for square in aside.squares if square not in wonder.placed.squares)
    review = build_review(snapshot, [NoWonder(row=square[0], col=square[1])])
    assert review.views[0].reading.possible_wonders == ()


def test_the_picture_shows_a_wonders_squares_without_read_tiles() -> None:
    review, (before,) = ask()
    (view,) = review.views
    squares = {*find_wonder().placed.squares}
    left = tuple(tile for tile in view.reading.tiles if (tile.row, tile.col) not in squares)
    reading = replace(view.reading, tiles=left)
    (question,) = build_questions(replace(review, views=(replace(view, reading=reading),)))
    assert {*question.squares} == {*before.squares} == squares
    centres = project_to_photo(reading.warp, np.array([(col + 0.5, row + 0.5) for row, col in squares]))
    quad = np.array(question.quad_px, np.float32)
    assert all(cv2.pointPolygonTest(quad, (float(x), float(y)), measureDist=False) > 0 for x, y in centres)


def test_a_square_beside_tiles_has_corners_unless_it_is_behind_the_camera() -> None:
    reading = join_possible().views[0].reading
    for tile in reading.tiles:
        corners = project_square(reading.warp, (tile.row, tile.col))
        assert corners is not None
        assert np.abs(corners - np.roll(tile.corners_px, tile.turns, axis=0)).max() < 2
    tilted = replace(
        reading.warp, homography=np.array([[100.0, 0, 0], [0, 100, 0], [0, 0.1, 1]]), nodes={(0, 0): (0.0, 0.0)}
    )
    assert project_square(tilted, (0, 0)) is not None
    assert project_square(tilted, (-20, 0)) is None
