"""Questions about a table of spots are ordered by their worth."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from api.documents.question import SpotQuestion
from api.spots.questions import build_spot_questions
from api.spots.review import TableReview, build_table_review
from api.spots.snapshot import SpotSnapshot
from api.spots.table_text import list_remarks
from tests.api.spots_seen import babel, wonders


@pytest.fixture(scope="module")
def review(snapshot: SpotSnapshot) -> TableReview:
    """Return the review of a reading with unidentified boards, one of which has a marker in an unknown place."""
    spots = tuple(spot for spot in snapshot.spots if spot.id != f"resource.{snapshot.players[0]}.population")
    renames = tuple((names, 0.2) for names, _ in snapshot.renames[:1])  # as if a frame's colour were uncertain
    return build_table_review(snapshot.model_copy(update={"spots": spots, "renames": renames}))


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


def test_questions_about_owners_come_before_questions_about_contents(review: TableReview) -> None:
    questions = build_spot_questions(review)
    first = next(number for number, question in enumerate(questions) if question.about == "spot")
    missing = f"resource.{review.table.players[0]}.population"
    assert first > 0
    assert missing in [question.spot for question in questions[first:]]


def test_unknown_values_are_ranked_among_the_doubts(review: TableReview) -> None:
    questions = [question for question in build_spot_questions(review) if question.about == "spot"]
    missing = f"resource.{review.table.players[0]}.population"
    worth = {question.spot: count_worth(question, review.scored.totals) for question in questions}
    assert worth[missing] > 0.5
    at = [question.spot for question in questions].index(missing)
    certain = [question.spot for question in questions[:at] if question.choices[0].probability is not None]
    assert all(worth[spot] >= 0.9 * worth[missing] for spot in certain)


def test_a_number_on_a_long_track_is_typed_not_selected() -> None:
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


def test_a_counters_effect_is_counted_in_all_points() -> None:
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


def see_two_habitations(others: Mapping[str, str]) -> SpotSnapshot:
    """Return two habitations of two squares each, of which some squares may hold another piece."""
    squares = ("0.0=habitation#1", "0.1=habitation#1", "1.0=habitation#2", "1.1=habitation#2")
    table = wonders(" ".join(f"map.red.{square}" for square in squares))
    spots = tuple(
        spot.model_copy(update={"confidence": 0.8, "alternatives": ((others[spot.id], 0.2),)})
        if spot.id in others
        else spot
        for spot in table.spots
    )
    return table.model_copy(update={"spots": spots})


def list_asked(review: TableReview) -> list[SpotQuestion]:
    return [question for question in build_spot_questions(review) if question.spot.startswith("map.")]


def test_a_doubt_about_a_part_of_a_piece_asks_about_all_of_it() -> None:
    (question,) = list_asked(build_table_review(see_two_habitations({"map.red.0.1": "habitation#3"})))
    assert question.spots == ["map.red.0.0", "map.red.0.1"]


def test_whether_two_pieces_are_one_is_asked_about_one_of_them() -> None:
    joined = {f"map.red.{row}.{col}": f"habitation#{2 - row}" for row in (0, 1) for col in (0, 1)}
    table = see_two_habitations(joined)
    first, second = list_asked(build_table_review(table))
    assert {*first.spots, *second.spots} == {*joined}
    for choice in first.choices:
        assert not list_asked(build_table_review(table, [choice.correction])), choice.label
