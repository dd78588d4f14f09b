"""Readings built from the truth with known mistakes must be judged exactly as they were built."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from datasets.benchmark import measure, read_tiles
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from scoring.carcassonne.tiles.geometry import Square
from scoring.errors import LabelError
from tests.scoring.outside import LABELS, SHARED, needs_shared
from tests.vision.evaluation.dealt import TIMES, Frame, FromTruth, dealt, dealt_label, perfect, to_pixels
from vision.errors import InputError, PhotoError
from vision.evaluation.breakdown import group_finals
from vision.evaluation.judge import Verdict, compute_final_points, judge_reading
from vision.evaluation.labels import Lattice, load_truth, read_truth
from vision.evaluation.matching import is_same_place, match_reading
from vision.evaluation.reliability import compute_wilson_interval
from vision.evaluation.tables import Evaluation, evaluate_photos, find_photo, print_evaluation
from vision.reading.values import TileAlternative

QUARTERS = pytest.mark.parametrize("quarters", range(4))


@QUARTERS
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10_000), shift=st.tuples(st.integers(-9, 9), st.integers(-9, 9)))
def test_a_faultless_reading_is_judged_faultless_in_any_frame(quarters: int, seed: int, shift: Square) -> None:
    truth = dealt(seed)
    verdict = judge_reading(perfect(truth, Frame(quarters, shift)), truth, TIMES)
    assert match_reading(perfect(truth, Frame(quarters, shift)), truth).quarters == quarters
    assert verdict.board_exact
    assert verdict.final_exact
    assert verdict.tiles_exact == verdict.tiles == verdict.squares == verdict.squares_found == len(truth.board.tiles)
    assert (verdict.invented, verdict.sure_wrong, verdict.meeples_extra) == (0, 0, 0)
    counts = (verdict.meeples_found, verdict.meeples_colour, verdict.meeples_place, verdict.meeples_pose)
    assert counts == (len(truth.meeples),) * 4
    assert verdict.decode_ratio == 4


@QUARTERS
def test_only_a_piece_that_slid_over_a_seam_is_judged_on_the_right_feature(quarters: int) -> None:
    """A piece read on the next tile counts as right if its feature continues there."""
    truth = dealt(3, 24)
    good, features = perfect(truth, Frame(quarters)), build_feature_map(truth.board)
    match = match_reading(good, truth)
    read_squares = {other.square: tile for tile, other in match.tiles}
    judged = []
    for meeple in good.meeples:
        true = match.find_true_meeple(meeple)
        assert true is not None
        feature = features.under(true.placed)
        assert feature is not None
        for square, index in [member for other in features for member in other.members][::7]:
            tile = read_squares[square]
            moved = replace(meeple, row=tile.row, col=tile.col, segment=index)
            assert is_same_place(moved, true, truth, match) == ((square, index) in feature.members)
            judged.append(square != true.placed.square and (square, index) in feature.members)
    assert any(judged)


@QUARTERS
def test_mistakes_are_counted_as_injected(quarters: int) -> None:
    truth = dealt(7, 40)
    good = perfect(truth, Frame(quarters, (3, -5)))
    tiles = list(good.tiles)
    free = [i for i, t in enumerate(tiles) if not any((m.row, m.col) == (t.row, t.col) for m in good.meeples)]
    asymmetric = next(i for i in free if load_base_catalogue()[str(tiles[i].tile)].symmetry == 4)
    strange, missing = [i for i in free if i != asymmetric][:2]
    tiles[asymmetric] = replace(tiles[asymmetric], turns=tiles[asymmetric].turns + 1, confidence=0.6, doubtful=True)
    tiles[strange] = replace(
        tiles[strange], tile="BA/LR" if tiles[strange].tile != "BA/LR" else "BA/L", confidence=0.95
    )
    beside = replace(tiles[missing], row=50, corners_px=tiles[missing].corners_px + 5000)
    tiles[missing : missing + 1] = [beside]
    pale, lost, moved, *others = good.meeples
    extra = replace(pale, foot_px=(-900.0, -900.0))
    segments = load_base_catalogue()[
        str(next(t.tile for t in tiles if (t.row, t.col) == (moved.row, moved.col)))
    ].segments
    moved = replace(moved, segment=(int(moved.segment or 0) + 1) % len(segments))
    meeples = (replace(pale, colour="white", pose="upside_down", kind="big"), moved, extra, *others)
    verdict = judge_reading(replace(good, tiles=tuple(tiles), meeples=meeples), truth, TIMES)
    count = len(truth.tiles)
    assert (verdict.squares, verdict.squares_found, verdict.invented) == (count, count - 1, 1)
    assert (verdict.tiles, verdict.tiles_exact, verdict.board_exact) == (count, count - 3, False)
    assert verdict.sure_wrong == 1
    assert sorted(verdict.wrong_confidences) == [0.6, 0.95]
    assert verdict.wrong_confidence == pytest.approx(0.775)
    people = len(truth.meeples)
    assert (verdict.meeples_found, verdict.meeples_extra) == (people - 1, 1)
    assert (verdict.meeples_colour, verdict.meeples_place, verdict.meeples_pose) == (people - 2, people - 2, people - 2)
    assert verdict.meeples_kind == people - 2
    assert lost not in meeples


def test_a_tile_of_another_expansion_is_right_when_no_layout_explains_it() -> None:
    label = dealt_label(3)
    row = next(i for i, line in enumerate(label["rows"]) if any(token != ".." for token in line.split()))
    tokens = label["rows"][row].split()
    col = next(i for i, token in enumerate(tokens) if token != "..")
    label["rows"][row] = " ".join([*tokens[:col], "RI/x@1", *tokens[col + 1 :]])
    label["meeples"] = [m for m in label["meeples"] if m["cell"] != [row, col]]
    truth = read_truth(label, "river")
    good = perfect(truth, Frame(1))
    verdict = judge_reading(good, truth, TIMES)
    assert (verdict.squares, verdict.tiles) == (30, 29)
    assert verdict.board_exact
    named = tuple(replace(t, tile="BA/L", doubtful=False) if t.tile is None else t for t in good.tiles)
    verdict = judge_reading(replace(good, tiles=named), truth, TIMES)
    assert (verdict.tiles_exact, verdict.sure_wrong, verdict.board_exact) == (29, 1, False)


@pytest.mark.parametrize(
    ("true", "read", "right"), [("GQ/RCc", "TB/RCc.g", 1), ("KR/RCG", "AM/RC", 1), ("TO/RR", "BA/Rr", 0)]
)
def test_a_tile_of_another_box_is_right_under_any_name_of_its_topology(true: str, read: str, right: int) -> None:
    truth = read_truth({**dealt_label(3, 1), "rows": [f"{true}@0"], "meeples": []}, "other")
    (tile,) = perfect(truth, Frame()).tiles
    reading = replace(perfect(truth, Frame()), tiles=(replace(tile, tile=read, doubtful=False),))
    assert judge_reading(reading, truth, TIMES).tiles_exact == right


def test_unreadable_squares_count_neither_as_missed_nor_as_invented() -> None:
    label = dealt_label(4)
    free = [t for t in read_truth(label, "x").tiles if list(t.square) not in [m["cell"] for m in label["meeples"]]]
    (row, col), doubted = free[0].square, free[1].square
    tokens = label["rows"][row].split()
    label["rows"][row] = " ".join([*tokens[:col], "??", *tokens[col + 1 :]])
    label["doubtful_cells"] = [[row, col, "cut"], [*doubted, "half hidden"]]
    truth = read_truth(label, "cut")
    verdict = judge_reading(perfect(truth, Frame(2)), truth, TIMES)
    assert (verdict.squares, verdict.squares_found, verdict.invented, verdict.tiles_exact) == (29, 29, 0, 29)
    assert (verdict.doubtful_tiles, verdict.doubtful_tiles_exact) == (1, 1)


def test_wrong_points_without_a_doubt_count_as_wrong_but_certain() -> None:
    truth = next(truth for truth in map(dealt, range(20)) if compute_final_points(truth))
    good = perfect(truth, Frame())
    surely_right = judge_reading(good, truth, TIMES)
    assert (surely_right.final_sure, surely_right.final_sure_wrong) == (True, False)
    assert judge_reading(replace(good, meeples=()), truth, TIMES).final_sure_wrong
    wavering = tuple(replace(meeple, doubtful=True, confidence=0.6) for meeple in good.meeples)
    moved = replace(wavering[0], colour="pink")
    assert not judge_reading(replace(good, meeples=wavering), truth, TIMES).final_sure
    verdict = judge_reading(replace(good, meeples=(moved, *wavering[1:])), truth, TIMES)
    assert (verdict.final_exact, verdict.final_sure, verdict.final_sure_wrong) == (False, False, False)


def test_another_tile_is_a_doubt_only_if_it_changes_points() -> None:
    label = {"photo": "x", "rows": ["B0 E0 C0"], "points": dealt_label(1)["points"]}
    monk = {"cell": [0, 0], "at": [0.5, 0.5], "colour": "red", "pose": "standing", "on": "monastery"}
    truth = read_truth({**label, "meeples": [monk]}, "monastery")
    good = perfect(truth, Frame())
    monastery, city, far = good.tiles
    for tile, matters in ((monastery, True), (city, False), (far, False)):
        other = TileAlternative("BA/RRRR", 0, 0.49)
        doubted = replace(tile, confidence=0.51, doubtful=True, alternatives=(other,))
        tiles = tuple(doubted if each is tile else each for each in good.tiles)
        assert judge_reading(replace(good, tiles=tiles), truth, TIMES).final_sure != matters
    nothing_there = tuple(replace(t, doubtful=True, confidence=0.2) if t is city else t for t in good.tiles)
    assert not judge_reading(replace(good, tiles=nothing_there), truth, TIMES).final_sure


def test_the_lattice_of_a_label_passes_through_its_points() -> None:
    rng = np.random.default_rng(1)
    nodes = np.array([(x, y) for x in range(8) for y in range(6)], np.float64)
    drift = np.column_stack([2 * np.sin(nodes[:, 1]), 2 * np.cos(nodes[:, 0])])
    pixels = to_pixels([(x, y) for x, y in nodes]) + drift
    few = rng.choice(len(nodes), 4, replace=False)
    straight = Lattice(np.hstack([to_pixels([(0, 0), (9, 0), (0, 9), (9, 9)]), [(0, 0), (9, 0), (0, 9), (9, 9)]]))
    assert straight(nodes) == pytest.approx(to_pixels([(x, y) for x, y in nodes]), abs=1e-3)
    bent = Lattice(np.hstack([pixels, nodes]))
    assert np.abs(bent(nodes) - pixels).max() < 1.5
    assert np.abs(straight(nodes[few]) - pixels[few]).max() > 0.5


def test_corners_given_in_a_label_are_used_unchanged() -> None:
    label = dealt_label(5)
    truth = read_truth(label, "x")
    label["corners_px"] = [
        {"cell": list(tile.square), "corners": (tile.corners_px + 3).tolist()} for tile in truth.tiles
    ]
    del label["points"]
    moved = read_truth(label, "x")
    for before, after in zip(truth.tiles, moved.tiles, strict=True):
        assert after.corners_px == pytest.approx(before.corners_px + 3)


@pytest.fixture
def dealt_files(tmp_path: Path) -> tuple[list[Path], Path, FromTruth]:
    photos = tmp_path / "photos" / "deep"
    photos.mkdir(parents=True)
    labels = []
    for seed in (1, 2, 3):
        cv2.imwrite(str(photos / f"{seed}.jpg"), np.zeros((60, 80, 3), np.uint8))
        labels.append(tmp_path / f"{seed}.json")
        labels[-1].write_text(json.dumps(dealt_label(seed)), encoding="utf-8")
    return labels, tmp_path / "photos", FromTruth({f"{seed}.jpg": dealt(seed) for seed in (1, 2)})


def test_an_evaluation_reads_every_photo_and_writes_what_it_found(
    dealt_files: tuple[list[Path], Path, FromTruth], tmp_path: Path
) -> None:
    labels, photos, reader = dealt_files
    evaluation = evaluate_photos(labels, photos, tmp_path / "out", reader)
    totals = evaluation.totals()
    assert (totals["photos"], totals["unread"], totals["board_exact"]) == (3, 1, 2)
    assert (totals["tiles"], totals["tiles_exact"], totals["squares_found"]) == (90, 60, 60)
    assert json.loads((tmp_path / "out" / "evaluation.json").read_text())["totals"]["tiles_exact"] == 60
    with (tmp_path / "out" / "evaluation.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["error"] for row in rows] == ["", "", "board_not_found"]
    assert [row["tiles_exact"] for row in rows] == ["30", "30", "0"]
    assert float(rows[0]["ms_lattice"]) == 80
    text = io.StringIO()
    print_evaluation(evaluation, Console(file=text, width=100))
    assert "60/90" in text.getvalue()
    assert "board_not_found" in text.getvalue()


def test_finals_are_counted_after_answers_by_series_and_photographer() -> None:
    right = Verdict("ab_1", final_true={"red": 9}, final_read={"red": 9}, final_exact=True, final_sure=True)
    right = replace(right, right_after=(True,), settled=True, series="train", photographer="ab")
    third = replace(right, final_exact=False, final_sure=False, right_after=(False, False, False, True, True))
    never = replace(right, final_exact=False, final_sure_wrong=True, right_after=(False,), photographer="c", series="b")
    unread = replace(never, error="board_not_found", final_sure=False, final_sure_wrong=False, right_after=())
    nothing = replace(right, final_true={}, series="empty")
    groups = group_finals([right, third, never, unread, nothing])
    counted = {(group.series, group.photographer): (group.n, group.right_after) for group in groups}
    assert counted == {
        ("b", ""): (2, (0, 0, 0, 0, 0)),
        ("train", ""): (2, (1, 1, 1, 2, 2)),
        ("", "ab"): (2, (1, 1, 1, 2, 2)),
        ("", "c"): (2, (0, 0, 0, 0, 0)),
        ("", ""): (4, (1, 1, 1, 2, 2)),
    }
    last = groups[-1]
    assert (last.questions, last.unasked, last.sure, last.sure_wrong, last.wrong_whatever) == (4, 2, 2, 1, 2)
    assert last.questions_each == 1
    assert last.summarise()["right"]["after_3"]["share"] == 0.5
    assert group_finals([nothing]) == []


def test_tables_fit_a_terminal_of_100_columns() -> None:
    points = {colour: 100 + number for number, colour in enumerate(("black", "blue", "green", "red", "yellow"))}
    wrong = Verdict("a_photo_with_a_long_name", tiles=100, tiles_exact=99, meeples=20, meeples_found=20)
    wrong = replace(wrong, final_true=points, final_read={**points, "red": 7, "blue": 8, "green": 9, "black": 10})
    wrong = replace(wrong, series="a_long_series", photographer="somebody", right_after=(False,) * 12, settled=False)
    wrong = replace(wrong, final_confidence=0.123, times_ms={"decode": 80.0, "tiles": 1600.0})
    text = io.StringIO()
    print_evaluation(Evaluation((wrong,) * 3), Console(file=text, width=100))
    printed = text.getvalue()
    assert max(map(len, printed.splitlines())) <= 100
    for words in ("99/100", "red 7 for 103", "a_long_series", "somebody", "never right", "0% to 50% likely"):
        assert words in " ".join(printed.split()), printed


@pytest.mark.parametrize(
    ("photo", "extra", "series", "photographer"),
    [
        ("photos/train/kpm_07.jpg", {}, "train", "kpm"),
        ("jb_1.jpg", {}, "labels", "jb"),
        ("t3k14_end.jpg", {"photographer": "Ada"}, "labels", "Ada"),
        ("table_0001.jpg", {"view": {"art": "ink"}}, "labels", ""),
    ],
)
def test_a_label_names_its_series_and_photographer(
    photo: str, extra: dict[str, Any], series: str, photographer: str, tmp_path: Path
) -> None:
    (tmp_path / "labels").mkdir()
    file = tmp_path / "labels" / "1.json"
    file.write_text(json.dumps({**dealt_label(1), "photo": photo, **extra}), encoding="utf-8")
    truth = load_truth(file)
    assert (truth.series, truth.photographer) == (series, photographer)


def test_a_benchmark_gives_every_stage_as_a_ratio_to_decoding(
    dealt_files: tuple[list[Path], Path, FromTruth],
) -> None:
    _, photos, reader = dealt_files
    result = measure(read_tiles(reader), photos / "deep" / "1.jpg", 3)
    assert list(result.ratios) == ["decode", "lattice", "tiles", "score", "total"]
    assert result.ratios["decode"] == pytest.approx(result.times_ms["decode"] / result.decode_ms)
    assert result.ratios["total"] == pytest.approx(sum(result.times_ms.values()) / result.decode_ms)
    assert result.ratios["lattice"] == pytest.approx(80 / result.decode_ms)
    assert (result.shares["nets"], result.shares["first"] > 0) == (0, True)
    assert (result.count, result.width, result.height) == (30, 80, 60)
    assert 20 < result.peak_mib < 100_000


def test_missing_files_are_reported_before_anything_is_read(
    dealt_files: tuple[list[Path], Path, FromTruth], tmp_path: Path
) -> None:
    labels, photos, reader = dealt_files
    with pytest.raises(PhotoError, match="photo_not_found"):
        evaluate_photos(labels, tmp_path / "elsewhere" / "photos", tmp_path / "out", reader)
    with pytest.raises(InputError, match="file_not_found"):
        evaluate_photos([tmp_path / "none.json"], photos, tmp_path / "out", reader)
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    with pytest.raises(LabelError, match="bad_label"):
        load_truth(tmp_path / "broken.json")
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot_write"):
        evaluate_photos(labels, photos, tmp_path / "taken", reader)


@pytest.mark.parametrize("folder", ["photos", "photos/deep", "."])
def test_a_label_finds_its_photo(dealt_files: tuple[list[Path], Path, FromTruth], tmp_path: Path, folder: str) -> None:
    assert find_photo("photos/deep/1.jpg", tmp_path / folder).samefile(tmp_path / "photos" / "deep" / "1.jpg")


def test_an_ambiguous_photo_name_is_refused(tmp_path: Path) -> None:
    for folder, data in (("a", b"one"), ("b", b"one"), ("c", b"another")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "1.jpg").write_bytes(data)
    with pytest.raises(InputError, match="photo_ambiguous") as failed:
        find_photo("1.jpg", tmp_path)
    assert failed.value.details == {"file": "1.jpg", "found": ["a/1.jpg", "b/1.jpg", "c/1.jpg"]}
    (tmp_path / "c" / "1.jpg").unlink()
    assert find_photo("1.jpg", tmp_path).read_bytes() == b"one"


def test_each_label_uses_the_photo_beside_it(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "table.jpg").write_bytes(folder.encode())
        assert (
            find_photo("table.jpg", tmp_path / "none", tmp_path / folder / "table.json").read_bytes() == folder.encode()
        )
    (tmp_path / "table.jpg").write_bytes(b"named")
    assert find_photo("table.jpg", tmp_path, tmp_path / "a" / "table.json").read_bytes() == b"named"


@pytest.mark.parametrize(
    ("right", "all_", "low", "high"), [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)]
)
def test_wilson_interval_equals_published_values(right: int, all_: int, low: float, high: float) -> None:
    assert compute_wilson_interval(right, all_) == pytest.approx((low, high), abs=2e-4)


@needs_shared
@pytest.mark.parametrize("path", LABELS, ids=lambda path: path.stem)
def test_real_labels_load_and_judge_themselves_faultless(path: Path) -> None:
    truth = load_truth(path)
    assert find_photo(truth.photo, SHARED / "photos").is_file()
    verdict = judge_reading(perfect(truth, Frame(3, (2, 2))), truth, TIMES)
    assert verdict.board_exact
    assert verdict.final_exact
    assert verdict.meeples_place == verdict.meeples == len(truth.meeples)
    assert min(tile.size_px for tile in truth.tiles) > 20


def test_tiles_of_each_art_are_counted_separately() -> None:
    mild = Verdict("a", art="meadow", tiles=10, tiles_exact=9, meeples=2, meeples_found=1)
    hard = Verdict("b", art="ink", tiles=20, tiles_exact=5)
    by_art = Evaluation((mild, hard, replace(mild, photo="c", tiles_exact=10))).totals()["by_art"]
    assert {art: (sums["photos"], sums["tiles_exact"], sums["tiles"]) for art, sums in by_art.items()} == {
        "ink": (1, 5, 20),
        "meadow": (2, 19, 20),
    }
    assert by_art["meadow"]["meeples_found"] == 2
    assert by_art["ink"]["tiles_share"] == 0.25
