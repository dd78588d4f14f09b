"""Run all commands that fit Carcassonne, in order, each on its tables and with the rows before it in force.

    python -m models.calibration.refit LABEL.json ... --photos DIR --drawn DIR --played DIR --sloppy DIR --sixth DIR \\
        --out FILE [--copies DIR] [--alone DIR] [--without PHOTOGRAPHER]

The LABELs are those of real photos; those of drawn tables lie in the folders, or in folders within these. FILE becomes
a copy of the calibration file with the new rows; a row that was set by hand stays. `--without` leaves out the photos of
one photographer, and then reads them with FILE, so that nothing fitted here has seen them (`wondertally evaluate`
writes into a folder beside it, of its name and `-without`). The looks of wonders are fitted if their tables are given:
`--copies` holds tables drawn with wonders of many copies, `--alone` photos of one wonder tile each. Without them those
rows stay, and the commands that fit them are named. The numbers that are fitted on the many tables of the other doubts
of tiles (`models.calibration.coats` and the rows `coat` and `rest`) stay as they are, and so do the rows on pictures of
other games (`models.calibration.board.tables`) and on figures (`models.calibration.board.figures`). Each step reads
with all rows of the steps before it. If FILE exists from another run on the same photos, the command resumes it:
FILE.steps has a digest of the labels' names and the steps taken; remove a step's line to repeat it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal, get_args

from scoring.calibration import CALIBRATION_FILE, FILE_SETTING
from vision.evaluation.labels import load_truth
from vision.evaluation.tables import find_photo

Drawn = Literal["drawn", "played", "sloppy", "sixth", "copies", "alone"]
DRAWN: tuple[Drawn, ...] = get_args(Drawn)
OPTIONAL: Mapping[Drawn, str] = {
    "copies": "tables drawn with --wonders and --copies varied",
    "alone": "photos drawn with --alone",
}
"""Folders without which the steps that need them are left out."""
MEASURED = "check"
"""The folder of photos on which nothing is ever fitted."""


@dataclass(frozen=True, slots=True)
class Step:
    """A command of `models.calibration` with the drawn tables that it takes beside the real ones, and the number taken
    from each folder (None: all).

    `rows` are the names that follow `--write` (none: all rows of the command). A step that is not `of_real` tables
    takes only the drawn ones.
    """

    command: str
    drawn: Mapping[Drawn, int | None]
    rows: tuple[str, ...] = ()
    of_real: bool = True

    @property
    def name(self) -> str:
        """The step in one word."""
        return "-".join((self.command, *self.rows))


STEPS = (
    Step("presence", {"drawn": None}),
    Step("ground", {}),
    Step("touching", {"sloppy": None}),
    Step("features", {"sloppy": None}),
    Step("colours", {"drawn": 24, "played": 40, "sixth": None}),
    Step("farmers", {}),
    Step("crowds", {}),
    Step("borders", {"drawn": 12, "played": 12, "sloppy": 12}),
    Step("wonders", {"copies": None}),
    Step("markers", {"copies": None}),
    Step("lone_wonders", {"alone": None}, of_real=False),
    Step("coat_look", {"drawn": 24}),
    Step("doubt", {}, ("tile", "kind", "gone", "crowded_none", "right_though_contradicted")),
    Step("doubt", {"sloppy": None}, ("place",)),
    Step("doubt", {"drawn": 24, "played": 40, "sixth": None}, ("colour", "split")),
    Step("doubt", {"drawn": None}, ("further",)),
)
"""All steps, in an order in which each uses the rows fitted by the ones before it. Their numbers of tables bound
time."""


def main() -> None:
    options = build_parser().parse_args()
    photographers = {label: _name_photographer(label, options.photos) for label in options.labels}
    left_out = [label for label in options.labels if options.without == photographers[label]]
    if options.without is not None and not left_out:
        raise SystemExit(f"No photo is by {options.without}: there are {', '.join(sorted({*photographers.values()}))}.")
    real = [label for label in options.labels if label not in left_out]
    folders = {kind: folder for kind in DRAWN if (folder := getattr(options, kind)) is not None}
    refit(real, folders, options.photos, options.out)
    if left_out:
        out = options.out.with_name(f"{options.out.stem}-without")
        arguments = [*map(str, left_out), "--photos", str(options.photos), "--out", str(out)]
        run_with(options.out, ["wondertally", "evaluate", *arguments])


def build_parser() -> argparse.ArgumentParser:
    """Build the parser of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("labels", type=Path, nargs="+", metavar="LABEL", help="labels of real photos")
    for name, text in (
        ("photos", "the photos of all tables"),
        ("drawn", "tables drawn with all pieces"),
        *((name, f"those drawn with --{name}") for name in ("played", "sloppy", "sixth")),
    ):
        parser.add_argument(f"--{name}", type=Path, required=True, metavar="DIR", help=f"folder of {text}")
    for name, text in OPTIONAL.items():
        parser.add_argument(f"--{name}", type=Path, metavar="DIR", help=f"folder of {text}; without it their rows stay")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the new calibration file")
    parser.add_argument(
        "--without", metavar="PHOTOGRAPHER", help="leave out this photographer's photos, then read them"
    )
    return parser


