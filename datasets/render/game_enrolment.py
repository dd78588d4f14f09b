"""The empty boards of a generated folder as a user enrols them (`wondertally enrol board`)."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from vision.enrolment.games import GameEnrolment
from vision.flat_boards.board import rectify_picture
from vision.flat_boards.layout import read_pictures


def load_enrolment(folder: Path, game: str) -> GameEnrolment:
    """Load a copy of a game that `python -m datasets.GAME` wrote to a folder: components.toml and a JPEG per board."""
    text = (folder / "components.toml").read_text(encoding="utf-8")
    pictures = {}
    for name, facts in read_pictures(text).items():
        photo = np.asarray(cv2.imread(str(folder / f"{name}.jpg")), np.uint8)
        assert facts.corners_px is not None
        pictures[name] = rectify_picture(photo, facts.corners_px, facts.size_mm)
    return GameEnrolment(game, text, pictures)
