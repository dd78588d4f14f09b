"""Reports scored again without their photos: from a snapshot, from a report, and for several photos on the server."""

from __future__ import annotations

import io
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from starlette.testclient import TestClient

from api.app import create_app
from api.carcassonne.corrections.board_edit import Amended
from api.carcassonne.corrections.rebuild import rebuild_views
from api.carcassonne.report.score_track import add_track_points
from api.carcassonne.report.several_photos import build_joined_report, project_report, turn_report
from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from api.documents.report import Report, SetAside
from api.render.drawn_report import SIDE_PX, draw_report
from api.server.settings import Settings
from scoring.carcassonne.final.rulesets import TODAY, get_ruleset
from scoring.carcassonne.final.table import Table
from tests.api.carcassonne.report.timeless import timeless
from tests.api.commands import run_parsed
from tests.api.corrected import build_corrected_report
from tests.api.doubted import doubted, held, joined, small, view_of, wondrous
from tests.api.serving import error_in, keep
from tests.api.tables_read import reading_of
from tests.readers import reader, survey_example
from vision.multiview.reading import JoinedReading
from vision.reading.board import build_board

EXAMPLES = Path(__file__).parents[4] / "datasets" / "examples"
seeds = st.integers(0, 10_000)


def as_scored(read: JoinedReading, rules: str = TODAY.name, typed: dict[str, int] | None = None) -> Report:
    """Return the report that `score` gives."""
    report = build_joined_report(read, get_ruleset(rules), Table(tuple(typed or ())))
    return add_track_points(report, typed or {}, get_ruleset(rules))


@settings(max_examples=5, deadline=None)
@given(seeds, st.integers(1, 2))
def test_a_stored_snapshot_reads_back(seed: int, photos: int) -> None:
    snapshot = held(seed, photos)
    assert Snapshot.model_validate_json(snapshot.to_json()) == snapshot


@settings(max_examples=5, deadline=None)
@given(seeds, st.integers(1, 2))
def test_a_snapshot_restores_the_views_of_each_photo(seed: int, photos: int) -> None:
    read = joined(doubted(small(seed), seed), photos)
    snapshot = build_snapshot(read)
    restored_views = rebuild_views(snapshot, Amended(snapshot)).views
    for view, restored_view in zip(read.views, restored_views, strict=True):
        assert build_board(restored_view.reading) == build_board(view.reading)
        assert (restored_view.squares, restored_view.best, restored_view.meeples, restored_view.best_meeples) == (
            *(view.squares, view.best, view.meeples, view.best_meeples),
        )
        assert restored_view.reading.meeples == view.reading.meeples
        assert restored_view.reading.possible_meeples == view.reading.possible_meeples
        for mine, theirs in zip(restored_view.reading.tiles, view.reading.tiles, strict=True):
            assert (mine.corners_px == theirs.corners_px).all()


@settings(max_examples=4, deadline=None)
@given(seeds, st.integers(1, 2), st.sampled_from(["C3", "C1-first"]))
def test_an_uncorrected_snapshot_gives_the_same_report_as_score(seed: int, photos: int, rules: str) -> None:
    read = joined(doubted(small(seed), seed), photos)
    typed = {"grey": 12}
    aside = [SetAside(file="blank.jpg", reason="board_not_found")]
    scored = as_scored(read, rules, typed)
    scored.set_aside = aside + scored.set_aside
    snapshot = Snapshot.model_validate_json(build_snapshot(read, get_ruleset(rules), typed, aside).to_json())
    assert timeless(build_corrected_report(snapshot)) == timeless(scored)


@settings(max_examples=5, deadline=None)
@given(seeds)
def test_a_snapshot_keeps_wonders(seed: int) -> None:
    read = joined(wondrous(seed))
    snapshot = build_snapshot(read)
    assert snapshot.wonders
    assert Snapshot.model_validate_json(snapshot.to_json()) == snapshot
    assert timeless(build_corrected_report(snapshot)) == timeless(as_scored(read))


