"""Enrolled score boards are found by their print, and read: pieces beside them do not count."""

from __future__ import annotations

from functools import cache
from random import Random

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.carcassonne.report.builder import build_report_track
from datasets.art.procedural import draw_tile_set
from datasets.art.score_designs import DESIGNS
from datasets.art.style import MEADOW, TERRA
from datasets.evaluation.score_tracks import judge_pieces
from datasets.render.compositor import compose
from datasets.render.photometric import photograph
from datasets.render.random_tables import Props, View, sample_table
from datasets.render.score_board_enrolment import show_score_board
from datasets.render.shots import Manner, shoot
from datasets.scene.score_boards import Sheets
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.tiles.catalogue import Catalogue, load_base_catalogue
from tests.datasets.tables import cheap_art
from tests.vision.score_track.tokens import table
from vision.arrays import Image
from vision.enrolling.score_spaces import build_score_board
from vision.enrolment.score_boards import EnrolledScoreBoard
from vision.flat_boards.board import EnrolledBoard
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.reader import Reader
from vision.reading.piece import Piece
from vision.runtime.onnx import MODELS, Net
from vision.score_board.detector import ScoreBoardFinder
from vision.score_board.first_edition import ScoreSheet, compute_sheet_corners
from vision.score_track.pieces import PieceNets, apply_uniqueness_prior, compute_print_evidence, is_cut, read_track

STYLES = {"ring": TERRA, "winding": MEADOW}


@cache
def printed(name: str) -> Image:
    return DESIGNS[name].drawn(STYLES[name], np.random.default_rng(5))


@pytest.fixture(scope="module")
def enrolled() -> dict[str, EnrolledScoreBoard]:
    """Return both designs, as a person enrols them."""
    boards = {}
    for name in STYLES:
        example = show_score_board(printed(name), DESIGNS[name], np.random.default_rng(7))
        boards[name] = build_score_board(name, Photo(Halves(example.photo), f"{name}.jpg", "", 0.0), example.spaces)
    return boards


@pytest.mark.parametrize("name", STYLES)
def test_taps_a_pixel_or_two_off_still_enrol_the_spaces(name: str, enrolled: dict[str, EnrolledScoreBoard]) -> None:
    design, board = DESIGNS[name], enrolled[name]
    assert np.linalg.norm(board.spaces - design.middles, axis=1).max() < 5
    for space, (x, y) in enumerate(design.middles.tolist()):
        assert board.layout.spaces_near((x, y)) == (space,)


@pytest.mark.parametrize(("name", "seed"), [("ring", 3), pytest.param("winding", 11, marks=pytest.mark.soak)])
def test_pieces_on_an_enrolled_board_are_read_and_those_beside_it_are_not(
    name: str, seed: int, enrolled: dict[str, EnrolledScoreBoard]
) -> None:
    rng = np.random.default_rng(seed)
    props = Props.gather([cheap_art()], [deal_random_board(Random(4), 30)], ["wood"], rng, grounds=1, ground_px=256)
    view = View((2000, 1500), elevation=(60, 80), whole=(0.05, 0.1))
    layout = DESIGNS[name].layout
    scene = sample_table(props, view, rng, score_board=printed(name), score_layout=layout, waiting=True)
    assert scene.score_board is not None
    players = {on.piece.colour for on in scene.score_board.pieces}
    waiting = [piece for piece in scene.strays if piece.colour in players and piece.pose == "standing"]
    assert len(waiting) >= 2 * len(players)
    image = photograph(compose(scene), rng, 0.5)
    tile_px = float(np.linalg.norm(np.diff(scene.camera.project([(0, 0, 0), (1, 0, 0)]), axis=0)))
    sheet = ScoreBoardFinder(enrolled.values()).find(Halves(image), tile_px)
    assert sheet is not None
    assert sheet.enrolled == name
    corners = scene.camera.project(np.column_stack([scene.score_board.corners, np.zeros(4)]))
    assert np.abs(compute_sheet_corners(sheet) - corners).max() < 5
    nets = PieceNets(Net(MODELS / "meeples.onnx"), Net(MODELS / "pieces.onnx"))
    read = read_track(nets, image, sheet, players)
    truth = [{"colour": on.piece.colour, "pose": on.piece.pose, "space": on.space} for on in scene.score_board.pieces]
    counts = judge_pieces(truth, read)
    assert (counts["wrong"], counts["invented"]) == (0, 0)
    assert counts["right"] >= len(truth) - 1
    assert (read.taught, read.lap, len(read.pieces) <= len(truth)) == (name, 50, True)


