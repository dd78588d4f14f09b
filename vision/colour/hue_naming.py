"""Assignment of parts to players: parts of one hue belong to one player, and all players are named together.

In any light, a player's parts have one hue in a photo, and no two players share one. Naming their paints is a joint
decision: each name is used once, under the single light in which all paints look most like their names. The enrolled
picture of the board, to whose light a photo is normalised first, is approximately in white light.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from vision.arrays import Flags, Floats, Singles, compute_softmax
from vision.colour.illumination import PAINT_SPREAD_LAB, compute_usual_paints, estimate_light
from vision.colour.lab import convert_to_lab
from vision.flat_boards.reading import MIN_ALTERNATIVE_PROBABILITY

HUE_NAMES = ("red", "yellow", "green", "blue")
"""Names in the order of hues around the circle."""
NEUTRAL_NAME = "black"
HUE_BINS = 90
"""Number of bins of the circle of hues, which OpenCV scales to 180. A guess."""
HUE_SPREAD_BINS = 1.5
"""Standard deviation of the hues of one paint, used to smooth the histogram. A guess."""
MAX_VALLEY_SHARE = 0.65
"""Maximum height of the valley between two players' hues, relative to the lower peak. A guess."""
MAX_REACH_BINS = 7
"""Maximum distance of a player's hue from its peak. A guess."""
MAX_CLUSTERS = len(HUE_NAMES) + 1 + 1
"""Maximum number of clusters of hues: each player's, black tinted by the lamp, and one of nobody."""
NOBODY_NATS = 8.0
"""Cost of assigning a hue to no player: it is that of the board in an unusual light. A guess."""
SPLIT_NATS = 4.0
"""Cost of assigning two paints to one player: both are black, one with a slight tint of the lamp. A guess."""


@dataclass(frozen=True, slots=True)
class HueCluster:
    """A player's hue: histogram bins `first` to `last`, which may wrap around the circle, and its number of pixels."""

    first: int
    last: int
    count: int

    def select(self, hues: Singles) -> Flags:
        """Return the mask (h, w) of hues, 0 to 180, in the cluster."""
        bins = (hues * (HUE_BINS / 180)).astype(np.int32)
        return np.asarray((bins - self.first) % HUE_BINS <= (self.last - self.first) % HUE_BINS)


@dataclass(frozen=True, slots=True)
class Naming:
    """A naming of the hues: a name for each, None for one of no player, and its probability."""

    names: tuple[str | None, ...]
    probability: float


def find_hue_clusters(hues: Singles, min_count: float) -> list[HueCluster]:
    """Find the players' hues among (n,) hues, 0 to 180, of certain paint, in their order around the circle."""
    counts = np.bincount((hues * (HUE_BINS / 180)).astype(np.int32) % HUE_BINS, minlength=HUE_BINS).astype(np.float32)
    smooth = _smooth_round(counts)
    clusters: list[HueCluster] = []
    for peak in _find_peaks(smooth):
        first, last = (_find_border(smooth, peak, step) for step in (-1, 1))
        count = int(counts.take(range(first, last + 1), mode="wrap").sum())
        if count >= min_count:
            clusters.append(HueCluster(first % HUE_BINS, last % HUE_BINS, count))
    most = sorted(clusters, key=lambda cluster: -cluster.count)[:MAX_CLUSTERS]
    return sorted(most, key=lambda cluster: cluster.first)


