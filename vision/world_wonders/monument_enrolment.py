"""Enrolment of monuments that the user named in a reading: their appearance in its photo."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

import cv2
import numpy as np

from scoring.confidence import CONFIDENCE_SURE
from scoring.world_wonders.components import Monument
from vision.arrays import Image
from vision.errors import EnrolmentError
from vision.flat_boards.board import BoardLie, EnrolledBoard, normalise_homography
from vision.flat_boards.reading import SpotReading
from vision.photo.decoding import Photo
from vision.world_wonders.layout import Grid
from vision.world_wonders.monument_features import extract_look, rectify_map
from vision.world_wonders.monuments import list_monument_pieces, may_be_monument, parse_spot_square

MIN_SQUARES = 4
"""Minimum number of squares that determine a map's pose. A guess."""
MAX_OFFSET_SQUARES = 0.2
"""Maximum distance of outlines from a map's grid; beyond it, they belong to another map. A guess."""


def extract_monument_looks(
    photo: Photo,
    spots: Sequence[SpotReading],
    cards: Mapping[str, Monument],
    map_of: Callable[[str], tuple[EnrolledBoard, Grid]],
) -> dict[str, list[Image]]:
    """Extract the looks, (h, w, 4) each, of the monuments on the certain squares of a reading.

    `spots` are those in the photo, with their outlines in it; `map_of` returns a player's map. Raises EnrolmentError
    `nothing_to_enrol`, `piece_does_not_fit`, and the errors of `map_of`.
    """
    maps: dict[str, list[SpotReading]] = defaultdict(list)
    for spot in spots:
        if spot.id.startswith("map.") and len(spot.outline_px) == 4:
            maps[spot.id.split(".")[1]].append(spot)
    looks: dict[str, list[Image]] = defaultdict(list)
    for colour, map_spots in maps.items():
        sure = [spot for spot in map_spots if spot.confidence >= CONFIDENCE_SURE]
        named = list(list_monument_pieces(sure, cards))
        if not named:
            continue
        board, grid = map_of(colour)
        view, empty = rectify_map(photo.halves, _fit_map_lie(map_spots, board, grid), board, grid)
        for name, squares in named:
            if not may_be_monument(cards[name], squares):
                details = {"piece": name, "squares": [list(square) for square in squares]}
                raise EnrolmentError("piece_does_not_fit", details=details)
            looks[name].append(extract_look(view, empty, squares))
    if not looks:
        raise EnrolmentError("nothing_to_enrol", "The reading has no monument that has a name and shows in the photo.")
    return dict(looks)


def _fit_map_lie(spots: Sequence[SpotReading], board: EnrolledBoard, grid: Grid) -> BoardLie:
    """Return a map's pose in a photo from the outlines of its squares; raises EnrolmentError `report_disagrees`."""
    at = [parse_spot_square(spot.id) for spot in spots]
    homography = None
    if len(spots) >= MIN_SQUARES and all(row < grid.rows and col < grid.cols for row, col in at):
        there = np.concatenate([grid.corners[square] for square in at])
        outlines = np.concatenate([spot.outline_px for spot in spots])
        homography = cv2.findHomography(there, outlines)[0]
    if homography is not None:
        lie = BoardLie(
            normalise_homography(np.asarray(homography, np.float64), np.array(board.size_mm) / 2), 0, 0.0, 1.0, 1.0
        )
        off = np.linalg.norm(lie.to_mm(outlines) - there, axis=1)
        if float(np.median(off)) < MAX_OFFSET_SQUARES * grid.square:
            return lie
    text = "The reading's squares are not those of the map that was enrolled: read the photo anew."
    raise EnrolmentError("report_disagrees", text)
