"""Fit the probability of a table of Carcassonne: `python -m models.calibration.board.tables LABEL.json ... --photos DIR
--others DIR ...`.

Squares of the labelled photos are compared with what the reader takes for squares in pictures of something else (all
pictures in the folders of `--others`): a logistic regression of the shares in `vision.board.table_likelihood`, both
kinds weighing the same. The command prints the row of `[carcassonne.table]` in `models/calibration.toml`; `--write`
writes it there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from models.calibration.file import (
    FittedRow,
    TooFewCasesError,
    build_label_parser,
    collect_from_photos,
    count_tables,
    report_rows,
)
from vision.arrays import Floats
from vision.board.table_likelihood import TableLook, describe_table
from vision.errors import ReadingError
from vision.photo.decoding import Photo
from vision.reader import Reader

SCALES = (0.1, 0.5, 0.1, 0.1)
"""Differences of the shares of `TableLook` that are expected between a table and something else. A guess."""
PRIOR_SPREAD = 3.0
"""Prior standard deviation of the weight of each share in units of its scale. A guess."""
PICTURES = (".jpg", ".jpeg", ".png")


def main() -> None:
    parser = build_label_parser(__doc__)
    parser.add_argument(
        "--others", type=Path, nargs="+", required=True, metavar="DIR", help="folders of other pictures"
    )
    options = parser.parse_args()
    reader = Reader()
    ours = [*collect_from_photos(options.labels, options.photos, lambda _, file: describe_photo(reader, file))]
    others = [*describe_others(reader, options.others)]
    for name, looks in (("table", ours), ("other", others)):
        print(*(f"# {name}: {look}" for look in looks), sep="\n")
    row = map(fit_row, [ours], [others])
    report_rows("carcassonne", row, options.write, count_tables(options.labels))


def describe_photo(reader: Reader, file: Path) -> TableLook:
    """Describe the squares in a photo; raises ReadingError."""
    survey = reader.survey(Photo.from_path(file))
    everywhere = np.ones(len(survey.squares), bool)
    return describe_table(survey.squares, survey.logits, reader.square_reader.catalogue, everywhere)


def describe_others(reader: Reader, folders: Iterable[Path]) -> Iterator[TableLook]:
    """Describe the squares of all pictures in some folders; those without any are no cases."""
    for file in sorted(file for folder in folders for file in folder.rglob("*") if file.suffix in PICTURES):
        try:
            yield describe_photo(reader, file)
        except ReadingError as refused:
            print(f"# {file.name}: {refused.code}")


def fit_row(ours: Sequence[TableLook], others: Sequence[TableLook]) -> FittedRow:
    """Return the weights of the shares; raises TooFewCasesError without tables of either kind."""
    if not ours or not others:
        raise TooFewCasesError(f"ours has {len(ours)} tables and {len(others)} others and needs both")
    looks = np.array([astuple(look) for look in (*ours, *others)]) / SCALES
    signs = np.repeat([1.0, -1.0], [len(ours), len(others)])
    shares = np.repeat([0.5 / len(ours), 0.5 / len(others)], [len(ours), len(others)]) * len(looks)

    def compute_loss(parameters: Floats) -> float:
        odds = looks @ parameters[:-1] + parameters[-1]
        return float(shares @ np.logaddexp(0.0, -signs * odds) + (parameters[:-1] ** 2).sum() / PRIOR_SPREAD**2 / 2)

    bounds = [(None, 0.0)] * len(SCALES) + [(None, None)]
    *weights, offset = minimize(compute_loss, np.zeros(len(SCALES) + 1), method="L-BFGS-B", bounds=bounds).x.tolist()
    fitted = {
        name: round(weight / scale, 2) for name, weight, scale in zip(TableLook.__slots__, weights, SCALES, strict=True)
    }
    return FittedRow(
        "table", "ours", {**fitted, "offset": round(offset, 2)}, {"ours": len(ours), "others": len(others)}, len(looks)
    )


if __name__ == "__main__":
    main()
