"""File modes of stored data: a starting server revokes other users' access to its own files."""

from __future__ import annotations

import logging
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from sqlalchemy import URL

from api.store.photos import MARK, PhotoStore, is_left_over, is_photo_key

OTHERS = stat.S_IRWXG | stat.S_IRWXO
"""Permission bits of everyone but the owner."""
_OWN_NAME = re.compile(
    r"server\.(db|spare)[\w.-]*|clock\.json|tmp\w+\.part|incoming(-\d+)?(\.\w+)*|photos|lost\+found"
    r"|(enrolments|score-boards|score-tokens|wonders|games|board-drafts|game-states)(-earlier|\.lock)?"
)
"""Names of files that the program itself creates in a data folder, or that a file system has at its root."""
_DATABASE_SUFFIXES = ("", "-wal", "-shm")

log = logging.getLogger("wondertally")


def close_to_others(data: Path, database: URL, photos: PhotoStore) -> None:
    """Revoke others' access to the data folder, the database's files and the place of the photos.

    A folder with foreign files is left unchanged, and so are files of another user: both are named in the log. In a
    data folder that stays open, the server's own files are closed individually.
    """
    places = [*_close_folder(data, _is_own)]
    if places:
        entries = [entry for entry in data.iterdir() if _is_own(entry.name) and not entry.is_symlink()]
        places += _close_all(entry for entry in entries if entry.name != "photos")
    if database.get_backend_name() == "sqlite":
        places += _close_all(Path(f"{database.database}{suffix}") for suffix in _DATABASE_SUFFIXES)
    if (folder := photos.local_folder) is not None:
        places += _close_folder(folder, _is_photo)
    for place in dict.fromkeys(places):
        log.warning("open_to_others", extra={"file": str(place)})


def _close_folder(folder: Path, is_own: Callable[[str], bool]) -> Iterator[Path]:
    """Close a folder that holds only own files; yield it if it stays open."""
    if all(is_own(entry.name) for entry in folder.iterdir()):
        yield from _close_all([folder])
    elif _is_open(folder):
        yield folder


def _close_all(places: Iterable[Path]) -> Iterator[Path]:
    """Close files and folders of this user; yield those that stay open."""
    for place in places:
        with suppress(OSError):
            if _is_open(place) and place.stat().st_uid == os.geteuid():
                place.chmod(stat.S_IMODE(place.stat().st_mode) & ~OTHERS)
        if _is_open(place):  # some file systems ignore modes silently
            yield place


def _is_open(place: Path) -> bool:
    """Return whether others have any access to an existing file or folder."""
    with suppress(OSError):
        return os.name == "posix" and bool(place.stat().st_mode & OTHERS)
    return False


def _is_own(name: str) -> bool:
    return _OWN_NAME.fullmatch(name) is not None


def _is_photo(name: str) -> bool:
    return name == MARK or is_photo_key(name) or is_left_over(name)
