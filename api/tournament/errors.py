"""Errors of a batch, as a branch of the tree in `vision.errors`.

WondertallyError
  PhotoError
    PassingError            a photo could not be read this time; the next run tries again
  InputError
    BatchError              a batch cannot be done as requested
  ClusterError              the workers cannot be relied on; finished readings are kept
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from vision.errors import InputError, PhotoError, WondertallyError


class PassingError(PhotoError):
    """A photo could not be read this time; the next run tries again."""

    texts: ClassVar[Mapping[str, str]] = {
        "photo_changed": "The photo was changed while the batch was running.",
        "reading_crashed": "Reading the photo crashed or timed out more than once.",
        "reading_failed": "The program failed on this photo.",
    }
    advised: ClassVar[tuple[str, ...]] = (
        "photo_changed",
        "reading_failed",
    )


class BatchError(InputError):
    """A batch cannot be done as requested."""

    texts: ClassVar[Mapping[str, str]] = {
        "folder_unreachable": "The folder of photos cannot be listed.",
        "no_photos": "There are no JPEG, PNG, WebP or HEIC pictures in the folder.",
        "bad_listing": "The CSV of photos cannot be used.",
        "bad_roster": "The roster needs a header with a column `table`; see the documentation for the others.",
        "bad_roster_line": "A line of the roster cannot be used.",
        "roster_repeats": "A table or a player stands twice in one round of the roster.",
        "roster_too_long": "The roster has too many tables.",
        "bad_pattern": "A pattern must contain {table}, may contain {event} and {round}, each once; {} matches "
        "anything.",
        "bad_scheduler": "That is not a scheduler's address: write it as tcp://host:8786.",
        "cluster_missing": "Reading on a Dask cluster needs the extra `cluster`: pipx install '.[cluster]'.",
        "bad_journal": "The journal of an earlier run in the output folder is damaged: name another folder.",
        "out_in_use": "Another run writes to the same folder.",
        "would_overwrite": "The batch would overwrite files in the output folder that are not its own.",
        "no_event": "That folder was not imported: run `wondertally event import` with it.",
        "no_batch": "That folder holds no batch: run `wondertally batch` with it as --out, again if it is old.",
    }
    advised: ClassVar[tuple[str, ...]] = (
        "bad_journal",
        "bad_roster",
        "bad_scheduler",
        "cluster_missing",
        "would_overwrite",
    )


class ClusterError(WondertallyError):
    """The workers cannot be relied on; finished readings are kept, and the next run continues from there."""

    texts: ClassVar[Mapping[str, str]] = {
        "scheduler_unreachable": "Nothing answers at the scheduler's address.",
        "not_a_scheduler": "The answer at that address is not a Dask scheduler's.",
        "scheduler_lost": "The scheduler is gone or was restarted. Finished readings are kept: run the same command "
        "again.",
        "no_workers": "The scheduler has no workers.",
        "versions_differ": "The worker has another version of the program, weights or libraries, or other enrolments.",
        "worker_unfit": "A worker lacks the program or its weights.",
    }
