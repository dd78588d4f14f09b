"""The interface between the front doors and every game.

A front door looks up a game by its name, a snapshot or a report in `api.games.registry` and calls it; none branches on
the game. A game's own objects (a board, a snapshot, a review, a report) are only ever passed back to that game: such
parameters have the type Any here, and the game's own type in its implementation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from api.reading.surveys import Openers
from scoring.carcassonne.final.table import Table

if TYPE_CHECKING:
    from rich.console import Console

    from api.documents.corrections import Correction
    from api.documents.forms import AnyReport
    from api.documents.report import Entry, Report
    from api.documents.spot_corrections import SetSpot
    from api.explain.question import Question
    from api.games.forms import AnyExplanation, AnyQuestions, AnyReview, AnySnapshot
    from api.games.spots.tables import Tables
    from api.i18n import Words
    from vision.arrays import Image as Pixels
    from vision.enrolment.games import GameEnrolments
    from vision.enrolment.wonders import TaughtWonders
    from vision.photo.decoding import Photo
    from vision.reader import Reader


def _ignore_stage(stage: str) -> None:
    """Ignore a stage."""


def _show_nothing(photos: int) -> AbstractContextManager[None]:
    """Show no progress."""
    return nullcontext()


@dataclass(frozen=True, slots=True)
class ReadingTools:
    """Tools with which a process reads photos and reports its progress.

    `load_tile_reader` is called whenever tiles are read; `show_progress` is entered with the number of photos read tile
    by tile.
    """

    tables: Tables
    load_tile_reader: Callable[[], Reader]
    tell: Callable[[str], None] = _ignore_stage
    show_progress: Callable[[int], AbstractContextManager[None]] = _show_nothing


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Facts about a table beside its photos or its board; a game ignores those that do not apply to it.

    `rules` names a rule set; None stands for that of the board, or today's. `track` holds points on the score track by
    colour, `spots` the values of spots, `table` all other facts. With `nothing_more`, spots that no photo shows and no
    option sets are empty.
    """

    rules: str | None = None
    track: Mapping[str, int] = field(default_factory=dict)
    spots: Sequence[SetSpot] = ()
    nothing_more: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    table: Table = field(default_factory=Table)

    @property
    def corrections(self) -> list[Correction]:
        """Facts as corrections of a reading, except the rules and the score track, which are part of the reading."""
        from api.documents.corrections import list_table_corrections
        from api.documents.spot_corrections import NothingMore

        rest = [NothingMore()] if self.nothing_more else []
        return [*self.spots, *rest, *list_table_corrections(self.table)]


@dataclass(frozen=True, slots=True)
class ExplanationSource:
    """The source of an explanation: `text` is a file or a line; `rules` override the report's, `photo` is its photo.

    `options` are facts stated about the table, without the rules; `language` is that of the explanation.
    """

    text: str
    rules: str | None = None
    photo: Path | None = None
    wonders: Sequence[Path] = ()
    options: TableOptions = field(default_factory=TableOptions)
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Explained:
    """An explanation, and the function that writes its picture to a file, if the game has such a picture."""

    explanation: AnyExplanation
    write_picture: Callable[[Path], None] | None = None


def list_table_facts(table: Table) -> dict[str, object]:
    """List the facts stated about a table, by the names of `TableGame.unfit_options`."""
    return {
        "players": table.player_count,
        "tiles_in_play": table.tiles_in_play,
        "goods": table.goods,
        "owner": table.owners,
        "box_rules": table.box_rules,
    }


def find_unfit_option(game: TableGame, given: Mapping[str, object]) -> str | None:
    """Return the first given option (neither None nor empty) that a game's tables do not have, or None.

    The options are named as in `TableGame.unfit_options`.
    """
    return next((option for option, value in given.items() if value and option in game.unfit_options), None)


