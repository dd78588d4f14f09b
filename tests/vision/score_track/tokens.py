"""Photos of plain tabletops, and a drawn table with score tokens."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np

from datasets.art.score_board import draw_score_board
from datasets.art.score_designs import draw_score_token
from datasets.art.style import MEADOW, TERRA
from datasets.render.compositor import compose
from datasets.render.photometric import photograph
from datasets.render.random_tables import Props, View, sample_table
from datasets.render.score_board_enrolment import show_score_token
from datasets.render.tabletops import draw_tabletop
from datasets.scene.table import Table
from datasets.scene.tokens import LaidToken
from scoring.carcassonne.deal.boards import deal_random_board
from tests.datasets.tables import cheap_art
from vision.arrays import Image
from vision.localise.lattice import Lattice
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves

PRINTED = {points: draw_score_token(points, TERRA, np.random.default_rng(1)) for points in (50, 100)}
SEED = 7


@cache
def shown_side(points: int) -> Photo:
    return photo(show_score_token(PRINTED[points], np.random.default_rng(points)))


@cache
def scene(seed: int = SEED) -> Table:
    """Return a table of four players with a score board and tokens; only their owners have pieces beside them."""
    rng = np.random.default_rng(seed)
    props = Props.gather(
        [cheap_art()], [deal_random_board(Random(4), 24, players=4)], ["wood"], rng, grounds=1, ground_px=256
    )
    view = View((1500, 1125), elevation=(62, 80), whole=(0.03, 0.06))
    return sample_table(props, view, rng, score_board=draw_score_board(MEADOW, rng), tokens=PRINTED)


@cache
def shot(seed: int = SEED) -> Halves:
    return Halves(photograph(compose(scene(seed)), np.random.default_rng(1), 0.4))


def laid() -> tuple[LaidToken, ...]:
    board = scene().score_board
    assert board is not None
    return board.tokens


def lattice() -> Lattice:
    drawn_scene = scene()
    corners = {
        t.square: drawn_scene.camera.project(np.column_stack([t.corners, np.zeros(4)])) for t in drawn_scene.tiles
    }
    return Lattice(corners, dict.fromkeys(corners, 1.0), drawn_scene.camera.plane())


def photo(image: Image, file: str = "token.jpg") -> Photo:
    return Photo(Halves(image), file, "", 0.0)


def table(seed: int = 0) -> Image:
    wood = draw_tabletop("wood", np.random.default_rng(seed), 1000)
    return np.ascontiguousarray(wood[:700, :900])
