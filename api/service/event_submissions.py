"""Submission of photos to an event's tables: read like any others, and part of the event from the first moment."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from api.documents.corrections import carry_table_corrections
from api.documents.forms import GameSnapshot
from api.games.registry import parse_snapshot_json
from api.server.errors import ServerError, build_field_error
from api.service.readings import ReadingOptions, Readings
from api.service.worker import Upload, delete_uploads
from api.store.event_additions import SubmissionStore
from api.store.event_sync import build_table_identity
from api.store.events import Event, EventStore, EventTable
from api.store.rosters import RosterStore
from api.store.spool import write_upload
from api.tournament.listed_tables import ListedTable

Found = TypeVar("Found", EventTable, EventTable | None)
T = TypeVar("T")

_FIELDS = {"player_count": "players", "wonder_owner": "owner"}
"""Form fields of the corrections whose kind has another name."""


class EventSubmissions:
    """Submission of photos to one server's events; it owns the uploads from then on, even if they are refused."""

    def __init__(
        self, events: EventStore, store: SubmissionStore, rosters: RosterStore, readings: Readings, max_photos: int
    ) -> None:
        self._events, self._store, self._rosters = events, store, rosters
        self._readings, self._max_photos = readings, max_photos
        self._locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    async def add_table(
        self,
        event: Event,
        listed_table: ListedTable,
        uploads: Sequence[Upload],
        who: str,
        game: str = "",
        wonders: Sequence[dict[str, Any]] = (),
    ) -> tuple[int, bool]:
        """Add a table; return its number, and whether it is new: a repeated submission of the same photos changes
        nothing.

        Without a `game` it is recognised. `wonders` are entries of wonder files that override the server's enrolments.
        Raises ServerError `table_exists` for other photos, or for other facts about the table, listed in the details
        under `differs`; and `queue_full`.
        """
        try:
            listed_table = await asyncio.to_thread(self._rosters.complete, event.id, listed_table)
            listed_table = replace(listed_table, usual_rules=event.box_rules)
            contents = await asyncio.to_thread(_hash_uploads, uploads)
            options = ReadingOptions(event.rules, {}, json.loads(listed_table.said), game, wonders)

            async def add(table: EventTable | None) -> bool:
                if table is None:
                    keep = partial(self._store.add, event.id, listed_table)
                    await self._submit(options, uploads, contents, 0, who, keep)
                    return True
                if not set(contents) <= await asyncio.to_thread(self._list_contents, table):
                    raise ServerError("table_exists", details={"table": table.id})
                await asyncio.to_thread(self._refuse_other_words, table, options)
                return False

            def find() -> EventTable | None:
                while (there := self._store.find_table(event.id, listed_table)) is not None:
                    with suppress(ServerError):  # deleted just now
                        return self._events.get_table(event.id, there)
                return None

            is_new = await self._repeat_while_changed((event.id, build_table_identity(listed_table)), find, add)
        except BaseException:
            delete_uploads(uploads)
            raise
        if not is_new:
            delete_uploads(uploads)
        there = await asyncio.to_thread(self._store.find_table, event.id, listed_table)
        if there is None:  # deleted meanwhile
            raise ServerError("not_found")
        return there, is_new

    async def add_photos(
        self,
        event: Event,
        table: EventTable,
        uploads: Sequence[Upload],
        who: str,
        game: str = "",
        wonders: Sequence[dict[str, Any]] = (),
    ) -> bool:
        """Add photos to a table, to be read together with its earlier ones; return False if it has all of them.

        Their game is the one read there before, or else `game`; `wonders` override those of the earlier photos. Facts
        stated about the table, such as names and points, carry over to the new reading. Raises ServerError
        `table_exists` if it has all photos but the `wonders` differ, `already_checked` if the reading was corrected,
        `not_read_yet`, `queue_full`.
        """
        try:
            contents = await asyncio.to_thread(_hash_uploads, uploads)
            by_content = dict(zip(contents, uploads, strict=True))

            async def add(found: EventTable) -> list[Upload]:
                return await self._add_photos(event, found, by_content, who, game, wonders)

            find = partial(self._events.get_table, event.id, table.id)
            added = await self._repeat_while_changed((event.id, str(table.id)), find, add)
        except BaseException:
            delete_uploads(uploads)
            raise
        delete_uploads([upload for upload in uploads if upload not in added])
        return bool(added)

    async def _add_photos(
        self,
        event: Event,
        table: EventTable,
        uploads: Mapping[str, Upload],
        who: str,
        game: str,
        wonders: Sequence[dict[str, Any]],
    ) -> list[Upload]:
        """Add the photos that a table lacks, given by their contents, and return them."""
        known_contents = await asyncio.to_thread(self._list_contents, table)
        new = [upload for content, upload in uploads.items() if content not in known_contents]
        if not new:
            await asyncio.to_thread(self._refuse_other_words, table, ReadingOptions(event.rules, {}, wonders=wonders))
            return []
        if table.coming is not None:
            raise ServerError("not_read_yet")
        corrections, version = await asyncio.to_thread(self._list_said, table)
        read_game = await asyncio.to_thread(self._find_game, table) or game
        earlier_wonders = await asyncio.to_thread(self._store.list_wonders, table.reading)
        layouts = {str(entry["id"]): entry for entry in (*earlier_wonders, *wonders)}
        options = ReadingOptions(event.rules, {}, corrections, read_game, [*layouts.values()])
        before = await asyncio.to_thread(self._copy_earlier_photos, table)
        try:
            if len(before) + len(new) > self._max_photos:
                raise build_field_error("photo", f"at most {self._max_photos} are read together")
            contents, add = sorted(known_contents | uploads.keys()), partial(self._store.add_to, table)
            await self._submit(options, [*before, *new], contents, len(before), who, add, version)
        except BaseException:
            delete_uploads(before)
            raise
        return new

    async def _repeat_while_changed(
        self, place: tuple[str, str], find: Callable[[], Found], add: Callable[[Found], Awaitable[T]]
    ) -> T:
        """Add to the table that `find` finds; retry if it was refused and the table has changed in the meantime.

        Submissions for the same place are serialised, so that a repeated one is answered by the result of the first.
        """
        async with self._locks.setdefault(place, asyncio.Lock()):
            while True:
                found = await asyncio.to_thread(find)
                try:
                    return await add(found)
                except ServerError:
                    if await asyncio.to_thread(find) == found:
                        raise

    async def _submit(
        self,
        options: ReadingOptions,
        uploads: Sequence[Upload],
        contents: Sequence[str],
        earlier_count: int,
        who: str,
        add: Callable[[str, dict[str, Any]], None],
        version: int | None = None,
    ) -> None:
        """Submit photos to be read, the first `earlier_count` of them the table's former ones, of reading `version`."""

        def add_with_contents(reading: str, words: dict[str, Any]) -> None:
            carried = {} if version is None else {"version": version}
            add(reading, {**words, "contents": list(contents), "known": earlier_count, "who": who, **carried})

        await self._readings.take(uploads, options, add_with_contents, self._store.take_back)

    def _list_said(self, table: EventTable) -> tuple[list[Any], int | None]:
        """Return the facts stated about a table beside its photos, and the version of its reading, if it has one.

        Raises ServerError `already_checked` if the reading itself was corrected.
        """
        if table.reading is None:
            return json.loads(table.listed_table.said), None
        reading = self._readings.store.get(table.reading)
        if (carried := carry_table_corrections(reading.history.corrections)) is None:
            raise ServerError("already_checked")
        beforehand = ReadingOptions.from_document(reading.options).corrections or json.loads(table.listed_table.said)
        return [*beforehand, *carried], reading.version

    def _refuse_other_words(self, table: EventTable, options: ReadingOptions) -> None:
        """Raise ServerError `table_exists` if options state facts about a table that were not stated before.

        Omitted facts are no difference, since nothing is lost.
        """
        former_options = [
            ReadingOptions.from_document(document) for document in self._store.list_options(_list_readings(table))
        ]
        words = [
            *json.loads(table.listed_table.said),
            *(word for former in former_options for word in former.corrections),
        ]
        new = (word for word in options.corrections if word not in words and not _is_usual(word))
        fields = {_FIELDS.get(word["kind"], word["kind"]) for word in new}
        layouts = [entry for former in former_options for entry in former.wonders]
        if any(entry not in layouts for entry in options.wonders):
            fields.add("wonder")
        if options.game and options.game not in {self._find_game(table), *(former.game for former in former_options)}:
            fields.add("game")
        if fields:
            raise ServerError("table_exists", details={"table": table.id, "differs": sorted(fields)})

    def _list_contents(self, table: EventTable) -> set[str]:
        """Return the contents of a table's photos, present or pending."""
        contents = self._store.list_contents(_list_readings(table))
        if table.reading is not None:  # a batch's reading holds them in its snapshot
            contents |= {photo.sha256 for photo in self._load_snapshot(table.reading).photos}
        return contents

    def _copy_earlier_photos(self, table: EventTable) -> list[Upload]:
        """Copy a table's photos, to be read again."""
        if table.reading is None:
            return []
        files = [photo.file for photo in self._load_snapshot(table.reading).photos]
        uploads = list[Upload]()
        for photo, name in zip(self._readings.store.get(table.reading).photos, files, strict=True):
            file = self._readings.build_upload_path()
            write_upload(file, self._readings.photos.get(photo.key))
            uploads.append(Upload(file, name))
        return uploads

    def _find_game(self, table: EventTable) -> str:
        """Return the game read at a table, empty if none was."""
        return "" if table.reading is None else self._load_snapshot(table.reading).game

    def _load_snapshot(self, reading: str) -> GameSnapshot:
        return parse_snapshot_json(self._readings.store.get_snapshot(reading))


def _is_usual(word: Mapping[str, Any]) -> bool:
    """Return whether a correction is inherited from the event's choices for all tables."""
    return word["kind"] == "box_rules" and bool(word.get("beforehand"))


def _list_readings(table: EventTable) -> list[str]:
    """Return the readings of a table: the one that counts, and the pending one."""
    return [reading for reading in (table.reading, table.coming) if reading is not None]


def _hash_uploads(uploads: Sequence[Upload]) -> list[str]:
    return [upload.compute_sha256() for upload in uploads if upload.file is not None]
