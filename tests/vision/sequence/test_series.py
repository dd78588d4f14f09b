"""A game followed by its photos: upside-down pieces are evidence for doubtful wonders, and alternatives are kept."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache, reduce
from random import Random
from typing import NamedTuple

import cv2
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from api.carcassonne.report.moves import MoveOptions, build_moves
from datasets.art.style import STYLES
from datasets.render.shots import Manner, shoot
from datasets.scene.score_boards import Sheets
from datasets.scene.varied_wonders import vary_wonder
from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder, Placement
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.tiles.geometry import SIDES, Square
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.connected_squares import group_connected_squares, list_neighbours
from tests.api.tables_read import grey_photo, reading_of
from tests.drawn_boards import draw_art
from tests.readers import reader
from tests.vision.surveys import CATALOGUE, survey_of
from vision.arrays import Image
from vision.errors import ReadingError
from vision.geometry.lattice_transform import Step
from vision.localise.search import paint_over_squares
from vision.photo.decoding import Photo
from vision.reading.values import WonderReading
from vision.sequence.followed import Followed, Sights
from vision.sequence.timeline import Timeline
from vision.squares.classifier import TileLogits
from vision.survey.survey import Survey

SEED, CLEAR_SEED, WONDER = 9, 35, "WH/alhambra"
"""Boards with a wonder, in small photos; the first leaves it in doubt whether there is another."""


class Laid(NamedTuple):
    """A board, and its squares in an order in which they may have been laid."""

    board: Board
    order: list[Square]

    def take(self, count: int, extra: Mapping[Square, Placement | None] | None = None) -> Board:
        """Return the first tiles, and further ones."""
        return Board({**{at: self.board.tiles[at] for at in self.order[:count]}, **(extra or {})})


@cache
def lay(seed: int) -> Laid:
    board, rng = deal_random_board(Random(seed), tiles=40), Random(seed)
    order = [rng.choice([*board.tiles])]
    while len(order) < len(board.tiles):
        near = {at for square in order for at in list_neighbours(square)} & board.tiles.keys() - {*order}
        order.append(rng.choice(sorted(near)))
    return Laid(Board(board.tiles), order)


LAID = lay(5)
BARE = 6
"""Number of bare squares in the lattice of a photo: those of the next tiles."""
TURNED = [Step(1, 4, -7), Step(), Step(3, 0, 2), Step(2, -1, 5)]


@cache
def deal(seed: int) -> Board:
    """Return a board with a wonder that red has marked."""
    board = deal_random_board(Random(seed), 12, 2, wonders=[load_wonder_catalogue()[WONDER]])
    (placed,) = board.wonders
    cell, segment = placed.layout.marked
    return replace(board, meeples=(PlacedMeeple("red", placed.squares[cell], segment, "upside_down"),))


def survey(board: Board, seed: int) -> Survey:
    manner = Manner((420, 315), elevation=(60, 80), free=(0.25, 0.35), strength=1.0)
    image = shoot(board, draw_art(board), "wood", manner, np.random.default_rng(seed)).image
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 70])[1].tobytes()
    return reader().survey(Photo.from_bytes(data))


def weigh(wonders: tuple[WonderReading, ...]) -> dict[str, float]:
    return {wonder.placed.layout.id: wonder.probability for wonder in wonders}


def follow(surveys: Sequence[Survey], colours: Collection[str] = ()) -> Followed:
    series = reader().begin_series()
    for one in surveys:
        series.add(one)
    return series.follow(colours)


@cache
def follow_doubted() -> Followed:
    """Follow a single photo of the board, one of whose tiles lies on a square that the localiser left out."""
    return follow([survey(deal(SEED), SEED)])


def test_an_upside_down_piece_settles_a_doubtful_wonder() -> None:
    seed = CLEAR_SEED
    board_tiles = reader().joiner.board_tiles
    timeline = Timeline.begin(survey(deal(seed), seed), board_tiles.catalogue)
    _, before = board_tiles.read(tuple(timeline.since), timeline.logits, timeline.placed[-1:])
    assert before.doubtful
    assert weigh(before.read).keys() == {WONDER}
    followed = follow([survey(deal(seed), seed)])
    assert followed.possible_wonders == ()
    assert [placed.layout.id for placed in followed.boards[-1].wonders] == [WONDER]


def test_an_unknown_tile_is_played_by_its_edges() -> None:
    """Its edges are clear, as those of its neighbours are; what they join stays open."""
    photo = survey(deal(CLEAR_SEED), CLEAR_SEED)
    (placed,) = Timeline.begin(photo, reader().joiner.board_tiles.catalogue).placed
    known = follow([photo])
    square = next(tile.square for tile in known.tiles if tile.cell is None and not tile.doubtful)
    layouts = photo.logits.layouts.copy()
    layouts[placed.index[square]] = [*np.full(layouts.shape[1] - 2, np.log(1e-6)), 0.0, np.log(1e-6)]
    game = follow([replace(photo, logits=replace(photo.logits, layouts=layouts))])
    assert next(tile.doubtful for tile in game.tiles if tile.square == square)
    was, now = known.boards[-1].tiles[square], game.boards[-1].tiles[square]
    assert was is not None
    assert now is not None
    assert [was.edge(side) for side in SIDES] == [now.edge(side) for side in SIDES]


def test_stated_boxes_of_one_game_hold_for_no_other() -> None:
    before = dict(reader().board_tiles.stated)
    reader().begin_series({"base": 2})
    reader().join([draw(20)], {"base": 2})
    assert reader().board_tiles.stated == before != {"base": 2}


def take_a_tile(board: Board) -> Board:
    """The board without a tile that it does not fall apart without, the wonder left."""
    (wonder,) = board.wonders
    last = next(
        square
        for square in board.tiles
        if square not in wonder.squares and len(list(group_connected_squares(board.tiles.keys() - {square}))) == 1
    )
    return replace(board, tiles={square: tile for square, tile in board.tiles.items() if square != last})


def test_a_photo_of_too_large_a_board_is_set_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    last = deal(SEED)
    before = take_a_tile(last)
    surveys = [survey(board, SEED) for board in (take_a_tile(before), before, last)]
    monkeypatch.setattr("vision.squares.board_size.MAX_BOARD_SQUARES", len(before.tiles))
    game = follow(surveys)
    assert [len(board.tiles) for board in game.boards] == [len(before.tiles) - 1, len(before.tiles)]
    ((photo, error),) = game.set_aside
    assert (photo.file, error.code) == (surveys[2].photo.file, "board_too_large")


def test_moves_report_a_possible_wonder() -> None:
    after = deal(SEED)
    before = take_a_tile(after)
    game = follow([survey(before, SEED), survey(after, SEED)], ("blue", "red"))
    options = MoveOptions(TODAY, ("blue", "red"))
    assert "possible_wonder" not in {problem.code for problem in build_moves(game, options).open}
    doubted = replace(game, possible_wonders=follow_doubted().possible_wonders)
    moves = build_moves(doubted, options)
    told = [problem for problem in moves.open if problem.code == "possible_wonder"]
    assert [problem.tiles for problem in told] == [list(one.placed.squares) for one in doubted.possible_wonders]
    assert all("may lie here (" in problem.text and "row " in problem.text for problem in told)
    assert not moves.settled
    assert len(moves.views) == len(moves.photos)
    middles = np.array([(col + 0.5, row + 0.5, 1) for row, col in game.boards[0].tiles])
    for view in moves.views:
        homogeneous = middles @ np.reshape(view, (3, 3)).T
        at = homogeneous[:, :2] / homogeneous[:, 2:]
        assert ((at > 0) & (at < (420, 315))).all()
        assert np.ptp(at, axis=0).max() > 100


def grown(*counts: int, of: Laid = LAID, hidden: Collection[Square] = ()) -> list[Survey]:
    """Return photos of the first tiles, such a number each, every one in a lattice of its own."""
    return [
        survey_of(
            of.board,
            TURNED[n % 4],
            only=of.order[:count],
            bare=of.order[count : count + BARE],
            hidden=hidden,
            seed=n,
            name=f"{n}.jpg",
        )
        for n, count in enumerate(counts)
    ]


def add(timeline: Timeline, survey: Survey) -> Timeline:
    alignment = timeline.align(survey)
    assert alignment.is_sure
    return timeline.add(survey, alignment.step, len(timeline.placed))


def build(surveys: list[Survey]) -> Timeline:
    first, *others = surveys
    return reduce(add, others, Timeline.begin(first, CATALOGUE))


def found(timeline: Timeline, step: Step = TURNED[0]) -> dict[Square, int]:
    """Return the photo that shows each tile first, by the board's own squares; `step` leads to the first lattice."""
    return {step.inverse().square(square): since for square, since in timeline.since.items()}


