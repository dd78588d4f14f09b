"""What a whole player may be called instead: one doubt, though every piece of that player has it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from statistics import fmean, median

from scoring.calibration import load_shares
from vision.pieces.colour_prior import RARE_COLOURS
from vision.pieces.colour_renaming import MIN_PIECES
from vision.reading.values import MeepleAlternative, MeepleReading

ALIKE_FACTOR = 10
"""Pieces that may be another player's within so large a factor look alike: all of them are, or none."""

PlayerNames = Mapping[tuple[str, str], float]


def find_player_names(meeples: Iterable[MeepleReading]) -> PlayerNames:
    """Return how likely all pieces of a player have another colour, by the colour read and that other one.

    Pieces of one player look alike, so that what makes one of them doubtful does so with all. Where most of them may
    have a colour, it is the player that may, as likely as they on the average; what may be so of a few pieces is theirs
    alone. A colour that another player's pieces have is no player's name, unless few people have one of both colours
    and all of the pieces may have it about alike: then a reflection may make two players of one.
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
            if (min(likely) * ALIKE_FACTOR >= max(likely)) if other in by_colour else (median(likely) > 0):
                names[colour, other] = fmean(likely)
    return names


def floor_name_probability(colour: str, instead: str, names: PlayerNames, probability: float) -> float:
    """Return how likely a player's name is another, at least as likely as sure names that few people have are wrong.

    `names` are all that may be so; where the player has such a name, the other ones share that.
    """
    rare = [other for name, other in names if name == colour and other in RARE_COLOURS]
    if colour not in RARE_COLOURS or instead not in rare:
        return probability
    return max(probability, load_shares("carcassonne")["rare_misnamed"] / len(rare))


def is_about_player(meeple: MeepleReading, other: MeepleAlternative, names: PlayerNames) -> bool:
    """Return whether what a meeple may be instead is what all pieces of its player may be."""
    return other.colour is not None and (meeple.colour, other.colour) in names


def _list_other_colours(piece: MeepleReading) -> dict[str, float]:
    """How likely a piece has each other colour where it stands."""
    others = ((other.colour, other.probability) for other in piece.alternatives)
    return {colour: likely for colour, likely in others if colour is not None and colour != piece.colour}
