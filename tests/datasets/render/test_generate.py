"""Generated photos and their labels agree, and are reproduced by the same seed."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.art.tileset import ArtError, TileSet
from datasets.examples.__main__ import EXAMPLES, FOLDER
from datasets.examples.__main__ import main as render_examples
from datasets.generate import SIXTH_COLOURS, Deal, gather_art, generate, main
from datasets.render.random_tables import Props, View, sample_table
from datasets.render.shots import Manner, Shot, shoot
from datasets.scene.pieces import HELD_OUT_MAKES
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.label import read_label
from scoring.carcassonne.board.locate import locate_piece
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.board.problems import find_problems
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.deal.strategy import simulate_board
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from scoring.carcassonne.tiles.other_boxes import list_other_boxes
from scoring.errors import BoardError
from tests.datasets.tables import cheap_art
from vision.evaluation.labels import Lattice, load_truth, read_truth

SMALL = Manner((480, 360), (40.0, 80.0))


@pytest.fixture(scope="module")
def shots() -> list[tuple[str, Shot]]:
    return list(generate([cheap_art()], ["wood", "marble"], SMALL, count=4, seed=7))


def test_labels_hold_a_legal_finished_game(shots: list[tuple[str, Shot]]) -> None:
    for _, shot in shots:
        board = read_label(shot.label)
        assert len(board.tiles) == 72
        assert find_problems(board) == ()
        assert shot.label["expect_final"] == compute_final_scoring(board).totals
        assert shot.label["size"] == [max(row for row, _ in board.tiles) + 1, max(col for _, col in board.tiles) + 1]


def test_all_corners_and_feet_are_within_the_picture(shots: list[tuple[str, Shot]]) -> None:
    for _, shot in shots:
        truth = read_truth({"photo": "x.jpg", **shot.label}, "x")
        corners = np.array([tile.corners_px for tile in truth.tiles])
        assert (corners >= 0).all()
        assert (corners <= SMALL.size).all()
        assert shot.image.shape == (*SMALL.size[::-1], 3)
        for meeple in truth.meeples:
            quad = next(tile.corners_px for tile in truth.tiles if tile.square == meeple.placed.square)
            assert cv2.pointPolygonTest(quad.astype(np.float32), meeple.foot_px, True) > -0.5


def test_a_foot_stands_on_the_feature_that_the_label_names(shots: list[tuple[str, Shot]]) -> None:
    labels = hits = 0
    for _, shot in shots:
        board = read_label(shot.label)
        for meeple, entry in zip(board.meeples, shot.label["meeples"], strict=True):
            x, y = entry["at"]
            best = locate_piece(board, (x, y), meeple.pose)[0]
            labels += 1
            hits += (best.square, best.segment) == (meeple.square, meeple.segment)
    assert labels > 20
    assert hits >= 0.95 * labels


def test_the_points_are_the_lattice_of_the_corners(shots: list[tuple[str, Shot]]) -> None:
    for _, shot in shots:
        lattice = Lattice(shot.label["points"])
        for entry in shot.label["corners_px"]:
            row, col = entry["cell"]
            nodes = [(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)]
            assert np.abs(lattice(nodes) - entry["corners"]).max() < 0.25 * shot.label["view"]["tile_px"]


def test_a_shot_states_its_view(shots: list[tuple[str, Shot]]) -> None:
    assert [shot.label["view"]["tabletop"] for _, shot in shots] == ["wood", "marble", "wood", "marble"]
    for _, shot in shots:
        assert shot.label["view"]["art"] == "blobs"
        assert 40 <= shot.label["view"]["elevation"] <= 80
        assert 10 < shot.label["view"]["tile_px"] < 60


def test_a_shot_depends_on_the_seed_and_its_number_alone(shots: list[tuple[str, Shot]]) -> None:
    for (name, shot), (again, other) in zip(
        shots[:2], generate([cheap_art()], ["wood", "marble"], SMALL, count=2, seed=7), strict=True
    ):
        assert (name, shot.label) == (again, other.label)
        np.testing.assert_array_equal(shot.image, other.image)
    (_, changed), *_ = generate([cheap_art()], ["wood"], SMALL, count=1, seed=8)
    assert changed.label["rows"] != shots[0][1].label["rows"]


def test_clean_is_the_same_table_undimmed() -> None:
    def first(strength: float | None) -> Shot:
        return next(generate([cheap_art()], ["wood"], Manner((480, 360), strength=strength), count=1, seed=2))[1]

    clean, flawless = first(None), first(0.0)
    for measure in ("light", "tint", "evenness"):
        assert flawless.label["view"].pop(measure) == pytest.approx(clean.label["view"].pop(measure), abs=0.05)
    assert clean.label == flawless.label
    assert np.abs(clean.image.astype(int) - flawless.image).mean() < 6


def test_art_must_show_every_tile_of_the_board() -> None:
    pictures = {
        tile: several for tile, several in cheap_art().pictures.items() if tile != load_base_catalogue()["D"].id
    }
    board = parse_notation("D0")
    with pytest.raises(ArtError, match="no picture of D") as error:
        shoot(board, TileSet("torn", pictures), "wood", SMALL, np.random.default_rng(0))
    assert error.value.code == "incomplete_art"


@pytest.fixture
def small_art(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw art for a table at a small size."""
    monkeypatch.setattr("datasets.generate.ART_PX", 48)


