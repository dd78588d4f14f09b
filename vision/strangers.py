"""Tiles that no class of the net stands for, named by the prints that a person taught."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.carcassonne.catalogue import whole_catalogue
from scoring.carcassonne.geometry import Square
from vision.enrolments import TileKey
from vision.survey import PlacedSurvey


def stranger(placed: Sequence[PlacedSurvey], square: Square) -> tuple[TileKey, float] | None:
    """The tile of scoring's catalogue that lies on a square of no class, and how likely that is then; None for none.

    It is named by the photo that is surest. A wonder's square is not named here: it is one of five.
    """
    named = [found for own in placed if (found := _seen(own, square)) is not None]
    return max(named, key=lambda found: found[1], default=None)


def _seen(placed: PlacedSurvey, square: Square) -> tuple[TileKey, float] | None:
    beyond = placed.survey.logits.beyond
    if beyond is None or square not in placed.index:
        return None
    key, probability = beyond.named(placed.index[square])
    if key is None or key.tile not in whole_catalogue():
        return None
    return key.turned(placed.step.turns), probability
