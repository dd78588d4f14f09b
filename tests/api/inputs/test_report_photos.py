"""A report in a photo's place is reported as such, with the photos that it was read from."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.inputs.photos import open_photo
from tests.api.commands import error_of, run
from vision.errors import InputError, PhotoError

COMMANDS = (
    ("moves", "{report}", "--players", "red,blue"),
    ("moves", "{report}", "{report}", "--players", "red,blue"),
    ("enrol", "score-token", "{report}", "--points", "50"),
    ("enrol", "board", "{report}", "--game", "tower-of-babel", "--picture", "board"),
    ("score", "{report}", "{report}"),
)


@pytest.fixture
def report(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Path:
    """Return a report, as a file."""
    file = tmp_path / "report.json"
    assert run(capsys, "board", "score", "D0V0/-U1 red^1,1=rN", "--json", str(file))[0] == 0
    return file


@pytest.mark.parametrize("words", COMMANDS)
def test_a_report_in_place_of_a_photo_is_refused(
    words: tuple[str, ...], report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, errors = run(capsys, *(word.format(report=report) for word in words))
    assert (status, error_of(errors)["code"]) == (2, "report_for_photo")


def test_the_error_names_the_photos_of_the_report(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_text('{"schema": 3, "photos": [{"file": "a.jpg"}, {"file": "b.jpg"}], "photo": {"file": "a.jpg"}}')
    with pytest.raises(InputError) as refused:
        open_photo(file)
    assert refused.value.details == {"file": str(file), "photos": ["a.jpg", "b.jpg"]}


def test_a_report_with_invalid_photos_names_none(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_text('{"schema": 3, "photos": 3, "photo": []}')
    with pytest.raises(InputError) as refused:
        open_photo(file)
    assert refused.value.details["photos"] == []


@pytest.mark.parametrize("text", ["no picture", "[1]", '{"tiles": []}', '{"schema": 3, "pho'])
def test_text_that_is_no_report_is_refused_as_a_picture(text: str, tmp_path: Path) -> None:
    (tmp_path / "some.jpg").write_text(text)
    with pytest.raises(PhotoError, match="not_an_image"):
        open_photo(tmp_path / "some.jpg")