@pytest.fixture
def scans(tmp_path: Path) -> Path:
    """Return a folder of scans with its manifest, of every layout."""
    folder = tmp_path / "tiles" / "blobs"
    folder.mkdir(parents=True)
    rows: list[dict[str, str]] = []
    for layout, (picture,) in cheap_art(size=120).pictures.items():
        name = f"{layout.replace('/', '_').replace('.', '_')}__0.png"
        cv2.imwrite(str(folder / name), picture)
        rows.append({"file": f"blobs/{name}", "topology_id": layout})
    with (folder.parent / "manifest.csv").open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, ["file", "topology_id"])
        writer.writeheader()
        writer.writerows(rows)
    return folder


def test_the_command_writes_photos_and_labels_that_read_back(tmp_path: Path, scans: Path) -> None:
    out = tmp_path / "made" / "here"
    main([*("--out", str(out), "--count", "2", "--seed", "5", "--art", str(scans), "--size", "400x300"), "--clean"])
    assert sorted(path.name for path in out.iterdir()) == [
        *("table_0000.jpg", "table_0000.json", "table_0001.jpg", "table_0001.json")
    ]
    truth = load_truth(out / "table_0001.json")
    assert len(truth.tiles) == 72
    image = cv2.imread(str(out / truth.photo))
    assert image is not None
    assert image.shape == (300, 400, 3)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--art", "nowhere/at-all"], "no_manifest"),
        (["--elevation", "80", "40"], "--elevation"),
        (["--size", "wide"], "no size"),
        (["--tabletops", "lava"], "lava"),
        (["--procedural", "cubist"], "cubist"),
        (["--played", "--wonders", "2"], "--played goes without --wonders"),
        (["--played", "--kinds", "big"], "--played goes without --wonders and --kinds"),
        (["--players", "1"], "--players"),
    ],
    ids=["art", "elevation", "size", "tabletop", "style", "played wonders", "played kinds", "players"],
)
def test_an_invalid_command_is_one_clear_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--out", str(tmp_path / "out"), *arguments])
    assert left.value.code == 2
    assert says in capsys.readouterr().err


@pytest.mark.usefixtures("small_art")
def test_own_art_is_drawn_for_its_styles(scans: Path) -> None:
    scanned, procedural = gather_art([scans], ["ink"], seed=4)
    assert scanned.name == "blobs"
    assert procedural.name.startswith("procedural-ink")
    assert scanned.pictures.keys() == procedural.pictures.keys()


@pytest.mark.usefixtures("small_art")
def test_art_that_scans_lack_is_taken_from_others(scans: Path) -> None:
    torn, tile = scans.parent / "torn", load_base_catalogue()["D"].id
    torn.mkdir()
    cv2.imwrite(str(torn / "D__0.png"), np.full((120, 120, 3), 250, np.uint8))
    with (scans.parent / "manifest.csv").open("a", encoding="utf-8", newline="") as lines:
        csv.writer(lines).writerow(["torn/D__0.png", tile])
    (tiles,), (whole,) = gather_art([torn], [], seed=4, lacking=scans), gather_art([scans], [], seed=4)
    assert tiles.name == "torn"
    assert tiles.pictures.keys() == whole.pictures.keys()
    assert tiles.pictures[tile][0].mean() > 240 > whole.pictures[tile][0].mean()
    others = [layout for layout in whole.pictures if layout != tile]
    assert all((tiles.pictures[other][0] == whole.pictures[other][0]).all() for other in others)


