"""A server's enrolments are in its database; files of this machine count beside it, and none is ever lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Engine, delete, update

from api.store.database import create_database_engine
from api.store.enrolments import EnrolmentEntry, EnrolmentStore, compute_digest
from api.store.tables import EarlierEnrolmentRow, EnrolmentRow
from tests.api.databases import ON_BOTH_DATABASES
from tests.vision.enrolment.random_prints import enrolment
from vision.enrolment.prints import Enrolment, Enrolments, pack_enrolment
from vision.errors import EnrolmentError


@pytest.fixture
def store(engine: Engine, tmp_path: Path) -> EnrolmentStore:
    return EnrolmentStore(engine, tmp_path / "enrolments")


def same(one: Enrolment, other: Enrolment) -> bool:
    return (one.name, one.keys, one.source) == (other.name, other.keys, other.source) and bool(
        (one.crops == other.crops).all()
    )


@ON_BOTH_DATABASES
def test_another_machine_with_the_same_database_has_the_enrolment(
    store: EnrolmentStore, database: str, tmp_path: Path
) -> None:
    before = store.state()
    store.save(enrolment("mine"))
    elsewhere = create_database_engine(database)
    other = EnrolmentStore(elsewhere, tmp_path / "elsewhere")
    assert other.list_entries() == [EnrolmentEntry("mine", "database")]
    assert same(next(other.all()), enrolment("mine"))
    assert other.state() == store.state() != before
    other.forget("mine")
    assert store.list_entries() == []
    assert store.state() == before
    elsewhere.dispose()


@ON_BOTH_DATABASES
def test_enrolment_files_of_this_machine_count_while_they_exist(store: EnrolmentStore, tmp_path: Path) -> None:
    store.save(enrolment("taught"))
    files, states = Enrolments(tmp_path / "enrolments"), [store.state()]
    files.save(enrolment("own"))
    states.append(store.state())
    assert store.list_entries() == [EnrolmentEntry("own", "folder"), EnrolmentEntry("taught", "database")]
    assert same(store.load(EnrolmentEntry("own", "folder")), enrolment("own"))
    files.forget("own")
    assert store.list_entries() == [EnrolmentEntry("taught", "database")]
    assert store.state() == states[0] != states[1]


@ON_BOTH_DATABASES
def test_a_name_is_taken_in_the_database_and_in_files(store: EnrolmentStore, tmp_path: Path) -> None:
    Enrolments(tmp_path / "enrolments").save(enrolment("own"))
    store.save(enrolment("taught"))
    for name in ("own", "taught"):
        with pytest.raises(EnrolmentError, match="enrolment_exists"):
            store.save(enrolment(name))
        assert store.find_free_name(name) == f"{name}-2"
    with pytest.raises(EnrolmentError, match="bad_name"):
        store.save(enrolment("../x"))
    store.forget("own")
    assert Enrolments(tmp_path / "enrolments").names() == []
    with pytest.raises(EnrolmentError, match="no_such_enrolment"):
        store.forget("own")
    with pytest.raises(EnrolmentError, match="bad_name"):
        store.forget("\0")
    with pytest.raises(EnrolmentError, match="no_such_enrolment"):
        store.load(EnrolmentEntry("own", "database"))


@ON_BOTH_DATABASES
def test_two_prints_of_one_name_both_count(store: EnrolmentStore, tmp_path: Path) -> None:
    files = Enrolments(tmp_path / "enrolments")
    store.save(enrolment("mine"))
    files.save(enrolment("mine"))
    assert store.list_entries() == [EnrolmentEntry("mine", "database")], "the same prints, once"
    files.forget("mine")
    files.save(enrolment("mine", seed=9))
    assert store.list_entries() == [EnrolmentEntry("mine", "database"), EnrolmentEntry("mine", "folder")]
    store.forget("mine")
    assert store.list_entries() == []


@ON_BOTH_DATABASES
def test_each_change_in_the_database_or_in_files_is_taken_back_in_turn(store: EnrolmentStore, tmp_path: Path) -> None:
    files = Enrolments(tmp_path / "enrolments")
    store.save(enrolment("mine"))
    store.forget("mine")
    assert store.list_forgotten() == ["mine"]
    files.save(enrolment("mine", seed=9))
    store.forget("mine")
    assert (store.list_entries(), store.list_forgotten()) == ([], ["mine"])
    entries = list[list[EnrolmentEntry]]()
    for _ in range(4):
        store.take_back("mine")
        entries.append(store.list_entries())
    assert entries == [[EnrolmentEntry("mine", "folder")], [], [EnrolmentEntry("mine", "database")], []]
    assert store.list_forgotten() == []
    with pytest.raises(EnrolmentError, match="nothing_to_take_back"):
        store.take_back("mine")


@ON_BOTH_DATABASES
def test_enrolments_without_steps_are_forgotten_by_a_step_back(store: EnrolmentStore, engine: Engine) -> None:
    store.save(enrolment("mine"))
    with engine.begin() as connection:
        connection.execute(delete(EarlierEnrolmentRow))  # as an earlier version left it
    store.take_back("mine")
    assert (store.list_entries(), store.list_forgotten()) == ([], ["mine"])
    store.take_back("mine")
    assert same(next(store.all()), enrolment("mine"))


@ON_BOTH_DATABASES
def test_a_damaged_enrolment_is_reported_by_name(store: EnrolmentStore, engine: Engine) -> None:
    store.save(enrolment("mine"))
    with engine.begin() as connection:
        connection.execute(
            update(EnrolmentRow).values(data=pack_enrolment(enrolment("mine"))[:-9], digest=compute_digest(b"x"))
        )
    with pytest.raises(EnrolmentError, match="bad_enrolment") as caught:
        list(store.all())
    assert caught.value.details == {"name": "mine"}
