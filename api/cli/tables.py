"""Commands for a table of any game: the choice of the game, reading, scoring and output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from api.cli.output import output_document
from api.cli.terminal import build_console, print_report
from api.documents.forms import AnyReport
from api.documents.table_options import TableOptions, list_table_facts
from api.games.protocol import TableGame, find_unfit_option
from api.games.recognition import OnceOpened
from api.games.registry import find_game_of_source
from api.games.sheets import write_annotated_photo
from api.inputs.photos import find_all_photos, is_picture, open_photo
from api.inputs.table_words import parse_track_points
from api.inputs.text import is_report_text, load_text
from api.reading.tools import ReadingTools
from api.spots.inputs import parse_spot_corrections, read_value_words
from scoring.carcassonne.final.rulesets import get_ruleset
from scoring.carcassonne.final.table import Table
from vision.errors import InputError
from vision.photo.decoding import Photo

_REFUSALS = {
    "track": "In this game the track is a spot: --set track.red=40.",
    "set": "--set, --values and --nothing-more are for games with a printed board.",
    "players": "--players is for Carcassonne: in this game the board shows the players.",
    "tiles_in_play": "--tiles-in-play is for Carcassonne: this game has no tiles.",
    "goods": "--goods is for Carcassonne: this game has no goods tokens.",
    "owner": "--owner is for Carcassonne: this game has no wonder tiles.",
    "boxes": "--boxes is for Carcassonne: this game is one box.",
    "box_rules": "--box-rules is for Carcassonne: this game has no boxes with rules of their own.",
}


def choose_source_game(source: str, game: str | None, tools: ReadingTools) -> TableGame:
    """Choose the game of an argument: a photo, a report, a label file or a line.

    Raises InputError `unsupported_game`, `other_game`.
    """
    path = Path(source)
    if is_picture(path):
        photo = OnceOpened([(path.name, partial(open_photo, path))])
        return photo.choose_game(game, tools.tables)
    return find_game_of_source(source, game)


@dataclass(frozen=True, slots=True)
class TypedOptions:
    """Typed options beside photos or a board: the rule set, words such as `blue=90`, and facts about the table."""

    rules: str | None
    track: Sequence[str]
    spots: Sequence[str]
    table: Table = field(default_factory=Table)
    nothing_more: bool = False

    def parse(self, game: TableGame) -> TableOptions:
        """Parse the options for a table of a game.

        Raises InputError `bad_usage` for options that the game does not have, `unknown_rules`, TrackError,
        CorrectionError.
        """
        if self.rules is not None:
            get_ruleset(self.rules)
        spot_words = self.spots or self.nothing_more
        if option := find_unfit_option(game, {"track": self.track, "set": spot_words, **list_table_facts(self.table)}):
            raise InputError("bad_usage", _REFUSALS[option])
        track, spots = parse_track_points(self.track), tuple(parse_spot_corrections(self.spots))
        return TableOptions(self.rules, track, spots, self.nothing_more, table=self.table)


def list_spot_words(values: Path | None, words: Sequence[str] | None) -> list[str]:
    """List the words about spots: those of a file, then those typed, which override them.

    Raises InputError `file_not_found`.
    """
    return [*([] if values is None else read_value_words(values)), *(words or ())]


def score_photos(
    photos: Sequence[Path],
    game: str | None,
    typed: TypedOptions,
    tools: ReadingTools,
    annotated: Path | None = None,
    given: Sequence[Path] = (),
) -> tuple[AnyReport, list[Path]]:
    """Score the photos of one table; return the report and the pictures written, `annotated` first.

    A report in place of photos is scored again without reading photos; `given` are its photos if they are not beside
    it. Raises WondertallyError, ScoringError.
    """
    if len(photos) == 1 and not is_picture(photos[0]) and is_report_text(load_text(str(photos[0]))):
        return _score_report(photos[0], game, typed, tools, annotated, given)
    if given:
        raise InputError("bad_usage", "--photo names the photo of a REPORT.")
    opened: dict[str, Photo] = {}

    def open_once(path: Path) -> Photo:
        photo = open_photo(path)
        return opened.setdefault(photo.sha256, photo)

    table = OnceOpened([(path.name, partial(open_once, path)) for path in photos])
    is_printed = bool(typed.spots or typed.nothing_more)
    choose_game = table.choose_printed_game if is_printed else table.choose_game
    chosen = choose_game(game, tools.tables)
    options = typed.parse(chosen)
    snapshot = chosen.read(table.openers, tools, options)
    review = chosen.review(snapshot, options.corrections)
    numbers = range(len(snapshot.photos))
    pictures = [] if annotated is None else [_build_numbered_path(annotated, number + 1) for number in numbers]
    for number, (picture, photo) in enumerate(zip(pictures, snapshot.photos, strict=False)):
        projected = chosen.project_report(review.report, review, number)
        write_annotated_photo(picture, opened[photo.sha256].pixels, projected, number)
    return review.report, pictures


def _score_report(
    file: Path,
    game: str | None,
    typed: TypedOptions,
    tools: ReadingTools,
    annotated: Path | None,
    given: Sequence[Path],
) -> tuple[AnyReport, list[Path]]:
    """Score a report again, and draw it over its photos that are `given` or lie beside it.

    Raises EnrolmentError `photo_wanted` if no photo to draw on is found, QuestionError `wrong_photo`, ReportError,
    CorrectionError.
    """
    chosen = find_game_of_source(str(file), game)
    report = chosen.score_report(str(file), typed.parse(chosen), tools.tables)
    if annotated is None:
        return report, []
    pictures = []
    for number, photo in enumerate(find_all_photos(report.photos or [report.photo], file, given)):
        pictures.append(_build_numbered_path(annotated, number + 1))
        write_annotated_photo(pictures[-1], photo.pixels, chosen.turn_report(report, number), number)
    return report, pictures


def output_report(report: AnyReport, json: Path | None, pictures: Sequence[Path] = ()) -> None:
    """Write the report, and print the scores and the files written; raises InputError `cannot_write`."""
    if output_document(json, report.to_json()):
        return
    console = build_console()
    print_report(console, report)
    for what, path in [*([("report", json)] if json else []), *(("annotated", picture) for picture in pictures)]:
        console.print(f"{what}: {path}")


def _build_numbered_path(path: Path, number: int) -> Path:
    """Build the path of the picture of a further photo, beside the first one: `score.jpg`, `score-2.jpg`."""
    return path if number == 1 else path.with_stem(f"{path.stem}-{number}")
