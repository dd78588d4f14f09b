"""The calibration file is written in place: one number changes, and with it a reading."""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from models.calibration import file as calibration
from models.calibration.file import FittedRow, Table, add_write_option, fit_share, report_rows, write_rows
from models.calibration.touching import Pair
from models.calibration.touching import fit_row as fit_pairs
from scoring import calibration as reading
from scoring.calibration import (
    CALIBRATION_FILE,
    FILE_SETTING,
    FITTED_ON,
    WeightTable,
    load_platt_scalings,
    load_shares,
)
from scoring.carcassonne.board.label import write_label
from scoring.carcassonne.doubt.relevance import compute_score_confidence, load_doubt_power
from scoring.errors import ScoringError
from tests.api.doubted import small
from vision.board.table_likelihood import TableLook
from vision.colour.prior import RARE_COLOURS
from vision.doubt.alternatives import Doubted
from vision.pieces.classifier import PresenceWeights, combine_presence, load_presence_weights
from vision.pieces.figures import FigureWeights
from vision.showing.bank_card import CardWeights, load_card_weights
from vision.showing.equal_boxes import LineWeights, load_line_weights
from vision.showing.outlines import ShapeKind, load_shape_rules
from vision.showing.quad_sides import EdgeWeights, load_edge_weights
from vision.squares.coat_posterior import CoatWeights, Evidence, calibrate_coat_logits, load_coat_weights
from vision.tower_of_babel.calibration import BlockWeights, FaceWeights, load_black_chroma, load_face_weights
from vision.tower_of_babel.calibration import Kind as BabelKind
from vision.world_wonders.markers import load_marker_spread
from vision.world_wonders.monuments import LookWeights, TowerWeights, load_look_weights, load_tower_weights
from vision.world_wonders.pieces import PieceCosts, load_piece_costs
from vision.world_wonders.reader import Kind as WonderKind

