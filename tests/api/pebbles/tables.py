"""Fixtures that tests of Pebbles share: the game in the registry, and its board enrolled."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from api.spots.registry import SPOT_GAMES, SpotGame
from api.spots.tables import Tables
from tests.api.pebbles.game import GAME
from tests.api.pebbles.reader import build_reader, drawn
from vision.enrolment.games import GameEnrolment, GameEnrolments
from vision.evaluation.spot_judge import count_nothing

LAID = {(0, 0): "red", (0, 1): "red", (0, 2): "blue", (1, 1): "blue"}
COMPONENTS = "row_bonus = 4\n[pictures.board]\nsize_mm = [90, 60]\n"


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register Pebbles like any further game."""
    game = SpotGame("pebbles", "Pebbles", lambda: GAME, build_reader, count_nothing)
    monkeypatch.setitem(SPOT_GAMES, "pebbles", game)


def enrol(folder: Path | None = None, components: str = COMPONENTS) -> Tables:
    """Enrol its empty board on this machine."""
    GameEnrolments(folder).save(GameEnrolment("pebbles", components, {"board": drawn({})}))
    return Tables(folder)


def photo(file: Path, pebbles: dict[tuple[int, int], str] | None = None, blend: float = 0.0) -> Path:
    """Return a photo of a table."""
    cv2.imwrite(str(file), drawn(LAID if pebbles is None else pebbles, 3, blend))
    return file
