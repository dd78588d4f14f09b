"""Corrections: a person's statement is certain and stays, in any order, and everything else is recomputed."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from api.carcassonne.corrections.apply import build_review
from api.carcassonne.report.snapshot import Snapshot, build_snapshot, restore_wonder_reading
from api.documents.corrections import MAX_CORRECTIONS
from api.documents.report import Report, Tile
from api.errors import CorrectionError
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.board.places import name_segment
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from scoring.carcassonne.tiles.geometry import SIDES, get_neighbour
from scoring.errors import ScoringError
from tests.api.carcassonne.report.timeless import timeless
from tests.api.corrected import build_corrected_report, said
from tests.api.doubted import held, joined, small, wondrous
from tests.api.tables_read import UNIT, homography, seen

seeds = st.integers(0, 10_000)


def squares(snapshot: Snapshot) -> list[tuple[int, int]]:
    return [(tile.row, tile.col) for tile in snapshot.tiles]


def tile_at(report: Report, square: tuple[int, int]) -> Tile:
    return next(tile for tile in report.board.tiles if (tile.row, tile.col) == square)


def one_on_each_square(snapshot: Snapshot, rng: random.Random) -> list[dict[str, Any]]:
    """Return a correction of each of some squares of the board, or of a meeple of it."""
    corrections: list[dict[str, Any]] = []
    for number in range(1, len(snapshot.meeples) + 1):
        about = rng.choice([None, {"kind": "no_meeple"}, {"kind": "confirm", "about": "meeple"}])
        if about:
            corrections.append(about | {"id": f"m{number}"})
    stood = {(meeple.row, meeple.col) for meeple in snapshot.meeples}
    for row, col in rng.sample(squares(snapshot), 5):
        if (row, col) not in stood:
            tile = {"kind": "tile", "tile": rng.choice(list(load_base_catalogue())).id, "turns": rng.randrange(4)}
            at = {"row": row, "col": col}
            choices: list[dict[str, Any]] = [tile, {"kind": "no_tile"}, {"kind": "confirm", "about": "tile"}]
            corrections.append(rng.choice(choices) | at)
    return corrections


@settings(max_examples=5, deadline=None)
@given(seeds)
def test_corrections_of_different_things_commute(seed: int) -> None:
    snapshot, rng = held(seed), random.Random(seed)
    corrections = one_on_each_square(snapshot, rng)
    shuffled = rng.sample(corrections, len(corrections))
    assert timeless(build_corrected_report(snapshot, said(*corrections))) == timeless(
        build_corrected_report(snapshot, said(*shuffled))
    )


def test_a_tile_that_a_person_marks_unknown_counts_for_a_monk() -> None:
    snapshot = held(5)
    cloister, beside = next(
        (square, other)
        for square in squares(snapshot)
        for side in SIDES
        if (other := get_neighbour(square, side)) in squares(snapshot)
    )
    monk = {"kind": "meeple", "square": list(cloister), "place": "monastery", "colour": "red"}
    corrections = said(
        {"kind": "tile", "row": cloister[0], "col": cloister[1], "tile": "BA/L", "turns": 0},
        monk,
        {"kind": "tile", "row": beside[0], "col": beside[1], "tile": None, "turns": 0},
    )
    report = build_corrected_report(snapshot, corrections)
    assert tile_at(report, beside).doubtful
    assert [doubt for doubt in report.doubts if (doubt.square, doubt.instead) == (beside, "no tile")] == []


@settings(max_examples=5, deadline=None)
@given(seeds)
def test_a_correction_that_is_reverted_equals_a_confirmation(seed: int) -> None:
    snapshot, rng = held(seed), random.Random(seed)
    row, col = square = rng.choice(squares(snapshot))
    read = next(tile for tile in snapshot.tiles if (tile.row, tile.col) == square)
    where = {"row": row, "col": col}
    other = {"kind": "tile", **where, "tile": rng.choice(list(load_base_catalogue())).id, "turns": rng.randrange(4)}
    between = rng.choice([other, {"kind": "no_tile", **where}])
    back = {"kind": "tile", **where, "tile": read.tile, "turns": read.turns}
    confirmed = {"kind": "confirm", "about": "tile", **where}
    assert timeless(build_corrected_report(snapshot, said(between, back))) == timeless(
        build_corrected_report(snapshot, said(confirmed))
    )


@settings(max_examples=5, deadline=None)
@given(seeds)
def test_a_certain_tile_that_is_reverted_equals_the_reading(seed: int) -> None:
    """Only the mark of a person's correction stays."""
    snapshot, rng = held(seed), random.Random(seed)
    sure = [tile.model_copy(update={"confidence": 1.0}) for tile in snapshot.tiles if not tile.alternatives]
    snapshot = snapshot.model_copy(
        update={"tiles": tuple(next((s for s in sure if (s.row, s.col) == (t.row, t.col)), t) for t in snapshot.tiles)}
    )
    read = rng.choice(sure)
    where = {"row": read.row, "col": read.col}
    back = {"kind": "tile", **where, "tile": read.tile, "turns": read.turns}
    report = build_corrected_report(snapshot, said({"kind": "no_tile", **where}, back))
    assert tile_at(report, (read.row, read.col)).set_by_person
    for tile in report.board.tiles:
        tile.set_by_person = False
    assert timeless(report) == timeless(build_corrected_report(snapshot))


