"""The decision between tiles that differ in a coat of arms alone, doubted where a photo's coats are not recognised.

A coat of arms is the smallest mark that counts, and the one that another printing draws otherwise. A net that does not
know how an art draws it sees none nearly everywhere; where it knows it, about as many are seen as the boxes hold. All
squares of a photo together tell whether their coats can be read (two beta-binomial counts, weighed by Bayes' rule); as
far as they cannot, each square may hold either twin. The likelihood of two twins together is left as it is.
What the net says of a coat is worth less the more of the square is hidden by pieces (`vision.hidden_coats`).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.board import Placement
from scoring.carcassonne.catalogue import Catalogue, turned_layouts
from scoring.carcassonne.geometry import SIDES, turned_edge
from scoring.carcassonne.layouts import TileLayout

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
Ints = NDArray[np.int64]

SHARE = 0.45
"""Of the tiles that have a twin: those with the coat of arms, in the base game and about so in the other boxes."""
SEEN_WHERE_KNOWN, SEEN_WHERE_STRANGE = (9.0, 11.0), (1.0, 9.0)
"""Shapes a, b of the beta distributions of the share that is seen: near the boxes' own, or hardly any."""
USUALLY = 0.95
"""Of the tables: those whose coats of arms can be read."""
BARE, HIDDEN = (2.71, -1.33), (1.55, -0.35)
"""Slope and offset that make the logits of a coat of arms against none honest (Platt, 1999) where coats can be read, on
squares that no piece hides and on those that one hides most of: the temperature of all classes is that of crops in
which few can. `python -m models.calibrate_coats` fits them."""
USUALLY_HIDDEN = 0.25
"""How far a square is hidden as long as nobody has looked for pieces."""
FLOOR = 1e-12


def coat_twins(catalogue: Catalogue) -> Ints:
    """(n, 2) classes, numbered as in `turned_layouts`, that are alike but for a coat of arms; the one without first."""
    alike: dict[object, list[tuple[int, int]]] = defaultdict(list)
    for number, (tile, turns) in enumerate(turned_layouts(catalogue)):
        layout = catalogue[tile]
        alike[_but_coats(layout, turns)].append((_coats(layout), number))
    pairs = [sorted(both) for both in alike.values() if len({coats for coats, _ in both}) == len(both) == 2]
    return np.array([[number for _, number in both] for both in pairs], np.int64).reshape(-1, 2)


@dataclass(frozen=True, slots=True, eq=False)
class SeenCoats:
    """What the net says of the coats of arms of one photo's n squares.

    `odds` (n, m) are its logits of a coat against none, for each of m pairs of twins, `known` how likely the photo's
    coats can be read, `crops` (n, h, h, 3) what the net was shown.
    """

    odds: Floats
    known: float
    crops: Image

    @classmethod
    def of(cls, logits: Floats, twins: Ints, crops: Image) -> SeenCoats:
        """Of logits (n, classes), (m, 2) twins and the crops."""
        return cls(logits[:, twins[:, 1]] - logits[:, twins[:, 0]], readable(*coats_seen(logits, twins)), crops)

    def told(self, hidden: Floats) -> tuple[Floats, Floats]:
        """(n, m) how likely each twin without a coat of arms is, and each with one, as logarithms.

        `hidden` (n,) is how far pieces hide each square, 0 to 1.
        """
        honest = honest_odds(self.odds, hidden[:, None])
        return log_odds(-honest, self.known, 1 - SHARE), log_odds(honest, self.known, SHARE)


def honest_odds(
    odds: Floats, hidden: Floats, bare: Sequence[float] = BARE, covered: Sequence[float] = HIDDEN
) -> Floats:
    """(...) the net's logits of coats of arms made honest, where squares are so far hidden, 0 to 1.

    `bare` and `covered` are the slopes and offsets of squares that are not hidden and that are.
    """
    slope, offset = (least + (most - least) * hidden for least, most in zip(bare, covered, strict=True))
    return np.asarray(slope * odds + offset)


def coats_doubted(logits: Floats, twins: Ints, seen: SeenCoats) -> Floats:
    """Logits (n, classes) of one photo's squares, where what sets (m, 2) twins apart is doubted as the photo asks."""
    together = np.logaddexp(logits[:, twins[:, 0]], logits[:, twins[:, 1]])
    doubted = logits.copy()
    for column, told in zip(twins.T, seen.told(np.full(len(logits), USUALLY_HIDDEN)), strict=True):
        doubted[:, column] = together + told
    return doubted


def coats_beside_pieces(logits: Floats, twins: Ints, seen: SeenCoats, hidden: Floats) -> Floats:
    """The same logits once it is known how far, (n,), each square is hidden; they were doubted before that."""
    usual = seen.told(np.full(len(logits), USUALLY_HIDDEN))
    told = logits.copy()
    for column, before, after in zip(twins.T, usual, seen.told(hidden), strict=True):
        told[:, column] += after - before
    return told


def log_odds(logits: Floats, known: float | Floats, share: float | Floats) -> Floats:
    """(...) how likely one of two twins is, as a logarithm: by (...) logits where coats are known, else its share."""
    return np.asarray(np.log(np.maximum(known * np.exp(-np.logaddexp(0, -logits)) + (1 - known) * share, FLOOR)))


def coats_seen(logits: Floats, twins: Ints) -> tuple[int, int]:
    """The coats of arms that are seen, and the squares on which one or its twin without is likeliest."""
    likeliest = logits.argmax(axis=1)
    return int(np.isin(likeliest, twins[:, 1]).sum()), int(np.isin(likeliest, twins).sum())


def readable(coats: int, squares: int) -> float:
    """How likely a photo's coats of arms can be read, by how many are seen on squares that may hold one."""
    seen = _seen(coats, squares, *SEEN_WHERE_KNOWN) + np.log(USUALLY)
    missed = _seen(coats, squares, *SEEN_WHERE_STRANGE) + np.log(1 - USUALLY)
    return float(np.exp(seen - np.logaddexp(seen, missed)))


def _seen(coats: int, squares: int, a: float, b: float) -> float:
    """The logarithm of a beta-binomial probability, but for the binomial coefficient, which all have in common."""
    return _log_beta(coats + a, squares - coats + b) - _log_beta(a, b)


def _log_beta(a: float, b: float) -> float:
    """Not `scipy.special`'s: to import that takes each command, and each worker, a third of a second."""
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def differ_in_coats(first: Placement, second: Placement) -> bool:
    """Whether two placed tiles are alike but for a coat of arms."""
    if _coats(first.layout) == _coats(second.layout):
        return False
    return _but_coats(first.layout, first.turns) == _but_coats(second.layout, second.turns)


def _coats(layout: TileLayout) -> int:
    return sum(part.shields for part in layout.segments)


def _but_coats(layout: TileLayout, turns: int) -> object:
    """What the rules see of a placed tile, but for its coats of arms."""
    parts = Counter(
        (p.kind, frozenset(turned_edge(e, turns) for e in p.edges), p.inn, p.cathedral, p.goods, p.pig_herd)
        for p in layout.segments
    )
    return frozenset(parts.items()), tuple(layout.edge(side, turns) for side in SIDES)
