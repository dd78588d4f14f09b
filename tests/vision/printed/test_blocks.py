from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon

from datasets.scene.camera import Camera
from vision.printed.blocks import Block, compute_foot_corners, compute_overlap, project_block
from vision.printed.board import BoardLie, normalise_homography

CAMERA = np.array([100.0, 900.0, 700.0])

blocks = st.builds(
    Block,
    x=st.floats(0, 60),
    y=st.floats(0, 60),
    yaw=st.floats(-4, 4),
    size=st.sampled_from([(10.0, 10.0, 10.0), (16.0, 12.0, 14.0)]),
    colour=st.just(0),
)


@given(blocks, blocks)
def test_feet_reach_into_each_other_where_their_outlines_do(one: Block, other: Block) -> None:
    deep = compute_overlap(one, other)
    shared = Polygon(compute_foot_corners(one)).intersection(Polygon(compute_foot_corners(other))).area
    assert deep == compute_overlap(other, one)
    assert (deep > 1e-6) == (shared > 1e-9) or deep < 1e-3
    assert deep <= min(one.size[0], other.size[0]) + one.reach + other.reach


@given(blocks)
def test_a_block_is_seen_where_a_camera_has_its_corners(block: Block) -> None:
    camera = Camera.look_at((30, 30), elevation=55, azimuth=70, roll=3, distance=800, focal_px=1500, size=(1600, 1200))
    lie = BoardLie(normalise_homography(camera.plane(), np.array([30.0, 30.0])), 0, 0.0, 1.0, 1.0)
    hull, top = project_block(block, camera.position)
    upper = camera.project(np.column_stack([compute_foot_corners(block), np.full(4, block.size[2])]))
    assert np.allclose(lie.to_photo(top), upper, atol=1e-3)
    outline = Polygon(hull).buffer(1e-3)
    assert outline.covers(Polygon(compute_foot_corners(block)))
    assert outline.covers(Polygon(top))


def test_a_top_leans_away_from_the_camera() -> None:
    block = Block(100, 100, 0.3, (10, 10, 10), 0)
    _, top = project_block(block, CAMERA)
    assert top.mean(axis=0)[1] < 95
    assert top.mean(axis=0)[0] == pytest.approx(100, abs=0.5)
