"""Carcassonne as a `TableGame`: read tile by tile, scored by a rule set, corrected square by square."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from api.documents.corrections import Correction
from api.documents.explanation import Explanation
from api.documents.forms import list_feature_names
from api.documents.question import Question as TileQuestion
from api.documents.report import Entry, Report
from api.documents.table_options import Explained, ExplanationSource, Question, TableOptions
from api.i18n import Words
from api.i18n.report_text import (
    list_doubts_by_feature,
    translate_assumed,
    translate_doubt_sentence,
    translate_sheet_facts,
)
from api.inputs.text import load_text
from api.reading.surveys import Openers, add_lone_score_board, survey_photos
from api.reading.tools import STAGES_OF_TILES, EnrolledGames, ReadingTools
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.rulesets import TODAY, Ruleset, get_ruleset
from scoring.player_colours import COLOURS
from vision.arrays import Image as Pixels
from vision.enrolment.games import GameEnrolments
from vision.errors import EnrolmentError, ReadingError
from vision.photo.decoding import Photo

if TYPE_CHECKING:
    from rich.console import Console

    from api.carcassonne.corrections.apply import Review
    from api.carcassonne.report.snapshot import Snapshot
    from api.inputs.boards import GivenBoard
    from vision.enrolment.wonders import EnrolledWonders


@contextmanager
def _naming_shown_games(tables: EnrolledGames) -> Iterator[None]:
    """Add the games with enrolled boards to the error for a photo without a board of tiles: it may show one of them.

    Raises ReadingError.
    """
    try:
        yield
    except ReadingError as error:
        if error.code != "board_not_found" or not (names := tables.list_shown()):
            raise
        raise ReadingError(error.code, error.text, {**error.details, "boards_shown": names}) from error


class Carcassonne:
    """Implements `api.games.protocol.TableGame`; slow imports are made on first use."""

    name = "carcassonne"
    title = "Carcassonne"
    colours: Sequence[str] = COLOURS
    stages = STAGES_OF_TILES
    needs_enrolment = False
    unfit_options: Mapping[str, str] = {"set": "Carcassonne has no spots"}

    def check_readable(self, tables: EnrolledGames) -> None:
        """Do nothing: its tiles are known on every machine."""

    def read(self, openers: Openers, tools: ReadingTools, options: TableOptions) -> Snapshot:
        from api.carcassonne.report.snapshot import build_snapshot

        rules = get_ruleset(options.rules or TODAY.name)
        with tools.show_progress(len(openers)), _naming_shown_games(tools.tables):
            surveys, aside = survey_photos(tools.load_tile_reader, openers)
            reader = tools.load_tile_reader()
            joined = reader.join(surveys, options.table.boxes)
            joined, aside = add_lone_score_board(reader, joined, openers, aside)
        tools.tell("score")
        layouts = reader.board_tiles.wonders.values()
        return build_snapshot(joined, rules, options.track, aside, layouts, reader.damaged_wonders)

    def parse_snapshot(self, document: Any) -> Snapshot:
        from api.carcassonne.report.snapshot import Snapshot

        return Snapshot.model_validate(document)

    def review(self, snapshot: Snapshot, corrections: Sequence[Correction] = ()) -> Review:
        from api.carcassonne.corrections.apply import build_review

        return build_review(snapshot, corrections)

    def read_board(self, text: str, wonders: Sequence[Path] = ()) -> GivenBoard:
        from api.inputs.boards import read_given_board, read_wonders

        return read_given_board(text, read_wonders(wonders))

    def parse_board(
        self, notation: str, layouts: Sequence[Mapping[str, Any]] = (), enrolled: EnrolledWonders | None = None
    ) -> GivenBoard:
        from api.inputs.boards import GivenBoard, read_sent_wonders, refuse_damaged_layouts

        wonders = read_sent_wonders(layouts, enrolled)
        board = parse_notation(notation, wonders)
        refuse_damaged_layouts(board, wonders, enrolled)
        return GivenBoard(board)

    def score_board(self, board: GivenBoard, options: TableOptions, tables: EnrolledGames) -> Report:
        from api.carcassonne.report.builder import build_board_report
        from api.carcassonne.report.score_track import add_track_points
        from api.inputs.table_words import check_colour, check_table

        rules, track = get_ruleset(options.rules or board.rules), {**board.track, **options.track}
        names = {**board.names, **options.names}
        table = replace(
            board.table.override(options.table), players=tuple({**dict.fromkeys(board.table.players), **track, **names})
        )
        check_table(board.board, table)
        for colour in options.names:
            check_colour(colour, board.board.players)
        board_with_facts, table = table.put_on(board.board)
        report = build_board_report(board_with_facts, rules, table)
        report.names = names
        return add_track_points(report, track, rules)

    def score_report(self, text: str, options: TableOptions, tables: EnrolledGames) -> Report:
        from api.carcassonne.report.scored_anew import carry_reading
        from api.inputs.boards import parse_report_file

        report = self.score_board(self.read_board(text), options, tables)
        read = parse_report_file(load_text(text), Path(text))
        return report if read is None else carry_reading(report, read, options.track)

    def list_questions(self, review: Review, language: str = "en") -> list[TileQuestion]:
        from api.carcassonne.questions.builder import build_questions

        return build_questions(review, language)

    def explain(self, report: Report, question: Question, language: str = "en") -> Explanation:
        from api.carcassonne.explain.accounts import build_explanation
        from api.carcassonne.explain.source import Source

        return build_explanation(Source.from_report(report), question, language)[0]

    def draw_explanation(self, photo: Photo, report: Report, question: Question, language: str) -> Pixels:
        from api.carcassonne.explain.accounts import build_explanation
        from api.carcassonne.explain.source import Source
        from api.render.drawing import swap_colour_order
        from api.render.explanation import draw_explanation
        from api.render.fonts import copy_with_printable_names

        source = Source.from_report(copy_with_printable_names(report, language), photo=photo)
        explanation, answer = build_explanation(source, question, language)
        return swap_colour_order(draw_explanation(source, answer, explanation, language, close=True))

    def explain_source(self, source: ExplanationSource, question: Question, tools: ReadingTools) -> Explained:
        from api.carcassonne.explain.accounts import build_explanation
        from api.carcassonne.explain.source import read_source
        from api.render.explanation import write_explanation
        from api.render.fonts import copy_with_printable_names
        from vision.enrolment.wonders import read_wonder_files

        layouts, options = read_wonder_files(source.wonders), source.options
        table = replace(options.table, players=tuple(options.track))
        read_photo = partial(self._read_photo, tools, options)
        read = read_source(source.text, source.rules, source.photo, read_photo, layouts, table)
        read = read.type_track(options.track)
        explanation = build_explanation(read, question, source.language)[0]

        def write_picture(file: Path) -> None:
            printable = replace(read, report=copy_with_printable_names(read.report, source.language))
            explained, answer = build_explanation(printable, question, source.language)
            write_explanation(file, printable, answer, explained, source.language)

        return Explained(explanation, write_picture)

    def _read_photo(
        self, tools: ReadingTools, options: TableOptions, path: Path, rules: Ruleset
    ) -> tuple[Photo, Report]:
        """Read a photo as `score` does, with all facts stated about its table.

        A damaged enrolled layout of one of its wonders is an error, so that nothing is explained by it.
        """
        from vision.enrolment.wonders import refuse_damaged_wonders

        photo = Photo.from_path(path)
        snapshot = self.read([(path.name, lambda: photo)], tools, replace(options, rules=rules.name))
        review = self.review(snapshot, options.corrections)
        wonders = {wonder.layout.id for wonder in review.board.wonders}
        refuse_damaged_wonders(wonders, tools.load_tile_reader().board_tiles.wonders)
        return photo, review.report

    def print_explanation(self, console: Console, explanation: Explanation, language: str = "en") -> None:
        from api.carcassonne.explain.text import print_explanation

        print_explanation(console, explanation, language)

    def project_report(self, report: Report, review: Review, photo: int) -> Report:
        from api.carcassonne.report.several_photos import project_report

        return project_report(report, review.views[photo])

    def turn_report(self, report: Report, photo: int) -> Report:
        from api.carcassonne.report.several_photos import turn_report

        return turn_report(report, photo)

    def draw_report(self, report: Report) -> Report:
        from api.render.drawn_report import draw_report

        return draw_report(report)

    def annotate_photo(self, pixels: Pixels, report: Report, photo: int = 0) -> Pixels:
        """Draw a report of tiles over its own photo; the number is ignored."""
        from api.render.overlay import annotate_photo

        return annotate_photo(pixels, report)

    def list_remarks(self, report: Report) -> Iterator[str]:
        from api.i18n.remarks import list_remarks

        return list_remarks(report)

    def format_reason(self, entry: Entry) -> str:
        from api.i18n.remarks import format_reason

        return format_reason(entry)

    def label_feature(self, report: Report, id: str, words: Words) -> str:
        return list_feature_names(report).get(id, id)

    def list_sheet_facts(self, report: Report, words: Words) -> Iterator[str]:
        return translate_sheet_facts(words, report)

    def list_sheet_doubts(self, report: Report, words: Words) -> Iterator[str]:
        yield from (translate_assumed(words.language, assumed) for assumed in report.scores.assumed)
        yield from (
            translate_doubt_sentence(words, doubt, report.board.origin, report.names) for doubt in report.doubts
        )

    def list_winners(self, report: Report) -> list[str]:
        totals = [report.scores.total.get(player) for player in report.scores.final_scoring]
        most = max((total for total in totals if total is not None), default=None)
        if most is None or None in totals:
            return []
        return [player for player in report.scores.final_scoring if report.scores.total[player] == most]

    def list_doubts_by_feature(self, report: Report, words: Words) -> dict[str, list[str]]:
        return list_doubts_by_feature(words, report)

    def list_doubt_kinds(self, report: Report) -> list[str]:
        return [doubt.about for doubt in report.doubts]

    def require_tiles(self, report: Report) -> Report:
        return report

    def list_new_pieces(self, report: Report, store: GameEnrolments) -> list[str]:
        return []

    def keep_new_pieces(
        self, report: Report, store: GameEnrolments, load_photo: Callable[[int], Photo]
    ) -> dict[str, int]:
        raise EnrolmentError("pieces_not_taught", details={"game": self.name})

    def evaluate(self, labels: Sequence[Path], photos: Path, out: Path) -> Callable[[], None]:
        from api.carcassonne.questions.oracle import interview_oracle
        from vision.evaluation.tables import evaluate_photos, print_evaluation

        return partial(print_evaluation, evaluate_photos(labels, photos, out, interviewer=interview_oracle))
