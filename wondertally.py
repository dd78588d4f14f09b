"""Read photos of finished games of Carcassonne, score boards, and explain every point.

>>> import wondertally
>>> report = wondertally.score("D0V0/-U1 red^1,1=rN blue^0,0=cN")
>>> report.scores.final_scoring
{'blue': 1, 'red': 3}
>>> [entry.rule for entry in report.scores.entries if entry.player == "red"]
['road.unfinished']
>>> wondertally.explain(report, feature="R1").features[0].size
3

Every function returns the documents of the command line and the HTTP API as typed models, and raises WondertallyError
with a stable `code`. What a photo needs (nets, OpenCV) is loaded at the first call that needs it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.errors import WondertallyError

if TYPE_CHECKING:
    from api.explain.schema import Explanation
    from api.explain.source import Source
    from api.report.schema import Report
    from scoring.carcassonne.board.board import Board
    from vision.photo.decoding import Photo
    from vision.reader import Reader

    OnePhoto = str | Path | bytes

__all__ = ["WondertallyError", "explain", "read", "score"]


def read(photo: OnePhoto | Sequence[OnePhoto]) -> Report:
    """Read a photo of a finished game and return the report with every player's final score.

    `photo` is a path, the bytes of a JPEG, PNG or WebP file, or a sequence of these: several photos of one table, which
    are joined by the tiles that they share. Points named `_px` in the report are in pixels of the first photo that
    counts, x right and y down; rows and columns count from 0. What this machine was taught (`wondertally enrol`) is
    used. Raises PhotoError for a file that is no such picture, and ReadingError where no photo shows a board.
    """
    from api.reading.surveys import survey_photos
    from api.report.several_photos import build_joined_report

    photos = [photo] if isinstance(photo, str | Path | bytes) else list(photo)
    named = [(f"photo {number}" if isinstance(one, bytes) else str(one), one) for number, one in enumerate(photos, 1)]
    surveys, aside = survey_photos(_load_reader, [(name, partial(_open_photo, one)) for name, one in named])
    report = build_joined_report(_load_reader().join(surveys))
    report.set_aside = aside + report.set_aside
    return report


def score(board: str | Path | Board) -> Report:
    """Score a board without a photo and return the same report, without points in pixels.

    `board` is a one-line notation, the path of a label file or of a file that holds a notation, or a board of
    `scoring.carcassonne.board.board`. Raises InputError for a file that is not there, and NotationError, LabelError or
    BoardError for what is no board.
    """
    from api.inputs.boards import read_board
    from api.report.builder import build_board_report

    return build_board_report(read_board(str(board)) if isinstance(board, str | Path) else board)


def explain(
    source: Report | OnePhoto | Board,
    feature: str | None = None,
    square: tuple[int, int] | None = None,
    player: str | None = None,
) -> Explanation:
    """Explain the points of a report, a photo or a board: what counts, by which rule, and who gets it.

    `source` is a report, or what `read` or `score` takes. `feature` is a name as in `R3`, `square` a row and a column
    from 0, `player` a colour; without any of them everything is explained. Raises QuestionError for what is not there,
    and whatever `read` and `score` raise.
    """
    from api.explain.question import Question
    from api.explain.schema import build_explanation

    asked = Question(
        features=(feature,) if feature else (),
        places=((None, square),) if square else (),
        players=(player,) if player else (),
    )
    return build_explanation(_find_source(source), asked)[0]


def _find_source(source: Report | OnePhoto | Board) -> Source:
    from api.explain.source import Source, is_picture
    from api.report.schema import Report
    from scoring.carcassonne.board.board import Board
    from scoring.carcassonne.board.notation import parse_notation
    from scoring.carcassonne.final.rulesets import TODAY, get_ruleset

    if isinstance(source, Report):
        report = source
    elif isinstance(source, bytes) or (not isinstance(source, Board) and is_picture(Path(source))):
        report = read(source)
    else:
        report = score(source)
    rules = get_ruleset(report.rules.edition) if report.rules.edition else TODAY
    return Source(parse_notation(report.board.notation), report, rules)


def _open_photo(photo: OnePhoto) -> Photo:
    from vision.photo.decoding import Photo

    return Photo.from_bytes(photo) if isinstance(photo, bytes) else Photo.from_path(Path(photo))


@cache
def _load_reader() -> Reader:
    from vision.enrolment.prints import Enrolments
    from vision.enrolment.score_boards import ScoreBoards
    from vision.enrolment.score_tokens import ScoreTokens
    from vision.reader import Reader

    return Reader(enrolments=Enrolments().all(), score_boards=ScoreBoards().all(), score_tokens=ScoreTokens().all())
