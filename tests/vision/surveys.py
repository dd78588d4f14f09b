"""Surveys of known boards: simulated logits for each square, with adjustable certainty and errors."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.tiles.catalogue import list_layout_turns, load_base_catalogue
from scoring.carcassonne.tiles.geometry import Square
from vision.geometry.lattice_transform import Step
from vision.geometry.warp import is_in_front
from vision.localise.lattice import Lattice
from vision.localise.refinement import compute_square_corners
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.squares.classifier import TileLogits
from vision.survey.survey import Survey

CATALOGUE = load_base_catalogue()
CLASSES = {name: i for i, name in enumerate(list_layout_turns(CATALOGUE))}
TILE_PX = 50.0
MARGIN_PX = 25.0


HERE = Step()


def survey_of(
    board: Board,
    step: Step = HERE,
    *,
    only: Collection[Square] | None = None,
    bare: Collection[Square] = (),
    hidden: Collection[Square] = (),
    sure: float = 0.98,
    wrong: float = 0.0,
    seed: int = 0,
    name: str = "a.jpg",
) -> Survey:
    """Return a photo from straight above of the board, or of some of its squares, in a lattice one step away.

    Its squares begin at no particular place. The share `wrong` of them is read as something else, with equal certainty.
    The lattice includes the `bare` squares too, on which no tile is seen. The picture shows `hidden` squares, but the
    lattice lacks them.
    """
    rng = np.random.default_rng(seed)
    squares = [square for square in board.tiles if only is None or square in only or square in bare]
    moved = {step.square(square): square for square in squares}
    shown = np.array([*moved, *map(step.square, hidden)])
    low, high = shown.min(0), shown.max(0) + 1
    size = (high - low) * TILE_PX + 2 * MARGIN_PX
    homography = np.array(
        [[TILE_PX, 0, MARGIN_PX - low[1] * TILE_PX], [0, TILE_PX, MARGIN_PX - low[0] * TILE_PX], [0, 0, 1]]
    )
    corners = {at: compute_square_corners(at) @ homography[:2, :2].T + homography[:2, 2] for at in moved}
    k = len(CLASSES)
    probabilities = np.full((len(moved), k + 2), (1 - sure) / (k + 1))
    for row, square in zip(probabilities, moved.values(), strict=True):
        placement = board.tiles[square]
        assert placement is not None
        turns = (placement.turns + step.turns) % placement.layout.symmetry
        choice = int(rng.integers(k)) if rng.random() < wrong else CLASSES[placement.tile, turns]
        row[-1 if square in bare else choice] = sure
    logits = TileLogits(np.log(probabilities), np.full((len(moved), 4, 4), np.log(0.25)))
    pixels = np.broadcast_to(np.uint8(0), (int(size[0]), int(size[1]), 3))
    lattice = Lattice(corners, dict.fromkeys(moved, 1.0), homography)
    assert is_in_front(lattice.warp(), np.array(list(moved), float)[:, ::-1]).all()
    return Survey(Photo(Halves(pixels), name, f"{name} {seed}", 1.0), lattice, logits, {"lattice": 1.0, "tiles": 1.0})
