"""The command line.

EXIT_STATUS, shown by --help, lists the exit statuses. Errors go to standard error: as sentences on a terminal,
otherwise as one line of JSON in the shape that every front door uses.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from api.advice import advise
from api.carcassonne.report.builder import build_damaged_wonder
from api.cli.batch import batch, event_app
from api.cli.enrol import enrol_app
from api.cli.game_in_photos import (
    CorrectionsFile,
    ExportFiles,
    MovesFile,
    MovesLanguage,
    NewsPrinter,
    NotTaken,
    OnTurn,
    PlayersInOrder,
    PointsAt,
    RangesShown,
    RecordFile,
    StartPoints,
    WondersEach,
    check_exports,
    check_photo_names,
    wait_for_photos,
    write_exports,
)
from api.cli.options import BoxesSaid, BoxRulesSaid, Goods, LanguageOption, Owners, OwnWonders, PlayerCount, TilesInPlay
from api.cli.output import (
    STANDARD_OUTPUT,
    check_output_folder,
    check_outputs,
    output_document,
    write_document,
)
from api.cli.rules import list_rules
from api.cli.tables import TypedOptions, choose_source_game, list_spot_words, output_report, score_photos
from api.cli.terminal import ErrorForm, ErrorPrinter, MovesPrinter, StageBar, build_console
from api.documents.table_options import ExplanationSource, Question
from api.errors import QuestionError
from api.games.registry import find_game, find_game_of_board, find_game_of_labels, list_games
from api.i18n import load_words
from api.inputs.game_words import read_game_corrections
from api.inputs.photos import open_photo
from api.inputs.subjects import parse_square
from api.inputs.table_words import parse_table_words
from api.languages import LanguageCode
from api.reading.surveys import GameInPhotos
from api.reading.tools import ReadingTools
from api.spots.tables import Tables
from scoring.carcassonne.board.box_rules import parse_box_rules
from scoring.carcassonne.board.boxes import parse_boxes
from scoring.carcassonne.final.rulesets import RULESETS, TODAY, get_ruleset
from vision.enrolment.wonders import name_wonder_files
from vision.errors import InputError, WondertallyError
from vision.evaluation.output import FIGURE_FILES
from vision.photo.decoding import FORMATS

if TYPE_CHECKING:
    from api.carcassonne.report.moves import MoveOptions
    from api.carcassonne.report.moves_schema import Moves
    from api.documents.game_corrections import GameCorrection
    from vision.reader import Reader

EXIT_STATUS = (
    "Exit status: 0 done, even if the reading is doubtful; 1 the photo or the board cannot be read; "
    "2 the request cannot be carried out (a wrong command line, a file that is missing or cannot be written); "
    "3 a bug in the program; 130 interrupted."
)

app = typer.Typer(
    help="Photograph the finished table; get every player's final score, explained.",
    epilog=EXIT_STATUS,
)
board_app = typer.Typer(help="Work on a board without a photo.")
app.add_typer(board_app, name="board")
app.add_typer(enrol_app, name="enrol")
app.add_typer(event_app, name="event")
app.command()(batch)
app.command("rules")(list_rules)

_stages = StageBar()
_errors = ErrorPrinter()

Game = Annotated[
    str | None, typer.Option(help=f"The game on the table: {', '.join(list_games())}; by default recognised.")
]
Json = Annotated[Path | None, typer.Option(help="Write the report to this file; - prints it instead.")]
Rules = Annotated[str, typer.Option(help=f"The rule set to score by: {', '.join(RULESETS)} (see wondertally rules).")]
OtherRules = Annotated[
    str | None,
    typer.Option("--rules", help="The rule set to score by; by default the report's or the record's, or C3."),
]
Several = list[str] | None
_SQUARES = "4,7 or 'row 4, column 7', as every text names it"
OnTrack = Annotated[
    list[str] | None,
    typer.Option("--track", metavar="COLOUR=POINTS", help="A player's points on the score track: blue=90."),
]
Spots = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="SPOT=VALUE", help="The value of a spot of a printed board: discs.giza=2."),
]
Values = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A file of such words, one a line; --set overrides it.")
]
NothingMore = Annotated[
    bool,
    typer.Option("--nothing-more", help="Spots of a printed board that no photo shows and you did not set are empty."),
]


def _print_version(is_asked: bool) -> None:
    if is_asked:
        print(f"wondertally {version('wondertally')}")
        raise typer.Exit


def _choose_error_form(form: ErrorForm) -> None:
    _errors.form = form


@app.callback()
def start(
    is_version_asked: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version and exit.")
    ] = False,
    errors: Annotated[
        ErrorForm,
        typer.Option(
            is_eager=True,
            callback=_choose_error_form,
            help="The form of errors: sentences, a line of JSON, or (auto) sentences only on a terminal.",
        ),
    ] = ErrorForm.AUTO,
) -> None:
    """Photograph the finished table; get every player's final score, explained."""


