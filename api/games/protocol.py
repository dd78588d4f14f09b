"""What every game does for the front doors, and what they hand it.

A front door finds the game of a name, a snapshot or a report in `api.games.registry` and asks it; none asks which game
it is. What a game makes (a board, a snapshot, a review, a report) is handed back to that game alone: such parameters
have the type Any here, and the game's own type where it implements them.
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

    from api.corrections.commands import Correction
    from api.corrections.spots import SetSpot
    from api.explain.question import Question
    from api.games.forms import AnyExplanation, AnyQuestions, AnyReview, AnySnapshot
    from api.games.reports import AnyReport
    from api.games.spots.tables import Tables
    from api.i18n import Words
    from api.report.schema import Entry, Report
    from vision.arrays import Image as Pixels
    from vision.enrolment.games import GameEnrolments
    from vision.enrolment.wonders import TaughtWonders
    from vision.photo.decoding import Photo
    from vision.reader import Reader


def _ignore_stage(stage: str) -> None:
    """Tell nobody of a stage."""


def _show_nothing(photos: int) -> AbstractContextManager[None]:
    """Show no progress."""
    return nullcontext()


@dataclass(frozen=True, slots=True)
class ReadingTools:
    """What a process reads photos with, and whom it tells of its progress.

    `load_tile_reader` is called when tiles are read, several times; `show_progress` is entered while so many photos
    are read tile by tile.
    """

    tables: Tables
    load_tile_reader: Callable[[], Reader]
    tell: Callable[[str], None] = _ignore_stage
    show_progress: Callable[[int], AbstractContextManager[None]] = _show_nothing


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What is known of a table beside its photos or its board; a game takes no notice of what it has not.

    `rules` names a rule set, or is None for that of the board, or today's. `track` is what players had on the score
    track by colour, `spots` what lies on spots, `table` what else somebody said of it. With
    `nothing_more` nothing is on spots that no photo shows and nobody told of.
    """

    rules: str | None = None
    track: Mapping[str, int] = field(default_factory=dict)
    spots: Sequence[SetSpot] = ()
    nothing_more: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    table: Table = field(default_factory=Table)

    @property
    def corrections(self) -> list[Correction]:
        """What a reading is told of its table, but for the rules and the score track, which it was read with."""
        from api.corrections.commands import list_table_corrections
        from api.corrections.spots import NothingMore

        rest = [NothingMore()] if self.nothing_more else []
        return [*self.spots, *rest, *list_table_corrections(self.table)]


@dataclass(frozen=True, slots=True)
class ExplanationSource:
    """What is to be explained: `text` is a file or a line; `rules` are others than the report's, `photo` its photo.

    `options` are what is said of the table beside it, but for the rules; `language` is that of the explanation.
    """

    text: str
    rules: str | None = None
    photo: Path | None = None
    wonders: Sequence[Path] = ()
    options: TableOptions = field(default_factory=TableOptions)
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Explained:
    """An explanation, and what draws its picture into a file, where the game has such a picture."""

    explanation: AnyExplanation
    write_picture: Callable[[Path], None] | None = None


def list_table_facts(table: Table) -> dict[str, object]:
    """List what somebody said of a table, by the names of `TableGame.unfit_options`."""
    return {
        "players": table.player_count,
        "tiles_in_play": table.tiles_in_play,
        "goods": table.goods,
        "owner": table.owners,
        "box_rules": table.box_rules,
    }


def find_unfit_option(game: TableGame, given: Mapping[str, object]) -> str | None:
    """Find the first of the options given (neither None nor empty) that tables of a game do not have, if there is one.

    The options are named as in `TableGame.unfit_options`.
    """
    return next((option for option, value in given.items() if value and option in game.unfit_options), None)