class TableGame(Protocol):
    """A game whose finished tables can be read and scored."""

    @property
    def name(self) -> str:
        """Name as `--game` takes it."""
        ...

    @property
    def title(self) -> str:
        """Title on the box."""
        ...

    @property
    def colours(self) -> Sequence[str]:
        """Possible colours of players."""
        ...

    @property
    def stages(self) -> tuple[str, ...]:
        """Stages of a reading."""
        ...

    @property
    def needs_enrolment(self) -> bool:
        """Whether photos can be read only after the empty boards were enrolled on the machine."""
        ...

    @property
    def unfit_options(self) -> Mapping[str, str]:
        """Options that the game's tables do not have, with the reason.

        They are among `rules`, `track`, `players`, `tiles_in_play`, `goods`, `owner`, `box_rules` and `set`.
        """
        ...

    def check_readable(self, tables: Tables) -> None:
        """Raise EnrolmentError or ComponentsError if this machine cannot read photos of the game."""

    def read(self, openers: Openers, tools: ReadingTools, options: TableOptions) -> AnySnapshot:
        """Read the photos of one table that can be opened.

        Raises the first error if none can be opened, and EnrolmentError, ReadingError, ComponentsError.
        """
        ...

    def parse_snapshot(self, document: Any) -> AnySnapshot:
        """Parse a snapshot from a JSON document; raises pydantic's ValidationError."""
        ...

    def review(self, snapshot: Any, corrections: Sequence[Correction] = ()) -> AnyReview:
        """Review a snapshot with a person's corrections, and build its report.

        Raises CorrectionError, TrackError, ScoringError.
        """
        ...

    def read_board(self, text: str, wonders: Sequence[Path] = ()) -> Any:
        """Read a board from a file or a notation; `wonders` are a person's own layouts.

        Raises InputError, ScoringError.
        """
        ...

    def parse_board(
        self, notation: str, layouts: Sequence[Mapping[str, Any]] = (), taught: TaughtWonders | None = None
    ) -> Any:
        """Parse a board from a notation; raises NotationError.

        `layouts` of wonders, each as in a wonder's file, override those in force, which include the `taught` ones, by
        default of this machine: raises CatalogueError, EnrolmentError `bad_enrolment`.
        """
        ...

    def score_board(self, board: Any, options: TableOptions, tables: Tables) -> AnyReport:
        """Score a board without a photo; raises ScoringError."""
        ...

    def score_report(self, text: str, options: TableOptions, tables: Tables) -> AnyReport:
        """Score the table of a report again, given as text or a file's name, with further options.

        No photo is read again. Raises ReportError, CorrectionError, ScoringError.
        """
        ...

    def list_questions(self, review: Any, language: str = "en") -> AnyQuestions:
        """List the questions about a review, most important first."""
        ...

    def explain(self, report: Any, question: Question, language: str = "en") -> AnyExplanation:
        """Explain the subjects of a question about a report, in a language if available; raises QuestionError."""
        ...

    def draw_explanation(self, photo: Photo, report: Any, question: Question, language: str) -> Pixels:
        """Draw the explanation of a question on a report's photo, with words below: (h, w, 3) BGR; raises
        QuestionError.
        """
        ...

    def explain_source(self, source: ExplanationSource, question: Question, tools: ReadingTools) -> Explained:
        """Explain a report in a file, a photo or a board; raises WondertallyError."""
        ...

    def print_explanation(self, console: Console, explanation: Any, language: str = "en") -> None:
        """Print an explanation in a language."""

    def project_report(self, report: Any, review: Any, photo: int) -> AnyReport:
        """Project the report to the pixels of the photo of that number."""
        ...

    def turn_report(self, report: Any, photo: int) -> AnyReport:
        """Project a report without its reading, such as one from a file, to the pixels of one of its photos."""
        ...

    def annotate_photo(self, pixels: Pixels, report: Any, photo: int = 0) -> Pixels:
        """Draw the report over the photo (h, w, 3) BGR of that number, with a legend below."""
        ...

    def list_remarks(self, report: Any) -> Iterator[str]:
        """Yield all lines that a person should read, for the command line."""
        ...

    def format_reason(self, entry: Entry) -> str:
        """Format the reason for an entry's points, for the command line."""
        ...

    def label_feature(self, report: Any, id: str, words: Words) -> str:
        """Return the label of a report's feature."""
        ...

    def list_sheet_facts(self, report: Any, words: Words) -> Iterator[str]:
        """Yield the rules used and the number of values a person set, for the desk's sheet."""
        ...

    def list_sheet_doubts(self, report: Any, words: Words) -> Iterator[str]:
        """Yield each doubt as a sentence, for the desk's sheet."""
        ...

    def list_winners(self, report: Any) -> list[str]:
        """Return the colours of the winners, after the game's tie-break; empty unless all totals are known."""
        ...

    def list_doubts_by_feature(self, report: Any, words: Words) -> dict[str, list[str]]:
        """List the doubts about each feature, as sentences, by the feature's id."""
        ...

    def list_doubt_kinds(self, report: Any) -> list[str]:
        """List the subject of each doubt, for the server's metrics."""
        ...

    def require_tiles(self, report: Any) -> Report:
        """Return the report if its tiles can be enrolled; raises EnrolmentError `nothing_to_enrol`."""
        ...

    def list_new_pieces(self, report: Any, store: GameEnrolments) -> list[str]:
        """List the pieces that a report names and that are not enrolled; raises as building a reader does."""
        ...

    def keep_new_pieces(self, report: Any, store: GameEnrolments, load_photo: Callable[[int], Photo]) -> dict[str, int]:
        """Enrol those pieces, and return how often each is seen; raises EnrolmentError, PhotoError."""
        ...

    def evaluate(self, labels: Sequence[Path], photos: Path, out: Path) -> Callable[[], None]:
        """Compare readings of labelled photos with their labels; return the function that prints the figures."""
        ...