NEVER_FITTED = {"wonder", "marker", "crowded", "nobody"}
"""Doubts of Carcassonne that stay uncalibrated (`vision.doubt.alternatives`)."""
PLATT, SHARE = {"slope", "offset"}, {"share"}
LOOK = {*PLATT, "least", "most"}
NUMBERS: Mapping[tuple[str, str], Mapping[str, set[str]]] = {
    ("carcassonne", "doubts"): dict.fromkeys({*get_args(Doubted)} - NEVER_FITTED, PLATT),
    ("carcassonne", "shares"): dict.fromkeys(
        ("crowded_none", "rare_misnamed", "renamed_wrongly", "right_though_contradicted"), SHARE
    ),
    ("carcassonne", "confidence"): {"other_doubts": {"power"}},
    ("carcassonne", "ground"): {"disc_on_road": {"reach", "spread"}, "feature": {"drawing", "net"}},
    ("carcassonne", "touching"): {"two_poses": {"power", "share"}},
    ("carcassonne", "borders"): {"bare": {"likeness"}},
    ("carcassonne", "wonders"): {
        "coat": {"share", "same_print"},
        "coat_look": LOOK,
        "layout": {"known", "inferred", "slip"},
        "lone": {"support", "misfit", "least"},
        "marker": {"none", "two"},
        "marker_look": {*LOOK, "expected"},
        "seam": {"most", "prior", "unseen"},
        "single": {"nats"},
        "strange": LOOK,
    },
    ("carcassonne", "table"): {"ours": {*TableLook.__slots__, "offset"}},
    ("carcassonne", "colours"): {"neutral": {"lightness"}, "player": {"net_pieces"}, "rare": {*RARE_COLOURS}},
    ("carcassonne", "habits"): {
        "farmers_standing": PLATT,
        "pieces": {"farmers", "standing", "strays"},
        "supply": {"one_more"},
        "tables": {"standing"},
        "taking": {"per_point"},
        "tiles": {"own", "others"},
    },
    ("carcassonne", "coats"): {
        "tile_net": {"tile_net", "offset"},
        "both_nets": {"tile_net", "coat_net", "offset"},
        "beside_pieces": {*CoatWeights._fields},
        "strange": {"tile_net", "offset"},
    },
    ("carcassonne", "presence"): {
        "piece": {*PresenceWeights._fields},
        "figure": {*FigureWeights._fields},
        "figure_asked": {"least", "corner"},
    },
    ("tower_of_babel", "doubts"): dict.fromkeys(get_args(BabelKind), PLATT),
    ("tower_of_babel", "shares"): dict.fromkeys(get_args(BabelKind), SHARE),
    ("tower_of_babel", "blocks"): {"house": {*BlockWeights._fields}, "face": {*FaceWeights._fields}},
    ("tower_of_babel", "spaces"): {"disc": {"intercept", "alike", "differing"}},
    ("tower_of_babel", "paints"): {"black": {"chroma"}},
    ("world_wonders", "doubts"): dict.fromkeys(get_args(WonderKind), PLATT),
    ("world_wonders", "pieces"): {"cost": {*PieceCosts._fields}},
    ("world_wonders", "looks"): {
        "marker": {"spread"},
        "monument": {*LookWeights._fields},
        "tower": {*TowerWeights._fields},
    },
    ("boards", "lines"): {"box": {*LineWeights.__slots__}},
    ("boards", "edges"): {"board": {*EdgeWeights.__slots__}},
    ("boards", "cards"): {"card": {*CardWeights.__slots__}},
    ("boards", "shapes"): {
        "rectangle": {"filled", "lean_degrees", "same", "faded_px"},
        "round": {"votes", "nested", "alike"},
        "space": {
            "least_px",
            "most_px",
            "most_nats",
            "repeats",
            "end",
            "same",
            "rival",
            "whole",
            "beside",
            "usual",
            "few",
            "arcs",
        },
        "card": {"filled", "misfit"},
        "side": {"run_on"},
        "grid": {"end", "bluer", "lined"},
    },
}
"""The numbers that are required, by game and table, and by row."""


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the file to be written instead of it, in which a person has set three rows by hand."""
    copy = tmp_path / "calibration.toml"
    lines = CALIBRATION_FILE.read_text(encoding="utf-8").splitlines()
    by_hand = tuple(f'"{name}" = ' for name in ("further", "other_doubts", "piece"))
    first, rest = lines[: lines.index("[tower_of_babel.doubts]")], lines[lines.index("[tower_of_babel.doubts]") :]
    first = [_mark(line) if _needs_mark(line, by_hand) else line for line in first]
    copy.write_text("\n".join([*first, *rest, ""]), encoding="utf-8")
    monkeypatch.setattr(calibration, "CALIBRATION_FILE", copy)
    return copy


def _mark(line: str) -> str:
    before, data = re.split(r"(?=, fitted_on|}$)", line, maxsplit=1)
    return f"{before}, by_hand = true{data}"


def _needs_mark(line: str, rows: tuple[str, ...]) -> bool:
    return line.startswith(rows) and "by_hand" not in line


@pytest.fixture
def missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Remove the file from its path and the cache."""
    _forget()
    monkeypatch.setattr(reading, "CALIBRATION_FILE", tmp_path / "calibration.toml")
    yield
    _forget()


def _forget() -> None:
    reading._load_file.cache_clear()


def load_tables() -> dict[str, dict[str, dict[str, dict[str, Any]]]]:
    """Return the rows of the file by game and table, without the data that they rest on."""
    games = load_file()
    for rows in (rows for tables in games.values() for rows in tables.values()):
        for row in rows.values():
            row.pop(FITTED_ON, None)
    return games


def load_file() -> dict[str, dict[str, dict[str, dict[str, Any]]]]:
    return tomllib.loads(CALIBRATION_FILE.read_text(encoding="utf-8"))


PLACE = FittedRow("doubts", "place", {"slope": 1.5, "offset": -0.25}, {"offered": 7, "so": 1, "said": 1.2}, cases=7)
BY_COMMAND = (
    PLACE,
    FittedRow("doubts", "further", {"slope": 1.25, "offset": 0.5}, {"offered": 9, "so": 2, "said": 1.5}, cases=9),
    FittedRow("shares", "crowded_none", {"share": 0.5}, {"so": 1, "of": 2}, cases=2),
)


