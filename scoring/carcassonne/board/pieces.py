"""The pieces that a player sets on the board, by kind."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.carcassonne.board.box_rules import UNSAID, BoxRules
from scoring.carcassonne.tiles.expansions import NEUTRAL_PIECES
from scoring.carcassonne.tiles.layout import Kind
from scoring.player_colours import COLOURS, find_colour


@dataclass(frozen=True, slots=True)
class Piece:
    """A kind of piece: how many a player can have on the board, what it counts in a majority, and what it stands on.

    A piece that counts nothing in a majority is no follower. `box` is the one by whose rules it is more than a meeple.
    """

    count: int
    strength: int
    stands_on: tuple[Kind, ...]
    box: str = "base"


_ANYWHERE: tuple[Kind, ...] = ("city", "road", "monastery", "field")

PIECES = {
    "meeple": Piece(7, 1, _ANYWHERE),
    "big": Piece(1, 2, _ANYWHERE, "inns"),
    "abbot": Piece(1, 1, ("monastery", "garden"), "abbot"),
    "builder": Piece(1, 0, ("road", "city"), "traders"),
    "pig": Piece(1, 0, ("field",), "traders"),
}
"""The base game's meeple, the big one of Inns & Cathedrals, the abbot, and those of Traders & Builders."""

NEEDS_COMPANY = ("builder", "pig")
"""Kinds that stand only where a follower of their colour stands."""


MEEPLES_IN_BOX = PIECES["meeple"].count + 1
"""Of each colour in the box of a base game: one of them is on the score track."""


def count_pieces(kind: str, base_games: int = 1) -> int:
    """Return how many pieces of a kind a player can have on a board of so many base games.

    Base game, "Preparation": a player takes all meeples of a colour. Further games bring as many of each colour again,
    and the score track needs one alone; of other kinds each box that has them comes once.
    """
    return PIECES[kind].count + (MEEPLES_IN_BOX * (base_games - 1) if kind == "meeple" else 0)


def get_piece_strength(kind: str, rules: BoxRules = UNSAID) -> int:
    """Return what a piece counts in a majority: 0 for one that is not scored here.

    Without the rules of its box a piece counts no more than a meeple does.
    """
    if kind not in PIECES:
        return 0
    piece = PIECES[kind]
    return min(piece.strength, PIECES["meeple"].strength) if rules.ignores(piece.box) else piece.strength


def find_piece_colour(word: str, kind: str) -> str | None:
    """Find the colour that a word names of a piece of that kind; None for no colour. A neutral piece keeps its word."""
    if kind in NEUTRAL_PIECES:
        return word
    return colour if (colour := find_colour(word)) in COLOURS else None
