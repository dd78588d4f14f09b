"""Whole photos: a drawn table is enrolled, photographed and read."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import pytest

from datasets.world_wonders.style import build_style
from datasets.world_wonders.tables import Shot, shoot, shoot_empty_boards
from scoring.spots.components import ComponentsError
from scoring.spots.game import find_strange_spot
from scoring.world_wonders.game import GAME
from tests.vision.world_wonders.drawn_tables import PLAYER, enrolled, shot_of
from vision.enrolment.games import GameEnrolment
from vision.errors import EnrolmentError, ReadingError
from vision.flat_boards.board import rectify_picture
from vision.flat_boards.layout import read_pictures
from vision.flat_boards.reading import SpotReading, TableReading
from vision.photo.decoding import Photo
from vision.world_wonders.reader import WondersReader, build_reader

ART = build_style("ivory")


def photo_of(image: np.ndarray) -> Photo:
    return Photo.from_bytes(cv2.imencode(".png", image)[1].tobytes(), "table.png")


BLANK = photo_of(np.full((300, 400, 3), 90, np.uint8))


@pytest.fixture(scope="module")
def shot() -> Shot:
    return shot_of(ART)


@pytest.fixture(scope="module")
def enrolment() -> GameEnrolment:
    return enrolled(ART, (PLAYER, "blue"))


@pytest.fixture(scope="module")
def own(enrolment: GameEnrolment) -> WondersReader:
    return build_reader(enrolment)


@pytest.fixture(scope="module")
def reading(own: WondersReader, shot: Shot) -> TableReading:
    """Return the reading of a photo of nothing and of one of the table."""
    return own.read([BLANK, photo_of(shot.image)])


@pytest.fixture(scope="module")
def read(reading: TableReading) -> Mapping[str, SpotReading]:
    assert reading.players == (PLAYER,)
    return {spot.id: spot for spot in reading.spots}


def test_squares_and_markers_are_read(read: Mapping[str, SpotReading], shot: Shot) -> None:
    truth = shot.label.table.laid
    assert read.keys() == truth.keys()
    kinds = {name: str(value).partition("#")[0] for name, value in truth.items() if name.startswith("map.")}
    alike = [str(read[name].value).partition("#")[0] in (kind, "monument") for name, kind in kinds.items()]
    assert np.mean(alike) > 0.95
    sure = [name for name, spot in read.items() if spot.confidence >= 0.95 and not name.startswith("map.")]
    assert all(read[name].value == truth[name] for name in sure)


def test_the_reading_is_a_possible_table(own: WondersReader, read: Mapping[str, SpotReading]) -> None:
    values = {name: spot.value for name, spot in read.items()}
    spots = GAME.spots(own.components, (PLAYER,), values)
    assert find_strange_spot(spots, values) is None
    choices = {spot.id: spot.choices for spot in spots}
    for name, spot in read.items():
        assert 0 < spot.confidence < 1
        assert spot.outline_px.shape == (4, 2)
        shares = [share for _, share in spot.alternatives]
        assert shares == sorted(shares, reverse=True)
        assert spot.value not in [value for value, _ in spot.alternatives]
        assert {value for value, _ in spot.alternatives} <= set(choices[name])


def test_outlines_lie_on_the_squares(read: Mapping[str, SpotReading], shot: Shot) -> None:
    sheet = shot.scene.seats[0].sheets["map"]
    corner = sheet.on_table(np.array([(14.0, 14.0)]))
    corner_px = shot.scene.camera.project(np.column_stack([corner, [2.0]]))[0]
    assert np.linalg.norm(read["map.red.0.0"].outline_px[0] - corner_px) < 8


@pytest.mark.soak
def test_a_resource_board_is_found_despite_light_and_markers() -> None:
    """Its rows are less similar than most, but from afar it is the one place for such a board."""
    art, kinds = build_style("jasper"), ("checks",)
    photos, text = shoot_empty_boards(art, "A", np.random.default_rng([72, 0]), kinds)
    facts = read_pictures(text)
    pictures = {
        name: rectify_picture(photos[name], facts[name].corners_px or (), facts[name].size_mm)
        for name in ("map", "resources-red", "resources-blue")
    }
    shot = shoot("one", art, "A", (40, 90), np.random.default_rng([72, 1, 5]), kinds)
    reading = build_reader(GameEnrolment("world-wonders", text, pictures)).read([photo_of(shot.image)])
    assert reading.players == shot.label.table.players == ("blue",)
    values = {spot.id: spot.value for spot in reading.spots if spot.id.startswith("resource.")}
    assert values == {name: value for name, value in shot.label.table.laid.items() if name.startswith("resource.")}


def test_an_unusable_photo_is_set_aside(own: WondersReader, reading: TableReading, shot: Shot) -> None:
    assert [photo.width for photo in reading.photos] == [shot.image.shape[1]]
    assert [code for _, code in reading.aside] == ["board_not_found"]
    assert {spot.photo for spot in reading.spots} == {0}
    with pytest.raises(ReadingError, match="board_not_found"):
        own.read([BLANK])
    assert own.likeness(BLANK) == 0.0


def test_boards_that_were_not_enrolled_are_asked_for(enrolment: GameEnrolment) -> None:
    with pytest.raises(EnrolmentError, match="game_not_enrolled"):
        build_reader(GameEnrolment("world-wonders", enrolment.components))
    text = enrolment.components.replace("[pictures.map]", "[pictures.chart]")
    with pytest.raises(ComponentsError, match="component_missing"):
        build_reader(GameEnrolment("world-wonders", text, enrolment.pictures))
