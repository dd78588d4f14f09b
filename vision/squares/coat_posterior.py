"""The decision between tiles that differ in a coat of arms alone, doubted if a photo's coats are not recognised.

A coat of arms is the smallest mark that counts, and the one that printings draw most differently. A net that does not
know an art's drawing of it sees none nearly everywhere; otherwise about as many are seen as the boxes hold. All squares
of a photo together show whether its coats can be read (two beta-binomial counts, weighed by Bayes' rule). To the extent
that they cannot, each square may almost equally hold the other twin. The joint probability of two twins is unchanged.

Beside the net that names tiles, another net recognises coats alone, by comparing each square with copies of the same
tile (`vision.squares.coat_classifier`); the evidence of both is combined. Neither can decide whether an unseen coat is
hidden by a piece or missing, so the occlusion is weighed as well, once pieces are found.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from scoring.calibration import load_weights
from scoring.carcassonne.doubt.kinds.tile import count_tile_coats, strip_coats
from scoring.carcassonne.tiles.catalogue import Catalogue, list_layout_turns
from scoring.carcassonne.tiles.geometry import turn_point
from vision.arrays import Floats, Ints

SEEN_WHERE_KNOWN, SEEN_WHERE_STRANGE = (9.0, 11.0), (1.0, 9.0)
"""Shapes a, b of the beta distributions of the visible share: near the boxes' own, or hardly any. A guess."""
USUALLY = 0.85
"""Prior share of tables whose coats of arms can be read. A guess."""
FLOOR = np.finfo(np.float64).eps
"""Floor that keeps logarithms finite."""
Evidence = Literal["tile_net", "both_nets", "beside_pieces", "strange"]
"""The evidence for a coat of arms: the net that names tiles alone; that and the net that recognises coats; both, and
the extent to which pieces hide the coat's place, once they are found; the net that names tiles, if coats cannot be
read."""


class CoatWeights(NamedTuple):
    """Slopes and an offset that calibrate the logits of a coat of arms against none (Platt, 1999).

    The temperature of the net that names tiles is that of crops in which few coats can be read, so its logits need a
    slope of their own.
    """

    offset: float
    tile_net: float
    coat_net: float = 0.0
    hidden: float = 0.0

    def weigh(self, tile_logits: Floats, coat_logits: Floats | float = 0.0, occlusion: Floats | float = 0.0) -> Floats:
        """Return (...) calibrated logits of coats of arms, given both nets' logits and the weighed occlusion."""
        return self.tile_net * tile_logits + self.coat_net * coat_logits + self.hidden * occlusion + self.offset


def load_coat_weights(evidence: Evidence) -> CoatWeights:
    """Return the weights of some evidence from the calibration file, fitted by `python -m models.calibration.coats`.

    Raises ScoringError `models_missing` if the file is missing.
    """
    row = load_weights("carcassonne", "coats")[evidence]
    return CoatWeights(**{name: row[name] for name in CoatWeights._fields if name in row})


def find_coat_twins(catalogue: Catalogue) -> Ints:
    """Return (n, 2) classes as in `list_layout_turns` that differ in a coat of arms; the one without first."""
    alike: dict[object, list[tuple[int, int]]] = defaultdict(list)
    for number, (tile, turns) in enumerate(list_layout_turns(catalogue)):
        layout = catalogue[tile]
        alike[strip_coats(layout, turns)].append((count_tile_coats(layout), number))
    pairs = [sorted(both) for both in alike.values() if len({coats for coats, _ in both}) == len(both) == 2]
    return np.array([[number for _, number in both] for both in pairs], np.int64).reshape(-1, 2)


def locate_coats(catalogue: Catalogue, twins: Ints) -> Floats:
    """Return (2, m, 2) the place (x, y) on the square of each coat of arms of (m, 2) twins, as the tile is turned.

    Tiles that are symmetric under the rules by half a turn have two possible places; for others both places are one.
    """
    classes = list_layout_turns(catalogue)
    ways = []
    for number in twins[:, 1].tolist():
        layout, turns = catalogue[classes[number][0]], classes[number][1]
        spot, *_ = layout.coat_spots
        ways.append([turn_point(spot, turns), turn_point(spot, turns + layout.symmetry)])
    return np.array(ways, np.float64).reshape(-1, 2, 2).transpose(1, 0, 2)


