"""Tiles that no class of the net stands for, named by the prints that a person taught."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.carcassonne.tiles.catalogue import load_full_catalogue
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats
from vision.board.wonders import KnownArt
from vision.enrolment.prints import TileKey
from vision.survey.survey import PlacedSurvey


def identify_unknown_layout(placed: Sequence[PlacedSurvey], square: Square) -> tuple[TileKey, float] | None:
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
    if key is None or key.tile not in load_full_catalogue():
        return None
    return key.turned(placed.step.turns), probability


def collect_wonder_art(placed: Sequence[PlacedSurvey], squares: Sequence[Square]) -> KnownArt:
    """What the prints of wonders that were taught say for each of the board's squares, in the photo that says most."""
    told: dict[tuple[str, int, int], Floats] = {}
    for own in placed:
        beyond = own.survey.logits.beyond
        for column, key in enumerate(beyond.keys if beyond else ()):
            wonder, _, cell = key.tile.partition("#")
            if beyond is None or not cell:
                continue
            likelier = beyond.log_probs[:, column] - beyond.log_probs[:, -1]
            here = np.array([likelier[own.index[s]] if s in own.index else 0.0 for s in squares])
            name = (wonder, int(cell), key.turned(own.step.turns).turns)
            told[name] = np.maximum(told.get(name, np.zeros(len(squares))), here)
    return told
