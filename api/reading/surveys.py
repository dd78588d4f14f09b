"""Several photos of one table, read together, and what could not be read of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from api.report.schema import SetAside
from vision.errors import WondertallyError
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.survey.survey import Survey

Opener = Callable[[], Photo]
Openers = Sequence[tuple[str, Opener]]
"""Photos by their names, and how each is opened."""


def survey_photos(
    reader: Callable[[], Reader], photos: Iterable[tuple[str, Opener]]
) -> tuple[list[Survey], list[SetAside]]:
    """The photos that can be read, and those that cannot; raises the first error where none can.

    `photos` are names and how each photo is opened; the reader is asked for only when one could be.
    """
    surveys: list[Survey] = []
    aside: list[SetAside] = []
    errors: list[WondertallyError] = []
    for name, opened in photos:
        try:
            photo = opened()
            if any(photo.sha256 == survey.photo.sha256 for survey in surveys):
                aside.append(SetAside(file=name, reason="same_photo"))
                continue
            surveys.append(reader().survey(photo))
        except WondertallyError as error:
            errors.append(error)
            aside.append(SetAside(file=name, reason=error.code))
    if not surveys:
        raise errors[0]
    return surveys, aside