def list_files(timeline: Timeline) -> list[str]:
    return [view.survey.photo.file for view in timeline.placed]


def date(counts: list[int], of: Laid = LAID) -> dict[Square, int]:
    """Return the photo that shows each tile first if the photos show so many tiles."""
    laid = of.order[: counts[-1]]
    return {square: next(n for n, count in enumerate(counts) if i < count) for i, square in enumerate(laid)}


COUNTS = st.lists(st.integers(10, 40), min_size=4, max_size=6, unique=True).map(sorted)
SEEDS = st.integers(0, 1000)


@settings(max_examples=5, deadline=None)
@given(SEEDS, COUNTS)
def test_each_tile_is_dated_by_the_first_photo_that_shows_it(seed: int, counts: list[int]) -> None:
    laid = lay(seed)
    timeline = build(grown(*counts, of=laid))
    assert found(timeline) == date(counts, laid)
    assert not timeline.moved


@settings(max_examples=5, deadline=None)
@given(SEEDS, COUNTS, st.integers(1, 2))
def test_swapped_photos_are_put_where_they_belong(seed: int, counts: list[int], late: int) -> None:
    laid = lay(seed)
    surveys = grown(*counts, of=laid)
    timeline = build([*surveys[:late], surveys[late + 1], surveys[late], *surveys[late + 2 :]])
    assert list_files(timeline) == [survey.photo.file for survey in surveys]
    assert found(timeline) == date(counts, laid)
    assert timeline.moved in ((late,), (late + 1,))


