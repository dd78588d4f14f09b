"""The pieces that a player sets or takes back in a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from scoring.carcassonne.board.board import PlacedMeeple, PlacedWonder, Placement
from scoring.carcassonne.board.pieces import NEEDS_COMPANY, PIECES, get_piece_strength
from scoring.carcassonne.play.moves import USUAL_MARKER, Marker, Move, Stand
from scoring.carcassonne.play.running_features import Holding, Laying
from scoring.carcassonne.tiles.expansions import NEUTRAL_PIECES
from scoring.carcassonne.tiles.geometry import Square
from scoring.errors import PlayError


def place_pieces(move: Move, laying: Laying, hand: Mapping[str, int]) -> tuple[PlacedMeeple, ...]:
    """Return the pieces that a move sets on the features of the tile laid; raise PlayError if the rules forbid it.

    Base game, "Placing a meeple"; "2. Placing a meeple on a wonder tile": up to 2, on different features. `hand` is the
    set of pieces available to the player.
    """
    most = 2 if isinstance(move.tile, PlacedWonder) else 1
    if len(move.stands) > most:
        raise PlayError("too_many_meeples", f"{len(move.stands)} meeples are set, where the tile allows {most}")
    _refuse_several_actions(move)
    left = Counter(hand)
    placements, stood = move.tile.placements, []
    for stand in move.stands:
        piece = _build_piece(move.player, stand, placements)
        if left[stand.kind] < 1:
            raise PlayError("no_piece_left", f"{move.player} has no {stand.kind} left to set")
        if code := find_piece_violation(piece, laying.holding(laying.root((stand.square, stand.segment)))):
            raise PlayError(code, _REASONS[code].format(kind=stand.kind), square=stand.square)
        left[stand.kind] -= 1
        laying.stand(piece)
        stood.append(piece)
    return tuple(stood)


def find_piece_violation(piece: PlacedMeeple, holding: Holding) -> str:
    """Return the code of the rule that a piece would break on a feature, or an empty string.

    Base game, "Placing a meeple": the feature is unoccupied. Traders & Builders, "Builder" and "Pig": the piece joins a
    follower of its own colour, whoever else is there; the wonders' rules assume this.
    """
    if piece.kind in NEEDS_COMPANY:
        joins = any(other.colour == piece.colour and get_piece_strength(other.kind) for other in holding.pieces)
        return "" if joins else "no_follower_there"
    return "feature_occupied" if holding.pieces else ""


def find_recalled_abbot(move: Move, standing: Iterable[PlacedMeeple]) -> PlacedMeeple:
    """Return the player's abbot on the board; raise PlayError if there is none.

    The Abbot, "Taking the abbot back".
    """
    for piece in standing:
        if (piece.colour, piece.kind) == (move.player, "abbot"):
            return piece
    raise PlayError("no_abbot_out", f"{move.player} has no abbot on the board")


def build_wonder_marker(move: Move, hand: Mapping[str, int]) -> PlacedMeeple | None:
    """Return the piece that marks a wonder, on the wonder itself ("1. Placing a wonder tile"); raise PlayError if
    illegal.

    `hand` is what is left to the player from all boxes. A plain meeple comes with the wonder, another figure of a box
    in play is taken from the hand, and a figure of no such box is always available: "Preparation" allows "any other
    figure in that color".
    """
    marker = move.marker
    if not isinstance(move.tile, PlacedWonder):
        if marker != USUAL_MARKER:
            raise PlayError("wrong_place", "a marker is set on a wonder just laid")
        return None
    if marker.kind in NEUTRAL_PIECES:
        raise PlayError("wrong_place", f"a {marker.kind} is nobody's and marks no wonder")
    if marker.kind != "meeple" and hand.get(marker.kind, 1) < 1:
        raise PlayError("no_piece_left", f"{move.player} has no {marker.kind} left to mark a wonder with")
    square, segment = _find_marked_place(move.tile, marker)
    return PlacedMeeple(move.player, square, segment, marker.pose, marker.kind)


def _find_marked_place(wonder: PlacedWonder, marker: Marker) -> tuple[Square, int]:
    """Return the square and segment of the wonder itself that a marker stands on; raise PlayError if there is none."""
    if marker.square is None:
        cell, segment = wonder.layout.marked
        return wonder.squares[cell], segment
    placement = wonder.placements.get(marker.square)
    for segment, part in enumerate(placement.layout.segments if placement else ()):
        if part.kind == "wonder":
            return marker.square, segment
    raise PlayError("wrong_place", "the marker stands on the wonder itself", square=marker.square)


_REASONS = {
    "feature_occupied": "a meeple stands on that feature already",
    "no_follower_there": "a {kind} joins a follower of its own colour, which does not stand there",
}


def _refuse_several_actions(move: Move) -> None:
    """Raise PlayError if a move combines actions of which only one is allowed.

    "Other expansions: General Comments", "The Abbot" and "Traders & Builders": setting followers is one action; a
    builder, a pig or recalling the abbot does not replace one of 2 followers.
    """
    special = [stand.kind for stand in move.stands if not get_piece_strength(stand.kind)] + [
        "abbot"
    ] * move.recalls_abbot
    if special and len(move.stands) + move.recalls_abbot > 1:
        raise PlayError("one_action", f"the {special[0]} moves in place of any other piece, not besides")


def _build_piece(player: str, stand: Stand, placements: Mapping[Square, Placement]) -> PlacedMeeple:
    """Return the piece set on a laid tile; raise PlayError if it cannot stand there."""
    placement = placements.get(stand.square)
    if placement is None:
        raise PlayError("not_on_the_tile", "a meeple is set on the tile just laid", square=stand.square)
    if not 0 <= stand.segment < len(placement.layout.segments):
        raise PlayError("no_such_segment", f"the tile has no segment {stand.segment}", square=stand.square)
    kind = placement.layout.segments[stand.segment].kind
    if stand.kind not in PIECES or kind not in PIECES[stand.kind].stands_on:
        raise PlayError("wrong_place", f"a {stand.kind} is not set on a {kind}", square=stand.square)
    return PlacedMeeple(player, stand.square, stand.segment, "lying" if kind == "field" else "standing", stand.kind)
