"""The calibration file's writer: it replaces a number, and the data the number rests on, in place."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NoReturn, TypeVar

import tomlkit
from tomlkit.items import InlineTable

from models.calibration.photographers import CasesOfTable
from scoring.calibration import CALIBRATION_FILE, FITTED_ON, WeightTable
from vision.errors import ReadingError
from vision.evaluation.labels import Truth, load_truth
from vision.evaluation.tables import find_photo
from vision.reader import Reader

Table = Literal["doubts", "shares"] | WeightTable
Collected = TypeVar("Collected")


class TooFewCasesError(ValueError):
    """Fewer cases than the numbers to be fitted, or none of a kind that they need."""


@dataclass(frozen=True, slots=True)
class FittedRow:
    """A row of a game's table by its name: the `fitted` numbers, and the data they rest on (`fitted_on`), by name.

    `cases` is the number of observations among these data; fewer than the fitted numbers do not determine them.
    """

    table: Table
    name: str
    fitted: Mapping[str, float | int]
    fitted_on: Mapping[str, float | int]
    cases: int

    @property
    def values(self) -> Mapping[str, float | int]:
        """All numbers of the row by name."""
        return {**self.fitted, **self.fitted_on}

    @property
    def has_enough_cases(self) -> bool:
        """Whether there are as many cases as fitted numbers, and at least one."""
        return self.cases >= max(len(self.fitted), 1)

    def check_cases(self) -> None:
        """Raise TooFewCasesError if the row has too few cases."""
        if not self.has_enough_cases:
            needed = max(len(self.fitted), 1)
            raise TooFewCasesError(f"{self.table}.{self.name} has {self.cases} cases and needs at least {needed}")

    def format_line(self) -> str:
        """Return the row as it is written in the calibration file."""
        return f'"{self.name}" = {_build_inline_table(self).as_string()}'


def fit_share(name: str, count: int, total: int, prior_count: float, prior_total: float, digits: int) -> FittedRow:
    """Return the share of `count` in `total` with the prior's counts added."""
    share = round((count + prior_count) / (total + prior_total), digits)
    return FittedRow("shares", name, {"share": share}, {"so": count, "of": total}, total)


def build_label_parser(description: str | None, needs_names: bool = False) -> argparse.ArgumentParser:
    """Build the parser of a command that fits numbers on labelled photos: LABEL ... --photos DIR, and `--write`.

    The first paragraph of the `description` is shown; `needs_names` as in `add_write_option`.
    """
    parser = argparse.ArgumentParser(description=(description or "").split("\n\n")[0])
    parser.add_argument("labels", type=Path, nargs="+", metavar="LABEL", help="labels of photos")
    parser.add_argument("--photos", type=Path, required=True, metavar="DIR", help="folder that holds the photos")
    add_write_option(parser, needs_names)
    return parser


def count_tables(labels: Sequence[Path]) -> dict[str, int]:
    """Return the number of labels given, and of those whose table was photographed and not drawn."""
    return {"tables": len(labels), "real_tables": sum(bool(load_truth(label).photographer) for label in labels)}


def collect_from_photos(
    labels: Iterable[Path], photos: Path, collect: Callable[[Truth, Path], Collected]
) -> Iterator[Collected]:
    """Yield the result of `collect` for each label and its photo, found under `photos`; raises InputError.

    A photo whose board is not read (ReadingError) is named in a comment and skipped.
    """
    for label in labels:
        truth = load_truth(label)
        file = find_photo(truth.photo, photos, label)
        try:
            yield collect(truth, file)
        except ReadingError as refused:
            print(f"# {truth.photo}: {refused.code}")


def fit_row_of_photos(
    description: str | None,
    collect: Callable[[Reader, Truth, Path], Iterable[Collected]],
    fit: Callable[[Sequence[Collected]], FittedRow],
    describe: Callable[[Sequence[Collected]], Iterable[str]] = lambda collected: (),
) -> None:
    """Run the command that fits one row of Carcassonne on all that `collect` yields of the labelled photos given.

    The lines of `describe` are printed before the row.
    """

    def fit_cases(tables: Sequence[CasesOfTable[Collected]]) -> FittedRow:
        cases = [case for table in tables for case in table.cases]
        for line in describe(cases):
            print(line)
        return fit(cases)

    fit_row_of_tables(description, collect, fit_cases)


