"""Figures in their written forms: one document as JSON, a row per photo as CSV, and points and times in common."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from vision.errors import InputError

FIGURE_FILES = ("evaluation.csv", "evaluation.json", "errors.md", "errors.csv", "errors.json")
"""All files written by an evaluation; tables of printed games have only the first two."""


@contextmanager
def open_figures_folder(out: Path) -> Iterator[Path]:
    """Make a folder for figures; raises InputError `cannot_write`, also for errors of the caller's writes inside it."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        yield out
    except OSError as error:
        raise InputError("cannot_write", f"The evaluation cannot be written to {out}.", {"file": str(out)}) from error


def write_figures(out: Path, document: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> None:
    """Write evaluation.json and evaluation.csv into an existing folder."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    (out / "evaluation.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    with (out / "evaluation.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        writer.writerows(rows)


def format_points(final: Mapping[str, int]) -> str:
    """Return the points of the players in words."""
    return " ".join(f"{player} {points}" for player, points in final.items()) or "none"


def compute_median_times(times: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return the median milliseconds of each stage over the photos that were read."""
    timed = [stages for stages in times if stages]
    stages = dict.fromkeys(stage for times_of_photo in timed for stage in times_of_photo)
    return {stage: median(times_of_photo.get(stage, 0.0) for times_of_photo in timed) for stage in stages}
