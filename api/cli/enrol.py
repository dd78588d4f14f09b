"""`wondertally enrol`: enrols a person's own tiles, and the empty boards of games with a printed board."""

from __future__ import annotations

import json as as_json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.options import OwnWonders, ResultFile
from api.cli.output import check_outputs, output_document
from api.cli.terminal import build_console
from api.enrolment import pieces, wonders
from api.enrolment.listing import (
    DocumentAndLines,
    describe_enrolments,
    find_undoable_store,
    list_enrolment_stores,
    list_taken_names,
    take_entry_back,
)
from api.games.registry import find_game_to_enrol, list_games
from api.inputs.boards import read_board, read_report
from api.inputs.photos import find_report_photo
from api.inputs.text import find_meant, read_text_file
from api.spots.inputs import read_spot_report
from api.spots.tables import Tables
from scoring.carcassonne.board.square_names import name_squares
from scoring.counts import format_count
from vision.enrolment.games import GameEnrolments
from vision.enrolment.prints import Enrolment, Enrolments
from vision.enrolment.score_boards import ScoreBoards, ScoreTokens
from vision.enrolment.store import check_name, find_free_name
from vision.enrolment.wonders import EnrolledWonders, load_wonders_in_force, name_wonder_files
from vision.errors import EnrolmentError, InputError
from vision.photo.decoding import Photo

if TYPE_CHECKING:
    from vision.enrolling.tiles import BoardEnrolment
    from vision.reader import Reader

_PRINTED_GAMES = ", ".join(game.name for game in list_games().values() if game.needs_enrolment)
enrol_app = typer.Typer(help="Enrol your own set, which all readings use from then on.")

ReportPhoto = Annotated[Path | None, typer.Option(help="The report's photo, if it is not beside the report.")]
Name = Annotated[str | None, typer.Option(help="Its name; by default that of the photo.")]


@enrol_app.command("tiles")
def enrol_tiles(
    source: Annotated[
        Path, typer.Argument(metavar="PHOTO|REPORT", help="A photo of laid-out tiles, or a corrected report.")
    ],
    board: Annotated[
        str | None,
        typer.Option(metavar="FILE_OR_NOTATION", help="The tiles in the photo: a label file, or a board in one line."),
    ] = None,
    photo: ReportPhoto = None,
    name: Name = None,
    wonder: OwnWonders = None,
    json: ResultFile = None,
) -> None:
    """Enrol your tiles: from then on, readings recognise tiles like those in the photo.

    A photo needs --board, which states the tiles in it. A corrected report already contains them.
    """
    check_outputs(json)
    if (report := read_spot_report(source)) is not None:
        text = f"This is a report of {report.game}, which has no tiles: `wondertally enrol monuments` takes it."
        raise InputError("other_game", text, {"game": report.game})
    name_wonder_files(wonder or ())
    store = Enrolments()
    others = list_taken_names(store)
    if name in others:
        raise EnrolmentError("enrolment_exists", details={"name": name})
    new_name = name or find_free_name(source.stem, [*store.names(), *others])
    board_enrolment = _enrol_source(source, board, photo, new_name)
    store.save(board_enrolment.enrolment)
    _print(_describe_enrolment(board_enrolment), json)


@enrol_app.command("wonder")
def enrol_wonder(
    name: Annotated[str, typer.Argument(metavar="WONDER", help="The wonder, such as alhambra.")],
    source: Annotated[
        Path,
        typer.Argument(
            metavar="PHOTO|REPORT|FILE",
            help="A photo of the tile by itself or of a game with it, a report of that, or a wonder's file.",
        ),
    ],
    out: Annotated[Path | None, typer.Option(help="Write the layout to this file as well, to edit or send it.")] = None,
    photo: ReportPhoto = None,
    json: ResultFile = None,
) -> None:
    """Enrol your copy of a wonder: the features on its squares, and its print.

    Both are taken as read from a photo of the tile alone on a table, from a photo of a game with the wonder, or from a
    corrected report. A wonder's file states the features on its squares (see docs/wonder-files.md). All readings use
    both from then on; `enrol undo` goes back to the previous enrolment.
    """
    check_outputs(json, out)
    _print(wonders.enrol_wonder(name, source, out, _load_reader, photo), json)


