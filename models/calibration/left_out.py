"""Read each photographer's tables with the rows that rest on photographers fitted without theirs.

    python -m models.calibration.left_out LABEL.json ... --photos DIR --out DIR

Photos that are only measured (`photos/check`) are read and never fitted on. DIR receives a calibration file for each
photographer, and the figures of `wondertally evaluate` for their tables. Rows that rest on drawn tables as well stay as
they are (`models.calibration.refit --without` fits those anew too, which takes hours).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from models.calibration import farmers
from models.calibration.doubt import JudgedTable, fit_rows, judge_tables
from models.calibration.file import FittedRow, write_rows
from models.calibration.refit import MEASURED, run_with
from scoring.calibration import CALIBRATION_FILE
from vision.evaluation.labels import load_truth
from vision.evaluation.tables import find_photo
from vision.reader import Reader

ROWS = ("tile", "kind", "gone", "crowded_none", "right_though_contradicted", "pieces", "farmers_standing")
"""Names of the rows that are fitted on real tables alone, with photographers as their witnesses."""


@dataclass(frozen=True, slots=True)
class ReadTable:
    """All that the rows need of one photo, and whether it is only measured."""

    label: Path
    is_measured: bool
    judged: JudgedTable
    pieces: farmers.PiecesOfTable


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("labels", type=Path, nargs="+", metavar="LABEL", help="labels of real photos")
    parser.add_argument("--photos", type=Path, required=True, metavar="DIR", help="folder that holds the photos")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder for the rows and figures of each photographer"
    )
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    tables = list(collect_tables(options.labels, options.photos))
    for person in sorted({table.judged.photographer for table in tables}):
        theirs = [str(table.label) for table in tables if table.judged.photographer == person]
        file = write_calibration_without(tables, person, options.out)
        arguments = [*theirs, "--photos", str(options.photos), "--out", str(options.out / person)]
        run_with(file, ["wondertally", "evaluate", *arguments])


def collect_tables(labels: Sequence[Path], photos: Path) -> Iterator[ReadTable]:
    """Read each photo, found under `photos`, with the rows in force; raises ReadingError for one without a board."""
    reader = Reader()
    for label in labels:
        truth = load_truth(label)
        file = find_photo(truth.photo, photos, label)
        (judged,) = judge_tables(reader, [label], photos)
        yield ReadTable(label, file.parent.name == MEASURED, judged, farmers.collect_pieces(reader, truth, file))


def write_calibration_without(tables: Sequence[ReadTable], person: str, folder: Path) -> Path:
    """Write the calibration file with `ROWS` fitted on the tables that a photographer did not take; return its path.

    A row for which the others have too few cases stays as it is.
    """
    others = [table for table in tables if table.judged.photographer != person and not table.is_measured]
    rows: list[FittedRow] = [
        *fit_rows([table.judged for table in others]),
        *farmers.fit_rows([table.pieces for table in others]),
    ]
    file = folder / f"{person}.toml"
    file.write_bytes(CALIBRATION_FILE.read_bytes())
    write_rows("carcassonne", [row for row in rows if row.name in ROWS and row.has_enough_cases], file=file)
    return file


if __name__ == "__main__":
    main()
