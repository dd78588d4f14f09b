"""Streams of training samples: their shapes, their classes, and the art that no training uses."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.art.style import STYLES
from datasets.render.random_tables import Props
from datasets.render.tabletops import KINDS
from datasets.scene.table import LaidTile
from models.samples.feet import WINDOW_PX, stream_foot_samples
from models.samples.kinds import stream_kind_samples, stream_new_kind_samples
from models.samples.pieces import stream_stand_samples
from models.samples.real_photos import RealTable
from models.samples.splits import (
    CALIBRATION_STYLES,
    HELD_OUT_STYLES,
    MEASURED_STYLES,
    RANDOM_STYLES,
    choose_training_styles,
)
from models.samples.tiles import (
    CLASSES,
    COLLAGE,
    EDGE_KINDS,
    KIND_NAMES,
    LOCALISER_PX,
    NONE,
    OTHER,
    Sample,
    Sources,
    find_class,
    find_edge_classes,
    find_tile_classes,
    make_collage,
    stream_localiser_samples,
    stream_square_samples,
    stream_tile_samples,
    turn_class,
)
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from scoring.carcassonne.tiles.geometry import SIDES, Square
from scoring.carcassonne.tiles.other_boxes import load_other_catalogue
from tests.datasets.tables import cheap_art
from vision.pieces.crops import STAND_CHANNELS, STAND_PX
from vision.pieces.kind_classifier import OUTLINE_CHANNELS, OUTLINE_PX
from vision.pieces.kind_prior import TRAINING_KIND_SHARE

Stream = Callable[[Sources, np.random.Generator], Iterator[Sample]]
SHAPES: dict[Stream, list[tuple[tuple[int, ...], str]]] = {
    stream_localiser_samples: [
        ((LOCALISER_PX, LOCALISER_PX, 3), "uint8"),
        ((11, LOCALISER_PX // 4, LOCALISER_PX // 4), "float16"),
    ],
    stream_tile_samples: [((64, 64, 3), "uint8"), ((), "int64"), ((4,), "int64")],
    stream_stand_samples: [
        ((STAND_PX, STAND_PX, STAND_CHANNELS), "uint8"),
        ((), "float32"),
        *[((), "int64")] * 3,
        ((2,), "float32"),
    ],
    stream_kind_samples: [((OUTLINE_PX, OUTLINE_PX, OUTLINE_CHANNELS), "uint8"), ((), "float32"), ((), "int64")],
    stream_foot_samples: [
        ((WINDOW_PX, WINDOW_PX, STAND_CHANNELS), "uint8"),
        ((4, WINDOW_PX // 4, WINDOW_PX // 4), "float16"),
    ],
}


def real_table() -> RealTable:
    """Return a made-up photo of one row of tiles."""
    image = np.random.default_rng(1).integers(0, 256, (300, 500, 3)).astype(np.uint8)
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float) * 80
    quads = {(0, col): square + np.array([40 + 80 * col, 100]) for col in range(5)}
    tiles: dict[Square, tuple[str | None, int]] = {
        (0, col): (load_base_catalogue()["D"].id, col % 4) for col in range(5)
    }
    return RealTable(image, quads, tiles, np.array([(100.0, 140.0)]), ("red",), ("standing",), ("meeple",))


@pytest.fixture(scope="module")
def props() -> Props:
    boards = [deal_random_board(Random(i), tiles=40) for i in range(3)]
    return Props.gather([cheap_art()], boards, KINDS, np.random.default_rng(0), grounds=3, ground_px=128)


@pytest.fixture(scope="module", params=[0.0, 1.0], ids=["composed", "real"])
def sources(request: pytest.FixtureRequest, props: Props) -> Sources:
    return Sources(props, (real_table(),), real_share=request.param)


@pytest.mark.parametrize("stream", SHAPES, ids=lambda stream: stream.__name__)
def test_samples_have_the_input_shapes_of_the_nets(stream: Stream, sources: Sources) -> None:
    for sample in islice(stream(sources, np.random.default_rng(1)), 10):
        assert [(part.shape, part.dtype.name) for part in sample] == SHAPES[stream]
        assert all(np.isfinite(part.astype(float)).all() for part in sample)


@pytest.mark.parametrize("stream", SHAPES, ids=lambda stream: stream.__name__)
def test_a_seed_reproduces_the_stream(stream: Stream, sources: Sources) -> None:
    one, two = (list(islice(stream(sources, np.random.default_rng(2)), 4)) for _ in range(2))
    for first, second in zip(one, two, strict=True):
        for part, again in zip(first, second, strict=True):
            np.testing.assert_array_equal(part, again)


def test_crops_name_their_class_and_its_edges(sources: Sources) -> None:
    for _, label, edges in islice(stream_tile_samples(sources, np.random.default_rng(3)), 60):
        if int(label) >= OTHER:
            assert (edges == -1).all()
        else:
            assert list(edges) == find_edge_classes(*CLASSES[int(label)])


def test_a_square_is_shown_in_every_turn() -> None:
    """This includes a layout that is equivalent under the rules in that turn, whatever is drawn on one side of it."""
    image = np.zeros((200, 200, 3), np.uint8)
    image[50:70, 50:150] = 255
    square = np.array([(50, 50), (150, 50), (150, 150), (50, 150)], float)
    label = find_class("BA/RRRR", 0)
    bright = set()
    for seed in range(24):
        samples = stream_square_samples(
            image, {(0, 0): square}, {(0, 0): (label, [1] * 4)}, {(0, 0)}, np.random.default_rng(seed)
        )
        crop, named, _ = next(crops for crops in samples if int(crops[1]) != NONE)
        sides = crop[:8].mean(), crop[:, -8:].mean(), crop[-8:].mean(), crop[:, :8].mean()
        bright.add(int(np.argmax(sides)))
        assert int(named) == label
    assert bright == {0, 1, 2, 3}


def test_gaps_beside_the_board_are_labelled_none(sources: Sources) -> None:
    labels = [int(label) for _, label, _ in islice(stream_tile_samples(sources, np.random.default_rng(4)), 120)]
    assert NONE in labels


def test_a_place_names_a_piece_only_if_one_stands_there(sources: Sources) -> None:
    samples = list(islice(stream_stand_samples(sources, np.random.default_rng(5)), 80))
    assert {int(here) for _, _, here, *_ in samples} == {0, 1}
    for _, _, here, colour, pose, offset in samples:
        assert (int(colour) >= 0, int(pose) >= 0) == (bool(here), bool(here))
        assert np.abs(offset).max() < 0.35 * int(here) + 1e-9


def test_kinds_of_samples_have_the_training_share(props: Props) -> None:
    samples = islice(stream_new_kind_samples(Sources(props, ()), np.random.default_rng(6)), 500)
    counts = np.bincount([int(kind) for *_, kind in samples], minlength=len(KIND_NAMES)) / 500
    assert counts[1:].tolist() == pytest.approx([TRAINING_KIND_SHARE] * (len(KIND_NAMES) - 1), abs=0.07)


@pytest.mark.parametrize("turns", range(4))
def test_a_collage_is_of_no_known_layout_and_keeps_its_edges(turns: int) -> None:
    tiles = [(layout, np.full((16, 16, 3), i, np.uint8)) for i, layout in enumerate(islice(load_base_catalogue(), 4))]
    name, picture = make_collage(tiles, np.random.default_rng(turns))
    assert sorted(np.unique(picture)) == [0, 1, 2, 3]
    assert [picture[0, 8, 0], picture[8, -1, 0], picture[-1, 8, 0], picture[8, 0, 0]] == [0, 1, 2, 3]
    laid = LaidTile((0, 0), None, turns, np.zeros((4, 2)), (picture,), foreign=name)
    label, edges = find_tile_classes(laid)
    assert label == OTHER
    assert [EDGE_KINDS[edge] for edge in np.roll(edges, -turns)] == name.removeprefix(COLLAGE).split("-")


def test_a_tile_of_another_box_is_of_the_class_of_its_topology() -> None:
    for layout in load_other_catalogue():
        laid = LaidTile((0, 0), None, 1, np.zeros((4, 2)), (), foreign=layout.id)
        label, edges = find_tile_classes(laid)
        assert label < OTHER
        kinds = [layout.edge(side, 1) for side in SIDES]
        assert edges == [EDGE_KINDS.index(kind) if kind in EDGE_KINDS else -1 for kind in kinds]


@pytest.mark.parametrize("label", range(len(CLASSES)), ids=lambda label: "{}@{}".format(*CLASSES[label]))
def test_four_quarter_turns_restore_a_class(label: int) -> None:
    layout, turns = CLASSES[label]
    classes = [turn_class(label, k) for k in range(5)]
    assert classes[0] == classes[4] == label
    assert classes[1] == find_class(layout, turns + 1)
    assert np.roll(find_edge_classes(layout, turns), 1).tolist() == find_edge_classes(layout, turns + 1)


def test_other_and_none_keep_their_class_when_turned() -> None:
    assert turn_class(OTHER, 1) == OTHER == find_class(None, 3)
    assert turn_class(NONE, 2) == NONE


def test_torch_is_not_needed() -> None:
    code = "import sys; sys.modules['torch'] = None; import models.samples.splits"
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[3], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_windows_contain_meeples(sources: Sources) -> None:
    heats: list[NDArray[np.generic]] = [
        t[0] for _, t in islice(stream_foot_samples(sources, np.random.default_rng(5)), 30)
    ]
    assert max(float(heat.max()) for heat in heats) > 0.8


def test_styles_for_measuring_are_not_used_for_calibration() -> None:
    assert set(MEASURED_STYLES) == {"autumn", "winter"}
    assert set(MEASURED_STYLES).isdisjoint(CALIBRATION_STYLES)


@pytest.mark.parametrize("seed", [1, 2])
def test_styles_held_back_are_never_trained_on(seed: int) -> None:
    styles = choose_training_styles(np.random.default_rng(seed))
    assert {style.name for style in styles[:-RANDOM_STYLES]} == STYLES.keys() - set(HELD_OUT_STYLES)
    kept_back = [STYLES[name] for name in HELD_OUT_STYLES]
    assert not any(style == other for style in styles for other in kept_back)
