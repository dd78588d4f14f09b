"""Layouts of wonders in force: those in named files, else the enrolled ones, else those shipped."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import tomlkit

from scoring.carcassonne.wonders.files import read_wonder
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout
from scoring.errors import CatalogueError
from tests.api.carcassonne.report.copied import ALHAMBRA, copy_of, other_copy, shipped
from vision.enrolment.prints import Enrolment, TileKey
from vision.enrolment.wonders import (
    NAMED_FILES,
    EnrolledWonder,
    EnrolledWonders,
    find_damaged_wonders,
    load_wonder_art,
    load_wonders_in_force,
    name_wonder_files,
    read_wonder_files,
    refuse_damaged_wonders,
)
from vision.errors import EnrolmentError, InputError
from vision.photo.crops import CROP_PX
from vision.reader import Reader


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder for a person's files; nothing is enrolled, and no file is named."""
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path / "data"))
    monkeypatch.setenv(NAMED_FILES, "")
    return tmp_path


def write(file: Path, layout: WonderLayout) -> Path:
    file.write_text(tomlkit.dumps(dict(layout.entry)), encoding="utf-8")
    return file


def city_copy() -> WonderLayout:
    """Return a third copy, whose city does not open to the west."""
    return read_wonder({**copy_of().entry, "cities": [{"edges": ["0,0 N", "1,0 E", "2,0 S"], "walled": True}]})


def test_without_enrolled_or_named_files_the_shipped_layouts_are_in_force() -> None:
    layouts = load_wonders_in_force()
    assert set(layouts) == set(WONDERS)
    assert all(layout is shipped(id) for id, layout in layouts.items())