def build_row(table: Any, name: str, values: Mapping[str, Any]) -> FittedRow:
    """Build the row that a line of the file stands for, as if it had a case for each number."""
    fitted = {key: value for key, value in values.items() if key != FITTED_ON}
    return FittedRow(table, name, fitted, values.get(FITTED_ON, {}), len(fitted))


def test_writing_a_row_changes_only_its_line(copied: Path) -> None:
    before = copied.read_text(encoding="utf-8").splitlines()
    write_rows("carcassonne", [PLACE])
    after = copied.read_text(encoding="utf-8").splitlines()
    assert [new for old, new in zip(before, after, strict=True) if old != new] == [
        '"place" = {slope = 1.5, offset = -0.25, fitted_on = {offered = 7, so = 1, said = 1.2}}'
    ]


def test_writing_an_unchanged_row_changes_nothing(copied: Path) -> None:
    before = copied.read_text(encoding="utf-8")
    for game, tables in tomllib.loads(before).items():
        for table, rows in tables.items():
            assert not write_rows(game, [build_row(table, name, values) for name, values in rows.items()], [*rows])
    assert copied.read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("table", "name", "values"),
    [
        ("presence", "piece", {"classifier": 1.0, "finder": 1.0, "offset": 0.0, "likeness": 1.0}),
        ("confidence", "other_doubts", {"power": 0.33}),
        ("doubts", "further", {"slope": 1.5, "offset": -0.25}),
    ],
)
def test_a_row_that_was_set_by_hand_is_replaced_only_by_name(
    copied: Path, table: Table, name: str, values: Mapping[str, float]
) -> None:
    before = tomllib.loads(copied.read_text(encoding="utf-8"))["carcassonne"]
    assert before[table][name]["by_hand"] is True
    row, other = build_row(table, name, values), BY_COMMAND[-1]
    assert write_rows("carcassonne", [row, other]) == [row]
    after = tomllib.loads(copied.read_text(encoding="utf-8"))["carcassonne"]
    assert after[table][name] == before[table][name]
    assert after["shares"]["crowded_none"] == {**other.fitted, FITTED_ON: other.fitted_on}
    assert write_rows("carcassonne", [row], [name]) == []
    assert tomllib.loads(copied.read_text(encoding="utf-8"))["carcassonne"][table][name] == values


@pytest.mark.parametrize(
    ("arguments", "written"),
    [
        ([], set()),
        (["--write"], {"place", "crowded_none"}),
        (["--write", "crowded_none"], {"crowded_none"}),
        (["--write", "further", "place"], {"further", "place"}),
    ],
)
def test_the_option_writes_all_rows_or_the_named_ones(
    copied: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], written: set[str]
) -> None:
    before = copied.read_text(encoding="utf-8").splitlines()
    report_rows("carcassonne", BY_COMMAND, parse_names(arguments), {})
    after = copied.read_text(encoding="utf-8").splitlines()
    changed = [new for old, new in zip(before, after, strict=True) if old != new]
    assert sorted(changed) == sorted(row.format_line() for row in BY_COMMAND if row.name in written)
    lines = capsys.readouterr().out.splitlines()
    assert lines[: len(BY_COMMAND)] == [row.format_line() for row in BY_COMMAND]
    assert any("doubts.further was set by hand" in line for line in lines) is (arguments == ["--write"])


