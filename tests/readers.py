"""The reader with its nets, which take a while to load: one for all tests of a process."""

from __future__ import annotations

from functools import cache

from vision.reader import Reader


@cache
def reader() -> Reader:
    """Load the reader without enrolments; no test may change it."""
    return Reader()
