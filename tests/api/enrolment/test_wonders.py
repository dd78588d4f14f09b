"""`wondertally enrol wonder`: a person's own copy of a wonder, from its file and from a report."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
import tomlkit

from api.carcassonne.report.builder import build_board_report, build_report
from scoring.carcassonne.board.notation import format_notation
from scoring.carcassonne.wonders.files import parse_wonder
from scoring.carcassonne.wonders.tiles import COATS_UNSEEN, WONDERS, WonderLayout
from tests.api.carcassonne.report.copied import bare, copy_of, dealt_with, describe_parts, guess, other_copy, shipped
from tests.api.commands import run_parsed
from tests.vision.enrolling.lone import draw_lone, plain_photo
from tests.vision.enrolment.random_prints import enrolment
from tests.vision.reading.wonder_read import table
from vision.enrolment.prints import Enrolment, Enrolments, TileKey
from vision.enrolment.wonders import EnrolledWonder, EnrolledWonders, load_wonders_in_force
from vision.photo.crops import CROP_PX

Write = Callable[[Path, WonderLayout], str]
"""A function that writes a layout into a folder and returns the file."""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the data folder of a person without enrolments."""
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def write_file(folder: Path, layout: WonderLayout) -> str:
    file = folder / "mine.toml"
    file.write_text(tomlkit.dumps(dict(layout.entry)), encoding="utf-8")
    return str(file)


def write_report(folder: Path, layout: WonderLayout) -> str:
    file = folder / "report.json"
    file.write_text(build_board_report(dealt_with(layout)).to_json(), encoding="utf-8")
    return str(file)


def assert_same(layout: WonderLayout, other: WonderLayout) -> None:
    assert (layout.id, layout.squares, layout.parts) == (other.id, other.squares, other.parts)
    assert (layout.marker, describe_parts(layout)) == (other.marker, describe_parts(other))


