"""The data left out of a training, and the accuracy of reading it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import cv2
import pytest

from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from datasets.generate import ART_PX, generate
from datasets.render.shots import Manner
from models.evaluation.figures import Figures, read_squares, sum_figures
from models.samples.splits import HELD_OUT_SETS, leave_out_edition, leave_out_set, load_scanned_sets
from tests.datasets.tables import cheap_art
from vision.evaluation.labels import read_truth
from vision.runtime.onnx import MODELS, Net

SETS = {"c1-own": "C1", "c2-own": "C2", "c2-other": "C2", "c3-own": "C3", "c3_1-own": "C3.1", HELD_OUT_SETS[0]: "C1"}


@pytest.fixture
def art(tmp_path: Path) -> Path:
    """Return folders of scans in several editions, all of the same pictures."""
    rows = []
    for name, edition in SETS.items():
        (tmp_path / name).mkdir()
        for layout, (picture,) in cheap_art(size=32).pictures.items():
            file = f"{name}/{layout.replace('/', '_')}.png"
            cv2.imwrite(str(tmp_path / file), picture)
            rows.append({"file": file, "set": name, "edition": edition, "topology_id": layout})
    with (tmp_path / "manifest.csv").open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return tmp_path


def label(folder: Path, edition: str | None) -> Path:
    corners = [[0, 0, 0, 0], [9, 0, 1, 0], [9, 9, 1, 1], [0, 9, 0, 1]]
    content = {"photo": "photos/train/x.jpg", "rows": ["D0"], "points": corners} | (
        {"edition": edition} if edition else {}
    )
    file = folder / f"{edition}.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    return file


def test_an_edition_is_left_out_with_all_its_sets_and_later_printings(art: Path) -> None:
    assert {s.name for s in load_scanned_sets(art)} == SETS.keys() - {HELD_OUT_SETS[0]}
    for edition, gone in (("C2", {"c2-own", "c2-other"}), ("C3", {"c3-own", "c3_1-own"}), ("C3.1", {"c3_1-own"})):
        left = leave_out_edition(art, edition)
        assert left.sets == gone
        assert {s.name for s in load_scanned_sets(art, left.sets)} == SETS.keys() - gone - {HELD_OUT_SETS[0]}
    with pytest.raises(ValueError, match="none of C1, C2, C3"):
        leave_out_edition(art, "C9")


def test_one_set_is_left_out_with_the_photos_of_its_edition(art: Path) -> None:
    left = leave_out_set(art, "c2-own")
    assert left.sets == {"c2-own"}
    assert left.edition == "C2"
    with pytest.raises(ValueError, match="c2-other"):
        leave_out_set(art, "c9-own")


@pytest.mark.parametrize(("told", "covered"), [("C2", True), ("C1", False), ("C2.1", True), (None, True)])
def test_photos_of_the_edition_or_of_an_unstated_one_are_left_out(art: Path, told: str, covered: bool) -> None:
    assert leave_out_edition(art, "C2").covers(label(art, told)) is covered


def test_squares_are_read_at_the_places_of_the_label() -> None:
    tiles = draw_tile_set(STYLES["meadow"], 3, ART_PX, variants=1)
    ((name, shot),) = generate([tiles], ["wood"], Manner((1200, 900), (60.0, 90.0)), 1, 5)
    truth = read_truth({"photo": name, **shot.label}, name)
    read = read_squares(Net(MODELS / "classifier.onnx"), shot.image, truth, name)
    assert read.tiles == 72
    assert read.exact >= 68
    assert read.exact_alone >= 66


def test_figures_are_summed_up() -> None:
    assert sum_figures("both", [Figures("a", 10, 7, 9), Figures("b", 5, 4, 5)]) == Figures("both", 15, 11, 14)
    assert sum_figures("none", []) == Figures("none", 0, 0, 0)
