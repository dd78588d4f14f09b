"""docs/games.md, "A fourth game": all it names exists, and a game built from it is read, scored and worded."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import api.i18n
import api.page.phrases
from api.documents.report import Entry
from api.documents.spot_report import SpotProblem
from api.games.registry import list_games
from api.i18n import load_words
from api.i18n.report_text import translate_entry, translate_problem, translate_rule
from api.languages import LANGUAGES
from api.spots.questions import build_spot_questions
from api.spots.registry import SPOT_GAMES, SpotGame
from api.spots.review import build_table_review
from api.spots.snapshot import build_table_snapshot
from api.spots.text import label_feature, translate_spot, translate_value
from scoring.spots.components import ComponentsError
from scoring.spots.game import Laid, Trouble
from scoring.spots.text import SpotTable, format_table, parse_table
from tests.api.commands import run_parsed
from tests.api.fourth_game.drawn import COMPONENTS, deal_stones, draw_board, photograph, write_tables
from tests.api.fourth_game.reader import build_reader
from tests.api.fourth_game.rules import GAME
from tests.scoring.spots.games_page import part
from vision.enrolment.games import GameEnrolment
from vision.evaluation.spot_judge import count_nothing
from vision.photo.decoding import Photo

ROOT = Path(__file__).parents[3]
DATA = Path(__file__).parent / "data"
COPY = GAME.components(COMPONENTS)
TOY = SpotGame("fourth-game", "Quays", lambda: GAME, build_reader, count_nothing)
PLAYERS = ("red", "blue")


def read_texts_with_toy(read_texts: Callable[[str], Iterator[str]], language: str) -> Iterator[str]:
    """Yield the words of all games, the toy's among them."""
    yield from read_texts(language)
    yield (DATA / f"fourth-game.{language}.ftl").read_text(encoding="utf-8")


def forget_words() -> None:
    load_words.cache_clear()
    api.page.phrases.load_phrases.cache_clear()


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Register the game as the page describes: one more SpotGame, and its words."""
    monkeypatch.setitem(SPOT_GAMES, TOY.name, TOY)
    texts = partial(read_texts_with_toy, api.i18n.read_fluent_texts)
    monkeypatch.setattr(api.i18n, "read_fluent_texts", texts)
    monkeypatch.setattr(api.page.phrases, "read_fluent_texts", texts)
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    forget_words()
    yield
    monkeypatch.undo()
    forget_words()


def name_code() -> set[str]:
    """Return the code spans of the page's section."""
    return set(re.findall(r"`([^`]+)`", part("A fourth game")))


def test_everything_that_the_page_names_exists() -> None:
    """Dotted names are imported, files are in the tree; the game's own packages are those that an author creates."""
    names = {name for name in name_code() if "fourth" not in name}
    dotted = {name for name in names if re.fullmatch(r"(scoring|vision|api|datasets)(\.\w+)+", name)}
    files = {name for name in names if re.fullmatch(r"(scoring|vision|api|datasets|tests)/[\w./]*", name)}
    assert len(dotted) >= 4
    assert len(files) >= 2
    for name in dotted:
        module, _, attribute = name.rpartition(".")
        assert hasattr(importlib.import_module(module), attribute), name
    assert [name for name in files if not (ROOT / name).exists()] == []
    folders = {Path(name).parent for name in name_code() if name.startswith(("vision/", "api/")) and "fourth" in name}
    assert [folder for folder in folders if "fourth_game" not in folder.name and not (ROOT / folder).is_dir()] == []
    protocol = {name for name in dir(GAME) if not name.startswith("_")}
    assert {name for name in names if name in ("spots", "score", "sections")} <= protocol


def test_packages_of_a_new_game_follow_the_existing_names() -> None:
    """The page's statements about the fourth game's files hold for those of the existing games."""
    for game in ("tower_of_babel", "world_wonders"):
        named = [name.replace("fourth_game", game) for name in name_code() if re.match(r"\w+/fourth_game/", name)]
        assert len(named) >= 3
        assert [name for name in named if not (ROOT / name).exists()] == []
        words = [f"api/i18n/{game.replace('_', '-')}.{language}.ftl" for language in LANGUAGES]
        assert [name for name in words if not (ROOT / name).is_file()] == []
        assert (ROOT / "scoring" / game / "data" / "components.toml").is_file()
        assert hasattr(importlib.import_module(f"vision.{game}.reader"), "build_reader")
    assert hasattr(importlib.import_module("vision.evaluation.world_wonders"), "count_figures")


def test_the_worked_example_scores_as_documented() -> None:
    laid = {"quay.upper.1": "red", "quay.lower.1": "blue", "quay.lower.2": "red", "flag": "blue"}
    assert GAME.score(COPY, PLAYERS, laid).totals == {"red": 2 + 5, "blue": 5 + 1}
    with pytest.raises(ComponentsError) as caught:
        GAME.score(GAME.components(None), PLAYERS, laid)
    assert caught.value.details["key"] == "worth.lower"
    assert [error.details["key"] for error in GAME.missing(GAME.components(None))] == ["worth.lower"]


