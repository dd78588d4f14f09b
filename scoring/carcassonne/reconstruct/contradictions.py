"""Contradictions between 2 boards of one game, square by square."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.carcassonne.board.board import Board, PlacedMeeple, Problem
from scoring.carcassonne.board.features import FeatureMap, build_feature_map
from scoring.counts import format_count

TILE_CODES = ("tiles_vanish", "tile_changed", "tile_unknown")


def find_contradictions(before: Board, after: Board) -> tuple[Problem, ...]:
    """Return the changes that no play explains: first those of tiles, and those of pieces only if the tiles are
    consistent.

    Codes: tiles_vanish, tile_changed, tile_unknown; piece_on_old_tile, piece_gone_early, piece_stays.
    """
    return tuple(_find_tile_contradictions(before, after)) or tuple(_find_piece_contradictions(before, after))


def _find_tile_contradictions(before: Board, after: Board) -> Iterator[Problem]:
    gone = tuple(square for square in before.tiles if square not in after.tiles)
    if gone:
        text = format_count(len(gone), "tile is", "tiles are") + " gone: a tile that was laid stays"
        yield Problem("tiles_vanish", gone, text)
    for square, placement in after.tiles.items():
        if placement is None:
            yield Problem("tile_unknown", (square,), "a tile that is not known cannot be played")
        elif before.tiles.get(square, placement) != placement:
            yield Problem("tile_changed", (square,), "another tile than before: a tile that was laid stays")


def _find_piece_contradictions(before: Board, after: Board) -> Iterator[Problem]:
    pieces_after, features = set(after.meeples), build_feature_map(after)
    for piece in pieces_after.difference(before.meeples):
        if piece.square in before.tiles:
            yield Problem(
                "piece_on_old_tile", (piece.square,), f"{_name_piece(piece)} was set on a tile that lay there before"
            )
    for piece in before.meeples:
        may_go = piece.kind == "abbot" and not before.is_marker(piece)
        if piece not in pieces_after and not may_go and not _is_complete(piece, features):
            yield Problem(
                "piece_gone_early", (piece.square,), f"{_name_piece(piece)} went home before its feature was complete"
            )
    for piece in after.meeples:
        if _is_complete(piece, features):
            yield Problem("piece_stays", (piece.square,), f"{_name_piece(piece)} still stands on what is complete")


def _is_complete(piece: PlacedMeeple, features: FeatureMap) -> bool:
    feature = features.under(piece)
    return feature is not None and feature.complete


def _name_piece(piece: PlacedMeeple) -> str:
    return f"{piece.colour}'s {piece.kind}"