@enrol_app.command("undo")
def undo_enrolment(
    name: Annotated[
        str,
        typer.Argument(
            metavar="WONDER|GAME|NAME",
            help=f"A wonder such as alhambra, or {_PRINTED_GAMES}, or the name of tiles, a score board or a token.",
        ),
    ],
    json: ResultFile = None,
) -> None:
    """Go back to the previous enrolment of a wonder, or else to the shipped layout; or of tiles, a game with a printed
    board, a score board or a token.

    Each change is a step, on the page or here: one that was forgotten comes back.
    """
    check_outputs(json)
    if (game := list_games().get(name)) is not None and game.needs_enrolment:
        from api.enrolment import game_boards  # loads the readers and drawing of printed boards

        _print(game_boards.take_game_back(name), json)
    elif (store := find_undoable_store(name)) is None or isinstance(store, EnrolledWonders):
        _print(wonders.take_wonder_back(name), json)
    else:
        _print(take_entry_back(store, name), json)


@enrol_app.command("score-board")
def enrol_score_board(
    photo: Annotated[Path, typer.Argument(metavar="PHOTO", help="A photo of the empty score board.")],
    name: Annotated[str, typer.Option(help="The name of the score board.")],
    spaces: Annotated[
        Path, typer.Option(metavar="FILE", help="The file with the places of its spaces: see docs/score-boards.md.")
    ],
    annotated: Annotated[
        Path | None, typer.Option(help="Write a picture of the score board with its spaces numbered to this file.")
    ] = None,
    json: ResultFile = None,
) -> None:
    """Enrol the empty score board of your Carcassonne.

    A score board enrolled again under the same name replaces the old one, which `enrol undo NAME` restores.
    """
    from api.enrolment import score_boards  # loads the drawing libraries

    check_outputs(json, annotated)
    _print(score_boards.enrol_score_board(photo, name, spaces, annotated), json)


@enrol_app.command("score-token")
def enrol_score_token(
    photo: Annotated[Path, typer.Argument(metavar="PHOTO", help="A photo of one side of the token, alone.")],
    points: Annotated[int, typer.Option(help="The points of that side, such as 50 or 100.")],
    colour: Annotated[
        str | None, typer.Option(help="The colour of the token's player, if its print shows one.")
    ] = None,
    name: Name = None,
    json: ResultFile = None,
) -> None:
    """Enrol one side of a token of points.

    Enrol both sides, one photo each: both may have the same print.
    """
    from api.enrolment import score_boards  # as above

    check_outputs(json)
    _print(score_boards.enrol_score_token(photo, points, colour, name), json)


@enrol_app.command("board")
def enrol_board(
    photo: Annotated[
        Path | None,
        typer.Argument(
            metavar="[PHOTO|FILE]",
            help="A photo of the empty board, or a file of boards (.zip) written by the page or --out.",
            show_default=False,
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(help=f"The game: {_PRINTED_GAMES}; by default the one that FILE fits, or the only enrolled one."),
    ] = None,
    picture: Annotated[str | None, typer.Option(metavar="NAME", help="The game's board that the photo shows.")] = None,
    components: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The file of the values your copy prints: see docs/games.md.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the boards to this file (.zip), for others with the same edition.")
    ] = None,
    annotated: Annotated[
        Path | None, typer.Option(help="Write a picture of the board with its layout to this file.")
    ] = None,
    json: ResultFile = None,
) -> None:
    """Enrol an empty board of a game with a printed board, or the values your copy of it prints.

    Earlier enrolments stay, unless the photo or file replaces them; `enrol undo GAME` goes back a step.
    Missing parts are listed with the place where they are printed. On a server's page you can do this by pointing at
    the photo, without a ruler: open /boards/GAME there.
    """
    check_outputs(json, out, annotated)
    if photo is None and components is None and out is None and annotated is None:
        raise InputError(
            "bad_usage", "Give a PHOTO with --picture NAME, a FILE, --components FILE, --out or --annotated."
        )
    if photo is None and picture is not None and annotated is None:
        raise InputError("bad_usage", "--picture requires a PHOTO, or --annotated.")
    from api.enrolment import game_boards  # loads the readers and drawing of printed boards

    game = game or (None if photo is None else game_boards.find_board_file_game(photo))
    if game is None:
        message = "The file of components cannot be read."
        text = None if components is None else read_text_file(components, message)
        game = find_game_to_enrol(Tables(), text)
    _print(game_boards.enrol_board(game, photo, picture, components, out, annotated), json)


@enrol_app.command("monuments")
def enrol_monuments(
    report: Annotated[Path, typer.Argument(metavar="REPORT", help="A report in which you named monuments.")],
    photo: ReportPhoto = None,
    json: ResultFile = None,
) -> None:
    """Enrol the monuments of World Wonders that you named in a report.

    Name one with `wondertally score --set SPOT=giza#1`; from then on it is recognised in every photo.
    """
    check_outputs(json)
    if not report.is_file():
        raise InputError("file_not_found", details={"file": str(report)})
    if (named := read_spot_report(report)) is None:
        text = "This is not a report of a game with named pieces, such as `wondertally score --json FILE` writes."
        raise InputError("other_game", text, {"file": str(report)})
    _print(pieces.enrol_pieces(report, named, photo), json)


