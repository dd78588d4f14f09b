from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from shapely import Polygon

from datasets.art.canvas import bgr
from datasets.tower_of_babel.__main__ import enrolment_shot
from datasets.tower_of_babel.art import ARTS, HELD_OUT_ARTS, art_by_name
from datasets.tower_of_babel.board import draw_board
from datasets.tower_of_babel.deal import LARGE, SMALL, dealt
from datasets.tower_of_babel.plan import SIZE_MM, components_text, track_middles, wonder_plans
from datasets.tower_of_babel.shots import KIND_COLOURS, Manner, _disc_picture, shoot
from datasets.tower_of_babel.staging import LaidDisc, staged
from scoring.tower_of_babel.board import KINDS, PAIRS
from scoring.tower_of_babel.game import GAME
from vision.printed.layout import read_pictures
from vision.tower_of_babel.layout import read_board_layout

LENGTH = len(track_middles()) - 1


def test_our_board_tells_all_that_a_score_needs_and_where_things_lie() -> None:
    components = GAME.components(components_text())
    assert not GAME.missing(components)
    assert components.track.length == LENGTH
    layout = read_board_layout(components_text())
    assert np.allclose(layout.track.middles, track_middles(), atol=0.01)
    assert len(layout.known_wonders) == 8
    assert read_pictures(components_text())["board"].size_mm == SIZE_MM


def test_deals_are_tables_that_the_rules_allow() -> None:
    components = GAME.components(components_text())
    for seed in range(120):
        deal = dealt(np.random.default_rng(seed), LENGTH)
        scored = GAME.score(components, deal.players, deal.laid())
        assert not scored.unknown
        assert not scored.troubles, seed


def test_players_run_short_of_parts_and_place_no_fewer_for_it() -> None:
    deals = [dealt(np.random.default_rng(seed), LENGTH) for seed in range(120)]
    owned = [
        [worth for own in deal.parts.values() for worth in own[player]] for deal in deals for player in deal.players
    ]
    assert all(parts.count(1) <= SMALL and parts.count(3) <= LARGE for parts in owned)
    assert any(parts.count(1) == SMALL for parts in owned)


def test_some_games_have_two_coloured_discs_and_they_count_for_both_kinds() -> None:
    deals = [dealt(np.random.default_rng(seed), LENGTH) for seed in range(120)]
    discs = [
        [
            *(shown for left in deal.discs.values() for shown, _ in left),
            *(shown for own in deal.held.values() for shown, number in own.items() for _ in range(number)),
        ]
        for deal in deals
    ]
    paired = [[shown for shown in own if isinstance(shown, tuple)] for own in discs]
    assert all(len(own) == 24 for own in discs)
    assert {len(own) for own in paired} == {0, 4}
    assert all(sum(kind in shown for shown in own) == 2 for own in paired if own for kind in KINDS)
    assert any(
        number for deal in deals for own in deal.held.values() for shown, number in own.items() if shown in PAIRS
    )


def test_a_two_coloured_disc_is_drawn_in_both_colours() -> None:
    picture = _disc_picture(LaidDisc((0.0, 0.0), 0.0, ("camel", "mason"), 5))
    for x, kind in ((4, "camel"), (-5, "mason")):
        assert picture[6, x].tolist() == list(bgr(KIND_COLOURS[kind]))


@pytest.mark.parametrize("seed", range(4))
def test_staged_parts_lie_apart_and_in_their_areas(seed: int) -> None:
    rng = np.random.default_rng(seed)
    deal = dealt(rng, LENGTH)
    table = staged(deal, rng)
    outlines = [Polygon(solid.outline) for solid in table.solids]
    assert all(one.intersection(other).area < 0.5 for one, other in combinations(outlines, 2))
    parts = sum(len(own) for heap in deal.parts.values() for own in heap.values())
    in_areas = 0
    for plan in wonder_plans():
        x, y, w, h = plan.area
        area = Polygon([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
        in_areas += sum(area.contains(own) for own in outlines)
    assert in_areas == parts
    assert len(table.discs) == sum(len(own) for own in deal.discs.values())


def test_a_photo_is_the_same_each_time_and_shows_the_whole_board() -> None:
    board = draw_board(ARTS["papyrus"], np.random.default_rng(1))
    manner = Manner((800, 600), (40, 90), 0.5)
    first, again = (shoot(board, None, "wood", manner, np.random.default_rng(7)) for _ in range(2))
    assert (first.image == again.image).all()
    corners = first.camera.project(np.array([(0, 0, 0), (*SIZE_MM, 0), (SIZE_MM[0], 0, 0), (0, SIZE_MM[1], 0)], float))
    assert ((corners > 0) & (corners < (800, 600))).all()


def test_the_enrolled_photo_says_where_the_board_lies() -> None:
    board = draw_board(art_by_name("random", np.random.default_rng(3)), np.random.default_rng(3))
    shot, text = enrolment_shot(board, 3)
    corners = read_pictures(text)["board"].corners_px
    assert corners is not None
    h, w = shot.image.shape[:2]
    assert all(0 < x < w and 0 < y < h for x, y in corners)


def test_held_out_looks_are_among_all() -> None:
    assert set(HELD_OUT_ARTS) < set(ARTS)
