"""A board of too many squares is refused alike in every interface; one at the bound is scored, delaying no others."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from statistics import median
from threading import Event
from typing import Any

import cv2
import numpy as np
import pytest
from anyio import create_task_group, run, sleep, to_thread

from api.carcassonne.corrections.apply import apply_corrections
from api.carcassonne.corrections.url_fragment import SharedBoard, decode_fragment, encode_fragment
from api.carcassonne.report.builder import build_board_report
from api.documents.tile_corrections import SetTile
from api.errors import CorrectionError
from api.http.dependencies import MAX_WAITING_BOARDS, Server
from api.i18n import load_words
from api.languages import LANGUAGES
from api.server.errors import ServerError
from api.server.settings import Settings
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.play.game import Setup
from scoring.carcassonne.record.record import Record
from scoring.carcassonne.record.text import format_record
from scoring.connected_squares import MAX_BOARD_SQUARES
from scoring.errors import BoardError
from tests.api import commands
from tests.api.doubted import held
from tests.api.serving import Running, error_in, unopened
from tests.boards_at_bound import ABOVE, AT_BOUND, column_of, square_of

AT_ONCE = 8


def label_file(folder: Path, notation: str) -> str:
    file = folder / "label.json"
    file.write_text(json.dumps({"rows": [row.replace("0", "0 ") for row in notation.split("/")]}))
    return str(file)


def notation_file(folder: Path, notation: str) -> str:
    file = folder / "table.board"
    file.write_text(notation)
    return str(file)


def report_file(folder: Path, notation: str) -> str:
    """Return a report that names as many tiles as the notation, whose own notation is small."""
    report = build_board_report(parse_notation("U0"))
    first, count = report.board.tiles[0], notation.count("U")
    report.board.tiles = [first.model_copy(update={"row": n}) for n in range(count)]
    file = folder / "report.json"
    file.write_text(report.to_json())
    return str(file)


def report_file_of_notation(folder: Path, notation: str) -> str:
    """Return a report that names one tile, whose notation is large."""
    report = build_board_report(parse_notation("U0"))
    report.board.notation, report.rules.tiles_in_play = notation, notation.count("U")
    file = folder / "report.json"
    file.write_text(report.to_json())
    return str(file)


Written = Callable[[Path, str], str]
FILES: list[Written] = [label_file, notation_file, lambda _, notation: notation]


@pytest.mark.parametrize("command", [("board", "score"), ("explain",)])
@pytest.mark.parametrize("given", FILES, ids=["label", "file", "notation"])
def test_commands_accept_boards_up_to_the_bound(
    command: tuple[str, ...],
    given: Written,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, error = commands.run_parsed(capsys, *command, given(tmp_path, AT_BOUND["square"]))
    assert (status, error) == (0, None)
    assert out
    status, _, error = commands.run_parsed(capsys, *command, given(tmp_path, ABOVE["square"]))
    assert (status, error["code"], error["details"]["most"]) == (1, "board_too_large", MAX_BOARD_SQUARES)


@pytest.mark.parametrize("report", [report_file, report_file_of_notation])
def test_returned_reports_are_accepted_up_to_the_bound(
    report: Written, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, error = commands.run_parsed(capsys, "explain", report(tmp_path, AT_BOUND["square"]))
    assert (status, error) == (0, None)
    status, _, error = commands.run_parsed(capsys, "explain", report(tmp_path, ABOVE["square"]))
    assert (status, error["code"]) == (1, "board_too_large")


def test_a_report_above_the_bound_is_not_enrolled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, error = commands.run_parsed(capsys, "enrol", "tiles", report_file(tmp_path, ABOVE["square"]))
    assert (status, error["code"]) == (1, "board_too_large")


def test_a_board_above_the_bound_is_not_enrolled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo = tmp_path / "tiles.png"
    cv2.imwrite(str(photo), np.full((80, 80, 3), 128, np.uint8))
    words = ("enrol", "tiles", str(photo), "--board", ABOVE["row"], "--name", "large")
    status, _, error = commands.run_parsed(capsys, *words)
    assert (status, error["code"]) == (1, "board_too_large")


def test_a_label_above_the_bound_is_not_evaluated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(tmp_path / "tiles.png"), np.full((80, 80, 3), 128, np.uint8))
    label = Path(label_file(tmp_path, ABOVE["square"]))
    label.write_text(json.dumps(json.loads(label.read_text()) | {"photo": "tiles.png"}))
    words = ("evaluate", str(label), "--photos", str(tmp_path), "--out", str(tmp_path / "out"))
    status, _, error = commands.run_parsed(capsys, *words)
    assert (status, error["code"]) == (1, "board_too_large")


def test_a_shared_board_is_bounded() -> None:
    shared = decode_fragment(encode_fragment(SharedBoard(notation=AT_BOUND["square"])))
    assert len(shared.report().board.tiles) == MAX_BOARD_SQUARES
    with pytest.raises(BoardError) as error:
        decode_fragment(encode_fragment(SharedBoard(notation=ABOVE["square"]))).report()
    assert error.value.code == "board_too_large"


def test_corrections_add_tiles_up_to_the_bound() -> None:
    read = held(5)
    tile_squares = {(tile.row, tile.col) for tile in read.tiles}
    free = [(row, col) for row in range(-8, 13) for col in range(-8, 13) if (row, col) not in tile_squares]
    corrections = [
        SetTile(row=row, col=col, tile="E") for row, col in free[: MAX_BOARD_SQUARES - len(tile_squares) + 1]
    ]
    assert len(apply_corrections(read, corrections[:-1]).amended.tiles) == MAX_BOARD_SQUARES
    with pytest.raises(CorrectionError) as error:
        apply_corrections(read, corrections)
    assert (error.value.code, error.value.details["most"]) == ("too_many_tiles", MAX_BOARD_SQUARES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_words_errors_for_large_boards_and_busy_servers(language: str) -> None:
    texts = {
        load_words(language).say(f"error-{code}") for code in ("board_too_large", "too_many_tiles", "scoring_busy")
    }
    assert len(texts) == 3


@pytest.mark.parametrize("shape", ABOVE)
def test_the_server_scores_a_board_at_the_bound_and_none_above(server: Running, shape: str) -> None:
    answer = server.client.post("/v1/scores", json={"board": AT_BOUND[shape]})
    assert answer.status_code == 200
    assert len(answer.json()["report"]["board"]["tiles"]) == MAX_BOARD_SQUARES
    error = error_in(server.client.post("/v1/scores", json={"board": ABOVE[shape]}), 422)
    assert (error["code"], error["details"]) == ("board_too_large", {"most": MAX_BOARD_SQUARES})


def test_the_server_refuses_boards_that_once_took_seconds(server: Running) -> None:
    """Four thousand tiles, and a column with one road over a thousand."""
    for board in ("U0" * 3900, column_of(1000, "J1")):
        error = error_in(server.client.post("/v1/scores", json={"board": board}), 422)
        assert error["code"] == "board_too_large"


def test_the_server_refuses_records_and_enrolments_above_the_bound(server: Running) -> None:
    record = format_record(Record(Setup(("blue", "red"), start_board=parse_notation("D0"))))
    answer = server.client.post("/v1/scores", json={"record": record.replace("D0", ABOVE["square"])})
    assert error_in(answer, 422)["code"] == "board_too_large"
    picture = cv2.imencode(".png", np.full((80, 80, 3), 128, np.uint8))[1].tobytes()
    form: dict[str, Any] = {"files": {"photo": ("tiles.png", picture, "image/png")}, "data": {"board": ABOVE["square"]}}
    assert error_in(server.client.post("/v1/enrolments", **form), 422)["code"] == "board_too_large"


@pytest.mark.soak
def test_other_requests_are_answered_while_large_boards_are_scored(server: Running, made: dict[str, Any]) -> None:
    """Frequent requests while eight boards are scored take a small part of the time of those."""
    board = {"board": square_of(MAX_BOARD_SQUARES, "D0")}
    paths = ("/healthz", "/", f"/v1/readings/{made['id']}")
    done = Event()

    def ask(path: str) -> float:
        started = time.perf_counter()
        assert server.client.get(path).status_code == 200
        return time.perf_counter() - started

    def keep_asking() -> list[tuple[float, ...]]:
        times = []
        while not done.is_set():
            times.append(tuple(map(ask, paths)))
        return times

    def score() -> float:
        started = time.perf_counter()
        assert server.client.post("/v1/scores", json=board).status_code == 200
        return time.perf_counter() - started

    score()
    usual = tuple(map(ask, paths))
    with ThreadPoolExecutor(AT_ONCE + 1) as pool:
        asking = pool.submit(keep_asking)
        scored = list(pool.map(lambda _: score(), range(AT_ONCE)))
        done.set()
    answered = asking.result()
    assert max(usual) < max(scored)
    for path, times in zip(paths, zip(*answered, strict=True), strict=True):
        assert median(times) < max(scored) / 4, path


def test_the_server_returns_readings_while_boards_wait_to_be_scored(tmp_path: Path) -> None:
    """Other work does not wait in the scoring queue, and a queue that is too long is refused."""
    go = Event()

    async def stand_in_line(server: Server) -> None:
        async with create_task_group() as group:
            for _ in range(MAX_WAITING_BOARDS + 1):
                group.start_soon(server.run_scoring, go.wait)
            while server.scoring.statistics().tasks_waiting < MAX_WAITING_BOARDS:
                await sleep(0.01)
            assert await server.run_heavy(lambda: "told") == "told"
            with pytest.raises(ServerError) as error:
                await server.run_scoring(lambda: "scored")
            assert (error.value.code, error.value.status) == ("scoring_busy", 503)
            assert int(error.value.headers["Retry-After"]) > 0
            await to_thread.run_sync(go.set)

    with unopened(Settings(data=tmp_path)) as app:
        run(stand_in_line, app.state.server)


def test_a_board_waits_in_the_scoring_queue_only_for_a_while(tmp_path: Path) -> None:
    go = Event()

    async def wait_in_vain(server: Server) -> None:
        async with create_task_group() as group:
            group.start_soon(server.run_scoring, go.wait)
            while server.scoring.borrowed_tokens == 0:
                await sleep(0.01)
            with pytest.raises(ServerError) as error:
                await server.run_scoring(lambda: "scored")
            assert error.value.code == "scoring_busy"
            assert server.scoring.statistics().tasks_waiting == 0
            await to_thread.run_sync(go.set)
        assert await server.run_scoring(lambda: "scored") == "scored"

    with unopened(Settings(data=tmp_path)) as app:
        run(wait_in_vain, replace(app.state.server, scoring_patience_seconds=0.2))