@pytest.mark.parametrize("write", [write_file, write_report], ids=["file", "report"])
@pytest.mark.parametrize("name", ["alhambra", "WH/alhambra", "Alhambra"])
def test_a_copy_is_enrolled(
    write: Write, name: str, tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, error = run_parsed(capsys, "enrol", "wonder", name, write(tmp_path, copy_of()))
    assert (status, error) == (0, None)
    assert out.splitlines()[0] == f"Alhambra: {data / 'wonders' / 'alhambra.toml'}"
    assert [file.name for file in (data / "wonders").iterdir()] == ["alhambra.toml"]
    assert_same(parse_wonder((data / "wonders" / "alhambra.toml").read_text(encoding="utf-8")), copy_of())
    in_force = load_wonders_in_force()
    assert_same(in_force["WH/alhambra"], copy_of())
    assert all(in_force[id] is shipped(id) for id in WONDERS if id != "WH/alhambra")


def test_the_meaning_of_a_layout_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run_parsed(capsys, "enrol", "wonder", "alhambra", write_file(tmp_path, copy_of()))
    lines = out.splitlines()[1:]
    assert lines[:3] == [
        "city on 0,0 1,0 2,0, open ends: 4",
        "road on 2,1, open ends: 1",
        "road on 2,2, open ends: 1",
    ]
    fields = [part for part in copy_of().parts if part.kind == "field"]
    assert [line.rpartition(": ")[2] for line in lines[3:]] == [str(len(field.cities)) for field in fields]
    assert all(line.startswith("field on ") for line in lines[3:])


def test_the_result_is_also_written_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("enrol", "wonder", "alhambra", write_report(tmp_path, copy_of()), "--json", "-")
    status, out, _ = run_parsed(capsys, *words)
    document = json.loads(out)
    assert (status, document["wonder"]) == (0, "alhambra")
    assert {**document["layout"], "inferred": []} == {**copy_of().entry, "inferred": []}


@pytest.mark.parametrize("write", [write_file, write_report], ids=["file", "report"])
def test_a_person_confirms_everything_except_coats_of_arms(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert guess(copy_of()).is_guessed
    run_parsed(capsys, "enrol", "wonder", "alhambra", write(tmp_path, guess(copy_of())))
    enrolled = load_wonders_in_force()["WH/alhambra"]
    assert enrolled.inferred == (COATS_UNSEEN,)
    assert not enrolled.is_guessed


def test_the_written_layout_file_enrols_the_same_layout(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out_file = tmp_path / "out.toml"
    words = ("enrol", "wonder", "alhambra", write_report(tmp_path, copy_of()), "--out", str(out_file))
    status, out, _ = run_parsed(capsys, *words)
    assert (status, out.splitlines()[-1]) == (0, f"layout: {out_file}")
    assert_same(parse_wonder(out_file.read_text(encoding="utf-8")), copy_of())
    stored = (data / "wonders" / "alhambra.toml").read_bytes()
    assert out_file.read_bytes() == stored
    run_parsed(capsys, "enrol", "wonder", "alhambra", str(out_file))
    assert (data / "wonders" / "alhambra.toml").read_bytes() == stored


def test_a_layout_whose_file_holds_drawings_is_enrolled(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, error = run_parsed(capsys, "enrol", "wonder", "tikal", write_file(tmp_path, shipped("WH/tikal")))
    assert (status, error) == (0, None)
    enrolled = load_wonders_in_force()["WH/tikal"]
    assert_same(enrolled, shipped("WH/tikal"))
    assert enrolled is not shipped("WH/tikal")


def test_enrolled_layouts_are_listed_replaced_and_removed(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_parsed(capsys, "enrol", "wonder", "alhambra", write_file(tmp_path, copy_of()))
    run_parsed(capsys, "enrol", "wonder", "tikal", write_file(tmp_path, shipped("WH/tikal")))
    status, out, _ = run_parsed(capsys, "enrol", "list")
    assert status == 0
    assert [line.partition(" ")[0] for line in out.splitlines()] == ["wonder", "alhambra", "tikal"]
    document = json.loads(run_parsed(capsys, "enrol", "list", "--json", "-")[1])
    assert set(document["wonders"]) == {"alhambra", "tikal"}
    assert document["wonders"]["alhambra"].startswith("city on 0,0 1,0 2,0, open ends: 4, road on 2,1, open ends: 1, ")
    status, _, _ = run_parsed(capsys, "enrol", "wonder", "alhambra", write_file(tmp_path, other_copy()))
    assert status == 0
    assert_same(load_wonders_in_force()["WH/alhambra"], other_copy())
    assert run_parsed(capsys, "enrol", "forget", "alhambra") == (0, "forgotten: alhambra\n", None)
    assert load_wonders_in_force()["WH/alhambra"] is shipped()
    assert [file.name for file in (data / "wonders").iterdir()] == ["tikal.toml"]
    status, _, error = run_parsed(capsys, "enrol", "forget", "alhambra")
    assert (status, error["code"]) == (2, "no_such_enrolment")


@pytest.mark.parametrize("name", ["ALHAMBRA", "WH/alhambra"])
def test_a_wonder_is_removed_in_any_spelling_of_its_name(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_parsed(capsys, "enrol", "wonder", "alhambra", write_file(tmp_path, copy_of()))
    status, _, error = run_parsed(capsys, "enrol", "forget", "tikal")
    assert (status, error["code"], error["details"]["known"]) == (2, "no_such_enrolment", ["alhambra"])
    assert run_parsed(capsys, "enrol", "forget", name) == (0, "forgotten: alhambra\n", None)
    assert EnrolledWonders().names() == []


DEEP = "a." * 100_000 + "b=1"
DEEP_WITHIN_THE_SIZE = "x = {" + "a . " * 16_000 + "b=1}"


@pytest.mark.parametrize(("text", "code"), [(DEEP, "wonder_file_too_large"), (DEEP_WITHIN_THE_SIZE, "bad_toml")])
def test_a_file_with_endless_work_is_refused_at_once(
    text: str, code: str, tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "deep.toml"
    file.write_text(text, encoding="utf-8")
    _, _, error = run_parsed(capsys, "enrol", "wonder", "alhambra", str(file))
    assert error["code"] == code
    (data / "wonders").mkdir(parents=True)
    shutil.copy(file, data / "wonders" / "alhambra.toml")
    assert EnrolledWonders().list_damaged() == ["alhambra"]


def test_two_files_of_one_wonder_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write_file(tmp_path, copy_of())
    board = format_notation(dealt_with(shipped()))
    for words in (("board", "score"), ("explain",)):
        _, _, error = run_parsed(capsys, *words, board, "--wonder", file, "--wonder", file)
        assert (error["code"], error["details"]) == ("wonder_twice", {"wonder": "WH/alhambra"})


def test_a_damaged_layout_is_listed_and_can_be_removed(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data / "wonders").mkdir(parents=True)
    (data / "wonders" / "alhambra.toml").write_bytes(b"\xff")
    status, out, error = run_parsed(capsys, "enrol", "list")
    assert (status, error) == (0, None)
    assert re.split(" {2,}", out.splitlines()[1])[2].startswith("The enrolled layout of this wonder is damaged")
    for words in (("board", "score"), ("explain",)):
        assert run_parsed(capsys, *words, "D0")[0] == 0, "a board without it is scored"
        assert run_parsed(capsys, *words, format_notation(dealt_with(shipped("WH/tikal"))))[0] == 0
        status, _, error = run_parsed(capsys, *words, format_notation(dealt_with(shipped())))
        assert (status, error["code"], error["details"]["name"]) == (2, "bad_enrolment", "alhambra")
    assert (data / "wonders" / "alhambra.toml").read_bytes() == b"\xff"
    assert run_parsed(capsys, "enrol", "forget", "alhambra") == (0, "forgotten: alhambra\n", None)
    assert run_parsed(capsys, "board", "score", "D0")[0] == 0


def make_folder(path: Path) -> None:
    path.mkdir()


def make_dangling_link(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere"))


NO_FILES: list[Callable[[Path], None]] = [make_folder, make_dangling_link, os.mkfifo]


@pytest.mark.parametrize("make", NO_FILES)
@pytest.mark.parametrize("path", ["alhambra.toml", "art/alhambra.npz"])
@pytest.mark.parametrize("word", ["forget", "undo", "wonder"])
def test_an_irregular_file_is_a_damaged_layout(
    make: Callable[[Path], None], path: str, word: str, tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write_file(tmp_path, copy_of())
    run_parsed(capsys, "enrol", "wonder", "alhambra", source)
    odd = data / "wonders" / path
    odd.unlink(missing_ok=True)
    odd.parent.mkdir(exist_ok=True)
    state = EnrolledWonders().state()
    make(odd)
    assert EnrolledWonders().list_damaged() == ["alhambra"]
    assert EnrolledWonders().state() != state
    status, out, error = run_parsed(capsys, "enrol", "list")
    assert (status, error) == (0, None)
    assert "The enrolled layout of this wonder is damaged" in out
    status, _, error = run_parsed(capsys, "board", "score", format_notation(dealt_with(shipped())))
    assert (status, error["code"], error["details"]["wonder"]) == (2, "bad_enrolment", "WH/alhambra")
    sources = [source] if word == "wonder" else []
    status, _, error = run_parsed(capsys, "enrol", word, "alhambra", *sources)
    assert (status, error) == (0, None)
    assert EnrolledWonders().list_damaged() == []
    assert EnrolledWonders().names() == (["alhambra"] if sources else [])


def test_a_nonempty_folder_in_place_of_a_layout_is_never_removed(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = data / "wonders" / "alhambra.toml" / "mine.txt"
    file.parent.mkdir(parents=True)
    file.write_text("mine", encoding="utf-8")
    for word in ("forget", "undo"):
        status, _, error = run_parsed(capsys, "enrol", word, "alhambra")
        assert (status, error["code"], error["details"]) == (2, "enrolment_not_empty", {"folder": str(file.parent)})
    assert file.read_text(encoding="utf-8") == "mine"


def test_an_unknown_wonder_is_refused(tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, error = run_parsed(capsys, "enrol", "wonder", "colossus", write_file(tmp_path, copy_of()))
    assert (status, out, error["code"]) == (2, "", "no_such_wonder")
    assert error["details"]["name"] == "colossus"
    assert {f"WH/{name}" for name in error["details"]["known"]} == set(WONDERS)
    assert not data.exists()


@pytest.mark.parametrize("write", [write_file, write_report], ids=["file", "report"])
def test_a_wonder_that_the_source_lacks_is_refused(
    write: Write, tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path, copy_of())
    status, out, error = run_parsed(capsys, "enrol", "wonder", "tikal", source)
    assert (status, out, error["code"]) == (2, "", "wonder_not_seen")
    assert error["details"] == {"wonder": "WH/tikal", "file": source}
    assert not data.exists()


def test_a_bare_wonder_in_a_report_is_not_enrolled(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, error = run_parsed(capsys, "enrol", "wonder", "alhambra", write_report(tmp_path, bare()))
    assert (status, error["code"]) == (2, "wonder_not_seen")
    assert not data.exists()


@pytest.mark.parametrize(
    ("content", "code", "status"),
    [
        (None, "file_not_found", 2),
        (b"\xff\xfe", "bad_toml", 1),
        (b"id = ", "bad_toml", 1),
        (b'id = "WH/alhambra"\n', "missing_key", 1),
    ],
    ids=["no file", "no text", "no TOML", "no layout"],
)
def test_an_unreadable_file_is_refused(
    content: bytes | None, code: str, status: int, tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    if content is not None:
        file.write_bytes(content)
    returned, out, error = run_parsed(capsys, "enrol", "wonder", "alhambra", str(file))
    assert (returned, out, error["code"]) == (status, "", code)
    assert not data.exists()


def test_an_unwritable_output_file_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("enrol", "wonder", "alhambra", write_file(tmp_path, copy_of()), "--out", str(tmp_path / "no" / "a.toml"))
    status, _, error = run_parsed(capsys, *words)
    assert (status, error["code"]) == (2, "cannot_write")
    assert EnrolledWonders().names() == []
    status, _, error = run_parsed(capsys, *words[:4], "--json", str(tmp_path / "no" / "a.json"))
    assert (status, error["code"]) == (2, "cannot_write")
    assert EnrolledWonders().names() == []


def test_a_board_is_scored_by_the_enrolled_layout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The copy's road at the foot of the palace leaves southwards, the shipped one northwards."""
    alhambra = "(WH/alhambra#0)0/(WH/alhambra#1)0/(WH/alhambra#2)0(WH/alhambra#3)0(WH/alhambra#4)0/-U1 red^3,1=rN"
    words = ("board", "score", alhambra, "--json", "-")
    assert json.loads(run_parsed(capsys, *words)[1])["scores"]["final_scoring"] == {"red": 1}
    run_parsed(capsys, "enrol", "wonder", "alhambra", write_file(tmp_path, copy_of()))
    report = json.loads(run_parsed(capsys, *words)[1])
    assert report["scores"]["final_scoring"] == {"red": 2}
    assert len(report["wonders"]) == 1


def test_a_lone_wonder_tile_is_enrolled_with_its_print(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, truth = draw_lone("WH/tikal")
    status, out, error = run_parsed(capsys, "enrol", "wonder", "tikal", str(file), "--out", str(tmp_path / "mine.toml"))
    assert (status, error) == (0, None)
    lines = out.splitlines()
    assert lines[0] == f"Tikal: {data / 'wonders' / 'tikal.toml'}"
    assert any(line.startswith("road on ") and "open ends: " in line for line in lines)
    assert lines[-3] == "coats of arms: not known, asked about where they count"
    assert lines[-2].startswith("print: lone.jpg, ")
    enrolled = EnrolledWonders().load("tikal")
    assert enrolled.art is not None
    assert len(enrolled.art.keys) == len(truth.tiles) == 5
    assert enrolled.layout.inferred == (COATS_UNSEEN,)
    document = json.loads(run_parsed(capsys, "enrol", "list", "--json", "-")[1])
    assert document["wonders"]["tikal"].endswith(lines[-2])
    status, _, _ = run_parsed(capsys, "enrol", "wonder", "tikal", str(tmp_path / "mine.toml"))
    again = EnrolledWonders().load("tikal").art
    assert status == 0
    assert again is not None, "a layout that is corrected keeps the print, its squares being the same"
    run_parsed(capsys, "enrol", "wonder", "tikal", write_file(tmp_path, shipped("WH/tikal")))
    assert (EnrolledWonders().load("tikal").art is None) == (enrolled.layout.squares != shipped("WH/tikal").squares)


def test_undo_goes_back_step_by_step(tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for layout in (copy_of(), other_copy()):
        run_parsed(capsys, "enrol", "wonder", "alhambra", write_file(tmp_path, layout))
    status, out, _ = run_parsed(capsys, "enrol", "undo", "alhambra")
    assert (status, out.splitlines()[0]) == (0, "alhambra: back to the previous enrolment")
    assert_same(load_wonders_in_force()["WH/alhambra"], copy_of())
    status, out, _ = run_parsed(capsys, "enrol", "undo", "WH/alhambra")
    assert (status, out) == (0, "alhambra: the shipped layout is in force again\n")
    assert load_wonders_in_force()["WH/alhambra"] is shipped()
    status, _, error = run_parsed(capsys, "enrol", "undo", "alhambra")
    assert (status, error["code"]) == (2, "nothing_to_take_back")
    run_parsed(capsys, "enrol", "wonder", "alhambra", write_file(tmp_path, copy_of()))
    Enrolments().save(enrolment("mine"))
    for name in ("alhambra", "mine"):
        run_parsed(capsys, "enrol", "forget", name)
        status, out, _ = run_parsed(capsys, "enrol", "undo", name)
        assert (status, out.splitlines()[0]) == (0, f"{name}: back to the previous enrolment")
    assert (EnrolledWonders().names(), Enrolments().names()) == (["alhambra"], ["mine"])
    assert run_parsed(capsys, "enrol", "undo", "mine")[1] == "mine: no longer enrolled\n"
    status, _, error = run_parsed(capsys, "enrol", "undo", "colossus")
    assert (status, error["code"]) == (2, "nothing_to_take_back")


@pytest.mark.parametrize(
    ("quads", "code"),
    [([], "wonder_not_seen"), ([[(200, 100), (500, 100), (500, 400), (200, 400)]], "not_five_squares")],
    ids=["nothing", "nine squares"],
)
def test_a_photo_without_a_wonder_tile_enrols_nothing(
    quads: list[list[tuple[int, int]]], code: str, tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "photo.png"), plain_photo(*quads).pixels)
    status, out, error = run_parsed(capsys, "enrol", "wonder", "tikal", str(tmp_path / "photo.png"))
    assert (status, out, error["code"]) == (2, "", code)
    assert not data.exists()


@pytest.mark.soak
def test_a_report_with_its_photo_also_enrols_the_print(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown, reading, _ = table()
    report = build_report(shown, reading)
    (tmp_path / "report.json").write_text(report.to_json(), encoding="utf-8")
    words = ("enrol", "wonder", "alhambra", str(tmp_path / "report.json"))
    assert run_parsed(capsys, *words)[0] == 0
    assert EnrolledWonders().load("alhambra").art is None


def test_the_list_shows_the_enrolled_wonders_as_a_table(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = tuple(TileKey(f"WH/tikal#{cell}", 0) for cell in range(5))
    art = Enrolment("tikal", "lone.jpg", "2026-11-28", keys, np.zeros((5, CROP_PX, CROP_PX, 3), np.uint8))
    EnrolledWonders().save(EnrolledWonder(shipped("WH/tikal"), art))
    assert run_parsed(capsys, "enrol", "wonder", "alhambra", write_file(tmp_path, copy_of()))[0] == 0
    for name in ("alhambra", "tikal"):
        os.utime(data / "wonders" / f"{name}.toml", (1_760_000_000, 1_760_000_000))
    status, out, error = run_parsed(capsys, "enrol", "list")
    assert (status, error) == (0, None)
    head, *lines = [re.split(" {2,}", line) for line in out.splitlines()]
    assert head == ["wonder", "since", "squares", "print", "file"]
    squares = " ".join(f"{row},{col}" for row, col in copy_of().squares)
    alhambra, tikal = lines
    assert alhambra == ["alhambra", "2025-10-09", squares, "not kept", str(data / "wonders" / "alhambra.toml")]
    assert (tikal[0], tikal[3:]) == ("tikal", ["kept, of lone.jpg", str(data / "wonders" / "tikal.toml")])
    assert out.splitlines()[1].index(alhambra[4]) == out.splitlines()[0].index("file")
    document = json.loads(run_parsed(capsys, "enrol", "list", "--json", "-")[1])
    assert document["wonder_files"][1] == dict(zip(head, tikal, strict=True))
    assert document["wonder_files"][0]["print"] is None
    (data / "wonders" / "alhambra.toml").write_text("nothing", encoding="utf-8")
    damaged = run_parsed(capsys, "enrol", "list")[1].splitlines()[1]
    assert "damaged" in damaged
    assert damaged.endswith("alhambra.toml")