def label(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return content


def photo(name: str) -> NDArray[np.uint8]:
    return np.asarray(cv2.imread(str(FOLDER / f"{name}.jpg")), dtype=np.uint8)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_shows_the_game_of_its_label(name: str) -> None:
    example, truth = EXAMPLES[name], load_truth(FOLDER / f"{name}.json")
    assert truth.board == example.board()
    assert find_problems(truth.board) == ()
    assert truth.expect_final == compute_final_scoring(truth.board).totals
    assert truth.photo == f"{name}.jpg"
    width, height = example.manner.size
    assert photo(name).shape == (height, width, 3)
    assert (FOLDER / f"{name}.jpg").stat().st_size < (1_200_000 if name == "table" else 500_000)


def test_the_example_of_the_readme_scores_every_kind_of_feature() -> None:
    board = read_label(label("table"))
    kinds = {
        build_feature_map(board)[entry.feature].kind for entry in compute_final_scoring(board).entries if entry.points
    }
    assert kinds == {"city", "road", "monastery", "field"}


def test_an_unknown_example_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        render_examples(["no-such-table"])
    assert "no_such_example" in capsys.readouterr().err


@pytest.mark.usefixtures("small_art")
def test_tables_with_expansions_hold_their_tiles_and_labels_read_back(tmp_path: Path) -> None:
    words = ["--out", str(tmp_path), "--count", "1", "--seed", "3", "--size", "640x480", "--procedural", "autumn"]
    main([*words, "--tabletops", "wood", "--boxes", "river1", "inns"])
    truth = load_truth(tmp_path / "table_0000.json")
    tiles = {placement.tile for _, placement in truth.board.known}
    assert {"RI/s", "RI.1/I.e"} <= tiles
    assert any(tile.startswith("IC/") for tile in tiles)
    assert find_problems(truth.board) == ()
    assert all(tile.placement is not None for tile in truth.tiles)


@pytest.mark.soak
def test_played_tables_are_complete_games_of_the_given_number_of_players(tmp_path: Path, scans: Path) -> None:
    words = ["--out", str(tmp_path / "out"), "--art", str(scans), "--count", "1", "--seed", "4", "--size", "400x300"]
    main([*words, "--tabletops", "wood", "--played", "--players", "2"])
    board = load_truth(tmp_path / "out" / "table_0000.json").board
    assert len(board.tiles) == 72
    assert find_problems(board, in_play=72) == ()
    assert board == Deal(players=2, played=True).board(np.random.default_rng([4, 0]))
    assert len(board.players) == 2


@pytest.mark.parametrize("sixth", SIXTH_COLOURS)
def test_one_player_of_each_table_gets_the_sixth_colour_and_nothing_else_changes(sixth: str) -> None:
    usual, other = (Deal(players=3, sixth=colour).board(np.random.default_rng([7, 0])) for colour in (None, sixth))
    (repainted,) = set(usual.players) - set(other.players)
    assert set(other.players) - set(usual.players) == {sixth}
    assert other.tiles == usual.tiles
    assert sorted(m.square for m in usual.meeples if m.colour == repainted) == sorted(
        m.square for m in other.meeples if m.colour == sixth
    )
    assert [m for m in usual.meeples if m.colour != repainted] == [m for m in other.meeples if m.colour != sixth]


def test_each_table_has_other_boxes_of_its_own() -> None:
    base = {layout.id for layout in load_base_catalogue()}
    boards = [Deal(random_boxes=3).board(np.random.default_rng([7, i])) for i in range(2)]
    boxes = [{tile.split("/")[0] for _, one in board.known if (tile := one.tile) not in base} for board in boards]
    assert boxes[0] != boxes[1]
    assert all(0 < len(of_table) <= 3 and of_table <= {*list_other_boxes()} for of_table in boxes)


def test_more_boxes_than_a_board_has_squares_for_are_refused() -> None:
    with pytest.raises(BoardError) as refused:
        Deal(random_boxes=40).board(np.random.default_rng([6, 0]))
    assert refused.value.code == "board_too_large"


@cache
def played_board() -> Board:
    return Deal(played=True).board(np.random.default_rng([7, 0]))


def test_farmers_are_left_standing_and_nobody_else_changes() -> None:
    usual, other = played_board(), Deal(played=True, standing=True).board(np.random.default_rng([7, 0]))
    lying = [meeple for meeple in usual.meeples if meeple.pose == "lying"]
    assert lying
    assert not [meeple for meeple in other.meeples if meeple.pose == "lying"]
    assert {replace(meeple, pose="standing") for meeple in usual.meeples} == set(other.meeples)
    assert not find_problems(other)
    assert compute_final_scoring(other).totals == compute_final_scoring(usual).totals


def test_only_the_sixth_colour_has_other_makes() -> None:
    rng = np.random.default_rng(3)
    board = Deal(played=True, players=2, sixth="wood").board(rng)
    props = Props.gather([cheap_art()], [board], ["plain"], rng, grounds=1, ground_px=64)
    usual, other = (
        {
            m.piece.colour: m.piece.bgr
            for m in sample_table(
                props, View((900, 700), (60, 90), (0.8, 0.9)), np.random.default_rng(5), makes=makes
            ).meeples
        }
        for makes in (None, HELD_OUT_MAKES)
    )
    assert usual.keys() == other.keys() == set(board.players)
    assert [colour for colour in usual if usual[colour] != other[colour]] == ["wood"]


def test_a_grey_player_has_grey_pieces() -> None:
    rng = np.random.default_rng(3)
    board = Deal(played=True, players=2, sixth="grey").board(rng)
    props = Props.gather([cheap_art()], [board], ["plain"], rng, grounds=1, ground_px=64)
    pieces = [m.piece for m in sample_table(props, View((900, 700), (60, 90), (0.8, 0.9)), rng).meeples]
    assert {piece.colour for piece in pieces} == set(board.players)
    for piece in pieces:
        lightest, darkest = max(piece.bgr), min(piece.bgr)
        assert (lightest - darkest < 45 and darkest > 60) == (piece.colour == "grey"), piece


def test_without_options_a_board_is_the_same_random_one() -> None:
    def game() -> Random:
        return Random(int(np.random.default_rng([7, 0]).integers(2**62)))

    assert Deal().board(np.random.default_rng([7, 0])) == deal_random_board(game())
    assert Deal(players=3).board(np.random.default_rng([7, 0])) == deal_random_board(game(), players=3)
    assert played_board() == simulate_board(game())


def test_an_interrupted_run_resumes_where_it_stopped(tmp_path: Path, scans: Path) -> None:
    out = tmp_path / "out"
    words = ["--out", str(out), "--seed", "5", "--art", str(scans), "--size", "400x300"]
    main([*words, "--count", "2"])
    first, second = (out / f"table_000{i}.jpg" for i in range(2))
    whole = second.read_bytes()
    first.write_bytes(b"left alone")
    second.unlink()
    (out / "table_0001.json").unlink()
    main([*words, "--count", "2", "--resume"])
    assert first.read_bytes() == b"left alone"
    assert second.read_bytes() == whole


@pytest.mark.soak
def test_a_wonder_lies_alone_if_requested(tmp_path: Path) -> None:
    words = ["--procedural", "meadow", "--size", "480x360", "--count", "2", "--seed", "5", "--free", "0.2", "0.4"]
    main(["--out", str(tmp_path), *words, "--wonders", "1", "--alone", "--copies", "varied"])
    truths = [load_truth(tmp_path / f"table_{i:04d}.json") for i in range(2)]
    for truth in truths:
        (wonder,) = truth.board.wonders
        assert truth.board.tiles.keys() == {*wonder.squares}
        assert min(row for row, _ in wonder.squares) == min(col for _, col in wonder.squares) == 0
        corners = np.array([tile.corners_px for tile in truth.tiles]).reshape(-1, 2)
        span = float(((corners.max(axis=0) - corners.min(axis=0)) / (480, 360)).max())
        assert 0.55 < span < 0.85
    assert truths[0].board != truths[1].board


@pytest.mark.parametrize(
    "words", [["--alone"], ["--alone", "--wonders", "2"], ["--free", "0.5", "0.2"], ["--free", "0.1", "0.95"]]
)
def test_options_that_exclude_a_lone_wonder_are_refused(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--out", str(tmp_path), *words])
    assert ended.value.code == 2
    assert words[0] in capsys.readouterr().err
