"""A board in an address: text and back, short, and without any way to make it swell."""

from __future__ import annotations

import base64
import json
import re
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.carcassonne.corrections.url_fragment import (
    MAX_FRAGMENT_CHARACTERS,
    MAX_TEXT_BYTES,
    VERSION,
    SharedBoard,
    decode_fragment,
    encode_fragment,
)
from api.carcassonne.report.board import read_report_board
from api.carcassonne.report.builder import build_board_report
from api.errors import FragmentError, ReportError
from scoring.carcassonne.board.notation import format_notation, parse_notation
from scoring.carcassonne.final.rulesets import RULESETS
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.player_colours import COLOURS
from tests.api.carcassonne.report.copied import copy_of, dealt_with, other_copy, shipped
from tests.api.tables_read import dealt

colours = st.sampled_from(COLOURS)
names = st.text(min_size=1, max_size=40).filter(lambda name: name.isprintable() and " ".join(name.split()) == name)
shared_boards = st.builds(
    SharedBoard,
    notation=st.text(max_size=200),
    names=st.dictionaries(colours, names),
    track=st.dictionaries(colours, st.integers(0, 9999)),
    rules=st.sampled_from(sorted(RULESETS)),
    tiles_in_play=st.none() | st.integers(1, 1000),
)


@given(shared_boards)
def test_a_fragment_reads_back(shared: SharedBoard) -> None:
    assert decode_fragment(encode_fragment(shared)) == shared


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 1000))
def test_a_shared_board_scores_the_same(seed: int) -> None:
    board = dealt(seed)
    shared = SharedBoard(notation=format_notation(board), names={"grey": "Ana"}, track={"grey": 7}, tiles_in_play=90)
    fragment = encode_fragment(shared)
    assert re.fullmatch(r"[A-Za-z0-9._~-]+", fragment)
    assert len(fragment) < 700
    report = decode_fragment(fragment).report()
    assert report.scores.final_scoring == {**compute_final_scoring(board).totals, "grey": 0}
    assert report.scores.total["grey"] == 7
    assert SharedBoard.of(report) == shared


def test_a_whole_game_fits_into_an_address() -> None:
    board = parse_notation(format_notation(dealt(1, tiles=72)))
    assert len(encode_fragment(SharedBoard(notation=format_notation(board)))) < 1_200


@pytest.mark.parametrize("seed", [7, 13, 17, 19])
def test_a_shared_board_holds_the_layout_of_a_copy(seed: int) -> None:
    """With another copy the points would differ."""
    board = dealt_with(copy_of(), seed)
    report = build_board_report(board)
    shared = decode_fragment(encode_fragment(SharedBoard.of(report)))
    assert shared.wonders == [copy_of().entry]
    restored = shared.report()
    assert restored.scores == report.scores
    assert restored.features == report.features
    assert SharedBoard.of(restored) == shared
    (placed,) = read_report_board(restored).wonders
    assert placed.layout.parts == copy_of().parts
    other = shared.model_copy(update={"wonders": [dict(other_copy().entry)]})
    assert other.report().scores != report.scores


def test_a_shared_board_of_shipped_wonders_holds_no_layout() -> None:
    report = build_board_report(dealt_with(shipped()))
    shared = decode_fragment(encode_fragment(SharedBoard.of(report)))
    assert shared.wonders == []
    assert shared.report().scores == report.scores


def test_a_shared_board_with_a_damaged_layout_is_refused() -> None:
    shared = SharedBoard.of(build_board_report(dealt_with(copy_of())))
    damaged = shared.model_copy(update={"wonders": [{**copy_of().entry, "roads": []}]})
    with pytest.raises(ReportError) as caught:
        decode_fragment(encode_fragment(damaged)).report()
    assert caught.value.code == "bad_report"
    crowded = damaged.model_copy(update={"wonders": [{}] * 9})
    with pytest.raises(FragmentError):
        decode_fragment(encode_fragment(crowded))


def packed(data: bytes) -> str:
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    return VERSION + base64.urlsafe_b64encode(packer.compress(data) + packer.flush()).decode().rstrip("=")


@pytest.mark.parametrize(
    ("fragment", "code"),
    [
        ("", "bad_fragment"),
        ("2.abc", "bad_fragment"),
        (f"{VERSION}!!!", "bad_fragment"),
        (f"{VERSION}a", "bad_fragment"),
        (packed(b"[1]"), "bad_fragment"),
        (packed(b"\xff"), "bad_fragment"),
        (packed(b'{"notation": "-", "more": 1}'), "bad_fragment"),
        (packed(b'{"notation": "-", "names": {"red": "a\\nb"}}'), "bad_fragment"),
        (packed(b"[" * 20_000), "bad_fragment"),
        (encode_fragment(SharedBoard(notation="E0" * 30))[:-9], "bad_fragment"),
        (packed(json.dumps({"notation": "-" * 10 * MAX_TEXT_BYTES}).encode()), "fragment_too_large"),
        (VERSION + "A" * MAX_FRAGMENT_CHARACTERS, "fragment_too_large"),
    ],
)
def test_invalid_fragments_are_refused(fragment: str, code: str) -> None:
    with pytest.raises(FragmentError) as error:
        decode_fragment(fragment)
    assert error.value.code == code


def as_fragment(data: bytes) -> str:
    return VERSION + base64.urlsafe_b64encode(data).decode()


@given(st.text(max_size=100) | st.binary(max_size=100).map(as_fragment))
def test_any_fragment_is_a_board_or_is_refused(fragment: str) -> None:
    try:
        shared = decode_fragment(fragment)
    except FragmentError:
        return
    assert decode_fragment(encode_fragment(shared)) == shared
