"""A table drawn by the project, photographed and read."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import pytest

from datasets.tower_of_babel.__main__ import enrolment_shot
from datasets.tower_of_babel.art import ARTS
from datasets.tower_of_babel.board import draw_board
from datasets.tower_of_babel.deal import Deal, dealt
from datasets.tower_of_babel.plan import components_text, track_middles
from datasets.tower_of_babel.shots import Manner, shoot
from datasets.tower_of_babel.staging import staged
from scoring.components import ComponentsError
from scoring.tower_of_babel.game import GAME
from vision.errors import EnrolmentError, ReadingError
from vision.game_enrolments import GameEnrolment
from vision.photo import Photo
from vision.printed.board import rectified
from vision.printed.layout import read_pictures
from vision.spots import TableReading
from vision.tower_of_babel.reader import BabelReader, reader


@dataclass(frozen=True)
class Table:
    deal: Deal
    photo: Photo
    reading: TableReading


def photo_of(image: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Photo:
    return Photo.from_bytes(np.asarray(cv2.imencode(".jpg", image)[1]).tobytes(), "table.jpg")


BOARD = draw_board(ARTS["papyrus"], np.random.default_rng(5))


@pytest.fixture(scope="module")
def babel() -> BabelReader:
    shot, text = enrolment_shot(BOARD, 5)
    facts = read_pictures(text)["board"]
    assert facts.corners_px is not None
    picture = rectified(shot.image, facts.corners_px, facts.size_mm)
    return reader(GameEnrolment("tower-of-babel", text, {"board": picture}))


@pytest.fixture(scope="module")
def table(babel: BabelReader) -> Table:
    rng = np.random.default_rng(31)
    deal = dealt(rng, len(track_middles()) - 1)
    shot = shoot(BOARD, staged(deal, rng), "wood", Manner((2000, 1500), (50, 60), 0.4), rng)
    photo = photo_of(shot.image)
    return Table(deal, photo, babel.read([photo]))


def test_everything_on_the_table_is_read(table: Table) -> None:
    truth = {k: v for k, v in table.deal.laid().items() if not k.startswith(("held", "cards"))}
    assert {spot.id: spot.value for spot in table.reading.spots} == truth
    assert table.reading.players == table.deal.players


def test_what_is_read_scores_as_the_table_does(table: Table) -> None:
    components = GAME.components(components_text())
    typed = {k: v for k, v in table.deal.laid().items() if k.startswith(("held", "cards"))}
    read = {spot.id: spot.value for spot in table.reading.spots}
    own, truth = (GAME.score(components, table.deal.players, laid) for laid in (read | typed, table.deal.laid()))
    assert own.totals == truth.totals
    assert own.on_track == truth.on_track


def test_chances_are_chances_and_outlines_lie_in_the_photo(table: Table) -> None:
    for spot in table.reading.spots:
        chances = [spot.confidence, *(chance for _, chance in spot.alternatives)]
        assert chances == sorted(chances, reverse=True)
        assert 0 < sum(chances) < 1.03
        assert ((spot.outline_px > 0) & (spot.outline_px < (table.photo.width, table.photo.height))).all()


def test_what_lies_under_glare_is_not_known(babel: BabelReader, table: Table) -> None:
    area = next(spot.outline_px for spot in table.reading.spots if spot.id.startswith("parts.artemis"))
    glared = cv2.fillPoly(np.array(table.photo.halves.whole), [np.rint(area).astype(np.int32)], (255, 255, 255))
    spots = babel.read([photo_of(np.asarray(glared, np.uint8))]).spots
    assert not [spot.id for spot in spots if ".artemis" in spot.id]
    assert {spot.id for spot in spots if spot.id.startswith("discs")} == {
        spot.id for spot in table.reading.spots if spot.id.startswith("discs") and "artemis" not in spot.id
    }


def test_a_photo_without_the_board_is_refused_and_unlike_it(babel: BabelReader) -> None:
    rng = np.random.default_rng(1)
    photo = photo_of(rng.integers(0, 255, (600, 800, 3), np.uint8))
    assert babel.likeness(photo) == 0
    with pytest.raises(ReadingError) as caught:
        babel.read([photo])
    assert caught.value.code == "board_not_found"


def test_of_several_photos_one_without_the_board_is_put_aside(babel: BabelReader, table: Table) -> None:
    other = photo_of(np.full((300, 400, 3), 90, np.uint8))
    lies, aside = babel._lies([other, table.photo])
    assert list(lies) == [1]
    assert aside == [(other, "board_not_found")]


def test_without_a_picture_or_a_layout_there_is_no_reader() -> None:
    with pytest.raises(EnrolmentError) as caught:
        reader(GameEnrolment("tower-of-babel", components_text()))
    assert caught.value.code == "nothing_to_enrol"
    text = "[pictures.board]\nsize_mm = [560, 400]"
    with pytest.raises(ComponentsError):
        reader(GameEnrolment("tower-of-babel", text, {"board": BOARD}))