@settings(max_examples=5, deadline=None)
@given(seeds)
def test_a_correction_stays_and_is_certain(seed: int) -> None:
    snapshot, rng = held(seed), random.Random(seed)
    corrections = one_on_each_square(snapshot, rng)
    report = build_corrected_report(snapshot, said(*corrections))
    for correction in corrections:
        if correction["kind"] == "tile":
            tile = tile_at(report, (correction["row"], correction["col"]))
            assert (tile.tile, tile.turns) == (correction["tile"], correction["turns"])
            assert (tile.confidence, tile.doubtful, tile.alternatives, tile.set_by_person) == (1.0, False, [], True)
        if correction["kind"] == "no_tile":
            assert (correction["row"], correction["col"]) not in {(t.row, t.col) for t in report.board.tiles}
    there = {meeple.id: meeple for meeple in report.board.meeples}
    for correction in corrections:
        if correction["kind"] == "no_meeple":
            assert correction["id"] not in there
        if correction.get("about") == "meeple":
            assert (there[correction["id"]].confidence, there[correction["id"]].set_by_person) == (1.0, True)


@settings(max_examples=5, deadline=None)
@given(seeds)
def test_each_confirmation_raises_the_confidence(seed: int) -> None:
    """With everything confirmed, nothing is left to doubt."""
    snapshot = held(seed)
    tiles = [{"kind": "confirm", "about": "tile", "row": row, "col": col} for row, col in squares(snapshot)]
    count = len(snapshot.meeples) + len(snapshot.possible_meeples)
    meeples = [{"kind": "confirm", "about": "meeple", "id": f"m{n}"} for n in range(1, count + 1)]
    confidence = [
        build_corrected_report(snapshot, said(*corrections)).scores.confidence
        for corrections in ([], tiles, [*tiles, *meeples])
    ]
    assert confidence == sorted(confidence, key=lambda sure: sure or 0.0)
    assert confidence[-1] == 1.0
    assert not build_corrected_report(snapshot, said(*tiles, *meeples)).doubts


@settings(max_examples=5, deadline=None)
@given(seeds)
def test_an_added_tile_lies_on_the_extended_lattice(seed: int) -> None:
    snapshot = held(seed, photos=2)
    there = set(squares(snapshot))
    row, col = min(
        get_neighbour(square, side) for square in there for side in SIDES if get_neighbour(square, side) not in there
    )
    report = build_corrected_report(snapshot, said({"kind": "tile", "row": row, "col": col, "tile": "E", "turns": 2}))
    tile = tile_at(report, (row, col))
    expected = np.roll(seen(UNIT + np.array([col, row]), homography(small(seed))), -2, axis=0)
    assert np.abs(np.array(tile.corners_px) - expected).max() < 0.6
    feature = next(feature for feature in report.features if (row, col) in feature.tiles)
    assert feature.outline_px
    within = (expected >= 0).all() and (expected <= np.array([1200, 900])).all()
    assert [view.photo for view in tile.seen or []] == ([0, 1] if within else [])


def test_a_meeple_is_moved_recoloured_removed_and_added() -> None:
    snapshot = held(5)
    board = parse_notation(build_corrected_report(snapshot).board.notation)
    square, placement = next((s, p) for s, p in board.known if s not in {m.square for m in board.meeples})
    place = name_segment(placement.layout, placement.turns, 0)
    added = {"kind": "meeple", "square": square, "place": place, "colour": "white", "piece": "big"}
    report = build_corrected_report(
        snapshot, said({"kind": "no_meeple", "id": "m1"}, added, added | {"id": "m2", "colour": "pink"})
    )
    by_id = {meeple.id: meeple for meeple in report.board.meeples}
    new = f"m{len(snapshot.meeples) + len(snapshot.possible_meeples) + 1}"
    assert "m1" not in by_id
    assert (by_id[new].colour, by_id[new].kind, by_id[new].tile) == ("white", "big", square)
    assert (by_id["m2"].colour, by_id["m2"].tile) == ("pink", square)
    feature = build_feature_map(board).at(square, 0).id
    assert by_id[new].feature == by_id["m2"].feature == feature
    report_feature = next(f for f in report.features if f.id == feature)
    assert report_feature.meeples == {**report_feature.meeples, "white": 1, "pink": 1}
    assert by_id[new].foot_px is not None


