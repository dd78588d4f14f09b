"""The interface between the front doors and every game.

A front door looks up a game by its name, a snapshot or a report in `api.games.registry` and calls it; none branches on
the game. A game's own objects (a board, a snapshot, a review, a report, an explanation) are only ever passed back to
that game: each small protocol is generic in them, and `TableGame` joins them for a game that is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from api.documents.corrections import Correction
from api.documents.forms import AnyExplanation, AnyQuestions, AnyReport, GameReview, GameSnapshot
from api.documents.report import Entry
from api.documents.report import Report as TileReport
from api.documents.table_options import Explained, ExplanationSource, Question, TableOptions
from api.i18n import Words
from api.reading.surveys import Openers
from api.reading.tools import EnrolledGames, ReadingTools

if TYPE_CHECKING:
    from rich.console import Console

    from vision.arrays import Image as Pixels
    from vision.enrolment.games import GameEnrolments
    from vision.enrolment.wonders import EnrolledWonders
    from vision.photo.decoding import Photo

Board = TypeVar("Board")
Snapshot = TypeVar("Snapshot", contravariant=True)
Review = TypeVar("Review", contravariant=True)
Report = TypeVar("Report", contravariant=True)
Explanation = TypeVar("Explanation", contravariant=True)


class Read(Protocol):
    """Reading of photos."""

    @property
    def stages(self) -> tuple[str, ...]:
        """Stages of a reading."""

    @property
    def needs_enrolment(self) -> bool:
        """Whether photos can be read only after the empty boards were enrolled on the machine."""

    def check_readable(self, tables: EnrolledGames) -> None:
        """Raise EnrolmentError or ComponentsError if this machine cannot read photos of the game."""

    def read(self, openers: Openers, tools: ReadingTools, options: TableOptions) -> GameSnapshot:
        """Read the photos of one table that can be opened.

        Raises the first error if none can be opened, and EnrolmentError, ReadingError, ComponentsError.
        """

    def parse_snapshot(self, document: Any) -> GameSnapshot:
        """Parse a snapshot from a JSON document; raises pydantic's ValidationError."""

    def evaluate(self, labels: Sequence[Path], photos: Path, out: Path) -> Callable[[], None]:
        """Compare readings of labelled photos with their labels; return the function that prints the figures."""


class Score(Protocol[Board]):
    """Scoring of boards without a photo."""

    def read_board(self, text: str, wonders: Sequence[Path] = ()) -> Board:
        """Read a board from a file or a notation; `wonders` are a person's own layouts.

        Raises InputError, ScoringError.
        """

    def parse_board(
        self, notation: str, layouts: Sequence[Mapping[str, Any]] = (), enrolled: EnrolledWonders | None = None
    ) -> Board:
        """Parse a board from a notation; raises NotationError.

        `layouts` of wonders, each as in a wonder's file, override those in force, which include the `enrolled` ones, by
        default of this machine: raises CatalogueError, EnrolmentError `bad_enrolment`.
        """

    def score_board(self, board: Board, options: TableOptions, tables: EnrolledGames) -> AnyReport:
        """Score a board without a photo; raises ScoringError."""

    def score_report(self, text: str, options: TableOptions, tables: EnrolledGames) -> AnyReport:
        """Score the table of a report again, given as text or a file's name, with further options.

        No photo is read again. Raises ReportError, CorrectionError, ScoringError.
        """


class Correct(Protocol[Snapshot, Review]):
    """Corrections of readings by a person, and the questions that ask for them."""

    def review(self, snapshot: Snapshot, corrections: Sequence[Correction] = ()) -> GameReview:
        """Review a snapshot with a person's corrections, and build its report.

        Raises CorrectionError, TrackError, ScoringError.
        """

    def list_questions(self, review: Review, language: str = "en") -> AnyQuestions:
        """List the questions about a review, most important first."""


