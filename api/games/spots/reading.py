"""Photos of one table of spots, read together."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from api.games.spots.snapshot import SpotSnapshot, build_table_snapshot
from api.games.spots.tables import Tables
from api.report.schema import SetAside
from vision.errors import WondertallyError
from vision.photo.decoding import Photo


def read_table(tables: Tables, game: str, openers: Iterable[tuple[str, Callable[[], Photo]]]) -> SpotSnapshot:
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
