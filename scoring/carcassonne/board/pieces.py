"""The pieces that a player sets on the board, by kind."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.carcassonne.board.box_rules import UNSAID, BoxRules
from scoring.carcassonne.tiles.expansions import NEUTRAL_PIECES, Expansion
from scoring.carcassonne.tiles.kinds import Kind, find_kinds
from scoring.player_colours import COLOURS, find_colour


@dataclass(frozen=True, slots=True)
class Piece:
    """A kind of piece: its maximum number per player on the board, its strength in a majority, and the features it
    stands on.

    A piece with strength 0 is no follower. `box` is the one by whose rules it is more than a meeple. With `by_coats`
    it has its strength for each coat of arms of its city.
    """

    count: int
    strength: int
    stands_on: tuple[Kind, ...]
    box: str = "base"
    by_coats: bool = False


_ANYWHERE = find_kinds(lambda row: row.for_meeples)

PIECES = {
    "meeple": Piece(7, 1, _ANYWHERE),
    "big": Piece(1, 2, _ANYWHERE, "inns"),
    "abbot": Piece(1, 1, find_kinds(lambda row: row.counts_surroundings), "abbot"),
    "builder": Piece(1, 0, find_kinds(lambda row: row.edges == "sides"), "traders"),
    "pig": Piece(1, 0, ("field",), "traders"),
    "mayor": Piece(1, 1, ("city",), "abbey", by_coats=True),
    "wagon": Piece(1, 1, ("road", "city", "monastery"), "abbey"),
    "barn": Piece(1, 0, ("field",), "abbey"),
}
"""By the rules: the base game's meeple, the big one of Inns & Cathedrals, the abbot, those of Traders & Builders, and
those of Abbey & Mayor.
"""

NEEDS_COMPANY = ("builder", "pig")
"""Kinds that only stand with a follower of their own colour."""


MEEPLES_IN_BOX = PIECES["meeple"].count + 1
"""By the rules: meeples of each colour in a base game's box; one of them is on the score track."""


def count_pieces(kind: str, base_games: int = 1) -> int:
    """Return the maximum number of a player's pieces of a kind on a board of this many base games.

    Base game, "Preparation": a player takes all meeples of a colour. Each further game adds as many, and the score
    track needs only one in total; other kinds come once with each box that has them.
    """
    return PIECES[kind].count + (MEEPLES_IN_BOX * (base_games - 1) if kind == "meeple" else 0)


def brings_pieces(expansion: Expansion) -> bool:
    """Return whether an expansion has pieces of its own, for players or for none."""
    for_players = any(piece.box == expansion.rules for piece in PIECES.values())
    return for_players or bool(expansion.pieces or expansion.neutral)


def get_piece_strength(kind: str, rules: BoxRules = UNSAID, coats: int = 1) -> int:
    """Return the strength of a piece in a majority: 0 for one that is not scored here.

    `coats` is the number of coats of arms of its city (Abbey & Mayor, "The mayor"). Without the rules of its box, a
    piece counts at most as much as a meeple.
    """
    if kind not in PIECES:
        return 0
    piece = PIECES[kind]
    if rules.ignores(piece.box):
        return min(piece.strength, PIECES["meeple"].strength)
    return piece.strength * coats if piece.by_coats else piece.strength


def find_piece_colour(word: str, kind: str) -> str | None:
    """Return the colour that a word names for a piece of that kind; None for no colour. A neutral piece keeps
    its word.
    """
    if kind in NEUTRAL_PIECES:
        return word
    return colour if (colour := find_colour(word)) in COLOURS else None
