"""What a whole player's pieces are called: under a coloured lamp the net says the same wrong thing of all.

Under the light of a photo that the other players' pieces tell of (`vision.pieces.colour_illumination`) a player's
pieces may look more like another paint than like the one they are named after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scoring.calibration import load_shares
from vision.arrays import Floats, compute_log_softmax
from vision.pieces.classifier import Piece
from vision.pieces.colour_clusters import SURE
from vision.pieces.colour_illumination import compute_usual_paints, estimate_light
from vision.pieces.colour_prior import RARE_COLOURS, compute_played_odds, load_colour_weights

MIN_NET_PROBABILITY = 1e-3
"""The net is never surer than this that a piece is not of a colour."""
MIN_NAME_NATS = -4.0
"""A name that is less likely than this even where its paint looks just like what is seen is not looked at."""
MIN_PIECES = 2
"""A player with fewer pieces is not renamed: `vision.pieces.colour_clusters` does that for a single piece."""
MAX_RENAMED_PLAYERS = 6
"""So many players at most are renamed, one after the other, the likeliest first: the names of some tell of others'."""


def rename_players(pieces: Sequence[Piece], colours: Sequence[str]) -> list[Piece]:
    """Return the pieces with each player's called by another of the `colours` where that is likelier for all of them.

    Pieces are taken for one player's that have one likeliest colour. How likely each name is, is as in
    `estimate_player_colours`. The old name stays as likely as renaming has been wrong on tables of known truth. Names
    that nobody else has are the player's other ones: all its pieces have them in the same shares.
    """
    odds = np.array([piece.colours for piece in pieces]).reshape(-1, len(colours))
    sure = np.array([_is_usable(piece, len(colours)) for piece in pieces], np.bool_)
    for _ in range(MAX_RENAMED_PLAYERS):
        named = odds.argmax(axis=1)
        shares = _estimate_shares(pieces, named.tolist(), colours)
        player = max(shares, key=lambda name: shares[name].max() - shares[name][name], default=None)
        if player is None or shares[player].argmax() == player:
            break
        wrong = load_shares("carcassonne")["renamed_wrongly"]
        fresh = (1 - wrong) * shares[player] + wrong * np.eye(len(colours))[player]
        members = named == player
        mass = odds[members, player]
        odds[members, player] = 0.0
        odds[members] += mass[:, None] * fresh
        free = ~np.isin(range(len(colours)), [name for name in named.tolist() if name != player])
        likely = odds[np.ix_(members & sure, free)].sum(axis=0)
        odds[np.ix_(members, free)] = odds[members][:, free].sum(axis=1, keepdims=True) * likely / likely.sum()
    return [replace(piece, colours=piece_odds) for piece, piece_odds in zip(pieces, odds, strict=True)]


def estimate_player_colours(pieces: Sequence[Piece], colours: Sequence[str]) -> list[Floats]:
    """Estimate for each piece the odds of its player's name among the `colours`.

    Pieces are taken for one player's that have one likeliest colour. A name is likely by what the net says of the
    player's pieces, by how often it is played, and by how well all players' looks and names go together in one light.
    It is known where another player's pieces are seen.
    """
    odds = np.eye(len(colours))
    named = [int(np.argmax(piece.colours)) for piece in pieces]
    for player, shares in _estimate_shares(pieces, named, colours).items():
        odds[player] = shares
    return [odds[name] for name in named]


def compute_net_nats(odds: Floats, colours: Sequence[str], net_pieces: float) -> Floats:
    """Compute (colours,) nats of each name of one player, by (n, colours) odds of the pieces, which count as much as
    `net_pieces` of them, and by how often it is played."""
    net_nats = net_pieces * np.mean(np.log(np.maximum(odds, MIN_NET_PROBABILITY)), axis=0)
    return np.asarray(net_nats + np.log(compute_played_odds(colours)))


def _estimate_shares(pieces: Sequence[Piece], named: Sequence[int], colours: Sequence[str]) -> dict[int, Floats]:
    """The odds (colours,) of the name of each player who has pieces enough, by the number of the name they have now."""
    pieces_by_name: dict[int, list[Piece]] = {}
    for piece, name in zip(pieces, named, strict=True):
        if _is_usable(piece, len(colours)):
            pieces_by_name.setdefault(name, []).append(piece)
    if len(pieces_by_name) < 2:
        return {}
    looks = np.array([np.median([piece.paint for piece in group], axis=0) for group in pieces_by_name.values()])
    usual, players = compute_usual_paints(colours), list(pieces_by_name)
    as_named = estimate_light(looks, usual[players])[1]
    net_pieces, shares = load_colour_weights().net_pieces, {}
    for number, (player, player_pieces) in enumerate(pieces_by_name.items()):
        if len(player_pieces) >= MIN_PIECES:
            net_nats = compute_net_nats(np.array([piece.said for piece in player_pieces]), colours, net_pieces)
            nats = _compute_name_nats(number, players, net_nats, as_named, looks, usual)
            shares[player] = doubt_rare_name(np.exp(compute_log_softmax(nats)), players, colours)
    return shares


def doubt_rare_name(shares: Floats, players: Sequence[int], colours: Sequence[str]) -> Floats:
    """Return the odds (colours,) of a player's name, with what is doubtful of any colour that few people have.

    Makes of such pieces differ more than those of the base game's five colours. So as often as sure rare names were
    wrong on tables of known truth it is the likeliest other rare one, which none of the `players` (numbers of
    `colours`) has.
    """
    name = int(shares.argmax())
    others = [i for i, colour in enumerate(colours) if colour in RARE_COLOURS and i != name and i not in players]
    if colours[name] not in RARE_COLOURS or not others:
        return shares
    wrong = load_shares("carcassonne")["rare_misnamed"]
    other = max(others, key=lambda i: shares[i])
    return np.asarray((1 - wrong) * shares + wrong * np.eye(len(colours))[other])


def _is_usable(piece: Piece, colours: int) -> bool:
    """Whether a piece is surely there, and what it looks like and what the net says of it are known."""
    return piece.presence > SURE and len(piece.said) == colours and bool(np.isfinite(piece.paint).all())


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