def test_a_photo_read_by_the_nets_keeps_its_report(level: JoinedReading) -> None:
    snapshot = Snapshot.model_validate_json(build_snapshot(level).to_json())
    assert timeless(build_corrected_report(snapshot)) == timeless(as_scored(level))


@pytest.fixture(scope="module")
def level() -> JoinedReading:
    return reader().join([survey_example("test_level")])


def test_a_reading_without_doubts_is_also_stored() -> None:
    read = JoinedReading((view_of(reading_of(small(3))),))
    assert timeless(build_corrected_report(build_snapshot(read))) == timeless(as_scored(read))


EXAMPLE = Path(__file__).parents[4] / "datasets/examples/test_level.jpg"


@pytest.mark.parametrize("seed", range(3))
def test_a_report_is_projected_onto_each_of_its_photos(seed: int) -> None:
    """This agrees with the reading: corners and feet to the tenth of a pixel, outlines within half a pixel."""
    shown = joined(doubted(small(seed), seed), photos=2)
    report = build_joined_report(shown)
    by_reading, by_report = project_report(report, shown.views[1]), turn_report(report, 1)
    assert by_report.board == by_reading.board
    assert by_report.board.tiles[0].corners_px != report.board.tiles[0].corners_px
    pairs = zip(by_reading.features, by_report.features, strict=True)
    rings = [ring for a, b in pairs for ring in zip(a.outline_px or [], b.outline_px or [], strict=True)]
    assert max(np.abs(np.subtract(one, other)).max() for one, other in rings) < 0.5


@pytest.mark.parametrize("seed", range(3))
def test_a_report_is_drawn_without_its_photo(seed: int) -> None:
    """Squares are equal and as they lie, and each piece stands on its own feature, whatever the report's order."""
    report = build_joined_report(joined(doubted(small(seed), seed), photos=2))
    report.board.meeples.reverse()
    drawn = draw_report(report)
    assert drawn.photo is None
    tiles = [(tile, np.roll(tile.corners_px or [], tile.turns, axis=0)) for tile in drawn.board.tiles]
    first, [(left, top), *_] = tiles[0]
    for tile, ((x, y), *_) in tiles:
        assert (x, y) == (left + SIDE_PX * (tile.col - first.col), top + SIDE_PX * (tile.row - first.row))
    outlines = {feature.id: feature.outline_px or [] for feature in drawn.features}
    standing = [meeple for meeple in drawn.board.meeples if meeple.feature]
    assert standing
    for meeple in standing:
        rings = [np.array(ring, np.float32) for ring in outlines[meeple.feature or ""]]
        assert sum(cv2.pointPolygonTest(ring, meeple.foot_px or (0, 0), False) > 0 for ring in rings) % 2 == 1
    read, feet = ({meeple.foot_px for meeple in own.board.meeples} for own in (report, drawn))
    asked = [sum(foot in read for foot in doubt.feet_px) for doubt in report.doubts]
    assert [sum(foot in feet for foot in doubt.feet_px) for doubt in drawn.doubts] == asked


