"""Reports, doubts, questions and exports of a real game of spots; a correction takes effect everywhere."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from api.documents.corrections import CORRECTIONS
from api.documents.forms import parse_report_json
from api.documents.spot_report import SpotReport
from api.documents.table_options import Question
from api.errors import CorrectionError, ReportError
from api.games.registry import build_snapshot_report, parse_snapshot_json
from api.games.sheets import annotate_photo, render_report_csv, render_report_pdf
from api.i18n import load_words
from api.languages import LANGUAGES
from api.spots.explanation import explain_spots
from api.spots.inputs import read_spot_report
from api.spots.questions import build_spot_questions
from api.spots.review import build_table_review
from api.spots.table_text import list_remarks
from api.spots.text import translate_spot_doubt
from scoring.confidence import CONFIDENCE_SURE
from scoring.spots.text import parse_table
from tests.api.http.pdf import lines_of
from tests.api.spots_seen import babel, wonders

seeds = st.integers(0, 10_000)
few = settings(max_examples=3, deadline=None)


def timeless(report: Any) -> dict[str, Any]:
    return dict(report.model_dump(exclude={"timing_ms"}))


@few
@given(seeds)
def test_snapshots_and_reports_read_back(seed: int) -> None:
    snapshot = babel(seed)
    report = build_snapshot_report(snapshot)
    assert isinstance(report, SpotReport)
    assert parse_snapshot_json(snapshot.to_json()) == snapshot
    assert parse_report_json(report.to_json()) == report
    table = parse_table(report.board.notation)
    assert {spot.id: spot.value for spot in report.board.spots if spot.value is not None} == dict(table.laid)
    sums = dict.fromkeys(report.rules.players, 0)
    for entry in report.scores.entries:
        sums[entry.player] += entry.points
    assert sums == report.scores.final_scoring


def test_a_report_whose_spot_lacks_a_part_of_its_name_is_refused(tmp_path: Path) -> None:
    report = build_snapshot_report(babel(3))
    assert isinstance(report, SpotReport)
    file = tmp_path / "report.json"
    file.write_text(report.to_json(), encoding="utf-8")
    assert read_spot_report(file) == report
    del report.board.spots[0].values["player"]
    file.write_text(report.to_json(), encoding="utf-8")
    with pytest.raises(ReportError) as caught:
        read_spot_report(file)
    assert (caught.value.code, caught.value.details["field"]) == ("bad_report", "board.spots.0.values")


@few
@given(seeds)
def test_a_report_is_doubtful_if_a_doubt_changes_points(seed: int) -> None:
    review = build_table_review(babel(seed))
    report = review.report
    unknown = [doubt for doubt in report.doubts if doubt.instead is None]
    assert {doubt.spot for doubt in unknown} == {*review.scored.unknown}
    assert report.doubtful == (bool(unknown) or review.doubts.confidence < CONFIDENCE_SURE)
    for doubt in report.doubts:
        if doubt.instead is not None:
            corrections = CORRECTIONS.validate_python([{"kind": "spot", "id": doubt.spot, "value": doubt.instead}])
            after = build_snapshot_report(review.snapshot, corrections).scores
            before = report.scores
            assert after.final_scoring == doubt.final_scoring
            assert (after.final_scoring, after.on_track) != (before.final_scoring, before.on_track)


@few
@given(seeds)
def test_each_answer_gives_its_stated_points_and_ends_the_question(seed: int) -> None:
    snapshot = babel(seed)
    questions = build_spot_questions(build_table_review(snapshot), "de")
    assert questions[0].choices[0].final_scoring is not None
    for question in (questions[0], questions[-1]):
        assert question.label != question.spot
        for choice in question.choices[:2]:
            after = build_table_review(snapshot, [choice.correction])
            assert choice.final_scoring in (None, dict(after.scored.totals))
            assert question.spot not in {other.spot for other in build_spot_questions(after)}


def test_answering_every_question_leaves_no_doubt() -> None:
    snapshot, corrections = babel(5), list[Any]()
    while questions := build_spot_questions(build_table_review(snapshot, corrections)):
        corrections += [question.choices[0].correction for question in questions]
    report = build_table_review(snapshot, corrections).report
    assert not report.doubtful
    assert report.scores.confidence == 1
    assert report.scores.winners
    assert build_table_review(snapshot, corrections[::-1]).report.scores == report.scores


@pytest.mark.parametrize("language", LANGUAGES)
def test_exports_are_written_in_every_language(language: str) -> None:
    report = build_snapshot_report(babel(3))
    assert isinstance(report, SpotReport)
    rows = list(csv.DictReader(io.StringIO(render_report_csv(report, language), newline="")))
    finals = dict.fromkeys(report.scores.final_scoring, 0)
    for row in rows:
        finals[row["colour"]] += int(row["points"] or 0) if row["feature"] else 0
    assert finals == report.scores.final_scoring
    reasons = [(row["rule_text"], row["sum"]) for row in rows if row["rule"].startswith("wonder")]
    assert all(rule and reason and "." not in rule for rule, reason in reasons)
    for doubt in report.doubts:
        assert "_" not in translate_spot_doubt(language, report, doubt)
    grey = np.full((480, 480, 3), 120, np.uint8)
    assert render_report_pdf(report, grey, language).startswith(b"%PDF")
    assert render_report_pdf(report, None, language).startswith(b"%PDF")


def test_a_game_without_points_before_the_end_has_no_score_track() -> None:
    snapshot = wonders("map.red.0.0=temple#1 map.red.0.1=temple#1 map.red.1.0=road#1 map.red.1.1=road#1")
    report = build_snapshot_report(snapshot)
    assert isinstance(report, SpotReport)
    assert report.scores.on_track == {}
    rows = list(csv.DictReader(io.StringIO(render_report_csv(report), newline="")))
    assert {row["rule"] for row in rows} == {entry.rule for entry in report.scores.entries}
    without = report.model_copy(deep=True)
    without.scores.entries = []
    (row,) = csv.DictReader(io.StringIO(render_report_csv(without), newline=""))
    assert (row["colour"], row["rule"], row["points"]) == ("red", "", "")
    tracked = report.model_copy(deep=True)
    tracked.scores.on_track = dict.fromkeys(report.scores.final_scoring, 0)
    cells = 2 * (1 + len(report.scores.final_scoring))
    assert lines_of(render_report_pdf(tracked)) == lines_of(render_report_pdf(report)) + cells


def test_doubts_are_magenta_in_the_picture() -> None:
    snapshot = babel(3)
    report, grey = build_snapshot_report(snapshot), np.full((480, 480, 3), 120, np.uint8)
    picture = annotate_photo(grey, report)
    assert picture.shape[0] > 480
    assert isinstance(report, SpotReport)
    doubted = next(spot for spot in report.board.spots if spot.doubtful and spot.outline_px and spot.value is not None)
    (left, top), _, (right, bottom), _ = doubted.outline_px or []
    part = picture[int(top) : int(bottom) + 1, int(left) : int(right) + 1].astype(int)
    assert ((part[..., 2] > 150) & (part[..., 0] > 100) & (part[..., 1] < 120)).any()


def test_features_have_outlines_and_are_explained() -> None:
    report = build_snapshot_report(babel(3))
    assert isinstance(report, SpotReport)
    wonders = [feature for feature in report.features if feature.outline_px]
    assert len(wonders) >= 8
    explanation = explain_spots(report, Question(features=(wonders[0].id.upper(),), players=("red",)))
    assert [feature.id for feature in explanation.features] == [wonders[0].id]
    assert explanation.players[0].total == report.scores.final_scoring["red"]
    assert all(entry.section for entry in explanation.players[0].entries)
    changed = report.model_copy(deep=True)
    changed.scores.final_scoring["red"] += 1
    assert next(problem.code for problem in explain_spots(changed, Question()).problems) == "report_differs"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wonder_is_found_by_its_name_in_any_language(language: str) -> None:
    """The explanation is in the requested language, including the sections of the rule text."""
    report = build_snapshot_report(babel(3))
    assert isinstance(report, SpotReport)
    for asked in ("Pyramids of Giza", "pyramiden von gizeh", "Piramidele din Giza", "WONDER.GIZA"):
        (feature,) = explain_spots(report, Question(features=(asked,)), language).features
        assert (feature.id, feature.label) == ("wonder.giza", load_words(language).say("wonder-giza"))
    sections = {entry.section for one in explain_spots(report, Question(), language).players for entry in one.entries}
    assert sections
    assert sections <= {load_words(language).say(f"explain-section-babel-{section}") for section in ("end", "cards")}


def test_a_withdrawn_value_is_unknown() -> None:
    snapshot = babel(3)
    corrections = CORRECTIONS.validate_python([{"kind": "spot", "id": "row", "value": None}])
    report = build_snapshot_report(snapshot, corrections)
    assert isinstance(report, SpotReport)
    row = next(spot for spot in report.board.spots if spot.id == "row")
    assert (row.value, row.set_by_person) == (None, True)
    assert report.doubtful


def test_an_added_player_is_asked_about_all_unknown_facts() -> None:
    snapshot = babel(3)
    corrections = CORRECTIONS.validate_python([{"kind": "player", "colour": "green", "name": "Ana"}])
    report = build_snapshot_report(snapshot, corrections)
    assert isinstance(report, SpotReport)
    assert report.rules.players == ["red", "yellow", "green", "black"]
    assert report.doubtful
    with pytest.raises(CorrectionError) as caught:
        build_snapshot_report(
            snapshot, CORRECTIONS.validate_python([{"kind": "track", "colour": "red", "points": 9999}])
        )
    assert caught.value.code == "spot_value_impossible"


def test_a_whole_monument_is_asked_about_and_named() -> None:
    snapshot = wonders("map.red.0.0=monument#1 map.red.0.1=monument#1 map.red.1.0=farm#1 map.red.1.1=-")
    question = next(
        question for question in build_spot_questions(build_table_review(snapshot)) if question.spot.startswith("map")
    )
    assert question.spots == ["map.red.0.0", "map.red.0.1"]
    (line,) = [remark for remark in list_remarks(build_table_review(snapshot).report) if "which" in remark]
    assert line.startswith("not known: which monument 1 is (red: row 1, column 1 and 1 more);")
    assert line.endswith("--set map.red.0.0=VALUE --set map.red.0.1=VALUE")
    assert len(question.quad_px) == 4
    petra = next(choice for choice in question.choices if choice.value == "petra#1")
    assert petra.correction.model_dump() == {"kind": "piece", "id": "map.red.0.0", "value": "petra#1"}
    review = build_table_review(snapshot, [petra.correction])
    assert [review.table.laid[spot] for spot in question.spots] == ["petra#1", "petra#1"]
    assert dict(review.scored.totals) == petra.final_scoring
    assert review.scored.totals["red"] == build_table_review(snapshot).scored.totals["red"] + 4
    assert not [question for question in build_spot_questions(review) if question.spot.startswith("map")]


def test_a_piece_with_an_alternative_is_asked_about_once() -> None:
    """One line, one question, one answer: for all its squares, and confirmed in the same way."""
    sure_snapshot = wonders("map.red.0.0=temple#1 map.red.0.1=temple#1 map.red.1.0=road#1 map.red.1.1=road#1")
    spots = tuple(
        spot.model_copy(update={"alternatives": (("-", 0.2),), "confidence": 0.8}) if spot.value == "temple#1" else spot
        for spot in sure_snapshot.spots
    )
    snapshot = sure_snapshot.model_copy(update={"spots": spots})
    report = build_table_review(snapshot).report
    (line,) = [remark for remark in list_remarks(report) if remark.startswith("doubtful")]
    assert line == (
        "doubtful: red: row 1, column 1 and 1 more: temple 1 may be nothing (20%): then red 0 "
        "[--set map.red.0.0=- --set map.red.0.1=-]"
    )
    (doubt,) = [doubt for doubt in report.doubts if doubt.instead is not None]
    assert (doubt.spots, doubt.partly) == (["map.red.0.0", "map.red.0.1"], False)
    assert "and 1 more" in translate_spot_doubt("en", report, doubt)
    (question,) = [
        question for question in build_spot_questions(build_table_review(snapshot)) if question.spot.startswith("map")
    ]
    as_read, nothing = question.choices
    assert as_read.correction.model_dump() == {"kind": "spots", "ids": doubt.spots, "value": "temple#1"}
    for choice in (as_read, nothing):
        review = build_table_review(snapshot, [choice.correction])
        assert {review.table.laid[spot] for spot in doubt.spots} == {choice.value}
        assert dict(review.scored.totals) == choice.final_scoring
        assert not [question for question in build_spot_questions(review) if question.spot.startswith("map")]
    stray = CORRECTIONS.validate_python([{"kind": "spots", "ids": ["map.red.7.7"], "value": "-"}])
    with pytest.raises(CorrectionError) as caught:
        build_snapshot_report(snapshot, stray)
    assert (caught.value.code, caught.value.details["correction"]) == ("spot_unknown", 0)


@pytest.mark.parametrize("text", ["[1]", "3", "null", '"report"'])
def test_json_that_is_no_object_is_no_report(text: str) -> None:
    with pytest.raises(ValidationError):
        parse_report_json(text)
