"""Labelled photos of real tables: only those of `photos/train`, read in full."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from models.samples.real_photos import MARKS, MAX_TILE_PX, find_training_labels, load_marked, load_real
from models.samples.tiles import CLASSES, COLOUR_NAMES, OTHER, POSE_NAMES, find_class
from tests.scoring.outside import LABELS, SHARED, needs_shared
from vision.evaluation.labels import load_truth
from vision.photo.crops import compute_tile_px

REAL = Path(__file__).parents[3] / "datasets" / "real"


@needs_shared
def test_no_photo_for_measuring_is_trained_on() -> None:
    chosen = find_training_labels(SHARED / "labels")
    photos = [json.loads(label.read_text(encoding="utf-8"))["photo"] for label in LABELS]
    assert len(chosen) == sum(photo.startswith("photos/train/") for photo in photos) >= 6
    assert not any("check" in json.loads(label.read_text(encoding="utf-8"))["photo"] for label in chosen)


@needs_shared
@pytest.mark.parametrize("name", ["kpm_05", "jb_195402"])
def test_a_real_table_is_read_with_its_tiles_and_meeples(name: str) -> None:
    table = load_real(SHARED / "labels" / f"{name}.json", SHARED / "photos")
    label = json.loads((SHARED / "labels" / f"{name}.json").read_text(encoding="utf-8"))
    height, width = table.image.shape[:2]
    assert table.quads.keys() >= table.tiles.keys()
    assert len(table.quads) == sum(token != ".." for row in label["rows"] for token in row.split())
    assert len(table.feet) == len(table.colours) == len(table.poses) == len(label["meeples"])
    assert ((table.feet > 0) & (table.feet < (width, height))).all()
    sizes = compute_tile_px(np.array(list(table.quads.values())))
    assert sizes.max() < 2.2 * sizes.min()


@needs_shared
def test_a_missing_photo_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="kpm_05"):
        load_real(SHARED / "labels" / "kpm_05.json", tmp_path / "photos")


@pytest.mark.parametrize("marks", sorted(MARKS.glob("*.json")), ids=lambda path: path.stem)
def test_marked_photos_are_allowed_for_training_and_use_known_names(marks: Path) -> None:
    document = json.loads(marks.read_text(encoding="utf-8"))
    photo = Path(document["photo"])
    assert photo.name == f"{marks.stem}.jpg"
    assert photo.parent in (Path("photos/unlabelled"), Path("photos/failing"))
    for piece in document["pieces"] or ():
        assert piece["colour"] in COLOUR_NAMES
        assert piece["pose"] in (*POSE_NAMES, None)
    for square in document["squares"]:
        tile, _, turns = square.get("tile", "??").partition("@")
        assert tile == "??" or (tile, int(turns)) in CLASSES


def test_no_tile_of_a_photo_for_measuring_is_named() -> None:
    measured = {json.loads(path.read_text(encoding="utf-8"))["photo"] for path in REAL.glob("*.json")}
    named = {path.stem for path in MARKS.glob("*.json") if '"tile"' in path.read_text(encoding="utf-8")}
    assert named
    assert not named & {Path(photo).stem for photo in measured}


@needs_shared
def test_nothing_is_measured_on_a_marked_photo_of_failing() -> None:
    labels = [*REAL.glob("*.json"), *(SHARED / "labels").glob("*.json")]
    measured = {Path(load_truth(label).photo).stem for label in labels}
    marked = {Path(json.loads(path.read_text(encoding="utf-8"))["photo"]) for path in MARKS.glob("*.json")}
    assert measured
    assert not measured & {photo.stem for photo in marked if photo.parent.name == "failing"}


@needs_shared
@pytest.mark.parametrize("name", ["kpm_34", "kpm_1"])
def test_a_marked_table_is_read_with_its_squares_and_pieces(name: str) -> None:
    table = load_marked(MARKS / f"{name}.json", SHARED / "photos")
    document = json.loads((MARKS / f"{name}.json").read_text(encoding="utf-8"))
    assert len(table.quads) == len(document["squares"])
    assert len(table.tiles) == sum("tile" in square for square in document["squares"])
    assert table.counted == (document["pieces"] is not None)
    assert len(table.feet) == len(table.colours) == len(document["pieces"] or ())
    assert float(np.median(compute_tile_px(np.array(list(table.quads.values()))))) < 1.1 * MAX_TILE_PX


@needs_shared
def test_named_tiles_have_their_class_and_foreign_ones_are_others() -> None:
    table = load_marked(MARKS / "kpm_26.json", SHARED / "photos")
    assert sum(find_class(*tile) == OTHER for tile in table.tiles.values()) == 2
    assert find_class("IC/RFr.i", 1) in {find_class(*tile) for tile in table.tiles.values()}