class Explain(Protocol[Report, Explanation]):
    """Explanations of points."""

    def explain(self, report: Report, question: Question, language: str = "en") -> AnyExplanation:
        """Explain the subjects of a question about a report, in a language if available; raises QuestionError."""

    def draw_explanation(self, photo: Photo, report: Report, question: Question, language: str) -> Pixels:
        """Draw the explanation of a question on a report's photo, with words below: (h, w, 3) BGR; raises
        QuestionError.
        """

    def explain_source(self, source: ExplanationSource, question: Question, tools: ReadingTools) -> Explained:
        """Explain a report in a file, a photo or a board; raises WondertallyError."""

    def print_explanation(self, console: Console, explanation: Explanation, language: str = "en") -> None:
        """Print an explanation in a language."""


class Describe(Protocol[Report]):
    """Words about a report, for the command line, the sheets and the server's metrics."""

    def list_remarks(self, report: Report) -> Iterator[str]:
        """Yield all lines that a person should read, for the command line."""

    def format_reason(self, entry: Entry) -> str:
        """Format the reason for an entry's points, for the command line."""

    def label_feature(self, report: Report, id: str, words: Words) -> str:
        """Return the label of a report's feature."""

    def list_sheet_facts(self, report: Report, words: Words) -> Iterator[str]:
        """Yield the rules used and the number of values a person set, for the desk's sheet."""

    def list_sheet_doubts(self, report: Report, words: Words) -> Iterator[str]:
        """Yield each doubt as a sentence, for the desk's sheet."""

    def list_winners(self, report: Report) -> list[str]:
        """Return the colours of the winners, after the game's tie-break; empty unless all totals are known."""

    def list_doubts_by_feature(self, report: Report, words: Words) -> dict[str, list[str]]:
        """List the doubts about each feature, as sentences, by the feature's id."""

    def list_doubt_kinds(self, report: Report) -> list[str]:
        """List the subject of each doubt, for the server's metrics."""


class Draw(Protocol[Report, Review]):
    """Drawings over photos."""

    def project_report(self, report: Report, review: Review, photo: int) -> AnyReport:
        """Project the report to the pixels of the photo of that number."""

    def turn_report(self, report: Report, photo: int) -> AnyReport:
        """Project a report without its reading, such as one from a file, to the pixels of one of its photos."""

    def draw_report(self, report: Report) -> AnyReport:
        """Project a report to its board as drawn without a photo."""

    def annotate_photo(self, pixels: Pixels, report: Report, photo: int = 0) -> Pixels:
        """Draw the report over the photo (h, w, 3) BGR of that number, with a legend below."""


class Enrol(Protocol[Report]):
    """Enrolment of what a report shows."""

    def require_tiles(self, report: Report) -> TileReport:
        """Return the report if its tiles can be enrolled; raises EnrolmentError `nothing_to_enrol`."""

    def list_new_pieces(self, report: Report, store: GameEnrolments) -> list[str]:
        """List the pieces that a report names and that are not enrolled; raises as building a reader does."""

    def keep_new_pieces(
        self, report: Report, store: GameEnrolments, load_photo: Callable[[int], Photo]
    ) -> dict[str, int]:
        """Enrol those pieces, and return how often each is seen; raises EnrolmentError, PhotoError."""


class TableGame(
    Read, Score[Any], Correct[Any, Any], Explain[Any, Any], Describe[Any], Draw[Any, Any], Enrol[Any], Protocol
):
    """A game whose finished tables can be read and scored; `Any` stands for its own objects."""

    @property
    def name(self) -> str:
        """Name as `--game` takes it."""

    @property
    def title(self) -> str:
        """Title on the box."""

    @property
    def colours(self) -> Sequence[str]:
        """Possible colours of players."""

    @property
    def unfit_options(self) -> Mapping[str, str]:
        """Options that the game's tables do not have, with the reason.

        They are among `rules`, `track`, `players`, `tiles_in_play`, `goods`, `owner`, `box_rules`, `boxes` and `set`.
        """


def find_unfit_option(game: TableGame, given: Mapping[str, object]) -> str | None:
    """Return the first given option (neither None nor empty) that a game's tables do not have, or None.

    The options are named as in `TableGame.unfit_options`.
    """
    return next((option for option, value in given.items() if value and option in game.unfit_options), None)
