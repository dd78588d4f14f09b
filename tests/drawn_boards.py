"""Pictures of boards in the project's own art, drawn from exactly their tiles and wonders."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from datasets.art.tileset import TileSet
from datasets.art.wonders import draw_wonder
from datasets.render.shots import Manner, Shot, shoot
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.tiles.catalogue import Catalogue, load_base_catalogue

PX = 96
"""Width of a drawn tile."""


def draw_art(board: Board) -> TileSet:
    """Draw the tiles and wonders of a board, these by their own layouts."""
    names = {placement.tile for _, placement in board.known}
    catalogue = Catalogue(tuple(layout for layout in load_base_catalogue() if layout.id in names))
    style = STYLES["meadow"]
    wonders = {placed.layout.id: (draw_wonder(placed.layout, style, 1, PX),) for placed in board.wonders}
    return replace(draw_tile_set(style, 1, PX, 1, catalogue), wonders=wonders)


def shoot_from_above(board: Board, elevation: tuple[float, float] = (70, 90)) -> Shot:
    """Take a photo of a board on a plain table."""
    manner = Manner((900, 700), elevation, strength=0.3)
    return shoot(board, draw_art(board), "plain", manner, np.random.default_rng(4))
