"""The annotated photo: drawn in the right places, and written in the format asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from shapely import Polygon, box

from api.carcassonne.report.builder import build_report
from api.carcassonne.report.several_photos import build_joined_report, project_report
from api.documents.report import Doubt, Report, Track, TrackPiece, TrackToken
from api.games.sheets import write_annotated_photo
from api.render.drawing import Legend, Scale, add_legend, get_player_rgb
from api.render.free_places import FreePlaces
from api.render.overlay import annotate_photo
from scoring.counts import format_choices
from tests.api.doubted import doubted, joined, small
from tests.api.tables_read import HEIGHT, WIDTH, dealt, grey_photo, reading_of
from vision.arrays import Floats
from vision.errors import InputError
from vision.multiview.reading import JoinedReading
from vision.photo.decoding import Photo

DOUBT = (255, 0, 200)


def report_with_a_doubt() -> Report:
    reading = reading_of(dealt(21))
    tiles = (replace(reading.tiles[0], doubtful=True), *reading.tiles[1:])
    report = build_report(grey_photo(), replace(reading, tiles=tiles))
    first = report.board.tiles[0]
    report.doubts = [
        Doubt(square=(first.row, first.col), about="tile", instead="A", probability=0.4, final_scoring=None)
    ]
    return report


@pytest.fixture(scope="module")
def report() -> Report:
    return report_with_a_doubt()


@pytest.fixture(scope="module")
def drawn(report: Report) -> NDArray[np.int16]:
    """RGB."""
    return annotate_photo(grey_photo().pixels, report)[:, :, ::-1].astype(np.int16)


def nearest(picture: NDArray[np.int16], at: tuple[float, float], radius: float, colour: tuple[int, int, int]) -> float:
    """Return the least distance (largest channel) from a colour within a square around a point."""
    x, y, r = *np.round(at).astype(int), round(radius)
    part = picture[max(y - r, 0) : y + r + 1, max(x - r, 0) : x + r + 1]
    return float(np.abs(part - np.array(colour)).max(axis=2).min())


@pytest.mark.parametrize("width", [320, 550, 1600])
def test_a_legend_of_any_width_has_all_players_and_words(width: int) -> None:
    totals = dict.fromkeys(("red", "blue", "green", "yellow", "black", "pink"), 128)
    canvas, scale = np.full((200, width, 3), 90, np.uint8), Scale.of([], width, 200)
    plain, worded = (
        np.asarray(add_legend(canvas, Legend("Final scoring", totals, lines), scale))
        for lines in ([], ["one doubtful tile, two doubtful meeples, and the score may change " * 2])
    )
    for player in totals:
        rows, cols = np.nonzero(np.abs(plain[200:].astype(int) - get_player_rgb(player)).max(axis=2) < 5)
        assert len(rows) > 50
        assert cols.max() < width - scale.legend
    words = np.abs(worded[200:].astype(int) - DOUBT).max(axis=2) < 60
    rows, cols = np.nonzero(words)
    assert rows.min() >= plain.shape[0] - 200 - 2 * scale.legend
    assert rows.max() < words.shape[0] - 2
    assert cols.max() < width - scale.legend


def test_the_legend_lies_below_the_photo(report: Report, drawn: NDArray[np.int16]) -> None:
    assert drawn.shape[1] == WIDTH
    assert drawn.shape[0] > HEIGHT
    band = drawn[HEIGHT:]
    for player in report.scores.final_scoring:
        assert np.abs(band - np.array(get_player_rgb(player))).max(axis=2).min() < 5


def test_every_meeple_is_circled_in_its_colour(report: Report, drawn: NDArray[np.int16]) -> None:
    for meeple in report.board.meeples:
        assert meeple.foot_px is not None
        assert nearest(drawn, meeple.foot_px, 40, get_player_rgb(meeple.colour)) < 40


def test_a_special_piece_is_named_below_its_mark(report: Report, drawn: NDArray[np.int16]) -> None:
    named = report.model_copy(deep=True)
    named.board.meeples[0].kind = "builder"
    changed = (annotate_photo(grey_photo().pixels, named)[:, :, ::-1] != drawn).any(axis=2)
    rows, cols = np.nonzero(changed)
    x, y = named.board.meeples[0].foot_px or (0.0, 0.0)
    assert len(rows) > 20
    assert abs(cols.mean() - x) < 5
    assert rows.min() > y


def test_a_doubtful_square_is_conspicuous(report: Report, drawn: NDArray[np.int16]) -> None:
    corners = np.asarray(report.board.tiles[0].corners_px)
    middle = corners[:2].mean(axis=0) * 0.95 + corners.mean(axis=0) * 0.05
    assert nearest(drawn, (middle[0], middle[1]), 6, DOUBT) < 40
    sure = np.asarray(report.board.tiles[-1].corners_px)
    inside = sure[:2].mean(axis=0) * 0.95 + sure.mean(axis=0) * 0.05
    assert nearest(drawn, (inside[0], inside[1]), 3, DOUBT) > 60


def test_a_doubtful_square_without_effect_is_not_conspicuous(report: Report) -> None:
    plain = annotate_photo(grey_photo().pixels, report.model_copy(update={"doubts": []}))[:, :, ::-1].astype(np.int16)
    corners = np.asarray(report.board.tiles[0].corners_px)
    assert report.board.tiles[0].doubtful
    middle = corners[:2].mean(axis=0) * 0.95 + corners.mean(axis=0) * 0.05
    assert nearest(plain, (middle[0], middle[1]), 3, DOUBT) > 60


def test_outside_the_board_the_photo_is_only_dimmed(drawn: NDArray[np.int16]) -> None:
    corner = drawn[5, 5]
    assert np.all(np.abs(corner - corner.mean()) < 2)
    assert 80 < corner.mean() < 120


def test_the_photo_itself_is_not_touched(report: Report) -> None:
    photo = grey_photo()
    annotate_photo(photo.pixels, report)
    assert np.all(photo.pixels == 120)


def test_a_board_that_leaves_the_photo_is_drawn_within_it(report: Report) -> None:
    small = grey_photo().pixels[:300, :400]
    assert annotate_photo(small, report).shape[1] == 400


@pytest.mark.parametrize("name", ["out.jpg", "out.PNG"])
def test_the_picture_is_written_in_the_format_of_its_suffix(name: str, tmp_path: Path, report: Report) -> None:
    write_annotated_photo(tmp_path / name, grey_photo().pixels, report)
    written = cv2.imread(str(tmp_path / name))
    assert written is not None
    assert written.shape[1] == WIDTH


@pytest.mark.parametrize("name", ["out.gif", "none/out.jpg"])
def test_a_picture_that_cannot_be_written_is_an_error(name: str, tmp_path: Path, report: Report) -> None:
    with pytest.raises(InputError) as caught:
        write_annotated_photo(tmp_path / name, grey_photo().pixels, report)
    assert caught.value.code == "cannot_write"


def test_the_score_board_is_drawn_with_the_spaces_read_and_the_tokens(report: Report) -> None:
    report_with_track = report.model_copy(deep=True)
    token = [(520.0, 300.0), (580.0, 300.0), (580.0, 360.0), (520.0, 360.0)]
    report_with_track.track = Track(
        corners_px=[(40.0, 40.0), (200.0, 40.0), (200.0, 140.0), (40.0, 140.0)],
        pieces=[piece(spaces=[7], foot=(90.0, 90.0)), piece(spaces=[8, 9], foot=(160.0, 100.0))],
        tokens=[TrackToken(points=50, colour=None, corners_px=token, taught="mine", confidence=0.9, doubtful=True)],
    )
    before, after = (
        annotate_photo(grey_photo().pixels, version)[:, :, ::-1].astype(np.int16)
        for version in (report, report_with_track)
    )
    changed = np.abs(after - before).max(axis=2) > 20
    assert changed[38:43, 60:180].all(axis=1).any()
    assert nearest(after, (90.0, 90.0), 40, get_player_rgb("red")) < 40
    assert nearest(after, (160.0, 100.0), 40, DOUBT) < 40
    assert nearest(after, token[0], 6, DOUBT) < 40
    assert changed[:HEIGHT].sum() > changed[:160, :260].sum() > 0


def piece(spaces: list[int], foot: tuple[float, float]) -> TrackPiece:
    doubtful = len(spaces) > 1
    return TrackPiece(colour="red", pose="standing", spaces=spaces, foot_px=foot, confidence=0.9, doubtful=doubtful)


def test_the_possible_spaces_of_a_piece_are_joined_into_one_phrase() -> None:
    assert [format_choices(spaces) for spaces in ("7", "78", "789")] == ["7", "7 or 8", "7, 8 or 9"]


def test_only_the_photo_with_the_score_board_shows_it_annotated() -> None:
    reading = doubted(small(3), 3)
    first, second = joined(reading, photos=2).views
    views = (first, replace(second, photo=another(second.photo)))
    report = build_joined_report(JoinedReading(views))
    for number in (0, 1):
        report.track = Track(corners_px=[(0.0, 0.0)] * 4, pieces=[], photo=number)
        assert [project_report(report, view).track is not None for view in views] == [number == 0, number == 1]


def another(photo: Photo) -> Photo:
    return Photo(photo.halves, "other.jpg", "1" * 64, photo.decode_ms)


def test_a_piece_that_scores_nothing_is_marked_with_0() -> None:
    """The picture without the list of such pieces differs from it only about their feet."""
    reports = (build_report(grey_photo(), reading_of(dealt(seed))) for seed in range(40))
    report = next(found for found in reports if found.scores.nothing)
    bare = report.model_copy(deep=True)
    bare.scores.nothing = []
    with_zero, without = (annotate_photo(grey_photo().pixels, one) for one in (report, bare))
    rows, cols = np.nonzero((with_zero != without).any(axis=2))
    assert len(rows)
    feet = [meeple.foot_px for meeple in report.board.meeples if meeple.foot_px]
    far = [min(np.hypot(x - col, y - row) for x, y in feet) for row, col in zip(rows[::20], cols[::20], strict=True)]
    quad = np.asarray(report.board.tiles[0].corners_px)
    assert max(far) < np.linalg.norm(quad[1] - quad[0])


def test_a_doubted_piece_is_ringed_even_if_it_was_not_counted() -> None:
    read = doubted(small(1), 1)
    (left_out,) = (tuple(np.round(possible.foot_px, 1).tolist()) for possible in read.possible_meeples)
    report = build_report(grey_photo(), replace(read, track=None))
    feet = {foot for doubt in report.doubts for foot in doubt.feet_px}
    assert left_out in feet, "no piece is read there, and a doubt asks whether one stands there"
    picture = annotate_photo(grey_photo().pixels, report)[:, :, ::-1].astype(np.int16)
    tile = Scale.of([60.0], WIDTH, HEIGHT).tile
    assert nearest(picture, left_out, 0.4 * tile, DOUBT) <= 2
    sure = [meeple for meeple in report.board.meeples if meeple.foot_px not in feet]
    assert any(meeple.doubtful for meeple in sure) or sure
    for meeple in sure:
        assert meeple.foot_px is not None
        assert nearest(picture, meeple.foot_px, 0.4 * tile, get_player_rgb(meeple.colour)) <= 2


def test_doubts_ring_the_pieces_that_they_concern() -> None:
    """A board lists its pieces by square and colour, a reading as certainly as it found them."""
    read = doubted(small(1), 1)
    report = build_report(grey_photo(), replace(read, meeples=read.meeples[::-1], track=None))
    asked = [doubt for doubt in report.doubts if doubt.about == "meeple"]
    on = {meeple.foot_px: meeple.tile for meeple in report.board.meeples}
    rung = [(on[foot], doubt.square) for doubt in asked for foot in doubt.feet_px if foot in on]
    assert len(rung) > 1
    assert all(tuple(square) == tuple(doubted_square) for square, doubted_square in rung)


def test_a_doubted_piece_is_found_in_each_of_several_photos() -> None:
    shown = joined(doubted(small(5), 5), photos=2)
    report = build_joined_report(shown)
    other = project_report(report, shown.views[1])
    carried = [(doubt.feet_px, there.feet_px) for doubt, there in zip(report.doubts, other.doubts, strict=True)]
    assert any(feet for feet, _ in carried)
    for feet, there in carried:
        if there:
            assert np.allclose(np.array(feet) / 2, there, atol=0.2)


middles = st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=5, unique=True)


def build_ring(column: int, row: int) -> Floats:
    """Draw a small diamond in a picture of 1200 x 900."""
    x, y = 300 * column, 225 * row
    return np.array([[x, y - 40], [x + 40, y], [x, y + 40], [x - 40, y]], np.float64)


@given(middles, st.integers(20, 200), st.integers(10, 90))
def test_labels_overlap_neither_each_other_nor_the_contents(
    places: list[tuple[int, int]], width: int, height: int
) -> None:
    rings = [build_ring(*place) for place in places]
    free = FreePlaces(1200, 900, rings)
    labels = [box(*free.take(ring, width, height, 10)) for ring in rings]
    for number, label in enumerate(labels):
        assert box(0, 0, 1200, 900).covers(label)
        others = [*map(Polygon, rings), *labels[:number]]
        assert sum(label.intersection(other).area for other in others) == 0
        assert label.distance(Polygon(rings[number])) < 450


def test_a_label_without_room_still_stands_in_the_picture() -> None:
    ring = np.array([[0, 0], [100, 0], [100, 80], [0, 80]], np.float64)
    left, top, right, bottom = FreePlaces(100, 80, [ring]).take(ring, 60, 30, 4)
    assert (left, top) >= (0, 0)
    assert right <= 100
    assert bottom <= 80
