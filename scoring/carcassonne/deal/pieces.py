"""Big meeples, builders, pigs and abbots on a random board, placed as the rules allow."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from random import Random

from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.board.features import Member, build_feature_map
from scoring.carcassonne.board.pieces import NEEDS_COMPANY, PIECES, get_piece_strength
from scoring.carcassonne.tiles.geometry import Square

SET_PROBABILITY = 0.7
"""Probability that a player has set a piece of a kind that has a place. A guess."""
LYING_PIG_SHARE = 0.35
"""Share of pigs that lie. A guess."""


def add_pieces(board: Board, kinds: Collection[str], rng: Random) -> Board:
    """Return the board with pieces of these kinds, at most one of each kind per player.

    A big meeple or an abbot replaces a meeple. A builder or a pig joins a feature that holds the player's own follower,
    on an empty square, because only one piece is set with each tile.
    """
    for player in board.players:
        for kind in sorted(set(kinds)):
            if rng.random() < SET_PROBABILITY:
                add = _add_joining_piece if kind in NEEDS_COMPANY else _replace_meeple
                board = add(board, player, kind, rng)
    return board


def _replace_meeple(board: Board, player: str, kind: str, rng: Random) -> Board:
    """Turn one of the player's meeples into a piece of another kind, if one stands on a feature that the kind may stand
    on.
    """
    features = build_feature_map(board)
    able = [
        meeple
        for meeple in board.meeples
        if (meeple.colour, meeple.kind) == (player, "meeple")
        and (below := features.under(meeple)) is not None
        and below.kind in PIECES[kind].stands_on
    ]
    if not able:
        return board
    chosen = rng.choice(able)
    others = [meeple for meeple in board.meeples if meeple is not chosen]
    return replace(board, meeples=(*others, replace(chosen, kind=kind)))


def _add_joining_piece(board: Board, player: str, kind: str, rng: Random) -> Board:
    places = sorted(_find_free_members(board, player, kind))
    if not places:
        return board
    square, segment = rng.choice(places)
    pose = "lying" if kind == "pig" and rng.random() < LYING_PIG_SHARE else "standing"
    return replace(board, meeples=(*board.meeples, PlacedMeeple(player, square, segment, pose, kind)))


def _find_free_members(board: Board, player: str, kind: str) -> Iterator[Member]:
    """Yield the segments of features that hold a follower of the player, on squares without any piece."""
    occupied_squares: set[Square] = {meeple.square for meeple in board.meeples}
    for feature in build_feature_map(board):
        followed = any(piece.colour == player and get_piece_strength(piece.kind) for piece in feature.pieces)
        if feature.kind in PIECES[kind].stands_on and followed and not feature.complete:
            yield from (member for member in feature.members if member[0] not in occupied_squares)
