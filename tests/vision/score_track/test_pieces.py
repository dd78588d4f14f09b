"""The score board is found in place or alone, the right way round, and nothing else is mistaken for it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest

from datasets.art.score_board import draw_score_board
from datasets.art.style import MEADOW, TERRA
from datasets.evaluation.score_tracks import judge_pieces
from datasets.render.compositor import compose
from datasets.render.photometric import photograph
from datasets.render.random_tables import Props, View, sample_table
from datasets.render.tabletops import draw_tabletop
from datasets.scene.clutter import add_clutter, paste
from datasets.scene.table import Table
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.deal.boards import deal_random_board
from tests.datasets.tables import camera, cheap_art
from tests.vision.score_track.tokens import table
from tests.vision.surveys import survey_of
from vision.arrays import Floats, Image
from vision.geometry.rectification import apply_homography
from vision.localise.lattice import Lattice
from vision.photo.crops import CORNERS
from vision.photo.pyramid import Halves
from vision.reading.values import TrackPiece, TrackReading, Warp
from vision.runtime.onnx import MODELS, Net
from vision.score_board.detector import ScoreBoardFinder, find_lone_score_board
from vision.score_board.first_edition import compute_sheet_corners, exclude_sheet_squares, find_score_sheet
from vision.score_track.pieces import PieceNets, doubt_absent_colours, read_track
from vision.survey.survey import share_sheet

SQUARES = [(row, col) for row in range(2) for col in range(3)]
PLANE = np.array([(38.0, 5.0, 420.0), (-4.0, 33.0, 260.0), (0.0, 0.006, 1.0)])
"""From lattice units to a photo of 900 x 700, seen at a slant."""
SHEET = np.array([(-5.7, 3.5), (-0.3, 4.9), (-1.3, 8.8), (-6.7, 7.4)])
"""(4, 2) corners on the lattice, space 0 in the third: 5.6 by 4 tiles, turned by 15 degrees."""


def with_sheet(style_seed: int, corners: Floats = SHEET) -> Image:
    image = table()
    paste(image, draw_score_board(TERRA, np.random.default_rng(style_seed), 60), apply_homography(PLANE, corners))
    return image


@pytest.mark.parametrize("quarter_turns", [0, 2])
def test_a_score_sheet_is_found_at_its_place_and_turn(quarter_turns: int) -> None:
    corners = np.roll(SHEET, quarter_turns, axis=0)
    sheet = find_score_sheet(Halves(with_sheet(1, corners)), Warp(PLANE), SQUARES)
    assert sheet is not None
    assert np.abs(compute_sheet_corners(sheet) - apply_homography(PLANE, corners)).max() < 3


def test_a_mirrored_sheet_is_not_found() -> None:
    assert find_score_sheet(Halves(with_sheet(1, SHEET[[1, 0, 3, 2]])), Warp(PLANE), SQUARES) is None


@pytest.mark.parametrize("seed", range(3))
def test_other_objects_on_a_table_are_not_taken_for_a_score_board(seed: int) -> None:
    image, rng = table(seed), np.random.default_rng(seed)
    view = camera(elevation=65, distance=22)
    for _ in range(3):
        add_clutter(image[:480, :640], view, (0, 0, 1, 1), rng)
    assert find_score_sheet(Halves(np.ascontiguousarray(image[:480, :640])), Warp(view.plane()), [(0, 0)]) is None


def test_no_sheet_is_found_in_a_too_small_picture() -> None:
    assert find_score_sheet(Halves(table()[:90, :120]), Warp(np.diag([40.0, 40.0, 1.0])), [(0, 0), (0, 1)]) is None


def test_squares_on_the_sheet_are_not_read_as_tiles() -> None:
    sheet = find_score_sheet(Halves(with_sheet(2)), Warp(PLANE), SQUARES)
    assert sheet is not None
    places = [*SQUARES, (5, -4), (6, -3)]
    quads = {(row, col): apply_homography(PLANE, CORNERS + np.array([col, row])) for row, col in places}
    tile_lattice = exclude_sheet_squares(Lattice(quads, dict.fromkeys(places, 1.0), PLANE), sheet)
    assert list(tile_lattice.corners) == list(tile_lattice.support) == SQUARES


def test_a_score_board_that_some_tiles_miss_is_the_one_that_others_show() -> None:
    """Tiles upon it are none."""
    sheet = find_score_sheet(Halves(with_sheet(2)), Warp(PLANE), SQUARES)
    assert sheet is not None
    seeing, missing, upon = (
        replace(survey_of(parse_notation("D0")), lattice=Lattice({at: quad}, {at: 1.0}, PLANE))
        for at in [SQUARES[0], SQUARES[1], (5, -4)]
        for quad in [apply_homography(PLANE, CORNERS + np.array([at[1], at[0]]))]
    )
    assert share_sheet([missing, upon]) == [missing, upon]
    shared = share_sheet([missing, replace(seeing, sheet=sheet), upon])
    assert [(survey.squares, survey.sheet) for survey in shared] == [([at], sheet) for at in (SQUARES[1], SQUARES[0])]


@cache
def photograph_board(elevation: tuple[float, float]) -> tuple[Image, Table, Floats]:
    """Return a photo of a table with a score board, the table, and the corners at which the board is found."""
    rng = np.random.default_rng(11)
    props = Props.gather([cheap_art()], [deal_random_board(Random(4), 30)], ["wood"], rng, grounds=1, ground_px=256)
    view = View((1400, 1050), elevation=elevation, whole=(0.05, 0.1))
    scene = sample_table(props, view, rng, score_board=draw_score_board(MEADOW, rng))
    image = photograph(compose(scene), rng, 0.5)
    sheet = find_score_sheet(Halves(image), Warp(scene.camera.plane()), [tile.square for tile in scene.tiles])
    assert sheet is not None
    return image, scene, compute_sheet_corners(sheet)


@pytest.mark.parametrize("room", [None, 0.05, 0.15], ids=["beside tiles", "alone", "alone in some room"])
def test_pieces_on_a_rendered_score_board_are_read_on_their_spaces(room: float | None) -> None:
    image, scene, corners = photograph_board((60, 75) if room is None else (75, 85))
    assert scene.score_board is not None
    if room is None:
        sheet = find_score_sheet(Halves(image), Warp(scene.camera.plane()), [tile.square for tile in scene.tiles])
    else:
        image = crop_about(image, corners, room)
        sheet = find_lone_score_board(Halves(image), ScoreBoardFinder(()))
    assert sheet is not None
    read = read_track(PieceNets(Net(MODELS / "meeples.onnx"), Net(MODELS / "pieces.onnx")), image, sheet)
    truth = [{"colour": on.piece.colour, "pose": on.piece.pose, "space": on.space} for on in scene.score_board.pieces]
    counts = judge_pieces(truth, read)
    assert counts["wrong"] == 0
    assert counts["right"] >= 2


@pytest.mark.parametrize(("colours", "doubted"), [({"blue"}, ["red"]), ({"blue", "red"}, []), (set[str](), [])])
def test_a_score_piece_without_pieces_on_the_board_is_doubtful(colours: set[str], doubted: list[str]) -> None:
    pieces = tuple(TrackPiece(colour, "standing", (7,), (1.0, 2.0), 0.99, False) for colour in ("blue", "red"))
    read = doubt_absent_colours(TrackReading(np.zeros((4, 2)), 0.9, pieces), colours)
    assert [piece.colour for piece in read.pieces if piece.doubtful] == doubted


def crop_about(image: Image, corners: Floats, room: float) -> Image:
    """Crop the part of a photo with the board, and such a share of its longer side around it."""
    margin = room * np.ptp(corners, axis=0).max()
    left, top = np.maximum(corners.min(0) - margin, 0).astype(int)
    right, bottom = (corners.max(0) + margin).astype(int)
    return np.ascontiguousarray(image[top:bottom, left:right])


@pytest.mark.parametrize("seed", range(3))
def test_a_bare_table_is_not_taken_for_a_score_board(seed: int) -> None:
    wood = draw_tabletop("wood", np.random.default_rng(seed), 900)
    assert find_lone_score_board(Halves(np.ascontiguousarray(wood[:600])), ScoreBoardFinder(())) is None