def test_a_reader_with_enrolments_reads_the_board_beside_the_tiles(enrolled: dict[str, EnrolledScoreBoard]) -> None:
    board = deal_random_board(Random(16), 16)
    layouts = {placement.tile for _, placement in board.known}
    catalogue = Catalogue(tuple(layout for layout in load_base_catalogue() if layout.id in layouts))
    art = draw_tile_set(MEADOW, seed=2, size=120, variants=1, catalogue=catalogue)
    sheets = Sheets(TERRA, DESIGNS["ring"], printed("ring"), waiting=True)
    manner = Manner((1600, 1200), (65.0, 85.0), score_board=sheets)
    shot = shoot(board, art, "wood", manner, np.random.default_rng(2))
    read = Reader(score_boards=enrolled.values()).read(Photo(Halves(shot.image), "table.jpg", "", 0.0))
    assert len(read.tiles) == len(board.tiles)
    assert read.track is not None
    assert read.track.taught == "ring"
    counts = judge_pieces(shot.label["score_board"]["pieces"], read.track)
    assert (counts["wrong"], counts["invented"]) == (0, 0)
    assert counts["right"] >= 1
    track = build_report_track(read.track)
    assert (track.taught, track.lap) == ("ring", 50)


@pytest.mark.parametrize(("place", "cut"), [((30.0, 30.0), False), ((5.0, 30.0), True), ((30.0, 95.0), True)])
def test_a_piece_at_the_border_of_the_photo_may_be_cut(place: tuple[float, float], cut: bool) -> None:
    assert is_cut(ScoreSheet(np.diag([2.0, 2.0, 1.0]), 1.0), place, (400, 200)) == cut


def test_no_score_board_is_found_if_none_is_visible(enrolled: dict[str, EnrolledScoreBoard]) -> None:
    assert ScoreBoardFinder(enrolled.values()).find(Halves(table()), 40.0) is None
    assert ScoreBoardFinder([]).find(Halves(table()), 40.0) is None


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 49), st.floats(0.5, 1.0), st.floats(0.85, 1.15))
def test_bare_print_is_evidence_against_a_piece_in_any_light(space: int, light: float, tint: float) -> None:
    design, picture = DESIGNS["ring"], printed("ring")
    board = EnrolledBoard(picture, design.layout.size)
    to_photo = np.diag([picture.shape[1] / design.layout.size[0], picture.shape[0] / design.layout.size[1], 1.0])
    photo = np.clip(picture * (light * np.array([tint, 1.0, 1.0])), 0, 255).astype(np.uint8)
    at = design.middles[space]
    assert compute_print_evidence(photo, to_photo, board, at[None])[0] > 3
    x, y = (at * (to_photo[0, 0], to_photo[1, 1])).tolist()
    stands = cv2.circle(photo.copy(), (round(x), round(y)), round(9 * to_photo[0, 0]), (30, 30, 170), -1)
    assert compute_print_evidence(np.asarray(stands, np.uint8), to_photo, board, at[None])[0] == 0
    assert compute_print_evidence(photo, to_photo, board, np.array([(-5.0, 10.0)]))[0] == 0


def piece(presence: float, *colours: float) -> Piece:
    return Piece((0.0, 0.0), presence, np.array(colours), np.array([1.0, 0.0]))


def test_each_player_has_one_piece_on_the_score_board() -> None:
    sure, other = apply_uniqueness_prior([piece(0.99, 0.9, 0.1), piece(0.8, 0.6, 0.4)], [True, True])
    assert sure.presence > 0.95
    assert sure.colours[0] > 0.85
    assert other.presence < 0.8
    assert other.colours.argmax() == 1
    assert apply_uniqueness_prior([], [True]) == []


def test_a_colour_that_does_not_play_is_unlikely_a_piece() -> None:
    (stranger,) = apply_uniqueness_prior([piece(0.8, 0.0, 1.0)], [True, False])
    assert stranger.presence < 0.2
    (player_piece,) = apply_uniqueness_prior([piece(0.8, 0.7, 0.3)], [True, False])
    assert player_piece.presence > 0.7
    assert player_piece.colours[0] > 0.95


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0.01, 1), st.floats(0.01, 1)), max_size=6))
def test_probabilities_stay_normalised(seen: list[tuple[float, float, float]]) -> None:
    pieces = [piece(presence, a / (a + b), b / (a + b)) for presence, a, b in seen]
    for before, after in zip(pieces, apply_uniqueness_prior(pieces, [True, True]), strict=True):
        assert 0 <= after.presence <= before.presence + 1e-9
        assert after.colours.sum() == pytest.approx(1)
