"""Drawn tables with a given number of squares, from one base game or as many as needed, with their pieces."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np

from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from datasets.generate import ART_PX
from datasets.render.shots import Manner, shoot
from scoring.carcassonne.board.board import MEEPLES_A_PLAYER, Board
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.tiles.catalogue import Catalogue, load_base_catalogue

PLAYERS = 5
STYLE, TABLETOP = "meadow", "wood"
ELEVATION = (55.0, 65.0)


def deal_large_board(squares: int, seed: int) -> Board:
    """Return a board of this many squares as a game leaves it, with the pieces of all its boxes."""
    base = load_base_catalogue()
    boxes = -(-squares // sum(layout.count for layout in base))
    catalogue = Catalogue(tuple(replace(layout, count=boxes * layout.count) for layout in base))
    return deal_random_board(Random(seed), squares, PLAYERS, MEEPLES_A_PLAYER * boxes, catalogue)


def draw_table(folder: Path, squares: int, size: tuple[int, int], seed: int) -> Path:
    """Draw the photo and the label of such a board into a folder, unless they exist; return the photo's path."""
    name = f"squares_{squares:03d}"
    photo, label = folder / f"{name}.jpg", folder / f"{name}.json"
    if photo.exists() and label.exists() and json.loads(label.read_text(encoding="utf-8")):
        return photo
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng([seed, squares])
    art = draw_tile_set(STYLES[STYLE], seed, ART_PX)
    shot = shoot(deal_large_board(squares, seed), art, TABLETOP, Manner(size, ELEVATION), rng)
    shot.save(folder, name)
    return photo