def _smooth_round(counts: Singles) -> Singles:
    away = (np.arange(HUE_BINS) + HUE_BINS // 2) % HUE_BINS - HUE_BINS // 2
    kernel = np.exp(-(away**2) / (2 * HUE_SPREAD_BINS**2))
    spectrum = np.fft.rfft(counts) * np.fft.rfft(kernel / kernel.sum())
    return np.asarray(np.maximum(np.fft.irfft(spectrum, HUE_BINS), 0), np.float32)


def _find_peaks(smooth: Singles) -> list[int]:
    """Return the peaks that a valley separates from every higher one."""
    rising = [i for i in range(HUE_BINS) if smooth[i] > smooth[i - 1] and smooth[i] >= smooth[(i + 1) % HUE_BINS]]
    peaks: list[int] = []
    for peak in sorted(rising, key=lambda i: -smooth[i]):
        if all(_find_lowest(smooth, peak, other) < MAX_VALLEY_SHARE * smooth[peak] for other in peaks):
            peaks.append(peak)
    return peaks


def _find_lowest(smooth: Singles, one: int, other: int) -> float:
    """Return the higher of the two minima on the ways around the circle from one peak to the other."""
    along = smooth.take(range(one, one + (other - one) % HUE_BINS + 1), mode="wrap").min()
    back = smooth.take(range(other, other + (one - other) % HUE_BINS + 1), mode="wrap").min()
    return float(max(along, back))


def _find_border(smooth: Singles, peak: int, step: int) -> int:
    """Return the last bin of a peak in one direction: the minimum before the histogram rises again."""
    lowest = peak
    for reach in range(1, MAX_REACH_BINS + 1):
        place = peak + step * reach
        if smooth[place % HUE_BINS] <= smooth[lowest % HUE_BINS]:
            lowest = place
        elif smooth[lowest % HUE_BINS] < MAX_VALLEY_SHARE * min(smooth[place % HUE_BINS], smooth[peak]):
            break
    return lowest


def name_players(paints: Sequence[Floats], neutral: Sequence[Floats], black_chroma: float) -> list[Naming]:
    """Name the players with (3,) paints, BGR in the light of the board's picture, the most likely naming first.

    The paints are in the order of their hues around the circle, which no light changes. Any of them
    may be black, like the `neutral` ones. `black_chroma` is the standard deviation of the chroma of black parts in that
    light, in CIE Lab.
    """
    if not paints:
        return [Naming((), 1.0)]
    looks = convert_to_lab(np.array([*paints, *neutral])[None])[0]
    names = (*HUE_NAMES, NEUTRAL_NAME)
    usual = dict(zip(names, compute_usual_paints(names), strict=True))
    prior_nats = {way: _compute_prior_nats(way, len(neutral)) for way in _list_ways(len(paints))}
    ways, nats = sorted(prior_nats, key=lambda way: prior_nats[way]), list[float]()
    for way in ways:
        if nats and prior_nats[way] > min(nats) - math.log(MIN_ALTERNATIVE_PROBABILITY):
            break
        nats.append(prior_nats[way] + _compute_misfit_nats(way, looks, usual, black_chroma))
    shares = compute_softmax(-np.array(nats))
    order = np.argsort(-shares)
    return [Naming(ways[i], float(shares[i])) for i in order.tolist() if shares[i] >= MIN_ALTERNATIVE_PROBABILITY]


def _list_ways(count: int) -> Iterator[tuple[str | None, ...]]:
    """Yield every assignment of names to `count` hues that preserves the order around the circle.

    Any hue may be black, and one hue, or all in excess of the names, may belong to no player.
    """
    nobodys = max(1, count - len(HUE_NAMES))
    for named in range(min(count, len(HUE_NAMES)) + 1):
        for clusters in combinations(range(count), named):
            rest = [i for i in range(count) if i not in clusters]
            numbers = range(max(len(rest) - nobodys, 0), len(rest) + 1)
            others = [as_black for number in numbers for as_black in combinations(rest, number)]
            for names, turn in product(combinations(HUE_NAMES, named), range(max(named, 1))):
                by_cluster = dict(zip(clusters, names[turn:] + names[:turn], strict=True))
                for as_black in others:
                    yield tuple(NEUTRAL_NAME if i in as_black else by_cluster.get(i) for i in range(count))


def _compute_prior_nats(way: Sequence[str | None], neutral: int) -> float:
    """Return the nats against a naming of the hues beside a number of `neutral` paints, whatever they look like."""
    return NOBODY_NATS * way.count(None) + SPLIT_NATS * max(0, way.count(NEUTRAL_NAME) + neutral - 1)


def _compute_misfit_nats(
    way: Sequence[str | None], looks: Floats, usual: Mapping[str, Floats], black_chroma: float
) -> float:
    """Return the nats against the looks of the hues, followed by those of neutral paints as black, in the light that
    fits a naming best."""
    names = [*way, *[NEUTRAL_NAME] * (len(looks) - len(way))]
    named = [i for i, name in enumerate(names) if name is not None]
    paints = np.array([usual[name] for name in names if name is not None]).reshape(-1, 3)
    is_black = np.array([names[i] == NEUTRAL_NAME for i in named], bool)
    spread = np.where(is_black[:, None], (PAINT_SPREAD_LAB, black_chroma, black_chroma), PAINT_SPREAD_LAB)
    return estimate_light(looks[named], paints, spread).nats
