"""Readings of tables of spots compared with labels: the items counted as right, and the figures."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import pytest
from rich.console import Console

from scoring.errors import BoardError, LabelError
from scoring.spots.game import Value
from scoring.spots.text import SpotLabel, SpotTable, format_label
from tests.api.pebbles.game import COLUMNS, GAME, ROWS, Components
from tests.api.pebbles.reader import build_reader, drawn
from vision.enrolment.games import GameEnrolment
from vision.errors import PhotoError
from vision.evaluation.interview import Interview
from vision.evaluation.spot_judge import Judged, TableVerdict, Truth, is_same_value, judge_reading
from vision.evaluation.spots import TableEvaluation, evaluate_tables, print_evaluation
from vision.flat_boards.reading import SpotReading, TableReading
from vision.photo.decoding import Photo

Laid = dict[tuple[int, int], str]
BONUS = Components(row_bonus=4)
READER = build_reader(GameEnrolment("pebbles", "", {"board": drawn({})}))


def label_of(photo: str, colours: Laid, sun: str = "-") -> SpotLabel:
    values: dict[str, Value] = {
        f"square.{row}.{col}": colours.get((row, col), "-") for row in range(ROWS) for col in range(COLUMNS)
    }
    return SpotLabel(photo, SpotTable("pebbles", ("blue", "red"), values | {"sun": sun}), {"art": "plain"})


def table(folder: Path, name: str, drawn_as: Laid, label_colours: Laid, sun: str = "-") -> Path:
    """Write a photo, and a label that states `label_colours` of it."""
    cv2.imwrite(str(folder / f"{name}.png"), drawn(drawn_as, 2))
    file = folder / f"{name}.json"
    file.write_text(format_label(label_of(f"{name}.png", label_colours, sun)), encoding="utf-8")
    return file


ROW: Laid = {(0, 0): "red", (0, 1): "red", (0, 2): "red"}
MIXED: Laid = {(0, 0): "red", (1, 1): "blue", (1, 2): "red"}


@pytest.fixture
def evaluation(tmp_path: Path) -> TableEvaluation:
    """Return a photo read right, one whose label differs, and a grey one."""
    labels = [
        table(tmp_path, "right", ROW, ROW, "red"),
        table(tmp_path, "wrong", MIXED, {**MIXED, (1, 2): "blue"}),
        table(tmp_path, "grey", {}, {}),
    ]
    cv2.imwrite(str(tmp_path / "grey.png"), drawn({})[:, :, :1] * 0)
    return evaluate_tables(GAME, BONUS, READER, labels, tmp_path, tmp_path / "out")


def test_correct_spots_are_counted_by_kind(evaluation: TableEvaluation) -> None:
    totals = evaluation.totals()
    assert (totals["photos"], totals["unread"]) == (3, 1)
    assert (totals["spots"]["pebble_square"]["part"], totals["spots"]["pebble_square"]["n"]) == (11, 18)
    assert (totals["areas"]["row"]["part"], totals["areas"]["row"]["n"]) == (3, 6), "the grey photo's are missed"
    assert (totals["groups"]["row"]["part"], totals["boards"]["row"]["part"]) == (3, 1)
    assert totals["finals_exact"]["part"] == 1
    right, wrong, grey = evaluation.verdicts
    assert (right.final_true, right.final_exact) == ({"red": 9}, True), "what no photo shows is as told"
    assert wrong.wrong == ("square.1.2",)
    assert wrong.final_sure_wrong
    assert grey.error == "board_not_found"
    amiss = totals["groups_amiss"]["row"]
    assert (amiss["part"], amiss["n"]) == (1, 6), "of the second photo; the grey one says that it is not read"
    assert totals["totals_sure_wrong"]["part"] == 1
    low, high = totals["spots"]["pebble_square"]["interval_95"]
    assert low < 11 / 18 < high


def test_figures_are_written_and_shown(evaluation: TableEvaluation, tmp_path: Path) -> None:
    with (tmp_path / "out" / "evaluation.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["photo"] for row in rows] == ["right.png", "wrong.png", "grey.png"]
    assert [row["final_sure_wrong"] for row in rows] == ["False", "True", "False"]
    assert rows[1]["wrong"] == "square.1.2"
    document = json.loads((tmp_path / "out" / "evaluation.json").read_text())
    assert document["totals"]["finals_sure_wrong"]["part"] == 1
    console = Console(width=200, record=True)
    print_evaluation(evaluation, console)
    output = console.export_text()
    assert "wrong without a doubt: 1 of 3" in output
    assert "grey.png board_not_found" in output


def test_a_game_counts_its_own_kinds_of_figures(tmp_path: Path) -> None:
    """Spots read, scoring items, and doubtful ones: nothing from a photo that could not be read."""

    def figures(verdict: Judged) -> dict[str, tuple[int, int]]:
        return {
            "seen": (len(verdict.spots), 6),
            "doubtful": (len(verdict.doubtful), 6),
            "rows": (len(verdict.areas), 1),
        }

    labels = [table(tmp_path, "row", ROW, ROW), table(tmp_path, "grey", {}, {})]
    cv2.imwrite(str(tmp_path / "grey.png"), drawn({})[:, :, :1] * 0)
    evaluation = evaluate_tables(GAME, BONUS, READER, labels, tmp_path, tmp_path / "out", figures)
    shares = {name: (share["part"], share["n"]) for name, share in evaluation.totals()["figures"].items()}
    assert shares == {"doubtful": (0, 12), "rows": (2, 2), "seen": (6, 12)}
    with (tmp_path / "out" / "evaluation.csv").open(encoding="utf-8") as file:
        assert [row["figures seen part"] for row in csv.DictReader(file)] == ["6", "0"]


def test_doubts_are_compared_with_the_truth(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "pale.png"), drawn(MIXED, 2, 0.45))
    file = tmp_path / "pale.json"
    file.write_text(format_label(label_of("pale.png", MIXED)), encoding="utf-8")
    (verdict,) = evaluate_tables(GAME, BONUS, READER, [file], tmp_path, tmp_path / "out").verdicts
    assert verdict.final_exact
    assert not verdict.final_sure
    assert verdict.final_confidence is not None
    assert verdict.final_confidence < 0.95


def test_piece_numbers_are_only_names() -> None:
    assert is_same_value("road#3", "road#1")
    assert not is_same_value("road#3", "bridge#3")
    assert not is_same_value(3, 1)
    assert not is_same_value("-", 0)


def test_an_unseen_player_counts_as_missed(tmp_path: Path) -> None:
    table(tmp_path, "one", {(0, 0): "red"}, {(0, 0): "red"})
    photo = Photo.from_path(tmp_path / "one.png")
    truth = Truth.of(label_of("one.png", {(0, 0): "red", (0, 1): "blue"}), GAME, BONUS)
    verdict = judge_reading(READER.read([photo]), truth, 0.0)
    assert verdict.final_read == {"red": 1}
    assert not verdict.final_exact


@pytest.mark.parametrize("told", ["{", '{"game": "chess", "photo": "x", "players": ["red"], "laid": {}}'])
def test_invalid_labels_are_refused_before_anything_is_read(tmp_path: Path, told: str) -> None:
    (tmp_path / "bad.json").write_text(told)
    with pytest.raises(LabelError):
        evaluate_tables(GAME, BONUS, READER, [tmp_path / "bad.json"], tmp_path, tmp_path / "out")


def test_strange_values_and_missing_photos_are_refused(tmp_path: Path) -> None:
    strange = table(tmp_path, "strange", {}, {(0, 0): "green"})
    with pytest.raises(BoardError):
        evaluate_tables(GAME, BONUS, READER, [strange], tmp_path, tmp_path / "out")
    alone = table(tmp_path, "alone", {}, {})
    (tmp_path / "alone.png").unlink()
    with pytest.raises(PhotoError):
        evaluate_tables(GAME, BONUS, READER, [alone], tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def read_pebbles(laid: Laid) -> TableReading:
    return READER.read([Photo.from_bytes(cv2.imencode(".png", drawn(laid, 2))[1].tobytes(), "a.png")])


def judge(laid: Laid, truth: Laid, change: Callable[[SpotReading], SpotReading] = lambda spot: spot) -> TableVerdict:
    """Return the verdict on a photo of `laid` pebbles, whose square 1.2 is read with a change."""
    reading = read_pebbles(laid)
    spots = tuple(change(spot) if spot.id == "square.1.2" else spot for spot in reading.spots)
    return judge_reading(replace(reading, spots=spots), Truth.of(label_of("a", truth), GAME, BONUS), 0.0)


def hide(spot: SpotReading) -> SpotReading:
    return replace(spot, hidden=True)


def test_an_empty_reading_of_hidden_spots_is_not_counted() -> None:
    plain, hidden = judge(ROW, ROW), judge(ROW, ROW, hide)
    right, count = plain.spots["pebble_square"]
    assert hidden.spots["pebble_square"] == (right - 1, count - 1)
    assert len(hidden.said["pebble_square"]) == count - 1
    wrong = judge(ROW, {**ROW, (1, 2): "red"}, hide)
    assert wrong.spots["pebble_square"] == (count - 1, count), "what lies there unseen is missed"


def test_final_scorings_are_counted_after_the_answers_of_an_interview(tmp_path: Path) -> None:
    """One of two tables is right at the second answer, the other never, though no doubt is left."""
    labels = [
        table(tmp_path, "one", ROW, {**ROW, (1, 2): "blue"}),
        table(tmp_path, "other", ROW, {**ROW, (2, 2): "blue"}),
    ]

    def interview(reading: TableReading, truth: Truth) -> Interview:
        wrong = {"red": 99}
        right = {player: points for player, points in truth.scored.totals.items() if points}
        last = right if truth.label.photo == "one.png" else wrong
        return Interview((wrong, wrong, last), settled=True)

    evaluation = evaluate_tables(GAME, BONUS, READER, labels, tmp_path, tmp_path / "out", interviewer=interview)
    totals = evaluation.totals()
    assert [verdict.right_after for verdict in evaluation.verdicts] == [(False, False, True), (False, False, False)]
    assert [totals[name]["part"] for name in ("finals_after_6", "finals_answered", "settled_wrong")] == [1, 1, 1]
    assert totals["answers"] == 4
