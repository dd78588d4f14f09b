"""What a whole player's pieces may be called instead: under a coloured lamp the net says the same wrong thing of all.

The light of a photo is what the other players' pieces tell of it: each paint, as it looks in even light, times one gain
for blue, green and red each (von Kries), is about what is seen. Under the light that so fits best a player's pieces may
look more like another paint than like the one they are named after.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.fellows import SURE
from vision.one_paint import SPREAD, USUAL
from vision.pieces import Piece

Floats = NDArray[np.float64]

GAINS = 0.45
"""How far the light's gains lie from one (a standard deviation of their logarithm), before any piece is looked at."""
STRAY = 0.004
"""Of white: so much light comes from the pieces' surface whatever their paint."""
WORTH = 1.5
"""What the net says of a player's pieces counts as so many pieces' say: it is the same for all."""
SAID_LEAST = 1e-3
"""The net is never surer than this that a piece is not of a colour."""
TOLD_LEAST = 0.1
"""What all other names together have less than is not told: it would be said of every piece of that player."""
HOPELESS = -4.0
"""In nats: a name that is less likely even where its paint looks just like what is seen is not looked at."""
PIECES_LEAST = 2
"""Of a piece alone `vision.fellows` tells."""
ROUNDS, STEP = 12, 1e-3
"""Of fitting the light (Levenberg-Marquardt), and by how much its slope is measured."""


def players_names(pieces: Sequence[Piece], colours: Sequence[str]) -> list[Floats]:
    """For each piece the odds of its player's name among the net's `colours`: where nothing else is likely, one name.

    Pieces are taken for one player's that have one likeliest colour. It is known where another player's are seen.
    """
    if not pieces:
        return []
    named = np.array([int(np.argmax(piece.colours)) for piece in pieces])
    odds = list(np.eye(len(colours))[named])
    known = np.array([_is_known(piece, len(colours)) for piece in pieces])
    players = sorted({*named[known].tolist()})
    if len(players) < 2:
        return odds
    own = [np.flatnonzero(known & (named == player)).tolist() for player in players]
    looks = np.array([np.median([pieces[i].paint for i in of], axis=0) for of in own])
    as_named = _unlikely(looks, _usual(players, colours))
    for number, player in enumerate(players):
        if len(own[number]) < PIECES_LEAST:
            continue
        said = np.mean([np.log(np.maximum(pieces[i].said, SAID_LEAST)) for i in own[number]], axis=0)
        nats = np.where(np.arange(len(colours)) == player, 0.0, -np.inf)
        for name in set(range(len(colours))).difference(players):
            so = WORTH * float(said[name] - said[player]) + as_named
            if so > HOPELESS:
                nats[name] = so - _unlikely(looks, _usual([*players[:number], name, *players[number + 1 :]], colours))
        shares = np.exp(nats - nats.max())
        shares /= shares.sum()
        if 1 - shares[player] >= TOLD_LEAST:
            for i in np.flatnonzero(named == player).tolist():
                odds[i] = shares
    return odds


def _is_known(piece: Piece, colours: int) -> bool:
    """Whether a piece is surely there, and what it looks like and what the net says of it are known."""
    return piece.presence > SURE and len(piece.said) == colours and bool(np.isfinite(piece.paint).all())


def _usual(names: Sequence[int], colours: Sequence[str]) -> Floats:
    """(n, 3) linear BGR of paints in even light."""
    lab = np.array([USUAL[colours[name]] for name in names], np.float32)
    linear = np.asarray(cv2.cvtColor(lab[None], cv2.COLOR_LAB2LBGR), np.float64)
    return np.asarray(np.maximum(linear[0], 0))


def _unlikely(looks: Floats, usual: Floats) -> float:
    """Nats that looks (n, 3), CIE Lab, of paints with (n, 3) linear BGR are unlikely by in the light that fits best."""

    def off(gains: Floats) -> Floats:
        lit = np.clip(usual * np.exp(gains) + STRAY, 0, 1).astype(np.float32)
        away = (looks - cv2.cvtColor(lit[None], cv2.COLOR_LBGR2LAB)[0]) / SPREAD
        return np.concatenate([away.ravel(), gains / GAINS])

    gains, damping = np.zeros(3), 1e-2
    best = off(gains)
    for _ in range(ROUNDS):
        slope = np.stack([(off(gains + STEP * way) - best) / STEP for way in np.eye(3)], axis=1)
        square = slope.T @ slope
        trial = gains - np.linalg.solve(square + damping * np.diag(np.diag(square)), slope.T @ best)
        fresh = off(trial)
        if fresh @ fresh < best @ best:
            gains, best, damping = trial, fresh, damping * 0.3
        else:
            damping *= 5
    return float(best @ best) / 2