def fit_row_of_tables(
    description: str | None,
    collect: Callable[[Reader, Truth, Path], Iterable[Collected]],
    fit: Callable[[Sequence[CasesOfTable[Collected]]], FittedRow],
) -> None:
    """Run the command that fits one row of Carcassonne on all that `collect` yields of each labelled photo given."""
    options = build_label_parser(description).parse_args()
    reader = Reader()
    tables = collect_from_photos(
        options.labels,
        options.photos,
        lambda truth, file: CasesOfTable(truth.photographer, tuple(collect(reader, truth, file))),
    )
    report_rows("carcassonne", map(fit, [[*tables]]), options.write, count_tables(options.labels))


def add_write_option(parser: argparse.ArgumentParser, needs_names: bool = False) -> None:
    """Add the option `--write`, whose value `report_rows` takes: None without it, else the names that follow it.

    Without names it means all rows, unless `needs_names` is set.
    """
    rows = "the rows of these names" if needs_names else "the rows, or those of these names alone,"
    parser.add_argument(
        "--write", nargs="+" if needs_names else "*", metavar="NAME", help=f"write {rows} into the calibration file"
    )


def report_rows(game: str, fits: Iterable[FittedRow], names: Collection[str] | None, tables: Mapping[str, int]) -> None:
    """Print rows of a game and write those of the `names` of `--write`: all for an empty list, none for None.

    The rows are fitted while they are iterated. `tables` are the numbers of tables behind all of them, by name, and
    become part of the data of each row. An unknown name, or too few cases for a row that is to be written or fitted,
    ends the command with exit status 2, and nothing is written.
    """
    try:
        rows = [replace(row, fitted_on={**tables, **row.fitted_on}) for row in fits]
    except TooFewCasesError as error:
        refuse(str(error))
    for row in rows:
        print(row.format_line())
    if names is None:
        return
    if unknown := sorted({*names} - {row.name for row in rows}):
        refuse(f"no row is called {', '.join(unknown)}")
    if not rows:
        refuse("there is no case for any row")
    chosen_rows = [row for row in rows if not names or row.name in names]
    try:
        unchanged = write_rows(game, chosen_rows, names)
    except TooFewCasesError as error:
        refuse(f"{error}; give more tables, or name other rows after --write")
    for row in unchanged:
        print(f"# {row.table}.{row.name} was set by hand and stays as it is: name it after --write to replace it")


def refuse(reason: str) -> NoReturn:
    """End the command with exit status 2 and a reason, before anything is written."""
    print(f"Nothing was written: {reason}.", file=sys.stderr)
    raise SystemExit(2)


def write_rows(
    game: str, rows: Sequence[FittedRow], names: Collection[str] = (), file: Path | None = None
) -> list[FittedRow]:
    """Write rows of a game into the calibration file, or another; all other rows, and its comments, stay as they are.

    A row that was set by hand (`by_hand = true`) is replaced only if it is one of the `names`; return those left alone.
    Raises TooFewCasesError, and writes nothing, if another row has too few cases (`FittedRow.check_cases`).
    """
    file = file or CALIBRATION_FILE
    document = tomlkit.parse(file.read_text(encoding="utf-8"))
    unchanged = []
    for row in rows:
        section = document[game]
        assert isinstance(section, Mapping)
        if row.name not in names and section[row.table].get(row.name, {}).get("by_hand"):
            unchanged.append(row)
        else:
            row.check_cases()
            section[row.table][row.name] = _build_inline_table(row)
    file.write_text(tomlkit.dumps(document), encoding="utf-8")
    return unchanged


def _build_inline_table(row: FittedRow) -> InlineTable:
    table = tomlkit.inline_table()
    table.update(row.fitted)
    if row.fitted_on:
        data = tomlkit.inline_table()
        data.update(row.fitted_on)
        table[FITTED_ON] = data
    return table
