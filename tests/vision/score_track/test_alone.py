"""The score board is read in a photo that shows it alone, and nothing else is mistaken for it."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from datasets.art.score_board import draw_score_board
from datasets.art.style import MEADOW
from datasets.evaluation.score_tracks import judge_pieces
from datasets.render.compositor import compose
from datasets.render.photometric import photograph
from datasets.render.random_tables import Props, View, sample_table
from datasets.render.tabletops import draw_tabletop
from scoring.carcassonne.deal.boards import deal_random_board
from tests.datasets.tables import cheap_art
from vision.arrays import Floats, Image
from vision.photo.pyramid import Halves
from vision.reading.values import Warp
from vision.runtime.onnx import MODELS, Net
from vision.score_board.alone import find_lone_score_board
from vision.score_board.detector import ScoreBoardFinder
from vision.score_board.first_edition import compute_sheet_corners, find_score_sheet
from vision.score_track.pieces import PieceNets, read_track


def crop_about(image: Image, corners: Floats, room: float) -> Image:
    """Crop the part of a photo with the board, and such a share of its longer side around it."""
    margin = room * np.ptp(corners, axis=0).max()
    left, top = np.maximum(corners.min(0) - margin, 0).astype(int)
    right, bottom = (corners.max(0) + margin).astype(int)
    return np.ascontiguousarray(image[top:bottom, left:right])


@pytest.mark.parametrize("room", [0.05, 0.15])
def test_a_score_board_alone_is_read_without_any_tile_beside_it(room: float) -> None:
    rng = np.random.default_rng(11)
    props = Props.gather([cheap_art()], [deal_random_board(Random(4), 30)], ["wood"], rng, grounds=1, ground_px=256)
    view = View((1400, 1050), elevation=(75, 85), whole=(0.05, 0.1))
    scene = sample_table(props, view, rng, score_board=draw_score_board(MEADOW, rng))
    assert scene.score_board is not None
    image = photograph(compose(scene), rng, 0.5)
    beside = find_score_sheet(Halves(image), Warp(scene.camera.plane()), [tile.square for tile in scene.tiles])
    assert beside is not None
    alone = crop_about(image, compute_sheet_corners(beside), room)
    sheet = find_lone_score_board(Halves(alone), ScoreBoardFinder(()))
    assert sheet is not None
    read = read_track(PieceNets(Net(MODELS / "meeples.onnx"), Net(MODELS / "pieces.onnx")), alone, sheet)
    truth = [{"colour": on.piece.colour, "pose": on.piece.pose, "space": on.space} for on in scene.score_board.pieces]
    counts = judge_pieces(truth, read)
    assert counts["wrong"] == 0
    assert counts["right"] >= 2


@pytest.mark.parametrize("seed", range(3))
def test_a_bare_table_is_no_score_board(seed: int) -> None:
    wood = draw_tabletop("wood", np.random.default_rng(seed), 900)
    assert find_lone_score_board(Halves(np.ascontiguousarray(wood[:600])), ScoreBoardFinder(())) is None
