"""`wondertally enrol`: it is taught the person's own tiles, and the empty boards of games whose board is printed."""

from __future__ import annotations

import json as as_json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api.cli.output import output_document
from api.cli.score_table import build_console
from api.enrolment.game_boards import describe_enrolled_games, enrol_board
from api.enrolment.listing import describe_enrolments, list_enrolment_stores, list_taken_names
from api.enrolment.pieces import enrol_pieces, forget_piece
from api.enrolment.score_boards import describe_score_boards, enrol_score_board
from api.enrolment.score_tokens import describe_score_tokens, enrol_score_token
from api.explain.source import find_report_photo, read_report
from api.games.registry import find_game, iterate_games
from api.games.spots.inputs import read_spot_report
from api.inputs.boards import read_board
from vision.enrolment.games import GameEnrolments
from vision.enrolment.prints import Enrolment, Enrolments
from vision.enrolment.store import find_free_name
from vision.errors import EnrolmentError, InputError
from vision.photo.decoding import Photo

if TYPE_CHECKING:
    from vision.reader import Reader
    from vision.teaching.tiles import Taught

Done = tuple[dict[str, Any], list[str]]
"""What was done, as a document and in words."""


def enrol(
    source: Annotated[
        Path | None,
        typer.Argument(metavar="[PHOTO|REPORT]", help="A photo of laid-out tiles or a board, or a corrected report."),
    ] = None,
    board: Annotated[
        str | None, typer.Option(metavar="FILE_OR_NOTATION", help="What lies there: a label file, or one line.")
    ] = None,
    photo: Annotated[Path | None, typer.Option(help="A report's photo, where it does not lie beside it.")] = None,
    name: Annotated[str | None, typer.Option(help="What to call it; else as the photo.")] = None,
    game: Annotated[
        str | None, typer.Option(help="The game whose empty board the photo shows; with --forget, whose.")
    ] = None,
    picture: Annotated[str | None, typer.Option(metavar="NAME", help="Which of the game's boards that is.")] = None,
    components: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What your copy of the game prints: see docs/games.md.")
    ] = None,
    score_board: Annotated[
        str | None, typer.Option(metavar="NAME", help="What to call the empty score board that the photo shows.")
    ] = None,
    spaces: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where that board's spaces lie: see docs/score-boards.md.")
    ] = None,
    annotated: Annotated[Path | None, typer.Option(help="Write that board with its spaces numbered.")] = None,
    score_token: Annotated[
        int | None, typer.Option(metavar="POINTS", help="What the token counts whose one side the photo shows.")
    ] = None,
    colour: Annotated[str | None, typer.Option(help="Whose that token is, where its print tells it.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="What was taught so far.")] = False,
    forget: Annotated[
        str | None, typer.Option(metavar="NAME", help="Undo one, or all of a game; with --game one of its pieces.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write what was done to this file; - prints it.")] = None,
) -> None:
    """Teach it your set: tiles like those in the photo are read by them from then on.

    With --game, show it the empty board of that game, photographed once, and tell what your copy prints. Of a report of
    such a game it learns what the pieces look like that you named in it, such as monuments.

    With --score-board, show it the empty score board of your Carcassonne; --spaces tells where its spaces lie. With
    --score-token, show it a side of a token of 50 or 100 points.
    """
    given = source is not None or components is not None
    if given + list_ + (forget is not None) != 1:
        raise InputError("bad_usage", "One of PHOTO, REPORT, --components, --list and --forget NAME is wanted.")
    if (score_board is None) != (spaces is None) or (score_board is None and annotated is not None):
        raise InputError("bad_usage", "--score-board NAME goes with --spaces FILE; --annotated goes with both.")
    if score_board is not None and (source is None or any((board, photo, name, game, picture, components))):
        raise InputError("bad_usage", "--score-board goes with PHOTO, --spaces and --annotated alone.")
    if score_token is None and colour is not None:
        raise InputError("bad_usage", "--colour goes with --score-token.")
    if score_token is not None and (source is None or any((board, photo, game, picture, components, score_board))):
        raise InputError("bad_usage", "--score-token goes with PHOTO, --colour and --name alone.")
    if forget is not None:
        done, lines = _forgotten(forget) if game is None else forget_piece(game, forget)
    elif list_:
        done, lines = _listed()
    elif source is not None and score_board is not None and spaces is not None:
        done, lines = enrol_score_board(source, score_board, spaces, annotated)
    elif source is not None and score_token is not None:
        done, lines = enrol_score_token(source, score_token, colour, name)
    elif source is not None and (report := read_spot_report(source)) is not None:
        if board is not None or name is not None or picture is not None or components is not None:
            raise InputError("bad_usage", "A report of this game goes with --photo and --game alone.")
        done, lines = enrol_pieces(source, report, photo, game)
    elif game is not None and find_game(game).needs_enrolment:
        done, lines = enrol_board(game, source, picture, components)
    elif source is None or picture is not None or components is not None:
        raise InputError("bad_usage", "--picture and --components go with --game.")
    else:
        done, lines = _taught_tiles(source, board, photo, name)
    if not output_document(json, as_json.dumps(done, ensure_ascii=False) + "\n"):
        console = build_console()
        for line in lines:
            console.print(line, soft_wrap=True)


def _forgotten(name: str) -> Done:
    if any(game.name == name and game.needs_enrolment for game in iterate_games()):
        GameEnrolments().forget(name)
    else:
        next((store for store in list_enrolment_stores() if name in store.names()), Enrolments()).forget(name)
    return {"forgotten": name}, [f"forgotten: {name}"]


def _listed() -> Done:
    sets, set_lines = describe_enrolments(Enrolments(), _words)
    boards, board_lines = describe_score_boards()
    tokens, token_lines = describe_score_tokens()
    games, game_lines = describe_enrolled_games()
    done = {"enrolments": sets, "score_boards": boards, "score_tokens": tokens, "games": games}
    return done, [*set_lines, *board_lines, *token_lines, *game_lines]


def _taught_tiles(source: Path, board: str | None, photo: Path | None, name: str | None) -> Done:
    store = Enrolments()
    others = list_taken_names(store)
    if name in others:
        raise EnrolmentError("enrolment_exists", details={"name": name})
    taught = _taught(source, board, photo, name or find_free_name(source.stem, [*store.names(), *others]))
    store.save(taught.enrolment)
    return _said_taught(taught)


def _reader() -> Reader:
    from vision.reader import Reader  # loads the nets' runtime, which only photos need

    return Reader(enrolments=Enrolments().all())


def _words(own: Enrolment) -> str:
    return f"{len(own.keys)} tiles of {own.source}, {own.made}"


def _taught(source: Path, board: str | None, photo: Path | None, name: str) -> Taught:
    from api.enrolment.tiles import enrol_photo, enrol_report  # likewise

    laid = None if board is None else read_board(board)
    if (report := read_report(source)) is None:
        return enrol_photo(_reader(), name, Photo.from_path(source), laid)
    shown = find_report_photo(report, source, photo)
    if shown is None:
        raise EnrolmentError("photo_wanted", details={"file": report.photo.file if report.photo else ""})
    return enrol_report(name, report, shown, laid)


def _said_taught(taught: Taught) -> Done:
    name, tiles = taught.enrolment.name, len(taught.enrolment.keys)
    lines = [f"enrolled: {name}, {tiles} tiles"]
    if taught.otherwise:
        lines.append("read otherwise until now: " + " ".join(f"{row},{col}" for row, col in taught.otherwise))
    return {"enrolled": name, "tiles": tiles, "otherwise": [list(square) for square in taught.otherwise]}, lines
