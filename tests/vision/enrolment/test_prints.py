"""The store of enrolments: data comes back as written, completely or not at all, and can be undone."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.enrolment.random_prints import enrolment, keys
from vision.enrolment.prints import Enrolment, Enrolments, TileKey
from vision.enrolment.store import find_free_name, resolve_data_folder
from vision.errors import EnrolmentError
from vision.photo.crops import CROP_PX

names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,20}", fullmatch=True)


@settings(max_examples=10)
@given(names, keys, st.text(max_size=20), st.integers(0, 99))
def test_saved_enrolments_read_back(name: str, own: list[TileKey], source: str, seed: int) -> None:
    enrolled = enrolment(name, tuple(own), seed)
    enrolled = Enrolment(name, source, enrolled.made, enrolled.keys, enrolled.crops)
    with TemporaryDirectory() as folder:
        store = Enrolments(Path(folder) / "enrolments")
        store.save(enrolled)
        [back] = store.all()
        assert (back.name, back.source, back.made, back.keys) == (name, source, enrolled.made, enrolled.keys)
        assert (back.crops == enrolled.crops).all()
        assert [file.name for file in store.folder.iterdir()] == [f"{name}.npz"]
        store.forget(name)
        assert store.names() == []
        store.take_back(name)
        [back] = store.all()
        assert (back.crops == enrolled.crops).all()
        store.take_back(name)
        assert (store.names(), store.list_forgotten()) == ([], [])


@given(st.integers(0, 3), st.integers(0, 3))
def test_turns_of_a_tile_key_add_up(first: int, second: int) -> None:
    key = TileKey("BA/RCr", 2)
    assert key.turned(first).turned(second) == key.turned(first + second)
    assert key.turned(first).turned(-first) == key


def test_a_name_of_an_enrolment_is_unique(tmp_path: Path) -> None:
    store = Enrolments(tmp_path)
    store.save(enrolment())
    with pytest.raises(EnrolmentError, match="enrolment_exists"):
        store.save(enrolment(seed=1))
    assert (store.load("mine").crops == enrolment().crops).all()
    assert find_free_name("mine", store.names()) == "mine-2"
    assert find_free_name("photo of 3 May.x", store.names()) == "photo-of-3-May-x"
    assert find_free_name("Ü", store.names()) == "set"


@pytest.mark.parametrize("name", ["", "../mine", "a/b", "-x", ".hidden", "a b", "x" * 65])
def test_a_name_cannot_escape_its_folder(tmp_path: Path, name: str) -> None:
    store = Enrolments(tmp_path)
    for call in (store.load, store.forget):
        with pytest.raises(EnrolmentError, match="bad_name"):
            call(name)
    with pytest.raises(EnrolmentError, match="bad_name"):
        store.save(enrolment(name))


def test_an_unknown_enrolment_cannot_be_removed(tmp_path: Path) -> None:
    with pytest.raises(EnrolmentError, match="no_such_enrolment") as caught:
        Enrolments(tmp_path / "none").forget("mine")
    assert caught.value.details == {"name": "mine", "known": []}


@pytest.mark.parametrize("keep", [0.0, 0.3, 0.7, 0.98])
def test_a_damaged_file_is_reported_and_can_be_removed(tmp_path: Path, keep: float) -> None:
    store = Enrolments(tmp_path)
    file = store.save(enrolment())
    data = file.read_bytes()
    file.write_bytes(data[: int(keep * len(data))])
    with pytest.raises(EnrolmentError, match="bad_enrolment"):
        store.load("mine")
    assert store.names() == ["mine"]
    store.forget("mine")
    assert store.names() == []


@settings(max_examples=30)
@given(st.integers(0, 10**9), st.integers(1, 255))
def test_a_wrong_byte_is_reported_or_harmless(place: int, change: int) -> None:
    with TemporaryDirectory() as folder:
        store = Enrolments(Path(folder) / "enrolments")
        file = store.save(enrolment())
        data = bytearray(file.read_bytes())
        data[place % len(data)] ^= change
        file.write_bytes(data)
        try:
            back = store.load("mine")
        except EnrolmentError:
            return
        assert back.keys == enrolment().keys
        assert (back.crops == enrolment().crops).all()


@pytest.mark.parametrize(
    "parts",
    [
        {"crops": np.zeros((1, 32, 32, 3), np.uint8)},
        {"crops": np.zeros((0, CROP_PX, CROP_PX, 3), np.uint8)},
        {"crops": np.zeros((1, CROP_PX, CROP_PX, 3))},
        {"turns": np.array([4], np.uint8)},
        {"tiles": np.array(["BA/RCr", "BA/RCr"])},
        {"tiles": np.array([{}], dtype=object)},
        {"metadata": np.array("{}")},
        {"metadata": np.array("no json")},
        {"metadata": np.array('{"format": "wondertally/enrolment/9"}')},
    ],
)
def test_a_file_of_other_data_is_reported(tmp_path: Path, parts: dict[str, np.ndarray]) -> None:
    store = Enrolments(tmp_path)
    file = store.save(enrolment())
    with np.load(file) as archive:
        whole = {**{name: archive[name] for name in archive.files}, **parts}
    np.savez(file, **whole)
    with pytest.raises(EnrolmentError, match="bad_enrolment"):
        store.load("mine")


def test_an_unwritable_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EnrolmentError, match="cannot_write_enrolment"):
        Enrolments(tmp_path / "file" / "enrolments").save(enrolment())


def test_the_folder_follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path))
    assert resolve_data_folder() == tmp_path
    assert Enrolments().folder == tmp_path / "enrolments"
    monkeypatch.delenv("WONDERTALLY_DATA")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert resolve_data_folder() == tmp_path / "xdg" / "wondertally"
    monkeypatch.delenv("XDG_DATA_HOME")
    assert resolve_data_folder() == Path.home() / ".local" / "share" / "wondertally"
