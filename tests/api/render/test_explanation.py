"""The picture of an explanation: on the plain board, and on the photo that a report was made from."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from fontTools.ttLib import TTFont
from numpy.typing import NDArray

from api.carcassonne.explain.accounts import build_explanation
from api.carcassonne.explain.source import Source, read_source
from api.carcassonne.report.builder import build_board_report, build_report
from api.documents.table_options import Question
from api.errors import QuestionError
from api.games.registry import find_game_of
from api.i18n import load_words
from api.languages import LANGUAGES
from api.render.board import MARGIN, draw_plain_board, find_segment_middle, project_points
from api.render.drawing import get_player_rgb
from api.render.explanation import PALETTE, draw_explanation
from api.render.fonts import find_font_file
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.notation import format_notation, parse_notation
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.tiles.kinds import KINDS
from tests.api.carcassonne.explain.accounts import no_photo
from tests.api.commands import run
from tests.api.tables_read import HEIGHT, UNIT, WIDTH, dealt, grey_photo, homography, reading_of, seen
from tests.scoring.laid import laid, together, wonder
from vision.errors import PhotoError
from vision.photo.decoding import Photo

Pixels = NDArray[np.uint8]


def drawn(source: Source, question: Question) -> Pixels:
    explanation, answer = build_explanation(source, question)
    return draw_explanation(source, answer, explanation)


def of_board(board: Board, question: Question) -> Pixels:
    return drawn(Source(board, build_board_report(board), TODAY), question)


def near(picture: Pixels, at: NDArray[np.float64], radius: int, colour: tuple[int, int, int]) -> bool:
    """Return whether a pixel within a square around a point has nearly a colour."""
    x, y = np.round(at).astype(int)
    part = picture[max(y - radius, 0) : y + radius + 1, max(x - radius, 0) : x + radius + 1].astype(int)
    return bool((np.abs(part - np.array(colour)).max(axis=2) < 12).any())


def test_the_picture_shows_the_board_square_by_square() -> None:
    board = parse_notation("@-1,2 D0-U1/-B0")
    picture, quads = draw_plain_board(board)
    assert quads.keys() == board.tiles.keys()
    side = quads[-1, 2][1, 0] - quads[-1, 2][0, 0]
    assert picture.shape == (round((2 + 2 * MARGIN) * side), round((3 + 2 * MARGIN) * side), 3)
    assert np.array_equal(quads[0, 3][0], quads[-1, 2][2])


def test_features_are_coloured_at_their_turned_position() -> None:
    city, road, table = KINDS["city"].rgb, KINDS["road"].rgb, (62, 58, 54)
    picture, quads = draw_plain_board(parse_notation("D1-D1"))
    for square in ((0, 0), (0, 2)):
        at = project_points(np.array([[0.93, 0.5], [0.5, 0.06], [0.07, 0.5]]), quads[square])
        assert near(picture, at[0], 0, city), "the city of D lies to its north; turned once, to its east"
        assert near(picture, at[1], 4, road)
        assert not near(picture, at[2], 4, city)
    assert near(picture, quads[0, 0][1] + (40, 40), 0, table)


def test_the_squares_of_a_road_are_numbered_on_the_road() -> None:
    board = parse_notation("V3V0/V2V1 red^0,0=rE")
    plain, quads = draw_plain_board(board)
    picture = of_board(board, Question(features=("R1",)))
    assert picture.shape[1] == plain.shape[1]
    assert picture.shape[0] > plain.shape[0], "the account stands below"
    for square, placement in board.known:
        at = project_points(find_segment_middle(placement, 0), quads[square])[0]
        assert near(picture, at, 14, PALETTE[0])
        assert not near(plain, at, 14, PALETTE[0])


def test_a_full_explanation_names_every_scoring_feature() -> None:
    board = parse_notation("V3V0/V2V1 red^0,0=rE")
    assert near(
        of_board(board, Question()),
        project_points(np.array([0.5, 0.5]), draw_plain_board(board)[1][0, 0])[0],
        30,
        PALETTE[0],
    )
    assert not np.array_equal(of_board(board, Question()), of_board(board, Question(features=("R1",))))


def test_meeples_are_visible_on_the_plain_board() -> None:
    board = parse_notation("B0 red^0,0=M")
    (meeple,), placement = board.meeples, board.tiles[0, 0]
    assert placement is not None
    assert meeple.segment is not None
    picture = of_board(board, Question(lines=True))
    at = project_points(find_segment_middle(placement, meeple.segment), draw_plain_board(board)[1][0, 0])[0]
    assert near(picture, at, 2, get_player_rgb("red"))


@pytest.mark.parametrize("seed", range(2))
def test_labels_do_not_cover_meeples(seed: int) -> None:
    """For every selection: each feature with meeples by itself, each player, everything."""
    board = dealt(seed, tiles=20)
    quads = draw_plain_board(board)[1]
    features = build_feature_map(board)
    occupied = [feature.id for feature in features if feature.pieces]
    questions = [Question(), Question(players=board.players), *(Question(features=(name,)) for name in occupied)]
    for question in questions:
        picture = of_board(board, question)
        for meeple in board.meeples:
            placement = board.tiles[meeple.square]
            assert placement is not None
            assert meeple.segment is not None
            at = project_points(find_segment_middle(placement, meeple.segment), quads[meeple.square])[0]
            assert near(picture, at, 2, get_player_rgb(meeple.colour)), (question, meeple)


def test_middles_lie_inside_their_segments() -> None:
    board = dealt(9, tiles=72)
    for feature in build_feature_map(board):
        for placement, (_, index) in zip(feature.placements, feature.members, strict=True):
            point = find_segment_middle(placement, index)
            assert (point >= 0).all()
            assert (point <= 1).all()


@pytest.fixture
def photo_and_report(tmp_path: Path) -> tuple[Path, Path]:
    """Return a photo on disk and its report beside it."""
    photo, report = tmp_path / "table.png", tmp_path / "report.json"
    cv2.imwrite(str(photo), np.full((HEIGHT, WIDTH, 3), 120, np.uint8))
    report.write_text(build_report(Photo.from_path(photo), reading_of(dealt(5))).to_json())
    return photo, report


def test_squares_are_numbered_at_their_place_on_the_photo(photo_and_report: tuple[Path, Path]) -> None:
    board, (_, report) = dealt(5), photo_and_report
    source = read_source(str(report), None, None, no_photo)
    assert source.photo is not None
    city = max((f for f in build_feature_map(board) if f.kind == "city"), key=lambda f: f.size)
    picture = drawn(source, Question(features=(city.id,)))
    assert picture.shape[1] == WIDTH
    for square in {square for square, _ in city.members}:
        quad = seen(UNIT + np.array(square[::-1]), homography(board))
        (left, top), (right, bottom) = np.round(quad.min(axis=0)).astype(int), np.round(quad.max(axis=0)).astype(int)
        patch = picture[top:bottom, left:right].astype(int)
        assert (np.abs(patch - np.array(PALETTE[0])).max(axis=2) < 12).any()
    assert (np.abs(picture[5, 5].astype(int) - 96) < 3).all()


def test_another_photo_is_refused_and_a_moved_one_is_found_by_path(
    photo_and_report: tuple[Path, Path], tmp_path: Path
) -> None:
    photo, report = photo_and_report
    moved, other = tmp_path / "elsewhere" / "moved.png", tmp_path / "elsewhere" / "table.png"
    moved.parent.mkdir()
    photo.rename(moved)
    cv2.imwrite(str(other), np.full((HEIGHT, WIDTH, 3), 121, np.uint8))
    assert read_source(str(report), None, None, no_photo).photo is None
    assert read_source(str(report), None, moved, no_photo).photo is not None
    with pytest.raises(QuestionError) as caught:
        read_source(str(report), None, other, no_photo)
    assert caught.value.code == "wrong_photo"
    with pytest.raises(PhotoError):
        read_source(str(report), None, tmp_path / "none.png", no_photo)


@pytest.mark.parametrize("name", ["told.png", "told.jpg"])
def test_the_command_writes_the_picture(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / name
    status, out, err = run(capsys, "explain", format_notation(dealt(4)), "--picture", str(path), "--lines")
    assert (status, err) == (0, "")
    assert f"picture: {path}" in out.replace("\n", "")
    assert cv2.imread(str(path)) is not None


def test_a_dispute_is_cut_close_and_large_enough_to_print() -> None:
    """The crop has only the road and its surroundings; open ends and the words in the page's language below."""
    board = parse_notation("U0U0A1-3/-3U0 red^0,0=rE")
    reading = reading_of(board)
    photo = grey_photo()
    report = build_report(photo, reading)
    source = Source(board, report, TODAY, photo)
    explanation, answer = build_explanation(source, Question(("R1",)), "de")
    close = draw_explanation(source, answer, explanation, "de", close=True)
    assert close.shape[1] >= 1200
    red_bars = (np.abs(close.astype(int) - np.array((255, 90, 77))).max(axis=2) < 4).sum()
    assert red_bars > 40


