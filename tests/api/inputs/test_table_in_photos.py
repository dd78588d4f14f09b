"""One rendered photo of a game with Circus Maximus in every interface: players, goods and owners are given alike."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest

import api.cli.main as cli_main
from datasets.scene.varied_wonders import vary_wonder
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WonderLayout
from tests.api.batch.clusters import Cluster
from tests.api.batch.run import entries, lines
from tests.api.batch.run import run as run_batch
from tests.api.commands import run
from tests.api.serving import Running, error_in, running
from tests.drawn_boards import shoot_from_above
from vision.enrolment.wonders import EnrolledWonder, EnrolledWonders

CIRCUS = load_wonder_catalogue()["WH/circus-maximus"]
TABLE = Table(player_count=5, goods={"wine": {"green": 2}})
"""More players than colours on the board, one of them with goods alone."""


def deal(layout: WonderLayout, seed: int) -> Board:
    return deal_random_board(Random(seed), 14, 2, wonders=[layout])


def score(board: Board, table: Table | None = None) -> dict[str, int]:
    return dict(compute_final_scoring(board, table=table).totals)


BOARD = next(
    board
    for board in (deal(CIRCUS, seed) for seed in range(100))
    if score(board, Table(player_count=5)) != score(board) and "green" not in board.players
)


def photograph(board: Board, file: Path) -> Path:
    cv2.imwrite(str(file), shoot_from_above(board, (75, 90)).image)
    return file


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return photograph(BOARD, tmp_path_factory.mktemp("circus") / "table.jpg")


def score_photo(capsys: pytest.CaptureFixture[str], photo: Path, *words: str) -> dict[str, Any]:
    status, out, _ = run(capsys, "score", str(photo), *words, "--json", "-")
    assert status == 0
    return dict(json.loads(out))


def drop_zeros(points: dict[str, int]) -> dict[str, int]:
    return {player: total for player, total in points.items() if total}


def test_the_command_line_asks_and_accepts_the_answer(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = score_photo(capsys, photo)
    assert before["doubtful"]
    assert drop_zeros(before["scores"]["final_scoring"]) == drop_zeros(score(BOARD))
    (assumed,) = before["scores"]["assumed"]
    assert (assumed["fact"], assumed["values"]) == ("players", {"players": len(BOARD.players)})
    assert assumed["final_scoring"]["5"] == score(BOARD, Table(player_count=5))
    after = score_photo(capsys, photo, "--players", "5", "--goods", "green.wine=2", "--box-rules", "traders=on")
    assert drop_zeros(after["scores"]["final_scoring"]) == drop_zeros(score(BOARD, TABLE))
    assert "assumed" not in after["scores"]
    assert after["rules"]["player_count"] == 5
    nobodys = score_photo(capsys, photo, "--owner", "circus-maximus=nobody")
    assert "assumed" not in nobodys["scores"]
    assert not [entry for entry in nobodys["scores"]["entries"] if entry["rule"].startswith("wonder")]


def list_problems(report: dict[str, Any], *codes: str) -> dict[str, dict[str, Any]]:
    return {one["code"]: one["values"] for one in report["board"]["problems"] if one["code"] in codes}


UNUSED = {
    "owner_not_used": {"wonder": "WH/tikal", "player": "blue"},
    "tiles_not_used": {"number": 3, "there": len(BOARD.tiles)},
}


def test_facts_that_do_not_fit_the_photo_are_reported_and_the_rest_is_read(
    photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = score_photo(capsys, photo, "--owner", "tikal=blue", "--tiles-in-play", "3")
    assert list_problems(report, *UNUSED) == UNUSED
    assert drop_zeros(report["scores"]["final_scoring"]) == drop_zeros(score(BOARD))


@pytest.mark.soak
def test_a_damaged_layout_is_reported_and_other_wonders_are_read(
    photo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path))
    file = EnrolledWonders().save(EnrolledWonder(load_wonder_catalogue()["WH/tikal"]))
    file.write_bytes(b"damaged")
    cli_main._load_reader.cache_clear()
    report = score_photo(capsys, photo)
    assert list_problems(report, "wonder_damaged") == {"wonder_damaged": {"wonder": "WH/tikal"}}
    assert drop_zeros(report["scores"]["final_scoring"]) == drop_zeros(score(BOARD))
    assert file.read_bytes() == b"damaged"
    explained = run(capsys, "explain", str(photo))
    assert explained[0] == 0, "Tikal does not lie there"
    file.rename(file.with_name("circus-maximus.toml"))
    cli_main._load_reader.cache_clear()
    status, _, err = run(capsys, "explain", str(photo))
    assert (status, json.loads(err)["error"]["code"]) == (2, "bad_enrolment")
    cli_main._load_reader.cache_clear()


@pytest.mark.soak
def test_a_batch_takes_table_facts_from_its_listing(photo: Path, tmp_path: Path) -> None:
    listing = tmp_path / "photos.csv"
    listing.write_text("photo,players,goods,tiles_in_play\ntable.jpg,5,green.wine=2,80\n", encoding="utf-8")
    done = run_batch(str(photo.parent), "--out", str(tmp_path / "out"), "--listing", str(listing))
    assert done.returncode == 0, done.stderr
    (report,) = lines(tmp_path / "out")
    assert drop_zeros(report["scores"]["final_scoring"]) == drop_zeros(score(BOARD, TABLE))
    assert report["rules"]["tiles_in_play"] == 80
    listing.write_text("photo,players\ntable.jpg,5\ntable.jpg,many\n", encoding="utf-8")
    refused = run_batch(str(photo.parent), "--out", str(tmp_path / "out"), "--listing", str(listing))
    assert json.loads(refused.stderr)["error"]["code"] == "bad_listing"
    assert "line 3" in json.loads(refused.stderr)["error"]["text"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("doors"), readers=1) as started:
        yield started


def test_http_accepts_facts_with_the_photo_or_in_answer_to_questions(photo: Path, server: Running) -> None:
    files = {"photo": ("table.jpg", photo.read_bytes(), "image/jpeg")}
    form = {"players": "5", "goods": ["green.wine=2"], "box_rules": ["traders=on"]}
    told = server.client.post("/v1/readings", files=files, data=form).raise_for_status().json()
    assert drop_zeros(told["report"]["scores"]["final_scoring"]) == drop_zeros(score(BOARD, TABLE))
    assert not [question for question in told["questions"] if question["about"] == "table"]
    unfit = {"owner": ["tikal=blue"], "tiles_in_play": "3"}
    unused = server.client.post("/v1/readings", files=files, data=unfit).raise_for_status().json()
    assert list_problems(unused["report"], *UNUSED) == UNUSED
    damaged_file = EnrolledWonders(server.data / "wonders").save(EnrolledWonder(load_wonder_catalogue()["WH/tikal"]))
    damaged_file.write_bytes(b"damaged")
    asked = server.client.post("/v1/readings", files=files).raise_for_status().json()
    assert list_problems(asked["report"], "wonder_damaged") == {"wonder_damaged": {"wonder": "WH/tikal"}}
    (question,) = [question for question in asked["questions"] if question["about"] == "table"]
    (five,) = [choice for choice in question["choices"] if choice["correction"]["count"] == 5]
    change = {"corrections": [five["correction"]]}
    headers = {"Authorization": f"Bearer {asked['token']}"}
    address = f"/v1/readings/{asked['id']}"
    report = server.client.patch(address, json=change, headers=headers).raise_for_status().json()["report"]
    assert report["scores"]["final_scoring"] == five["final_scoring"]
    for fields, code in (({"players": "x"}, "bad_player_count"), ({"goods": "wine"}, "bad_goods")):
        assert error_in(server.client.post("/v1/readings", files=files, data=fields))["code"] == code
    other_form = {"players": "5", "game": "tower-of-babel"}
    assert error_in(server.client.post("/v1/readings", files=files, data=other_form), 422)["code"] == "bad_field"


@pytest.mark.soak
def test_workers_elsewhere_read_by_the_wonders_that_are_named_for_a_batch(tmp_path: Path) -> None:
    """The cluster's processes were started without any mention of the file."""
    copy = vary_wonder("WH/circus-maximus", np.random.default_rng(5))
    board = next(board for board in (deal(copy, seed) for seed in range(100)) if board.wonders)
    (tmp_path / "photos").mkdir()
    (tmp_path / "cluster").mkdir()
    photograph(board, tmp_path / "photos" / "table.jpg")
    file = EnrolledWonders(tmp_path / "mine").save(EnrolledWonder(copy))
    cluster = Cluster(tmp_path / "cluster")
    try:
        cluster.add_worker()
        cluster.wait_for(1)
        folders = (str(tmp_path / "photos"), "--out", str(tmp_path / "out"), "--scheduler", cluster.address)
        done = run_batch(*folders, "--wonder", str(file))
        assert done.returncode == 0, done.stderr
        (line,) = lines(tmp_path / "out")
        assert line["wonders"] == [json.loads(json.dumps(copy.entry))]
        again = run_batch(*folders)
        assert again.returncode == 0, again.stderr
        assert len(entries(tmp_path / "out")) == 3, "without the file it is another reading, which was not made before"
    finally:
        cluster.close()
