"""Photos that people hand in for an event's tables: read as any other, and in the event from the first moment."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from api.games.forms import AnySnapshot
from api.games.snapshots import parse_snapshot_json
from api.server.errors import ServerError, build_field_error
from api.service.readings import Asked, Readings
from api.service.worker import Upload, delete_uploads
from api.store.event_submissions import Adding
from api.store.events import Event, EventStore, EventTable
from api.tournament.sittings import Sitting


class HandingIn:
    """Hands in at one server's events; what was uploaded is its own from then on, also where it is refused."""

    def __init__(self, events: EventStore, adding: Adding, readings: Readings, photos_most: int) -> None:
        self._events, self._adding, self._readings, self._most = events, adding, readings, photos_most

    async def table(
        self, event: Event, sitting: Sitting, uploads: Sequence[Upload], who: str, game: str = ""
    ) -> tuple[int, bool]:
        """A new table, and whether it is: one that has just these photos, sent once more, is as it was.

        Without a `game` it is recognised. Raises ServerError `table_exists`, `queue_full`.
        """
        try:
            sitting = await asyncio.to_thread(self._adding.placed, event.id, sitting)
            contents = await asyncio.to_thread(_contents, uploads)
            if (there := await asyncio.to_thread(self._adding.at, event.id, sitting)) is not None:
                if set(contents) <= await asyncio.to_thread(self._known, self._events.table(event.id, there)):
                    delete_uploads(uploads)
                    return there, False
                raise ServerError("table_exists", details={"table": there})
            asked = Asked(event.rules, {}, json.loads(sitting.said), game)
            await self._take(asked, uploads, contents, 0, who, partial(self._adding.add, event.id, sitting))
        except BaseException:
            delete_uploads(uploads)
            raise
        there = await asyncio.to_thread(self._adding.at, event.id, sitting)
        if there is None:  # deleted meanwhile
            raise ServerError("not_found")
        return there, True

    async def photos(
        self, event: Event, table: EventTable, uploads: Sequence[Upload], who: str, game: str = ""
    ) -> bool:
        """Photos for a table that is there, read together with those that it has; False where it has all of them.

        They are of the game that was read there before, if one was, and else of `game`. Raises ServerError
        `already_checked`, `not_read_yet`, `queue_full`, `conflict`.
        """
        uploads = list(uploads)
        try:
            known = await asyncio.to_thread(self._known, table)
            contents = await asyncio.to_thread(_contents, uploads)
            new = [upload for upload, content in zip(uploads, contents, strict=True) if content not in known]
            delete_uploads([upload for upload in uploads if upload not in new])
            if not new:
                return False
            if table.coming is not None:
                raise ServerError("not_read_yet")
            before = await asyncio.to_thread(self._before, table)
            uploads = [*before, *new]
            if len(uploads) > self._most:
                raise build_field_error("photo", f"at most {self._most} are read together")
            contents = sorted(known | set(contents))
            add = partial(self._adding.add_to, table)
            played = await asyncio.to_thread(self._played, table) or game
            asked = Asked(event.rules, {}, json.loads(table.sitting.said), played)
            await self._take(asked, uploads, contents, len(before), who, add)
        except BaseException:
            delete_uploads(uploads)
            raise
        return True

    async def _take(
        self,
        asked: Asked,
        uploads: Sequence[Upload],
        contents: Sequence[str],
        known: int,
        who: str,
        add: Callable[[str, dict[str, Any]], None],
    ) -> None:
        """Have photos read of which the first so many were the table's before."""

        def added(reading: str, words: dict[str, Any]) -> None:
            add(reading, {**words, "contents": list(contents), "known": known, "who": who})

        await self._readings.take(uploads, asked, added, self._adding.take_back)

    def _known(self, table: EventTable) -> set[str]:
        """The contents of the photos that a table has, or waits for."""
        contents = self._adding.contents([own for own in (table.reading, table.coming) if own is not None])
        if table.reading is not None:  # one that a batch made tells them in what is held of it
            contents |= {photo.sha256 for photo in self._held(table.reading).photos}
        return contents

    def _before(self, table: EventTable) -> list[Upload]:
        """The photos that a table has, to be read once more."""
        if table.reading is None:
            return []
        files = [photo.file for photo in self._held(table.reading).photos]
        uploads = list[Upload]()
        for photo, name in zip(self._readings.store.get(table.reading).photos, files, strict=True):
            file = self._readings.new_file()
            file.write_bytes(self._readings.photos.get(photo.key))
            uploads.append(Upload(file, name))
        return uploads

    def _played(self, table: EventTable) -> str:
        """The game that was read at a table; empty where none was."""
        return "" if table.reading is None else self._held(table.reading).game

    def _held(self, reading: str) -> AnySnapshot:
        return parse_snapshot_json(self._readings.store.held(reading))


def _contents(uploads: Sequence[Upload]) -> list[str]:
    return [_content(upload.file) for upload in uploads if upload.file is not None]


def _content(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
