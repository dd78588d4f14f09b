"""Folders for uploads as they came: each is held by one server, which alone reads and tidies what lies there."""

from __future__ import annotations

import os
import time
from collections.abc import Collection
from itertools import count
from pathlib import Path

from filelock import FileLock, Timeout

from api.server.tokens import generate_id, is_id


class Spool:
    """One folder; its `id`, which lies beside it, tells it from those of other machines.

    `left` are the uploads that lay there as it was taken: what earlier servers left.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.id = ""
        self.left: list[Path] = []
        self._lock = FileLock(folder.with_name(f"{folder.name}.lock"), timeout=0, thread_local=False)

    @property
    def is_held(self) -> bool:
        """Whether this server holds it."""
        return self._lock.is_locked

    def hold(self) -> None:
        """Hold it, unless another server does."""
        try:
            self._lock.acquire()
        except Timeout:
            self.id = self._read_id()
            return
        self.folder.mkdir(mode=0o700, exist_ok=True)
        self.left = [file for file in self.folder.iterdir() if is_id(file.name)]
        self.id = self._read_id() or self._new_id()

    def release(self) -> None:
        """Leave it to the next server."""
        self._lock.release()

    @property
    def _id_file(self) -> Path:
        return self.folder.with_name(f"{self.folder.name}.id")

    def _read_id(self) -> str:
        try:
            own = self._id_file.read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            return ""
        return own if is_id(own) else ""

    def _new_id(self) -> str:
        own, part = generate_id(), self._id_file.with_suffix(".part")
        part.write_text(own + "\n", encoding="ascii")
        os.replace(part, self._id_file)
        return own


class Spools:
    """The folders of a data folder: those held here, and those of other servers that share it."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._all = [Spool(data / "incoming")]

    def open(self) -> None:
        """Hold every folder that no other server holds, at least one: an earlier server may have left it."""
        self._all = []
        for number in count(1):
            spool = Spool(self._data / ("incoming" if number == 1 else f"incoming-{number}"))
            if self._held and not spool.folder.exists():
                return
            spool.hold()
            self._all.append(spool)

    def close(self) -> None:
        """Leave them to the next server."""
        for spool in self._held:
            spool.release()

    @property
    def _held(self) -> list[Spool]:
        return [spool for spool in self._all if spool.is_held]

    @property
    def own(self) -> Spool:
        """The one that takes new uploads."""
        return next(iter(self._held), self._all[0])

    def holds(self, spool: str | None) -> bool:
        """Whether a folder is held here, by its id; None is the only one that earlier versions had."""
        return any(own.is_held and self._is(own, spool) for own in self._all)

    def folder(self, spool: str | None) -> Path | None:
        """The folder of an id, where it is one of this data folder."""
        return next((own.folder for own in self._all if self._is(own, spool)), None)

    def remove_strays(self, wanted: Collection[str], grace_seconds: float) -> int:
        """Remove old uploads of earlier servers that nobody wants; how many they were."""
        latest, removed = time.time() - grace_seconds, 0
        for spool in self._held:
            strays = [file for file in spool.left if file.name not in wanted and _written(file) <= latest]
            for file in strays:
                file.unlink(missing_ok=True)
            removed += len(strays)
        return removed

    def _is(self, spool: Spool, own: str | None) -> bool:
        return spool is self._all[0] if own is None else spool.id == own


def _written(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except FileNotFoundError:
        return float("inf")