@dataclass(frozen=True, slots=True, eq=False)
class SeenCoats:
    """The nets' evidence on the coats of arms of one photo's n squares, for each of m pairs of twins.

    `tile_logits` (n, m) are the logits of a coat against none by the net that names tiles, `coat_logits` (n, m) those
    of the net that recognises coats, NaN for squares not examined; `legibility` is the probability that the photo's
    coats can be read. `hidden` (n, m) is the extent to which pieces hide the coat's place, None before pieces are
    searched for.
    """

    tile_logits: Floats
    coat_logits: Floats
    legibility: float
    hidden: Floats | None = None

    @classmethod
    def of(cls, logits: Floats, twins: Ints, coat_logits: Floats) -> SeenCoats:
        """Return the evidence of logits (n, classes), (m, 2) twins and the logits of the net of coats, (n, m)."""
        tile_logits = logits[:, twins[:, 1]] - logits[:, twins[:, 0]]
        return cls(tile_logits, coat_logits, estimate_coat_legibility(*count_coats(logits, twins)))

    @property
    def likely(self) -> tuple[Floats, Floats]:
        """The (n, m) log-probabilities of each twin without a coat of arms, and of each with one."""
        logits = calibrate_coat_logits(self.tile_logits, self.coat_logits, self.hidden)
        fallback = load_coat_weights("strange").weigh(self.tile_logits)
        return mix_log_probs(-logits, -fallback, self.legibility), mix_log_probs(logits, fallback, self.legibility)


def calibrate_coat_logits(tile_logits: Floats, coat_logits: Floats, hidden: Floats | None = None) -> Floats:
    """Return (...) calibrated logits of coats of arms, given those of the net that names tiles and of the net of coats.

    The latter's are NaN for squares not examined. `hidden` is the extent to which pieces hide the coat's place, if
    pieces were searched for.
    """
    finite = np.nan_to_num(coat_logits)
    if hidden is None:
        both = load_coat_weights("both_nets").weigh(tile_logits, finite)
    else:
        occlusion = weigh_occlusion(tile_logits, finite, hidden)
        both = load_coat_weights("beside_pieces").weigh(tile_logits, finite, occlusion)
    return np.where(np.isnan(coat_logits), load_coat_weights("tile_net").weigh(tile_logits), both)


def weigh_occlusion(tile_logits: Floats, coat_logits: Floats, hidden: Floats) -> Floats:
    """Return (...) the extent, 0 to 1, to which a coat of arms may be hidden: hardly if both nets' logits show one."""
    return np.asarray(hidden / (1 + np.exp(load_coat_weights("both_nets").weigh(tile_logits, coat_logits))))


def apply_coat_evidence(logits: Floats, twins: Ints, coats: SeenCoats) -> Floats:
    """Return logits (n, classes), with the difference between (m, 2) twins weighed by the photo's coats."""
    joint = np.logaddexp(logits[:, twins[:, 0]], logits[:, twins[:, 1]])
    doubted = logits.copy()
    for column, likely in zip(twins.T, coats.likely, strict=True):
        doubted[:, column] = joint + likely
    return doubted


def update_coat_evidence(log_probs: Floats, twins: Ints, before: SeenCoats, after: SeenCoats) -> Floats:
    """Return log-probabilities (n, classes) with the evidence on coats of arms `before` replaced by that `after`."""
    posterior = log_probs.copy()
    for column, old, new in zip(twins.T, before.likely, after.likely, strict=True):
        posterior[:, column] += new - old
    return np.asarray(posterior - np.logaddexp.reduce(posterior, axis=1, keepdims=True))


def mix_log_probs(logits: Floats, fallback: Floats, legibility: float) -> Floats:
    """Return (...) the log-probability of one of two twins: by (...) logits to the extent that the photo's coats can be
    read, else by those of the fallback."""
    likely = legibility * np.exp(-np.logaddexp(0, -logits)) + (1 - legibility) * np.exp(-np.logaddexp(0, -fallback))
    return np.asarray(np.log(np.maximum(likely, FLOOR)))


def count_coats(logits: Floats, twins: Ints) -> tuple[int, int]:
    """Count the coats of arms that are seen, and the squares on which one or its twin without is most likely."""
    likeliest = logits.argmax(axis=1)
    return int(np.isin(likeliest, twins[:, 1]).sum()), int(np.isin(likeliest, twins).sum())


def estimate_coat_legibility(coats: int, squares: int) -> float:
    """Estimate the probability that a photo's coats can be read, from the number seen on possible squares."""
    legible_log_prob = _seen(coats, squares, *SEEN_WHERE_KNOWN) + np.log(USUALLY)
    illegible_log_prob = _seen(coats, squares, *SEEN_WHERE_STRANGE) + np.log(1 - USUALLY)
    return float(np.exp(legible_log_prob - np.logaddexp(legible_log_prob, illegible_log_prob)))


def _seen(coats: int, squares: int, a: float, b: float) -> float:
    """Return the logarithm of a beta-binomial probability, without the binomial coefficient, which is common to all."""
    return _log_beta(coats + a, squares - coats + b) - _log_beta(a, b)


def _log_beta(a: float, b: float) -> float:
    """Compute the logarithm of the beta function without `scipy.special`, whose import takes a third of a second."""
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
