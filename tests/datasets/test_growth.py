"""The benchmarks of growing boards and of series: tables, measurements, and the output for each stage."""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path

import pytest

from datasets.benchmark import growth
from datasets.benchmark.growth import Cost, StageMeter, deal_large_board
from datasets.benchmark.series import draw_series, measure_series
from scoring.carcassonne.board.problems import find_problems
from tests.readers import reader

SIZES = (20, 24)
STAGES = {"decode", "lattice", "tiles", "legal", "meeples"}
"""Stages of every reading; there may be more."""
HEADING = re.compile(r"(\d+) squares, (\d+) read, decoding in full (\d+) ms")
ROW = re.compile(r" *(\w+) +([\d.]+) +([\d.]+) +(-?\d+)(?: +(-?[\d.]+|nan))? *")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Return a run with photos of a size that is drawn and read in seconds."""
    monkeypatch.setattr(growth, "SIZE", (1600, 1200))
    return monkeypatch


def test_a_board_of_two_boxes_is_a_possible_result_of_a_game() -> None:
    board = deal_large_board(100, 3)
    assert len(board.tiles) == 100
    assert {problem.code for problem in find_problems(board)} == {"several_base_games"}


@pytest.mark.parametrize(("power", "squares"), [(0.0, 72), (1.0, 72), (2.0, 144), (0.5, 40)])
def test_growth_is_the_exponent_in_the_number_of_squares(power: float, squares: int) -> None:
    before, now = 10.0, 10.0 * (squares / 36) ** power
    found = growth.compute_growth((36, {"tiles": Cost(before, 1.0)}), squares, "tiles", Cost(now, 1.0))
    assert found == pytest.approx(power)


def test_unmeasured_growth_is_undefined() -> None:
    before = {"tiles": Cost(0.0, 0.0)}
    assert math.isnan(growth.compute_growth((36, before), 72, "tiles", Cost(1.0, 0.0)))
    assert math.isnan(growth.compute_growth((36, before), 72, "legal", Cost(1.0, 0.0)))
    assert math.isnan(growth.compute_growth((36, {"tiles": Cost(1.0, 0.0)}), 36, "tiles", Cost(2.0, 0.0)))


def test_a_stages_cost_lasts_until_the_next_stage_begins() -> None:
    meter = StageMeter()
    meter("work")
    held = bytearray(64 * 2**20)
    sum(range(3_000_000))
    meter("rest")
    meter.stop()
    assert len(held) > 0
    assert list(meter.costs) == ["work", "rest"]
    assert meter.costs["work"].cpu_ms > 10 * meter.costs["rest"].cpu_ms
    assert not Path("/proc/self/status").exists() or meter.costs["work"].peak_mib > 32


@pytest.mark.soak
def test_time_memory_and_growth_of_each_stage_are_printed(
    tmp_path: Path, run: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["growth", "--out", str(tmp_path / "drawn"), "--repeat", "1", "--squares", *map(str, reversed(SIZES))]
    run.setattr(sys, "argv", words)
    assert growth.main() == 0
    title, *lines = capsys.readouterr().out.splitlines()
    assert title.split() == ["stage", "ms", "decodes", "MiB", "growth"]
    tables = [line for line in lines if HEADING.fullmatch(line)]
    assert [int(HEADING.fullmatch(line)[1]) for line in tables] == [*SIZES]  # type: ignore[index]
    for line in tables:
        squares, read, decode_ms = map(int, HEADING.fullmatch(line).groups())  # type: ignore[union-attr]
        assert abs(read - squares) <= 2
        assert decode_ms > 0
    starts = [lines.index(line) + 1 for line in tables]
    names = set()
    for number, (start, end) in enumerate(zip(starts, [starts[1] - 1, len(lines)], strict=True)):
        rows = [row for row in map(ROW.fullmatch, lines[start:end]) if row]
        assert len(rows) == end - start
        assert all((row[5] is not None) == (number > 0) for row in rows)
        figures = {row[1]: (float(row[2]), float(row[3])) for row in rows}
        names.add(tuple(figures))
        assert figures.keys() > STAGES
        assert figures["all"][0] == pytest.approx(sum(ms for name, (ms, _) in figures.items() if name != "all"), abs=1)
        assert min(figures[name][0] for name in STAGES) > 0
        assert figures["all"][1] > figures["tiles"][1] > 0
    (stages,) = names
    assert (stages[0], *stages[-3:]) == ("decode", "score", "doubts", "all")
    drawn = sorted((tmp_path / "drawn").iterdir())
    assert [file.name for file in drawn] == [f"squares_{n:03d}.{end}" for n in SIZES for end in ("jpg", "json")]
    kept = {file: file.stat().st_mtime_ns for file in drawn}
    assert growth.main() == 0
    assert {file: file.stat().st_mtime_ns for file in drawn} == kept  # found, not drawn again


@pytest.mark.parametrize("words", [("--squares", "5"), ("--squares", "401"), ("--repeat", "0"), ("--squares", "x")])
def test_invalid_sizes_are_refused(words: tuple[str, str], run: pytest.MonkeyPatch) -> None:
    run.setattr(sys, "argv", ["growth", *words])
    with pytest.raises(SystemExit) as ended:
        growth.main()
    assert ended.value.code == 2


def test_a_further_photo_of_a_series_is_measured_in_readings(tmp_path: Path) -> None:
    files = draw_series(tmp_path, 3, (600, 450))
    cost = measure_series(reader(), files)
    assert [path.name for path in files] == ["003.jpg", "004.jpg", "005.jpg"]
    assert len(cost.seconds) == len(cost.alone) == 3
    assert cost.ratio == min(cost.seconds) / min(cost.alone) > 0