@app.command()
def score(
    photos: Annotated[
        list[Path],
        typer.Argument(metavar="PHOTO...", help=f"{FORMATS} pictures of one table; or a report of one."),
    ],
    json: Json = None,
    annotated: Annotated[Path | None, typer.Option(help="Write the photo with its score drawn over it.")] = None,
    photo: Annotated[
        list[Path] | None, typer.Option(help="A report's photo to draw on, if it is not beside it.")
    ] = None,
    game: Game = None,
    rules: Rules = TODAY.name,
    track: OnTrack = None,
    spots: Spots = None,
    values: Values = None,
    nothing_more: NothingMore = False,
    players: PlayerCount = None,
    tiles_in_play: TilesInPlay = None,
    goods: Goods = None,
    owner: Owners = None,
    box_rules: BoxRulesSaid = None,
    boxes: BoxesSaid = None,
    wonder: OwnWonders = None,
) -> None:
    """Read a photo of a finished game and print the final scoring.

    Several photos of one table are joined by their common tiles; a photo of another table is named in the report. A
    report is scored again with your further options; its photos are not read again.
    """
    check_outputs(json, annotated)
    if photo and annotated is None:
        raise InputError("bad_usage", "--photo requires --annotated, which draws on it.")
    name_wonder_files(wonder or ())
    table = parse_table_words(players, tiles_in_play, goods or (), owner or (), box_rules or (), boxes or ())
    typed = TypedOptions(rules, track or (), list_spot_words(values, spots), table, nothing_more)
    report, pictures = score_photos(photos, game, typed, _prepare_tools(), annotated, photo or ())
    output_report(report, json, pictures)


@app.command()
def moves(
    photos: Annotated[
        list[Path], typer.Argument(metavar="PHOTO...", help="Pictures of one game in chronological order.")
    ],
    players: PlayersInOrder = None,
    on_turn: OnTurn = None,
    points: StartPoints = None,
    json: MovesFile = None,
    record: RecordFile = None,
    ranges: RangesShown = False,
    not_taken: NotTaken = None,
    points_at: PointsAt = None,
    corrections: CorrectionsFile = None,
    wonders: WondersEach = 0,
    language: MovesLanguage = LanguageCode.ENGLISH,
    export: ExportFiles = None,
    rules: Rules = TODAY.name,
    box_rules: BoxRulesSaid = None,
    boxes: BoxesSaid = None,
    wonder: OwnWonders = None,
) -> None:
    """Reconstruct the moves between photos of one game, and the points of each move.

    Anything the photos leave open (a piece placed and taken back between two photos) is listed with its effect. A photo
    that shows another table, or hardly any of the board, is set aside; one out of order is put where it belongs.
    """
    from api.carcassonne.report.moves import refuse_corrections  # loads the play engine

    check_outputs(json, record, *(export or ()))
    check_exports(export or ())
    name_wonder_files(wonder or ())
    _errors.language = language.value
    amended = read_game_corrections(corrections, points_at or (), not_taken or ())
    check_photo_names(amended, photos)
    options = _read_move_options(players, on_turn, points, rules, box_rules, boxes, amended, wonders)
    game = GameInPhotos(_load_reader, options.boxes)
    with _stages.shown(len(photos)):
        for photo in photos:
            game.add(photo.name, partial(open_photo, photo))
    game.refuse_lone()
    document = _build_moves(game, options)
    console = build_console()
    if json != STANDARD_OUTPUT:
        MovesPrinter(console, document, ranges, language.value).print()
    if record:
        write_document(record, document.record)
    write_exports(export or (), document, language.value)
    if not output_document(json, document.to_json()):
        for what, path in (("moves", json), ("record", record), *(("export", file) for file in export or ())):
            if path:
                console.print(f"{what}: {path}")
    refuse_corrections(document)


