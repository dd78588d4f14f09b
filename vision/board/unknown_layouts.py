"""Tiles that are no class of the net, identified by the prints that a person enrolled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.carcassonne.tiles.catalogue import load_full_catalogue
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats
from vision.board.wonders.finder import KnownArt
from vision.enrolment.prints import TileKey
from vision.survey.survey import PlacedSurvey


def identify_unknown_layout(placed: Sequence[PlacedSurvey], square: Square) -> tuple[TileKey, float] | None:
    """Find the enrolled tile on a square that no class of the net explains, and its probability; None without one.

    The surest photo decides. A wonder's square is not identified here: it is one of five.
    """
    matches = [match for survey in placed if (match := _identify_in_photo(survey, square)) is not None]
    return max(matches, key=lambda candidate: candidate[1], default=None)


def _identify_in_photo(placed: PlacedSurvey, square: Square) -> tuple[TileKey, float] | None:
    beyond = placed.survey.logits.beyond
    if beyond is None or square not in placed.index:
        return None
    key, probability = beyond.named(placed.index[square])
    if key is None or key.tile not in load_full_catalogue():
        return None
    return key.turned(placed.step.turns), probability


def collect_wonder_art(placed: Sequence[PlacedSurvey], squares: Sequence[Square]) -> KnownArt:
    """Return the evidence of wonders' enrolled prints on each square, from the most decisive photo."""
    evidence: dict[tuple[str, int, int], Floats] = {}
    for survey in placed:
        beyond = survey.survey.logits.beyond
        for column, key in enumerate(beyond.keys if beyond else ()):
            wonder, _, cell = key.tile.partition("#")
            if beyond is None or not cell:
                continue
            likelier = beyond.log_probs[:, column] - beyond.log_probs[:, -1]
            here = np.array([likelier[survey.index[s]] if s in survey.index else 0.0 for s in squares])
            name = (wonder, int(cell), key.turned(survey.step.turns).turns)
            evidence[name] = np.maximum(evidence.get(name, np.zeros(len(squares))), here)
    return evidence
