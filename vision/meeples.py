"""The meeples on a board: which pieces stand there, and on which feature each does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.board import Board
from scoring.carcassonne.locate import Standing, locate
from vision.feet import possible_feet
from vision.nets import Net
from vision.pieces import Piece, name_pieces
from vision.reading import MeepleAlternative, MeepleReading, Warp
from vision.warp import to_photo

Image = NDArray[np.uint8]

PRESENCE_SURE = 0.9
"""A meeple less certain than this may be none."""
PLACE_SURE = 0.8
"""A meeple whose feature or colour is less certain than this is doubtful."""


def find_meeples(
    finder: Net, classifier: Net, image: Image, scale: float, warp: Warp, board: Board
) -> tuple[MeepleReading, ...]:
    """The meeples of a board whose lattice lies in the photo as `warp` says; `image` is the photo at `scale`."""
    rows, cols = ([square[i] for square in board.tiles] for i in (0, 1))
    feet = possible_feet(finder, image, scale, warp, (min(cols), min(rows), max(cols) + 1, max(rows) + 1))
    colours, poses = classifier.metadata["colours"], classifier.metadata["poses"]
    pieces = name_pieces(classifier, image, scale, warp, feet)
    read = (_reading(piece, board, warp, colours, poses) for piece in pieces)
    return tuple(meeple for meeple in read if meeple is not None)


def _reading(
    foot: Piece, board: Board, warp: Warp, colours: Sequence[str], poses: Sequence[str]
) -> MeepleReading | None:
    """The meeple on the feature where pose and place agree best; None for a piece beside the board."""
    square = (int(np.floor(foot.at[1])), int(np.floor(foot.at[0])))
    likely: list[tuple[float, str, Standing]] = []
    for pose, odds in zip(poses, foot.poses, strict=True):
        likely += [(odds * s.probability, pose, s) for s in locate(board, foot.at, pose)]
    if not likely:
        return _lost(foot, warp, colours, poses) if square in board.tiles else None
    odds, pose, best = max(likely, key=lambda entry: entry[0])
    place: dict[tuple[tuple[int, int], int], float] = {}
    for p, _, standing in likely:
        key = (standing.square, standing.segment)
        place[key] = place.get(key, 0.0) + p
    total = sum(place.values())
    sure = place[best.square, best.segment] / total
    others = [
        MeepleAlternative(segment, p / total)
        for (where, segment), p in sorted(place.items(), key=lambda item: -item[1])
        if where == best.square and segment != best.segment and p / total > 0.01
    ]
    if foot.presence < PRESENCE_SURE:
        others.append(MeepleAlternative(None, 1 - foot.presence))
    colour = int(np.argmax(foot.colours))
    px = to_photo(warp, np.array([foot.at]))[0]
    confidence = foot.presence * sure * float(foot.colours[colour])
    return MeepleReading(
        colour=colours[colour],
        kind="meeple",
        pose=pose,
        foot_px=(float(px[0]), float(px[1])),
        at=foot.at,
        row=best.square[0],
        col=best.square[1],
        segment=best.segment,
        confidence=confidence,
        doubtful=foot.presence < PRESENCE_SURE or sure < PLACE_SURE or foot.colours[colour] < PLACE_SURE,
        alternatives=tuple(others),
    )


def _lost(foot: Piece, warp: Warp, colours: Sequence[str], poses: Sequence[str]) -> MeepleReading:
    """A meeple on a tile that nobody knows: it scores for nothing, and is shown as a doubt."""
    px = to_photo(warp, np.array([foot.at]))[0]
    return MeepleReading(
        colour=colours[int(np.argmax(foot.colours))],
        kind="meeple",
        pose=poses[int(np.argmax(foot.poses))],
        foot_px=(float(px[0]), float(px[1])),
        at=foot.at,
        row=int(np.floor(foot.at[1])),
        col=int(np.floor(foot.at[0])),
        segment=None,
        confidence=0.0,
        doubtful=True,
    )