def test_named_files_override_enrolled_ones_and_those_the_shipped_ones(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    EnrolledWonders().save(EnrolledWonder(copy_of()))
    tikal = EnrolledWonder(shipped("WH/tikal"))
    EnrolledWonders().save(tikal)
    assert load_wonders_in_force()[ALHAMBRA].entry == copy_of().entry
    monkeypatch.setenv(NAMED_FILES, str(write(folder / "other.toml", other_copy())))
    layouts = load_wonders_in_force()
    assert layouts[ALHAMBRA].entry == other_copy().entry
    assert layouts["WH/tikal"].parts == shipped("WH/tikal").parts
    assert layouts["WH/tikal"] is not shipped("WH/tikal")
    assert all(layouts[id] is shipped(id) for id in WONDERS if id not in (ALHAMBRA, "WH/tikal"))
    monkeypatch.setenv(NAMED_FILES, "")
    EnrolledWonders().forget("alhambra")
    assert load_wonders_in_force()[ALHAMBRA] is shipped()


def test_several_files_of_one_wonder_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [write(folder / "one.toml", copy_of()), write(folder / "two.toml", other_copy())]
    monkeypatch.setenv(NAMED_FILES, os.pathsep.join(map(str, files)))
    with pytest.raises(CatalogueError, match="wonder_twice"):
        load_wonders_in_force()


def test_enrolled_layouts_lie_in_the_given_folder(folder: Path) -> None:
    elsewhere = EnrolledWonders(folder / "elsewhere")
    elsewhere.save(EnrolledWonder(copy_of()))
    assert load_wonders_in_force()[ALHAMBRA] is shipped()
    assert load_wonders_in_force(elsewhere)[ALHAMBRA].entry == copy_of().entry


def test_a_changed_file_reloads_its_enrolled_layout() -> None:
    enrolled = EnrolledWonders()
    assert enrolled.state() == ()
    enrolled.save(EnrolledWonder(copy_of()))
    before = enrolled.state()
    assert [name for name, _ in before] == ["alhambra.toml"]
    enrolled.save(EnrolledWonder(other_copy()), again=True)
    os.utime(enrolled.folder / "alhambra.toml", ns=(1, before[0][1] + 1))
    assert enrolled.state() != before
    assert enrolled.load("alhambra").layout.entry == other_copy().entry


@pytest.mark.parametrize("content", [b"", b"\xff", b"id = 3", b'id = "WH/alhambra"\nsquares = [[0, 0]]'])
def test_a_damaged_enrolled_file_is_reported(content: bytes) -> None:
    EnrolledWonders().save(EnrolledWonder(copy_of()))
    EnrolledWonders().save(EnrolledWonder(shipped("WH/tikal")))
    (EnrolledWonders().folder / "alhambra.toml").write_bytes(content)
    layouts = load_wonders_in_force()
    assert layouts[ALHAMBRA] is shipped()
    assert layouts["WH/tikal"] is not shipped("WH/tikal"), "the others are in force"
    assert find_damaged_wonders(layouts) == (ALHAMBRA,)
    refuse_damaged_wonders(["WH/tikal"], layouts)
    with pytest.raises(EnrolmentError) as caught:
        refuse_damaged_wonders(["WH/tikal", ALHAMBRA], layouts)
    assert (caught.value.code, caught.value.details["name"]) == ("bad_enrolment", "alhambra")
    assert (EnrolledWonders().folder / "alhambra.toml").read_bytes() == content
    reader = Reader.load_enrolled()
    assert reader.damaged_wonders == (ALHAMBRA,)
    assert reader.board_tiles.wonders["WH/tikal"].entry == layouts["WH/tikal"].entry


def test_a_damaged_file_does_not_affect_a_wonder_with_a_named_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    EnrolledWonders().save(EnrolledWonder(copy_of()))
    (EnrolledWonders().folder / "alhambra.toml").write_bytes(b"damaged")
    monkeypatch.setenv(NAMED_FILES, str(write(folder / "other.toml", other_copy())))
    layouts = load_wonders_in_force()
    assert layouts[ALHAMBRA].entry == other_copy().entry
    assert find_damaged_wonders(layouts) == ()


def test_the_file_of_another_wonder_is_damaged() -> None:
    file = EnrolledWonders().save(EnrolledWonder(copy_of()))
    file.rename(file.with_name("tikal.toml"))
    assert find_damaged_wonders(load_wonders_in_force()) == ("WH/tikal",)


def test_enrolling_over_a_damaged_file_keeps_that_file() -> None:
    enrolled = EnrolledWonders()
    file = enrolled.save(EnrolledWonder(copy_of()))
    file.write_bytes(b"damaged")
    enrolled.save(EnrolledWonder(other_copy()), again=True)
    assert enrolled.load("alhambra").layout.entry == other_copy().entry
    enrolled.take_back("alhambra")
    assert file.read_bytes() == b"damaged"


def test_wonder_files_provide_only_their_own_wonders(folder: Path) -> None:
    layouts = read_wonder_files([write(folder / "mine.toml", copy_of())])
    assert {id: layout.entry for id, layout in layouts.items()} == {ALHAMBRA: copy_of().entry}
    assert read_wonder_files([]) == {}


def test_named_files_apply_in_this_process_and_its_children(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(folder / "mine.toml", copy_of())
    monkeypatch.chdir(folder)
    name_wonder_files([Path("mine.toml"), write(folder / "tikal.toml", shipped("WH/tikal"))])
    assert os.environ[NAMED_FILES].split(os.pathsep) == [str(file), str(folder / "tikal.toml")]
    monkeypatch.chdir("/")
    assert load_wonders_in_force()[ALHAMBRA].entry == copy_of().entry


def test_naming_no_files_changes_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = str(write(folder / "mine.toml", copy_of()))
    monkeypatch.setenv(NAMED_FILES, named)
    name_wonder_files([])
    assert os.environ[NAMED_FILES] == named


@pytest.mark.parametrize("content", [None, b"\xff\xfe", b"id =", b'id = "WH/alhambra"'])
def test_a_bad_file_is_refused_and_changes_nothing(
    content: bytes | None, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = str(write(folder / "mine.toml", copy_of()))
    monkeypatch.setenv(NAMED_FILES, named)
    bad = folder / "bad.toml"
    if content is not None:
        bad.write_bytes(content)
    codes = {None: "file_not_found", b"\xff\xfe": "bad_toml", b"id =": "bad_toml"}
    for files in ([bad], [write(folder / "good.toml", other_copy()), bad]):
        with pytest.raises((CatalogueError, InputError)) as caught:
            name_wonder_files(files)
        assert caught.value.code == codes.get(content, "missing_key")
        assert os.environ[NAMED_FILES] == named


def test_a_missing_named_file_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAMED_FILES, str(folder / "gone.toml"))
    with pytest.raises(InputError) as caught:
        load_wonders_in_force()
    assert (caught.value.code, caught.value.details) == ("file_not_found", {"file": str(folder / "gone.toml")})


def art_of(source: str) -> Enrolment:
    """Return prints of the five squares of the Alhambra, of another colour for each source."""
    crops = np.full((5, CROP_PX, CROP_PX, 3), sum(source.encode()) % 256, np.uint8)
    keys = tuple(TileKey(f"{ALHAMBRA}#{cell}", 0) for cell in range(5))
    return Enrolment("alhambra", source, "2026-11-28", keys, crops)


def list_sources() -> list[str]:
    return [art.source for art in load_wonder_art(load_wonders_in_force())]


def test_prints_are_stored_and_removed_with_their_layout() -> None:
    enrolled = EnrolledWonders()
    enrolled.save(EnrolledWonder(copy_of(), art_of("one.jpg")), again=True)
    before = enrolled.state()
    art = enrolled.load("alhambra").art
    assert art is not None
    assert (art.name, art.source, len(art.keys)) == ("alhambra", "one.jpg", 5)
    assert [file.name for file in enrolled.files()] == ["alhambra.toml", "alhambra.npz"]
    assert list_sources() == ["one.jpg"]
    enrolled.save(EnrolledWonder(copy_of()), again=True)
    assert enrolled.load("alhambra").art is None
    assert list_sources() == []
    assert enrolled.state() != before
    enrolled.forget("alhambra")
    assert enrolled.files() == []


def test_layouts_and_prints_are_undone_together(folder: Path) -> None:
    enrolled = EnrolledWonders()
    for layout, source in ((copy_of(), "one.jpg"), (other_copy(), None), (city_copy(), "three.jpg")):
        enrolled.save(EnrolledWonder(layout, None if source is None else art_of(source)), again=True)
    for layout, source in ((other_copy(), None), (copy_of(), "one.jpg")):
        state = enrolled.state()
        enrolled.take_back("alhambra")
        assert enrolled.state() != state
        wonder = enrolled.load("alhambra")
        assert wonder.layout.entry == layout.entry
        assert (wonder.art and wonder.art.source) == source
        assert list_sources() == ([] if source is None else [source])
    enrolled.take_back("alhambra")
    assert load_wonders_in_force()[ALHAMBRA] is shipped()
    assert list_sources() == []
    with pytest.raises(EnrolmentError) as caught:
        enrolled.take_back("alhambra")
    assert caught.value.code == "nothing_to_take_back"


def test_each_wonder_keeps_its_own_prints() -> None:
    enrolled = EnrolledWonders()
    enrolled.save(EnrolledWonder(copy_of(), art_of("one.jpg")), again=True)
    enrolled.save(EnrolledWonder(shipped("WH/tikal")), again=True)
    enrolled.forget("tikal")
    assert list_sources() == ["one.jpg"]


def test_prints_of_another_layout_apply_only_to_identical_squares(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    EnrolledWonders().save(EnrolledWonder(copy_of(), art_of("one.jpg")), again=True)
    monkeypatch.setenv(NAMED_FILES, str(write(folder / "other.toml", other_copy())))
    assert list_sources() == ["one.jpg"]
    entry = {**copy_of().entry, "squares": [*reversed(copy_of().entry["squares"])]}
    monkeypatch.setenv(NAMED_FILES, str(write(folder / "reversed.toml", read_wonder(entry))))
    assert list_sources() == []


def test_damaged_prints_are_reported() -> None:
    enrolled = EnrolledWonders()
    enrolled.save(EnrolledWonder(copy_of(), art_of("one.jpg")), again=True)
    (enrolled.folder / "art" / "alhambra.npz").write_bytes(b"no archive")
    with pytest.raises(EnrolmentError) as caught:
        enrolled.load("alhambra")
    assert (caught.value.code, caught.value.details["name"]) == ("bad_enrolment", "alhambra")
    enrolled.forget("alhambra")
    assert enrolled.names() == []


def test_the_reader_of_this_machine_knows_enrolled_layouts_and_prints() -> None:
    before = Reader.load_enrolled()
    assert (before.board_tiles.wonders[ALHAMBRA], before.square_reader.prints.beyond) == (shipped(), ())
    EnrolledWonders().save(EnrolledWonder(copy_of(), art_of("one.jpg")), again=True)
    after = Reader.load_enrolled()
    assert after.board_tiles.wonders[ALHAMBRA].entry == copy_of().entry
    assert {key.tile for key in after.square_reader.prints.beyond} == {f"{ALHAMBRA}#{cell}" for cell in range(5)}
