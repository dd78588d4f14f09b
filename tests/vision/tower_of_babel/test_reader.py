"""A table drawn by the project, photographed and read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from datasets.tower_of_babel.art import get_art
from datasets.tower_of_babel.board import draw_board
from datasets.tower_of_babel.deal import Deal, deal_game
from datasets.tower_of_babel.plan import format_components, list_track_middles
from datasets.tower_of_babel.shots import Manner, shoot
from datasets.tower_of_babel.staging import stage_table
from scoring.confidence import CONFIDENCE_SURE
from scoring.spots.components import ComponentsError
from scoring.tower_of_babel.board import WONDERS
from scoring.tower_of_babel.game import GAME
from tests.vision.tower_of_babel.papyrus import MANNER, draw_papyrus, enrol, enrol_papyrus, photograph_papyrus
from vision.arrays import Floats, Image
from vision.enrolment.games import GameEnrolment
from vision.errors import EnrolmentError, ReadingError
from vision.flat_boards.reading import SpotReading, TableReading
from vision.photo.decoding import Photo
from vision.tower_of_babel.pieces import _compute_space_odds, find_hidden_spaces
from vision.tower_of_babel.reader import BabelReader, build_reader
from vision.tower_of_babel.view import build_board_view


@dataclass(frozen=True)
class Table:
    deal: Deal
    photo: Photo
    reading: TableReading


def photo_of(image: Image) -> Photo:
    return Photo.from_bytes(np.asarray(cv2.imencode(".jpg", image)[1]).tobytes(), "table.jpg")


@pytest.fixture(scope="module")
def babel() -> BabelReader:
    return build_reader(enrol_papyrus())


@pytest.fixture(scope="module")
def table(babel: BabelReader) -> Table:
    deal, image = photograph_papyrus()
    photo = photo_of(image)
    return Table(deal, photo, babel.read([photo]))


def test_everything_on_the_table_is_read(table: Table) -> None:
    truth = {k: v for k, v in table.deal.laid().items() if not k.startswith(("held", "cards", "two-coloured"))}
    assert {spot.id: spot.value for spot in table.reading.spots} == truth
    assert table.reading.players == table.deal.players


def test_the_reading_scores_like_the_true_table(table: Table) -> None:
    components = GAME.components(format_components())
    typed = {k: v for k, v in table.deal.laid().items() if k.startswith(("held", "cards", "two-coloured"))}
    read = {spot.id: spot.value for spot in table.reading.spots}
    score, truth = (GAME.score(components, table.deal.players, values) for values in (read | typed, table.deal.laid()))
    assert score.totals == truth.totals
    assert score.on_track == truth.on_track


def test_probabilities_are_valid_and_outlines_lie_in_the_photo(table: Table) -> None:
    for spot in table.reading.spots:
        chances = [spot.confidence, *(chance for _, chance in spot.alternatives)]
        assert chances == sorted(chances, reverse=True)
        assert 0 < sum(chances) < 1.03
        assert ((spot.outline_px > 0) & (spot.outline_px < (table.photo.width, table.photo.height))).all()


def area_of(table: Table, wonder: str) -> Floats:
    """Return the outline of a wonder's parts in the photo."""
    return next(spot.outline_px for spot in table.reading.spots if spot.id.startswith(f"parts.{wonder}"))


def cover(image: Image, outline: Floats) -> Image:
    """Return a photo with white on an area."""
    return np.asarray(cv2.fillPoly(np.array(image), [np.rint(outline).astype(np.int32)], (255, 255, 255)), np.uint8)


def shine(image: Image, outline: Floats) -> Image:
    """Return a photo with a soft reflection about an area's centre."""
    light = np.zeros(image.shape[:2], np.float32)
    cv2.circle(light, [round(float(v)) for v in outline.mean(axis=0)], round(0.05 * image.shape[1]), 80.0, -1)
    soft = np.asarray(cv2.GaussianBlur(light, (0, 0), 0.03 * image.shape[1]))
    return np.asarray(np.clip(image + soft[..., None], 0, 255), np.uint8)


GLARED, HIDDEN, SOFT = "babel", "giza", "artemis"
"""In one photo: a wonder all under glare, one with its middle hidden, and the fullest under a soft reflection."""


@pytest.fixture(scope="module")
def spoilt(babel: BabelReader, table: Table) -> Mapping[str, SpotReading]:
    """Return the reading of a photo in which three wonders are hardly visible."""
    image = shine(table.photo.halves.whole, area_of(table, SOFT))
    area = area_of(table, HIDDEN)
    image = cover(image, area.mean(axis=0) + 0.5 * (area - area.mean(axis=0)))
    return {spot.id: spot for spot in babel.read([photo_of(cover(image, area_of(table, GLARED)))]).spots}


