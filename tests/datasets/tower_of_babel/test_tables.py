from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
import pytest
from shapely import Polygon

from datasets.art.canvas import to_bgr
from datasets.render.other_lights import LIGHTS, cast_other_lights
from datasets.scene.camera import Camera
from datasets.scene.pieces import Finish
from datasets.tower_of_babel.__main__ import shoot_enrolment
from datasets.tower_of_babel.art import ARTS, FRAMES, HELD_OUT_ARTS, HELD_OUT_BOARD_ARTS, get_art
from datasets.tower_of_babel.board import _Paper, draw_board
from datasets.tower_of_babel.deal import LARGE, SMALL, deal_game
from datasets.tower_of_babel.plan import (
    LARGE_MM,
    MARKER_MM,
    SIZE_MM,
    SMALL_MM,
    format_components,
    list_track_middles,
    plan_wonders,
)
from datasets.tower_of_babel.shots import KIND_COLOURS, Manner, _disc_picture, shoot
from datasets.tower_of_babel.solids import build_house, draw_solid
from datasets.tower_of_babel.staging import LaidDisc, stage_table
from scoring.tower_of_babel.board import KINDS, PAIRS
from scoring.tower_of_babel.game import GAME
from vision.flat_boards.layout import read_pictures
from vision.tower_of_babel.layout import read_board_layout

LENGTH = len(list_track_middles()) - 1


def test_our_board_has_all_components_and_places_for_a_score() -> None:
    components = GAME.components(format_components())
    assert not GAME.missing(components)
    assert components.track.length == LENGTH
    layout = read_board_layout(format_components())
    assert np.allclose(layout.track.middles, list_track_middles(), atol=0.01)
    assert len(layout.known_wonders) == 8
    assert read_pictures(format_components())["board"].size_mm == SIZE_MM


def test_deals_are_legal_tables() -> None:
    components = GAME.components(format_components())
    for seed in range(120):
        deal = deal_game(np.random.default_rng(seed), LENGTH)
        scored = GAME.score(components, deal.players, deal.laid())
        assert not scored.unknown
        assert not scored.troubles, seed


def test_a_shortage_of_parts_does_not_reduce_placements() -> None:
    deals = [deal_game(np.random.default_rng(seed), LENGTH) for seed in range(120)]
    owned = [
        [worth for worths in deal.parts.values() for worth in worths[player]]
        for deal in deals
        for player in deal.players
    ]
    assert all(parts.count(1) <= SMALL and parts.count(3) <= LARGE for parts in owned)
    assert any(parts.count(1) == SMALL for parts in owned)


def test_some_games_have_two_coloured_discs_and_they_count_for_both_kinds() -> None:
    deals = [deal_game(np.random.default_rng(seed), LENGTH) for seed in range(120)]
    discs = [
        [
            *(faces for left in deal.discs.values() for faces, _ in left),
            *(faces for discs in deal.owned_discs.values() for faces, number in discs.items() for _ in range(number)),
        ]
        for deal in deals
    ]
    paired = [[faces for faces in discs_of_deal if isinstance(faces, tuple)] for discs_of_deal in discs]
    assert all(len(discs_of_deal) == 24 for discs_of_deal in discs)
    assert {len(faces) for faces in paired} == {0, 4}
    assert all(
        sum(kind in faces for faces in discs_of_deal) == 2
        for discs_of_deal in paired
        if discs_of_deal
        for kind in KINDS
    )
    assert any(
        number
        for deal in deals
        for discs_of_player in deal.owned_discs.values()
        for faces, number in discs_of_player.items()
        if faces in PAIRS
    )


def test_a_two_coloured_disc_is_drawn_in_both_colours() -> None:
    picture = _disc_picture(LaidDisc((0.0, 0.0), 0.0, ("camel", "mason"), 5))
    for x, kind in ((4, "camel"), (-5, "mason")):
        assert picture[6, x].tolist() == list(to_bgr(KIND_COLOURS[kind]))


