"""Scenes drawn by the model itself, with noise: the inputs must be recovered."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
import pytest
from shapely import Polygon, unary_union
from shapely.affinity import translate

from datasets.tower_of_babel import solids
from datasets.tower_of_babel.solids import build_house, compute_hull
from vision.arrays import Singles
from vision.flat_boards.board import project_to_board
from vision.tower_of_babel.block_proposals import UNLIKELY_NATS, Sprouts, _Kernel
from vision.tower_of_babel.block_search import _Search, count_blocks, fit_blocks
from vision.tower_of_babel.blocks import (
    ON_GABLE,
    ON_WALL,
    UPRIGHT,
    Block,
    compute_overlap,
    project_block,
    project_visible_faces,
)
from vision.tower_of_babel.scene import Neighbourhood, PaintedSet, Scene, compute_shade_nats

SMALL, LARGE = (10.0, 10.0, 10.0), (16.0, 16.0, 14.0)
DRAWN_POSES = {UPRIGHT: solids.UPRIGHT, ON_WALL: solids.ON_WALL, ON_GABLE: solids.ON_GABLE}
PX_MM = 1.8
SIDE = 150
CAMERA = {"low": np.array([40.0, 640.0, 520.0]), "high": np.array([45.0, 60.0, 700.0])}


def fill_scene(against: Singles, camera: str, brightness: Singles | None = None) -> Scene:
    """Return a scene of (1 + 2 colours, h, w) nats with possible blocks everywhere, of equal brightness by default."""
    shape = against.shape[1:]
    even = np.full(shape, 120.0, np.float32) if brightness is None else brightness
    return Scene(against, (0.0, 0.0), PX_MM, CAMERA[camera], (SMALL, LARGE), np.ones(shape, bool), even)


def scene(blocks: list[Block], camera: str, colours: int = 2, noise: float = 0.5) -> Scene:
    """Return a scene of 83 mm whose evidence at each place is for its paint."""
    size = (1 + 2 * colours, SIDE, SIDE)
    empty = fill_scene(np.zeros(size, np.float32), camera)
    labels = empty.painted(blocks)
    rng = np.random.default_rng(len(blocks))
    against = np.where(labels[None] == np.arange(size[0])[:, None, None], 0.2, 3.0)
    against = np.clip(against + rng.normal(0, noise, size), 0, 5).astype(np.float32)
    return fill_scene(against, camera)


@pytest.mark.parametrize("seed", range(20))
def test_a_kernel_sums_a_layer_under_its_mask(seed: int) -> None:
    rng = np.random.default_rng(seed)
    (h, w), (high, wide), anchor = rng.integers(1, 30, 2), rng.integers(2, 24, 2), rng.integers(0, 2, 2)
    mask, layer = np.zeros((high, wide), np.float32), rng.random((h, w)).astype(np.float32)
    y, x = rng.integers(0, high), rng.integers(0, wide)
    mask[y : y + 9, x : x + 17] = rng.random(mask[y : y + 9, x : x + 17].shape) < 0.7
    around = np.pad(layer, 30)
    expected = sum(
        around[30 + v - anchor[1] :, 30 + u - anchor[0] :][:h, :w] for v, u in zip(*np.nonzero(mask), strict=True)
    )
    assert np.allclose(_Kernel(mask, (int(anchor[0]), int(anchor[1]))).correlate(layer), expected, atol=1e-4)


HEAPS = {
    "nothing": [],
    "one": [Block(30, 40, 0.4, SMALL, 0)],
    "three in a row": [Block(20 + 10.6 * i, 40, 0.0, SMALL, 0) for i in range(3)],
    "one behind another": [Block(40, 40, 0.1, SMALL, 0), Block(41, 50.6, 0.1, SMALL, 0)],
    "large and small, two colours": [
        Block(30, 30, 0.2, LARGE, 1),
        Block(44, 34, 0.2, SMALL, 0),
        Block(30, 55, 1.0, SMALL, 1),
    ],
    "three in a corner": [Block(30, 35, 0.0, SMALL, 0), Block(40.5, 35, 0.0, SMALL, 0), Block(30, 45.5, 0.0, SMALL, 0)],
    "ridges crosswise": [Block(30, 35, 0.0, SMALL, 0), Block(40.5, 35, np.pi / 2, SMALL, 0)],
    "one on its wall": [Block(30, 40, 0.5, LARGE, 0, ON_WALL), Block(60, 40, 0.5, LARGE, 1)],
    "one on its gable": [Block(30, 40, 0.5, LARGE, 0, ON_GABLE)],
    "three beside a large one": [
        *(Block(x, y, 0.0, SMALL, 0) for x, y in ((30, 35), (40.5, 35), (35, 45.5))),
        Block(54, 37, 0.0, LARGE, 0),
    ],
    "two colours crosswise": [
        Block(30 + 10.5 * i, 35 + 10.5 * k, 0.0, SMALL, int(i == k)) for i in (0, 1) for k in (0, 1)
    ],
    "four in a square": [Block(30 + 10.5 * i, 35 + 10.5 * k, 0.0, SMALL, 0) for i in (0, 1) for k in (0, 1)],
}


@pytest.mark.parametrize("camera", ["low", pytest.param("high", marks=pytest.mark.soak)])
@pytest.mark.parametrize("heap", HEAPS)
def test_the_blocks_of_a_heap_are_counted(heap: str, camera: str) -> None:
    blocks = HEAPS[heap]
    fit = fit_blocks(scene(blocks, camera))
    assert count_blocks(fit.blocks) == count_blocks(blocks)
    assert all(compute_overlap(one, other) < 1.5 for one, other in combinations(fit.blocks, 2))
    for block in blocks:
        nearest = min(np.hypot(candidate.x - block.x, candidate.y - block.y) for candidate in fit.blocks)
        assert nearest < 2.0


def _centre(outline: Polygon) -> Polygon:
    return translate(outline, -outline.centroid.x, -outline.centroid.y)


@pytest.mark.parametrize("pose", [UPRIGHT, ON_WALL, ON_GABLE])
def test_a_house_model_matches_its_drawing(pose: int) -> None:
    at, yaw, camera = np.array((30.0, 40.0)), 0.6, CAMERA["low"]
    drawn = build_house(at, yaw, LARGE, (0, 0, 255), DRAWN_POSES[pose])
    seen = project_to_board(camera, drawn.corners[:, :2], drawn.corners[:, 2])
    blocks = [Block(30.0, 40.0, yaw + turn, LARGE, 0, pose) for turn in (0.0, np.pi)]
    outlines = [_centre(Polygon(project_block(block, camera)[0])) for block in blocks]
    whole = _centre(Polygon(compute_hull(seen)))
    fits = [whole.intersection(outline).area / whole.union(outline).area for outline in outlines]
    assert max(fits) > 0.95


def test_a_part_may_be_hidden_behind_tall_ones_or_under_glare() -> None:
    walls = [Block(25 + 16.5 * i, 55, 0.0, (16.0, 16.0, 14.0), 0) for i in range(3)]
    flat, high = (np.array((42.0, 700.0, height)) for height in (160.0, 900.0))
    blind = [Sprouts(replace(scene(walls, "low"), camera=camera)).measure_blind_mm2 for camera in (flat, high)]
    nowhere = np.zeros((SIDE, SIDE), bool)
    behind, above = (measure(walls, nowhere) for measure in blind)
    assert above == 0
    assert behind > 50
    glare = nowhere.copy()
    glare[20:70, 20:70] = True
    assert blind[1]([], glare) > 100
    assert blind[1]([], nowhere) == 0


def test_the_best_set_is_the_cheapest_tried() -> None:
    fit = fit_blocks(scene(HEAPS["large and small, two colours"], "low"))
    assert min(fit.tried, key=lambda counts: fit.tried[counts]) == count_blocks(fit.blocks)
    assert len(fit.tried) > 3


def light(blocks: list[Block], camera: str) -> Singles:
    """Return (h, w) grey levels of blocks under a lamp from the left: each face is as bright as it is turned to it."""
    bright = np.full((SIDE, SIDE), 160.0, np.float32)
    empty = fill_scene(np.zeros((3, SIDE, SIDE), np.float32), camera)
    for block in sorted(blocks, key=empty.away, reverse=True):
        for outline in project_visible_faces(block, empty.get_projection(block), empty.camera):
            corners = empty.pixels(outline)
            shade = 40.0 + 60.0 * float(corners[:, 0].mean() < empty.pixels(np.array([(block.x, block.y)]))[0, 0])
            cv2.fillPoly(bright, [np.rint(corners).astype(np.int32)], shade)
    return bright


@pytest.mark.parametrize("camera", CAMERA)
def test_faces_are_evenly_lit_for_the_true_blocks(camera: str) -> None:
    apart = [Block(30, 40, 0.2, SMALL, 0), Block(40, 42, 0.2, SMALL, 0)]
    joined = [Block(35, 41, 0.2, LARGE, 0)]
    for blocks, others in ((apart, joined), (joined, apart)):
        lit = fill_scene(np.ones((3, SIDE, SIDE), np.float32), camera, light(blocks, camera))
        assert compute_shade_nats(lit, blocks) < 0.3
        assert compute_shade_nats(lit, others) > compute_shade_nats(lit, blocks) + 0.5
    assert compute_shade_nats(lit, []) == 0


@pytest.mark.parametrize("pose", DRAWN_POSES)
@pytest.mark.parametrize("camera", CAMERA)
def test_the_visible_faces_cover_the_visible_part_of_a_block(pose: int, camera: str) -> None:
    block, empty = Block(30, 40, 0.4, LARGE, 0, pose), scene([], camera)
    faces = [Polygon(face) for face in project_visible_faces(block, empty.get_projection(block), empty.camera)]
    whole = Polygon(project_block(block, empty.camera)[0])
    assert 2 <= len(faces) <= 5
    assert sum(face.area for face in faces) == pytest.approx(whole.area, rel=1e-6)
    assert unary_union(faces).symmetric_difference(whole).area < 1e-3 * whole.area


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[Block]:
    """Return the blocks whose cost is evaluated."""
    blocks: list[Block] = []
    cost = Neighbourhood.cost

    def note(about: Neighbourhood, block: Block, limit: float = math.inf) -> float:
        blocks.append(block)
        return cost(about, block, limit)

    monkeypatch.setattr(Neighbourhood, "cost", note)
    return blocks


def test_each_pose_of_a_block_is_tried_once_at_its_place(tried: list[Block]) -> None:
    fit_blocks(scene(HEAPS["one"], "low"))
    assert len(tried) < 1.7 * len(set(tried)), "it is asked again of places that were worse"


def test_a_block_is_not_retried_if_only_distant_ones_changed(tried: list[Block]) -> None:
    one, far = Block(20, 25, 0.4, SMALL, 0), Block(66, 66, 0.4, SMALL, 0)
    fit_blocks(scene([one], "high"))
    alone = len(tried)
    tried.clear()
    fit_blocks(scene([one, far], "high"))
    assert len(tried) < 2.5 * alone


def test_the_cost_of_a_changed_set_is_that_of_the_whole_set() -> None:
    """Only the box around a change is drawn; a block that crosses its border loses no pixel there."""
    drawn = scene(HEAPS["three in a row"], "low")
    rng = np.random.default_rng(5)
    for _ in range(200):
        x, y, yaw = rng.uniform((20, 20, 0), (60, 60, np.pi))
        kept = [Block(float(x + 9 * i), float(y), float(yaw + i), (SMALL, LARGE)[i % 2], i % 2) for i in range(3)]
        changed = [kept[0].moved(1.3, 0.7, 0.2), *kept[1:]]
        assert PaintedSet(drawn, kept).compute_cost(changed) == pytest.approx(drawn.cost(changed), abs=1e-4)


def test_a_hopeless_change_is_not_tried_again_beside_alike_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    sets: list[Sequence[Block]] = []
    compute = PaintedSet.compute_cost

    def note(present: PaintedSet, blocks: Sequence[Block]) -> float:
        sets.append(blocks)
        return compute(present, blocks)

    monkeypatch.setattr(PaintedSet, "compute_cost", note)
    heap = [Block(x, y, 0.0, SMALL, 0) for x, y in ((22, 30), (33, 30), (44, 30), (27, 41), (38, 41), (33, 52))]
    drawn = scene(heap, "low", noise=1.2)
    search = _Search(drawn, Sprouts(drawn))
    search.build()
    search.improve()
    sets.clear()
    search.improve()
    again = len(sets)
    search.trials.clear()
    search.improve()
    assert 0 < again < 0.5 * (len(sets) - again)


@pytest.mark.parametrize("i", range(4))
def test_the_local_cost_of_a_block_agrees_with_the_cost_of_the_whole_set(i: int) -> None:
    drawn = scene(HEAPS["three beside a large one"], "low")
    blocks = HEAPS["three beside a large one"]
    about = Neighbourhood(drawn, blocks, i)
    for move in ((1.0, 0.0, 0.0), (0.0, -2.0, 0.1)):
        other = blocks[i].moved(*move)
        apart = about.cost(other) - about.cost(blocks[i])
        whole = drawn.cost([*blocks[:i], other, *blocks[i + 1 :]]) - drawn.cost(blocks)
        assert apart == pytest.approx(whole, abs=0.2)
        assert about.cost(other, -math.inf) <= about.cost(other) + 1e-9


def test_an_unclear_block_is_tried_with_the_others() -> None:
    """Half of a small block is visible behind a large one, as little like its colour as like a board of rays."""
    large, small = Block(40, 45, 0.0, LARGE, 0), Block(40, 26, 0.0, SMALL, 1)
    drawn = scene([large], "low")
    there = drawn.painted([small, large]) >= 3
    rays = np.broadcast_to(np.arange(SIDE) // 6 % 2 == 1, there.shape)
    against = drawn.against.copy()
    against[:, there] = np.array([0.6, 5.0, 5.0, 1.8, 1.8], np.float32)[:, None]
    against[0, there & rays] = 3.0
    fit = fit_blocks(fill_scene(against, "low"))
    assert count_blocks(fit.blocks) == count_blocks([large])
    apart = fit.tried[count_blocks([large, small])] - fit.tried[count_blocks([large])]
    assert drawn.weights.cost - 1 < apart < drawn.weights.cost + 1
    plain = fit_blocks(drawn).tried
    assert plain.get(count_blocks([large, small]), math.inf) > plain[count_blocks([large])] + UNLIKELY_NATS


def test_a_block_that_would_be_invisible_is_not_tried() -> None:
    """The probability of a block in an unseen area depends on the area's size, not on one place in it."""
    large = Block(40, 40, 0.0, LARGE, 0)
    drawn = scene([large], "high")
    against = drawn.against.copy()
    against[:, :, 90:] = 0
    fit = fit_blocks(fill_scene(against, "high"))
    assert count_blocks(fit.blocks) == count_blocks([large])
    others = [cost for numbers, cost in fit.tried.items() if {colour for colour, *_ in numbers} == {0, 1}]
    assert min(others, default=math.inf) > fit.tried[count_blocks([large])] + 3, "nothing speaks against one there"
