"""Which pieces have one colour, and what is a piece: those of a player look alike, whatever the light makes of them.

A roof or a shadow may look like a piece, but seldom in just the colour of another, surer one: that counts as a third
witness beside the two nets.

What the net says of each piece by itself is weighed by what the others look like: colours have unknown means in CIE
Lab, about what their paint is in the light that the others tell of (`vision.pieces.colour_illumination`), and every
piece tells something about the means that it may have; Student's t about them, since a piece may stand in shade. Solved
by mean field, each piece's own part left out of the means that it is held against.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.arrays import Floats
from vision.photo.glare import is_washed_out
from vision.pieces.classifier import Piece, load_presence_weights, logit
from vision.pieces.colour_illumination import compute_usual_paints, estimate_light, illuminate_paints
from vision.pieces.colour_prior import compute_lightness_weights

LIGHTNESS, DARKER = 0.25, 0.5
"""What a unit of lightness counts, of one of hue: light falls on pieces as they stand. Of pieces that have one colour
with a hue, and of a place and the piece that looks most like it."""
SPREAD, LEAST_SPREAD = 10.0, 9.0
"""In Lab units: how far a player's pieces lie from their mean, before a photo's own are looked at, and at least."""
PHOTOS_OWN = 10.0
"""So many numbers, of three for a piece, a photo needs for its own spread to count as much as what was thought before:
in even light all black pieces may lie nearer together than the black and the green ones of a photo in shade."""
KNOWN = 0.5
"""A colour that fewer others have tells nothing of the spread, or of the light."""
SPREAD_ROUNDS = 3
UNKNOWN = 20.0
"""In Lab units: how far from its paint in the others' light a colour's mean may be. From 15 to 25 the lone pieces of
tables that were played (`datasets.generate --played --seed 32`) are named as well, from 35 on worse. No command prints
that again."""
DEGREES = 3.0
"""Of freedom of Student's t: a few pieces lie far off."""
SURE = 0.9
"""Who is so likely there speaks for others: dark places that are hardly pieces would say what black ones look like."""
STRAY, EVEN, ELSEWHERE = 3.0, 6.5, 0.7
"""In Lab units: how far two looks at one paint lie apart anyway, and how far at most a place that looks like a piece is
from it: a player may have one piece, and light falls on pieces as they stand, so what looks like none is none the less
likely. Of a tile: how far that piece is at least, lest one that was found twice speaks for itself."""
ENOUGH_PIECES = 2
"""Sure pieces that tell surely of a player."""
ROUNDS = 20
STEP = 0.5
"""Of each round, lest two colours change places for ever."""
SELDOM = 1e-9


def weigh_presence_by_company(pieces: Sequence[Piece], played: Floats | None = None) -> list[Piece]:
    """Return the pieces as likely as both nets, their likeness to others and the others' colours make them.

    `played` (colours,) is how often each colour is played, where their odds do not tell yet.
    """
    if not pieces:
        return []
    paints, colours = np.array([piece.paint for piece in pieces]), np.array([piece.colours for piece in pieces])
    at, presence = np.array([piece.at for piece in pieces]), np.array([piece.presence for piece in pieces])
    weights = load_presence_weights()
    together = logit(presence) + weights.likeness * compute_paint_likeness(paints, at, presence)
    if played is not None:
        colours = colours * played / (colours @ played)[:, None]
    together += weights.company * compute_colour_company(colours, at, presence)
    likely = 1 / (1 + np.exp(-together))
    return [replace(piece, presence=float(chance)) for piece, chance in zip(pieces, likely, strict=True)]


def compute_colour_company(colours: Floats, at: Floats, presence: Floats) -> Floats:
    """Return (n,) how likely each place has the colour of a player of whom sure pieces are seen elsewhere, 0 to 1.

    `colours` are (n, colours) odds, `at` (n, 2) lattice places, `presence` (n,). Who has `ENOUGH_PIECES`
    others surely plays, who has fewer in part: what is mistaken for a piece often has a colour that nobody plays.
    """
    others = np.linalg.norm(at[:, None] - at[None], axis=2) > ELSEWHERE
    named = np.eye(colours.shape[1])[colours.argmax(axis=1)] * (presence > SURE)[:, None]
    return np.asarray((colours * np.minimum((others @ named) / ENOUGH_PIECES, 1)).sum(axis=1))


def compute_paint_likeness(paints: Floats, at: Floats, presence: Floats) -> Floats:
    """Return (n,) how much each of (n, 3) paints is like that of another sure piece, from 0: not at all.

    `at` are (n, 2) lattice places, `presence` (n,). It is the logarithm of how much nearer than `EVEN` they are.
    """
    apart = np.linalg.norm((paints[:, None] - paints[None]) * (DARKER, 1, 1), axis=2)
    elsewhere = np.linalg.norm(at[:, None] - at[None], axis=2) > ELSEWHERE
    fellow = elsewhere & (presence > SURE) & (apart < EVEN)
    nearest = np.where(fellow, apart, EVEN).min(axis=1, initial=EVEN)
    return np.asarray(np.log((EVEN + STRAY) / (nearest + STRAY)))