def test_a_possible_meeple_is_confirmed_or_ruled_out() -> None:
    snapshot = held(5)
    (maybe,) = snapshot.possible_meeples
    id = f"m{len(snapshot.meeples) + 1}"
    square = (maybe.row, maybe.col)
    placement = small(5).tiles[square]
    assert placement is not None
    assert maybe.segment is not None
    place = name_segment(placement.layout, placement.turns, maybe.segment)
    there = {"kind": "meeple", "id": id, "square": square, "place": place, "colour": maybe.colour}
    report = build_corrected_report(snapshot, said(there))
    assert next(meeple for meeple in report.board.meeples if meeple.id == id).set_by_person
    gone = build_corrected_report(snapshot, said({"kind": "confirm", "about": "meeple", "id": id}))
    assert len(gone.board.meeples) == len(snapshot.meeples)
    assert not [doubt for doubt in gone.doubts if doubt.about == "meeple" and doubt.square == square]


@settings(max_examples=5, deadline=None)
@given(seeds)
def test_a_meeple_moves_to_an_existing_part_when_its_tile_changes(seed: int) -> None:
    """On any tile beneath it, it stands on an existing part, and returns to its own when the tile is set back."""
    snapshot, rng = held(seed), random.Random(seed)
    meeple = rng.choice(snapshot.meeples)
    where = {"row": meeple.row, "col": meeple.col}
    other = {"kind": "tile", **where, "tile": rng.choice(list(load_base_catalogue())).id, "turns": rng.randrange(4)}
    report = build_corrected_report(snapshot, said(other))
    assert parse_notation(report.board.notation).meeples
    assert len(report.board.meeples) == len(snapshot.meeples)


def test_wonders_are_laid_owned_and_removed() -> None:
    snapshot = build_snapshot(joined(wondrous(4)))
    (wonder,) = snapshot.wonders
    row, col = next((tile.row, tile.col) for tile in snapshot.tiles if tile.cell == 0)
    assert build_corrected_report(snapshot).doubtful
    owned = build_corrected_report(snapshot, said({"kind": "wonder_owner", "wonder": "alhambra", "colour": "brown"}))
    (feature,) = [feature for feature in owned.features if feature.kind == "wonder"]
    assert feature.meeples == {"brown": 1}
    nobody = build_corrected_report(snapshot, said({"kind": "wonder_owner", "wonder": "WH/alhambra", "colour": None}))
    assert [feature.meeples for feature in nobody.features if feature.kind == "wonder"] == [{}]
    sure = build_corrected_report(snapshot, said({"kind": "confirm", "about": "tile", "row": row, "col": col}))
    assert [tile.confidence for tile in sure.board.tiles if tile.tile == wonder.wonder] == [1.0] * 5
    gone = build_corrected_report(snapshot, said({"kind": "no_wonder", "row": row, "col": col}))
    assert sum(tile.tile is None for tile in gone.board.tiles) == 5
    assert gone.doubtful
    correction = {"kind": "wonder", "wonder": "tikal", "row": row, "col": col, "turns": 1}
    tikal = build_corrected_report(snapshot, said(correction))
    assert [tile.tile for tile in tikal.board.tiles if tile.square is not None] == ["WH/tikal"] * 5
    assert tile_at(tikal, (row, col)).square == 0
    assert timeless(build_corrected_report(snapshot, said(correction, correction))) == timeless(tikal)


def test_naming_a_square_of_a_wonder_rules_out_the_others_that_cover_it() -> None:
    snapshot = build_snapshot(joined(wondrous(4)))
    (wonder,) = snapshot.wonders
    occupied_squares = {(tile.row, tile.col) for tile in snapshot.tiles if tile.cell is not None}
    beside = next(square for other in wonder_squares(snapshot) for square in other if square not in occupied_squares)
    review = build_review(snapshot, said({"kind": "tile", "row": beside[0], "col": beside[1], "tile": "E", "turns": 0}))
    (left,) = review.views[0].reading.wonders
    assert all(beside not in other.squares for other, _ in left.alternatives)
    assert left.probability > wonder.probability


def wonder_squares(snapshot: Snapshot) -> list[tuple[tuple[int, int], ...]]:
    return [other.squares for wonder in snapshot.wonders for other, _ in restore_wonder_reading(wonder).alternatives]