@pytest.mark.parametrize("touches", [False, True])
def test_a_tile_beside_the_board_keeps_no_photo_out_of_place(touches: bool) -> None:
    """The early one of two swapped photos alone shows a tile: of the stack, or on the cloth beside the board."""
    top = min(row for row, _ in LAID.order) - 4
    beside = next(near for at in LAID.order for near in list_neighbours(at) if near not in LAID.board.tiles)
    extra = beside if touches else (top, 0)
    board = Board({**LAID.board.tiles, extra: LAID.board.tiles[LAID.order[0]]})
    tiles = LAID.order
    shown = [tiles[:20], [*tiles[:21], extra], tiles[:22], tiles[:23], tiles[:24]]
    bare = [{*tiles[20:26], extra} - {*there} for there in shown]
    first, early, late, *others = (
        survey_of(board, TURNED[n % 4], only=there, bare=bare[n], seed=n, name=f"{n}.jpg")
        for n, there in enumerate(shown)
    )
    assert list_files(build([first, late, early, *others])) == ["0.jpg", "1.jpg", "2.jpg", "3.jpg", "4.jpg"]


@pytest.mark.parametrize(("more", "is_unsure"), [([], True), ([LAID.order[23]], False)])
def test_a_photo_that_lacks_the_latest_tile_and_brings_none_may_be_earlier(more: list[Square], is_unsure: bool) -> None:
    """Nothing shows whether a hand hides the tile."""
    surveys = grown(20, 23)
    tiles, latest = [*LAID.order[:22], *more], LAID.order[22]
    timeline = build([*surveys, survey_of(LAID.board, only=tiles, hidden=[latest], seed=2, name="2.jpg")])
    assert not timeline.moved
    assert timeline.unsure == ({TURNED[0].square(latest)} if is_unsure else set())


