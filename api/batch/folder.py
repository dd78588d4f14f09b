"""What lies in a folder of photos, here or at any address that fsspec knows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from fsspec import AbstractFileSystem
from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem

from api.batch.errors import BatchError
from api.batch.journal import Stamp
from api.batch.listing import SUFFIXES

_AGES = ("mtime", "ETag", "etag", "LastModified", "last_modified", "updated", "modified", "modify")
"""What the kinds of file systems call whatever changes with a file's content."""


@dataclass(frozen=True, slots=True)
class Found:
    """A folder's photos in the order of their names; `unlisted` are folders in it that could not be looked into.

    `folder` is where it lies, also for who works in another one.
    """

    folder: str
    stamps: dict[str, Stamp]
    unlisted: tuple[str, ...]


def photos_in(folder: str) -> Found:
    """The pictures in a folder and below; raises BatchError `folder_unreachable`, `no_photos`."""
    unlisted: list[OSError] = []
    try:
        files, root = url_to_fs(folder)
        walked = list(_pictures(files, root, unlisted))
    except Exception as error:  # each kind of file system has errors of its own
        raise _unreachable(folder, error) from error
    if unlisted and not walked:
        raise _unreachable(folder, unlisted[0])
    if not walked:
        raise BatchError("no_photos", details={"folder": folder})
    at = root if isinstance(files, LocalFileSystem) else folder
    stamps = {stamp.name: stamp for stamp in sorted(walked, key=lambda stamp: stamp.name)}
    return Found(at, stamps, tuple(str(error.filename or error) for error in unlisted))


def _pictures(files: AbstractFileSystem, root: str, unlisted: list[OSError]) -> Iterator[Stamp]:
    """Folder by folder, since fsspec tells of errors in the first alone; hidden ones are passed over."""
    length, waiting = len(root.rstrip("/")) + 1, [root]
    while waiting:
        for folder, below, found in files.walk(waiting.pop(), maxdepth=1, detail=True, on_error=unlisted.append):
            waiting += [about["name"] for name, about in below.items() if not name.startswith(".")]
            for file, about in found.items():
                name = f"{folder.rstrip('/')}/{file}"[length:]
                if name.lower().endswith(SUFFIXES) and not file.startswith("."):
                    yield _stamp(name, about)


def _stamp(name: str, about: dict[str, Any]) -> Stamp:
    age = next((about[key] for key in _AGES if about.get(key) is not None), "")
    return Stamp(name, int(about.get("size") or 0), age.isoformat() if isinstance(age, date) else str(age))


def _unreachable(folder: str, error: Exception) -> BatchError:
    return BatchError("folder_unreachable", details={"folder": folder, "reason": str(error) or type(error).__name__})
