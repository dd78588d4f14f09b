"""A board of Tower of Babel on papyrus, as its owner enrols it, and a photo of a finished game on it."""

from __future__ import annotations

import numpy as np

from datasets.tower_of_babel.__main__ import shoot_enrolment
from datasets.tower_of_babel.art import ARTS
from datasets.tower_of_babel.board import draw_board
from datasets.tower_of_babel.deal import Deal, deal_game
from datasets.tower_of_babel.plan import list_track_middles
from datasets.tower_of_babel.shots import Manner, shoot
from datasets.tower_of_babel.staging import stage_table
from tests.kept import keep
from vision.arrays import Image
from vision.enrolment.games import GameEnrolment
from vision.flat_boards.board import rectify_picture
from vision.flat_boards.layout import read_pictures

MANNER = Manner((2000, 1500), (50, 60), 0.4)


@keep
def draw_papyrus() -> Image:
    return draw_board(ARTS["papyrus"], np.random.default_rng(5))


def enrol(board: Image, seed: int) -> GameEnrolment:
    """Return the enrolment of a board from a photo of it empty."""
    shot, text = shoot_enrolment(board, seed)
    facts = read_pictures(text)["board"]
    assert facts.corners_px is not None
    picture = rectify_picture(shot.image, facts.corners_px, facts.size_mm)
    return GameEnrolment("tower-of-babel", text, {"board": picture})


@keep
def enrol_papyrus() -> GameEnrolment:
    return enrol(draw_papyrus(), 5)


@keep
def photograph_papyrus() -> tuple[Deal, Image]:
    """Return a finished game, and a photo of it."""
    rng = np.random.default_rng(31)
    deal = deal_game(rng, len(list_track_middles()) - 1)
    return deal, shoot(draw_papyrus(), stage_table(deal, rng), "wood", MANNER, rng).image
