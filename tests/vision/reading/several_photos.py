"""Several photos of one laid table, each with its exact truth: from other sides, of a part, with a hand in the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from datasets.art.tileset import TileSet
from datasets.render.compositor import compose, project_top_corners
from datasets.render.photometric import photograph
from datasets.render.random_tables import Props, View, sample_camera, sample_table
from datasets.render.shots import GROUND_PX, Manner, Shot, build_label
from datasets.scene.table import LaidTile, Table
from scoring.carcassonne.board.board import Board
from vision.arrays import Image

HAND_BGR = (120, 150, 205)


@dataclass(frozen=True, slots=True)
class Part:
    """The content of one photo: the range of the board's width that it shows, and the range covered by a hand."""

    width: tuple[float, float] = (0.0, 1.0)
    hand: tuple[float, float] = (0.0, 0.0)


def shoot_several(
    board: Board, art: TileSet, tabletop: str, manner: Manner, parts: Sequence[Part], rng: np.random.Generator
) -> Iterator[Shot]:
    """Lay the board out once and photograph each part from another side.

    A photo of one part may show tiles of the others at its border; its label still holds the whole board.
    """
    props = Props.gather([art], [board], [tabletop], rng, grounds=1, ground_px=GROUND_PX)
    view = View(manner.size, elevation=manner.elevation, whole=manner.free)
    table = sample_table(props, view, rng)
    for part in parts:
        view_of_table = replace(table, camera=sample_camera(_within(table, part.width), view, rng))
        image = compose(view_of_table)
        _cover(image, view_of_table, part.hand)
        image = image if manner.strength is None else photograph(image, rng, manner.strength)
        yield Shot(image, build_label(board, view_of_table))


def _within(table: Table, width: tuple[float, float]) -> list[LaidTile]:
    """Return the tiles with their centre in that range of the board's width."""
    low, _, high, _ = table.bounds
    left, right = (low + share * (high - low) for share in width)
    return [tile for tile in table.tiles if left <= tile.corners[:, 0].mean() <= right]


def _cover(image: Image, table: Table, width: tuple[float, float]) -> None:
    """Paint a hand's colour over the tiles in that range of the board's width."""
    if width[0] < width[1]:
        for tile in _within(table, width):
            quad = np.round(project_top_corners(table, tile) * 16).astype(np.int32)
            cv2.fillConvexPoly(image, quad, HAND_BGR, cv2.LINE_AA, 4)