@enrol_app.command("list")
def list_enrolments(json: ResultFile = None) -> None:
    """List all enrolments."""
    from api.enrolment import game_boards, score_boards  # as above

    sets, set_lines = describe_enrolments(Enrolments(), _format_enrolment)
    boards, board_lines = describe_enrolments(ScoreBoards(), score_boards.describe_score_board)
    tokens, token_lines = describe_enrolments(ScoreTokens(), score_boards.describe_score_token)
    games, game_lines = game_boards.describe_enrolled_games()
    wonder_files, wonder_lines = wonders.tabulate_enrolled_wonders()
    document = {
        "enrolments": sets,
        "score_boards": boards,
        "score_tokens": tokens,
        "wonders": wonders.describe_enrolled_wonders(),
        **({"wonder_files": wonder_files} if wonder_files else {}),
        "games": games,
    }
    lines = [*set_lines, *board_lines, *token_lines, *wonder_lines, *game_lines]
    _print((document, lines or ["Nothing is enrolled. `wondertally enrol --help` shows what can be."]), json)


@enrol_app.command("forget")
def forget_enrolment(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name that `enrol list` prints, or a game's.")],
    game: Annotated[
        str | None, typer.Option(help="The game of the piece NAME; needed to forget a single piece.")
    ] = None,
    json: ResultFile = None,
) -> None:
    """Forget an enrolment by its name, or all enrolments of a printed game; `enrol undo NAME` brings it back."""
    check_outputs(json)
    _print(_forget_enrolment(name, game), json)


def _print(done: DocumentAndLines, json: Path | None) -> None:
    """Write the result to a file, or print it."""
    document, lines = done
    if not output_document(json, as_json.dumps(document, ensure_ascii=False) + "\n"):
        console = build_console()
        for line in lines:
            console.print(line, soft_wrap=True)


def _forget_enrolment(name: str, game: str | None) -> DocumentAndLines:
    if game is not None:
        return pieces.forget_piece(game, name)
    games = [game for game, table_game in list_games().items() if table_game.needs_enrolment]
    stores = list_enrolment_stores()
    if name in games:
        GameEnrolments().forget(name)
    elif (store := next((store for store in stores if name in store.names()), None)) is not None:
        store.forget(name)
    elif (wonder := wonders.normalise_wonder_name(name)) in (enrolled := EnrolledWonders()).names():
        enrolled.forget(name := wonder)
    elif len(owners := [game for game in GameEnrolments().games() if name in GameEnrolments().load(game).pieces]) == 1:
        return pieces.forget_piece(owners[0], name)
    else:
        check_name(name)
        pieces_by_game = {game: GameEnrolments().load(game).pieces for game in GameEnrolments().games()}
        names = [*pieces_by_game, *(known_name for store in stores for known_name in store.names())]
        known = sorted({*names, *(piece for looks in pieces_by_game.values() for piece in looks)})
        details = {"name": name, **find_meant(name, known), "known": known}
        raise EnrolmentError("no_such_enrolment", details=details)
    return {"forgotten": name}, [f"forgotten: {name}"]


def _load_reader() -> Reader:
    from vision.reader import Reader  # loads the nets' runtime, which only photos need

    return Reader.load_enrolled()


def _format_enrolment(enrolment: Enrolment) -> str:
    return f"{format_count(len(enrolment.keys), 'tile')} of {enrolment.source}, {enrolment.made}"


def _enrol_source(source: Path, board: str | None, photo: Path | None, name: str) -> BoardEnrolment:
    from api.enrolment.tiles import enrol_photo, enrol_report  # likewise

    parsed_board = None if board is None else read_board(board, load_wonders_in_force())
    if (report := read_report(source)) is None:
        return enrol_photo(_load_reader(), name, Photo.from_path(source), parsed_board)
    report_photo = find_report_photo(report, source, photo)
    if report_photo is None:
        raise EnrolmentError("photo_wanted", details={"file": report.photo.file if report.photo else ""})
    return enrol_report(name, report, report_photo, parsed_board)


def _describe_enrolment(board: BoardEnrolment) -> DocumentAndLines:
    name, tiles = board.enrolment.name, len(board.enrolment.keys)
    lines = [f"enrolled: {name}, {format_count(tiles, 'tile')}"]
    if board.otherwise:
        lines.append(f"read differently until now: {name_squares(board.otherwise, board.origin)}")
    return {"enrolled": name, "tiles": tiles, "otherwise": [list(square) for square in board.otherwise]}, lines
