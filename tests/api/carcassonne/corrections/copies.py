"""Readings of a wonder that has copies, and corrections of them."""

from __future__ import annotations

from typing import Any

from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from api.documents.tile_corrections import SetWonder
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.tiles import WonderLayout
from tests.api.carcassonne.report.copied import copied
from tests.api.doubted import joined


def keep(layout: WonderLayout, *others: WonderLayout, seed: int = 13) -> Snapshot:
    return build_snapshot(joined(copied(layout, [(other, 0.2) for other in others], seed, 1 - 0.2 * len(others))))


def lay(snapshot: Snapshot, square: Square | None = None, layout: dict[str, Any] | None = None) -> SetWonder:
    """Return the correction that lays the Alhambra, by default on its place in the reading."""
    ((row, col),) = [(tile.row, tile.col) for tile in snapshot.tiles if tile.cell == 0] if square is None else [square]
    return SetWonder(wonder="alhambra", row=row, col=col, turns=snapshot.wonders[0].turns, layout=layout)


def find_free_square(snapshot: Snapshot) -> Square:
    """Return a square below all tiles."""
    rows, cols = zip(*((tile.row, tile.col) for tile in snapshot.tiles), strict=True)
    return max(rows) + 3, min(cols)
