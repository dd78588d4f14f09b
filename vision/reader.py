"""The way of a photo: lattice, tiles, legal board, meeples. Models are loaded once, photos read many times."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.catalogue import turned_layouts
from vision.board import board_of
from vision.boxes import boxes_seen, weighed_by_boxes
from vision.catalogue import catalogue_of, twins_named
from vision.crops import shrink_to, tile_px
from vision.errors import ReadingError
from vision.islands import without_islands
from vision.lattice import Lattice
from vision.legal import LegalBoard, LegalSquare, legal_board
from vision.looking import find_lattice
from vision.meeples import find_meeples
from vision.nets import MODELS, Net
from vision.photo import Photo
from vision.reading import Reading, TileAlternative, TileReading
from vision.stands import STAND_TILE_PX
from vision.tiles import classify

Image = NDArray[np.uint8]

TILE_PX = 70.0
"""Size of a tile in the picture that squares are cut from."""
TILES_LEAST = 2
"""Fewer tiles that are read with some confidence are no board."""
SOME_CONFIDENCE = 0.5
KNOWN_SHARE_LEAST = 0.2
"""Of the squares: where fewer show a tile of the catalogue, what looks like a lattice is something else."""


class Reader:
    """Reads boards from photos; `models` is the folder with the ONNX files."""

    def __init__(self, models: Path | None = None) -> None:
        folder = models or MODELS
        self.localiser = Net(folder / "localiser.onnx")
        self.classifier = Net(folder / "classifier.onnx")
        self.finder = Net(folder / "meeples.onnx")
        self.pieces = Net(folder / "pieces.onnx")
        self.catalogue = catalogue_of(self.classifier.metadata["classes"])
        self.classes = turned_layouts(self.catalogue)

    def read(self, photo: Photo) -> Reading:
        """What lies on the table; raises ReadingError `board_not_found`."""
        watch = _Stopwatch()
        with watch("lattice"):
            lattice = self._lattice(photo.pixels)
        with watch("tiles"):
            squares = list(lattice.corners)
            quads = np.array([lattice.corners[square] for square in squares])
            image, scale = shrink_to(photo.pixels, TILE_PX / float(np.median(tile_px(quads))))
            support = np.array([lattice.support[square] for square in squares])
            logits = classify(self.classifier, image, quads * scale, support)
            likely = (logits.layouts[:, :-2].max(axis=1) >= np.log(SOME_CONFIDENCE)).sum()
            if likely < max(TILES_LEAST, KNOWN_SHARE_LEAST * len(squares)):
                raise ReadingError("board_not_found")
        with watch("legal"):
            boxes = boxes_seen(logits.layouts, self.catalogue)
            likely_tiles = weighed_by_boxes(logits.layouts, self.catalogue, boxes)
            legal = legal_board(squares, likely_tiles, self.catalogue, edge_log_probs=logits.edges)
            laid = [self._tile(square, legal, lattice) for square in legal.squares if square.choice != legal.none]
            tiles = _with_twins_named(without_islands(laid))
            if sum(t.tile is not None and t.confidence >= SOME_CONFIDENCE for t in tiles) < TILES_LEAST:
                raise ReadingError("board_not_found")
        with watch("meeples"):
            warp = lattice.warp()
            bare = Reading(photo.width, photo.height, tiles, (), warp, {})
            image, scale = shrink_to(photo.pixels, STAND_TILE_PX / float(np.median(tile_px(quads))))
            meeples, possible = find_meeples(self.finder, self.pieces, image, scale, lattice, board_of(bare))
        return Reading(photo.width, photo.height, tiles, meeples, warp, watch.laps, possible)

    def _lattice(self, pixels: Image) -> Lattice:
        lattice = find_lattice(self.localiser, pixels)
        if lattice is None:
            raise ReadingError("board_not_found")
        return lattice

    def _tile(self, square: LegalSquare, legal: LegalBoard, lattice: Lattice) -> TileReading:
        tile, turns = self._named(square.choice, legal)
        others = [(self._named(c, legal), p) for c, p in square.alternatives if c != legal.none]
        return TileReading(
            row=square.row,
            col=square.col,
            tile=tile,
            turns=turns,
            corners_px=np.roll(lattice.corners[square.row, square.col], -turns, axis=0),
            confidence=square.confidence,
            doubtful=square.doubtful or tile is None,
            alternatives=tuple(TileAlternative(t, k, p) for (t, k), p in others if t is not None),
        )

    def _named(self, choice: int, legal: LegalBoard) -> tuple[str | None, int]:
        return (None, 0) if choice >= legal.other else self.classes[choice]


def _with_twins_named(tiles: tuple[TileReading, ...]) -> tuple[TileReading, ...]:
    names = twins_named([tile.tile for tile in tiles])
    return tuple(replace(tile, tile=name) for tile, name in zip(tiles, names, strict=True))


class _Stopwatch:
    """Milliseconds a stage took, by its name."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self.laps[stage] = (time.perf_counter() - started) * 1000