def test_a_photo_that_comes_too_early_is_the_only_one_moved() -> None:
    first, *others, last = grown(10, 15, 20, 30, 40)
    timeline = build([first, last, *others])
    assert list_files(timeline) == ["0.jpg", "1.jpg", "2.jpg", "3.jpg", "4.jpg"]
    assert timeline.moved == (4,)


@settings(max_examples=5, deadline=None)
@given(SEEDS, COUNTS, st.integers(1, 3))
def test_a_photo_of_half_the_board_is_set_aside(seed: int, counts: list[int], at: int) -> None:
    laid = lay(seed)
    surveys, there = grown(*counts, of=laid), sorted(laid.order[: counts[at - 1]])
    middle = len(there) // 2
    # With fewer of its tiles hidden, the photo may as well be older than the first one.
    assume(len({*laid.order[: counts[0]]} & {*there[middle:]}) > 3)
    half = survey_of(laid.board, only=there[:middle], hidden=there[middle:], seed=50, name="half.jpg")
    timeline = build(surveys[:at])
    alignment = timeline.align(half)
    if alignment.is_sure:
        with pytest.raises(ReadingError) as caught:
            timeline.add(half, alignment.step, at)
        assert caught.value.code == "photos_out_of_order"
        assert caught.value.details["later"] == "half.jpg"


def test_a_last_photo_that_hides_a_quarter_of_the_board_is_set_aside() -> None:
    """A sleeve lies over 8 of 30 tiles; later photos, if any, do not matter."""
    timeline = build(grown(20, 30))
    covered = sorted(LAID.order[:20])[:8]
    visible = [square for square in LAID.order[:30] if square not in covered]
    last = survey_of(LAID.board, TURNED[2], only=visible, hidden=covered, seed=2, name="last.jpg")
    with pytest.raises(ReadingError) as caught:
        add(timeline, last)
    assert (caught.value.code, caught.value.details["tiles"]) == ("photos_out_of_order", 8)


