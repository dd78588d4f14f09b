"""Score boards that a person enrolled: a picture of each empty board, and the places of its spaces.

A file `NAME.npz` has `picture`, a PNG's bytes (the board alone, from straight above), `spaces` (n, 2), their middles in
millimetres from the picture's north-west corner, 0 first, `size_mm` (2,), and `metadata`, a text of JSON. Files lie in
`score-boards` in the user's data folder (`vision.enrolment.store`).
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np

from scoring.carcassonne.score_board.spaces import ScoreLayout, build_score_layout
from vision.arrays import Floats, Image
from vision.enrolment.store import NamedFiles, resolve_data_folder
from vision.flat_boards.board import EnrolledBoard

FORMAT = "wondertally/score-board/1"
MAX_SPACES = 400
"""Maximum number of spaces on a score board. Bounds memory."""


@dataclass(frozen=True, eq=False)
class TaughtScoreBoard:
    """A score board: its empty picture (h, w, 3) BGR, its size, the middles (n, 2) of its spaces, 0 first; millimetres.

    `lap` is a lap in points; `source` is the photo's file name, `made` the day (ISO 8601).
    """

    name: str
    source: str
    made: str
    picture: Image
    size_mm: tuple[float, float]
    spaces: Floats
    lap: int

    @cached_property
    def layout(self) -> ScoreLayout:
        """The board's spaces as areas."""
        return build_score_layout(self.size_mm, [(float(x), float(y)) for x, y in self.spaces], self.lap)

    @property
    def board(self) -> EnrolledBoard:
        """The board as a print that can be searched for."""
        return EnrolledBoard(self.picture, self.size_mm)


class ScoreBoards(NamedFiles[TaughtScoreBoard]):
    """The score boards in a folder, which need not exist. Raises EnrolmentError for files it cannot read or write."""

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__(folder or resolve_data_folder() / "score-boards")

    def packed(self, board: TaughtScoreBoard) -> bytes:
        """Return the bytes of a board's file, without its name."""
        metadata = {"format": FORMAT, "source": board.source, "made": board.made, "lap": board.lap}
        data = io.BytesIO()
        np.savez(
            data,
            picture=np.asarray(cv2.imencode(".png", board.picture)[1], np.uint8).ravel(),
            spaces=board.spaces,
            size_mm=np.array(board.size_mm, np.float64),
            metadata=np.array(json.dumps(metadata)),
        )
        return data.getvalue()

    def unpacked(self, name: str, data: bytes) -> TaughtScoreBoard:
        """Read a board from the bytes of `packed`; damaged data may raise any exception."""
        with np.load(io.BytesIO(data), allow_pickle=False) as parts:
            metadata = json.loads(str(parts["metadata"]))
            picture = cv2.imdecode(parts["picture"].astype(np.uint8), cv2.IMREAD_COLOR)
            spaces, (width, height) = parts["spaces"].astype(np.float64), parts["size_mm"].astype(np.float64).tolist()
        if metadata["format"] != FORMAT:
            raise ValueError("written by another version")
        source, made, lap = str(metadata["source"]), str(metadata["made"]), int(metadata["lap"])
        if picture is None or spaces.shape != (len(spaces), 2) or not 2 <= len(spaces) <= MAX_SPACES:
            raise ValueError("no score board")
        if not (
            2 <= lap <= MAX_SPACES
            and np.isfinite(spaces).all()
            and 0 < min(width, height) <= max(width, height) < np.inf
        ):
            raise ValueError("no size, spaces or laps of a score board")
        return TaughtScoreBoard(name, source, made, np.asarray(picture, np.uint8), (width, height), spaces, lap)
