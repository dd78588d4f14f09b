"""Checks that a batch overwrites only files of a batch in its output folder."""

from __future__ import annotations

import os
from pathlib import Path

from api.batch.journal import JOURNAL, is_journal
from api.tournament.errors import BatchError
from api.tournament.options_file import OPTIONS_FILE
from api.tournament.results import THUMBNAILS

_FILES = ("results.csv", "results.jsonl", "standings.csv", "index.html", OPTIONS_FILE)
OUTPUT_NAMES = (*_FILES, *(f".{name}.draft" for name in _FILES), THUMBNAILS, JOURNAL)
"""Names of all files that a batch writes, except its empty lock file."""


def check_output_folder(out: Path) -> None:
    """Raise BatchError `would_overwrite` if files of these names exist and no batch's journal does.

    A batch creates its journal before any other file, so the journal is checked after the others.
    """
    in_the_way = [name for name in OUTPUT_NAMES if os.path.lexists(out / name)]
    if in_the_way and not is_journal(out / JOURNAL):
        raise _build_overwrite_error(out, in_the_way)


def check_listing_place(listing: Path, out: Path) -> None:
    """Raise BatchError `would_overwrite` if a batch's results would overwrite its own listing."""
    written = (out / name for name in OUTPUT_NAMES)
    if in_the_way := [place.name for place in written if place.resolve() == listing.resolve()]:
        raise _build_overwrite_error(out, in_the_way)


def _build_overwrite_error(out: Path, files: list[str]) -> BatchError:
    return BatchError("would_overwrite", details={"out": str(out), "files": files})
