"""Every game goes from photo to table by the protocol alone, and no other room of `api` asks which game it is."""

from __future__ import annotations

import ast
import io
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from pkgutil import resolve_name

import cv2
import numpy as np
import pytest
from fluent.runtime import FluentResource
from fluent.syntax import ast as fluent
from fluent.syntax.visitor import Visitor
from rich.console import Console

from api.documents.corrections import CORRECTIONS
from api.documents.forms import parse_report_json
from api.documents.table_options import Question, TableOptions
from api.games.protocol import TableGame
from api.games.recognition import OnceOpened
from api.games.registry import (
    find_game,
    find_game_of,
    find_game_of_notation,
    list_games,
    parse_snapshot_json,
    review_snapshot,
)
from api.games.sheets import render_report_pdf
from api.i18n import load_words
from api.languages import LANGUAGES
from api.reading.tools import ReadingTools
from api.spots.registry import SPOT_GAMES, SpotGame
from api.spots.tables import Tables
from tests.api.pebbles.reader import drawn
from tests.api.pebbles.tables import COMPONENTS, LAID, register
from tests.api.serving import LEVEL
from tests.readers import reader
from tests.vision.tower_of_babel.papyrus import enrol_papyrus, photograph_papyrus
from tests.vision.world_wonders.drawn_tables import empty_copy, photo_with
from vision.enrolment.games import GameEnrolment, GameEnrolments
from vision.photo.decoding import Photo

API = Path(__file__).parents[3] / "api"
GAMES = {API / room for room in ("games", "carcassonne", "spots", "documents")}
"""Rooms that know the games, or the forms of their documents."""
FORMS = {
    *("Report", "SpotReport", "Snapshot", "SpotSnapshot", "Review", "TableReview"),
    *("Explanation", "SpotExplanation", "SpotQuestion", "Carcassonne", "PrintedGame"),
}
"""Classes that would identify a game."""
NAMES = {"CARCASSONNE", "DEFAULT_GAME", "SPOT_GAMES", *list_games()}
"""Constants and names that would."""


@dataclass(frozen=True)
class Shown:
    """A photo of a table of a game, and the enrolment of the game on the machine that reads it, if any."""

    photo: Photo
    enrolment: GameEnrolment | None = None


def photo_of(pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Photo:
    return Photo.from_bytes(cv2.imencode(".png", pixels)[1].tobytes(), "table.png")


def show_carcassonne() -> Shown:
    return Shown(Photo.from_path(LEVEL))


def show_babel() -> Shown:
    return Shown(photo_of(photograph_papyrus()[1]), enrol_papyrus())


def show_wonders() -> Shown:
    return Shown(photo_with(["giza"], 1, 70.0), empty_copy())


def show_pebbles() -> Shown:
    return Shown(photo_of(drawn(LAID, 3)), GameEnrolment("pebbles", COMPONENTS, {"board": drawn({})}))


TABLES: dict[str, Callable[[], Shown]] = {
    "carcassonne": show_carcassonne,
    "tower-of-babel": show_babel,
    "world-wonders": show_wonders,
    "pebbles": show_pebbles,
}


@pytest.fixture(autouse=True)
def pebbles(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


def prepare_tools(table: Shown, folder: Path, stages: list[str]) -> ReadingTools:
    """Return the tools for reading the photo on a machine with this game's enrolment alone."""
    if table.enrolment is not None:
        GameEnrolments(folder).save(table.enrolment)
    return ReadingTools(Tables(folder), reader, stages.append)


def test_every_game_has_a_test_table() -> None:
    assert list(list_games()) == [game.name for game in list_games().values()] == list(TABLES)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.soak if name in ("tower-of-babel", "world-wonders") else ())
        for name in TABLES
    ],
)
def test_every_game_goes_from_its_photo_to_its_table(name: str, tmp_path: Path) -> None:
    table, stages = TABLES[name](), list[str]()
    tools = prepare_tools(table, tmp_path, stages)
    photos = OnceOpened([("table.png", lambda: table.photo)])
    game = photos.recognise(tools.tables)
    assert game.name == name
    game.check_readable(tools.tables)

    snapshot = game.read(photos.openers, tools, TableOptions())
    assert stages
    assert set(stages) <= set(game.stages)
    assert [photo.sha256 for photo in snapshot.photos] == [table.photo.sha256]
    assert parse_snapshot_json(snapshot.to_json()) == snapshot
    assert find_game_of(snapshot).name == name

    review = review_snapshot(snapshot)
    report = review.report
    assert parse_report_json(report.to_json()) == report
    assert find_game_of(report).name == name
    assert report.scores.final_scoring
    assert set(report.scores.final_scoring) <= set(game.colours)
    assert len(game.list_doubt_kinds(report)) == len(report.doubts)
    assert check_questions(game, snapshot.to_json()) or not report.doubts

    explanation = game.explain(report, Question())
    assert {account.player: account.total for account in explanation.players} == report.scores.final_scoring
    console = Console(file=io.StringIO(), width=200)
    game.print_explanation(console, explanation)
    assert all(f"{player}: " in console.file.getvalue() for player in report.scores.final_scoring)  # type: ignore[attr-defined]

    pixels = table.photo.pixels
    picture = game.annotate_photo(pixels, game.project_report(report, review, 0))
    assert picture.shape[0] > pixels.shape[0]
    assert (picture[: len(pixels)] != pixels).any()
    assert render_report_pdf(report, pixels).startswith(b"%PDF")
    check_table_text(game, snapshot.to_json())