def test_a_report_of_tiles_is_drawn_on_its_photos(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Two photos of one table: the pictures are those that were drawn when the photos were read."""
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    pixels = cv2.imread(str(EXAMPLE))
    assert pixels is not None
    height, width = pixels.shape[:2]
    cv2.imwrite("first.png", pixels)
    cv2.imwrite("second.png", cv2.resize(pixels, (width * 3 // 4, height * 3 // 4), interpolation=cv2.INTER_AREA))
    read = ["score", "first.png", "second.png", "--json", "report.json", "--annotated", "read.png"]
    assert run_parsed(capsys, *read)[2] is None
    assert run_parsed(capsys, "score", "report.json", "--annotated", "anew.png")[2] is None
    _compare_pictures(Path("read.png"), Path("anew.png"))
    _compare_pictures(Path("read-2.png"), Path("anew-2.png"), 0.006)
    Path("elsewhere").mkdir()
    for name in ("first.png", "second.png"):
        Path(name).rename(Path("elsewhere") / name)
    drawn = ["score", "report.json", "--annotated", "named.png"]
    error = run_parsed(capsys, *drawn)[2]
    assert (error["code"], error["details"]["file"]) == ("photo_wanted", "first.png, second.png")
    error = run_parsed(capsys, *drawn, "--photo", "elsewhere/second.png")[2]
    assert (error["code"], error["details"]["file"]) == ("photo_wanted", "first.png")
    assert run_parsed(capsys, *drawn, "--photo", str(EXAMPLE))[2]["code"] == "wrong_photo"
    named = [word for name in ("second", "first") for word in ("--photo", f"elsewhere/{name}.png")]
    assert run_parsed(capsys, *drawn, *named, "--track", "red=7")[2] is None
    assert cv2.imread("named-2.png") is not None


def test_a_report_without_a_photo_names_the_missing_argument(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_parsed(capsys, "board", "score", "D0", "--json", "report.json")[2] is None
    error = run_parsed(capsys, "score", "report.json", "--annotated", "a.png")[2]
    assert error["code"] == "photo_wanted"
    assert error["text"].endswith("score the photo itself.")
    for words in (["report.json", "--photo", "x.png"], [str(EXAMPLE), "--photo", "x.png", "--annotated", "a.png"]):
        assert run_parsed(capsys, "score", *words)[2]["code"] == "bad_usage"


def _compare_pictures(one: Path, other: Path, share: float = 1e-6) -> None:
    """Assert that they differ in hardly a pixel, or along some lines if outlines run through rounded corners."""
    first, second = (cv2.imread(str(path)) for path in (one, other))
    assert first is not None
    assert second is not None
    assert first.shape == second.shape
    assert (np.abs(first.astype(int) - second).max(axis=2) > 24).mean() < share


def of_two_sizes(read: Snapshot) -> Snapshot:
    """Return a reading whose second photo is half as large, with everything at half its coordinates."""
    first, second = read.views
    photo = second.photo.model_copy(update={"width": first.photo.width // 2, "height": first.photo.height // 2})
    return read.model_copy(update={"views": (first, second.model_copy(update={"photo": photo}))})


def test_each_of_several_photos_is_annotated_in_its_own_pixels(tmp_path: Path) -> None:
    app, read = create_app(Settings(data=tmp_path)), of_two_sizes(held(5, photos=2))
    keep(app, "several", "token", read)
    client = TestClient(app, "http://localhost:8000")
    sizes = [(view.photo.width, view.photo.height) for view in read.views]
    photos = client.get("/v1/readings/several").json()["photos"]
    assert photos == [{"number": n, "width": width, "height": height} for n, (width, height) in enumerate(sizes)]
    for number, (width, height) in enumerate(sizes):
        for form, grown in (("photo", False), ("overlay.png", True)):
            answer = client.get(f"/v1/readings/several/{form}", params={"number": number})
            with Image.open(io.BytesIO(answer.content)) as picture:
                assert picture.width == width
                assert (picture.height > height) is grown
    main, other = (
        Report.model_validate(client.get("/v1/readings/several/report.json", params={"number": number}).json())
        for number in (0, 1)
    )
    assert (main.photo, other.photo) == tuple(view.photo for view in read.views)
    for tile, there in zip(main.board.tiles, other.board.tiles, strict=True):
        corners_by_photo = {view.photo: view.corners_px for view in tile.seen or []}
        assert there.corners_px == corners_by_photo.get(1)
    assert other.scores == main.scores
    assert error_in(client.get("/v1/readings/several/report.json?number=2"), 404)["code"] == "not_found"
    assert client.get("/v1/readings/several/report.pdf").content.startswith(b"%PDF-")
    assert error_in(client.get("/v1/readings/several/photo?number=2"), 404)["code"] == "not_found"
