"""Joint reading of several photos of one table, and the photos that cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from api.documents.report import SetAside
from vision.errors import WondertallyError

if TYPE_CHECKING:
    from vision.multiview.reading import JoinedReading
    from vision.photo.decoding import Photo
    from vision.reader import Reader
    from vision.sequence.followed import Followed
    from vision.sequence.series import Series
    from vision.survey.survey import Survey

T = TypeVar("T")
Opener: TypeAlias = "Callable[[], Photo]"
Openers: TypeAlias = "Sequence[tuple[str, Opener]]"
"""Photos as pairs of a name and a function that opens it."""


def survey_photos(
    reader: Callable[[], Reader], photos: Iterable[tuple[str, Opener]]
) -> tuple[list[Survey], list[SetAside]]:
    """Survey the photos that can be read and set the others aside; raises the first error if none can be read.

    `photos` are pairs of a name and an opener; the reader is created only once a photo is open.
    """
    return use_photos(photos, lambda photo: reader().survey(photo))


def follow_photos(
    reader: Callable[[], Reader],
    photos: Iterable[tuple[str, Opener]],
    colours: Collection[str],
    copies: Mapping[str, int],
) -> tuple[Followed, list[SetAside]]:
    """Read the photos of one growing game one after the other, and set aside those that cannot be read.

    `colours` are those in play, if known, `copies` the stated numbers of copies of boxes. Raises the first error if
    none can be read.
    """
    series: list[Series] = []

    def add(photo: Photo) -> None:
        survey = reader().survey_moment(photo)
        series[:] = series or [reader().begin_series(copies)]
        series[0].add(survey)

    _, aside = use_photos(photos, add)
    return series[0].follow(colours), aside


def add_lone_score_board(
    reader: Reader, joined: JoinedReading, photos: Openers, aside: list[SetAside]
) -> tuple[JoinedReading, list[SetAside]]:
    """Add the score board that one photo shows alone, unless another shows it; that photo is then not set aside."""
    if joined.views[0].reading.track is not None:
        return joined, aside
    openers = dict(photos)
    for one in aside:
        if one.reason == "board_not_found":
            tracked = reader.add_score_board(joined, openers[one.file]())
            if tracked is not None:
                return tracked, [other for other in aside if other is not one]
    return joined, aside


def use_photos(photos: Iterable[tuple[str, Opener]], use: Callable[[Photo], T]) -> tuple[list[T], list[SetAside]]:
    """Use the photos one by one, and set aside those that cannot be opened or used, or that are repeated.

    Raises the first error if none can be used.
    """
    results: list[T] = []
    aside: list[SetAside] = []
    errors: list[WondertallyError] = []
    digests = set[str]()
    for name, open_photo in photos:
        try:
            photo = open_photo()
            if photo.sha256 in digests:
                aside.append(SetAside(file=name, reason="same_photo"))
                continue
            results.append(use(photo))
            digests.add(photo.sha256)
        except WondertallyError as error:
            errors.append(error)
            aside.append(SetAside(file=name, reason=error.code))
    if not results:
        raise errors[0]
    return results, aside
