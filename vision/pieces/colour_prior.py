"""What the pieces of a table tell about each other: a colour is a player's, who has several, but not too many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.tiles.geometry import Square
from vision.pieces.classifier import Piece, compute_feet_distance
from vision.pieces.colour_weights import load_colour_weights

MIN_NEW_COLOUR_ODDS = 0.05
"""How much less likely a colour is, at least, of which no other piece is seen: a player's last meeple, or none."""
PLAYER_COUNTS = (2, 3, 4, 5)
"""How many may play the base game, each number as likely as another before its pieces are seen."""
SURENESS_POWER = 3
"""The power of a piece's sureness when it speaks for others: what is mistaken for pieces is so again and again, but
never surely."""
MIN_COUNTED_PRESENCE = 0.5
"""From this presence on a piece counts among those of its colour."""
MAX_EXCESS_PIECES = 1.5
"""A colour of which there are so many more pieces than a player has is that of two players: one more may be the piece
from the score track, or be none."""
SUPPLY_ROUNDS = 200
"""How many times the odds of such a colour are made smaller, each time by how many pieces too many it has."""
SAME_PIECE_TILES = 0.45
"""Two pieces nearer than this may be one, seen twice, which does not speak for itself."""


def apply_colour_prior(pieces: Sequence[Piece], colours: Sequence[str]) -> list[Piece]:
    """Return the pieces with the odds of each of their `colours` weighed by how often that is played."""
    often = compute_played_odds(colours)
    odds = (piece.colours * often for piece in pieces)
    return [replace(piece, colours=weighted / weighted.sum()) for piece, weighted in zip(pieces, odds, strict=True)]


def compute_played_odds(colours: Sequence[str]) -> NDArray[np.float64]:
    """Compute (colours,) how often somebody plays each of the colours, against one of the base game's five."""
    rare_odds = load_colour_weights().rare_odds
    return np.array([rare_odds.get(colour, 1.0) for colour in colours])


def apply_player_prior(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces as the others' colours suggest: a colour that nobody else at the table surely has is likelier
    misread.

    The odds of each colour are weighed by the surest other piece that has it; what that leaves weighs the presence. Of
    few pieces many are somebody's only one (`estimate_new_colour_odds`); what is mistaken for a piece may have any
    colour even then.
    """
    if not pieces:
        return []
    has = np.array([piece.presence * piece.colours for piece in pieces])
    weighed = []
    for piece in pieces:
        apart = [j for j in range(len(pieces)) if compute_feet_distance(piece, pieces[j]) > SAME_PIECE_TILES]
        shared = has[apart].max(axis=0, initial=0.0) ** SURENESS_POWER
        alone = estimate_new_colour_odds(round(sum(pieces[j].presence for j in apart)), round(float(shared.sum())))
        odds = piece.colours * (alone + (1 - alone) * shared)
        share = float(piece.colours @ (MIN_NEW_COLOUR_ODDS + (1 - MIN_NEW_COLOUR_ODDS) * shared))
        presence = piece.presence * share / (piece.presence * share + 1 - piece.presence)
        weighed.append(replace(piece, presence=presence, colours=odds / odds.sum()))
    return weighed


@cache
def estimate_new_colour_odds(pieces: int, colours: int) -> float:
    """Estimate how likely one more piece is of a colour not seen yet, against one that is, if so many have so many
    colours.

    Each player has as likely as another placed each piece (`PLAYER_COUNTS` of them, who have one colour each): at least
    `MIN_NEW_COLOUR_ODDS`, since players do not.
    """
    seen_colours = min(colours, pieces)
    weights = {of: comb(of, seen_colours) * float(of) ** -pieces for of in PLAYER_COUNTS if of >= seen_colours}
    if not seen_colours or seen_colours >= max(PLAYER_COUNTS):
        return MIN_NEW_COLOUR_ODDS if seen_colours else 1.0
    fresh = sum(weight * (of - seen_colours) / of for of, weight in weights.items()) / sum(weights.values())
    return max(MIN_NEW_COLOUR_ODDS, min(1.0, fresh / (max(PLAYER_COUNTS) - seen_colours) * seen_colours / (1 - fresh)))


def apply_supply_limit(pieces: Sequence[Piece], squares: Sequence[Square | None], most: int) -> list[Piece]:
    """Return the pieces with colours of which no player has more than `most` on the board, where two players' look
    alike.

    `squares` are those that they stand on, None for beside the board; of several on one square the surest counts. As
    scarce tiles have on the legal board, such a colour gets a price, the same for all pieces: those that look least
    like it are likelier of another one.
    """
    if not pieces:
        return []
    odds, counted = np.array([piece.colours for piece in pieces]), _weigh_counted_pieces(pieces, squares)
    for _ in range(SUPPLY_ROUNDS if (counted @ odds).max() > most + MAX_EXCESS_PIECES else 0):
        odds = odds * np.minimum(1.0, most / np.maximum(counted @ odds, most))
        odds /= odds.sum(axis=1, keepdims=True)
    return [replace(piece, colours=piece_odds) for piece, piece_odds in zip(pieces, odds, strict=True)]


def _weigh_counted_pieces(pieces: Sequence[Piece], squares: Sequence[Square | None]) -> NDArray[np.float64]:
    """(n,) how far each piece counts among those of its colour."""
    surest: dict[Square, int] = {}
    for i, (piece, square) in enumerate(zip(pieces, squares, strict=True)):
        if (
            square
            and piece.presence >= MIN_COUNTED_PRESENCE
            and piece.presence > pieces[surest.get(square, i)].presence - 1e-9
        ):
            surest[square] = i
    counts = np.zeros(len(pieces))
    for i in surest.values():
        counts[i] = pieces[i].presence
    return counts