def test_the_colour_replaces_a_name_with_letters_that_the_font_lacks() -> None:
    """The picture equals that of a report without the name; no boxes stand for letters."""
    photo = grey_photo()
    report = build_report(photo, reading_of(parse_notation("U0U0A1 red^0,0=rE")))
    pictures = []
    for name in (None, "\u674e\u96f7", "Ann"):
        report.names = {} if name is None else {"red": name}
        pictures.append(find_game_of(report).draw_explanation(photo, report, Question(("R1",)), "en"))
    assert np.array_equal(pictures[0], pictures[1])
    assert pictures[0].shape != pictures[2].shape or not np.array_equal(pictures[0], pictures[2])


def test_rows_and_columns_are_numbered_in_the_language() -> None:
    board = parse_notation("D0U1")
    source = Source(board, build_board_report(board), TODAY)
    pictures = []
    for language in LANGUAGES:
        explanation, answer = build_explanation(source, Question(players=()), language)
        quads_high = draw_plain_board(board)[0].shape[0]
        pictures.append(draw_explanation(source, answer, explanation, language)[:quads_high])
    assert not np.array_equal(pictures[0], pictures[1])
    assert not np.array_equal(pictures[1], pictures[2])


def test_a_city_that_does_not_count_for_a_farm_is_grey() -> None:
    board = parse_notation("E0 red_0,0=fWL")
    picture = of_board(board, Question(places=(("field", (0, 0)),)))
    assert (np.abs(picture.astype(int) - np.array((110, 110, 110))).max(axis=2) < 4).any()


