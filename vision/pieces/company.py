"""Evidence of a piece's presence from the other pieces: a player's pieces look alike in any light.

A roof or a shadow may look like a piece, but seldom in exactly the colour of another, more certain piece. This is a
third source of evidence beside the 2 nets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.arrays import Floats, compute_sigmoid
from vision.colour.glare import remove_veil
from vision.colour.likeness import SURE
from vision.colour.prior import compute_played_odds
from vision.pieces.classifier import load_presence_weights, logit
from vision.reading.piece import Piece

DARKER = 0.5
"""Weight of a unit of lightness relative to one of hue between a place and its most similar piece, since light
varies with how pieces stand. A guess.
"""
STRAY, EVEN, ELSEWHERE = 3.0, 6.5, 0.7
"""Spread between 2 looks at one paint, and maximum distance of a place from a similar piece, in Lab units; minimum
distance of that piece, in tiles. A guess.

A player may have a single piece, and light varies with how pieces stand, so dissimilarity is no evidence against a
piece. The minimum distance prevents a piece found twice from supporting itself.
"""
ENOUGH_PIECES = 2
"""Number of certain pieces that fully confirm a player. A guess."""


def weigh_presence_by_company(pieces: Sequence[Piece], names: Sequence[str] = ()) -> list[Piece]:
    """Return the pieces with their presence updated by both nets, similarity to others, and the others' colours.

    `names` are those of the colours if the pieces' odds do not include the prior of each being played yet.
    """
    if not pieces:
        return []
    paints, colours = np.array([piece.paint for piece in pieces]), np.array([piece.colours for piece in pieces])
    at, presence = np.array([piece.at for piece in pieces]), np.array([piece.presence for piece in pieces])
    weights = load_presence_weights()
    together = logit(presence) + weights.likeness * compute_paint_likeness(paints, at, presence)
    if names:
        played = compute_played_odds(names)
        colours = colours * played / (colours @ played)[:, None]
    together += weights.company * compute_colour_company(colours, at, presence)
    return [
        replace(piece, presence=float(chance)) for piece, chance in zip(pieces, compute_sigmoid(together), strict=True)
    ]


def compute_colour_company(colours: Floats, at: Floats, presence: Floats) -> Floats:
    """Return the probability (n,) that each place has the colour of a player with certain pieces elsewhere, 0 to 1.

    `colours` are (n, colours) odds, `at` (n, 2) lattice places, `presence` (n,). A colour with `ENOUGH_PIECES` other
    pieces is certainly played, one with fewer partly: things mistaken for a piece often have a colour that is not in
    play.
    """
    others = np.linalg.norm(at[:, None] - at[None], axis=2) > ELSEWHERE
    named = np.eye(colours.shape[1])[colours.argmax(axis=1)] * (presence > SURE)[:, None]
    return np.asarray((colours * np.minimum((others @ named) / ENOUGH_PIECES, 1)).sum(axis=1))


def compute_paint_likeness(paints: Floats, at: Floats, presence: Floats) -> Floats:
    """Return the similarity (n,) of each of (n, 3) paints to another certain piece, at least 0.

    `at` are (n, 2) lattice places, `presence` (n,). It is the logarithm of how much closer than `EVEN` they are. A
    paint with a hue may be veiled by a lamp's reflection; a veiled black or grey is the colour of many prints.
    """
    units = np.array([DARKER, 1, 1])
    apart = np.linalg.norm((paints[:, None] - paints[None]) * units, axis=2)
    veiled = np.linalg.norm(remove_veil(paints, paints, units), axis=2)
    has_hue = np.hypot(paints[:, 1], paints[:, 2]) > EVEN + STRAY
    apart = np.where(has_hue[:, None], np.minimum(apart, veiled), apart)
    elsewhere = np.linalg.norm(at[:, None] - at[None], axis=2) > ELSEWHERE
    fellow = elsewhere & (presence > SURE) & (apart < EVEN)
    nearest = np.where(fellow, apart, EVEN).min(axis=1, initial=EVEN)
    return np.asarray(np.log((EVEN + STRAY) / (nearest + STRAY)))
