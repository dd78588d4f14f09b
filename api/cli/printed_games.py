"""What the commands do for games of spots, and which game is meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from pydantic import ValidationError

from api.cli.output import output_document
from api.cli.score_table import build_console, print_report
from api.cli.spot_table import print_spot_explanation
from api.corrections.any_game import build_snapshot_report
from api.errors import ReportError
from api.explain.question import Question
from api.explain.source import is_picture
from api.explain.spot_explanation import explain_spots
from api.games.games import CARCASSONNE, SPOT_GAMES, Tables, check_game, find_spot_game
from api.inputs.spots import apply_spot_corrections, parse_game_field, parse_spot_corrections, read_spot_table
from api.reading.spots import OnceOpened, read_table
from api.render.overlay import write_annotated_photo
from api.report.any_report import parse_report_json
from api.report.several_photos import build_numbered_path
from api.report.spot_schema import SpotReport
from api.report.spot_typed import build_typed_table_report
from vision.errors import InputError
from vision.photo.decoding import Photo


def choose_game(game: str | None, photos: Sequence[Path]) -> str:
    """The game that is asked for, else the one that the photos show; raises InputError `unsupported_game`."""
    if game is not None:
        return check_game(game)
    return OnceOpened([(path.name, partial(Photo.from_path, path)) for path in photos]).recognised(Tables())


def read_photos(
    game: str, photos: Sequence[Path], typed: Sequence[str], track: Sequence[str] = ()
) -> tuple[list[Photo], SpotReport]:
    """The photos that a table was read from, and its report; `typed` are words such as `held.red.camel=2`."""
    _refuse_track(track)
    said, opened = list(parse_spot_corrections(typed)), dict[str, Photo]()

    def kept(path: Path) -> Photo:
        photo = Photo.from_path(path)
        return opened.setdefault(photo.sha256, photo)

    held = read_table(Tables(), game, [(path.name, partial(kept, path)) for path in photos])
    report = build_snapshot_report(held, said)
    assert isinstance(report, SpotReport)
    return [opened[photo.sha256] for photo in held.photos], report


def score_typed_table(text: str, game: str | None, typed: Sequence[str], track: Sequence[str]) -> SpotReport | None:
    """The report of a table in one line, or in a file; None where it is one of Carcassonne.

    Raises InputError `unsupported_game`, `other_game` where it is not of the game that is asked for, ScoringError.
    """
    table = None if game is not None and check_game(game) == CARCASSONNE else read_spot_table(text)
    if table is None:
        if game in SPOT_GAMES:
            raise InputError("other_game", details={"game": game})
        return None
    if game not in (None, table.game):
        raise InputError("other_game", details={"game": game, "is": table.game})
    _refuse_track(track)
    return build_typed_table_report(apply_spot_corrections(table, parse_spot_corrections(typed)), Tables())


def output_spot_report(
    report: SpotReport, json: Path | None, annotated: Path | None = None, photos: Sequence[Photo] = ()
) -> None:
    """Write the report and its pictures, and print the scores; raises InputError `cannot_write`."""
    pictures = [build_numbered_path(annotated, number) for number in range(1, len(photos) + 1)] if annotated else []
    for number, (picture, photo) in enumerate(zip(pictures, photos, strict=False)):
        write_annotated_photo(picture, photo.pixels, report, number)
    if output_document(json, report.to_json()):
        return
    console = build_console()
    print_report(console, report)
    for what, path in [*([("report", json)] if json else []), *(("annotated", picture) for picture in pictures)]:
        console.print(f"{what}: {path}")


def read_table_source(source: str, game: str | None) -> SpotReport | None:
    """The report of what an argument names: a report, a photo, a label file or a line; None where Carcassonne's."""
    path = Path(source)
    if is_picture(path):
        chosen = choose_game(game, [path])
        return None if chosen == CARCASSONNE else read_photos(chosen, [path], ())[1]
    return read_spot_report(path) or score_typed_table(source, game, (), ())


def explain_table(report: SpotReport, question: Question, json: Path | None) -> None:
    """Print or write the explanation of what is asked; raises QuestionError for what is not there."""
    told = explain_spots(report, question)
    if output_document(json, told.to_json()):
        return
    console = build_console()
    print_spot_explanation(console, told)
    if json:
        console.print(f"explanation: {json}")


def evaluate_photos(game: str, labels: Sequence[Path], photos: Path, out: Path) -> Callable[[], None]:
    """Hold readings against labels, by the boards and components of this machine; what shows the figures."""
    from vision.evaluation.spots import evaluate_tables, print_evaluation  # only `evaluate` needs it

    tables, own = Tables(), find_spot_game(game)
    components = own.rules.components(tables.components(game))
    evaluation = evaluate_tables(own.rules, components, tables.reader(game), labels, photos, out, own.count_figures)
    return partial(print_evaluation, evaluation)


def read_spot_report(path: Path) -> SpotReport | None:
    """The report of a game of spots that a file holds; raises ReportError for one that is damaged."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None
    if '"schema"' not in text or parse_game_field(text) not in SPOT_GAMES:
        return None
    try:
        report = parse_report_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ReportError("bad_report", details={"file": str(path), "field": where, "reason": first["msg"]}) from error
    return report if isinstance(report, SpotReport) else None


def _refuse_track(track: Sequence[str]) -> None:
    if track:
        raise InputError("bad_usage", "In this game the track is among the spots: --set track.red=40.")
