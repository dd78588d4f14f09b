"""Read photos of finished games, score boards, and explain every point.

>>> import wondertally
>>> report = wondertally.score("D0V0/-U1 red^1,1=rN blue^0,0=cN")
>>> report.scores.final_scoring
{'blue': 1, 'red': 3}
>>> [entry.rule for entry in report.scores.entries if entry.player == "red"]
['road.unfinished']
>>> wondertally.explain(report, feature="R1").features[0].size
3

Every function returns the documents of the command line and the HTTP API as typed models, and raises WondertallyError
with a stable `code`. The requirements of photos (nets, OpenCV) are loaded at the first call that needs them.

`python -m wondertally` is the same as the installed command.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from api.documents.forms import AnyExplanation
    from api.documents.report import Report
    from api.documents.spot_report import SpotReport
    from api.spots.tables import Tables
    from scoring.carcassonne.board.board import Board
    from scoring.carcassonne.final.table import Table
    from scoring.errors import WondertallyError
    from vision.photo.decoding import Photo
    from vision.reader import Reader

    OnePhoto = str | Path | bytes
else:

    def __getattr__(name: str) -> Any:
        """Return WondertallyError after checking that `scoring` is the package beside this module."""
        if name != "WondertallyError":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        _check_packages()
        from scoring.errors import WondertallyError

        return WondertallyError


__all__ = ["WondertallyError", "explain", "read", "score"]

_PACKAGES = ("api", "models", "scoring", "vision")


class _ForeignPackageError(ImportError):
    """A foreign package shadows one of those beside this module, or that one is missing."""


def read(
    photo: OnePhoto | Sequence[OnePhoto], table: Table | None = None, game: str | None = None
) -> Report | SpotReport:
    """Read a photo of a finished game and return the report with every player's final score.

    `photo` is a path, the bytes of a JPEG, PNG, WebP or HEIC file, or a sequence of these: several photos of one table,
    which are joined by the tiles that they share. Points named `_px` in the report are in pixels of the first photo
    that counts, x right and y down; rows and columns count from 0. Enrolments of this machine (`wondertally enrol`) are
    used: a photo of an enrolled printed board is recognised, and its report is a `SpotReport`. `game` names the game
    instead. `table` (`scoring.carcassonne.final.table`) holds facts that no photo shows: the number of players and of
    tiles, the goods, the owners of wonders; any that contradict the reading are listed among the board's problems.
    Raises PhotoError for a file that is not such a picture, ReadingError if no photo shows a board, InputError for an
    unknown game, EnrolmentError if the game's board is not enrolled, and CorrectionError for colours that no pieces
    have.
    """
    _check_packages()
    from api.documents.table_options import TableOptions
    from api.games.recognition import OnceOpened
    from api.reading.tools import ReadingTools

    photos = [photo] if isinstance(photo, str | Path | bytes) else list(photo)
    named = [(f"photo {number}" if isinstance(one, bytes) else str(one), one) for number, one in enumerate(photos, 1)]
    opened, tables = OnceOpened([(name, partial(_open_photo, one)) for name, one in named]), _load_tables()
    chosen = opened.choose_game(game, tables)
    options = TableOptions() if table is None else TableOptions(table=table)
    snapshot = chosen.read(opened.openers, ReadingTools(tables, _load_reader), options)
    return chosen.review(snapshot, options.corrections).report


def score(board: str | Path | Board, table: Table | None = None, game: str | None = None) -> Report | SpotReport:
    """Score a board without a photo and return the same report, without points in pixels.

    `board` is a one-line notation, the path of a label file or of a file with a notation, or a board of
    `scoring.carcassonne.board.board`. Text names its game, and the enrolled facts of a printed board are used; with
    `game`, another game's board is refused. `table` is as for `read`, and overrides that of a label. Raises InputError
    for a missing file or another game, NotationError, LabelError or BoardError for an invalid board, and TableError for
    a table that does not match the board.
    """
    _check_packages()
    from api.documents.table_options import TableOptions
    from api.games.registry import CARCASSONNE, find_game_of_board
    from api.inputs.boards import GivenBoard

    options = TableOptions() if table is None else TableOptions(table=table)
    if not isinstance(board, str | Path):
        return CARCASSONNE.score_board(GivenBoard(board), options, _load_tables())
    chosen = find_game_of_board(str(board), game)
    return chosen.score_board(chosen.read_board(str(board)), options, _load_tables())


def explain(
    source: Report | SpotReport | OnePhoto | Board,
    feature: str | None = None,
    square: tuple[int, int] | str | None = None,
    player: str | None = None,
    table: Table | None = None,
) -> AnyExplanation:
    """Explain the points of a report, a photo or a board: the features that count, the rules, and the players.

    `source` is a report, or an argument of `read` or `score`. `feature` is a name as in `R3.4`, or an id, `square` a
    name as people see it (`"3,8"` or `"row 3, column 8"`) or the report's own (row, col), `player` a colour; without
    any of them everything is explained. `table` is as for `read` and `score`, and overrides that of a report. Raises
    QuestionError for an unknown subject, and as `read` and `score` do.
    """
    _check_packages()
    from api.carcassonne.explain.accounts import build_explanation
    from api.carcassonne.explain.source import Source
    from api.documents.report import Report
    from api.documents.table_options import Question
    from api.games.registry import find_game_of
    from api.inputs.subjects import parse_square
    from scoring.carcassonne.final.table import Table

    asked = Question(
        features=(feature,) if feature else (),
        places=() if square is None else ((None, parse_square(square) if isinstance(square, str) else square),),
        players=(player,) if player else (),
    )
    report = _find_report(source, table)
    if not isinstance(report, Report):
        return find_game_of(report).explain(report, asked)
    stated = table if report is source and table else Table()
    return build_explanation(Source.from_report(report).apply_table(stated), asked)[0]


def run_command() -> None:
    """Run the command line with the arguments in `sys.argv`, and exit with its status.

    A foreign package that shadows one of ours gives one line of error on standard error, and exit status 2.
    """
    try:
        run_main = _load_main()
    except _ForeignPackageError as error:
        _fail(error)
    run_main()


def _load_main() -> Callable[[], None]:
    _check_packages()
    try:
        from api.cli.main import main
    except Exception as error:
        if (shared := _find_shared_package()) is not None:
            raise shared from error
        raise
    return main


def _fail(error: _ForeignPackageError) -> NoReturn:
    details = {"package": error.name, "file": error.path}
    document = {"error": {"code": "foreign_package", "text": error.msg, "details": details}}
    print(json.dumps(document, ensure_ascii=False), file=sys.stderr)
    sys.exit(2)


@cache
def _check_packages() -> None:
    """Raise ImportError if one of the packages would be, or was, imported from another folder than this one."""
    home = Path(__file__).resolve().parent
    for name in _PACKAGES:
        place = _find_package(name)
        if place is None:
            text = f"The package `{name}` is not beside {__file__}: install wondertally anew."
            raise _ForeignPackageError(text, name=name, path=str(home / name))
        if place.parent.resolve() != home:
            text = (
                f"The package `{name}` at {place} is not that of wondertally, and hides it: {home / name}. "
                "Run wondertally from another folder, take that one out of PYTHONPATH, or install wondertally into an "
                "environment of its own."
            )
            raise _ForeignPackageError(text, name=name, path=str(place))


def _find_package(name: str) -> Path | None:
    """Return the folder of a package, or the file of a module, None if there is none."""
    try:
        spec = find_spec(name)
    except ValueError:  # already imported, from a module without a spec
        return Path(str(getattr(sys.modules[name], "__file__", name)))
    if spec is None:
        return None
    return Path(next(iter(spec.submodule_search_locations or ()), spec.origin or name))


def _find_shared_package() -> _ForeignPackageError | None:
    """Return the error for a package into which another distribution has put its files, or None."""
    from importlib.metadata import packages_distributions  # reads the files of all that is installed

    owners = packages_distributions()
    for name in _PACKAGES:
        others = sorted({owner for owner in owners.get(name, ()) if owner.lower() != "wondertally"})
        if others:
            place = Path(__file__).resolve().parent / name
            text = (
                f"The package `{name}` at {place} is that of {', '.join(others)} as well, which has overwritten parts "
                "of wondertally's: install wondertally into an environment of its own."
            )
            return _ForeignPackageError(text, name=name, path=str(place))
    return None


def _find_report(source: Report | SpotReport | OnePhoto | Board, table: Table | None) -> Report | SpotReport:
    from api.documents.report import Report
    from api.documents.spot_report import SpotReport
    from api.inputs.photos import is_picture
    from scoring.carcassonne.board.board import Board

    if isinstance(source, Report | SpotReport):
        return source
    if isinstance(source, bytes) or (not isinstance(source, Board) and is_picture(Path(source))):
        return read(source, table)
    return score(source, table)


def _open_photo(photo: OnePhoto) -> Photo:
    from vision.photo.decoding import Photo

    return Photo.from_bytes(photo) if isinstance(photo, bytes) else Photo.from_path(Path(photo))


def _load_tables() -> Tables:
    from vision.enrolment.games import GameEnrolments

    return _load_tables_of(GameEnrolments().folder)


@cache
def _load_tables_of(folder: Path) -> Tables:
    from api.spots.tables import Tables

    return Tables(folder)


@cache
def _load_reader() -> Reader:
    from vision.reader import Reader

    return Reader.load_enrolled()


if __name__ == "__main__":
    run_command()
