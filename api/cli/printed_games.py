"""What the commands do for games of spots, and which game is meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from pydantic import ValidationError

from api.cli.output import put
from api.cli.score_table import plain_console, print_report
from api.cli.spot_table import print_spot_explanation
from api.corrections.any_game import report_with
from api.errors import ReportError
from api.explain.question import Question
from api.explain.source import is_picture
from api.explain.spot_explanation import explain_spots
from api.games.games import CARCASSONNE, SPOT_GAMES, Tables, checked_game, spot_game
from api.inputs.spots import game_in, read_set, spot_table_in, with_set
from api.reading.spots import OnceOpened, read_table
from api.render.overlay import write_annotated
from api.report.any_report import report_from_json
from api.report.several_photos import numbered
from api.report.spot_schema import SpotReport
from api.report.spot_typed import table_report
from vision.errors import InputError
from vision.photo.decoding import Photo


def chosen_game(game: str | None, photos: Sequence[Path]) -> str:
    """The game that is asked for, else the one that the photos show; raises InputError `unsupported_game`."""
    if game is not None:
        return checked_game(game)
    return OnceOpened([(path.name, partial(Photo.from_path, path)) for path in photos]).recognised(Tables())


def read_photos(
    game: str, photos: Sequence[Path], typed: Sequence[str], track: Sequence[str] = ()
) -> tuple[list[Photo], SpotReport]:
    """The photos that a table was read from, and its report; `typed` are words such as `held.red.camel=2`."""
    _refuse_track(track)
    said, opened = list(read_set(typed)), dict[str, Photo]()

    def kept(path: Path) -> Photo:
        photo = Photo.from_path(path)
        return opened.setdefault(photo.sha256, photo)

    held = read_table(Tables(), game, [(path.name, partial(kept, path)) for path in photos])
    report = report_with(held, said)
    assert isinstance(report, SpotReport)
    return [opened[photo.sha256] for photo in held.photos], report


def score_line(text: str, game: str | None, typed: Sequence[str], track: Sequence[str]) -> SpotReport | None:
    """The report of a table in one line, or in a file; None where it is one of Carcassonne.

    Raises InputError `unsupported_game`, `other_game` where it is not of the game that is asked for, ScoringError.
    """
    table = None if game is not None and checked_game(game) == CARCASSONNE else spot_table_in(text)
    if table is None:
        if game in SPOT_GAMES:
            raise InputError("other_game", details={"game": game})
        return None
    if game not in (None, table.game):
        raise InputError("other_game", details={"game": game, "is": table.game})
    _refuse_track(track)
    return table_report(with_set(table, read_set(typed)), Tables())


def show_table(
    report: SpotReport, json: Path | None, annotated: Path | None = None, photos: Sequence[Photo] = ()
) -> None:
    """Write the report and its pictures, and print the scores; raises InputError `cannot_write`."""
    pictures = [numbered(annotated, number) for number in range(1, len(photos) + 1)] if annotated else []
    for number, (picture, photo) in enumerate(zip(pictures, photos, strict=False)):
        write_annotated(picture, photo.pixels, report, number)
    if put(json, report.to_json()):
        return
    console = plain_console()
    print_report(console, report)
    for what, path in [*([("report", json)] if json else []), *(("annotated", picture) for picture in pictures)]:
        console.print(f"{what}: {path}")


def table_source(source: str, game: str | None) -> SpotReport | None:
    """The report of what an argument names: a report, a photo, a label file or a line; None where Carcassonne's."""
    path = Path(source)
    if is_picture(path):
        chosen = chosen_game(game, [path])
        return None if chosen == CARCASSONNE else read_photos(chosen, [path], ())[1]
    return spot_report_in(path) or score_line(source, game, (), ())


def explain_table(report: SpotReport, question: Question, json: Path | None) -> None:
    """Print or write the explanation of what is asked; raises QuestionError for what is not there."""
    told = explain_spots(report, question)
    if put(json, told.to_json()):
        return
    console = plain_console()
    print_spot_explanation(console, told)
    if json:
        console.print(f"explanation: {json}")


def evaluate_photos(game: str, labels: Sequence[Path], photos: Path, out: Path) -> Callable[[], None]:
    """Hold readings against labels, by the boards and components of this machine; what shows the figures."""
    from vision.evaluation.spots import evaluate_tables, show  # only `evaluate` needs it

    tables, own = Tables(), spot_game(game)
    components = own.rules.components(tables.components(game))
    evaluation = evaluate_tables(own.rules, components, tables.reader(game), labels, photos, out, own.figures)
    return partial(show, evaluation)


def spot_report_in(path: Path) -> SpotReport | None:
    """The report of a game of spots that a file holds; raises ReportError for one that is damaged."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None
    if '"schema"' not in text or game_in(text) not in SPOT_GAMES:
        return None
    try:
        report = report_from_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ReportError("bad_report", details={"file": str(path), "field": where, "reason": first["msg"]}) from error
    return report if isinstance(report, SpotReport) else None


def _refuse_track(track: Sequence[str]) -> None:
    if track:
        raise InputError("bad_usage", "In this game the track is among the spots: --set track.red=40.")
