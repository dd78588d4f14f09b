"""What a whole player's pieces may be called instead: under a coloured lamp the net says the same wrong thing of all.

Under the light of a photo that the other players' pieces tell of (`vision.pieces.colour_illumination`) a player's
pieces may look more like another paint than like the one they are named after.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.arrays import Floats
from vision.pieces.classifier import Piece
from vision.pieces.colour_clusters import SURE
from vision.pieces.colour_illumination import compute_usual_paints, estimate_light
from vision.squares.classifier import log_softmax

WORTH = 1.5
"""What the net says of a player's pieces counts as so many pieces' say: it is the same for all."""
SAID_LEAST = 1e-3
"""The net is never surer than this that a piece is not of a colour."""
TOLD_LEAST = 0.1
"""What all other names together have less than is not told: it would be said of every piece of that player."""
HOPELESS = -4.0
"""In nats: a name that is less likely even where its paint looks just like what is seen is not looked at."""
PIECES_LEAST = 2
"""Of a piece alone `vision.pieces.colour_clusters` tells."""


def estimate_player_colours(pieces: Sequence[Piece], colours: Sequence[str]) -> list[Floats]:
    """For each piece the odds of its player's name among the net's `colours`: where nothing else is likely, one name.

    Pieces are taken for one player's that have one likeliest colour. It is known where another player's are seen.
    """
    odds = np.eye(len(colours))
    named = [int(np.argmax(piece.colours)) for piece in pieces]
    known: dict[int, list[Piece]] = {}
    for piece, name in zip(pieces, named, strict=True):
        if _is_known(piece, len(colours)):
            known.setdefault(name, []).append(piece)
    if len(known) > 1:
        looks = np.array([np.median([piece.paint for piece in own], axis=0) for own in known.values()])
        usual, players = compute_usual_paints(colours), list(known)
        as_named = estimate_light(looks, usual[players])[1]
        for number, (player, own) in enumerate(known.items()):
            if len(own) >= PIECES_LEAST:
                shares = np.exp(log_softmax(_nats(number, players, _said(own), as_named, looks, usual)))
                odds[player] = shares if 1 - shares[player] >= TOLD_LEAST else odds[player]
    return [odds[name] for name in named]


def _is_known(piece: Piece, colours: int) -> bool:
    """Whether a piece is surely there, and what it looks like and what the net says of it are known."""
    return piece.presence > SURE and len(piece.said) == colours and bool(np.isfinite(piece.paint).all())


def _said(pieces: Sequence[Piece]) -> Floats:
    """(colours,) nats that the net gives each name of one player's pieces, all together."""
    return np.asarray(WORTH * np.mean([np.log(np.maximum(piece.said, SAID_LEAST)) for piece in pieces], axis=0))


def _nats(number: int, players: Sequence[int], said: Floats, as_named: float, looks: Floats, usual: Floats) -> Floats:
    """(colours,) how much likelier each name is for one of the players than its own; -inf for the other players'."""
    nats = np.full(len(usual), -np.inf)
    nats[players[number]] = 0.0
    for name in set(range(len(usual))).difference(players):
        at_most = said[name] - said[players[number]] + as_named
        if at_most > HOPELESS:
            nats[name] = at_most - estimate_light(looks, usual[[*players[:number], name, *players[number + 1 :]]])[1]
    return nats
