"""Photos in a folder, on this machine or at any address that fsspec supports."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from fsspec import AbstractFileSystem
from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem

from api.batch.journal import JOURNAL, Stamp
from api.tournament.errors import BatchError
from api.tournament.names import escape_name
from api.tournament.results import THUMBNAILS
from vision.photo.decoding import SUFFIXES

_MARKERS = ("batch.json", JOURNAL, "results.jsonl")
"""Names of files beside which a folder of thumbnails belongs to a batch."""
_AGES = ("mtime", "ETag", "etag", "LastModified", "last_modified", "updated", "modified", "modify")
"""Keys under which fsspec's file systems report a value that changes with a file's content."""


@dataclass(frozen=True, slots=True)
class PhotoFolder:
    """Photos of a folder, sorted by their names as `escape_name` writes them.

    `folder` is its address, valid in any working directory. `unlisted` are subfolders that could not be listed,
    `passed_over` are folders of other batches' thumbnails, `linked` are links to folders, which are not followed.
    """

    folder: str
    stamps: dict[str, Stamp]
    unlisted: tuple[str, ...]
    passed_over: tuple[str, ...] = ()
    linked: tuple[str, ...] = ()


def find_photos(folder: str, out: Path | None = None) -> PhotoFolder:
    """Find the pictures in a folder and its subfolders, except those in `out` and the thumbnails of any batch.

    If the folder itself lies in `out`, only the thumbnails of `out` are skipped. Raises BatchError
    `folder_unreachable`, `no_photos`.
    """
    try:
        files, root = url_to_fs(folder)
        walk = _Walk(files, root, _find_own_results(out, root) if out and isinstance(files, LocalFileSystem) else None)
        walked = list(walk.list_pictures())
    except Exception as error:  # every kind of file system has its own errors
        raise _build_unreachable_error(folder, error) from error
    if walk.unlisted and not walked:
        raise _build_unreachable_error(folder, walk.unlisted[0])
    if not walked:
        raise BatchError("no_photos", details={"folder": folder})
    at = root if isinstance(files, LocalFileSystem) else folder
    stamps = {stamp.name: stamp for stamp in sorted(walked, key=lambda stamp: stamp.name)}
    unlisted = tuple(escape_name(str(error.filename or error)) for error in walk.unlisted)
    return PhotoFolder(at, stamps, unlisted, tuple(walk.passed_over), tuple(sorted(walk.linked)))


def _find_own_results(out: Path, root: str) -> Path:
    """Return the folder to skip when looking for photos, as a path without links."""
    out = out.resolve()
    return out / THUMBNAILS if Path(root).resolve().is_relative_to(out) else out


@dataclass(slots=True)
class _Walk:
    """A walk through a folder of photos that skips the `results` of this batch and those of other batches."""

    files: AbstractFileSystem
    root: str
    results: Path | None
    unlisted: list[OSError] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)
    linked: list[str] = field(default_factory=list)

    def list_pictures(self) -> Iterator[Stamp]:
        """Yield pictures folder by folder, since fsspec reports errors only of the first; hidden files are skipped."""
        waiting = [self.root]
        while waiting:
            listed = self.files.walk(waiting.pop(), maxdepth=1, detail=True, on_error=self.unlisted.append)
            for folder, below, listed_files in listed:
                inside = {name: about["name"] for name, about in below.items() if not name.startswith(".")}
                waiting += [path for name, path in inside.items() if not self._is_of_a_batch(name, path, listed_files)]
                for file, about in listed_files.items():
                    yield from self._take(f"{folder.rstrip('/')}/{file}", about)

    def _take(self, path: str, about: dict[str, Any]) -> Iterator[Stamp]:
        """Yield a file if it is a picture; record links to folders, and skip hidden files and the batch's own."""
        file, is_link = path.rsplit("/", 1)[-1], bool(about.get("islink"))
        if file.startswith(".") or (is_link and self._is_own(about["name"])):
            return
        if is_link and os.path.isdir(about["name"]):
            self.linked.append(self._build_name(path))
        elif file.lower().endswith(SUFFIXES):
            age = next((about[key] for key in _AGES if about.get(key) is not None), "")
            text = age.isoformat() if isinstance(age, date) else str(age)
            yield Stamp(self._build_name(path), int(about.get("size") or 0), text)

    def _is_of_a_batch(self, name: str, path: str, beside: Container[str]) -> bool:
        """Return whether a folder holds pictures made by a batch; another batch's folder is recorded."""
        if self._is_own(path):
            return True
        if name != THUMBNAILS or not any(marker in beside for marker in _MARKERS):
            return False
        self.passed_over.append(self._build_name(path))
        return True

    def _is_own(self, path: str) -> bool:
        return self.results is not None and Path(path).resolve().is_relative_to(self.results)

    def _build_name(self, path: str) -> str:
        """Return the name that a batch uses for a file or folder below the root."""
        return escape_name(path[len(self.root.rstrip("/")) + 1 :])


def _build_unreachable_error(folder: str, error: Exception) -> BatchError:
    return BatchError("folder_unreachable", details={"folder": folder, "reason": str(error) or type(error).__name__})