def test_a_person_sets_players_track_points_tiles_in_play_and_rules() -> None:
    snapshot, told = (
        held(5),
        (
            {"kind": "player", "colour": "grey", "name": "Ștefan"},
            {"kind": "track", "colour": "grey", "points": 41},
            {"kind": "tiles_in_play", "count": 120},
            {"kind": "rules", "edition": "C1-first"},
        ),
    )
    report = build_corrected_report(snapshot, said(*told))
    assert report.names == {"grey": "Ștefan"}
    assert report.scores.total["grey"] == 41
    assert (report.rules.tiles_in_play, report.rules.edition) == (120, "C1-first")
    taken_back = (
        {"kind": "player", "colour": "grey", "name": None},
        {"kind": "track", "colour": "grey", "points": None},
        {"kind": "tiles_in_play", "count": None},
        {"kind": "rules", "edition": "C3"},
    )
    back = build_corrected_report(snapshot, said(*told, *taken_back))
    assert timeless(back) == timeless(build_corrected_report(snapshot))


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({"kind": "no_tile", "row": 90, "col": 0}, "square_empty"),
        ({"kind": "confirm", "about": "tile", "row": 90, "col": 0}, "square_empty"),
        ({"kind": "tile", "row": 0, "col": 900, "tile": "E", "turns": 0}, "square_too_far"),
        ({"kind": "tile", "row": 0, "col": 0, "tile": "nonesuch", "turns": 0}, "tile_unknown_name"),
        ({"kind": "wonder", "wonder": "colossus", "row": 0, "col": 0, "turns": 0}, "tile_unknown_name"),
        ({"kind": "no_wonder", "row": 0, "col": 0}, "no_wonder_there"),
        ({"kind": "wonder_owner", "wonder": "tikal", "colour": "red"}, "wonder_not_there"),
        ({"kind": "no_meeple", "id": "m999"}, "meeple_unknown"),
        ({"kind": "confirm", "about": "meeple", "id": "m999"}, "meeple_unknown"),
        ({"kind": "meeple", "square": [90, 0], "place": None, "colour": "red"}, "square_empty"),
        ({"kind": "meeple", "square": "FIRST", "place": "wonder", "colour": "red"}, "place_unknown"),
        ({"kind": "meeple", "square": "FIRST", "place": None, "colour": "mauve"}, "colour_unknown"),
        ({"kind": "player", "colour": "mauve", "name": "Eve"}, "colour_unknown"),
        ({"kind": "track", "colour": "mauve", "points": 1}, "colour_unknown"),
        ({"kind": "tiles_in_play", "count": 3}, "too_few_tiles"),
    ],
)
def test_corrections_that_do_not_fit_the_board_are_refused(told: dict[str, Any], code: str) -> None:
    snapshot = held(5)
    if told.get("square") == "FIRST":
        told = {**told, "square": squares(snapshot)[0]}
    with pytest.raises(CorrectionError) as error:
        build_corrected_report(snapshot, said({"kind": "rules", "edition": "C3"}, told))
    assert error.value.code == code
    assert error.value.details["correction"] == 1


def test_an_unknown_rule_set_is_refused() -> None:
    with pytest.raises(ScoringError) as error:
        build_corrected_report(held(5), said({"kind": "rules", "edition": "C9"}))
    assert error.value.code == "unknown_rules"


def test_too_many_corrections_are_refused() -> None:
    with pytest.raises(CorrectionError) as error:
        build_corrected_report(held(5), said({"kind": "rules", "edition": "C3"}) * (MAX_CORRECTIONS + 1))
    assert error.value.code == "too_many_corrections"


def test_too_many_tiles_are_refused() -> None:
    rows = [{"kind": "tile", "row": row, "col": col, "tile": "E"} for row in range(-8, 13) for col in range(-8, 13)]
    with pytest.raises(CorrectionError) as error:
        build_corrected_report(held(5), said(*rows))
    assert error.value.code == "too_many_tiles"


@pytest.mark.parametrize(
    "told",
    [
        {"kind": "nonesuch"},
        {"kind": "no_tile", "row": 0, "col": 0, "more": 1},
        {"kind": "no_tile", "row": 0, "col": 100_000},
        {"kind": "tile", "row": 0, "col": 0, "tile": "E", "turns": 4},
        {"kind": "meeple", "square": [0, 0], "place": "road:²", "colour": "red"},
        {"kind": "meeple", "square": [0, 0], "place": None, "colour": "red", "piece": "dragon"},
        {"kind": "confirm", "about": "tile", "id": "m1"},
        {"kind": "confirm", "about": "meeple", "row": 0, "col": 0},
        {"kind": "player", "colour": "red", "name": "a\nb"},
        {"kind": "player", "colour": "red", "name": " "},
        {"kind": "player", "colour": "red", "name": "x" * 41},
        {"kind": "track", "colour": "red", "points": -1},
    ],
)
def test_invalid_corrections_are_not_parsed(told: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        said(told)
