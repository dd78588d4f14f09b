"""One command refits all numbers, resumes where it stopped, and refuses data reserved for measuring."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from models.calibration import refit as command
from models.calibration.refit import MEASURED, OPTIONAL, STEPS, Drawn, Step, list_drawn, main, refit, run_with
from scoring.calibration import CALIBRATION_FILE
from tests.scoring.outside import SHARED, needs_shared

EXAMPLES = Path(__file__).parents[3] / "datasets" / "examples"
LABEL = EXAMPLES / "test_level.json"
FOLDERS: dict[Drawn, Path] = dict.fromkeys(get_args(Drawn), EXAMPLES)


def test_a_step_takes_the_first_tables_of_each_folder_by_their_names(tmp_path: Path) -> None:
    for name in ("c", "a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.json").write_text("{}", encoding="utf-8")
    step = Step("borders", {"drawn": 2, "sixth": None})
    tables = [file.stem for file in list_drawn(step, {**FOLDERS, "drawn": tmp_path, "sixth": tmp_path})]
    assert tables == ["a", "b", "a", "b", "c"]


def test_every_step_is_a_command_and_has_a_name_of_its_own() -> None:
    assert len({step.name for step in STEPS}) == len(STEPS)
    for step in STEPS:
        assert (Path(command.__file__).parent / f"{step.command}.py").is_file()


def test_every_carcassonne_command_of_the_file_is_a_step() -> None:
    """The exceptions are coats of arms, figures, recorded games and other games, which have material of their own."""
    text = CALIBRATION_FILE.read_text(encoding="utf-8")
    of_carcassonne = " ".join(text[: text.index("# python -m models.calibration.babel")].replace("#", " ").split())
    named = set(re.findall(r"models\.calibration\.([\w.]+)\b", of_carcassonne))
    assert {"coat_look", "lone_wonders", "markers", "wonders"} <= named
    assert named - {"coats", "board.figures", "board.tables", "board.taking"} == {step.command for step in STEPS}


def test_steps_without_their_tables_are_named_and_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = list[str]()
    monkeypatch.setattr(command, "run_with", lambda file, module: taken.append(module[0]))
    file = tmp_path / "fitted.toml"
    refit([LABEL], {kind: folder for kind, folder in FOLDERS.items() if kind not in OPTIONAL}, EXAMPLES, file)
    wonders = ["wonders", "markers", "lone_wonders"]
    assert not {*taken} & {f"models.calibration.{name}" for name in wonders}
    left = [line for line in capsys.readouterr().out.splitlines() if line.startswith("# left as it is")]
    assert [line.split()[7].rstrip(",") for line in left] == [f"models.calibration.{name}" for name in wonders]
    assert all("--alone" in line or "--copies" in line for line in left)
    taken.clear()
    refit([LABEL], FOLDERS, EXAMPLES, file)
    assert taken == [f"models.calibration.{name}" for name in wonders], "and taken once their tables are there"


def test_numbers_are_fitted_into_a_copy_and_finished_steps_not_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "STEPS", (Step("borders", {}),))
    before, file = CALIBRATION_FILE.read_bytes(), tmp_path / "new" / "fitted.toml"
    refit([LABEL], FOLDERS, EXAMPLES, file)
    bare = tomllib.loads(file.read_text(encoding="utf-8"))["carcassonne"]["borders"]["bare"]
    assert bare["fitted_on"]["tables"] == 1
    assert bare["fitted_on"]["tiles"] > 0
    assert bare != tomllib.loads(before.decode())["carcassonne"]["borders"]["bare"]
    assert CALIBRATION_FILE.read_bytes() == before
    written = file.read_bytes()
    monkeypatch.setattr(command, "run_with", lambda *arguments: pytest.fail("a step was taken twice"))
    refit([LABEL], FOLDERS, EXAMPLES, file)
    assert file.read_bytes() == written


def test_standing_farmers_are_fitted_only_on_real_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, list[str]] = {}
    monkeypatch.setattr(command, "run_with", lambda file, module: given.setdefault(module[0], list(module[1:])))
    refit([Path("real.json")], FOLDERS, EXAMPLES, tmp_path / "fitted.toml")
    assert "real.json" in given["models.calibration.farmers"]
    assert str(LABEL) not in given["models.calibration.farmers"]


def test_a_failing_step_ends_the_refit_with_its_status(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        run_with(tmp_path / "none.toml", ["models.calibration.borders"])
    assert ended.value.code == 2


def call(monkeypatch: pytest.MonkeyPatch, label: Path, photos: Path, out: Path, *others: str) -> None:
    drawn = [part for kind in FOLDERS for part in (f"--{kind}", str(EXAMPLES))]
    arguments = [str(label), "--photos", str(photos), *drawn, "--out", str(out), *others]
    monkeypatch.setattr(sys, "argv", ["refit", *arguments])
    main()


def test_an_unknown_photographer_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match="No photo is by nobody"):
        call(monkeypatch, LABEL, EXAMPLES, tmp_path / "fitted.toml", "--without", "nobody")
    assert not list(tmp_path.iterdir())


@needs_shared
def test_photos_reserved_for_measuring_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match=f"lies in {MEASURED}"):
        call(monkeypatch, SHARED / "labels" / "kpm_62.json", SHARED / "photos", tmp_path / "fitted.toml")
    assert not list(tmp_path.iterdir())
