"""Boards on cloths that look like tiles themselves, in a closer view or at first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from datasets.render.compositor import compose
from datasets.render.random_tables import Props, View, sample_table
from datasets.render.shots import Shot, build_label
from datasets.render.tabletops import draw_tabletop
from scoring.carcassonne.deal.boards import deal_random_board
from tests.readers import reader
from vision.errors import ReadingError
from vision.evaluation.judge import judge_reading
from vision.evaluation.labels import load_truth
from vision.photo.decoding import Photo

TILES = 24
FROM_ABOVE = View((1600, 1200), elevation=(70, 90), whole=(0.4, 0.6))
FROM_ANYWHERE = View((1600, 1200), elevation=(50, 90), whole=(0.4, 0.6))
"""Far more cloth than board."""


@pytest.mark.parametrize(
    ("view", "seed", "kind", "cloth", "cloth_tiles"),
    [
        # Checks of two fifths of a tile, in which a closer view finds hundreds of tiles.
        (FROM_ABOVE, 52, "checks", 582, 9.6),
        # A first view takes all of the carpet for tiles; one at another size does not.
        pytest.param(FROM_ANYWHERE, 5022, "carpet", 5027, 11.398, marks=pytest.mark.soak),
        # At all three sizes the cloth makes the lattice; painted over it does not.
        pytest.param(FROM_ANYWHERE, 7007, "houndstooth", 7007, 9.512, marks=pytest.mark.soak),
    ],
)
def test_the_board_is_found_and_no_cloth_is_taken_for_a_tile(
    view: View, seed: int, kind: str, cloth: int, cloth_tiles: float, tmp_path: Path
) -> None:
    board, rng = deal_random_board(Random(seed), TILES), np.random.default_rng(seed)
    art = draw_tile_set(STYLES["ink"], 1, 120, variants=1)
    table = sample_table(
        Props.gather([art], [board], ["plain"], rng, grounds=1, ground_px=64), view, rng, sloppiness=0.5
    )
    ground = draw_tabletop(kind, np.random.default_rng(cloth), 1024)
    table = replace(table, ground=ground, ground_tiles=cloth_tiles, edge=None, clutter_seed=None, strays=())
    Shot(compose(table), build_label(board, table)).save(tmp_path, "table")
    read = reader().read(Photo.from_path(tmp_path / "table.jpg"))
    verdict = judge_reading(read, load_truth(tmp_path / "table.json"), {})
    assert verdict.squares == TILES
    assert verdict.squares_found >= 0.9 * TILES
    assert verdict.invented == 0


def test_an_empty_cloth_shows_no_board_in_any_look() -> None:
    repeated = np.tile(draw_tabletop("medallions", np.random.default_rng([2, 99]), 512), (2, 3, 1))
    cloth = cv2.resize(repeated, None, fx=1.3, fy=1.3)[:1200, :1600]
    corners = np.array([(0, 0), (1600, 0), (1600, 1200), (0, 1200)], np.float32)
    slanted = np.array([(250, 100), (1350, 0), (1700, 1200), (-100, 1250)], np.float32)
    move = cv2.getPerspectiveTransform(corners, slanted)
    image = cv2.warpPerspective(cloth, move, (1600, 1200), borderMode=cv2.BORDER_REFLECT)
    photo = Photo.from_bytes(cv2.imencode(".png", image)[1].tobytes(), "cloth.png")
    with pytest.raises(ReadingError) as error:  # in the last view twenty of thirty squares look like one tile
        reader().read(photo)
    assert error.value.code == "board_not_found"
