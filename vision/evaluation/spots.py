"""Readings of tables of spots held against labels: a row a photo and totals, as a table, as CSV and as JSON.

evaluation = evaluate_tables(game, components, reader, labels, photos, out)
show(evaluation)
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from scoring.errors import LabelError
from scoring.spots.game import Game
from scoring.spots.text import parse_label
from vision.errors import InputError, PhotoError, ReadingError
from vision.evaluation.intervals import format_share
from vision.evaluation.output import open_figures_folder, write_figures
from vision.evaluation.reliability import Said, summarise_reliability, summarise_share
from vision.evaluation.spot_judge import Figures, TableVerdict, Tally, Truth, count_nothing, judge_reading, judge_unread
from vision.evaluation.tables import PLAIN_WIDTH, find_photo
from vision.photo.decoding import Photo
from vision.printed.reading import TableReader

TALLIES = ("spots", "groups", "groups_amiss", "areas", "boards")
SAID_OF = {
    "spots": "read right",
    "groups": "with all spots right",
    "groups_amiss": "with a spot wrong and none marked doubtful",
    "areas": "right",
    "boards": "right on whole photos",
}


@dataclass(frozen=True, slots=True)
class TableEvaluation:
    """The verdict on every photo, in the order of the labels."""

    game: str
    verdicts: tuple[TableVerdict, ...]

    def totals(self) -> dict[str, Any]:
        """Shares with their intervals over all photos, by kind; photos that could not be read count as missed."""
        return {
            "game": self.game,
            "photos": len(self.verdicts),
            "unread": sum(bool(own.error) for own in self.verdicts),
            **{name: self._shares(name) for name in (*TALLIES, "figures")},
            "invented": sum(own.invented for own in self.verdicts),
            "finals_exact": self._share(own.final_exact for own in self.verdicts),
            "totals_exact": self._share(own.total_exact for own in self.verdicts),
            "finals_sure": self._share(own.final_sure for own in self.verdicts),
            "finals_sure_wrong": self._share(own.final_sure_wrong for own in self.verdicts),
            "totals_sure_wrong": self._share(own.total_sure_wrong for own in self.verdicts),
            "reliability": {kind: summarise_reliability(said) for kind, said in self._said().items()},
            "times_ms": _median_times(self.verdicts),
        }

    def _share(self, right: Iterable[bool]) -> dict[str, Any]:
        return summarise_share(sum(right), len(self.verdicts))

    def _shares(self, name: str) -> dict[str, Any]:
        found = _sum(getattr(own, name) for own in self.verdicts)
        order = sorted(found) if name == "figures" else list(found)
        return {kind: summarise_share(*found[kind]) for kind in order}

    def _said(self) -> dict[str, list[Said]]:
        said: dict[str, list[Said]] = {}
        for verdict in self.verdicts:
            for kind, own in verdict.said.items():
                said.setdefault(kind, []).extend(own)
        return said


def evaluate_tables(
    game: Game,
    components: Any,
    reader: TableReader,
    labels: Sequence[Path],
    photos: Path,
    out: Path,
    figures: Figures = count_nothing,
) -> TableEvaluation:
    """Read every label's photo, found under `photos`, and write evaluation.csv and evaluation.json.

    `figures` counts what is the game's own.

    A photo that shows no board, or is damaged, counts as unread. Raises InputError, LabelError, BoardError for a label
    that cannot be, ComponentsError, or PhotoError for a photo that is not there, before anything is read.
    """
    truths = [_truth(label, game, components) for label in labels]
    paths = [find_photo(truth.label.photo, photos) for truth in truths]
    found = tuple(_verdict(reader, path, truth, figures) for path, truth in zip(paths, truths, strict=True))
    evaluation = TableEvaluation(game.name, found)
    _write(evaluation, out)
    return evaluation


def print_evaluation(evaluation: TableEvaluation, console: Console | None = None) -> None:
    """Print the rows and the totals."""
    console = console or Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    table = Table(box=None, pad_edge=False)
    for name in ("photo", "spots", "areas", "final", "doubtful", "ms"):
        table.add_column(name, justify="left" if name in ("photo", "final") else "right", no_wrap=True)
    for own in evaluation.verdicts:
        name = f"{own.photo} {own.error}" if own.error else own.photo
        doubtful = "-" if own.error else "no" if own.final_sure else "yes"
        spent = f"{sum(own.times_ms.values()):.0f}" if own.times_ms else "-"
        table.add_row(name, _of(own.spots), _of(own.areas), _final(own), doubtful, spent)
    console.print(table)
    for line in _summary(evaluation.totals()):
        console.print(line, highlight=False)


def _truth(file: Path, game: Game, components: Any) -> Truth:
    try:
        label = parse_label(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError("file_not_found", details={"file": str(file)}) from error
    except (OSError, UnicodeDecodeError) as error:
        raise LabelError("bad_label", f"The label cannot be opened: {error}", file=str(file)) from error
    if label.table.game != game.name:
        raise LabelError("bad_label", f"This is a label of {label.table.game}, not of {game.name}", file=str(file))
    return Truth.of(label, game, components)


def _verdict(reader: TableReader, path: Path, truth: Truth, figures: Figures) -> TableVerdict:
    try:
        photo = Photo.from_path(path)
        reading = reader.read([photo])
    except (PhotoError, ReadingError) as error:
        return judge_unread(truth, error.code, figures)
    return judge_reading(reading, truth, photo.decode_ms, figures)


def _summary(totals: Mapping[str, Any]) -> Iterator[str]:
    for name in TALLIES:
        for kind, own in totals[name].items():
            yield f"{name}, {kind}, {SAID_OF[name]}: {_counted(own)}"
    for name, own in totals["figures"].items():
        yield f"{name}: {_counted(own)}"
    if totals["invented"]:
        yield f"spots of players that nobody is: {totals['invented']}"
    yield f"final scorings right: {_counted(totals['finals_exact'])}"
    yield f"right with what was on the track: {_counted(totals['totals_exact'])}"
    yield f"final scorings without a doubt: {_counted(totals['finals_sure'])}"
    yield f"wrong without a doubt: {_counted(totals['finals_sure_wrong'])}"
    yield f"wrong without a doubt, with what was on the track: {_counted(totals['totals_sure_wrong'])}"
    for kind, told in totals["reliability"].items():
        error = told["calibration_error"]
        said = "-" if error is None else f"{error:.2%}"
        yield f"{kind} not marked doubtful, right: {_counted(told['undoubted'])}; calibration error {said}"
    yield "median ms: " + ", ".join(f"{stage} {spent:.0f}" for stage, spent in totals["times_ms"].items())


def _counted(own: Mapping[str, Any]) -> str:
    return format_share(own["part"], own["n"])


def _of(tally: Tally) -> str:
    return f"{sum(right for right, _ in tally.values())}/{sum(all_ for _, all_ in tally.values())}"


def _final(own: TableVerdict) -> str:
    if own.error:
        return "-"
    return "yes" if own.final_exact else f"{_points(own.final_read)} for {_points(own.final_true)}"


def _points(final: Mapping[str, int]) -> str:
    return " ".join(f"{player} {points}" for player, points in final.items()) or "none"


def _sum(tallies: Iterable[Tally]) -> dict[str, tuple[int, int]]:
    summed: dict[str, tuple[int, int]] = {}
    for tally in tallies:
        for kind, (right, all_) in tally.items():
            before = summed.get(kind, (0, 0))
            summed[kind] = (before[0] + right, before[1] + all_)
    return summed


def _median_times(verdicts: Iterable[TableVerdict]) -> dict[str, float]:
    timed = [own.times_ms for own in verdicts if own.times_ms]
    stages = dict.fromkeys(stage for times in timed for stage in times)
    return {stage: median(times.get(stage, 0.0) for times in timed) for stage in stages}


def _write(evaluation: TableEvaluation, out: Path) -> None:
    told = [asdict(replace(own, said={})) for own in evaluation.verdicts]
    for own in told:
        del own["said"]
    document = {"totals": evaluation.totals(), "photos": told}
    with open_figures_folder(out):
        write_figures(out, document, [_row(own) for own in evaluation.verdicts])


def _row(own: TableVerdict) -> dict[str, Any]:
    """A row of the CSV: for each kind how many are as it is called and how many there are, points as words."""
    tallies = {
        f"{name} {kind} {what}": count
        for name in (*TALLIES, "figures")
        for kind, pair in getattr(own, name).items()
        for what, count in zip(("part", "all"), pair, strict=True)
    }
    return {
        "photo": own.photo,
        "error": own.error,
        **tallies,
        "invented": own.invented,
        "final_true": _points(own.final_true),
        "final_read": _points(own.final_read),
        "final_exact": own.final_exact,
        "total_exact": own.total_exact,
        "doubtful": not own.final_sure,
        "final_sure_wrong": own.final_sure_wrong,
        "total_sure_wrong": own.total_sure_wrong,
        "confidence": own.final_confidence,
        "wrong": " ".join(own.wrong),
        **{f"ms_{stage}": round(spent, 1) for stage, spent in own.times_ms.items()},
        **{f"about {key}": value for key, value in own.about.items()},
    }
