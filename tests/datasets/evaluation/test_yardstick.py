"""The yardstick reports whether two commits read alike, and their differences."""

from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path

import pytest

from datasets.evaluation.yardstick import LIST, compare_lines, describe_photo, load_lines, main
from datasets.generate import _parser
from vision.reader import Reader

EXAMPLES = Path(__file__).parents[3] / "datasets" / "examples"


def test_one_photo_is_described_alike_in_repeated_readings(reader: Reader) -> None:
    first, second = (describe_photo(reader, EXAMPLES / "test_level.jpg") for _ in range(2))
    assert json.dumps(first) == json.dumps(second)
    assert len(first["tiles"]) == 30
    assert "timing_ms" not in first
    assert list(compare_lines({"a": first}, {"a": second})) == []
    assert list(compare_lines({"a": first}, {"a": {**second, "confidence": 0.5}})) == ["a: confidence"]
    assert list(compare_lines({"a": first}, {"b": second})) == ["a: only before", "b: only after"]


def test_an_unreadable_photo_is_described_by_its_error(reader: Reader, tmp_path: Path) -> None:
    (tmp_path / "torn.jpg").write_bytes(b"no picture")
    assert describe_photo(reader, tmp_path / "torn.jpg") == {"error": "not_an_image"}


def test_the_stored_list_can_be_drawn_and_holds_about_a_hundred_tables() -> None:
    argument_lists = [entry["arguments"] for entry in tomllib.loads(LIST.read_text(encoding="utf-8")).values()]
    counts = [_parser().parse_args(["--out", "folder", *shlex.split(arguments)]).count for arguments in argument_lists]
    assert sum(counts) == 100


def test_the_command_names_the_differences_between_readings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("datasets.evaluation.yardstick.LIST", tmp_path / "list.toml")
    (tmp_path / "list.toml").write_text("", encoding="utf-8")
    before, after = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    label = str(EXAMPLES / "test_level.json")
    arguments = ["--tables", str(tmp_path), "--labels", label, "--photos", str(EXAMPLES)]
    assert main([*arguments, "--out", str(before)]) == 0
    assert main([*arguments, "--out", str(after), "--against", str(before)]) == 0
    changed = {name: {**line, "doubtful": not line["doubtful"]} for name, line in load_lines(before).items()}
    before.write_text("".join(json.dumps({"photo": name, **line}) + "\n" for name, line in changed.items()))
    capsys.readouterr()
    assert main([*arguments, "--out", str(after), "--against", str(before)]) == 1
    assert "real/test_level: doubtful" in capsys.readouterr().out