def test_an_unknown_row_name_ends_the_command_without_writing(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = copied.read_bytes()
    with pytest.raises(SystemExit) as ended:
        report_rows("carcassonne", BY_COMMAND, ["place", "pieces", "crowded"], {})
    output = capsys.readouterr()
    assert ended.value.code == 2
    assert "crowded, pieces" in output.err
    assert output.out.splitlines() == [row.format_line() for row in BY_COMMAND]
    assert copied.read_bytes() == before


@pytest.mark.parametrize("names", [[], ["two_poses"], ["two_poses", "crowded_none"]])
def test_a_row_of_too_few_cases_is_refused_and_nothing_is_written(
    copied: Path, capsys: pytest.CaptureFixture[str], names: list[str]
) -> None:
    before = copied.read_bytes()
    with pytest.raises(SystemExit) as ended:
        report_rows("carcassonne", [BY_COMMAND[-1], fit_pairs([Pair(0.5, False)])], names, {"tables": 2})
    assert ended.value.code == 2
    assert "touching.two_poses has 1 cases and needs at least 2" in capsys.readouterr().err
    assert copied.read_bytes() == before


def test_other_rows_are_written_though_one_has_too_few_cases(copied: Path) -> None:
    rows = [BY_COMMAND[-1], fit_pairs([])]
    report_rows("carcassonne", rows, ["crowded_none"], {"tables": 2, "real_tables": 1})
    written = tomllib.loads(copied.read_text(encoding="utf-8"))["carcassonne"]["shares"]["crowded_none"]
    assert written == {"share": 0.5, "fitted_on": {"tables": 2, "real_tables": 1, "so": 1, "of": 2}}


def test_a_command_refuses_tables_without_a_case(copied: Path, tmp_path: Path) -> None:
    """Two empty tables have no pieces: `crowds` once wrote a row of 0 pieces and ended with exit status 0."""
    for name in ("first", "second"):
        points = [[100.0 + 40 * col, 100.0 + 40 * row, col, row] for row in range(4) for col in range(4)]
        label = {"photo": f"{name}.jpg", **write_label(replace(small(3), meeples=())), "points": points}
        (tmp_path / f"{name}.json").write_text(json.dumps(label), encoding="utf-8")
    arguments = [str(tmp_path / "first.json"), str(tmp_path / "second.json"), "--photos", str(tmp_path), "--write"]
    before = copied.read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "models.calibration.crowds", *arguments],
        env={**os.environ, FILE_SETTING: str(copied)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "Nothing was written: habits.supply has 0 cases and needs at least 1" in done.stderr
    assert copied.read_bytes() == before


def test_every_fitted_row_has_the_cases_it_needs() -> None:
    """The greatest count of a row's data bounds its cases from above."""
    for tables in load_file().values():
        for table, rows in tables.items():
            for name, row in rows.items():
                if counts := row.get(FITTED_ON):
                    fitted = {key: value for key, value in row.items() if key not in (FITTED_ON, "by_hand")}
                    cases = counts.keys() - {"tables", "real_tables", "played"}
                    assert not cases or max(counts[key] for key in cases) >= len(fitted), (table, name)


def test_non_numeric_data_of_a_row_are_reported_as_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _forget()
    damaged = tmp_path / "calibration.toml"
    damaged.write_text('[carcassonne.doubts]\n"coat" = {slope = 1.0, fitted_on = {tables = "two"}}\n', encoding="utf-8")
    monkeypatch.setattr(reading, "CALIBRATION_FILE", damaged)
    with pytest.raises(ScoringError) as caught:
        load_platt_scalings("carcassonne")
    assert caught.value.code == "models_damaged"
    _forget()


def test_rows_of_different_tables_are_written_only_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse_names(["--write", "place"], needs_names=True) == ["place"]
    assert parse_names([], needs_names=True) is None
    with pytest.raises(SystemExit) as ended:
        parse_names(["--write"], needs_names=True)
    assert ended.value.code == 2
    assert "--write" in capsys.readouterr().err


def parse_names(arguments: list[str], needs_names: bool = False) -> list[str] | None:
    parser = argparse.ArgumentParser()
    add_write_option(parser, needs_names)
    names: list[str] | None = parser.parse_args(arguments).write
    return names


def test_every_table_has_the_rows_and_numbers_that_are_asked_for_and_no_others() -> None:
    assert {
        (game, table): {name: {*row} - {"by_hand"} for name, row in rows.items()}
        for game, tables in load_tables().items()
        for table, rows in tables.items()
    } == NUMBERS
    assert {table for _, table in NUMBERS} == {"doubts", "shares", *get_args(WeightTable)}
    assert NUMBERS["carcassonne", "coats"].keys() == {*get_args(Evidence)}
    assert NUMBERS["boards", "shapes"].keys() == {*get_args(ShapeKind)}


def test_loaded_values_equal_those_in_the_file() -> None:
    tables = load_tables()["carcassonne"]
    for evidence in get_args(Evidence):
        row, weights = tables["coats"][evidence], load_coat_weights(evidence)
        assert weights._asdict() == {name: row.get(name, 0.0) for name in CoatWeights._fields}
        assert weights.tile_net > 0
    piece = load_presence_weights()
    assert piece._asdict() == {name: tables["presence"]["piece"][name] for name in PresenceWeights._fields}
    assert min(piece.classifier, piece.finder, piece.likeness) > 0
    boards, wonders = load_tables()["boards"], load_tables()["world_wonders"]
    box = {name: number for name, number in boards["lines"]["box"].items() if name != "by_hand"}
    assert asdict(load_line_weights()) == box
    assert asdict(load_edge_weights()) == boards["edges"]["board"]
    assert load_edge_weights().surprise > load_edge_weights().table > 1
    assert asdict(load_card_weights()) == boards["cards"]["card"]
    assert all(load_shape_rules(kind) == boards["shapes"][kind] for kind in get_args(ShapeKind))
    babel = load_tables()["tower_of_babel"]
    assert load_face_weights()._asdict().items() <= babel["blocks"]["face"].items()
    assert load_black_chroma() == babel["paints"]["black"]["chroma"] > 0
    assert load_piece_costs()._asdict() == wonders["pieces"]["cost"]
    assert load_look_weights()._asdict() == wonders["looks"]["monument"]
    assert load_tower_weights()._asdict().items() <= wonders["looks"]["tower"].items()
    assert load_marker_spread() == wonders["looks"]["marker"]["spread"] > 0
    assert load_doubt_power() == tables["confidence"]["other_doubts"]["power"]
    assert 0 <= load_doubt_power() <= 1


def test_every_share_follows_from_its_counts() -> None:
    """Counts of photographers are weighed, so that only their bounds are known."""
    for game, prior_count, prior_total, digits in (("carcassonne", 1, 2, 2), ("tower_of_babel", 0.5, 1, 4)):
        rows = load_file()[game]["shares"]
        assert load_shares(game) == {name: row["share"] for name, row in rows.items()}
        for name, row in rows.items():
            so, of = row[FITTED_ON]["so"], row[FITTED_ON]["of"]
            weighed = "photographers" in row[FITTED_ON]
            least, most = (
                fit_share(name, count, of, prior_count, prior_total, digits).fitted["share"]
                for count in ((0, of) if weighed else (so, so))
            )
            assert least <= row["share"] <= most


@pytest.mark.parametrize("game", ["carcassonne", "tower_of_babel", "world_wonders"])
def test_every_doubt_has_a_slope_that_keeps_the_order(game: str) -> None:
    scalings = load_platt_scalings(game)
    assert len(scalings) >= 4
    for scaling in scalings.values():
        assert scaling.apply(0.2, 1e-6) < scaling.apply(0.3, 1e-6)


@pytest.mark.usefixtures("missing")
@pytest.mark.parametrize(
    "use",
    [
        lambda: load_platt_scalings("carcassonne"),
        lambda: load_shares("tower_of_babel"),
        lambda: calibrate_coat_logits(np.zeros(1), np.zeros(1)),
        lambda: combine_presence(np.zeros(1), np.zeros(1)),
        lambda: compute_score_confidence([]),
    ],
    ids=["scalings", "shares", "coats", "presence", "confidence"],
)
def test_a_file_that_is_missing_is_an_error_with_a_code(use: Callable[[], object]) -> None:
    with pytest.raises(ScoringError) as caught:
        use()
    assert (caught.value.code, caught.value.details) == ("models_missing", {"file": "calibration.toml"})
