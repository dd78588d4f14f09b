"""Tiles printed at home: the same tables in duller colours, each tile cut out by itself, with narrow paper margins."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.art.procedural import draw_tile
from datasets.art.style import STYLES
from datasets.generate import Deal, generate
from datasets.render.home_print import MAX_SLIP_TILES, Print, cut_out, print_at_home, print_picture
from datasets.render.random_tables import Props, View, sample_table
from datasets.render.shots import Manner, Shot
from datasets.scene.table import Table
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from tests.datasets.tables import cheap_art

SIDE = 120
PLAIN = Print(
    gamma=(1, 1, 1),
    saturation=1,
    black=0,
    bleed=0.001,
    paper=(1, 1, 1),
    dots=0,
    bands=0,
    pitch=0.05,
    upright=False,
    size=1,
)
BLACK = np.zeros((SIDE, SIDE, 3), np.uint8)


@pytest.fixture(scope="module")
def picture() -> NDArray[np.uint8]:
    return draw_tile(load_base_catalogue()["D"], STYLES["meadow"], seed=1, size=SIDE)


def saturation(picture: NDArray[np.uint8]) -> float:
    return float(cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)[..., 1].mean())


def test_home_prints_are_duller_but_show_the_same_picture(picture: NDArray[np.uint8]) -> None:
    def lightness(picture: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the lightness at a distance at which dots blur."""
        return np.asarray(cv2.blur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (5, 5)), np.float64)

    before, contrasts = lightness(picture), []
    for seed in range(12):
        print_of_art = print_picture(picture, Print.drawn(np.random.default_rng(seed)))
        assert saturation(print_of_art) < saturation(picture)
        assert np.corrcoef(lightness(print_of_art).ravel(), before.ravel())[0, 1] > 0.9
        contrasts.append(lightness(print_of_art).std() / before.std())
    assert np.median(contrasts) < 0.85
    assert max(contrasts) < 1.1


def test_white_stays_paper_and_black_is_washed_out() -> None:
    ink = replace(PLAIN, paper=(0.9, 0.95, 1.0), black=0.2, dots=0.3, bands=0.05)
    white = print_picture(np.full_like(BLACK, 255), ink)
    assert (white == np.rint(np.array(ink.paper) * 255)).all()
    assert print_picture(BLACK, replace(ink, bands=0.0)).mean(axis=(0, 1)) == pytest.approx([46, 48, 51], abs=1)


def test_an_inkjet_leaves_bands_and_a_laser_dots() -> None:
    grey = np.full_like(BLACK, 128)
    banded, dotted = (
        print_picture(grey, ink).astype(float) for ink in (replace(PLAIN, bands=0.1), replace(PLAIN, dots=0.2))
    )
    assert banded.std(axis=0).max() > 3
    assert banded.std(axis=1).max() == 0
    turned = print_picture(grey, replace(PLAIN, bands=0.1, upright=True))
    assert (turned == np.transpose(banded, (1, 0, 2))).all()
    assert min(dotted[..., 0].std(axis=axis).mean() for axis in (0, 1)) > 2


@pytest.mark.parametrize("size", [0.962, 1.0, 1.03], ids=str)
def test_a_cut_leaves_a_margin_of_at_most_a_twentieth(size: float) -> None:
    """Beyond the art's edge the paper is visible, more on small prints; on large ones art is lost instead."""
    ink = replace(PLAIN, size=size)
    margins = []
    for seed in range(40):
        paper = cut_out(BLACK, ink, np.random.default_rng(seed))[..., 0] > 127
        lines = (paper, paper[::-1], paper.T, paper.T[::-1])
        margins.append([np.mean(line[:, SIDE // 4 : -SIDE // 4].mean(axis=1) > 0.5) for line in lines])
        assert not paper[SIDE // 16 : -SIDE // 16, SIDE // 16 : -SIDE // 16].any()
    widest, share = np.max(margins), np.mean(np.array(margins) > 0)
    assert widest <= 0.05
    low, high = {0.962: (0.85, 1.0), 1.0: (0.3, 0.75), 1.03: (0.0, 0.25)}[size]
    assert low <= share <= high


def tables(wonders: int = 0) -> tuple[Table, Table]:
    board = Deal(wonders=wonders).board(np.random.default_rng(2))
    rng = np.random.default_rng(3)
    art = cheap_art()
    pictures = {name: (np.zeros((160, 160, 3), np.uint8),) for name in load_wonder_catalogue()}
    props = Props.gather([replace(art, wonders=pictures)], [board], ["wood"], rng, grounds=1, ground_px=64)
    table = sample_table(props, View((480, 360), whole=(0.1, 0.2)), rng)
    return table, print_at_home(table, np.random.default_rng(4))


def test_each_tile_is_cut_separately_and_keeps_its_place() -> None:
    table, at_home = tables()
    slips = np.array([one.corners - other.corners for one, other in zip(at_home.tiles, table.tiles, strict=True)])
    assert 0 < np.abs(slips).max() <= MAX_SLIP_TILES + 1e-9
    assert len({slip.tobytes() for slip in slips}) == len(slips)
    assert (at_home.meeples, at_home.camera) == (table.meeples, table.camera)
    first, *others = (tile for tile in at_home.tiles if tile.layout == load_base_catalogue()["U"].id)
    assert all((tile.picture[0] != first.picture[0]).any() for tile in others)


def test_wonders_keep_their_outline() -> None:
    table, at_home = tables(wonders=2)
    squares = [(a, b) for a, b in zip(table.tiles, at_home.tiles, strict=True) if a.cell is not None]
    assert len(squares) == 10
    assert all((one.corners == other.corners).all() for one, other in squares)


def test_a_home_print_shows_the_same_game_from_the_same_side() -> None:
    def first(home_print: bool) -> Shot:
        manner = Manner((480, 360), home_print=home_print)
        return next(generate([cheap_art()], ["wood"], manner, count=1, seed=2))[1]

    bought, at_home = first(False), first(True)
    for key in ("rows", "expect_final", "meeples"):
        assert at_home.label[key] == bought.label[key]
    assert at_home.label["view"]["elevation"] == bought.label["view"]["elevation"]
    assert (bought.label["view"]["art"], at_home.label["view"]["art"]) == ("blobs", "blobs-home-print")
    quads = [np.array([tile["corners"] for tile in shot.label["corners_px"]]) for shot in (bought, at_home)]
    assert 0 < np.abs(quads[0] - quads[1]).max() < 0.04 * bought.label["view"]["tile_px"]
    assert np.abs(bought.image.astype(int) - at_home.image).mean() > 1
