"""The report: every field of the contract, and each consistent with its board."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from shapely.geometry import Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from api.carcassonne.report.builder import build_board_report, build_report
from api.carcassonne.report.doubts import build_doubts
from api.documents.report import Doubt, Report
from api.i18n import load_words
from api.i18n.remarks import list_remarks
from api.i18n.report_text import translate_doubt_sentence
from api.languages import LANGUAGES
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import build_feature_map, list_lines
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.deal.boards import deal_random_board, mix_expansions
from scoring.carcassonne.doubt.kinds.base import Alternative
from scoring.carcassonne.doubt.kinds.meeple import AnotherMeeple, OtherPlace
from scoring.carcassonne.doubt.kinds.wonder import OtherWonder
from scoring.carcassonne.doubt.relevance import CONFIDENCE_SURE, ScoreChange, ScoreDoubts, assess_score_doubts
from scoring.carcassonne.final.scoring import compute_final_scoring
from tests.api.carcassonne.report.copied import copy_of, dealt_with
from tests.api.tables_read import dealt, grey_photo, homography, reading_of, seen
from vision.reading.board import build_board
from vision.reading.values import MeepleAlternative, Reading, TileAlternative

seeds = st.integers(0, 10_000)
STRAY = 0.03
"""In tiles: within a square, the lattice maps bilinearly, whereas these photos are in perspective."""


def report_of(board: Board) -> Report:
    return build_report(grey_photo(), reading_of(board))


def with_tile(reading: Reading, index: int, **changes: object) -> Reading:
    tiles = list(reading.tiles)
    tiles[index] = replace(tiles[index], **changes)  # type: ignore[arg-type]
    return replace(reading, tiles=tuple(tiles))


def with_meeple(reading: Reading, index: int, **changes: object) -> Reading:
    meeples = list(reading.meeples)
    meeples[index] = replace(meeples[index], **changes)  # type: ignore[arg-type]
    return replace(reading, meeples=tuple(meeples))


@settings(max_examples=15)
@given(seeds)
def test_a_report_holds_the_board_and_its_score(seed: int) -> None:
    board = dealt(seed)
    report = report_of(board)
    assert parse_notation(report.board.notation) == board
    sheet = compute_final_scoring(board)
    assert report.scores.final_scoring == dict(sheet.totals)
    assert [(e.player, e.points, e.feature) for e in report.scores.entries] == [
        (e.player, e.points, e.feature) for e in sheet.entries
    ]
    sums = {player: sum(e.points for e in report.scores.entries if e.player == player) for player in sheet.totals}
    assert sums == dict(sheet.totals)
    assert not report.doubtful
    assert [line.model_dump()["runs"] for line in report.lines] == [
        [{"first": run.first, "last": run.last, "length": run.length} for run in line.runs]
        for line in list_lines(board)
    ]


def test_the_names_are_those_of_the_contract() -> None:
    document = json.loads(report_of(dealt(3)).to_json())
    assert document["schema"] == "wondertally/report/1"
    assert document["game"] == "carcassonne"
    assert set(document["photo"]) == {"file", "width", "height", "sha256"}
    assert {"edition", "alhambra_points", "tiles_in_play", "players"} <= set(document["rules"])
    assert set(document["board"]) == {"notation", "tiles", "meeples", "problems"}
    assert set(document["board"]["tiles"][0]) == {
        *("row", "col", "where", "tile", "letter", "turns", "corners_px", "confidence", "doubtful", "alternatives")
    }
    assert set(document["board"]["meeples"][0]) == {
        *("id", "colour", "kind", "pose", "foot_px", "tile", "where", "feature", "confidence", "doubtful")
    }
    assert set(document["features"][0]) == {
        *("id", "name", "kind", "tiles", "where", "size", "complete", "meeples", "outline_px")
    }
    assert set(document["lines"][0]) == {"axis", "index", "number", "runs"}
    assert set(document["scores"]) == {"final_scoring", "on_track", "total", "entries", "confidence", "nothing"}
    assert set(document["scores"]["entries"][0]) == {*("player", "points", "feature", "rule", "text", "values")}
    players = dict.fromkeys(document["rules"]["players"])
    assert document["scores"]["on_track"] == document["scores"]["total"] == players


@settings(max_examples=10)
@given(seeds)
def test_a_report_reads_back(seed: int) -> None:
    report = report_of(dealt(seed))
    assert Report.model_validate_json(report.to_json()) == report


@settings(max_examples=10)
@given(seeds)
def test_meeples_stand_within_the_outline_of_their_feature(seed: int) -> None:
    report = report_of(dealt(seed))
    outlines = {feature.id: feature.outline_px or [] for feature in report.features}
    assert report.board.meeples
    for meeple in report.board.meeples:
        assert meeple.feature is not None
        assert meeple.foot_px is not None
        assert area(outlines[meeple.feature]).distance(Point(meeple.foot_px)) < STRAY * side(report)


@settings(max_examples=10)
@given(seeds)
def test_outlines_cover_what_the_features_cover(seed: int) -> None:
    board = dealt(seed)
    matrix, report = homography(board), report_of(board)
    for feature, report_feature in zip(build_feature_map(board), report.features, strict=True):
        assert (feature.id, feature.kind, feature.size) == (report_feature.id, report_feature.kind, report_feature.size)
        expected = unary_union(
            [projected(part, matrix) for part in getattr(feature.geometry, "geoms", [feature.geometry])]
        )
        outline = area(report_feature.outline_px or [])
        assert outline.symmetric_difference(expected).area < STRAY * side(report) * expected.length


def area(rings: list[list[tuple[float, float]]]) -> BaseGeometry:
    """Return the area that an odd number of rings encloses."""
    covered: BaseGeometry = Polygon()
    for ring in rings:
        covered = covered.symmetric_difference(Polygon(ring).buffer(0))
    return covered


def projected(part: Polygon, matrix: NDArray[np.float64]) -> BaseGeometry:
    exact = part.segmentize(0.05)
    return Polygon(
        seen(np.asarray(exact.exterior.coords), matrix),
        [seen(np.asarray(hole.coords), matrix) for hole in exact.interiors],
    ).buffer(0)


def side(report: Report) -> float:
    corners = report.board.tiles[0].corners_px
    assert corners is not None
    return float(np.hypot(*np.subtract(corners[0], corners[1])))


def test_the_report_keeps_the_corners_of_the_reading() -> None:
    reading = reading_of(dealt(5))
    report = build_report(grey_photo(), reading)
    for tile, read in zip(report.board.tiles, reading.tiles, strict=True):
        assert np.allclose(tile.corners_px or [], read.corners_px, atol=0.051)
        assert tile.letter is not None


def test_a_board_without_a_photo_has_no_pixels() -> None:
    board = dealt(7)
    text = build_board_report(board).to_json()
    assert "_px" not in text
    document = json.loads(text)
    assert document["photo"] is None
    assert document["scores"]["final_scoring"] == dict(compute_final_scoring(board).totals)
    assert [m["feature"] for m in document["board"]["meeples"]] == [
        under.id if (under := build_feature_map(board).under(m)) else None for m in board.meeples
    ]


def test_an_empty_board_scores_nothing() -> None:
    report = build_board_report(Board())
    assert report.scores.entries == []
    assert report.scores.final_scoring == {}


def test_timing_adds_up() -> None:
    times = report_of(dealt(2)).timing_ms
    assert times["decode"] == 5.0
    assert times["total"] == pytest.approx(sum(spent for stage, spent in times.items() if stage != "total"), abs=0.3)


def test_a_doubt_that_cannot_change_the_score_is_only_marked() -> None:
    board = dealt(11)
    reading = reading_of(board)
    tile = reading.tiles[0]
    same = TileAlternative(tile.tile or "", tile.turns, 0.4)
    report = build_report(grey_photo(), with_tile(reading, 0, doubtful=True, alternatives=(same,)))
    assert report.board.tiles[0].doubtful
    assert report.board.tiles[0].alternatives[0].probability == 0.4
    assert not report.doubtful


def test_a_meeple_that_may_not_be_there_makes_the_report_doubtful() -> None:
    reading = reading_of(dealt(11))
    scoring = {entry.feature: entry.points for entry in build_report(grey_photo(), reading).scores.entries}
    meeples = build_report(grey_photo(), reading).board.meeples
    index = next(i for i, meeple in enumerate(meeples) if scoring.get(meeple.feature or "", 0) > 0)
    doubted = with_meeple(reading, index, doubtful=True, alternatives=(MeepleAlternative(None, 0.3),))
    report = build_report(grey_photo(), doubted)
    assert report.doubtful
    assert (report.doubts[0].about, report.doubts[0].instead) == ("meeple", "no meeple")
    assert report.doubts[0].final_scoring != report.scores.final_scoring
    nameless = build_report(grey_photo(), with_meeple(reading, index, doubtful=True, confidence=0.7))
    assert nameless.doubtful, "a doubtful meeple without alternatives may be no meeple"


def test_a_meeple_that_may_be_another_players_makes_the_report_doubtful() -> None:
    reading = reading_of(dealt(11))
    whole = build_report(grey_photo(), reading)
    scoring = {entry.feature: entry.points for entry in whole.scores.entries}
    index = next(i for i, m in enumerate(whole.board.meeples) if scoring.get(m.feature or "", 0) > 0)
    meeple = reading.meeples[index]
    other = "pink" if meeple.colour != "pink" else "red"
    repainted = MeepleAlternative(meeple.segment, 0.3, other)
    report = build_report(grey_photo(), with_meeple(reading, index, doubtful=True, alternatives=(repainted,)))
    (doubt,) = report.doubts
    assert (doubt.instead or "").startswith(f"{other} on ")
    assert (doubt.final_scoring or {})[other] > 0


def test_a_meeple_that_may_be_a_builder_makes_the_report_doubtful() -> None:
    reading = reading_of(dealt(11))
    whole = build_report(grey_photo(), reading)
    owned = {entry.feature: entry.player for entry in whole.scores.entries if entry.points}
    meeples = whole.board.meeples
    alone = [
        i for i, m in enumerate(meeples) if [o.feature for o in meeples].count(m.feature) == 1 and m.feature in owned
    ]
    meeple = reading.meeples[alone[0]]
    other = MeepleAlternative(meeple.segment, 0.3, kind="builder")
    report = build_report(grey_photo(), with_meeple(reading, alone[0], doubtful=True, alternatives=(other,)))
    (doubt,) = report.doubts
    assert (doubt.instead or "").startswith(f"{meeple.colour} builder on ")
    assert (doubt.final_scoring or {}).get(meeple.colour, 0) < whole.scores.final_scoring[meeple.colour]
    plain = with_meeple(reading, alone[0], kind="big", doubtful=True, alternatives=(replace(other, kind="meeple"),))
    assert not build_report(grey_photo(), plain).doubtful, "alone, a big meeple scores what another does"


def test_a_possible_uncounted_meeple_is_asked_about() -> None:
    reading = reading_of(dealt(11))
    whole = build_report(grey_photo(), reading)
    scoring = {entry.feature: entry.points for entry in whole.scores.entries}
    index = next(i for i, m in enumerate(whole.board.meeples) if scoring.get(m.feature or "", 0) > 0)
    possible, others = reading.meeples[index], (*reading.meeples[:index], *reading.meeples[index + 1 :])
    report = build_report(grey_photo(), replace(reading, meeples=others, possible_meeples=(possible,)))
    assert report.doubtful
    (doubt,) = report.doubts
    assert (doubt.about, doubt.square) == ("meeple", (possible.row, possible.col))
    assert (doubt.instead or "").startswith(f"{possible.colour} on ")
    assert {p: n for p, n in (doubt.final_scoring or {}).items() if n} == whole.scores.final_scoring


def test_an_unknown_tile_makes_the_report_doubtful() -> None:
    reading = reading_of(dealt(13))
    meeples = tuple(m for m in reading.meeples if (m.row, m.col) != (reading.tiles[0].row, reading.tiles[0].col))
    unknown = with_tile(replace(reading, meeples=meeples), 0, tile=None, doubtful=True)
    report = build_report(grey_photo(), unknown)
    assert report.doubtful
    assert report.board.tiles[0].tile is None
    assert "??" in report.board.notation


def test_the_report_lists_problems() -> None:
    report = build_board_report(parse_notation("B0C0"))
    assert [problem.code for problem in report.board.problems] == ["edge_mismatch"]
    assert report.board.problems[0].tiles == [(0, 0), (0, 1)]


@given(seeds)
@settings(max_examples=10)
def test_a_reading_is_converted_to_its_board(seed: int) -> None:
    board = dealt(seed)
    assert build_board(reading_of(board)) == board


def test_the_report_names_the_expansions_on_the_table() -> None:
    board = deal_random_board(Random(2), 90, catalogue=mix_expansions(["river1", "traders"]))
    report = build_board_report(board)
    assert report.rules.expansions == ["river1", "traders"]
    assert {tile.tile for tile in report.board.tiles} == {placement.tile for _, placement in board.known}
    assert build_board_report(deal_random_board(Random(2))).rules.expansions == []


def test_a_board_with_expansions_is_reported_from_a_photo_as_from_its_tiles() -> None:
    board = deal_random_board(Random(4), 60, catalogue=mix_expansions(["river2", "inns", "traders"]))
    read, typed = report_of(board), build_board_report(board)
    assert read.scores.model_copy(update={"confidence": None}) == typed.scores
    assert (read.scores.confidence or 0) > CONFIDENCE_SURE
    assert read.rules == typed.rules
    assert [(f.id, f.kind, f.size, f.meeples) for f in read.features] == [
        (f.id, f.kind, f.size, f.meeples) for f in typed.features
    ]


def test_a_joint_doubt_states_the_points_of_both() -> None:
    board = parse_notation("U0 red^0,0=rE")
    thief = board.meeples[0]
    board = replace(board, meeples=(thief, thief, thief, replace(thief, colour="blue")))
    red = next(number for number, meeple in enumerate(board.meeples) if meeple.colour == "red")
    doubted: list[Alternative] = [OtherPlace(red, None, 0.2), AnotherMeeple(replace(thief, colour="blue"), 0.3)]
    (told,) = build_doubts(assess_score_doubts(board, doubted), board)
    assert told.instead == "no meeple, together with blue on road:E in row 1, column 1"
    assert told.probability == pytest.approx(0.06)
    assert told.final_scoring == {"blue": 1, "red": 1}
    for language, words in (
        ("en", "together with meeple"),
        ("de", "zusammen mit Meeple"),
        ("ro", "împreună cu meeple"),
    ):
        assert words in translate_doubt_sentence(load_words(language), told)


SEEDS = (7, 11)


def build_wonder_doubts() -> list[Doubt]:
    """Return doubts: the copy that was read may be one of two others, or lie a square further south, or east."""
    board = dealt_with(copy_of())
    (here,) = board.wonders
    row, col = here.anchor
    others = [replace(here, layout=copy_of(seed=seed)) for seed in SEEDS]
    others += [replace(here, anchor=anchor) for anchor in ((row + 1, col), (row, col + 1))]
    changes = tuple(ScoreChange(OtherWonder(here.squares, other, 0.1), {"red": 1}) for other in others)
    return list(build_doubts(ScoreDoubts(changes, 0.4, ()), board))


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_doubt_sentences_differ_and_contain_no_id(language: str) -> None:
    board, words = dealt_with(copy_of()), load_words(language)
    sentences = [translate_doubt_sentence(words, doubt, board.origin) for doubt in build_wonder_doubts()]
    assert len({*sentences}) == len(sentences) == len(SEEDS) + 2
    assert not [sentence for sentence in sentences if "WH/" in sentence or re.search(r"\d,\d", sentence)]


def test_the_command_line_distinguishes_doubts_by_place() -> None:
    report = build_board_report(dealt_with(copy_of()))
    report.doubts, report.doubtful = build_wonder_doubts(), True
    lines = [line for line in list_remarks(report) if "may be Alhambra" in line]
    assert len({*lines}) == len(lines) == len(SEEDS) + 2
    assert all(re.search(r"at the (north|east|south|west) of row|starting at row", line) for line in lines)
    assert not [line for line in lines if "turned" in line]
