"""Labelled photos of real tables: only those of `photos/train`, read in full."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from models.real import load_real, training_labels
from tests.scoring.outside import LABELS, SHARED, needs_shared
from vision.crops import tile_px


@needs_shared
def test_no_photo_that_is_measured_is_trained_on() -> None:
    chosen = training_labels(SHARED / "labels")
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
    sizes = tile_px(np.array(list(table.quads.values())))
    assert sizes.max() < 2.2 * sizes.min()


@needs_shared
def test_a_photo_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="kpm_05"):
        load_real(SHARED / "labels" / "kpm_05.json", tmp_path / "photos")
