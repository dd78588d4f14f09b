"""The stages of a reading, as the server tells them while it goes on."""

from __future__ import annotations

STAGES_OF_TILES = ("decode", "lattice", "tiles", "legal", "meeples", "track", "score")
STAGES_OF_SPOTS = ("opening", "board", "counting")
WHICH_GAME = "game"
STAGES = ("decode", WHICH_GAME, *STAGES_OF_TILES[1:], *STAGES_OF_SPOTS)
"""Until the game is known, then of a game of tiles, then of one with a printed board, in their order.

What is told of a job is its number here.
"""
