"""Stages of a reading, as the server reports its progress."""

from __future__ import annotations

STAGES_OF_TILES = ("decode", "lattice", "tiles", "legal", "meeples", "track", "score")
STAGES_OF_SPOTS = ("opening", "board", "counting")
WHICH_GAME = "game"
STAGES = ("decode", WHICH_GAME, *STAGES_OF_TILES[1:], *STAGES_OF_SPOTS)
"""All stages in order: until the game is known, then those of a game of tiles, then those of one with a printed board.

A job's progress is reported as an index into this tuple.
"""
