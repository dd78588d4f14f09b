"""One resource board shows all of them: the frame has the player's colour, and nothing else differs."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.render.photometric import photograph
from datasets.world_wonders.boards import draw_resource_board
from datasets.world_wonders.own_copy import COLOURS, RESOURCES_MM
from datasets.world_wonders.style import build_style
from tests.vision.world_wonders.drawn_tables import ART, enrolled, shot_of
from vision.arrays import Image
from vision.flat_boards.board import BoardLie, EnrolledBoard
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.world_wonders.boards import MISFIT_VARIANCE, Boards
from vision.world_wonders.frames import build_framed_boards
from vision.world_wonders.reader import build_reader

SPREAD = float(np.sqrt(MISFIT_VARIANCE))
PX_MM = 4.0


def draw_board(art: str, colour: str, seed: int) -> Image:
    """Draw a player's resource board in some light, PX_MM pixels per millimetre."""
    size = (round(RESOURCES_MM[0] * PX_MM), round(RESOURCES_MM[1] * PX_MM))
    flat = cv2.resize(draw_resource_board(build_style(art), colour), size, interpolation=cv2.INTER_AREA)
    return photograph(np.asarray(flat), np.random.default_rng(seed), 0.5)


@pytest.mark.parametrize(
    "shown", ["green", *(pytest.param(shown, marks=pytest.mark.soak) for shown in ("yellow", "red", "blue"))]
)
def test_one_board_shown_identifies_players_by_their_frames(shown: str) -> None:
    lie = BoardLie(np.diag([PX_MM, PX_MM, 1.0]), 0, 0.0, 1.0, 1.0)
    for seed, art in enumerate(("ivory", "walnut", "medley-5")):
        boards = Boards(build_framed_boards(EnrolledBoard(draw_board(art, shown, seed), RESOURCES_MM), SPREAD))
        for number, colour in enumerate(COLOURS):
            likely = boards.colours(Halves(draw_board(art, colour, 10 + number)), lie)
            assert max(likely, key=lambda name: likely[name]) == colour
            assert likely[colour] > 0.9


def test_a_board_without_a_coloured_frame_names_no_player() -> None:
    board = draw_board("walnut", "white", 3)
    assert build_framed_boards(EnrolledBoard(board, RESOURCES_MM), SPREAD) == {}
    for paint in ((60, 60, 60), (120, 160, 200)):
        other = np.full_like(board, paint)
        other[40:-40, 40:-40] = board[40:-40, 40:-40]
        assert build_framed_boards(EnrolledBoard(other, RESOURCES_MM), SPREAD) == {}


def test_a_players_table_is_theirs_though_anothers_board_was_shown() -> None:
    enrolment, shot = enrolled(ART, ("blue",)), shot_of(ART)
    pictures = {"map": enrolment.pictures["map"], "resources": enrolment.pictures["resources-blue"]}
    text = enrolment.components.replace("[pictures.resources-blue]", "[pictures.resources]")
    photo = Photo.from_bytes(cv2.imencode(".png", shot.image)[1].tobytes(), "table.png")
    reading = build_reader(replace(enrolment, components=text, pictures=pictures)).read([photo])
    assert reading.players == shot.label.table.players == ("red",)
    assert all(probability < 0.01 for _, probability in reading.renames)
