"""Labels written from a reading agree with it, and those of real tables are complete."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.evaluation.labelling import build_label, format_label, main
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from tests.readers import read_example, reader
from tests.scoring.outside import SHARED, needs_shared
from vision.evaluation.judge import judge_reading
from vision.evaluation.labels import load_truth, read_truth
from vision.photo.decoding import Photo
from vision.reading.board import build_board
from vision.reading.values import Reading
from vision.squares.catalogue import build_reading_catalogue

DATASETS = Path(__file__).parents[3] / "datasets"
REAL = sorted((DATASETS / "real").glob("*.json"))
WHOLE_GAMES = [path for path in REAL if path.stem.startswith("jb_")]
USUAL = ("jb_200103", "kpm_03", "kpm_42", "kpm_41")
"""A photo of each kind, and the one with the known miss; the others are read in the long run."""
WITH_INNS = [path for path in REAL if path.stem in ("kpm_42", "kpm_56")]


def reading() -> Reading:
    return read_example("table")


def test_a_label_reads_back_as_the_reading() -> None:
    truth = read_truth({"photo": "table.jpg", **build_label(reading())}, "table")
    assert truth.board == build_board(reading())
    assert sorted(np.round(m.foot_px, 1).tolist() for m in reading().meeples) == sorted(
        list(meeple.foot_px) for meeple in truth.meeples
    )


def test_a_reading_is_right_by_its_own_label() -> None:
    verdict = judge_reading(reading(), read_truth({"photo": "table.jpg", **build_label(reading())}, "table"), {})
    assert verdict.tiles_exact == verdict.tiles == len(reading().tiles)
    assert verdict.meeples_place == verdict.meeples == len(reading().meeples)
    assert verdict.final_exact


def test_an_existing_label_is_kept_and_an_unreadable_photo_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "table.json").write_text("gone through", encoding="utf-8")
    (tmp_path / "nothing.jpg").write_bytes(b"no picture")
    photos = [DATASETS / "examples" / "table.jpg", tmp_path / "nothing.jpg", DATASETS / "examples" / "test_level.jpg"]
    monkeypatch.setattr("sys.argv", ["labelling", *map(str, photos), "--out", str(tmp_path)])
    with pytest.raises(SystemExit, match="1"):
        main()
    assert (tmp_path / "table.json").read_text(encoding="utf-8") == "gone through"
    assert "not_an_image" in capsys.readouterr().err
    assert len(load_truth(tmp_path / "test_level.json").tiles) > 0
    assert not (tmp_path / "nothing.json").exists()


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3), max_leaves=8
)


@given(st.dictionaries(st.text(), values))
def test_the_text_of_a_label_is_its_json(label: dict[str, object]) -> None:
    assert json.loads(format_label(label)) == label


@pytest.mark.parametrize("path", [*WHOLE_GAMES, *WITH_INNS], ids=lambda path: path.stem)
def test_a_whole_real_game_holds_each_tile_of_its_boxes(path: Path) -> None:
    inns = (tile for tile in build_reading_catalogue() if tile.id.startswith("IC/") and path in WITH_INNS)
    tiles = [tile.placement for tile in load_truth(path).tiles]
    assert Counter(tile.layout.id for tile in tiles if tile) == {
        tile.id: tile.count for tile in (*load_base_catalogue(), *inns)
    }


@needs_shared
@pytest.mark.parametrize(
    "path",
    [path if path.stem in USUAL else pytest.param(path, marks=pytest.mark.soak) for path in REAL],
    ids=lambda path: path.stem,
)
def test_real_tables_are_read(path: Path) -> None:
    """One miss is known: beside a river with a piece, a monastery is read, as a doubt."""
    truth = load_truth(path)
    verdict = judge_reading(reader().read(Photo.from_path(SHARED / "photos" / "unlabelled" / truth.photo)), truth, {})
    assert verdict.tiles_exact >= verdict.tiles - (1 if path.stem == "kpm_41" else 0)
    assert verdict.meeples_place == verdict.meeples
    assert verdict.meeples_extra == 0
    assert not verdict.final_sure_wrong
    assert not any(confidence > 0.9 for confidence in verdict.wrong_confidences)
