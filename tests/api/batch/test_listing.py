"""Photos that belong together, and their facts from a CSV or the files' names."""

from __future__ import annotations

import csv
import json
from contextlib import nullcontext
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.documents.corrections import CORRECTIONS
from api.documents.tile_corrections import MAX_PLAYER_NAME_CHARACTERS, SetPlayer
from api.tournament.errors import BatchError
from api.tournament.listed_tables import ListedTable, group_photos_by_table

PHOTOS = ("a.jpg", "b.jpg", "sub/c.jpg")
WORDS = st.text("abcXYZ 0189_-.", min_size=1, max_size=8).map(str.strip).filter(bool)


def test_unlisted_photos_are_separate_tables() -> None:
    assert group_photos_by_table(PHOTOS) == [ListedTable((photo,)) for photo in PHOTOS]


def test_a_csv_joins_photos_of_one_table() -> None:
    text = "photo,event,round,table,blue,blue_track,wonders\na.jpg,cup,1,4,Anna,90,alhambra=blue\nb.jpg,cup,1,4,,,\n"
    together, alone = group_photos_by_table(PHOTOS, text)
    assert (together.photos, together.event, together.round, together.table) == (("a.jpg", "b.jpg"), "cup", "1", "4")
    assert (together.names, together.track, together.wonders) == ({"blue": "Anna"}, {"blue": 90}, {"alhambra": "blue"})
    assert [correction.kind for correction in CORRECTIONS.validate_json(together.said)] == [
        "player",
        "track",
        "wonder_owner",
    ]
    assert alone == ListedTable(("sub/c.jpg",))


def test_a_csv_states_an_unowned_wonder_like_the_command_line() -> None:
    (table, *_) = group_photos_by_table(PHOTOS, "photo,wonders\na.jpg,alhambra=nobody tikal=blue\n")
    owners = CORRECTIONS.validate_json(table.said)
    assert [correction.model_dump() for correction in owners] == [
        {"kind": "wonder_owner", "wonder": "alhambra", "colour": None, "beforehand": True},
        {"kind": "wonder_owner", "wonder": "tikal", "colour": "blue", "beforehand": True},
    ]


@given(rows=st.lists(st.tuples(WORDS, WORDS, WORDS, WORDS), max_size=6, unique_by=lambda row: row[0]))
def test_rows_written_to_a_csv_are_read_back(rows: list[tuple[str, str, str, str]]) -> None:
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(("photo", "event", "round", "table"))
    writer.writerows(rows)
    photos_by_place = {
        (table.event, table.round, table.table): table.photos for table in group_photos_by_table((), out.getvalue())
    }
    assert {(photo, *place) for place, photos in photos_by_place.items() for photo in photos} == {
        (photo, event, turn, table) for photo, event, turn, table in rows
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("event\ncup\n", "a column photo is wanted"),
        ("photo,colour\na.jpg,x\n", "unknown columns colour"),
        ("photo,photo\na.jpg,b.jpg\n", "each once"),
        ("photo,blue_track\na.jpg,many\n", "line 2: 'many' are no points"),
        ("photo,blue_track\na.jpg,-3\n", "no points"),
        ("photo,wonders\na.jpg,alhambra\n", "no wonder=colour"),
        ("photo\na.jpg,b.jpg\n", "more cells"),
        ("photo,event\n,cup\n", "no photo"),
        ('photo\n"a.jpg', "unexpected end of data"),
        ("photo,table,blue\na.jpg,1,Anna\nb.jpg,1,Bob\n", "disagree about blue"),
        (f"photo,blue\na.jpg,Anna\nb.jpg,{'x' * 41}\n", "line 3: the name of blue has more than 40 characters"),
        ('photo,blue\na.jpg,"Anna\nBob"\n', "line 2: in blue is a character that cannot be shown"),
        ("photo,red\na.jpg,An\0na\n", "line 2: in red is a character"),
        ("photo,event,table\na.jpg,cup,1\nb.jpg,cup,2\n./a.jpg,cup,2\n", "a.jpg stands at two tables, cup 1 and cup 2"),
        ("photo,table\nsub/c.jpg,1\nsub\\c.jpg,\n", "sub/c.jpg stands at two tables, 1 and no table"),
        ("photo,event\na.jpg,c\x1bup\n", "line 2: in event is a character"),
    ],
    ids=str,
)
def test_an_invalid_csv_is_refused(text: str, words: str) -> None:
    with pytest.raises(BatchError, match=words) as caught:
        group_photos_by_table(PHOTOS, text)
    assert caught.value.code == "bad_listing"


@given(name=st.text(max_size=50))
def test_a_reading_accepts_every_name_that_a_listing_accepts(name: str) -> None:
    out = StringIO()
    csv.writer(out).writerows([("photo", "blue"), ("a.jpg", name)])
    is_valid = name.strip().isprintable() and len(name.strip()) <= MAX_PLAYER_NAME_CHARACTERS
    with nullcontext() if is_valid else pytest.raises(BatchError, match="line 2"):
        (table,) = group_photos_by_table((), out.getvalue())
        corrections = [SetPlayer(colour="blue", name=" ".join(name.split()))] if name.strip() else []
        assert CORRECTIONS.validate_json(table.said) == corrections


def test_file_names_identify_the_table() -> None:
    photos = ("cup/r1-t4-a.jpg", "cup/r1-t4-b.jpg", "cup/r2-t10-x.png", "other.jpg")
    tables = group_photos_by_table(photos, pattern="{event}/r{round}-t{table}-{}")
    assert [(table.event, table.round, table.table, len(table.photos)) for table in tables] == [
        ("cup", "1", "4", 2),
        ("cup", "2", "10", 1),
        ("", "", "", 1),
    ]


@pytest.mark.parametrize(
    ("pattern", "photo", "place"), json.loads(Path(__file__).with_name("patterns.json").read_text(encoding="utf-8"))
)
def test_a_pattern_takes_whole_numbers_and_words(pattern: str, photo: str, place: list[str]) -> None:
    """The page groups photos in the same way (`table_names.test.js`)."""
    (table,) = group_photos_by_table([photo], pattern=pattern)
    assert [table.event, table.round, table.table] == place


@pytest.mark.parametrize("pattern", ["{event}", "{table}{table}", "{table}-{seat}", "plain"])
def test_an_invalid_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(BatchError) as caught:
        group_photos_by_table(PHOTOS, pattern=pattern)
    assert caught.value.code == "bad_pattern"