@pytest.mark.soak
def test_parts_under_glare_are_unknown_but_discs_beside_it_are_read(
    spoilt: Mapping[str, SpotReading], table: Table
) -> None:
    assert table.deal.parts[GLARED]
    assert not [name for name in spoilt if name.startswith(f"parts.{GLARED}")]
    doubted = (f"parts.{HIDDEN}", f"parts.{SOFT}")
    assert {name: spot.value for name, spot in spoilt.items() if not name.startswith(doubted)} == {
        spot.id: spot.value for spot in table.reading.spots if not spot.id.startswith((f"parts.{GLARED}", *doubted))
    }


@pytest.mark.soak
def test_parts_under_a_soft_reflection_are_read_or_doubted(spoilt: Mapping[str, SpotReading], table: Table) -> None:
    assert max(table.deal.parts, key=lambda wonder: sum(map(len, table.deal.parts[wonder].values()))) == SOFT
    there = [spot for spot in table.reading.spots if spot.id.startswith(f"parts.{SOFT}")]
    assert {name for name in spoilt if name.startswith(f"parts.{SOFT}")} == {spot.id for spot in there}
    wrong = [spot.id for spot in there if spoilt[spot.id].value != spot.value]
    assert all(spoilt[name].confidence < CONFIDENCE_SURE for name in wrong)
    assert len(wrong) <= 2


@pytest.mark.soak
def test_a_possible_part_in_an_unseen_area_is_a_doubt(spoilt: Mapping[str, SpotReading], table: Table) -> None:
    assert len(table.deal.discs[HIDDEN]) in (1, 2)
    part_spots = [spot for name, spot in spoilt.items() if name.startswith(f"parts.{HIDDEN}")]
    assert part_spots
    assert any(spot.confidence < CONFIDENCE_SURE for spot in part_spots)


def test_an_uncertain_counter_is_a_doubt(babel: BabelReader, table: Table) -> None:
    middles = babel.layout.track.middles
    sure, unsure, two = (
        babel._build_reading("track.red", "track", _compute_space_odds(counters, middles), np.zeros((4, 2)))
        for counters in ([(middles[7], 0.999)], [(middles[7], 0.5)], [(middles[7], 0.999), (middles[40], 0.999)])
    )
    assert sure.value == unsure.value == 7
    assert sure.confidence > CONFIDENCE_SURE
    assert unsure.confidence < 0.6
    assert {two.value, two.alternatives[0][0]} == {7, 40}
    assert two.confidence < 0.6


def read_table(art: str, seed: int, number: int) -> Table:
    """Return the reading of a table drawn by `python -m datasets.tower_of_babel --art ART --seed SEED`."""
    rng = np.random.default_rng((seed, 0))
    board = draw_board(get_art(art, rng), rng)
    reader = build_reader(enrol(board, seed))
    rng = np.random.default_rng((seed, 2, number))
    deal = deal_game(rng, len(list_track_middles()) - 1)
    staged = stage_table(deal, rng)
    tabletop = str(rng.choice(["wood", "cloth", "planks", "granite", "stripes"]))
    photo = photo_of(shoot(board, staged, tabletop, Manner(), rng).image)
    return Table(deal, photo, reader.read([photo]))


@pytest.fixture(scope="module")
def shining() -> Table:
    """Return a dark board on which a lamp makes black roofs grey."""
    return read_table("dusk", 8114, 2)


@pytest.mark.soak
def test_shiny_parts_are_not_taken_for_glare(shining: Table) -> None:
    truth, read = shining.deal.laid(), {spot.id: spot.value for spot in shining.reading.spots}
    black = [f"parts.{wonder}.black.{worth}" for wonder in WONDERS for worth in (1, 3)]
    assert sum(int(truth[spot]) for spot in black) >= 3
    assert {spot: read[spot] for spot in black} == {spot: truth[spot] for spot in black}


@pytest.mark.soak
def test_a_half_hidden_part_is_read_or_asked_about() -> None:
    """A black part in the light, half hidden by a yellow one, on a board of dark rays."""
    (spot,) = [s for s in read_table("random", 9704, 2).reading.spots if s.id == "parts.lighthouse.black.1"]
    assert {1: spot.confidence if spot.value == 1 else 0.0, **dict(spot.alternatives)}[1] > 1 - CONFIDENCE_SURE


@pytest.mark.soak
def test_two_separately_lit_small_parts_are_not_read_as_a_large_one() -> None:
    """Black parts whose joint outline nearly equals that of a large one."""
    table = read_table("random", 9917, 1)
    read = {spot.id: spot.value for spot in table.reading.spots}
    assert (read["parts.giza.black.1"], read["parts.giza.black.3"]) == (2, 0)


