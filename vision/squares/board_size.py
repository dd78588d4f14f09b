"""The number of catalogue tiles that some squares show: too few are no board, and a board has a maximum."""

from __future__ import annotations

import numpy as np

from scoring.carcassonne.tiles.catalogue import Catalogue, list_layout_turns
from scoring.connected_squares import MAX_BOARD_SQUARES
from vision.arrays import EVEN_ODDS
from vision.errors import ReadingError
from vision.squares.classifier import TileLogits

MIN_BOARD_TILES = 2
"""Minimum number of tiles read with some confidence on a board. A guess."""
MIN_TILE_PROBABILITY = EVEN_ODDS
"""Minimum probability of a tile read with some confidence."""
MIN_TILE_SHARE = 0.2
"""Minimum share of squares with a tile of the catalogue: otherwise the lattice is something else. A guess."""


def find_shown_tiles(logits: TileLogits, catalogue: Catalogue) -> list[str]:
    """Return the tiles that squares show, one for each square with some confidence.

    It is empty if the share of such squares is that of a patterned cloth.
    """
    layouts, classes = logits.layouts[:, :-2], list_layout_turns(catalogue)
    likely = layouts.max(axis=1) >= np.log(MIN_TILE_PROBABILITY)
    tiles = [classes[choice][0] for choice in layouts[likely].argmax(axis=1).tolist()]
    return tiles if len(tiles) >= MIN_TILE_SHARE * len(layouts) else []


def refuse_large_board(tiles: int) -> None:
    """Raise ReadingError `board_too_large` for more tiles than a board has."""
    if tiles > MAX_BOARD_SQUARES:
        raise ReadingError("board_too_large", details={"squares": tiles, "most": MAX_BOARD_SQUARES})
