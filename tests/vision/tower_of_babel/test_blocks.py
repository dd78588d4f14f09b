from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import MultiPoint, Polygon

from datasets.scene.camera import Camera
from vision.flat_boards.board import BoardLie, normalise_homography
from vision.tower_of_babel.blocks import (
    EAVES_SHARE,
    UPRIGHT,
    Block,
    compute_foot_corners,
    compute_overlap,
    measure_reach,
    project_block,
)

CAMERA = np.array([100.0, 900.0, 700.0])

blocks = st.builds(
    Block,
    x=st.floats(0, 60),
    y=st.floats(0, 60),
    yaw=st.floats(-4, 4),
    size=st.sampled_from([(10.0, 10.0, 10.0), (16.0, 12.0, 14.0)]),
    colour=st.just(0),
    pose=st.just(UPRIGHT),
)


@given(blocks, blocks)
def test_feet_overlap_if_their_outlines_overlap(one: Block, other: Block) -> None:
    deep = compute_overlap(one, other)
    shared = Polygon(compute_foot_corners(one)).intersection(Polygon(compute_foot_corners(other))).area
    assert deep == compute_overlap(other, one)
    assert (deep > 1e-6) == (shared > 1e-9) or deep < 1e-3
    assert deep <= min(one.size[0], other.size[0]) + measure_reach(one.size, one.pose) + measure_reach(
        other.size, other.pose
    )


@given(blocks)
def test_a_house_is_projected_to_its_corners_in_the_camera(block: Block) -> None:
    camera = Camera.look_at((30, 30), elevation=55, azimuth=70, roll=3, distance=800, focal_px=1500, size=(1600, 1200))
    lie = BoardLie(normalise_homography(camera.plane(), np.array([30.0, 30.0])), 0, 0.0, 1.0, 1.0)
    hull, top = project_block(block, camera.position)
    foot, high = compute_foot_corners(block), block.size[2]
    ridge = (foot[[0, 3]] + foot[[1, 2]]) / 2
    eaves = np.column_stack([foot, np.full(4, EAVES_SHARE * high)])
    roof = camera.project(np.vstack([eaves, np.column_stack([ridge, np.full(2, high)])]))
    outlined = Polygon(lie.to_photo(top))
    assert outlined.symmetric_difference(MultiPoint(roof).convex_hull).area < 1e-3 * outlined.area
    outline = Polygon(hull).buffer(1e-3)
    assert outline.covers(Polygon(foot))
    assert outline.covers(Polygon(top))


def test_a_top_leans_away_from_the_camera() -> None:
    block = Block(100, 100, 0.3, (10, 10, 10), 0)
    _, top = project_block(block, CAMERA)
    assert top.mean(axis=0)[1] < 95
    assert top.mean(axis=0)[0] == pytest.approx(100, abs=0.5)
