"""Photos of one table of spots, read together; and which game a table's photos show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from api.games.games import Tables
from api.report.schema import SetAside
from api.report.spot_snapshot import HeldTable, build_table_snapshot
from vision.errors import WondertallyError
from vision.photo.decoding import Photo

Openers = Sequence[tuple[str, Callable[[], Photo]]]
"""Photos by their names, and how each is opened."""


class OnceOpened:
    """Photos of which those that the game was recognised from are not opened again."""

    def __init__(self, openers: Openers) -> None:
        self._opened: dict[int, Photo] = {}
        self.openers: Openers = [
            (name, partial(self._open, number, opener)) for number, (name, opener) in enumerate(openers)
        ]

    def recognised(self, tables: Tables) -> str:
        """The game that the first photo shows which can be opened; Carcassonne without a look where no other is known.

        One that cannot be opened is told by who reads.
        """
        if not tables.any_enrolled:
            return tables.recognised(())
        for number, (_, opened) in enumerate(self.openers):
            try:
                self._opened[number] = opened()
                return tables.recognised([self._opened[number]])
            except WondertallyError:
                continue
        return tables.recognised(())

    def _open(self, number: int, opener: Callable[[], Photo]) -> Photo:
        return self._opened.pop(number, None) or opener()


def read_table(tables: Tables, game: str, openers: Iterable[tuple[str, Callable[[], Photo]]]) -> HeldTable:
    """What the photos that can be opened show together, as it is kept; raises the first error where none can.

    Raises EnrolmentError `game_not_enrolled`, ReadingError `board_not_found`, ComponentsError.
    """
    reader = tables.reader(game)
    photos: list[Photo] = []
    aside: list[SetAside] = []
    errors: list[WondertallyError] = []
    for name, opened in openers:
        try:
            photo = opened()
        except WondertallyError as error:
            errors.append(error)
            aside.append(SetAside(file=name, reason=error.code))
            continue
        if any(photo.sha256 == other.sha256 for other in photos):
            aside.append(SetAside(file=name, reason="same_photo"))
        else:
            photos.append(photo)
    if not photos:
        raise errors[0]
    return build_table_snapshot(reader.read(photos), game, tables.components(game) or "", aside)