GOLD = (255, 216, 74)


@pytest.mark.parametrize(("name", "at"), [("terracotta-army", (0.3, 0.5)), ("circus-maximus", None)])
def test_all_that_a_wonder_pays_for_is_marked(name: str, at: tuple[float, float] | None) -> None:
    """A line of gold crosses the row that counts, far from the wonder, and a ring is around the knight."""
    board = together([laid("U0U0U0U0U0U0U0U0"), laid("@5,0 E2 yellow^5,0=cS", (wonder(name, (6, 0)), "red"))])
    photo = grey_photo()
    source = Source(board, build_report(photo, reading_of(board)), TODAY, photo)
    asked = drawn(source, Question((load_words("en").name("wonder", f"WH/{name}"),)))
    quads = {(t.row, t.col): np.array(t.corners_px) for t in source.report.board.tiles}
    if at is None:
        (knight,) = [m for m in source.report.board.meeples if m.colour == "yellow"]
        assert knight.foot_px is not None
        side = np.linalg.norm(quads[5, 0][1] - quads[5, 0][0])
        points = [np.array(knight.foot_px) - (0.3 * side, 0)]
    else:
        points = [project_points(np.array(at), quads[0, col])[0] for col in range(8)]
    assert all(near(asked, point, 4, GOLD) for point in points)
    other = drawn(source, Question((next(f.id for f in build_feature_map(board) if f.kind == "city"),)))
    assert not any(near(other, point, 4, GOLD) for point in points)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_font_has_the_letters_of_every_language(language: str) -> None:
    with TTFont(find_font_file("Semibold")) as font:
        letters = {chr(code) for code in font.getBestCmap()}
    words = load_words(language)
    sentence = words.say("explain-counts", player="x", strength=1, pieces="1 × " + words.name("piece", "big"), big=1)
    assert set(sentence) <= letters