@pytest.mark.soak
def test_a_counter_beneath_another_is_asked_about(babel: BabelReader) -> None:
    """Red's hides green's; three others share a space too."""
    rng = np.random.default_rng(44)
    deal = deal_game(rng, len(list_track_middles()) - 1)
    deal = replace(deal, track={**deal.track, "black": deal.track["blue"]})
    assert deal.track == {"red": 23, "green": 23, "yellow": 12, "blue": 12, "black": 12}
    shot = shoot(draw_papyrus(), stage_table(deal, rng), "wood", MANNER, rng)
    spots = {spot.id: spot for spot in babel.read([photo_of(shot.image)]).spots}
    assert all(spots[f"track.{player}"].value == deal.track[player] for player in deal.track if player != "green")
    green = spots["track.green"]
    assert green.confidence < CONFIDENCE_SURE
    assert {green.value, green.alternatives[0][0]} == {12, 23}


def test_a_missing_counter_is_on_no_visible_space(babel: BabelReader, table: Table) -> None:
    """Nothing indicates its place unless something hides a space, or an unknown object stands there."""
    view = build_board_view(table.photo.halves, babel._finder.find(table.photo.halves), babel.board)
    plain = replace(babel.find_paints(table.photo), board=np.zeros(view.board.shape, np.float32))
    there, nowhere = np.zeros((2, *view.board.shape), bool)
    assert find_hidden_spaces(view, plain, babel.layout, nowhere) == {}
    x, y = np.rint(view.pixels(babel.layout.track.middles[20])).astype(int)
    there[y - 60 : y + 60, x - 60 : x + 60] = True
    strange = replace(plain, board=np.where(there, 5.0, 0.0).astype(np.float32))
    for chances in (
        find_hidden_spaces(view, plain, babel.layout, there),
        find_hidden_spaces(view, strange, babel.layout, nowhere),
    ):
        assert sum(chances.values()) == pytest.approx(1)
        assert max(chances, key=lambda space: chances[space]) in (19, 20, 21)
        assert chances[20] > 10 * chances[50] > 0
        assert chances[20] < 0.6


def test_a_photo_without_the_board_is_refused_as_unlike(babel: BabelReader) -> None:
    rng = np.random.default_rng(1)
    photo = photo_of(rng.integers(0, 255, (300, 400, 3), np.uint8))
    assert babel.likeness(photo) == 0
    with pytest.raises(ReadingError) as caught:
        babel.read([photo])
    assert caught.value.code == "board_not_found"


def test_a_photo_without_the_board_among_several_is_set_aside(babel: BabelReader, table: Table) -> None:
    other = photo_of(np.full((300, 400, 3), 90, np.uint8))
    lies, aside = babel._find_lies([other, table.photo])
    assert list(lies) == [1]
    assert aside == [(other, "board_not_found")]


@pytest.mark.soak
def test_wonders_that_one_photo_hides_are_read_from_another(babel: BabelReader, table: Table) -> None:
    photos = [photo_of(cover(table.photo.halves.whole, area_of(table, wonder))) for wonder in ("giza", "babel")]
    wonders = {wonder: babel.layout.wonders[wonder] for wonder in ("giza", "babel")}
    few = BabelReader(babel.board, babel.layout.model_copy(update={"wonders": wonders}), babel.discs)
    reading = few.read(photos)
    others = {wonder for wonder in WONDERS if wonder not in wonders}
    told = {spot.id: spot.value for spot in reading.spots if spot.id != "row"}  # all discs determine the row
    assert told == {
        spot.id: spot.value
        for spot in table.reading.spots
        if spot.id != "row" and others.isdisjoint(spot.id.split("."))
    }
    assert reading.aside == ()
    photo_numbers = {
        wonder: {s.photo for s in reading.spots if s.id.startswith(f"parts.{wonder}")} for wonder in wonders
    }
    assert all(len(numbers) == 1 for numbers in photo_numbers.values())
    assert reading.photos[photo_numbers["giza"].pop()] is photos[1]
    assert reading.photos[photo_numbers["babel"].pop()] is photos[0]


def test_a_reader_needs_a_picture_and_a_layout() -> None:
    with pytest.raises(EnrolmentError) as caught:
        build_reader(GameEnrolment("tower-of-babel", format_components()))
    assert caught.value.code == "nothing_to_enrol"
    text = "[pictures.board]\nsize_mm = [560, 400]"
    with pytest.raises(ComponentsError):
        build_reader(GameEnrolment("tower-of-babel", text, {"board": draw_papyrus()}))
