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

NET_WEIGHT_PIECES = 1.5
"""What the net says of a player's pieces counts as much as this many pieces: it is the same for all."""
MIN_NET_PROBABILITY = 1e-3
"""The net is never surer than this that a piece is not of a colour."""
MIN_OTHER_PROBABILITY = 0.1
"""Other names that are less probable than this all together are not offered: they would be on every piece of that
player."""
MIN_NAME_NATS = -4.0
"""A name that is less likely than this even where its paint looks just like what is seen is not looked at."""
MIN_PIECES = 2
"""A player with fewer pieces is not renamed: `vision.pieces.colour_clusters` does that for a single piece."""


def estimate_player_colours(pieces: Sequence[Piece], colours: Sequence[str]) -> list[Floats]:
    """Estimate for each piece the odds of its player's name among the net's `colours`: one name where no other is
    likely.

    Pieces are taken for one player's that have one likeliest colour. It is known where another player's are seen.
    """
    odds = np.eye(len(colours))
    named = [int(np.argmax(piece.colours)) for piece in pieces]
    pieces_by_name: dict[int, list[Piece]] = {}
    for piece, name in zip(pieces, named, strict=True):
        if _is_usable(piece, len(colours)):
            pieces_by_name.setdefault(name, []).append(piece)
    if len(pieces_by_name) > 1:
        looks = np.array([np.median([piece.paint for piece in group], axis=0) for group in pieces_by_name.values()])
        usual, players = compute_usual_paints(colours), list(pieces_by_name)
        as_named = estimate_light(looks, usual[players])[1]
        for number, (player, player_pieces) in enumerate(pieces_by_name.items()):
            if len(player_pieces) >= MIN_PIECES:
                shares = np.exp(
                    log_softmax(
                        _compute_name_nats(number, players, _compute_net_nats(player_pieces), as_named, looks, usual)
                    )
                )
                odds[player] = shares if 1 - shares[player] >= MIN_OTHER_PROBABILITY else odds[player]
    return [odds[name] for name in named]


def _is_usable(piece: Piece, colours: int) -> bool:
    """Whether a piece is surely there, and what it looks like and what the net says of it are known."""
    return piece.presence > SURE and len(piece.said) == colours and bool(np.isfinite(piece.paint).all())


def _compute_net_nats(pieces: Sequence[Piece]) -> Floats:
    """(colours,) nats that the net gives each name of one player's pieces, all together."""
    return np.asarray(
        NET_WEIGHT_PIECES * np.mean([np.log(np.maximum(piece.said, MIN_NET_PROBABILITY)) for piece in pieces], axis=0)
    )


def _compute_name_nats(
    number: int, players: Sequence[int], net_nats: Floats, as_named: float, looks: Floats, usual: Floats
) -> Floats:
    """(colours,) how much likelier each name is for one of the players than its own; -inf for the other players'."""
    nats = np.full(len(usual), -np.inf)
    nats[players[number]] = 0.0
    for name in set(range(len(usual))).difference(players):
        at_most = net_nats[name] - net_nats[players[number]] + as_named
        if at_most > MIN_NAME_NATS:
            nats[name] = at_most - estimate_light(looks, usual[[*players[:number], name, *players[number + 1 :]]])[1]
    return nats
