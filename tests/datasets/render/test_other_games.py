"""Drawn tables that are none of Carcassonne's, which the reader refuses."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest
from skimage import data

from datasets.render import other_games
from vision.errors import ReadingError
from vision.photo.decoding import Photo
from vision.reader import Reader


def test_tiles_that_show_pictures_and_bare_tables_are_refused(tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for name in ("brick", "grass", "gravel", "coffee"):
        cv2.imwrite(str(pictures / f"{name}.png"), getattr(data, name)())
    words = ["--count", "2", "--seed", "3", "--out", str(tmp_path / "out")]
    other_games.main([*words, "--kinds", "another", "bare", "--pictures", str(pictures)])
    reader, files = Reader(), sorted((tmp_path / "out").iterdir())
    assert [file.name for file in files] == ["another_0000.jpg", "bare_0001.jpg"]
    for file in files:
        with pytest.raises(ReadingError, match="board_not_found"):
            reader.read(Photo.from_path(file))


def test_a_folder_without_a_picture_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no picture")
    with pytest.raises(ValueError, match="no file is a picture"):
        other_games.main(
            ["--count", "1", "--kinds", "another", "--pictures", str(tmp_path), "--out", str(tmp_path / "o")]
        )