def build_laid(seed: int) -> Laid:
    rng = np.random.default_rng(seed)
    return {**deal_stones(rng), **({"flag": str(rng.choice(["-", *PLAYERS]))} if rng.random() < 0.7 else {})}


@given(st.integers(0, 9999))
def test_totals_are_sums_and_written_tables_read_back(seed: int) -> None:
    laid = build_laid(seed)
    scored = GAME.score(COPY, PLAYERS, laid)
    for player in PLAYERS:
        assert scored.totals[player] == sum(entry.points for entry in scored.entries if entry.player == player)
    table = SpotTable(GAME.name, PLAYERS, laid)
    assert parse_table(format_table(table)) == table
    assert ("flag" in scored.unknown) == ("flag" not in laid)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_spot_and_entry_is_worded_in_every_language(language: str) -> None:
    words = load_words(language)
    for spot in GAME.spots(COPY, PLAYERS, {}):
        name = translate_spot(words, spot.id, spot.kind, spot.values, {})
        assert name != spot.id
        assert words.name("berth", str(spot.values.get("berth", ""))) in name
        assert all(translate_value(words, spot.kind, value) for value in spot.choices)
    scored = GAME.score(COPY, PLAYERS, {"quay.upper.1": "red", "flag": "blue"})
    for score_entry in scored.entries:
        entry = Entry.copy_of(score_entry)
        assert translate_rule(language, entry.rule) != entry.rule
        assert (translate_entry(language, entry) == entry.text) == (language == "en")
    trouble = Trouble("too_many_stones", "", (), {"player": "red", "number": 3})
    assert "3" in translate_problem(language, SpotProblem.copy_of(trouble))
    assert words.name("kind", "quay") != "quay" or language == "en"
    assert "spot-quay" in api.page.phrases.load_phrases(language), "the page says them too"


def enrol(capsys: pytest.CaptureFixture[str]) -> None:
    """Enrol the game as a person does: a photo of the empty board, and a file of its printed facts."""
    cv2.imwrite("board.png", draw_board())
    Path("mine.toml").write_text(COMPONENTS)
    arguments = ["enrol", "board", "board.png", "--picture", "board", "--components", "mine.toml", "--game", GAME.name]
    assert run_parsed(capsys, *arguments)[2] is None


def test_the_command_line_reads_scores_explains_and_measures_the_game(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    enrol(capsys)
    labels = write_tables(tmp_path, 1)

    def document(*words: str) -> Any:
        return json.loads(run_parsed(capsys, *words, "--json", "-")[1])

    report = document("score", "table-0.jpg", "--set", "flag=red")
    assert report["game"] == GAME.name, "it is recognised"
    truth = json.loads(labels[0].read_text())["laid"]
    assert {spot["id"]: spot["value"] for spot in report["board"]["spots"]} == truth
    assert report["scores"]["final_scoring"] == dict(GAME.score(COPY, PLAYERS, truth).totals)
    assert "flag" in [doubt["spot"] for doubt in document("score", "table-0.jpg")["doubts"]]
    assert document("score", "table-0.jpg", "--nothing-more")["doubts"] == []
    Path("report.json").write_text(json.dumps(report))
    assert run_parsed(capsys, "explain", "report.json", "--picture", "drawn.png")[2] is None
    assert cv2.imread("drawn.png") is not None
    figures = document("evaluate", *map(str, labels), "--photos", ".", "--out", "out", "--game", GAME.name)["totals"]
    assert (figures["spots"]["quay"]["part"], figures["spots"]["quay"]["n"]) == (6, 6)
    assert figures["finals_exact"]["part"] == 1


def test_corrections_and_questions_work_for_a_new_game() -> None:
    """They work as on the server and the page."""
    rng = np.random.default_rng(3)
    laid = deal_stones(rng)
    photo = Photo.from_bytes(cv2.imencode(".jpg", photograph(laid, rng))[1].tobytes(), "table.jpg")
    reading = build_reader(GameEnrolment(GAME.name, COMPONENTS, {"board": draw_board()})).read([photo])
    snapshot = build_table_snapshot(reading, GAME.name, COMPONENTS)
    review = build_table_review(snapshot)
    (question, *_) = build_spot_questions(review, "de")
    assert (question.spot, question.text) == ("flag", "Wer hat die Flagge?")
    answer = next(choice for choice in question.choices if choice.value == "red")
    answered = build_table_review(snapshot, [answer.correction])
    assert dict(answered.scored.totals) == answer.final_scoring
    labels = [label_feature(load_words("en"), answered.report, feature.id) for feature in answered.report.features]
    assert labels[0] == "Quay 1, upper row"
    assert list(list_games())[-1] == GAME.name
