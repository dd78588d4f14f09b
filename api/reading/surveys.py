"""Joint reading of several photos of one table, and the photos that cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from api.documents.report import SetAside
from vision.errors import ReadingError, WondertallyError

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
MAX_UNREAD = 6
"""Maximum number of first photos without a board that are looked at again once a board is found. Bounds memory."""


def survey_photos(
    reader: Callable[[], Reader], photos: Iterable[tuple[str, Opener]]
) -> tuple[list[Survey], list[SetAside]]:
    """Survey the photos that can be read and set the others aside; raises the first error if none can be read.

    `photos` are pairs of a name and an opener; the reader is created only once a photo is open.
    """
    return use_photos(photos, lambda photo: reader().survey(photo))


class GameInPhotos:
    """One growing game, whose photos are read as they come; `aside` are those that cannot be read.

    `copies` are the stated numbers of copies of boxes. The reader is created once a photo is open.
    """

    def __init__(self, reader: Callable[[], Reader], copies: Mapping[str, int]) -> None:
        self._reader, self._copies = reader, copies
        self._series: Series | None = None
        self._unread: list[Photo] = []
        self._first = ""
        self._photos = PhotoSorter(self._read)

    @property
    def aside(self) -> list[SetAside]:
        """Return the photos that could not be read."""
        return self._photos.aside

    def add(self, name: str, open_photo: Opener) -> None:
        """Read a further photo, or set it aside."""
        self._first = self._first or name
        self._photos.add(name, open_photo)

    def add_again(self, name: str, open_photo: Opener) -> None:
        """Read a photo whose file was written again, and forget that it was set aside."""
        self._photos.forget_aside(name)
        self.add(name, open_photo)

    def refuse_lone(self) -> None:
        """Raise the error of the first photo that could not be read, if others are too few for moves."""
        if len(self._photos.results) < 2:
            self._photos.refuse_faulty()

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the reader, which another process has of its own."""
        return {name: value for name, value in vars(self).items() if name != "_reader"}

    def resume(self, reader: Callable[[], Reader]) -> None:
        """Go on with the reader of this process."""
        self._reader = reader

    def follow(self, colours: Collection[str]) -> Followed:
        """Return the game; `colours` are those in play, if known. Raises the first error if no photo was read."""
        self._photos.refuse_none()
        assert self._series is not None
        game = self._series.follow(colours)
        lacks_first = self._first not in [photo.file for photo in game.photos]
        return replace(game, lacks_first=lacks_first, unread=frozenset(photo.file for photo in self.aside))

    def _read(self, photo: Photo) -> None:
        """Read a photo. If no board is found, it is looked for where the photo before or after it shows one."""
        try:
            survey = self._survey(photo)
            if self._series is None:
                self._begin(survey)
            else:
                self._series.add(survey)
        except ReadingError:
            if self._series is None:
                self._unread = [*self._unread, photo][-MAX_UNREAD:]
            raise

    def _survey(self, photo: Photo) -> Survey:
        try:
            return self._reader().survey_moment(photo)
        except ReadingError:
            again = self._series and self._series.look_again(photo)
            if not again:
                raise
            return again

    def _begin(self, survey: Survey) -> None:
        """Begin the game with the first photo that can be read, and the earlier ones in which it shows the board."""
        series = self._reader().begin_series(self._copies)
        for earlier in filter(None, [series.look_again(photo, survey) for photo in self._unread]):
            with suppress(ReadingError):
                series.add(earlier)
                self._photos.take_back(earlier.photo, None)
        series.add(survey)
        self._series, self._unread = series, []


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
    sorter = PhotoSorter(use)
    for name, open_photo in photos:
        sorter.add(name, open_photo)
    sorter.refuse_none()
    return sorter.results, sorter.aside


class PhotoSorter(Generic[T]):
    """Photos used one by one; those that cannot be opened or used, or that are repeated, are set aside."""

    def __init__(self, use: Callable[[Photo], T]) -> None:
        self.results: list[T] = []
        self.aside: list[SetAside] = []
        self._use, self._errors, self._digests = use, list[WondertallyError](), set[str]()

    def add(self, name: str, open_photo: Opener) -> None:
        """Use a photo, or set it aside."""
        try:
            photo = open_photo()
            if photo.sha256 in self._digests:
                self.aside.append(SetAside(file=name, reason="same_photo"))
                return
            self.results.append(self._use(photo))
            self._digests.add(photo.sha256)
        except WondertallyError as error:
            self._errors.append(error)
            self.aside.append(SetAside(file=name, reason=error.code))

    def take_back(self, photo: Photo, result: T) -> None:
        """Count a photo that was set aside and could be used after all."""
        self.forget_aside(photo.file)
        self.results.append(result)
        self._digests.add(photo.sha256)

    def forget_aside(self, name: str) -> None:
        """Forget that a photo was set aside."""
        self.aside = [photo for photo in self.aside if photo.file != name]

    def refuse_none(self) -> None:
        """Raise the first error if no photo could be used."""
        if not self.results:
            self.refuse_faulty()

    def refuse_faulty(self) -> None:
        """Raise the first error, if any."""
        if self._errors:
            raise self._errors[0]
