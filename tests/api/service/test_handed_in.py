"""Photos handed in for an event's tables: read, refused, sent twice, joined, resumed by the next server, deleted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from api.documents.corrections import CORRECTIONS, carry_table_corrections
from api.server.errors import ServerError
from api.service.reviews import Change, Reviews, apply_change
from tests.api.databases import ON_BOTH_DATABASES
from tests.api.handing import CUP, NAMES, NO_BOARD, Desk, opened

Story = Callable[[Desk], Coroutine[Any, Any, None]]
Told = Callable[[Story], None]


@pytest.fixture
def told(engine: Engine, database: str, tmp_path: Path) -> Told:
    """Return a function that plays a scenario at a desk."""

    async def place(story: Story) -> None:
        desk = await opened(engine, database, tmp_path)
        try:
            await story(desk)
            desk.standings_hold()
        finally:
            await desk.readings.close()

    return lambda story: asyncio.run(place(story))


async def refused(request: Coroutine[Any, Any, Any], code: str) -> None:
    with pytest.raises(ServerError) as caught:
        await request
    assert caught.value.code == code


def test_a_table_waits_in_the_event_and_counts_once_it_is_read(told: Told) -> None:
    async def story(desk: Desk) -> None:
        assert await desk.add(60)
        table = desk.table
        assert (table.reading, table.coming is not None, table.status) == (None, True, "failed")
        assert (table.listed_table.round, table.listed_table.table, table.listed_table.names) == ("1", "1", NAMES)
        assert desk.events.list_standings(CUP) == []
        await desk.read()
        table = desk.table
        assert (table.coming, table.error, table.status) == (None, None, "doubtful")
        assert {name for _, name, *_ in table.scores} == set(NAMES.values())
        assert {standing.player for standing in desk.events.list_standings(CUP)} == set(NAMES.values())
        assert [(act.who, act.what) for act in desk.events.list_acts(CUP)] == [("Vera", "added")]
        assert table.reading is not None
        assert desk.readings.store.get(table.reading).token_hash == desk.event.token_hash
        assert desk.incoming == []

    told(story)


def test_an_unreadable_table_states_the_reason_and_accepts_another_photo(told: Told) -> None:
    async def story(desk: Desk) -> None:
        await desk.add(60)
        await desk.read(NO_BOARD)
        assert (desk.table.reading, desk.table.coming, desk.table.error) == (None, None, NO_BOARD)
        await desk.readings.sweep()
        assert desk.count("readings") == 0
        assert await desk.more(90)
        assert [upload.name for upload in desk.jobs.waiting[0][1].uploads] == ["90.png"]
        await desk.read()
        assert (desk.table.status, desk.table.listed_table.photos) == ("doubtful", ("90.png",))

    told(story)


def test_photos_sent_twice_are_read_once(told: Told) -> None:
    async def story(desk: Desk) -> None:
        assert await desk.add(60)
        assert not await desk.add(60), "while it waits"
        assert not await desk.more(60)
        await desk.read()
        assert not await desk.add(60), "when it is read"
        assert not await desk.more(60)
        assert (desk.count("readings"), desk.count("event_tables"), desk.incoming) == (1, 1, [])
        await refused(desk.add(90), "table_exists")
        assert (desk.count("readings"), desk.incoming, desk.jobs.waiting) == (1, [], [])

    told(story)


def test_earlier_photos_count_until_a_further_photo_is_read_with_them(told: Told) -> None:
    async def story(desk: Desk) -> None:
        await desk.add(60)
        await desk.read()
        before, placed = desk.table.reading, desk.events.list_standings(CUP)
        assert await desk.more(60, 90)
        await refused(desk.more(120), "not_read_yet")
        assert (desk.table.reading, desk.events.list_standings(CUP)) == (before, placed)
        desk.standings_hold()
        task = await desk.read()
        assert [upload.name for upload in task.uploads] == ["60.png", "90.png"]
        table = desk.table
        assert (table.reading, table.listed_table.photos) == (task.reading, ("60.png", "90.png"))
        await desk.readings.sweep()
        assert (desk.count("readings"), len(desk.readings.photos.list_keys())) == (1, 2)
        assert not await desk.more(60, 90), "the first is known, though it was encoded anew"
        await refused(desk.more(120), "bad_field")
        assert (desk.table, desk.incoming) == (table, [])

    told(story)


def test_further_photos_are_read_as_the_game_of_the_first_reading(told: Told) -> None:
    async def story(desk: Desk) -> None:
        await desk.add(60, game="tower-of-babel")
        assert (await desk.read(NO_BOARD)).game == "tower-of-babel"
        await desk.more(60, game="carcassonne")
        assert (await desk.read()).game == "carcassonne"
        await desk.more(90, game="world-wonders")
        assert (await desk.read()).game == "carcassonne", "that is what lies there"
        await desk.add(120, table="2")
        assert (await desk.read()).game == "", "it is recognised"

    told(story)


def test_a_failing_further_photo_loses_nothing(told: Told) -> None:
    async def story(desk: Desk) -> None:
        await desk.add(60)
        await desk.read()
        before = desk.table
        await desk.more(90)
        await desk.read(NO_BOARD)
        after = desk.table
        assert (after.reading, after.scores, after.coming) == (before.reading, before.scores, None)
        assert (after.missing, after.status) == ([["90.png", NO_BOARD]], "doubtful")
        await desk.readings.sweep()
        assert desk.count("readings") == 1

    told(story)


def correct(desk: Desk, reading: str, *corrections: dict[str, Any]) -> None:
    said = list(corrections or ({"kind": "track", "colour": "red", "points": 70},))
    store = desk.readings.store
    change = Change(CORRECTIONS.validate_python([*store.get(reading).history.corrections, *said]))
    apply_change(store, Reviews(store), store.get(reading), change, "Ana")


def test_typed_names_and_points_apply_to_further_photos(told: Told) -> None:
    """Names and points of the game are asked for once, for all later photos; so they do not delay these."""

    async def story(desk: Desk) -> None:
        await desk.add(60)
        await desk.read()
        assert desk.table.reading is not None
        typed = {"kind": "player", "colour": "red", "name": "Zoë"}, {"kind": "track", "colour": "blue", "points": 41}
        owned = {"kind": "wonder_owner", "wonder": "alhambra", "colour": "red"}
        correct(desk, desk.table.reading, *typed, {"kind": "player_count", "count": 5})
        assert await desk.more(90)
        await desk.read()
        assert desk.table.reading is not None
        report = json.loads(desk.readings.store.get(desk.table.reading).report or "")
        assert (report["names"]["red"], report["names"]["blue"]) == ("Zoë", NAMES["blue"])
        assert (report["scores"]["on_track"]["blue"], report["rules"]["player_count"]) == (41, 5)
        assert desk.table.listed_table.photos == ("60.png", "90.png")
        assert carry_table_corrections([owned]) == [{**owned, "beforehand": True}]
        assert desk.table.missing == []

    told(story)


@pytest.mark.parametrize("undone", [False, True], ids=["said", "taken back"])
def test_board_corrections_block_further_photos_until_undone(undone: bool, told: Told) -> None:
    async def story(desk: Desk) -> None:
        await desk.add(60)
        await desk.read()
        assert desk.table.reading is not None
        correct(desk, desk.table.reading, {"kind": "no_meeple", "id": "m1"})
        if undone:
            store = desk.readings.store
            back = Change(undo=True)
            apply_change(store, Reviews(store), store.get(desk.table.reading), back, "Ana")
            assert await desk.more(90)
        else:
            await refused(desk.more(90), "already_checked")

    told(story)


def test_board_corrections_are_not_discarded_for_further_photos(told: Told) -> None:
    async def story(desk: Desk) -> None:
        await desk.add(60)
        await desk.read()
        reading = desk.table.reading
        assert reading is not None
        await desk.more(90)
        correct(desk, reading)
        await desk.read()
        assert desk.table.reading == reading
        assert [(name, error["code"]) for name, error in desk.table.missing] == [("90.png", "conflict")]
        assert await desk.more(90), "now that it is known what was said"
        await desk.read()
        assert desk.table.listed_table.photos == ("60.png", "90.png")
        assert desk.table.reading is not None
        report = json.loads(desk.readings.store.get(desk.table.reading).report or "")
        assert report["scores"]["on_track"]["red"] == 70

    told(story)


def test_a_correction_of_a_reading_that_was_just_replaced_is_refused(told: Told) -> None:
    async def story(desk: Desk) -> None:
        await desk.add(60)
        await desk.read()
        assert desk.table.reading is not None
        before = desk.readings.store.get(desk.table.reading)
        await desk.more(90)
        await desk.read()
        with pytest.raises(ServerError, match=r"changed in the meantime"):
            desk.readings.store.add_step(before, [], False, before.report or "")

    told(story)


@ON_BOTH_DATABASES
def test_corrections_while_photos_arrive_are_kept_or_refused(told: Told) -> None:
    async def story(desk: Desk) -> None:
        for number in range(6):
            await desk.add(60 + number, table=str(number))
            await desk.read()
        tables = desk.events.list_tables(CUP)
        for number, table in enumerate(tables):
            await desk.handing_in.add_photos(desk.event, table, desk.photos([90 + number]), "Vera")
        readings = [str(table.reading) for table in tables]
        corrections = (asyncio.to_thread(correct, desk, reading) for reading in readings)
        done = await asyncio.gather(*corrections, *(desk.read() for _ in tables), return_exceptions=True)
        for before, outcome, now in zip(readings, done, desk.events.list_tables(CUP), strict=False):
            assert outcome is None or (isinstance(outcome, ServerError) and outcome.code in ("conflict", "not_found"))
            assert (now.reading == before) == (outcome is None)
            assert now.coming is None

    told(story)


def test_a_full_queue_does_not_change_the_event(told: Told) -> None:
    async def story(desk: Desk) -> None:
        version, desk.jobs.most = desk.event.version, 0
        await refused(desk.add(60), "queue_full")
        assert (desk.events.list_tables(CUP), desk.incoming) == ([], [])
        assert desk.event.version == version, "nobody was answered that the photos exist"
        assert [desk.count(name) for name in ("readings", "decisions")] == [0, 0]
        desk.jobs.most = 100
        await desk.add(60)
        await desk.read()
        before, desk.jobs.most = desk.table, 0
        await refused(desk.more(90), "queue_full")
        assert (desk.table.reading, desk.table.coming, desk.table.listed_table) == (
            before.reading,
            None,
            before.listed_table,
        )
        assert (desk.count("readings"), desk.incoming) == (1, [])

    told(story)


def test_the_next_server_reads_waiting_photos(told: Told, engine: Engine, database: str, tmp_path: Path) -> None:
    async def first(desk: Desk) -> None:
        await desk.add(60, 90)

    async def next_one(desk: Desk) -> None:
        assert desk.table.coming is not None
        await desk.read()
        assert desk.table.status == "doubtful"
        assert {name for _, name, *_ in desk.table.scores} == set(NAMES.values())

    told(first)
    told(next_one)


def test_a_table_reports_a_photo_that_the_next_server_does_not_find(told: Told) -> None:
    async def first(desk: Desk) -> None:
        await desk.add(60)
        for file in desk.incoming:
            file.unlink()

    async def next_one(desk: Desk) -> None:
        assert desk.table.error is not None
        assert (desk.table.coming, desk.table.error["code"]) == (None, "interrupted")
        assert await desk.add(60, table="2")

    told(first)
    told(next_one)


def test_two_simultaneous_additions_of_a_table_add_it_once(told: Told) -> None:
    async def story(desk: Desk) -> None:
        done = await asyncio.gather(*(desk.add(60 + number) for number in range(4)), return_exceptions=True)
        assert sorted(str(reply) if reply is True else reply.code for reply in done) == ["True", *["table_exists"] * 3]  # type: ignore[union-attr]
        assert (desk.count("event_tables"), desk.count("readings"), len(desk.incoming)) == (1, 1, 1)

    told(story)


async def send_at_once(*requests: Coroutine[Any, Any, bool]) -> list[bool]:
    """Send all of them before any has ended, and return their answers, sorted."""
    return sorted(await asyncio.gather(*requests))


@ON_BOTH_DATABASES
def test_the_same_photo_sent_by_many_at_once_is_taken_once(engine: Engine, database: str, tmp_path: Path) -> None:
    """Each repeat is answered like a later one: at one server, and at several that share a database."""

    async def story() -> None:
        photos = str(tmp_path / "photos")
        desks = [await opened(engine, database, tmp_path / name, photos) for name in ("one", "other")]

        async def read() -> None:
            (desk,) = [desk for desk in desks if desk.jobs.waiting]
            await desk.read()

        for is_new in (True, False):

            async def send(is_new: bool = is_new) -> list[bool]:
                return await send_at_once(*(desk.add(60) if is_new else desk.more(90) for desk in desks * 12))

            assert await send() == [False] * 23 + [True]
            reading = asyncio.create_task(read())
            assert await send() == [False] * 24, "as it arrives"
            await reading
            await desks[0].readings.sweep()
            assert (desks[0].count("event_tables"), desks[0].count("readings")) == (1, 1)
            assert [desk.incoming for desk in desks] == [[], []]
        for desk in desks:
            await desk.readings.close()

    asyncio.run(story())


def test_the_same_photo_sent_by_many_at_once_takes_one_place_in_the_queue(told: Told) -> None:
    async def story(desk: Desk) -> None:
        desk.jobs.most = 1
        assert await send_at_once(*(desk.add(60) for _ in range(12))) == [False] * 11 + [True]
        await desk.read()
        assert await send_at_once(*(desk.more(90) for _ in range(12))) == [False] * 11 + [True]

    told(story)


def test_photos_stored_while_the_server_stops_are_read_by_the_next(told: Told, engine: Engine) -> None:
    """They are not removed either: other clients may have been answered that they exist."""

    async def first(desk: Desk) -> None:
        event.listen(engine, "commit", lambda connection: desk.jobs.refuse(), once=True)
        assert await desk.add(60)
        assert desk.table.coming is not None
        assert (desk.jobs.waiting, len(desk.incoming)) == ([], 2), "the photo, and a note that it was given back"

    async def next_one(desk: Desk) -> None:
        await desk.read()
        assert desk.table.status == "doubtful"

    told(first)
    told(next_one)


@pytest.mark.parametrize("whole", [True, False], ids=["event", "table"])
@pytest.mark.parametrize("read", [True, False], ids=["read", "waiting"])
def test_a_deletion_leaves_nothing(told: Told, whole: bool, read: bool) -> None:
    async def story(desk: Desk) -> None:
        await desk.add(60)
        if read:
            await desk.read()
            await desk.more(90)
        if whole:
            desk.events.delete(CUP)
        else:
            desk.events.delete_table(CUP, desk.table.id)
            assert desk.events.list_tables(CUP) == []
            assert desk.events.list_standings(CUP) == []
            await refused(asyncio.to_thread(desk.events.delete_table, CUP, 1), "not_found")
        await desk.readings.sweep()
        assert [desk.count(name) for name in ("event_tables", "readings", "photos", "decisions")] == [0, 0, 0, 0]
        assert (desk.readings.photos.list_keys(), desk.incoming) == ([], [])

    told(story)


def test_a_table_reports_that_its_waiting_reading_was_deleted(told: Told) -> None:
    async def story(desk: Desk) -> None:
        await desk.add(60)
        coming = desk.table.coming
        assert coming is not None
        await desk.readings.delete(desk.readings.store.get(coming))
        assert desk.table.error is not None
        assert (desk.table.coming, desk.table.error["code"]) == (None, "not_found")

    told(story)