@app.command()
def watch(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", file_okay=False, help="Folder into which a camera puts its photos.")
    ],
    players: PlayersInOrder = None,
    on_turn: OnTurn = None,
    points: StartPoints = None,
    json: MovesFile = None,
    record: RecordFile = None,
    ranges: RangesShown = False,
    not_taken: NotTaken = None,
    points_at: PointsAt = None,
    corrections: CorrectionsFile = None,
    wonders: WondersEach = 0,
    language: MovesLanguage = LanguageCode.ENGLISH,
    export: ExportFiles = None,
    rules: Rules = TODAY.name,
    box_rules: BoxRulesSaid = None,
    boxes: BoxesSaid = None,
    wonder: OwnWonders = None,
    idle: Annotated[
        float | None, typer.Option(metavar="SECONDS", min=0, help="End after so long without a photo.")
    ] = None,
) -> None:
    """Keep the score of a game whose photos come into a folder, until Ctrl+C.

    Each photo is read once, and its moves and points are printed and written. Started again, the command reads the
    folder from its first photo.
    """
    check_outputs(json, record, *(export or ()))
    check_exports(export or ())
    if not folder.is_dir():
        raise InputError("file_not_found", details={"file": str(folder)})
    name_wonder_files(wonder or ())
    _errors.language = language.value
    amended = read_game_corrections(corrections, points_at or (), not_taken or ())
    options = _read_move_options(players, on_turn, points, rules, box_rules, boxes, amended, wonders)
    game, printer = GameInPhotos(_load_reader, options.boxes), NewsPrinter(build_console(), ranges, language.value)
    for path in wait_for_photos(folder, idle):
        game.add_again(path.name, partial(open_photo, path))
        try:
            document = _build_moves(game, options)
        except WondertallyError as error:
            if json != STANDARD_OUTPUT:
                printer.print_refusal(path.name, game.aside, error)
            continue
        if json != STANDARD_OUTPUT:
            printer.print(document)
        if record:
            write_document(record, document.record)
        write_exports(export or (), document, language.value)
        output_document(json, document.to_json())


def _read_move_options(
    players: str | None,
    on_turn: str | None,
    points: str | None,
    rules: str,
    box_rules: list[str] | None,
    boxes: list[str] | None,
    corrections: Sequence[GameCorrection],
    wonders: int,
) -> MoveOptions:
    """Read the facts stated about a game; the players have to be among them, before any photo is read."""
    from api.carcassonne.report.moves import MoveOptions  # loads the play engine

    played, copies = parse_box_rules(",".join(box_rules or ())), parse_boxes(",".join(boxes or ()))
    options = MoveOptions.read(players, on_turn, points, get_ruleset(rules), played, copies, corrections, wonders)
    if not options.players:
        raise QuestionError("players_needed")
    return options


def _build_moves(game: GameInPhotos, options: MoveOptions) -> Moves:
    """Build the document of a game's photos so far; raises as `build_moves` does."""
    from api.carcassonne.report.moves import build_moves  # loads the play engine

    document = build_moves(game.follow(options.players), options)
    document.open += map(build_damaged_wonder, _load_reader().damaged_wonders)
    document.set_aside = game.aside + document.set_aside
    return document


