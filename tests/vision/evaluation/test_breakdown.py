"""Errors are counted by the conditions they occurred in, and confidences are compared with the outcome."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.render.photometric import measure_light
from datasets.scene.camera import Camera
from scoring.carcassonne.board.board import PlacedMeeple
from scoring.carcassonne.doubt.kinds.meeple import AnotherMeeple
from scoring.carcassonne.doubt.kinds.tile import OtherTile
from scoring.carcassonne.doubt.relevance import ScoreChange, compute_score_confidence, load_doubt_power
from tests.vision.evaluation.dealt import TIMES, Frame, dealt, perfect
from vision.evaluation.breakdown import count_confusions, group_errors, write_errors
from vision.evaluation.judge import judge_reading, judge_unread
from vision.evaluation.outcomes import BANDS, NOTHING, Outcome, estimate_elevation, format_band
from vision.evaluation.reliability import Said, bin_confidences, compute_calibration_error, summarise_reliability

saids = st.lists(st.builds(Said, st.none() | st.floats(0, 1), st.booleans(), st.booleans()))


def outcome(true: str, read: str, groups: dict[str, str], confidence: float | None = 0.95) -> Outcome:
    right, doubtful = true == read, confidence is not None and confidence < 0.9
    return Outcome("tile", true, read, right, confidence, doubtful, groups)


def test_errors_of_a_reading_are_counted_under_their_conditions() -> None:
    truth = replace(dealt(7, 40), art="meadow", view={"elevation": 40.0, "tint": 0.5, "tabletop": "wood"})
    good = perfect(truth, Frame(1, (3, -5)))
    assert all(each.right for each in judge_reading(good, truth, TIMES).outcomes)
    tiles, meeples = list(good.tiles), list(good.meeples)
    meeple_squares = {(m.row, m.col) for m in meeples}
    wrong = next(i for i, tile in enumerate(tiles) if (tile.row, tile.col) in meeple_squares)
    tiles[wrong] = replace(tiles[wrong], tile="BA/LR" if tiles[wrong].tile != "BA/LR" else "BA/L", confidence=0.97)
    lost = meeples.pop(next(i for i, m in enumerate(meeples) if (m.row, m.col) != (tiles[wrong].row, tiles[wrong].col)))
    reading = replace(good, tiles=tuple(tiles), meeples=tuple(meeples))
    outcomes = judge_reading(reading, truth, TIMES).outcomes
    rows = {(row.kind, row.by, row.group): row for row in group_errors(outcomes)}
    everything = rows["tile", "", "all"]
    assert (everything.n, everything.right, everything.wrong, everything.without_doubt) == (40, 39, 1, 1)
    assert rows["tile", "piece on it", "yes"].wrong == 1
    assert rows["tile", "piece on it", "no"].wrong == 0
    for by, group in {"art": "meadow", "tabletop": "wood", "elevation": "35 to 45", "tint": "0.3 and more"}.items():
        assert replace(rows["tile", by, group], by="", group="all") == everything
    assert ("tile", "light", "all") not in rows
    assert rows["meeple", "", "all"].missed == 1
    assert rows["meeple", "colour", lost.colour].without_doubt >= 1
    uncertain_reading = replace(reading, possible_meeples=(lost,))
    assert next(
        o for o in judge_reading(uncertain_reading, truth, TIMES).outcomes if o.kind == "meeple" and o.read == NOTHING
    ).doubtful


def test_turned_and_invented_tiles_are_reported_as_such() -> None:
    truth = dealt(7, 40)
    good = perfect(truth, Frame())
    turned = next(i for i, t in enumerate(good.tiles) if t.tile == "BA/CCC" or t.tile == "BA/RRR" or t.tile == "BA/RCr")
    tile = replace(good.tiles[turned], turns=good.tiles[turned].turns + 1, doubtful=True)
    beside = replace(good.tiles[0], row=50, corners_px=good.tiles[0].corners_px + 5000)
    tiles = (*good.tiles[:turned], tile, *good.tiles[turned + 1 :], beside)
    confusions = {
        (one.true, one.read): one
        for one in count_confusions(judge_reading(replace(good, tiles=tiles), truth, TIMES).outcomes)
    }
    letter = next(name for name, read in confusions if read == f"{name} turned")
    assert confusions[letter, f"{letter} turned"].without_doubt == 0
    assert any(name == NOTHING for name, _ in confusions)


def test_an_unreadable_photo_counts_everything_as_missed() -> None:
    truth = dealt(3)
    outcomes = judge_unread(truth, "board_not_found").outcomes
    assert len(outcomes) == len(truth.tiles) + len(truth.meeples)
    assert {(o.read, o.right, o.confidence) for o in outcomes} == {(NOTHING, False, None)}


def test_confusions_come_most_frequent_first_with_their_confidence() -> None:
    outcomes = [outcome("P", "O", {}, 0.95), outcome("P", "O", {}, 0.85), outcome("A", NOTHING, {}, None)]
    first, second = count_confusions([*outcomes, outcome("B", "B", {})])
    assert (first.true, first.read, first.count, first.without_doubt) == ("P", "O", 2, 1)
    assert first.confidence == pytest.approx(0.9)
    assert (second.count, second.confidence) == (1, None)


def test_the_written_errors_agree_in_words_and_in_json(tmp_path: Path) -> None:
    bands = [outcome("A", "A", {"tile px": format_band("tile px", size)}) for size in (20, 30, 45, 120, 500)]
    write_errors([*bands, outcome("A", "B", {"tile px": "25 to 35"})], tmp_path)
    words = (tmp_path / "errors.md").read_text(encoding="utf-8")
    order = ["under 25", "25 to 35", "35 to 50", "100 to 150", "150 and more"]
    assert [group for group in order if f"| {group} |" in words] == order
    assert sorted(order, key=lambda group: words.index(f"| {group} |")) == order
    assert "| 25 to 35 | 1 of 2, 50.0% (9.5% to 90.5%) | 1 | 0 | 0 | 1 |" in words
    assert "| A | B | 1 | 1 | 0.95 |" in words
    with (tmp_path / "errors.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    groups = json.loads((tmp_path / "errors.json").read_text(encoding="utf-8"))["groups"]
    assert [(row["group"], int(row["n"])) for row in rows] == [(row["group"], row["n"]) for row in groups]
    assert float(rows[0]["low_95"]) == groups[0]["interval_95"][0]


@given(name=st.sampled_from(sorted(BANDS)), values=st.lists(st.floats(-100, 1000), min_size=1))
def test_bands_cover_all_values_in_order(name: str, values: list[float]) -> None:
    bands = [format_band(name, value) for value in sorted(values)]
    assert len(list(dict.fromkeys(bands))) == len(set(bands)) <= len(BANDS[name]) + 1


@pytest.mark.parametrize("elevation", [35, 50, 65, 80])
@pytest.mark.parametrize("azimuth", [20, 110, 250])
def test_elevation_is_estimated_from_the_corners_of_the_tiles(elevation: float, azimuth: float) -> None:
    truth = dealt(5)
    squares = np.array([tile.square for tile in truth.tiles])
    middle = (squares.min(axis=0) + squares.max(axis=0))[::-1] / 2 + 0.5
    camera = Camera.look_at(
        middle, elevation=elevation, azimuth=azimuth, roll=3, distance=16, focal_px=1500, size=(1600, 1200)
    )
    tiles = []
    for tile in truth.tiles:
        row, col = tile.square
        nodes = [(col, row, 0), (col + 1, row, 0), (col + 1, row + 1, 0), (col, row + 1, 0)]
        tiles.append(replace(tile, corners_px=camera.project(nodes)))
    photo_truth = replace(truth, tiles=tuple(tiles))
    assert estimate_elevation(photo_truth, (1600, 1200)) == pytest.approx(elevation, abs=6)
    assert estimate_elevation(replace(photo_truth, view={"elevation": 12.0}), (1600, 1200)) == 12
    assert camera.field_of_view == pytest.approx(56.14, abs=0.01)


def test_light_is_measured_between_a_picture_and_its_photo() -> None:
    clean = np.full((60, 80, 3), 100, np.uint8)
    photo = np.asarray(clean * (0.5, 1.0, 2.0), dtype=np.uint8)
    photo[:30] //= 2
    light = measure_light(clean, photo)
    assert light == {"light": pytest.approx(0.88, abs=0.01), "tint": 2.0, "evenness": 0.5}
    assert measure_light(clean, clean) == {"light": 1.0, "tint": 0.0, "evenness": 1.0}


@given(said=saids)
def test_every_confidence_is_in_one_bin(said: list[Said]) -> None:
    bins = bin_confidences(said)
    assert sum(one.n for one in bins) == sum(one.confidence is not None for one in said)
    assert sum(one.right for one in bins) == sum(one.right for one in said if one.confidence is not None)
    assert all(one.low <= one.confidence + 1e-9 and one.confidence <= one.high + 1e-9 for one in bins)
    error = compute_calibration_error(bins)
    assert (error is None) == (not bins)
    assert error is None or 0 <= error <= 1


def test_calibrated_confidences_have_no_error_and_inflated_ones_their_excess() -> None:
    honest = [Said(0.75, True, i < 75) for i in range(100)]
    boastful = [Said(0.995, False, i < 75) for i in range(100)]
    assert summarise_reliability(honest)["calibration_error"] == pytest.approx(0)
    reliability = summarise_reliability(honest + boastful)
    assert reliability["calibration_error"] == pytest.approx(0.245 / 2)
    assert (reliability["undoubted"]["part"], reliability["undoubted"]["n"]) == (75, 100)
    assert (reliability["doubtful"]["part"], reliability["doubtful"]["n"]) == (100, 200)


def test_only_alternatives_of_one_square_are_mutually_exclusive() -> None:
    other = [ScoreChange(OtherTile((0, 0), None, 0.1), {}), ScoreChange(OtherTile((0, 0), None, 0.2), {})]
    another = ScoreChange(AnotherMeeple(PlacedMeeple("red", (0, 0), 0), 0.5), {})
    assert compute_score_confidence([]) == 1
    assert compute_score_confidence(other) == pytest.approx(0.7)
    assert compute_score_confidence([*other, another]) == pytest.approx(0.5 * 0.7 ** load_doubt_power())