class TableGame(Protocol):
    """A game whose finished tables are read and scored."""

    @property
    def name(self) -> str:
        """The name as `--game` takes it."""
        ...

    @property
    def title(self) -> str:
        """The title on the box."""
        ...

    @property
    def colours(self) -> Sequence[str]:
        """The colours that players can have."""
        ...

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages that a reading goes through."""
        ...

    @property
    def needs_enrolment(self) -> bool:
        """Whether a machine reads photos of it only when it was shown the empty boards."""
        ...

    @property
    def unfit_options(self) -> Mapping[str, str]:
        """The options that its tables do not have, and why.

        They are some of `rules`, `track`, `players`, `tiles_in_play`, `goods`, `owner`, `box_rules` and `set`.
        """
        ...

    def check_readable(self, tables: Tables) -> None:
        """Raise EnrolmentError or ComponentsError where this machine cannot read photos of it."""

    def read(self, openers: Openers, tools: ReadingTools, options: TableOptions) -> AnySnapshot:
        """Read the photos of one table that can be opened.

        Raises the first error where none can, and EnrolmentError, ReadingError, ComponentsError.
        """
        ...

    def parse_snapshot(self, document: Any) -> AnySnapshot:
        """Parse the snapshot of a document as JSON has it; raises pydantic's ValidationError."""
        ...

    def review(self, snapshot: Any, corrections: Sequence[Correction] = ()) -> AnyReview:
        """Review what was read with what a person says of it, and build the report that this gives.

        Raises CorrectionError, TrackError, ScoringError.
        """
        ...

    def read_board(self, text: str, wonders: Sequence[Path] = ()) -> Any:
        """Read the board of a file or a notation; `wonders` are a person's own layouts.

        Raises InputError, ScoringError.
        """
        ...

    def parse_board(
        self, notation: str, layouts: Sequence[Mapping[str, Any]] = (), taught: TaughtWonders | None = None
    ) -> Any:
        """Parse the board of a notation; raises NotationError.

        `layouts` of wonders, each as in a wonder's file, go before those in force, of which some may be `taught`, by
        default on this machine: raises CatalogueError, EnrolmentError `bad_enrolment`.
        """
        ...

    def score_board(self, board: Any, options: TableOptions, tables: Tables) -> AnyReport:
        """Score a board without a photo; raises ScoringError."""
        ...

    def score_report(self, text: str, options: TableOptions, tables: Tables) -> AnyReport:
        """Score the table of a report anew, the report's text or a file's name, with what is said of it besides.

        No photo is read again. Raises ReportError, CorrectionError, ScoringError.
        """
        ...

    def list_questions(self, review: Any, language: str = "en") -> AnyQuestions:
        """List what to ask a person about a review, the most important first."""
        ...

    def explain(self, report: Any, question: Question, language: str = "en") -> AnyExplanation:
        """Explain what is asked of a report, in a language where it has words; raises QuestionError."""
        ...

    def draw_explanation(self, photo: Photo, report: Any, question: Question, language: str) -> Pixels:
        """Draw what is asked of a report on its photo, in words below: (h, w, 3) BGR; raises QuestionError."""
        ...

    def explain_source(self, source: ExplanationSource, question: Question, tools: ReadingTools) -> Explained:
        """Explain what is asked of a report in a file, a photo or a board; raises WondertallyError."""
        ...

    def print_explanation(self, console: Console, explanation: Any, language: str = "en") -> None:
        """Print an explanation for people, in a language."""

    def project_report(self, report: Any, review: Any, photo: int) -> AnyReport:
        """Project the report into the pixels of the photo of that number."""
        ...

    def turn_report(self, report: Any, photo: int) -> AnyReport:
        """Project a report without its reading, as one in a file is, into the pixels of its photo of that number."""
        ...

    def annotate_photo(self, pixels: Pixels, report: Any, photo: int = 0) -> Pixels:
        """Draw the report over the photo (h, w, 3) BGR of that number, with a legend below."""
        ...

    def list_remarks(self, report: Any) -> Iterator[str]:
        """List all that a person should look at, as the command line prints it."""
        ...

    def format_reason(self, entry: Entry) -> str:
        """Format why a player has the points of an entry, as the command line prints it."""
        ...

    def label_feature(self, report: Any, id: str, words: Words) -> str:
        """Return what a feature of a report is called, for people."""
        ...

    def list_sheet_facts(self, report: Any, words: Words) -> Iterator[str]:
        """List what a table was scored by, and how much of it a person set, for the desk's sheet."""
        ...

    def list_sheet_doubts(self, report: Any, words: Words) -> Iterator[str]:
        """List each doubt in a sentence, for the desk's sheet."""
        ...

    def list_winners(self, report: Any) -> list[str]:
        """List the colours of those who won, after the game's tie-break; empty where not all totals are known."""
        ...

    def list_doubts_by_feature(self, report: Any, words: Words) -> dict[str, list[str]]:
        """List the doubts that concern each feature, in words, by the feature's name."""
        ...

    def list_doubt_kinds(self, report: Any) -> list[str]:
        """List what each doubt is about, for the server's metrics."""
        ...

    def require_tiles(self, report: Any) -> Report:
        """Return the report as one whose tiles can be enrolled; raises EnrolmentError `nothing_to_enrol`."""
        ...

    def list_new_pieces(self, report: Any, store: GameEnrolments) -> list[str]:
        """List the pieces that a report names and that are not known by sight; raises as readers' building does."""
        ...

    def keep_new_pieces(self, report: Any, store: GameEnrolments, load_photo: Callable[[int], Photo]) -> dict[str, int]:
        """Keep what those pieces look like, and return how often each is seen; raises EnrolmentError, PhotoError."""
        ...

    def evaluate(self, labels: Sequence[Path], photos: Path, out: Path) -> Callable[[], None]:
        """Hold readings of labelled photos against their labels, and give what prints the figures."""
        ...