@board_app.command("score", context_settings={"ignore_unknown_options": True})
def score_board(
    board: Annotated[
        str,
        typer.Argument(
            metavar="FILE_OR_NOTATION", help="A file of a label, a report or a game's record; or a board in one line."
        ),
    ],
    json: Json = None,
    game: Game = None,
    rules: OtherRules = None,
    wonder: OwnWonders = None,
    track: OnTrack = None,
    spots: Spots = None,
    values: Values = None,
    nothing_more: NothingMore = False,
    players: PlayerCount = None,
    tiles_in_play: TilesInPlay = None,
    goods: Goods = None,
    owner: Owners = None,
    box_rules: BoxRulesSaid = None,
    boxes: BoxesSaid = None,
) -> None:
    """Score a board without a photo."""
    check_outputs(json)
    chosen = find_game_of_board(board, game)
    table = parse_table_words(players, tiles_in_play, goods or (), owner or (), box_rules or (), boxes or ())
    options = TypedOptions(rules, track or (), list_spot_words(values, spots), table, nothing_more).parse(chosen)
    output_report(chosen.score_board(chosen.read_board(board, wonder or ()), options, Tables()), json)


@app.command("explain", context_settings={"ignore_unknown_options": True})
def explain_board(
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="A report, a photo, a label file, or a board in one line.")
    ],
    feature: Annotated[Several, typer.Option(metavar="NAME", help="A feature by its name or its id: R3.4.")] = None,
    road: Annotated[Several, typer.Option(metavar="SQUARE", help=f"The roads on a square: {_SQUARES}.")] = None,
    city: Annotated[Several, typer.Option(metavar="SQUARE", help="The cities on a square.")] = None,
    field: Annotated[Several, typer.Option(metavar="SQUARE", help="The farms on a square.")] = None,
    square: Annotated[Several, typer.Option(metavar="SQUARE", help="Everything on a square.")] = None,
    player: Annotated[Several, typer.Option(metavar="COLOUR", help="A player's points, one by one.")] = None,
    lines: Annotated[bool, typer.Option("--lines", "--rows", help="Every row and column with its runs.")] = False,
    json: Annotated[Path | None, typer.Option(help="Write the explanation to this file; - prints it instead.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Write a picture with numbered squares.")] = None,
    photo: Annotated[Path | None, typer.Option(help="A report's photo, if it is not beside it.")] = None,
    rules: Annotated[str | None, typer.Option(help="Another rule set than the report's.")] = None,
    wonder: OwnWonders = None,
    game: Game = None,
    track: OnTrack = None,
    spots: Spots = None,
    values: Values = None,
    nothing_more: NothingMore = False,
    players: PlayerCount = None,
    tiles_in_play: TilesInPlay = None,
    goods: Goods = None,
    owner: Owners = None,
    box_rules: BoxRulesSaid = None,
    boxes: BoxesSaid = None,
    language: LanguageOption = LanguageCode.ENGLISH,
) -> None:
    """Settle a dispute: explain the points of a road, a city, a farm, a line or a player, with the rules.

    Without a choice everything is explained. Each choice may be given several times.
    """
    _errors.language = language.value
    check_outputs(json, picture)
    table = parse_table_words(players, tiles_in_play, goods or (), owner or (), box_rules or (), boxes or ())
    squares = {"road": road, "city": city, "field": field, None: square}
    places = tuple((kind, parse_square(at)) for kind, texts in squares.items() for at in texts or ())
    question = Question(tuple(feature or ()), places, tuple(player or ()), lines)
    name_wonder_files(wonder or ())
    tools = _prepare_tools()
    chosen = choose_source_game(source, game, tools)
    spot_words = list_spot_words(values, spots)
    options = TypedOptions(rules or TODAY.name, track or (), spot_words, table, nothing_more).parse(chosen)
    explanation_source = ExplanationSource(source, rules, photo, wonder or (), options, language.value)
    explained = chosen.explain_source(explanation_source, question, tools)
    if picture and explained.write_picture:
        explained.write_picture(picture)
    else:
        picture = None
    if output_document(json, explained.explanation.to_json()):
        return
    console = build_console()
    chosen.print_explanation(console, explained.explanation, language.value)
    words = load_words(language.value)
    for what, path in (("explain-written", json), ("explain-drawn", picture)):
        if path:
            console.print(words.say(what, file=str(path)))