@settings(max_examples=5, deadline=None)
@given(SEEDS, COUNTS, st.integers(1, 4))
def test_tiles_that_a_hand_covers_once_stay(seed: int, counts: list[int], many: int) -> None:
    laid = lay(seed)
    surveys, there = grown(*counts, of=laid), laid.order[: counts[1]]
    covered = Random(seed).sample(laid.order[: counts[0]], min(many, counts[0] // 4))
    visible = [at for at in there if at not in covered]
    surveys[1] = survey_of(laid.board, TURNED[1], only=visible, hidden=covered, seed=1, name="1.jpg")
    timeline = build(surveys)
    assert list_files(timeline) == [survey.photo.file for survey in surveys]
    assert found(timeline) == date(counts, laid)


def test_a_tile_is_joined_once_the_photos_that_identify_it_are_there() -> None:
    *surveys, last = grown(*range(20, 31))
    before = build(surveys)
    after, anew = add(before, last), add(replace(before, joined={}), last)
    assert [number for number in after.joined if after.joined[number] is before.joined.get(number)] == [0, 1, 2]
    assert np.array_equal(after.logits.layouts, anew.logits.layouts)
    assert np.array_equal(after.logits.edges, anew.logits.edges)


def test_a_game_is_followed_from_its_start_tile() -> None:
    whole = parse_notation("W3-/D3F1/-R3")
    boards = [parse_notation(text) for text in ("D3", "D3F1", "D3F1/-R3")]
    series, manner = reader().begin_series(), Manner((600, 450), elevation=(70, 85), free=(0.4, 0.5), strength=0.3)
    for number, board in enumerate([*boards, whole]):
        image = shoot(board, draw_art(whole), "wood", manner, np.random.default_rng(number)).image
        data = cv2.imencode(".jpg", image)[1].tobytes()
        series.add(reader().survey_moment(Photo.from_bytes(data, f"{number}.jpg")))
    game = series.follow()
    assert [len(board.tiles) for board in game.boards] == [1, 2, 3, 4]
    assert not game.set_aside
    assert [*game.boards[0].tiles] == [game.origin]
    assert [any(photo.pixels.strides) for photo in game.photos] == [False, False, False, True]  # the last is kept


@pytest.mark.parametrize(("text", "top", "seed"), [("D3", "granite", 2), ("D3F1", "carpet", 1)])
def test_the_first_tiles_are_found_among_what_resembles_tiles(text: str, top: str, seed: int) -> None:
    board, manner = parse_notation(text), Manner((1600, 1200), elevation=(60, 80), free=(0.955, 0.96), strength=0.3)
    shot = shoot(board, draw_art(parse_notation("D3F1/-R3")), top, manner, np.random.default_rng(seed))
    series = reader().begin_series()
    series.add(reader().survey_moment(Photo.from_bytes(cv2.imencode(".jpg", shot.image)[1].tobytes(), "a.jpg")))
    (found,) = series.follow().boards
    assert sorted(name_tiles(found)) == sorted(name_tiles(board))


def name_tiles(board: Board) -> list[str]:
    return [placement.tile for _, placement in board.known]


def test_pieces_cleared_before_the_last_photo_still_count() -> None:
    board = parse_notation("D3F1/-R3 red^0,0=rN blue^0,1=cN")
    series, manner = reader().begin_series(), Manner((600, 450), elevation=(70, 85), free=(0.3, 0.4), strength=0.3)
    for number, shown in enumerate([board, replace(board, meeples=())]):
        image = shoot(shown, draw_art(board), "wood", manner, np.random.default_rng(number)).image
        data = cv2.imencode(".jpg", image)[1].tobytes()
        series.add(reader().survey_moment(Photo.from_bytes(data, f"{number}.jpg")))
    game = series.follow(("red", "blue"))
    assert game.cleared == 2
    assert sorted(piece.colour for piece in game.boards[-1].meeples) == ["blue", "red"]


def test_boards_of_a_few_tiles_are_aligned() -> None:
    """A camera that stands still decides between tiles that look alike."""
    laid = Laid(parse_notation("D1D1/V0"), [(0, 0), (0, 1), (1, 0)])
    surveys = [
        survey_of(laid.board, only=laid.order[:n], hidden=laid.order, seed=n, name=f"{n}.jpg") for n in (1, 2, 3)
    ]
    assert found(build(surveys), Step()) == {square: n for n, square in enumerate(laid.order)}


@cache
def draw(count: int, covered: bool = False) -> Survey:
    """Survey a drawn photo of the first tiles; half of them may lie under a grey cover."""
    manner = Manner((800, 600), elevation=(75, 85), free=(0.3, 0.35), strength=0.2)
    image = shoot(LAID.take(count), draw_art(LAID.board), "wood", manner, np.random.default_rng(count)).image
    if covered:
        image[:, 400:] = 128
    return reader().survey(Photo.from_bytes(cv2.imencode(".jpg", image)[1].tobytes(), f"{count}.jpg"))


def test_a_photo_much_older_than_the_first_is_put_before_it() -> None:
    game = follow([draw(20), draw(12)])
    assert [len(board.tiles) for board in game.boards] == [12, 20]
    assert not game.set_aside


def blur(survey: Survey) -> Survey:
    """Let each tile be any tile, by half."""
    layouts = survey.logits.layouts
    unclear = np.logaddexp(layouts, -np.log(layouts.shape[1])) - np.log(2)
    return replace(survey, logits=replace(survey.logits, layouts=np.where(layouts[:, -1:] > -1, layouts, unclear)))


def test_a_begun_game_goes_on_with_a_photo_that_alone_is_no_game() -> None:
    """The net is unsure of every tile, as in poor light."""
    begun, unclear = draw(5), blur(draw(6))
    with pytest.raises(ReadingError):
        follow([unclear])
    game = follow([begun, unclear])
    assert [len(board.tiles) for board in game.boards] == [5, 6]


def test_a_photo_without_the_last_tile_is_the_earlier_one() -> None:
    """Its lattice lacks that square, which shows bare table."""
    early = draw(12)
    tiled = [n for n, row in enumerate(early.logits.layouts) if row.argmax() < len(row) - 1]
    game = follow([draw(11), draw(13), select(early, [early.squares[n] for n in tiled])])
    assert [len(board.tiles) for board in game.boards] == [11, 12, 13]


def test_a_photo_of_which_one_tile_was_found_is_read_where_the_last_one_shows_tiles() -> None:
    """The camera stands still, and a look at the whole table found nothing but one tile."""
    whole = draw(12)
    best = whole.squares[int(whole.logits.layouts[:, :-2].max(axis=1).argmax())]
    again = replace(select(whole, [best]), photo=replace(whole.photo, file="again.jpg", sha256="1" * 64))
    game = follow([draw(11), whole, again])
    assert [photo.file for photo in game.photos] == ["11.jpg", "12.jpg", "again.jpg"]
    assert [len(board.tiles) for board in game.boards] == [11, 12, 12]


def select(survey: Survey, squares: Collection[Square]) -> Survey:
    """Return a survey of some of its squares alone."""
    rows = [n for n, square in enumerate(survey.squares) if square in squares]
    logits = TileLogits(survey.logits.layouts[rows], survey.logits.edges[rows])
    return replace(survey, lattice=survey.lattice.select([survey.squares[n] for n in rows]), logits=logits)


def test_a_tile_that_one_photo_overlooks_is_found_there_once_the_next_brings_two() -> None:
    early, catalogue = draw(12), reader().board_tiles.catalogue
    timeline = add(Timeline.begin(draw(11), catalogue), early)
    (latest,) = (square for square, at in timeline.since.items() if at == 1)
    own = timeline.placed[1].step.inverse().square(latest)
    game = follow([draw(11), select(early, {*early.squares} - {own}), draw(13)])
    assert [len(board.tiles) for board in game.boards] == [11, 12, 13]


def test_another_tile_seen_on_a_square_is_not_the_one_that_lies_there_later() -> None:
    """The pattern of a cloth was read as some tile."""
    square = LAID.order[20]
    other = next(tile for tile in LAID.board.tiles.values() if tile and LAID.board.tiles[square] != tile)
    first = survey_of(LAID.take(20, {square: other}), seed=0, name="0.jpg")
    assert found(build([first, *grown(20, 21, 22)[1:]]), Step())[square] == 1


def test_a_covered_photo_is_not_older_than_the_first() -> None:
    game = follow([draw(20), draw(20, covered=True)])
    assert [len(board.tiles) for board in game.boards] == [20]


def test_a_photo_without_a_board_is_read_where_another_shows_tiles() -> None:
    whole, series = draw(12), reader().begin_series()
    best = whole.squares[int(whole.logits.layouts[:, :-2].max(axis=1).argmax())]
    others = [corners for square, corners in whole.lattice.corners.items() if square != best]
    painted = paint_over_squares(whole.photo.halves, np.array(others)).whole
    photos = [picture_photo(picture) for picture in (painted, painted[:, ::-1])]
    with pytest.raises(ReadingError):
        reader().survey_moment(photos[0])
    assert series.look_again(photos[0]) is None
    found, moved = (series.look_again(photo, whole) for photo in photos)
    assert moved is None
    assert found is not None
    assert found.squares == [best]


def picture_photo(picture: Image) -> Photo:
    return Photo.from_bytes(cv2.imencode(".jpg", picture)[1].tobytes())


def test_a_tile_that_comes_and_goes_never_was_one() -> None:
    extra = next(near for at in LAID.order for near in list_neighbours(at) if near not in LAID.board.tiles)
    counts = [20, 30, 35, 38, 40]
    surveys = grown(*counts, hidden=[extra])
    surveys[1] = survey_of(LAID.take(30, {extra: LAID.board.tiles[LAID.order[0]]}), TURNED[1], seed=1, name="1.jpg")
    assert found(build(surveys)) == date(counts)


def test_tiles_apart_from_the_board_are_none() -> None:
    """A hand of tiles lies beside the board."""
    top, counts = min(row for row, _ in LAID.order), [20, 30, 40]
    beside = {(top - 4, col): LAID.board.tiles[LAID.order[0]] for col in range(3)}
    surveys = [survey_of(LAID.take(count, beside), seed=n, name=f"{n}.jpg") for n, count in enumerate(counts)]
    assert found(build(surveys), Step()) == date(counts)


def test_a_piece_on_a_part_of_a_wonder_stays_on_the_copy_that_lies_there() -> None:
    """The first photo shows one square of it, which is taken for that of the usual copy."""
    usual = load_wonder_catalogue()[WONDER]
    copies = (vary_wonder(WONDER, np.random.default_rng(seed)) for seed in range(20))
    copy, cell = next(
        (copy, cell)
        for copy in copies
        for cell in range(5)
        if len(copy.cells[cell].segments) < len(usual.cells[cell].segments)
    )
    placed = PlacedWonder(copy, (0, 0))
    square, segment = placed.squares[cell], len(usual.cells[cell].segments) - 1
    part = Board(
        {square: PlacedWonder(usual, (0, 0)).placements[square]},
        meeples=(PlacedMeeple("red", square, segment, "standing"),),
    )
    whole = replace(reading_of(Board(placed.placements)), wonders=(WonderReading(placed, 1.0),))
    early = replace(reading_of(part), tiles=tuple(tile for tile in whole.tiles if tile.square == square))
    sights = Sights((early, whole), (frozenset({square}), frozenset(placed.squares)), frozenset())
    photos = tuple(replace(grey_photo(), file=file) for file in ("0.jpg", "1.jpg"))
    first, last = sights.trace(Followed(photos, (), whole.tiles, (), frozenset())).boards
    assert first.tiles == {square: placed.placements[square]}
    assert last.tiles == placed.placements


@pytest.mark.parametrize(("row", "square"), [(0.98, (1, 0)), (0.7, (0, 0))])
def test_a_piece_at_the_border_of_a_new_tile_stands_on_it(row: float, square: Square) -> None:
    """The other tile lay bare in the photo before."""
    bare, after = (parse_notation(board) for board in ("L0", "L0/X0"))
    (piece,) = reading_of(parse_notation("L0/X0 blue^0,0=rS")).meeples
    read = [reading_of(bare), replace(reading_of(after), meeples=(replace(piece, at=(0.5, row)),))]
    sights = Sights(tuple(read), (frozenset(bare.tiles), frozenset(after.tiles)), frozenset())
    photos = tuple(replace(grey_photo(), file=file) for file in ("0.jpg", "1.jpg"))
    (meeple,) = next(iter(reversed(sights._stand_pieces(Followed(photos, (), read[-1].tiles, (), frozenset()))[2])))
    assert (meeple.row, meeple.col) == square


def test_photos_of_a_board_that_is_the_same_turned_upside_down_are_joined() -> None:
    boards = [parse_notation(board) for board in ("H1/D1", "D3/H1/D1", "P0D3/-H1/-D1")]
    surveys = [survey_of(board, seed=n, name=f"{n}.jpg") for n, board in enumerate(boards)]
    timeline = build(surveys)
    assert list_files(timeline) == ["0.jpg", "1.jpg", "2.jpg"]
    assert sorted(timeline.since.values()) == [0, 0, 1, 2]
    assert not timeline.moved


def test_a_photo_that_fits_none_before_it_is_joined_once_the_board_has_grown() -> None:
    """In the second photo the tiles of the first one are blurred."""
    first, third = draw(6), draw(40)
    second = blur_tiles_of(first, draw(30))
    assert not Timeline.begin(first, reader().board_tiles.catalogue).align(second).is_sure
    followed = follow([first, second, third])
    assert [photo.file for photo in followed.photos] == ["6.jpg", "30.jpg", "40.jpg"]
    assert not followed.apart
    assert not followed.moved


def test_photos_that_fit_each_other_alone_are_joined_once_the_board_has_grown() -> None:
    """In two photos the tiles of the first two are blurred."""
    second = draw(7)
    followed = follow([draw(6), second, *(blur_tiles_of(second, draw(count)) for count in (30, 32)), draw(40)])
    assert [photo.file for photo in followed.photos] == ["6.jpg", "7.jpg", "30.jpg", "32.jpg", "40.jpg"]
    assert not followed.apart


def test_a_photo_that_shows_no_board_by_itself_is_joined_once_the_board_has_grown() -> None:
    first, unclear = draw(6), blur(blur_tiles_of(draw(6), draw(30)))
    with pytest.raises(ReadingError):
        follow([unclear])
    assert not Timeline.begin(first, reader().board_tiles.catalogue).align(unclear).is_sure
    followed = follow([first, unclear, draw(40)])
    assert [photo.file for photo in followed.photos] == ["6.jpg", "30.jpg", "40.jpg"]
    assert not followed.set_aside


def test_the_last_photo_of_a_game_may_come_first() -> None:
    followed = follow([draw(40), draw(11), draw(12), draw(13)])
    assert [photo.file for photo in followed.photos] == ["11.jpg", "12.jpg", "13.jpg", "40.jpg"]
    assert not followed.set_aside
    assert followed.moved == (3,)


def blur_tiles_of(earlier: Survey, survey: Survey) -> Survey:
    """Let each tile of a kind that an earlier photo shows be nearly any tile."""
    kinds = np.array([name.split("@")[0] for name in reader().classifier.metadata["classes"]])
    shown = {*kinds[earlier.logits.layouts.argmax(axis=1)]} - {"none"}
    layouts = survey.logits.layouts.copy()
    for row in layouts:
        if kinds[row.argmax()] in shown:
            row[:-2] = np.log(0.02 * np.exp(row[:-2]) + 0.98 / len(row[:-2]))
    return replace(survey, logits=replace(survey.logits, layouts=layouts))


def test_a_photo_of_another_table_belongs_to_another_game() -> None:
    other = survey_of(deal_random_board(Random(8), tiles=30), name="other.jpg")
    timeline = build(grown(20, 30))
    assert not timeline.align(other).is_sure
    assert not Timeline.begin(other, CATALOGUE).align(grown(20)[0]).is_sure


def test_a_score_board_beside_the_tiles_is_read_with_each_photo() -> None:
    board, sheets = deal_random_board(Random(3), tiles=14), Sheets(STYLES["meadow"])
    manner = Manner((1600, 1200), (70.0, 85.0), score_board=sheets)
    shot = shoot(board, draw_art(board), "wood", manner, np.random.default_rng(4))
    data = cv2.imencode(".jpg", shot.image)[1].tobytes()
    series = reader().begin_series()
    series.add(reader().survey_moment(Photo.from_bytes(data, "a.jpg")))
    (track,) = series.follow().tracks
    assert track is not None
    spaces = {piece.colour: piece.spaces for piece in track.pieces}
    assert spaces == {piece["colour"]: (piece["space"],) for piece in shot.label["score_board"]["pieces"]}
