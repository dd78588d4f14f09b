"""The snapshot of a reading: text and back, and exactly the report that the photo gave."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.carcassonne.corrections.board_edit import Amended
from api.carcassonne.corrections.rebuild import rebuild_views
from api.carcassonne.report.score_track import add_track_points
from api.carcassonne.report.several_photos import build_joined_report
from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from api.documents.report import Report, SetAside
from scoring.carcassonne.final.rulesets import TODAY, get_ruleset
from scoring.carcassonne.final.table import Table
from tests.api.carcassonne.report.timeless import timeless
from tests.api.corrected import build_corrected_report
from tests.api.doubted import doubted, held, joined, small, view_of, wondrous
from tests.api.tables_read import reading_of
from tests.readers import reader
from vision.multiview.reading import JoinedReading
from vision.photo.decoding import Photo
from vision.reading.board import build_board

EXAMPLES = Path(__file__).parents[4] / "datasets" / "examples"
seeds = st.integers(0, 10_000)


def as_scored(read: JoinedReading, rules: str = TODAY.name, typed: dict[str, int] | None = None) -> Report:
    """Return the report that `score` gives."""
    report = build_joined_report(read, get_ruleset(rules), Table(tuple(typed or ())))
    return add_track_points(report, typed or {}, get_ruleset(rules))


@settings(max_examples=5, deadline=None)
@given(seeds, st.integers(1, 2))
def test_what_is_kept_reads_back(seed: int, photos: int) -> None:
    snapshot = held(seed, photos)
    assert Snapshot.model_validate_json(snapshot.to_json()) == snapshot


@settings(max_examples=5, deadline=None)
@given(seeds, st.integers(1, 2))
def test_what_was_shown_comes_back(seed: int, photos: int) -> None:
    read = joined(doubted(small(seed), seed), photos)
    snapshot = build_snapshot(read)
    restored_views = rebuild_views(snapshot, Amended(snapshot)).views
    for view, restored_view in zip(read.views, restored_views, strict=True):
        assert build_board(restored_view.reading) == build_board(view.reading)
        assert (restored_view.squares, restored_view.best, restored_view.meeples, restored_view.best_meeples) == (
            *(view.squares, view.best, view.meeples, view.best_meeples),
        )
        assert restored_view.reading.meeples == view.reading.meeples
        assert restored_view.reading.possible_meeples == view.reading.possible_meeples
        for mine, theirs in zip(restored_view.reading.tiles, view.reading.tiles, strict=True):
            assert (mine.corners_px == theirs.corners_px).all()


@settings(max_examples=4, deadline=None)
@given(seeds, st.integers(1, 2), st.sampled_from(["C3", "C1-first"]))
def test_uncorrected_it_gives_the_report_that_score_gives(seed: int, photos: int, rules: str) -> None:
    read = joined(doubted(small(seed), seed), photos)
    typed = {"grey": 12}
    aside = [SetAside(file="blank.jpg", reason="board_not_found")]
    scored = as_scored(read, rules, typed)
    scored.set_aside = aside + scored.set_aside
    snapshot = Snapshot.model_validate_json(build_snapshot(read, get_ruleset(rules), typed, aside).to_json())
    assert timeless(build_corrected_report(snapshot)) == timeless(scored)


@settings(max_examples=5, deadline=None)
@given(seeds)
def test_wonders_are_kept(seed: int) -> None:
    read = joined(wondrous(seed))
    snapshot = build_snapshot(read)
    assert snapshot.wonders
    assert Snapshot.model_validate_json(snapshot.to_json()) == snapshot
    assert timeless(build_corrected_report(snapshot)) == timeless(as_scored(read))


def test_a_photo_read_by_the_nets_keeps_its_report(level: JoinedReading) -> None:
    snapshot = Snapshot.model_validate_json(build_snapshot(level).to_json())
    assert timeless(build_corrected_report(snapshot)) == timeless(as_scored(level))


@pytest.fixture(scope="module")
def level() -> JoinedReading:
    own = reader()
    return own.join([own.survey(Photo.from_path(EXAMPLES / "test_level.jpg"))])


def test_a_reading_without_doubts_is_kept_too() -> None:
    read = JoinedReading((view_of(reading_of(small(3))),))
    assert timeless(build_corrected_report(build_snapshot(read))) == timeless(as_scored(read))
