"""Renaming of whole players: under a coloured lamp the net makes the same error for all of a player's pieces.

In the light of a photo, estimated from the other players' pieces (`vision.colour.illumination`), a player's
pieces may match another paint better than that of their name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scoring.calibration import load_shares
from vision.arrays import FLOOR, Floats, compute_log_softmax
from vision.colour.illumination import PAINT_SPREAD_LAB, compute_usual_paints, estimate_light, illuminate_paints
from vision.colour.likeness import LIGHTNESS, SURE
from vision.colour.prior import RARE_COLOURS, compute_lightness_weights, compute_played_odds, load_colour_weights
from vision.reading.piece import Piece

MIN_NET_PROBABILITY = 1e-3
"""Floor of the net's probability of a colour. A guess."""
MIN_NAME_NATS = -4.0
"""Minimum log odds, relative to the most likely name, of a name that is considered even if its paint matches perfectly.
Bounds time: on 42 real tables no less likely name would be chosen.
"""
MIN_PIECES = 2
"""Minimum number of pieces of a player who is renamed; `vision.colour.likeness` handles single pieces. A
guess."""
MAX_RENAMED_PLAYERS = 6
"""Maximum number of players renamed in turn, most likely first: some names are evidence for others. Bounds time."""


def rename_players(pieces: Sequence[Piece], colours: Sequence[str]) -> list[Piece]:
    """Return the pieces, with each player's renamed to another of the `colours` if that is more likely for all of them.

    Pieces with the same most likely colour are assumed to belong to one player. The probability of each name is that of
    `estimate_player_colours`, whatever the player's current name: if 2 are equally likely, only the name is arbitrary.
    The assignment of pieces to players is unchanged: the odds of both names are exchanged.
    """
    odds = np.array([piece.colours for piece in pieces]).reshape(-1, len(colours))
    for _ in range(MAX_RENAMED_PLAYERS):
        named = odds.argmax(axis=1)
        shares = _estimate_shares(pieces, named.tolist(), colours)
        player = max(shares, key=lambda name: shares[name].max() - shares[name][name], default=None)
        if player is None or (likelier := int(shares[player].argmax())) == player:
            break
        swapped = np.arange(len(colours))
        swapped[[player, likelier]] = likelier, player
        odds[named == player] = odds[named == player][:, swapped]
    return [replace(piece, colours=piece_odds) for piece, piece_odds in zip(pieces, odds, strict=True)]


def estimate_player_colours(pieces: Sequence[Piece], colours: Sequence[str]) -> list[Floats]:
    """Estimate for each piece the odds of its player's name among the `colours`.

    Pieces with the same most likely colour are assumed to belong to one player. The probability of a name combines the
    net's odds for the player's pieces, the prior of its being played, and the fit of all players' looks and names to
    one light. The light is only known if there are other players' pieces.
    """
    odds = np.eye(len(colours))
    named = [int(np.argmax(piece.colours)) for piece in pieces]
    for player, shares in _estimate_shares(pieces, named, colours).items():
        odds[player] = shares
    return [odds[name] for name in named]


def find_strange_players(pieces: Sequence[Piece], colours: Sequence[str]) -> list[bool]:
    """Return for each piece whether its player's paint is more like another than that of its name, by the spread of a
    paint or more: figures of other boxes, of plain wood, are named by the net after the most similar player.

    The light is that of the other players, of whom at least two are needed.
    """
    named = [int(np.argmax(piece.colours)) for piece in pieces]
    groups: dict[int, list[Piece]] = {}
    for piece, name in zip(pieces, named, strict=True):
        if _is_usable(piece, len(colours)):
            groups.setdefault(name, []).append(piece)
    looks = {name: np.median([piece.paint for piece in group], axis=0) for name, group in groups.items()}
    usual, weights = compute_usual_paints(colours), compute_lightness_weights(colours, LIGHTNESS)
    strange = set()
    for name, look in looks.items():
        others = [other for other in looks if other != name]
        if len(others) > 1:
            light = estimate_light(np.array([looks[other] for other in others]), usual[others])
            off = illuminate_paints(usual, light.log_gains) - look
            apart = np.linalg.norm(np.column_stack([off[:, 0] * weights, off[:, 1:]]), axis=1)
            strange |= {name} if apart[name] - apart.min() > PAINT_SPREAD_LAB else set()
    return [name in strange for name in named]


