"""The options of a batch are restored as given, under the folder's own id."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.tournament.errors import BatchError
from api.tournament.options_file import OPTIONS_FILE, BatchOptions, read_batch_options, write_batch_options

texts = st.none() | st.text(st.characters(codec="utf-8"), max_size=40)


@given(folder=st.sampled_from(["/photos", "s3://bucket/cup", "memory://x"]), listing=texts, pattern=texts)
def test_what_is_remembered_is_what_was_asked(folder: str, listing: str | None, pattern: str | None) -> None:
    with TemporaryDirectory() as out:
        options = BatchOptions(folder, Path(out), "C3", listing, pattern)
        write_batch_options(options)
        id, again = read_batch_options(Path(out))
        assert again == options
        write_batch_options(replace(options, listing="photo\n"))
        assert read_batch_options(Path(out)) == (id, replace(options, listing="photo\n"))


def test_a_local_folder_is_found_from_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_batch_options(BatchOptions("photos", tmp_path, "C3"))
    assert read_batch_options(tmp_path)[1].folder == str(tmp_path / "photos")


@pytest.mark.parametrize("content", [None, "", "[]", '{"id": "x"}'])
def test_a_folder_without_a_batch_is_told(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / OPTIONS_FILE).write_text(content, encoding="utf-8")
    with pytest.raises(BatchError, match="no_batch"):
        read_batch_options(tmp_path)