def weigh_colours_by_likeness(pieces: Sequence[Piece], colours: Sequence[str]) -> list[Piece]:
    """Return the pieces of one photo with the odds of their `colours` as the others' looks make them.

    A piece whose own looks are not known (`paint` NaN), or washed out, stays as it is.
    """
    indices = [i for i, piece in enumerate(pieces) if np.isfinite(piece.paint).all() and not is_washed_out(piece.paint)]
    if len(indices) < 2:
        return list(pieces)
    indices.sort(key=lambda i: _order_key(pieces[i]))
    looks = np.array([pieces[i].paint for i in indices])
    named = np.log(np.array([pieces[i].colours for i in indices]) + SELDOM)
    sure = np.array([pieces[i].presence if pieces[i].presence > SURE else 0.0 for i in indices])
    means = _expected(looks, np.exp(named) * sure[:, None], colours)
    odds = _shared(looks, named, sure, means, compute_lightness_weights(colours, LIGHTNESS))
    weighed = list(pieces)
    for i, piece_odds in zip(indices, odds, strict=True):
        weighed[i] = replace(pieces[i], colours=piece_odds)
    return weighed


def _order_key(piece: Piece) -> tuple[float, ...]:
    """All that is weighed of a piece, by which pieces are sorted: sums round alike in whatever order they were found.

    Between two colours that are as likely the rounds would make the last digit of a sum grow.
    """
    return (*np.asarray(piece.paint).tolist(), *np.asarray(piece.colours).tolist(), piece.presence)


def _expected(looks: Floats, shares: Floats, colours: Sequence[str]) -> Floats:
    """(colours, 3) CIE Lab that paints have in the light that the pieces of all other colours tell of.

    (n, 3) are the pieces' looks, (n, colours) their shares of colours.
    """
    usual, number = compute_usual_paints(colours), shares.sum(axis=0)
    means = (shares.T @ looks) / np.maximum(number, SELDOM)[:, None]
    present = np.flatnonzero(number > KNOWN).tolist()
    every = estimate_light(means[present], usual[present])[0]
    lights = np.tile(every, (len(colours), 1))
    for colour in present:
        rest = [other for other in present if other != colour]
        lights[colour] = estimate_light(means[rest], usual[rest])[0]
    return np.asarray(illuminate_paints(usual, lights)[range(len(colours)), range(len(colours))])


def _shared(looks: Floats, named: Floats, speak: Floats, expected: Floats, lightness: Floats) -> Floats:
    """(n, colours) odds of pieces with (n, 3) looks and (n, colours) log odds of their own; (n,) is who speaks.

    `expected` (colours, 3) is what the colours look like as far as no piece is known to have them, `lightness`
    (colours,) what a unit of it counts for each.
    """
    odds = np.exp(named)
    for _ in range(ROUNDS):
        weighed = named + _likelihood(looks, odds * speak[:, None], expected, lightness)
        fresh = np.exp(weighed - weighed.max(axis=1, keepdims=True))
        odds = (1 - STEP) * odds + STEP * fresh / fresh.sum(axis=1, keepdims=True)
    return np.asarray(odds)


def _likelihood(looks: Floats, shares: Floats, expected: Floats, lightness: Floats) -> Floats:
    """(n, colours) log densities of the pieces' looks, up to a constant, if the others have their shares of colours."""
    others = shares.sum(axis=0) - shares
    weights = shares * (others > KNOWN)
    spread = SPREAD
    for _ in range(SPREAD_ROUNDS):
        away, room = _away(looks, shares, others, spread, expected, lightness)
        near = (DEGREES + 3) / (DEGREES + away / (spread**2 * room))
        squares = PHOTOS_OWN * SPREAD**2 + (weights * near * away / room).sum()
        spread = max(float(np.sqrt(squares / (PHOTOS_OWN + 3 * weights.sum()))), LEAST_SPREAD)
    away, room = _away(looks, shares, others, spread, expected, lightness)
    variance = spread**2 * room
    nats = np.log(lightness) - 1.5 * np.log(variance) - (DEGREES + 3) / 2 * np.log1p(away / (DEGREES * variance))
    return np.asarray(nats)


def _away(
    looks: Floats, shares: Floats, others: Floats, spread: float, expected: Floats, lightness: Floats
) -> tuple[Floats, Floats]:
    """(n, colours) squares of how far each piece is from the others' means, and variances expected there.

    These in squares of the spread: more than 1, since the means are not known for certain.
    """
    pulled = (spread / UNKNOWN) ** 2
    sums = (shares.T @ looks)[None] - shares[:, :, None] * looks[:, None]
    weight = others + pulled
    means = (sums + pulled * expected) / weight[:, :, None]
    units = np.column_stack([lightness, np.ones((len(lightness), 2))])
    return (((looks[:, None] - means) * units) ** 2).sum(axis=2), 1 + 1 / weight
