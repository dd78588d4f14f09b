"""A reader of the squares of a photo's lattice: nets for tiles and coats of arms, enrolled prints, and the table
around."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from scoring.carcassonne.tiles.geometry import Square
from vision.colour.white_balance import correct_white_balance
from vision.enrolment.prints import Enrolment
from vision.localise.lattice import Lattice
from vision.photo.pyramid import Halves
from vision.runtime.onnx import Net
from vision.squares.background import apply_table_evidence
from vision.squares.catalogue import select_net_catalogue
from vision.squares.classifier import TileLogits, classify_squares, find_class_twins
from vision.squares.print_matching import References

TILE_PX = 70.0
"""Size of a tile in the picture that squares are cut from. A guess."""


class SquareReader:
    """A classifier of the squares of lattices, with two nets and the enrolled prints.

    `catalogue` has the tiles that the classifier knows, `twins` (n, 2) the indices of its classes that are alike but
    for a coat of arms. `prints` may be replaced between two readings.
    """

    def __init__(self, classifier: Net, coats: Net, enrolments: Iterable[Enrolment] = ()) -> None:
        classes = classifier.metadata["classes"]
        self.catalogue = select_net_catalogue(classes)
        self.twins = find_class_twins(tuple(classes))
        self.prints = References(enrolments, classes)
        self._classifier, self._coats = classifier, coats

    def read(self, photo: Halves, lattice: Lattice) -> TileLogits:
        """Return the logits of each square of a lattice, compared with the table around it."""
        return apply_table_evidence(self.read_alone(photo, lattice, list(lattice.corners)), photo, lattice)

    def read_alone(self, photo: Halves, lattice: Lattice, squares: Sequence[Square]) -> TileLogits:
        """Return the logits of some squares of a lattice by themselves."""
        quads = np.array([lattice.corners[square] for square in squares])
        image, scale = photo.sized(TILE_PX / lattice.tile_px)
        image = correct_white_balance(image, quads * scale)
        support = np.array([lattice.support[square] for square in squares])
        return classify_squares(self._classifier, self._coats, image, quads * scale, support, self.prints)
