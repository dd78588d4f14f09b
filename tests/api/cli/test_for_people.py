"""The command line for people: its version, progress, the rule sets, and errors as sentences on a terminal."""

from __future__ import annotations

import io
import json
import os
import pty
import re
from dataclasses import asdict
from importlib.metadata import version
from subprocess import PIPE

import pytest
from rich.console import Console

from api.advice import advise, list_error_classes
from api.cli.terminal import DOING, OF_A_PHOTO, OF_ALL, StageBar
from api.languages import LANGUAGES
from api.reading.tools import STAGES_OF_TILES
from api.server.errors import ServerError
from api.tournament.errors import BatchError
from scoring.carcassonne.final.rulesets import RULESETS
from scoring.errors import InputError, PlayError, WondertallyError
from tests.api.commands import error_of, run
from tests.api.processes import Process
from tests.api.serving import LEVEL
from vision.errors import PhotoError, ReadingError
from vision.photo.decoding import Photo
from vision.reader import Reader


def errors_on_a_terminal(*words: str) -> str:
    """Return the command's output on a terminal that shows standard error alone."""
    person, terminal = pty.openpty()
    with Process(words, stdout=PIPE, stderr=terminal) as started:
        os.close(terminal)
        said = b""
        while True:
            try:
                chunk = os.read(person, 4096)
            except OSError:  # no process writes to it any more
                break
            if not chunk:
                break
            said += chunk
        started.wait()
    os.close(person)
    return said.decode()


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version") == (0, f"wondertally {version('wondertally')}\n", "")


def test_a_terminal_shows_errors_as_sentences() -> None:
    said = errors_on_a_terminal("board", "score", "D0 red^0,0=cN", "--goods", "gren.wine=3")
    assert "{" not in said
    assert "No player's pieces have that colour." in said
    assert "Did you mean green?" in said
    assert re.search(r"Try: wondertally(\.py)? score --help", errors_on_a_terminal("score"))
    for command, below in (("enrol", "commands: tiles, wonder"), ("board", "commands: score"), ("event", "import")):
        said = errors_on_a_terminal(command)
        assert "Missing command." in said
        assert below in said
        assert re.search(rf"Try: wondertally(\.py)? {command} --help", said)
    document = errors_on_a_terminal("--errors", "json", "board", "score", "D7")
    assert json.loads(document)["error"]["code"] == "bad_turn"


def test_errors_in_a_pipe_are_json_unless_text_is_requested(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "score", "no-such-photo.jpg")
    assert (status, out, error_of(err)["code"]) == (2, "", "photo_not_found")
    status, out, err = run(capsys, "--errors", "text", "score", "no-such-photo.jpg")
    missing = "Error: There is no such photo.\n  file: no-such-photo.jpg\n"
    assert (status, out, err) == (2, "", missing + "Try: check the file's name and its folder.\n")
    assert error_of(run(capsys, "score", "no-such-photo.jpg")[2])["code"] == "photo_not_found"
    assert error_of(run(capsys, "--errors", "loud", "rules")[2])["code"] == "bad_usage"


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_error_says_what_to_try(language: str) -> None:
    """Those of scoring, photos, reports, the server and events are all imported here."""
    classes = {*list_error_classes(WondertallyError)} - {WondertallyError}
    assert {PhotoError, ReadingError, PlayError, ServerError, BatchError} <= classes
    unadvised = {kind.__name__ for kind in classes if not advise("any_code", kind, language)}
    assert unadvised == set()
    assert advise("board_not_found", ReadingError, language) != advise("empty_file", PhotoError, language)
    machine = [code for code in InputError.list_codes() if code.startswith("models_")]
    assert not [code for code in machine if "--help" in advise(code, InputError, language)]


def test_rule_sets_are_listed_with_their_years_and_differences(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "rules")
    assert (status, err) == (0, "")
    *texts, note = split_by_name(out)
    sets = dict(zip(RULESETS, texts, strict=True))
    assert "since about 2014" in sets["C3"]
    assert "3 points for each finished city" in sets["C3"]
    assert "4 points, and 2 for each coat of arms" in sets["C3"]
    assert "from about 2000" in sets["C1-first"]
    assert "4 points for each finished city" in sets["C1-first"]
    assert "2 points, and 1 for each coat of arms" in sets["C1-first"]
    assert "Alhambra: 5 points a farmer, 6 from 120 tiles on" in sets["C3"]
    assert "wonders by the rules of 10/2023" in sets["C3-2023"]
    assert "begin to score in the turn in which they are laid" in sets["C3-original"]
    for name, text in sets.items():
        assert ("these boxes had none" in text) is name.startswith("C1"), "wonders were published for C3 alone"
    assert "approximate" in note
    status, out, err = run(capsys, "rules", "--json", "-")
    told = {rules["name"]: rules for rules in json.loads(out)["rules"]}
    assert list(told) == list(RULESETS)
    assert told == {rules.name: asdict(rules) for rules in RULESETS.values()}
    assert (told["C1-first"]["city_of_a_farm"], told["C1-first"]["small_city"]) == (4, True)


def split_by_name(text: str) -> list[str]:
    """Split the text before each line that begins a rule set."""
    parts: list[str] = []
    for line in text.splitlines():
        if not line.startswith(" "):
            parts.append("")
        parts[-1] += line + "\n"
    return parts


def show_stages(console: Console) -> None:
    bar = StageBar(console)
    with bar.shown(1):
        for stage in (*OF_A_PHOTO, *OF_ALL):
            bar.tell(stage)
            console.file.flush()
    bar.tell("tiles")


def test_a_terminal_shows_the_stages() -> None:
    text = io.StringIO()
    show_stages(Console(file=text, force_terminal=True, width=100))
    assert DOING["track"] in text.getvalue()


def test_a_pipe_gets_no_progress() -> None:
    text = io.StringIO()
    show_stages(Console(file=text, force_terminal=False))
    assert text.getvalue() == ""


def test_every_stage_of_the_reader_has_words() -> None:
    assert {*OF_A_PHOTO, *OF_ALL} == DOING.keys()


def test_the_page_receives_the_stages_in_the_readers_order() -> None:
    stages: list[str] = []
    reader = Reader(tell=stages.append)
    reader.join([reader.look(Photo.from_path(LEVEL))])
    tile_stages = [stage for stage in stages if stage in STAGES_OF_TILES]
    assert tile_stages == [stage for stage in STAGES_OF_TILES if stage in tile_stages]
    assert {"lattice", "tiles", "meeples", "track"} <= set(tile_stages)
