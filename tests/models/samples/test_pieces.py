"""Training places from drawn tables: objects on the tiles are hard negatives, never feet."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np

from datasets.render.random_tables import Props, View, sample_table
from datasets.render.tabletops import KINDS
from datasets.scene.things import MAX_THINGS
from models.samples.pieces import shoot_table
from scoring.carcassonne.deal.boards import deal_random_board
from tests.datasets.tables import cheap_art


def test_things_count_as_places_without_a_piece() -> None:
    props = Props.gather([cheap_art()], [deal_random_board(Random(3))], KINDS, np.random.default_rng(0), 2, 64)
    table = sample_table(props, View((400, 300), elevation=(60, 80), whole=(0.05, 0.2)), np.random.default_rng(1))
    pieces = [*(meeple.piece for meeple in table.meeples), *table.strays]
    shots = [shoot_table(table, np.random.default_rng(seed)) for seed in range(12)]
    counts = [len(shot.mistaken) for shot in shots]
    assert 0 in counts
    assert 2 < max(counts) <= MAX_THINGS
    for shot in shots:
        assert len(shot.feet) == len(pieces)
        tiles = [quad.astype(np.float32) for quad in shot.quads.values()]
        for x, y in shot.mistaken.tolist():
            assert max(cv2.pointPolygonTest(quad, (x, y), True) for quad in tiles) > -3
