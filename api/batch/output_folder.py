"""Which files a batch writes into its output folder, and that it overwrites none that is not a batch's."""

from __future__ import annotations

import os
from pathlib import Path

from api.batch.journal import JOURNAL, is_journal
from api.batch.options_file import OPTIONS_FILE
from api.tournament.errors import BatchError
from api.tournament.results import THUMBNAILS

_FILES = ("results.csv", "results.jsonl", "standings.csv", "index.html", OPTIONS_FILE)
OUTPUT_NAMES = (*_FILES, *(f".{name}.draft" for name in _FILES), THUMBNAILS, JOURNAL)
"""The names of all that a batch writes, but for its empty lock."""


def check_output_folder(out: Path) -> None:
    """Raise BatchError `would_overwrite` where files of these names lie there and no batch's journal.

    A batch begins its journal before it writes anything else, so it is looked for after the other files.
    """
    in_the_way = [name for name in OUTPUT_NAMES if os.path.lexists(out / name)]
    if in_the_way and not is_journal(out / JOURNAL):
        raise _build_overwrite_error(out, in_the_way)


def check_listing_place(listing: Path, out: Path) -> None:
    """Raise BatchError `would_overwrite` where a batch's results would take the place of its own listing."""
    written = (out / name for name in OUTPUT_NAMES)
    if in_the_way := [place.name for place in written if place.resolve() == listing.resolve()]:
        raise _build_overwrite_error(out, in_the_way)


def _build_overwrite_error(out: Path, files: list[str]) -> BatchError:
    return BatchError("would_overwrite", details={"out": str(out), "files": files})