def check_questions(game: TableGame, snapshot: str) -> int:
    """Check that the first answers are corrections with the promised result; return how many were tried."""
    parsed = parse_snapshot_json(snapshot)
    questions = game.list_questions(game.review(parsed))[:3]
    answers = [answer for question in questions for answer in question.choices[:3]]
    for answer in answers:
        corrected = game.review(parsed, CORRECTIONS.validate_python([answer.correction])).report
        assert answer.final_scoring in (None, corrected.scores.final_scoring)
    return len(answers)


def check_table_text(game: TableGame, snapshot: str) -> None:
    """Check that output and sheet have a line for each doubt, and that the board's own line reads back."""
    report = game.review(parse_snapshot_json(snapshot)).report
    words = load_words("en")
    assert list(game.list_remarks(report))
    assert len(list(game.list_sheet_doubts(report, words))) == len(report.doubts)
    assert all(game.list_sheet_facts(report, words))
    assert all(game.format_reason(entry).endswith(entry.text) for entry in report.scores.entries)
    assert find_game_of_notation(report.board.notation).name == game.name
    assert game.parse_board(report.board.notation) == game.read_board(report.board.notation)


@pytest.mark.parametrize("name", TABLES)
def test_options_that_a_game_lacks_are_named_with_a_reason(name: str) -> None:
    unfit = find_game(name).unfit_options
    assert set(unfit) < {"rules", "track", "players", "tiles_in_play", "goods", "owner", "box_rules", "boxes", "set"}
    assert all(unfit.values())
    assert ("set" in unfit) != ("track" in unfit)


def list_questions_of_game(code: str) -> Iterator[str]:
    """Return the parts of a module's code that ask for the game: by a form's class, or by a game's name."""
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kinds]):
                yield from sorted(set(list_names(kinds)) & FORMS)
            case ast.MatchClass(cls=kind):
                yield from sorted(set(list_names(kind)) & FORMS)
            case ast.Compare() | ast.MatchValue():
                yield from sorted(set(list_names(node)) & (NAMES | FORMS))
            case ast.ImportFrom(names=names):
                yield from sorted({name.name for name in names} & (NAMES - {"DEFAULT_GAME"}))


def list_names(node: ast.AST) -> Iterator[str]:
    """Return the names, attributes and texts in a part of a module."""
    for part in ast.walk(node):
        match part:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
                yield name


@pytest.mark.parametrize(
    "code",
    [
        "isinstance(report, Report | SpotReport)",
        "isinstance(kept, (int, snapshot.SpotSnapshot))",
        "match review:\n    case TableReview(): pass",
        "report.game == 'carcassonne'",
        "x = 1 if game in games.SPOT_GAMES else 2",
        "match name:\n    case 'world-wonders': pass",
        "type(report) is SpotReport",
        "from api.games.registry import CARCASSONNE",
    ],
)
def test_a_check_for_a_specific_game_is_detected(code: str) -> None:
    assert list(list_questions_of_game(code))


def test_no_other_package_checks_for_a_specific_game() -> None:
    modules = [file for file in sorted(API.rglob("*.py")) if GAMES.isdisjoint(file.parents)]
    assert len(modules) > 100
    asking = {str(file.relative_to(API)): list(list_questions_of_game(file.read_text("utf-8"))) for file in modules}
    assert {file: questions for file, questions in asking.items() if questions} == {}


def test_other_packages_import_no_games_implementation() -> None:
    """They reach a game by the registry: its implementation could be another class."""
    files = [file for file in sorted(API.rglob("*.py")) if GAMES.isdisjoint(file.parents)]
    imports = [
        (file.name, node.module)
        for file in files
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module in ("api.carcassonne.game", "api.spots.game")
    ]
    assert imports == []


FOLDER = Path(__file__).parents[3] / "api" / "i18n"


class Variables(Visitor):
    """The values that a message names."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_VariableReference(self, node: fluent.VariableReference) -> None:  # noqa: N802
        self.names.add(node.id.name)


def messages(name: str, language: str) -> dict[str, set[str]]:
    """Return the messages of a file and the values each names; references are resolved."""
    body = FluentResource((FOLDER / f"{name}.{language}.ftl").read_text(encoding="utf-8")).body
    assert not [entry for entry in body if isinstance(entry, fluent.Junk)]
    names_by_message = {}
    for entry in body:
        if isinstance(entry, fluent.Message):
            variables = Variables()
            variables.visit(entry)
            names_by_message[entry.id.name] = variables.names
    return names_by_message


@pytest.mark.parametrize("game", SPOT_GAMES)
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_all_languages_have_the_same_messages_of_a_game(game: str, language: str) -> None:
    assert messages(game, language) == messages(game, "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_of_a_game_is_defined_twice(language: str) -> None:
    """All files of a language share one namespace: the later would replace the earlier."""
    files = [file.name.split(".")[0] for file in FOLDER.glob(f"*.{language}.ftl")]
    counts = Counter(name for file in files for name in messages(file, language))
    assert [name for name, number in counts.items() if number > 1] == []


@pytest.mark.parametrize("game", SPOT_GAMES.values(), ids=lambda game: game.name)
def test_every_part_of_a_game_is_where_the_registry_says(game: SpotGame) -> None:
    parts = [part for field in fields(game) if isinstance(part := getattr(game, field.name), partial)]
    assert len(parts) >= 4
    assert all(resolve_name(part.args[0]) is not None for part in parts)