@app.command()
def evaluate(
    labels: Annotated[list[Path], typer.Argument(metavar="LABEL...", help="Label files.")],
    photos: Annotated[Path, typer.Option(help="The folder of the labels' photos.")],
    out: Annotated[Path, typer.Option(help="The folder to write the figures to, as CSV and JSON.")],
    json: Annotated[Path | None, typer.Option(help="Write the figures to this file too; - prints them.")] = None,
    game: Annotated[
        str | None,
        typer.Option(help=f"The game on the tables: {', '.join(list_games())}; by default that of the labels."),
    ] = None,
) -> None:
    """Compare readings of labelled photos with their labels."""
    check_output_folder(out, FIGURE_FILES, json)
    chosen = find_game_of_labels(labels) if game is None else find_game(game)
    show = chosen.evaluate(labels, photos, out)
    if not output_document(json, (out / "evaluation.json").read_text(encoding="utf-8") if json else ""):
        show()


@app.command("serve")
def serve_page(
    host: Annotated[
        str | None,
        typer.Option(
            help="The address to listen at, by default 127.0.0.1: 0.0.0.0 is all of this machine, :: IPv6 too."
        ),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for a free one.")] = 8000,
    is_lan: Annotated[
        bool,
        typer.Option("--lan", help="Serve phones in the same network by HTTPS, and print the address as a QR code."),
    ] = False,
    wonder: OwnWonders = None,
) -> None:
    """Serve the page and the API; the address is printed once photos can be read.

    All settings are environment variables: see docs/settings.md.
    """
    from api.cli.serve import run_server  # only this command needs the web

    name_wonder_files(wonder or ())
    run_server(host or ("0.0.0.0" if is_lan else "127.0.0.1"), port, is_lan=is_lan)


def main() -> None:
    """Run a command as the console script, and turn its exception into an error and an exit status."""
    _errors.form, _errors.language = ErrorForm.AUTO, LanguageCode.ENGLISH.value
    try:
        sys.exit(_build_command()(standalone_mode=False) or 0)
    except WondertallyError as error:
        is_request = isinstance(error, InputError) or error.code == "photo_not_found"
        _fail(
            error.code,
            error.text,
            error.details,
            2 if is_request else 1,
            advise(error.code, type(error), _errors.language),
        )
    except typer.TyperException as error:
        _fail("bad_usage", error.format_message(), _list_commands(error), 2, _build_usage_hint(error))
    except typer.Abort:
        sys.exit(130)
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        _fail(
            "internal_error",
            text,
            {"at": _last_place(error)},
            3,
            load_words(_errors.language).say("try-internal_error"),
        )


@cache
def _build_command() -> Any:
    """Build the tree of commands, which takes longer than most of them; `app` would do so for each."""
    return get_command(app)


def _fail(code: str, text: str, details: dict[str, Any], status: int, hint: str = "") -> None:
    _errors.print(code, text, details, hint)
    sys.exit(status)


def _build_usage_hint(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    return f"Try: {context.command_path} --help" if context is not None else ""


def _list_commands(error: typer.TyperException) -> dict[str, Any]:
    """Return the details of an error about a missing subcommand: the list of subcommands."""
    command = getattr(getattr(error, "ctx", None), "command", None)
    if not isinstance(command, TyperGroup):
        return {}
    return {"commands": [name for name, known in command.commands.items() if not known.hidden]}


def _last_place(error: Exception) -> str:
    """Return the file and line that raised, for a bug report."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else ""


@cache
def _load_reader() -> Reader:
    from vision.reader import Reader  # loads the nets' runtime, which only photos need

    return Reader.load_enrolled(_stages.tell)


def _prepare_tools() -> ReadingTools:
    return ReadingTools(Tables(), _load_reader, show_progress=_stages.shown)