@pytest.mark.parametrize("seed", range(4))
def test_staged_parts_lie_apart_and_in_their_areas(seed: int) -> None:
    rng = np.random.default_rng(seed)
    deal = deal_game(rng, LENGTH)
    table = stage_table(deal, rng)
    outlines = [Polygon(solid.outline) for solid in table.solids]
    assert all(one.intersection(other).area < 0.5 for one, other in combinations(outlines, 2))
    parts = sum(len(worths) for heap in deal.parts.values() for worths in heap.values())
    in_areas = 0
    for plan in plan_wonders():
        x, y, w, h = plan.area
        area = Polygon([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
        in_areas += sum(area.contains(outline) for outline in outlines)
    assert in_areas == parts
    assert len(table.discs) == sum(len(discs_of_wonder) for discs_of_wonder in deal.discs.values())


def test_parts_are_houses_of_two_sizes_that_stand_lie_and_lean() -> None:
    sizes, floors = set(), set()
    for seed in range(6):
        rng = np.random.default_rng(seed)
        houses = [solid for solid in stage_table(deal_game(rng, LENGTH), rng).solids if not solid.is_round]
        for house in houses:
            assert house.corners.shape == (10, 3)
            assert house.corners[:, 2].min() == pytest.approx(0)
            ridge = float(np.linalg.norm(house.corners[3] - house.corners[8]))
            sizes.add(round(ridge))
            floors.add(int((house.corners[:, 2] < 0.01).sum()))
    assert sizes == {round(SMALL_MM[1]), round(LARGE_MM[1]), round(MARKER_MM[0])}
    assert floors == {2, 4, 5}, "leaning on an edge, on the floor or a wall, on a gable"


def test_a_house_shows_its_roof_and_the_walls_that_face_the_camera() -> None:
    camera = Camera.look_at(np.zeros(2), elevation=35, azimuth=0, roll=0, distance=200, focal_px=900, size=(400, 300))
    light = np.array((0.6, 0.2, 0.77))
    counts = []
    for lean in (0.0, 0.4):
        image = np.zeros((300, 400, 3), np.uint8)
        house = build_house(np.zeros(2), 0.7, (16.0, 16.0, 14.0), (40, 60, 200), lean=lean)
        draw_solid(image, house, camera, light, Finish(gloss=0.0), np.random.default_rng(1))
        shades, areas = np.unique(image[..., 2] // 8, return_counts=True)
        counts.append([int(shade) for shade, area in zip(shades, areas, strict=True) if shade and area > 150])
    assert len(counts[0]) >= 3, "two slopes, a gable and a wall, each in its own light"
    assert counts[0] != counts[1]


def test_a_lamp_colours_the_whole_photo() -> None:
    board = draw_board(ARTS["papyrus"], np.random.default_rng(1))
    tints = [
        shoot(board, None, "wood", Manner((400, 300), (80, 90), 0.0, lamp=True), np.random.default_rng(seed)).about
        for seed in range(8)
    ]
    assert sum(abs(float(about["lamp"])) > 0.3 for about in tints) >= 5


def test_a_photo_is_reproducible_and_shows_the_whole_board() -> None:
    board = draw_board(ARTS["papyrus"], np.random.default_rng(1))
    manner = Manner((800, 600), (40, 90), 0.5)
    first, again = (shoot(board, None, "wood", manner, np.random.default_rng(7)) for _ in range(2))
    assert (first.image == again.image).all()
    corners = first.camera.project(np.array([(0, 0, 0), (*SIZE_MM, 0), (SIZE_MM[0], 0, 0), (0, SIZE_MM[1], 0)], float))
    assert ((corners > 0) & (corners < (800, 600))).all()


def test_the_enrolled_photo_states_the_place_of_the_board() -> None:
    board = draw_board(get_art("random", np.random.default_rng(3)), np.random.default_rng(3))
    shot, text = shoot_enrolment(board, 3)
    corners = read_pictures(text)["board"].corners_px
    assert corners is not None
    h, w = shot.image.shape[:2]
    assert all(0 < x < w and 0 < y < h for x, y in corners)


def test_held_out_looks_are_a_subset_of_all() -> None:
    assert set(HELD_OUT_ARTS) < set(ARTS)


def test_strangers_boards_have_any_frame_but_those_of_arts_held_out() -> None:
    arts = [get_art("stranger", np.random.default_rng(seed)) for seed in range(30)]
    assert {art.frame for art in arts} == {*FRAMES}
    assert not {*FRAMES} & {ARTS[name].frame for name in HELD_OUT_BOARD_ARTS}
    framed = []
    for frame in FRAMES:
        paper = _Paper(replace(arts[0], frame=frame), np.random.default_rng(0))
        paper.frame((30.0, 30.0, 60.0, 40.0), arts[0].area, 1.0)
        framed.append(paper.pixels)
    assert all((one != other).any() for one, other in combinations(framed, 2))


def test_strange_tables_differ_in_light_alone() -> None:
    board = np.full((60, 50, 3), 200, np.uint8)
    plain, strange = (
        shoot(board, None, "plain", Manner((80, 60), (80.0, 88.0), 0.0, other_lights=lights), np.random.default_rng(3))
        for lights in (False, True)
    )
    assert {*str(strange.about["lights"]).split(", ")} <= LIGHTS.keys()
    assert "lights" not in plain.about
    assert plain.camera.plane().tolist() == strange.camera.plane().tolist()
    assert cv2.absdiff(plain.image, strange.image).mean() > 2
    assert {len(cast_other_lights(board, np.random.default_rng(seed))[1]) for seed in range(9)} == {1, 2}


@pytest.mark.parametrize("name", LIGHTS)
def test_each_light_changes_a_grey_picture_in_its_own_way(name: str) -> None:
    grey = np.full((90, 120, 3), 120, np.uint8)
    for seed in range(5):
        lit = LIGHTS[name](grey, np.random.default_rng(seed)).astype(int) - 120
        if name == "hand":
            assert lit.max() <= 0
            assert lit.min() < -15
        elif name == "veil":
            assert lit.min() >= -3
            assert lit.max() > 30
        else:
            tint = lit[..., 2] - lit[..., 0]
            assert np.ptp(tint) > 8