def compute_net_nats(odds: Floats, colours: Sequence[str], net_pieces: float) -> Floats:
    """Return the nats (colours,) of each name of one player from the (n, colours) odds of the pieces, which count as
    `net_pieces` of them, and from the prior of its being played.
    """
    net_nats = net_pieces * np.mean(np.log(np.maximum(odds, MIN_NET_PROBABILITY)), axis=0)
    return np.asarray(net_nats + np.log(compute_played_odds(colours)))


def _estimate_shares(pieces: Sequence[Piece], named: Sequence[int], colours: Sequence[str]) -> dict[int, Floats]:
    """Return the odds (colours,) of the name of each player with enough pieces, by the number of the current name."""
    pieces_by_name: dict[int, list[Piece]] = {}
    for piece, name in zip(pieces, named, strict=True):
        if _is_usable(piece, len(colours)):
            pieces_by_name.setdefault(name, []).append(piece)
    if len(pieces_by_name) < 2:
        return {}
    looks = np.array([np.median([piece.paint for piece in group], axis=0) for group in pieces_by_name.values()])
    usual, players = compute_usual_paints(colours), list(pieces_by_name)
    as_named = estimate_light(looks, usual[players]).nats
    net_pieces, shares = load_colour_weights().net_pieces, {}
    for number, (player, player_pieces) in enumerate(pieces_by_name.items()):
        if len(player_pieces) >= MIN_PIECES:
            net_odds = np.array([piece.said for piece in player_pieces])
            net_nats = compute_net_nats(net_odds, colours, net_pieces)
            nats = _compute_name_nats(number, players, net_nats, as_named, looks, usual)
            others = [other for other in players if other != player]
            likely = _doubt_renaming(np.exp(compute_log_softmax(nats)), net_odds, others, colours)
            shares[player] = doubt_rare_name(likely, others, colours)
    return shares


def _doubt_renaming(shares: Floats, net_odds: Floats, others: Sequence[int], colours: Sequence[str]) -> Floats:
    """Return the odds (colours,) of a player's name, mixed with the net's odds by the share of wrong renamings on
    tables of known truth.

    `net_odds` are the net's odds (n, colours) for the player's pieces; the names of `others` are taken.
    """
    nats = compute_net_nats(net_odds, colours, len(net_odds))
    nats[list(others)] = -np.inf
    wrong = load_shares("carcassonne")["renamed_wrongly"]
    return np.asarray((1 - wrong) * shares + wrong * np.exp(compute_log_softmax(nats)))


def doubt_rare_name(shares: Floats, others: Sequence[int], colours: Sequence[str]) -> Floats:
    """Return the odds (colours,) of a player's name, with extra doubt about rare colours.

    Makes of such pieces vary more than those of the base game's 5 colours. With the share of certain rare names that
    were wrong on tables of known truth, the name is another rare one that none of the `others` (numbers of `colours`)
    has, in proportion to the odds of these.
    """
    rare = [i for i, colour in enumerate(colours) if colour in RARE_COLOURS and i not in others]
    if len(rare) < 2:
        return shares
    wrong = load_shares("carcassonne")["rare_misnamed"]
    likely = shares[rare] + FLOOR
    instead = np.where(np.eye(len(rare)) > 0, 0.0, likely)
    instead /= instead.sum(axis=1, keepdims=True)
    doubted = shares.copy()
    doubted[rare] = (1 - wrong) * shares[rare] + wrong * shares[rare] @ instead
    return doubted


def _is_usable(piece: Piece, colours: int) -> bool:
    """Return whether a piece is certainly present, with a known look and known odds by the net."""
    return piece.presence > SURE and len(piece.said) == colours and bool(np.isfinite(piece.paint).all())


def _compute_name_nats(
    number: int, players: Sequence[int], net_nats: Floats, as_named: float, looks: Floats, usual: Floats
) -> Floats:
    """Return the log odds (colours,) of each name for one of the players relative to its own; -inf for the other
    players'.
    """
    nats = np.full(len(usual), -np.inf)
    nats[players[number]] = 0.0
    at_most = net_nats - net_nats[players[number]] + as_named
    for name in sorted({*range(len(usual))}.difference(players), key=lambda name: -at_most[name]):
        if at_most[name] <= nats.max() + MIN_NAME_NATS:
            break
        as_other = estimate_light(looks, usual[[*players[:number], name, *players[number + 1 :]]]).nats
        nats[name] = at_most[name] - as_other
    return np.where(at_most > nats.max() + MIN_NAME_NATS, nats, -np.inf)
