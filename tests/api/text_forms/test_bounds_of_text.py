"""Inputs that must not hang the program, or be a fault of it: numbers, depths and kinds of values at each parser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring.connected_squares import MAX_COORDINATE
from scoring.documents import MAX_DEPTH, MAX_NUMBER, DocumentError, parse_json, parse_toml
from scoring.errors import WondertallyError
from tests.api.text_forms.forms import FORMS, batch_options, journal_lines, label_texts
from tests.api.text_forms.hostile import no_hang
from vision.evaluation.labels import load_truth

LABEL = {"rows": ["D0"], "photo": "a.png"}
DIGITS = "9" * 5000


def take(form: str, text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return an interface's result for a text: an error's code, else an empty text."""
    monkeypatch.setenv("WONDERTALLY_DATA", str(folder / "data"))
    try:
        with no_hang():
            FORMS[form].take(folder, text)
    except WondertallyError as error:
        return error.code
    return ""


@pytest.mark.parametrize(
    "square", [[100_000_000, 2], [-MAX_COORDINATE - 1, 0], [0, 2**70], [0], [True, 0], "ab"], ids=str
)
@pytest.mark.parametrize("field", ["unseen", "meeples"])
def test_a_label_names_squares_of_a_board(
    field: str, square: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = {"unseen": square, "meeples": {"cell": square, "colour": "red", "on": "city:N"}}[field]
    code = take("label", json.dumps({**LABEL, field: [listed]}), tmp_path, monkeypatch)
    assert code in ("bad_label", "bad_meeple")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"points": [[1, 2, 3], [1, 2, 3, 4]]}, "bad_label"),
        ({"points": [[1e300, 2, 3, 4]] * 4}, "bad_label"),
        ({"corners_px": [{"cell": [0, 0], "corners": [1, 2]}]}, "bad_label"),
        ({"meeples": [{"cell": [0, 0], "colour": "red", "on": "city:N", "at": [[0], 0]}]}, "bad_label"),
        ({"meeples": [{"cell": [0, 0], "colour": "red", "on": "city:N", "kind": 7}]}, "bad_name"),
        ({"meeples": 3}, "bad_label"),
        ({"expect_final": {"red": 10**6}}, "bad_label"),
    ],
    ids=str,
)
def test_a_label_of_a_photo_is_read_or_refused(change: dict[str, Any], code: str, tmp_path: Path) -> None:
    file = tmp_path / "label.json"
    file.write_text(json.dumps({**json.loads(label_texts()[0]), **change}), encoding="utf-8")
    with pytest.raises(WondertallyError) as caught:
        load_truth(file)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("form", "old", "new", "code"),
    [
        ("spaces", "size_mm = [256", f"size_mm = [{'[' * 3000}{']' * 3000}", "spaces_invalid"),
        ("spaces", "laps = 25", f"laps = {DIGITS}", "spaces_invalid"),
        ("calibration", "slope = ", f"x = {DIGITS}\nslope = ", "models_damaged"),
        ("calibration", "slope = ", f"x = {'9' * 400}\nslope = ", "models_damaged"),
    ],
)
def test_toml_is_parsed_within_bounds(
    form: str, old: str, new: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = FORMS[form].examples()[0]
    assert old in text
    assert take(form, text.replace(old, new, 1), tmp_path, monkeypatch) == code


def test_the_number_of_a_move_has_few_digits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = FORMS["record"].examples()[0]
    assert take("record", record.replace("\n1 ", f"\n{DIGITS} ", 1), tmp_path, monkeypatch) == ""


@pytest.mark.parametrize(
    "change", [{"listing": 3}, {"pattern": {}}, {"rules": None}, {"id": 7}, {"wonders": [1]}], ids=str
)
def test_damaged_batch_options_are_refused(
    change: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = json.dumps({**json.loads(batch_options()[0]), **change})
    assert take("batch options", text, tmp_path, monkeypatch) == "no_batch"
    assert take("batch options", "[" * 100_000, tmp_path / "deep", monkeypatch) == "no_batch"


@pytest.mark.parametrize("part", ["held", "report"])
def test_a_damaged_journal_is_refused(part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = json.loads(journal_lines()[0])
    line[part] = {**line[part], "timing_ms": 3}
    assert take("journal", json.dumps(line), tmp_path, monkeypatch) == "bad_journal"


@pytest.mark.parametrize(
    "text", [str(MAX_NUMBER + 1), f"-{DIGITS}", "1e400", "NaN", "-Infinity", '"\\ud800"', '{"\\udfff": 1}']
)
def test_json_accepts_only_finite_numbers_and_valid_characters(text: str) -> None:
    with pytest.raises(DocumentError):
        parse_json(f"[{text}]")


def test_a_path_outside_its_frame_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = FORMS["wonder"].examples()[0]
    assert text.count("M ") > 1
    with np.errstate(all="raise"):
        assert take("wonder", text.replace("M ", f"M {'9' * 400} ", 1), tmp_path, monkeypatch) == "bad_path"
        assert take("wonder", text.replace(" C ", " C 1" + "0" * 200 + " 0 ", 1), tmp_path, monkeypatch) == "bad_path"


def test_documents_are_limited_in_depth() -> None:
    assert parse_json("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    assert parse_json(str(MAX_NUMBER)) == MAX_NUMBER
    for text in ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "[" * 100_000):
        with pytest.raises(DocumentError):
            parse_json(text)
        with pytest.raises(DocumentError):
            parse_toml(f"a = {text}")
    with pytest.raises(DocumentError):
        parse_toml("a." * 20 + "a = 1")
