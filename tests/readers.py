"""The reader with its nets, one for all tests of a process, and its readings of the example photos, for all workers."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from tests.kept import keep
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.reading.values import Reading
from vision.survey.survey import Survey

EXAMPLES = Path(__file__).parents[1] / "datasets" / "examples"


@cache
def reader() -> Reader:
    """Load the reader without enrolments; no test may change it."""
    return Reader()


@cache
def survey_example(name: str) -> Survey:
    """Return the survey of an example photo, `table` for instance."""
    return Survey(photo=_open_example(name), **_survey_example(name))


@keep
def _survey_example(name: str) -> dict[str, Any]:
    """Return the parts of the survey without its photo, which cannot be pickled."""
    survey = reader().survey(_open_example(name))
    return {field.name: getattr(survey, field.name) for field in fields(survey) if field.name != "photo"}


def _open_example(name: str) -> Photo:
    return Photo.from_path(EXAMPLES / f"{name}.jpg")


@keep
def read_example(name: str) -> Reading:
    """Return the reading of an example photo."""
    return reader().join([survey_example(name)]).views[0].reading
