"""Monuments are enrolled on the command line: named in one photo, recognised in the next, removed and asked again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import pytest

from tests.api.commands import run_parsed
from tests.vision.world_wonders.drawn_tables import PLACES, empty_copy, photo_with, squares
from vision.enrolment.games import GameEnrolments

GAME = ("--game", "world-wonders")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the enrolled boards of a copy, and two photos of a city on it."""
    copy_folder = tmp_path_factory.mktemp("copy")
    GameEnrolments(copy_folder / "data" / "games").save(empty_copy())
    for name, seed, elevation in (("first.png", 1, 70.0), ("second.png", 3, 80.0)):
        photo = photo_with(["giza", "ziggurat", "colosseum"], seed, elevation)
        cv2.imwrite(str(copy_folder / name), photo.pixels)
    return copy_folder


def laid(report: str | Path, names: Sequence[str]) -> list[str]:
    document = json.loads(report.read_text() if isinstance(report, Path) else report)
    values = {spot["id"]: spot["value"] for spot in document["board"]["spots"]}
    return [values[squares(name)[0]].partition("#")[0] for name in names]


@pytest.mark.soak
def test_a_monument_named_once_is_recognised_later(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WONDERTALLY_DATA", str(folder / "data"))
    monkeypatch.chdir(folder)
    named = [f"{spot}={name}#1" for name in ("giza", "colosseum") for spot in squares(name)]
    options = [word for assignment in named for word in ("--set", assignment)]
    _, _, error = run_parsed(capsys, "score", "first.png", *GAME, *options, "--json", "report.json")
    assert error is None
    _, out, error = run_parsed(capsys, "enrol", "monuments", "report.json", "--json", "-")
    assert (json.loads(out), error) == ({"game": "world-wonders", "pieces": {"giza": 1, "colosseum": 1}}, None)
    _, out, _ = run_parsed(capsys, "enrol", "list")
    assert "world-wonders: pieces: colosseum, giza" in out
    _, out, _ = run_parsed(capsys, "score", "second.png", *GAME, "--json", "-")
    assert laid(out, list(PLACES)[:3]) == ["giza", "monument", "colosseum"]
    unknown = [doubt for doubt in json.loads(out)["doubts"] if doubt["instead"] is None and "map." in doubt["spot"]]
    assert [doubt["spots"] for doubt in unknown] == [squares("ziggurat")]
    run_parsed(capsys, "enrol", "forget", "giza")
    _, out, _ = run_parsed(capsys, "score", "second.png", *GAME, "--json", "-")
    assert laid(out, list(PLACES)[:3]) == ["monument", "monument", "colosseum"]
    report = json.loads((folder / "report.json").read_text())
    for wrong, words, code in _wrong(report):
        Path("wrong.json").write_text(json.dumps(wrong))
        assert run_parsed(capsys, "enrol", "monuments", "wrong.json", *words)[2]["code"] == code
    assert GameEnrolments(folder / "data" / "games").load("world-wonders").pieces.keys() == {"colosseum"}


def _wrong(report: dict[str, Any]) -> list[tuple[dict[str, Any], tuple[str, ...], str]]:
    """Yield reports and words that enrol nothing, and the reason."""
    spots = report["board"]["spots"]

    def with_spots(changed: list[dict[str, Any]]) -> dict[str, Any]:
        return {**report, "board": {**report["board"], "spots": changed}}

    misshapen = [spot if spot["id"] != squares("giza")[0] else {**spot, "value": "-"} for spot in spots]
    nameless = [spot if not spot["set_by_person"] else {**spot, "value": "monument#9"} for spot in spots]
    elsewhere = [{**spot, "outline_px": spot["outline_px"] and spot["outline_px"][::-1]} for spot in spots]
    nowhere = {**report, "photo": {**report["photo"], "file": "gone.png", "sha256": "0" * 64}}
    return [
        (with_spots(misshapen), (), "piece_does_not_fit"),
        (with_spots(nameless), (), "nothing_to_enrol"),
        (with_spots(elsewhere), (), "report_disagrees"),
        (nowhere, (), "photo_wanted"),
        (report, ("--photo", "second.png"), "wrong_photo"),
        ({**report, "board": 3}, (), "bad_report"),
    ]


def test_an_unknown_monument_enrolment_cannot_be_removed(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WONDERTALLY_DATA", str(folder / "data"))
    assert run_parsed(capsys, "enrol", "forget", "petra", *GAME)[2]["code"] == "no_such_enrolment"
