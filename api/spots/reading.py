"""Joint reading of the photos of one table of spots."""

from __future__ import annotations

from api.reading.surveys import Openers, use_photos
from api.reading.tools import EnrolledGames
from api.spots.snapshot import SpotSnapshot, build_table_snapshot
from vision.photo.decoding import Photo


def read_table(tables: EnrolledGames, game: str, openers: Openers) -> SpotSnapshot:
    """Read all photos that can be opened into one snapshot; raises the first error if none can be opened.

    Raises EnrolmentError `game_not_enrolled`, ReadingError `board_not_found`, ComponentsError.
    """
    reader = tables.reader(game)
    photos, aside = use_photos(openers, _keep)
    return build_table_snapshot(reader.read(photos), game, tables.components(game) or "", aside)


def _keep(photo: Photo) -> Photo:
    """Keep a photo as it is: all photos of a table are read at once."""
    return photo
