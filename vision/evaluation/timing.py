"""Durations of the stages of one reading."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Protocol

from scoring.carcassonne.final.scoring import compute_final_scoring
from vision.multiview.reading import JoinedReading
from vision.photo.decoding import Photo
from vision.reading.board import build_board
from vision.reading.values import Reading
from vision.survey.survey import Survey


class ReadsPhotos(Protocol):
    """A reader of photos: `vision.reader.Reader`."""

    def read(self, photo: Photo) -> Reading: ...


class ReadsTables(Protocol):
    """A reader of tables whose questions can be asked as well: `vision.reader.Reader`."""

    def survey(self, photo: Photo) -> Survey: ...

    def join(self, surveys: Sequence[Survey]) -> JoinedReading: ...


def measure_stage_times(photo: Photo, reading: Reading) -> dict[str, float]:
    """Measure the milliseconds of one reading by stage, in order; the board is scored to time that too."""
    started = time.perf_counter()
    compute_final_scoring(build_board(reading))
    scored = (time.perf_counter() - started) * 1000
    stages = {stage: spent for stage, spent in reading.timing_ms.items() if stage not in ("decode", "total")}
    return {"decode": photo.decode_ms, **stages, "score": scored}