def refit(real: Sequence[Path], folders: Mapping[Drawn, Path], photos: Path, file: Path) -> None:
    """Take each step that is not yet recorded for the file, in order; steps without tables are printed and skipped.

    Raises SystemExit if a step fails, or if the file was begun on other photos.
    """
    steps = file.with_name(f"{file.name}.steps")
    names = " ".join(sorted(label.name for label in real))
    begun = f"photos {sha256(names.encode()).hexdigest()[:16]}"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(CALIBRATION_FILE.read_bytes())
        steps.write_text(f"{begun}\n", encoding="utf-8")
    if not steps.exists() or steps.read_text(encoding="utf-8").splitlines()[:1] != [begun]:
        raise SystemExit(f"{file} was not begun by this command on these photos: give another --out.")
    for step in STEPS:
        if missing := sorted(step.drawn.keys() - folders.keys()):
            wanted = ", ".join(f"--{kind} ({OPTIONAL[kind]})" for kind in missing)
            print(f"# left as it is: python -m models.calibration.{step.command}, which wants {wanted}", flush=True)
        elif step.name not in steps.read_text(encoding="utf-8").splitlines():
            tables = [*(real if step.of_real else ()), *list_drawn(step, folders)]
            arguments = [*map(str, tables), "--photos", str(photos), "--write", *step.rows]
            run_with(file, [f"models.calibration.{step.command}", *arguments])
            with steps.open("a", encoding="utf-8") as written:
                written.write(f"{step.name}\n")


def list_drawn(step: Step, folders: Mapping[Drawn, Path]) -> Iterable[Path]:
    """Yield the labels of the drawn tables that a step takes: the first ones of each folder by name."""
    for kind, count in step.drawn.items():
        yield from sorted(folders[kind].rglob("*.json"))[:count]


def run_with(file: Path, module: Sequence[str]) -> None:
    """Run a module with a calibration file in force; raise SystemExit with its status if it fails."""
    print(f"# {module[0]} with {file.name}", flush=True)
    done = subprocess.run(
        [sys.executable, "-m", *module], env={**os.environ, FILE_SETTING: str(file.absolute())}, check=False
    )
    if done.returncode:
        raise SystemExit(done.returncode)


def _name_photographer(label: Path, photos: Path) -> str:
    """Return the photographer of a label's photo; raise SystemExit if the photo is reserved for measurement."""
    truth = load_truth(label)
    if find_photo(truth.photo, photos, label).parent.name == MEASURED:
        raise SystemExit(f"{truth.photo} lies in {MEASURED}: nothing is fitted on it.")
    return truth.photographer


if __name__ == "__main__":
    main()
