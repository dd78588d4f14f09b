"""Ownership of a place of photos: it is marked with its database's id, and nothing is removed from any other place."""

from __future__ import annotations

import logging

from api.server.errors import ServingError
from api.server.settings import PREFIX
from api.store.photos import MARK, PhotoStore, is_left_over, is_photo_key, parse_reading_id
from api.store.readings import ReadingStore

MAX_NAMES_IN_ERROR = 3
"""Maximum number of foreign files named in an error. A guess."""

log = logging.getLogger("wondertally")


class PhotoPlace:
    """The place of a database's photos.

    An unmarked place is accepted if it is empty, or if the database knows photos in it: those are of an earlier
    version, and files unknown to the database are never removed. Raises ServingError for any other place.
    """

    def __init__(self, photos: PhotoStore, readings: ReadingStore) -> None:
        self._photos, self._readings = photos, readings
        self.database = readings.get_installation_id()
        photos.make()
        owner = photos.read_owner()
        if owner is None:
            photos.mark(self.database, self._check_unmarked())
        elif owner != self.database:
            raise _build_refusal("photos_of_another")
        photos.bind(self.database)

    def remove_strays(self, grace_seconds: float) -> int:
        """Remove old files with names of the server's form that belong to no reading, and return their number."""
        if self._photos.read_owner() != self.database:
            return 0
        keys = set(self._photos.list_keys()) - self._photos.list_found()
        used, waiting = self._readings.list_used()
        strays = [key for key in keys if key not in used and parse_reading_id(key) not in waiting]
        regular = [key for key in strays if self._photos.is_regular(key)]
        old = [key for key in regular if self._photos.measure_age_seconds(key) >= grace_seconds]
        for key in old:
            self._photos.remove(key)
        return len(old)

    def _check_unmarked(self) -> set[str]:
        """Return the names of files in the place whose readings the database does not know.

        Raises ServingError for photos of another database or other files.
        """
        names = self._photos.list_names()
        used, _ = self._readings.list_used()
        others = [name for name in names if not (name in used or is_photo_key(name) or is_left_over(name))]
        if others:
            raise _build_refusal("photos_not_empty", files=sorted(others)[:MAX_NAMES_IN_ERROR])
        photos = {name for name in names if not is_left_over(name)}
        ids = self._readings.list_ids()
        unknown = {name for name in names if name not in used and parse_reading_id(name) not in ids}
        if photos and photos <= unknown:
            raise _build_refusal("photos_of_another")
        if photos:
            log.info("photos_adopted", extra={"photos": len(photos)})
        return unknown


def _build_refusal(code: str, **details: object) -> ServingError:
    return ServingError(code, details={"setting": f"{PREFIX}PHOTOS", "mark": MARK, **details})
