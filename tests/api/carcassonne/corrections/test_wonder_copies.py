"""Corrections of a wonder that was read as a copy, or whose copy's layout a person gives."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from api.carcassonne.corrections.apply import Review, build_review
from api.carcassonne.report.board import read_report_board
from api.carcassonne.report.snapshot import build_snapshot
from api.errors import CorrectionError
from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.wonders.files import settle_coats
from scoring.carcassonne.wonders.tiles import WonderLayout
from tests.api.carcassonne.corrections.copies import find_free_square, keep, lay
from tests.api.carcassonne.report.copied import ALHAMBRA, bare, copied, copy_of, guess, other_copy, shipped
from tests.api.corrected import said
from tests.api.doubted import joined
from vision.reading.values import WonderReading


def find_wonder(review: Review) -> PlacedWonder:
    """Return the one wonder of the board."""
    (placed,) = review.board.wonders
    assert [reading.placed for reading in review.views[0].reading.wonders] == [placed]
    return placed


def read_back(review: Review) -> WonderLayout:
    """Return the one wonder's layout as the report gives it."""
    (placed,) = read_report_board(review.report).wonders
    return placed.layout


def test_a_layout_given_by_a_person_replaces_the_reading() -> None:
    snapshot = keep(copy_of())
    (correction,) = said(lay(snapshot, layout=dict(other_copy().entry)).model_dump(mode="json"))
    review = build_review(snapshot, [correction])
    assert find_wonder(review).layout.entry == other_copy().entry
    assert find_wonder(review).layout.parts == other_copy().parts
    assert find_wonder(review).squares == build_review(snapshot).board.wonders[0].squares
    assert read_back(review).entry == other_copy().entry
    assert review.report.scores.final_scoring == compute_final_scoring(review.board).totals
    assert all(tile.set_by_person and tile.confidence == 1 for tile in review.report.board.tiles if tile.square)
    (reading,) = review.views[0].reading.wonders
    assert not reading.doubtful


def test_without_a_layout_the_copy_as_read_stays() -> None:
    snapshot = keep(copy_of(), other_copy())
    review = build_review(snapshot, [lay(snapshot)])
    assert find_wonder(review).layout.entry == copy_of().entry
    assert not review.views[0].reading.wonders[0].doubtful


def test_without_a_layout_a_bare_wonder_takes_the_alternative_or_shipped_one() -> None:
    snapshot = keep(bare(), copy_of())
    assert find_wonder(build_review(snapshot, [lay(snapshot)])).layout.entry == copy_of().entry
    only_bare = keep(bare())
    assert find_wonder(build_review(only_bare, [lay(only_bare)])).layout is shipped()


def test_without_a_layout_a_wonder_laid_elsewhere_has_the_shipped_one() -> None:
    snapshot = keep(copy_of(), other_copy())
    review = build_review(snapshot, [lay(snapshot, find_free_square(snapshot))])
    assert find_wonder(review).layout is shipped()
    assert find_wonder(review).squares[0] == find_free_square(snapshot)
    assert review.report.wonders == []


@pytest.mark.parametrize("name", ["copy", "shipped"])
def test_a_wonder_laid_elsewhere_is_removed_from_its_former_place(name: str) -> None:
    """Its layout there does not matter: there is one of each wonder."""
    snapshot = keep(copy_of() if name == "copy" else shipped())
    before = build_review(snapshot).board.wonders[0].squares
    for layout in (None, dict(other_copy().entry), dict(copy_of().entry)):
        review = build_review(snapshot, [lay(snapshot, find_free_square(snapshot), layout)])
        assert find_wonder(review).squares[0] == find_free_square(snapshot)
        assert {review.board.tiles[square] for square in before} == {None}


def test_a_layout_on_other_squares_frees_the_uncovered_ones() -> None:
    snapshot = keep(copy_of())
    strip = [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0]]
    cities, roads = [{"edges": ["0,0 W", "1,0 W", "2,0 W"]}], [{"edges": ["3,0 E"]}, {"edges": ["4,0 E"]}]
    entry = {"id": ALHAMBRA, "squares": strip, "wonder": [[4, 0], [3, 0]], "cities": cities, "roads": roads}
    before = build_review(snapshot).board.wonders[0].squares
    review = build_review(snapshot, [lay(snapshot, layout=entry)])
    assert find_wonder(review).layout.entry == entry
    assert {review.board.tiles[square] for square in {*before} - {*find_wonder(review).squares}} == {None}


