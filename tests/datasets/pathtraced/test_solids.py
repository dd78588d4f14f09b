"""Solids are closed, have the size of the objects they stand for, and lie where the table has them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from shapely import Polygon

from datasets.pathtraced.solids import (
    Build,
    Cut,
    Mesh,
    build_meeple_curve,
    build_piece,
    build_tile_bevel,
    build_tile_side,
    build_tile_top,
)
from datasets.scene.piece_outlines import MEEPLE_THICKNESS_TILES, MEEPLE_WIDTH_TILES
from datasets.scene.pieces import Piece, build_prism
from datasets.scene.table import TILE_THICKNESS_TILES
from tests.datasets.tables import laid, plain

CUT = Cut(bevel=0.01, depth=0.006, corner=0.02, bow=0.003)
FACTORS = st.floats(0.92, 1.06)


def piece(pose: str, yaw: float = 0.0, size: float = 1.0) -> Piece:
    return Piece("red", "meeple", pose, (2.0, 3.0), yaw, (20, 20, 200), size)


def welded(mesh: Mesh) -> NDArray[np.int64]:
    """Return (m, 3) faces with vertices at one place merged, without those of zero area."""
    _, number = np.unique(mesh.vertices.round(9), axis=0, return_inverse=True)
    faces = number.reshape(-1)[mesh.faces]
    flat = (faces[:, 0] == faces[:, 1]) | (faces[:, 1] == faces[:, 2]) | (faces[:, 2] == faces[:, 0])
    return np.asarray(faces[~flat])


def open_edges(mesh: Mesh) -> int:
    """Return the number of edges with a number of faces other than two."""
    faces = welded(mesh)
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    return sum(count != 2 for count in Counter(map(tuple, edges.tolist())).values())


@pytest.mark.parametrize("pose", ["standing", "lying", "disc"])
def test_a_piece_is_closed(pose: str) -> None:
    assert open_edges(build_piece(piece(pose), Build())) == 0


@pytest.mark.parametrize("pose", ["standing", "lying", "disc"])
@settings(max_examples=20)
@given(yaw=st.floats(0, 2 * np.pi), size=st.floats(0.8, 1.2))
def test_a_piece_stands_where_the_compositor_has_it(pose: str, yaw: float, size: float) -> None:
    solid = build_piece(piece(pose, yaw, size), Build()).vertices
    other = np.vstack(build_prism(piece(pose, yaw, size)))
    reach = 0.05 * MEEPLE_WIDTH_TILES * size
    np.testing.assert_allclose(solid.min(0), other.min(0), atol=reach)
    np.testing.assert_allclose(solid.max(0), other.max(0), atol=reach)
    assert abs(solid[:, 2].min()) < 1e-9


def test_a_meeple_has_the_size_of_the_wooden_one() -> None:
    solid = build_piece(piece("lying"), Build()).vertices
    wide, high, thick = np.ptp(solid, axis=0)
    assert wide == pytest.approx(MEEPLE_WIDTH_TILES, rel=0.04)
    assert high == pytest.approx(MEEPLE_WIDTH_TILES, rel=0.04)
    assert thick == pytest.approx(MEEPLE_THICKNESS_TILES)


@given(head=FACTORS, arm=FACTORS, leg=FACTORS)
def test_every_make_of_meeple_has_a_simple_outline(head: float, arm: float, leg: float) -> None:
    curve = build_meeple_curve(Build(head, arm, leg))
    outline = Polygon(curve)
    assert outline.is_valid
    assert outline.exterior.is_ccw
    assert 0.45 < outline.area < 0.72
    np.testing.assert_allclose(np.sort(curve[:, 0]), np.sort(-curve[:, 0]), atol=1e-9)


def test_a_piece_beside_the_board_stands_lower() -> None:
    assert build_piece(piece("standing"), Build(), -0.5).vertices[:, 2].min() == pytest.approx(-0.5)


def test_a_tile_fills_its_square_from_the_table_top_to_its_print() -> None:
    tile = laid((1, 2), plain((0, 0, 0)))
    whole = Mesh.join(
        [build_tile_top(tile, CUT, 0.0), build_tile_bevel(tile, CUT, 0.0), build_tile_side(tile, CUT, 0.0)]
    )
    np.testing.assert_allclose(whole.vertices.min(0), (2, 1, -TILE_THICKNESS_TILES), atol=1e-9)
    np.testing.assert_allclose(whole.vertices.max(0), (3, 2, CUT.bow), atol=1e-9)
    border = whole.vertices[np.abs(whole.vertices[:, 0] - 2) < 1e-9]
    assert border[:, 2].max() == pytest.approx(-CUT.depth)


@pytest.mark.parametrize("turns", range(4))
def test_the_print_turns_with_its_tile(turns: int) -> None:
    tile = laid((0, 0), plain((0, 0, 0)), turns)
    top = build_tile_top(tile, CUT, 0.0)
    nearest = np.argmin(np.linalg.norm(top.uv - (0.02, 0.02), axis=1))
    np.testing.assert_allclose(top.vertices[nearest, :2], tile.canonical_corners[0], atol=0.05)
