"""The reader of the quays in a photo: by the common code for printed boards, and the colour in each circle."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import numpy as np

from tests.api.fourth_game.rules import QUAYS, ROWS
from vision.arrays import Image
from vision.enrolment.games import GameEnrolment
from vision.errors import ReadingError
from vision.flat_boards.board import BoardLie, EnrolledBoard
from vision.flat_boards.detector import BoardFinder, rectify_enrolled_board
from vision.flat_boards.layout import Circle, Part, read_layout, read_pictures
from vision.flat_boards.reading import SpotReading, TableReader, TableReading
from vision.photo.decoding import Photo

PX_MM = 2.0
STONES = {"red": (40, 40, 210), "blue": (210, 70, 40)}
"""BGR."""
SPREAD = 20.0


class Layout(Part):
    """The model of its `[layout]`: the quays of each row."""

    upper: tuple[Circle, Circle, Circle]
    lower: tuple[Circle, Circle, Circle]


class QuaysReader:
    """An implementation of `vision.flat_boards.reading.TableReader`."""

    def __init__(self, board: EnrolledBoard, layout: Layout) -> None:
        self.board, self.layout, self._finder = board, layout, BoardFinder(board)

    def likeness(self, photo: Photo) -> float:
        lies = self._finder.find_all(photo.halves, most=1)
        return lies[0].alike if lies else 0.0

    def read(self, photos: Sequence[Photo]) -> TableReading:
        started = time.perf_counter()
        for photo in photos:
            if lies := self._finder.find_all(photo.halves, most=1):
                spots = tuple(self._read_quays(photo, lies[0]))
                stones = {str(spot.value) for spot in spots}
                aside = tuple((other, "not_needed") for other in photos if other is not photo)
                spent = {"spots": 1000 * (time.perf_counter() - started)}
                return TableReading(
                    (photo,), tuple(colour for colour in STONES if colour in stones), spots, spent, aside
                )
        raise ReadingError("board_not_found")

    def _read_quays(self, photo: Photo, lie: BoardLie) -> Iterator[SpotReading]:
        level, _ = rectify_enrolled_board(photo.halves, lie.homography, self.board, PX_MM)
        empty = self.board.at(PX_MM)
        for row in ROWS:
            for number in range(QUAYS):
                circle: Circle = getattr(self.layout, row)[number]
                order = _rank_values(_cut_middle(level, circle), _cut_middle(empty, circle))
                (value, likely), *others = order
                yield SpotReading(
                    f"quay.{row}.{number + 1}", value, likely, tuple(others), lie.to_photo(circle.outline)
                )


def _cut_middle(picture: Image, circle: Circle) -> Image:
    x, y, reach = (round(mm * PX_MM) for mm in (*circle.at, circle.radius / 2))
    return picture[y - reach : y + reach, x - reach : x + reach]


def _rank_values(there: Image, empty: Image) -> list[tuple[str, float]]:
    colour = there.reshape(-1, 3).mean(axis=0)
    paints = {"-": empty.reshape(-1, 3).mean(axis=0), **{name: np.array(paint) for name, paint in STONES.items()}}
    near = {name: float(np.exp(-np.linalg.norm(colour - paint) / SPREAD)) for name, paint in paints.items()}
    return sorted(((name, share / sum(near.values())) for name, share in near.items()), key=lambda pair: -pair[1])


def build_reader(enrolment: GameEnrolment) -> TableReader:
    """Build the reader, as described on the page."""
    facts = read_pictures(enrolment.components)["board"]
    board = EnrolledBoard(enrolment.pictures["board"], facts.size_mm)
    return QuaysReader(board, read_layout(Layout, enrolment.components))
