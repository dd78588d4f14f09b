"""A board on a cloth whose checks are about half as large as its tiles: looked at closely they seem to be tiles too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np

from datasets.art.procedural import procedural_set
from datasets.art.style import STYLES
from datasets.compositor import compose
from datasets.judging import judge
from datasets.labels import load_truth
from datasets.scenes import Props, View, random_table
from datasets.shots import Shot, label_of
from datasets.tabletops import tabletop
from scoring.carcassonne.deal import random_board
from vision.photo import Photo
from vision.reader import Reader

TILES = 24
VIEW = View((1600, 1200), elevation=(70, 90), whole=(0.4, 0.6))
"""Far more cloth than board."""
SEED, CLOTH, CLOTH_TILES = 52, 582, 9.6
"""Checks of two fifths of a tile, of which a closer look makes hundreds of tiles."""


def test_the_board_is_found_and_no_check_is_taken_for_a_tile(tmp_path: Path) -> None:
    board, rng = random_board(Random(SEED), TILES), np.random.default_rng(SEED)
    art = procedural_set(STYLES["ink"], 1, 120, variants=1)
    table = random_table(
        Props.gather([art], [board], ["plain"], rng, grounds=1, ground_px=64), VIEW, rng, sloppiness=0.5
    )
    cloth = tabletop("checks", np.random.default_rng(CLOTH), 1024)
    table = replace(table, ground=cloth, ground_tiles=CLOTH_TILES, edge=None, clutter_seed=None, strays=())
    Shot(compose(table), label_of(board, table)).save(tmp_path, "table")
    read = Reader().read(Photo.from_path(tmp_path / "table.jpg"))
    verdict = judge(read, load_truth(tmp_path / "table.json"), {})
    assert verdict.squares == TILES
    assert verdict.squares_found >= 0.9 * TILES
    assert verdict.invented == 0
