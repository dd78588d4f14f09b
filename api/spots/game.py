"""A game with a printed board as a `TableGame`: read, scored and corrected spot by spot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from api.documents.corrections import Correction
from api.documents.explanation import SpotExplanation
from api.documents.question import SpotQuestion
from api.documents.report import Entry
from api.documents.spot_report import SpotReport
from api.documents.table_options import Explained, ExplanationSource, Question, TableOptions
from api.i18n import Words
from api.inputs.photos import is_picture
from api.reading.surveys import Openers
from api.reading.tools import STAGES_OF_SPOTS, EnrolledGames, ReadingTools
from api.spots.builder import build_typed_table_report
from api.spots.explanation import explain_spots
from api.spots.inputs import apply_spot_corrections, build_report_snapshot, read_spot_report, read_spot_table
from api.spots.questions import build_spot_questions
from api.spots.registry import SpotGame
from api.spots.review import TableReview, build_table_review
from api.spots.snapshot import SpotSnapshot
from api.spots.tables import Tables, read_table
from api.spots.text import label_feature, translate_sheet_facts, translate_spot_doubt
from scoring.spots.text import SpotTable, parse_table
from vision.arrays import Image as Pixels
from vision.enrolment.games import GameEnrolments
from vision.errors import EnrolmentError
from vision.photo.decoding import Photo

if TYPE_CHECKING:
    from rich.console import Console

    from vision.enrolment.wonders import EnrolledWonders

_UNFIT_OPTIONS = {
    "rules": "this game has one rule set",
    "track": "this game's track is among its spots",
    "players": "the players of this game are visible on its board, or named by their colours",
    "tiles_in_play": "this game has no tiles",
    "goods": "this game has no goods tokens",
    "owner": "this game has no wonder tiles",
    "boxes": "this game is one box",
    "box_rules": "this game has no boxes with rules of their own",
}


@dataclass(frozen=True, slots=True)
class PrintedGame:
    """Implements `api.games.protocol.TableGame`; slow imports are made on first use."""

    spot_game: SpotGame

    @property
    def name(self) -> str:
        return self.spot_game.name

    @property
    def title(self) -> str:
        return self.spot_game.title

    @property
    def colours(self) -> Sequence[str]:
        return self.spot_game.rules.colours

    @property
    def stages(self) -> tuple[str, ...]:
        return STAGES_OF_SPOTS

    @property
    def needs_enrolment(self) -> bool:
        return True

    @property
    def unfit_options(self) -> Mapping[str, str]:
        return _UNFIT_OPTIONS

    def check_readable(self, tables: EnrolledGames) -> None:
        """Raise EnrolmentError `game_not_enrolled`, `bad_enrolment`, ComponentsError."""
        tables.reader(self.name)

    def read(self, openers: Openers, tools: ReadingTools, options: TableOptions) -> SpotSnapshot:
        tools.tell("board")
        snapshot = read_table(tools.tables, self.name, openers)
        tools.tell("counting")
        return snapshot

    def parse_snapshot(self, document: Any) -> SpotSnapshot:
        return SpotSnapshot.model_validate(document)

    def review(self, snapshot: SpotSnapshot, corrections: Sequence[Correction] = ()) -> TableReview:
        return build_table_review(snapshot, corrections)

    def read_board(self, text: str, wonders: Sequence[Path] = ()) -> SpotTable:
        """Read a table from a notation, or from a file with a notation or a label; raises NotationError, LabelError."""
        return read_spot_table(text)

    def parse_board(
        self, notation: str, layouts: Sequence[Mapping[str, Any]] = (), enrolled: EnrolledWonders | None = None
    ) -> SpotTable:
        return parse_table(notation)

    def score_board(self, board: SpotTable, options: TableOptions, tables: EnrolledGames) -> SpotReport:
        report = build_typed_table_report(apply_spot_corrections(board, options.spots), tables, options.nothing_more)
        report.names = dict(options.names)
        return report

    def score_report(self, text: str, options: TableOptions, tables: EnrolledGames) -> SpotReport:
        if (report := read_spot_report(Path(text))) is None:
            return self.score_board(self.read_board(text), options, tables)
        snapshot, corrections = build_report_snapshot(report, tables.components(self.name) or "")
        return self.review(snapshot, [*corrections, *options.corrections]).report

    def list_questions(self, review: TableReview, language: str = "en") -> list[SpotQuestion]:
        return build_spot_questions(review, language)

    def explain(self, report: SpotReport, question: Question, language: str = "en") -> SpotExplanation:
        return explain_spots(report, question, language)

    def draw_explanation(self, photo: Photo, report: SpotReport, question: Question, language: str) -> Pixels:
        """Draw an explanation on the photo; if the report does not name it, with the first photo's outlines."""
        from api.render.fonts import copy_with_printable_names
        from api.spots.overlay import draw_spot_explanation

        features = self.explain(report, question, language).features
        question = question if question.is_open else replace(question, features=tuple(one.id for one in features))
        report = copy_with_printable_names(report, language)
        explanation = self.explain(report, question, language)
        numbers = [number for number, info in enumerate(report.photos) if info.sha256 == photo.sha256]
        return draw_spot_explanation(photo.pixels, report, explanation, question, language, (numbers or [0])[0])

    def explain_source(self, source: ExplanationSource, question: Question, tools: ReadingTools) -> Explained:
        from api.render.drawing import write_picture
        from api.spots.overlay import find_explained_photo

        report = self._read_source(source.text, source.options, tools)
        explanation = self.explain(report, question, source.language)

        def draw(file: Path) -> None:
            photo = find_explained_photo(report, explanation, Path(source.text), source.photo)
            write_picture(file, self.draw_explanation(photo, report, question, source.language))

        return Explained(explanation, draw)

    def _read_source(self, text: str, options: TableOptions, tools: ReadingTools) -> SpotReport:
        path = Path(text)
        if is_picture(path):
            openers = [(path.name, partial(Photo.from_path, path))]
            return self.review(self.read(openers, tools, options), options.corrections).report
        if (report := read_spot_report(path)) is None:
            return self.score_board(self.read_board(text), options, tools.tables)
        is_changed = options.spots or options.nothing_more
        return self.score_report(text, options, tools.tables) if is_changed else report

    def print_explanation(self, console: Console, explanation: SpotExplanation, language: str = "en") -> None:
        from api.spots.table_text import print_spot_explanation

        print_spot_explanation(console, explanation, language)

    def project_report(self, report: SpotReport, review: TableReview, photo: int) -> SpotReport:
        """Set the report's photo, as `turn_report` does."""
        return self.turn_report(report, photo)

    def turn_report(self, report: SpotReport, photo: int) -> SpotReport:
        """Set the report's photo; spots are unchanged, since each has the number of the photo with its outline."""
        return report.model_copy(update={"photo": report.photos[photo]}) if report.photos else report

    def draw_report(self, report: SpotReport) -> SpotReport:
        from api.spots.drawn_table import draw_table

        return draw_table(report)

    def annotate_photo(self, pixels: Pixels, report: SpotReport, photo: int = 0) -> Pixels:
        from api.spots.overlay import annotate_spots

        return annotate_spots(pixels, report, photo)

    def list_remarks(self, report: SpotReport) -> Iterator[str]:
        from api.spots.table_text import list_remarks

        return list_remarks(report)

    def format_reason(self, entry: Entry) -> str:
        from api.spots.table_text import format_reason

        return format_reason(entry)

    def label_feature(self, report: SpotReport, id: str, words: Words) -> str:
        return label_feature(words, report, id)

    def list_sheet_facts(self, report: SpotReport, words: Words) -> Iterator[str]:
        return translate_sheet_facts(words, report)

    def list_sheet_doubts(self, report: SpotReport, words: Words) -> Iterator[str]:
        return (translate_spot_doubt(words.language, report, doubt) for doubt in report.doubts)

    def list_winners(self, report: SpotReport) -> list[str]:
        return list(report.scores.winners) if None not in report.scores.total.values() else []

    def list_doubts_by_feature(self, report: SpotReport, words: Words) -> dict[str, list[str]]:
        sentences = [(set(doubt.spots), translate_spot_doubt(words.language, report, doubt)) for doubt in report.doubts]
        by_feature = {f.id: [text for spots, text in sentences if spots & set(f.spots)] for f in report.features}
        return {id: texts for id, texts in by_feature.items() if texts}

    def list_doubt_kinds(self, report: SpotReport) -> list[str]:
        return ["spot"] * len(report.doubts)

    def require_tiles(self, report: SpotReport) -> NoReturn:
        raise EnrolmentError("nothing_to_enrol")

    def list_new_pieces(self, report: SpotReport, store: GameEnrolments) -> list[str]:
        from api.spots.pieces import list_new_pieces

        return list_new_pieces(store, report)

    def keep_new_pieces(
        self, report: SpotReport, store: GameEnrolments, load_photo: Callable[[int], Photo]
    ) -> dict[str, int]:
        from api.spots.pieces import keep_new_pieces

        return keep_new_pieces(store, report, load_photo)

    def evaluate(self, labels: Sequence[Path], photos: Path, out: Path) -> Callable[[], None]:
        """Evaluate readings with the boards and components of this machine."""
        from api.spots.oracle import interview_table
        from vision.evaluation.spots import evaluate_tables, print_evaluation

        tables, rules = Tables(), self.spot_game.rules
        text = tables.components(self.name) or ""
        interviewer = partial(interview_table, components=text)
        reader, figures = tables.reader(self.name), self.spot_game.count_figures
        evaluation = evaluate_tables(rules, rules.components(text), reader, labels, photos, out, figures, interviewer)
        return partial(print_evaluation, evaluation)
