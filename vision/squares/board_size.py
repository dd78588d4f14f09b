"""How many tiles of the catalogue some squares show: too few are no board, too many are more than any board has."""

from __future__ import annotations

import numpy as np

from scoring.carcassonne.tiles.catalogue import Catalogue, list_layout_turns
from scoring.connected_squares import MAX_BOARD_SQUARES
from vision.errors import ReadingError
from vision.squares.classifier import TileLogits

MIN_BOARD_TILES = 2
"""Fewer tiles that are read with some confidence are no board."""
MIN_TILE_PROBABILITY = 0.5
"""From this probability on a tile is read with some confidence."""
MIN_TILE_SHARE = 0.2
"""Of the squares: where fewer show a tile of the catalogue, what looks like a lattice is something else."""


def find_shown_tiles(logits: TileLogits, catalogue: Catalogue) -> list[str]:
    """Return the tiles that squares show, one for each square with some confidence.

    It is empty where so few squares show one that it must be a patterned cloth.
    """
    layouts, classes = logits.layouts[:, :-2], list_layout_turns(catalogue)
    likely = layouts.max(axis=1) >= np.log(MIN_TILE_PROBABILITY)
    tiles = [classes[choice][0] for choice in layouts[likely].argmax(axis=1).tolist()]
    return tiles if len(tiles) >= MIN_TILE_SHARE * len(layouts) else []


def refuse_large_board(tiles: int) -> None:
    """Raise ReadingError `board_too_large` for more tiles than a board has."""
    if tiles > MAX_BOARD_SQUARES:
        raise ReadingError("board_too_large", details={"squares": tiles, "most": MAX_BOARD_SQUARES})