@pytest.mark.parametrize(
    ("change", "details"),
    [
        pytest.param({"more": 1}, {"reason": "unknown_key"}, id="unknown key"),
        pytest.param({"roads": []}, {"reason": "contradicts_the_rules"}, id="against the rules"),
        pytest.param({"squares": [[0, 0]]}, {"reason": "bad_squares"}, id="one square"),
        pytest.param({"id": "WH/colossus"}, {"reason": "unknown_wonder"}, id="unknown wonder"),
        pytest.param({"roads": [{"edges": ["2,1 S"], "into": [[1]]}]}, {"reason": "bad_value"}, id="road into a list"),
        pytest.param({"id": "WH/tikal"}, {}, id="against the rules of another wonder"),
    ],
)
def test_a_bad_layout_is_refused(change: dict[str, Any], details: dict[str, Any]) -> None:
    snapshot = keep(copy_of())
    with pytest.raises(CorrectionError) as caught:
        build_review(snapshot, [lay(snapshot, layout={**copy_of().entry, **change})])
    assert caught.value.code == "bad_wonder_layout"
    assert caught.value.details["correction"] == 0
    assert caught.value.details.items() >= details.items()


@pytest.mark.parametrize("keys", [("id", "squares"), ()], ids=["squares alone", "nothing"])
def test_an_incomplete_layout_is_refused(keys: tuple[str, ...]) -> None:
    snapshot = keep(copy_of())
    with pytest.raises(CorrectionError) as caught:
        build_review(snapshot, [lay(snapshot, layout={key: copy_of().entry[key] for key in keys})])
    assert caught.value.code == "bad_wonder_layout"


def test_a_layout_of_another_wonder_is_refused() -> None:
    snapshot = keep(copy_of())
    with pytest.raises(CorrectionError) as caught:
        build_review(snapshot, [lay(snapshot, layout=dict(shipped("WH/tikal").entry))])
    assert (caught.value.code, caught.value.details) == ("bad_wonder_layout", {"wonder": ALHAMBRA, "correction": 0})


def test_a_layout_with_only_settled_coats_of_arms_keeps_the_doubt_about_edges() -> None:
    snapshot = keep(guess(copy_of()), guess(other_copy()))
    settled = settle_coats(guess(copy_of()))
    review = build_review(snapshot, [lay(snapshot, layout=settled)])
    assert find_wonder(review).layout.entry == settled
    (reading,), (before,) = review.views[0].reading.wonders, build_review(snapshot).views[0].reading.wonders
    assert [(other.layout.entry, share) for other, share in reading.alternatives] == [
        (other.layout.entry, share) for other, share in before.alternatives
    ]
    assert reading.doubtful
    assert reading.probability == before.probability


def test_a_given_layout_removes_the_doubt_about_edges() -> None:
    snapshot = keep(guess(copy_of()), guess(other_copy()))
    review = build_review(snapshot, [lay(snapshot, layout=dict(other_copy().entry))])
    (reading,) = review.views[0].reading.wonders
    assert (reading.probability, reading.alternatives) == (1.0, ())


def test_a_meeple_on_the_wonder_stays_on_its_part_of_the_given_layout() -> None:
    snapshot = keep(guess(copy_of()), seed=1)
    before = build_review(snapshot)
    review = build_review(snapshot, [lay(snapshot, layout=settle_coats(guess(copy_of())))])
    assert before.board.meeples == review.board.meeples
    assert any(meeple.square in find_wonder(review).squares for meeple in review.board.meeples)


def test_a_person_sets_the_owner_of_a_copy() -> None:
    reading = copied(copy_of(), seed=13)
    snapshot = build_snapshot(joined(replace(reading, wonders=(WonderReading(reading.wonders[0].placed, 0.9),))))
    owned = build_review(snapshot, said({"kind": "wonder_owner", "wonder": "alhambra", "colour": "brown"}))
    (feature,) = [feature for feature in owned.report.features if feature.kind == "wonder"]
    assert feature.meeples == {"brown": 1}
    assert find_wonder(owned).layout.entry == copy_of().entry
