"""Other names for a whole player: one doubt, although every piece of that player has it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, median

from scoring.calibration import load_shares
from scoring.player_colours import NOBODY
from vision.colour.prior import RARE_COLOURS
from vision.colour.renaming import MIN_PIECES
from vision.reading.values import MeepleAlternative, MeepleReading

ALIKE_FACTOR = 10
"""Pieces whose probabilities of being another player's differ by at most this factor look alike: either all of them
are, or none. A guess."""

PlayerNames = Mapping[tuple[str, str], float]
"""Probability of each pair of a colour that was read and another possible one."""


def find_player_names(meeples: Iterable[MeepleReading]) -> PlayerNames:
    """Return the probability that all pieces of a player have another colour, by the colour read and the other one.

    Pieces of one player look alike, so anything that makes one of them doubtful does so for all. If most of them may
    have a colour, the player may have it, with their mean probability; a colour offered by only a few pieces concerns
    these alone. Nobody has the colour only if each piece may be no player's. The colour of another player's pieces is
    no candidate, unless both colours are rare and all of the pieces may have it about equally: a reflection may then
    split one player into two.
    """
    by_colour: dict[str, list[MeepleReading]] = defaultdict(list)
    for meeple in meeples:
        by_colour[meeple.colour].append(meeple)
    names: dict[tuple[str, str], float] = {}
    for colour, pieces in by_colour.items():
        rivals = {other for other in by_colour if not {colour, other} & RARE_COLOURS}
        offered = {other for piece in pieces for other in _list_other_colours(piece)} - rivals
        for other in sorted(offered if len(pieces) >= MIN_PIECES else ()):
            likely = [_list_other_colours(piece).get(other, 0.0) for piece in pieces]
            if _may_be_all(likely, other, other in by_colour):
                names[colour, other] = fmean(likely)
    return names


def _may_be_all(likely: Sequence[float], other: str, is_read: bool) -> bool:
    """Return whether all pieces of a player may have another colour, given the probability for each."""
    if other == NOBODY:
        return min(likely) > 0
    return min(likely) * ALIKE_FACTOR >= max(likely) if is_read else median(likely) > 0


def floor_name_probability(colour: str, instead: str, names: PlayerNames, probability: float) -> float:
    """Return the probability of another name for a player, at least the error rate of sure names in rare colours.

    `names` are all candidates; if the player has a rare name, the other rare ones share that error rate.
    """
    rare = [other for name, other in names if name == colour and other in RARE_COLOURS]
    if colour not in RARE_COLOURS or instead not in rare:
        return probability
    return max(probability, load_shares("carcassonne")["rare_misnamed"] / len(rare))


def is_about_player(meeple: MeepleReading, other: MeepleAlternative, names: PlayerNames) -> bool:
    """Return whether a meeple's alternative is one of all pieces of its player."""
    return other.colour is not None and (meeple.colour, other.colour) in names


def _list_other_colours(piece: MeepleReading) -> dict[str, float]:
    """Return the probability of each other colour of a piece at its place."""
    others = ((other.colour, other.probability) for other in piece.alternatives)
    return {colour: likely for colour, likely in others if colour is not None and colour != piece.colour}
