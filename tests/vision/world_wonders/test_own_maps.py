"""Maps of side B have no colour: any player may have any of them, and their resource board identifies the owner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
import pytest

from api.spots.review import build_table_review
from api.spots.snapshot import build_table_snapshot
from datasets.world_wonders.boards import draw_resource_board
from datasets.world_wonders.deal import City, deal_city
from datasets.world_wonders.own_copy import MAP_MM, RESOURCES_MM, build_land, format_components
from datasets.world_wonders.scene import (
    Scene,
    Seat,
    draw_ground,
    photograph_scene,
    place_seat,
    sample_camera,
    sample_lamp,
)
from datasets.world_wonders.style import build_style
from datasets.world_wonders.tables import deal_monuments, list_laid, shoot_empty_board
from scoring.spots.game import Value
from scoring.spots.table import repaint_components, settle_table
from scoring.world_wonders.game import GAME
from vision.enrolment.games import GameEnrolment
from vision.flat_boards.board import rectify_picture
from vision.flat_boards.reading import SpotReading
from vision.photo.decoding import Photo
from vision.world_wonders.reader import WondersReader, build_reader

ART = build_style("larch")
SHOWN = ("red", "blue", "green")
MIN_RIGHT_SHARE = 0.95


def enrol() -> GameEnrolment:
    """Enrol maps and resource boards of three players, each map under the colour of its owner."""
    rng, pictures = np.random.default_rng(1), {}
    for colour in SHOWN:
        for name, size in ((f"map-{colour}", MAP_MM), (f"resources-{colour}", RESOURCES_MM)):
            photo, corners = shoot_empty_board(ART, "B", name, rng, ("plain",), 0.6)
            pictures[name] = rectify_picture(photo, corners, size)
    return GameEnrolment(GAME.name, format_components("B"), pictures)


@pytest.fixture(scope="module")
def enrolment() -> GameEnrolment:
    return enrol()


@pytest.fixture(scope="module")
def reader(enrolment: GameEnrolment) -> WondersReader:
    return build_reader(enrolment)


def photograph(city: City, player: str, seed: int) -> Photo:
    """Photograph a city on the map enrolled under its colour, before a player of another one."""
    rng = np.random.default_rng(seed)
    seat = place_seat(ART, "B", city, (0, 0), 0.0, rng)
    resources = replace(seat.sheets["resources"], picture=draw_resource_board(ART, player))
    seat = Seat({**seat.sheets, "resources": resources}, city)
    camera = sample_camera(list(seat.sheets.values()), 72.0, (2000, 1500), rng)
    scene = Scene((seat,), ART, camera, sample_lamp(rng), draw_ground(rng, ("wood",)), 0.5, 0.1)
    return Photo.from_bytes(cv2.imencode(".png", photograph_scene(scene, rng, 0.4))[1].tobytes(), "table.png")


def list_truth(city: City, player: str) -> Mapping[str, Value]:
    return {id.replace(f".{city.colour}.", f".{player}."): value for id, value in list_laid(city)}


@pytest.mark.parametrize(
    ("shown_under", "player"),
    [("red", "blue"), *(pytest.param(*more, marks=pytest.mark.soak) for more in (("green", "red"), ("blue", "blue")))],
)
def test_a_map_is_recognised_for_any_owner(
    reader: WondersReader, enrolment: GameEnrolment, shown_under: str, player: str
) -> None:
    city = deal_city(shown_under, build_land("B", shown_under), 24, np.random.default_rng(7))
    reading = reader.read([photograph(city, player, 5)])
    assert reading.players == (player,)
    assert reading.boards == ({} if shown_under == player else {shown_under: player})
    truth = list_truth(city, player)
    squares = [spot for spot in reading.spots if spot.id.startswith("map.")]
    right = [str(spot.value).partition("#")[0] == str(truth[spot.id]).partition("#")[0] for spot in squares]
    monuments = [str(truth[spot.id]).partition("#")[0] in GAME.components(None).monuments for spot in squares]
    assert np.mean(np.array(right) | np.array(monuments)) >= MIN_RIGHT_SHARE

    exact = replace(reading, spots=tuple(replace(spot, value=truth[spot.id]) for spot in reading.spots))
    review = build_table_review(build_table_snapshot(exact, GAME.name, enrolment.components))
    components = repaint_components(GAME, GAME.components(enrolment.components), {shown_under: player})
    assert review.scored.totals == settle_table(GAME, components, (player,), truth).scored().totals
    assert not [trouble for trouble in review.scored.troubles if trouble.code in ("on_water", "bridge_over_land")]


@pytest.mark.soak
def test_monuments_are_enrolled_from_the_map_they_stand_on(reader: WondersReader) -> None:
    city = deal_monuments("red", "B", 0, np.random.default_rng(4))
    photo = photograph(city, "green", 6)
    truth = list_truth(city, "green")
    spots = [
        SpotReading(spot.id, truth[spot.id], 1.0, (), spot.outline_px)
        for spot in reader.read([photo]).spots
        if spot.id.startswith("map.")
    ]
    looks = reader.taught(photo, spots)
    shown = [look[..., 3] > 0 for own_looks in looks.values() for look in own_looks]
    assert len(looks) >= 10
    assert np.mean([mask.mean() for mask in shown]) > 0.3
