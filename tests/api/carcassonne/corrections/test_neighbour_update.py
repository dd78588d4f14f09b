"""A correction of one square is evidence for its neighbours: fitting ones are more likely, others are doubts."""

from __future__ import annotations

import pytest

from api.carcassonne.corrections.rebuild import reweigh_alternatives
from api.carcassonne.report.snapshot import SnapshotTile, build_snapshot
from api.documents.corrections import CORRECTIONS
from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.board.notation import parse_notation
from tests.api.corrected import build_corrected_report
from tests.api.doubted import joined
from tests.api.tables_read import reading_of
from vision.reading.values import TileAlternative

WEST, EAST = (0, 0), (0, 1)


def tile(col: int, name: str, turns: int, sure: float, *others: TileAlternative) -> SnapshotTile:
    return SnapshotTile(
        row=0, col=col, tile=name, turns=turns, confidence=sure, doubtful=sure < 0.9, alternatives=others
    )


def city_or_field() -> dict[tuple[int, int], SnapshotTile]:
    """Return two tiles that face each other with a city (E turned), or else both with a field."""
    return {
        WEST: tile(0, "E", 1, 0.6, TileAlternative("E", 2, 0.4)),
        EAST: tile(1, "E", 3, 0.6, TileAlternative("E", 2, 0.4)),
    }


def told(name: str, turns: int) -> SnapshotTile:
    read = city_or_field()
    tiles = {**read, WEST: tile(0, name, turns, 1.0)}
    return reweigh_alternatives(tiles, read, {WEST})[EAST]


def test_a_tile_that_fits_its_settled_neighbour_is_certain() -> None:
    east = told("E", 1)
    assert east.confidence > 0.99
    assert not east.doubtful
    assert not east.alternatives


def test_a_tile_that_no_longer_fits_keeps_its_name_and_becomes_doubtful() -> None:
    east = told("E", 2)
    assert (east.tile, east.turns) == ("E", 3)
    assert east.confidence < 0.01
    assert east.doubtful
    assert east.alternatives[0].probability > 0.99


def test_a_neighbour_that_fits_neither_leaves_the_choice_to_the_photo() -> None:
    """The evidence for the one that was read came from its neighbour, and is gone."""
    turns = next(turns for turns in (0, 1) if Placement("U", turns).edge("E") == "road")
    east = told("U", turns)
    assert east.confidence == pytest.approx(0.5, abs=0.01)
    assert east.doubtful


def test_confirming_a_certain_tile_changes_nothing() -> None:
    read = {**city_or_field(), WEST: tile(0, "E", 1, 1.0)}
    assert reweigh_alternatives(read, read, {WEST}) == read


def test_without_corrections_nothing_is_reweighed() -> None:
    read = city_or_field()
    assert reweigh_alternatives(read, read, ()) == read


def test_tiles_that_a_person_settled_are_not_reweighed() -> None:
    read = city_or_field()
    tiles = {**read, WEST: tile(0, "E", 2, 1.0)}
    assert reweigh_alternatives(tiles, read, {WEST, EAST}) == tiles


@pytest.mark.parametrize(("turns", "sure"), [(1, 0.99), (2, 0.01)])
def test_a_correction_reaches_the_neighbour_in_the_report(turns: int, sure: float) -> None:
    snapshot = build_snapshot(joined(reading_of(parse_notation("E1E3D0/--U0"))))
    doubts = city_or_field()
    snapshot = snapshot.model_copy(update={"tiles": tuple(doubts.get((t.row, t.col), t) for t in snapshot.tiles)})
    corrections = CORRECTIONS.validate_python([{"kind": "tile", "row": 0, "col": 0, "tile": "E", "turns": turns}])
    east = next(
        tile for tile in build_corrected_report(snapshot, corrections).board.tiles if (tile.row, tile.col) == EAST
    )
    assert east.confidence == pytest.approx(sure, abs=0.011)
