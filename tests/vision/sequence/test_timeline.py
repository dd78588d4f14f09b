"""Photos of one growing board aligned in one lattice: when each tile was laid, by surveys of known boards."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.tiles.geometry import Square
from tests.vision.surveys import CATALOGUE, survey_of
from vision.errors import ReadingError
from vision.geometry.lattice_transform import Step
from vision.sequence.timeline import Timeline, build_timeline
from vision.survey.survey import PlacedSurvey, Survey

LAID = deal_random_board(Random(5), tiles=40)
ORDER = sorted(LAID.tiles)
"""Any order works: nothing here asks whether tiles touch."""
TURNED = [Step(1, 4, -7), Step(), Step(3, 0, 2), Step(2, -1, 5)]

AROUND = ((-1, 0), (1, 0), (0, -1), (0, 1))


def grown(*counts: int, of: Board = LAID) -> list[Survey]:
    """Return photos of the first tiles, such a number each, every one in a lattice of its own."""
    return [
        survey_of(of, TURNED[n % 4], only=sorted(of.tiles)[:count], seed=n, name=f"{n}.jpg")
        for n, count in enumerate(counts)
    ]


def found(timeline: Timeline) -> dict[Square, int]:
    """Return the photo that shows each tile first, by the board's own squares, from the first photo's lattice."""
    first = timeline.placed[0]
    back = TURNED[int(first.survey.photo.file[0]) % 4].inverse()
    return {back.square(first.step.inverse().square(square)): since for square, since in timeline.since.items()}


@settings(max_examples=3)
@given(st.lists(st.integers(8, 40), min_size=2, max_size=3).map(sorted))
def test_each_tile_is_there_since_the_photo_that_shows_it_first(counts: list[int]) -> None:
    timeline = build_timeline(grown(*counts), CATALOGUE)
    true = {
        square: next(n for n, count in enumerate(counts) if i < count) for i, square in enumerate(ORDER[: counts[-1]])
    }
    assert found(timeline) == true
    assert all(timeline.since[square] for square in timeline.unsure)  # beyond the border of an earlier photo
    assert not timeline.apart


def test_a_tile_overlooked_in_between_has_lain_there_all_the_time() -> None:
    surveys = grown(20, 30, 40)
    surveys[1] = survey_of(LAID, TURNED[1], only=[*ORDER[:5], *ORDER[6:30]], seed=1, name="1.jpg")
    timeline = build_timeline(surveys, CATALOGUE)
    assert found(timeline)[ORDER[5]] == 0
    assert len(timeline.since) == 40


def test_photos_in_the_wrong_order_are_refused() -> None:
    inside = [s for s in ORDER if all((s[0] + down, s[1] + right) in LAID.tiles for down, right in AROUND)]
    some = [square for square in ORDER if square not in inside[:3]]
    with pytest.raises(ReadingError) as caught:
        build_timeline([survey_of(LAID, name="0.jpg"), survey_of(LAID, only=some, seed=1, name="1.jpg")], CATALOGUE)
    assert caught.value.code == "photos_out_of_order"
    assert caught.value.details == {"earlier": "0.jpg", "later": "1.jpg", "tiles": len(inside[:3])}


def test_a_tile_overlooked_while_another_is_laid_ends_no_series() -> None:
    """The earlier photo's lattice holds the square of the later tile too, on which it sees the bare table."""
    surveys = [
        survey_of(LAID, TURNED[0], only=ORDER[:20], bare=ORDER[20:22], name="0.jpg"),
        survey_of(LAID, TURNED[1], only=[*ORDER[:5], *ORDER[6:21]], seed=1, name="1.jpg"),
    ]
    timeline = build_timeline(surveys, CATALOGUE)
    assert timeline.stopped is None
    assert found(timeline) == {square: n // 20 for n, square in enumerate(ORDER[:21])}


@pytest.mark.parametrize("last", [10, 20])
def test_a_photo_that_goes_back_ends_the_series_before_it(last: int) -> None:
    growing, back = grown(10, 20, 30), survey_of(LAID, only=ORDER[:last], seed=7, name="back.jpg")
    timeline = build_timeline([*growing, back, survey_of(LAID, seed=8, name="later.jpg")], CATALOGUE)
    assert [view.survey.photo.file for view in timeline.placed] == ["0.jpg", "1.jpg", "2.jpg"]
    assert len(timeline.since) == 30
    assert min(row for row, _ in timeline.since) == min(col for _, col in timeline.since) == 0
    assert [survey.photo.file for survey in timeline.left_out] == ["back.jpg", "later.jpg"]
    assert timeline.stopped is not None
    assert timeline.stopped.code == "photos_out_of_order"
    assert timeline.stopped.details == {"earlier": "2.jpg", "later": "back.jpg", "tiles": 30 - last}


def test_a_photo_of_another_table_is_told_apart() -> None:
    other = survey_of(deal_random_board(Random(8), tiles=30), name="other.jpg")
    for place in range(3):
        surveys = grown(20, 30)
        surveys.insert(place, other)
        timeline = build_timeline(surveys, CATALOGUE)
        assert [survey.photo.file for survey, _ in timeline.apart] == ["other.jpg"]
        assert [view.survey.photo.file for view in timeline.placed] == ["0.jpg", "1.jpg"]


def test_squares_are_counted_from_0() -> None:
    timeline = build_timeline(grown(20, 30), CATALOGUE)
    placed: PlacedSurvey
    for placed in timeline.placed:
        assert min(row for row, _ in placed.index) >= 0
    assert min(row for row, _ in timeline.since) == min(col for _, col in timeline.since) == 0
