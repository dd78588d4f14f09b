"""A player's pieces look alike: a piece that looks like the blue ones is blue, whatever its own reading was."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import expit, logit

from vision.colour.appearance import extract_bodies, measure_paints, measure_print_difference
from vision.colour.illumination import USUAL_PAINTS_LAB, compute_usual_paints, illuminate_paints
from vision.colour.likeness import (
    EVEN,
    compute_colour_company,
    compute_paint_likeness,
    weigh_colours_by_likeness,
    weigh_presence_by_company,
)
from vision.pieces.classifier import Piece, load_presence_weights
from vision.pieces.crops import BEYOND_TILES, POSE_HEIGHTS_TILES, STAND_CHANNELS, STAND_PX, STAND_TILE_PX
from vision.pieces.detector import is_near_square

BLUE, BLACK, RED = range(3)
COLOURS = ("blue", "black", "red")
LOOKS = {BLUE: (30.0, 15.0, -45.0), BLACK: (15.0, 0.0, -8.0), RED: (45.0, 60.0, 35.0)}


def piece(paint: Sequence[float], colours: Sequence[float], presence: float = 0.99, at: float = 0.0) -> Piece:
    return Piece((at, at), presence, np.array(colours), np.array([1.0]), paint=np.array(paint))


def said(colour: int, odds: float) -> list[float]:
    return [odds if index == colour else (1 - odds) / 2 for index in range(3)]


def named(pieces: Sequence[Piece], colours: Sequence[str] = COLOURS) -> list[int]:
    return [int(np.argmax(piece.colours)) for piece in weigh_colours_by_likeness(pieces, colours)]


def test_one_that_looks_like_the_black_ones_is_black() -> None:
    sure = [piece(LOOKS[colour], said(colour, 0.99)) for colour in (BLUE, BLUE, BLACK, BLACK)]
    misread = piece((17.0, 1.0, -10.0), said(BLUE, 0.8))
    assert named([*sure, misread]) == [BLUE, BLUE, BLACK, BLACK, BLACK]


def likely(pieces: Sequence[Piece]) -> list[float]:
    return [piece.presence for piece in weigh_presence_by_company(pieces)]


def test_what_looks_like_a_sure_piece_is_likelier_one() -> None:
    red = [piece(LOOKS[RED], said(RED, 0.99), at=float(i)) for i in range(3)]
    also_red = piece((46.0, 58.0, 33.0), said(RED, 0.9), presence=0.4, at=5)
    brown = piece((40.0, 20.0, 30.0), said(RED, 0.9), presence=0.4, at=7)
    *_, here, there = likely([*red, also_red, brown])
    assert here > 0.9
    company = load_presence_weights().company * 0.9  # red plays, but no red piece looks like that
    assert there == pytest.approx(expit(logit(0.4) + company))


def test_what_may_be_none_itself_speaks_for_nobody() -> None:
    roofs = [piece(LOOKS[RED], said(RED, 0.9), presence=0.6, at=float(i)) for i in range(6)]
    assert likely(roofs) == pytest.approx([0.6] * 6)
    assert likely(roofs[:1]) == pytest.approx([0.6])
    assert likely([]) == []


def test_a_piece_seen_twice_does_not_speak_for_itself() -> None:
    twice = [piece(LOOKS[RED], said(RED, 0.9), presence=p, at=at) for p, at in ((0.95, 1.0), (0.4, 1.1))]
    assert likely(twice) == pytest.approx([0.95, 0.4])


def test_a_player_may_have_a_single_piece() -> None:
    red = [piece(LOOKS[RED], said(RED, 0.99), at=float(i)) for i in range(3)]
    assert likely([*red, piece(LOOKS[BLUE], said(BLUE, 0.9), presence=0.7, at=5)])[-1] == pytest.approx(
        expit(logit(0.7) + load_presence_weights().company * 0.05)
    )


@given(paint=st.tuples(*[st.floats(-60, 60)] * 3), part=st.floats(0, 1))
def test_the_nearer_the_look_of_a_sure_piece_the_likelier(paint: tuple[float, ...], part: float) -> None:
    blue = np.array(LOOKS[BLUE])
    nearer = blue + part * (np.array(paint) - blue)
    at, presence = np.array([[0.0, 0.0], [3.0, 1.0], [6.0, 1.0]]), np.array([0.5, 0.99, 0.99])
    far, near, same = (
        compute_paint_likeness(np.array([colour, blue, LOOKS[RED]]), at, presence)[0]
        for colour in (np.array(paint), nearer, blue)
    )
    assert near >= far - 1e-9 or np.linalg.norm((np.array(paint) - LOOKS[RED]) * (0.5, 1, 1)) < EVEN
    assert same >= max(far, near) >= min(far, near) >= 0


def test_where_two_groups_have_one_name_the_less_certain_is_another() -> None:
    blue = [piece(LOOKS[BLUE], said(BLUE, 0.99)) for _ in range(4)]
    black = [piece(LOOKS[BLACK], [0.7, 0.28, 0.02]) for _ in range(3)]
    assert named([*blue, *black]) == [BLUE] * 4 + [BLACK] * 3


def test_what_is_hardly_there_tells_nothing_of_others() -> None:
    roofs = [piece(LOOKS[BLACK], said(RED, 0.99), presence=1e-6) for _ in range(5)]
    black = [piece(LOOKS[BLACK], said(BLACK, 0.9)) for _ in range(2)]
    assert named([*black, *roofs])[:2] == [BLACK, BLACK]


def test_a_piece_that_was_not_looked_at_stays_as_it_is() -> None:
    unseen = piece((np.nan,) * 3, said(RED, 0.5))
    others = [piece(LOOKS[BLUE], said(BLUE, 0.9)) for _ in range(3)]
    assert weigh_colours_by_likeness([unseen, *others], COLOURS)[0] is unseen
    assert weigh_colours_by_likeness([others[0]], COLOURS) == [others[0]]


def test_what_is_washed_out_is_what_the_net_says() -> None:
    red = [piece(LOOKS[RED], said(RED, 0.99)) for _ in range(4)]
    glaring = piece((92.0, 12.0, 2.0), said(RED, 0.8))
    assert weigh_colours_by_likeness([*red, glaring], COLOURS)[-1] is glaring
    pale = piece((92.0, 50.0, 20.0), said(RED, 0.8))
    assert weigh_colours_by_likeness([*red, pale], COLOURS)[-1] is not pale


@settings(deadline=None, max_examples=50)
@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(LOOKS)), st.floats(0.34, 0.999), st.floats(0.1, 1.0)), min_size=2, max_size=12
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_of_pieces_does_not_matter(drawn: list[tuple[int, float, float]], random: Random) -> None:
    pieces = [
        piece(LOOKS[colour], said(colour, odds), presence, at=i) for i, (colour, odds, presence) in enumerate(drawn)
    ]
    order = list(range(len(pieces)))
    random.shuffle(order)
    odds_by_place = {meeple.at: meeple.colours for meeple in weigh_colours_by_likeness(pieces, COLOURS)}
    again = {meeple.at: meeple.colours for meeple in weigh_colours_by_likeness([pieces[i] for i in order], COLOURS)}
    for at, colours in odds_by_place.items():
        assert colours.sum() == pytest.approx(1)
        assert again[at] == pytest.approx(colours, abs=1e-12)


LEAN = 0.6


def drawn(foot_x: float, colour: tuple[int, int, int], trusted: bool) -> NDArray[np.uint8]:
    """Draw a standing piece in front of a green field."""
    picture = np.zeros((STAND_PX, STAND_PX, STAND_CHANNELS), np.uint8)
    picture[..., :3] = picture[..., 3:6] = (60, 160, 70)
    foot_y = int(BEYOND_TILES * STAND_TILE_PX)
    picture[foot_y - 28 : foot_y, int(foot_x) - 9 : int(foot_x) + 9, :3] = colour
    picture[..., 6] = 255 * trusted
    return picture


@pytest.mark.parametrize("aside", [-0.2, 0.0, 0.2])
@pytest.mark.parametrize("trusted", [True, False])
def test_paint_is_that_of_the_piece_where_its_foot_is(aside: float, trusted: bool) -> None:
    red = drawn(STAND_PX / 2 + aside * STAND_TILE_PX, (30, 30, 200), trusted)
    lightness, a, b = measure_paints(
        extract_bodies(
            red[None], np.array([LEAN]), np.array([(aside, 0.0)]), np.array([POSE_HEIGHTS_TILES["standing"]])
        )
    )[0]
    assert (lightness, a, b) == pytest.approx((43, 63, 45), abs=3)


def test_paint_of_a_disc_is_not_that_of_the_ground_behind_it() -> None:
    """A disc lies about the centre that it is found at; a meeple rises from its foot."""
    disc = drawn(0, (60, 160, 70), trusted=False)
    rows, cols = np.ogrid[:STAND_PX, :STAND_PX]
    radius = np.hypot(rows - BEYOND_TILES * STAND_TILE_PX, cols - STAND_PX / 2)
    disc[radius < 0.15 * STAND_TILE_PX, :3] = (30, 30, 200)
    high = np.array([POSE_HEIGHTS_TILES["disc"], POSE_HEIGHTS_TILES["standing"]])
    lying, standing = measure_paints(
        extract_bodies(np.array([disc, disc]), np.full(2, 2 * LEAN), np.zeros((2, 2)), high)
    )
    assert lying == pytest.approx((43, 63, 45), abs=3)
    assert standing[1] < 0


@pytest.mark.parametrize(("pose", "lean"), [("standing", 0.3), ("standing", 0.6), ("standing", 1.2), ("lying", 0.6)])
def test_paint_is_taken_no_higher_than_a_piece_reaches(pose: str, lean: float) -> None:
    """Behind it lies a cloth of unknown colour."""
    picture = drawn(STAND_PX / 2, (60, 160, 70), trusted=False)
    foot = int(BEYOND_TILES * STAND_TILE_PX)
    top = foot - round((lean * POSE_HEIGHTS_TILES[pose] + 0.06) * STAND_TILE_PX)
    picture[max(top, 0) : foot + 6, STAND_PX // 2 - 11 : STAND_PX // 2 + 11, :3] = (30, 30, 200)
    (paint,) = measure_paints(
        extract_bodies(picture[None], np.array([lean]), np.zeros((1, 2)), np.array([POSE_HEIGHTS_TILES[pose]]))
    )
    assert paint == pytest.approx((43, 63, 45), abs=3)


def test_paint_is_read_from_the_lit_side_of_a_piece() -> None:
    blue = drawn(STAND_PX / 2, (150, 60, 30), trusted=False)
    black = drawn(STAND_PX / 2, (40, 38, 36), trusted=False)
    foot, width = int(BEYOND_TILES * STAND_TILE_PX), slice(STAND_PX // 2 - 11, STAND_PX // 2 + 11)
    middle = foot - round(LEAN * POSE_HEIGHTS_TILES["standing"] / 2 * STAND_TILE_PX)
    blue[middle + 2 : foot + 6, width, :3] = (36, 30, 26)  # the face below its back, in its own shade
    lit, dark = measure_paints(
        extract_bodies(
            np.array([blue, black]), np.full(2, LEAN), np.zeros((2, 2)), np.full(2, POSE_HEIGHTS_TILES["standing"])
        )
    )
    assert lit[2] < -30
    assert dark[2] > -8


def test_what_looks_as_the_tile_is_printed_is_told_from_a_piece() -> None:
    red = drawn(STAND_PX / 2, (30, 30, 200), trusted=True)
    roof = red.copy()
    roof[..., 3:6] = red[..., :3]
    unknown = drawn(STAND_PX / 2, (30, 30, 200), trusted=False)
    away = measure_print_difference(
        extract_bodies(
            np.array([red, roof, unknown]),
            np.full(3, LEAN),
            np.zeros((3, 2)),
            np.full(3, POSE_HEIGHTS_TILES["standing"]),
        )
    )
    assert away[0] > 50
    assert away[1] == 0
    assert np.isnan(away[2])


def test_no_pieces_have_no_looks() -> None:
    nothing = np.zeros((0, STAND_PX, STAND_PX, STAND_CHANNELS), np.uint8)
    none = extract_bodies(nothing, np.zeros(0), np.zeros((0, 2)), np.zeros(0))
    assert measure_paints(none).shape == (0, 3)
    assert measure_print_difference(none).shape == (0,)


def test_places_near_squares() -> None:
    squares = np.array([(0, 0), (0, 1), (3, 2)])
    places = np.array([(0.5, 0.5), (2.3, 0.5), (2.4, 0.5), (2.5, 2.7), (2.5, 2.6), (0.5, -0.34)])
    assert is_near_square(places, squares, 0.35).tolist() == [True, True, False, True, False, True]


GREENISH, BLACKISH = (35.0, -29.0, 20.0), (22.0, -9.0, 7.0)


def about(look: Sequence[float], spread: float, count: int, rng: np.random.Generator) -> list[list[float]]:
    return [list(map(float, sample)) for sample in np.array(look) + rng.normal(0, spread, (count, 3))]


def test_in_even_light_what_lies_among_the_black_ones_is_black() -> None:
    rng = np.random.default_rng(4)
    green = [piece(look, said(BLUE, 0.99)) for look in about(GREENISH, 1, 7, rng)]
    black = [piece(look, said(BLACK, 0.9)) for look in about(BLACKISH, 1, 6, rng)]
    misread = piece((20.0, -9.0, 7.0), said(BLUE, 0.93))
    assert named([*green, *black, misread], ("green", "black", "red")) == [BLUE] * 7 + [BLACK] * 7


SEVEN = tuple(USUAL_PAINTS_LAB)


def likely_of(paint: Sequence[float] | NDArray[np.float64], **odds: float) -> Piece:
    rest = (1 - sum(odds.values())) / (len(SEVEN) - len(odds))
    return Piece(
        (0.0, 0.0), 0.99, np.array([odds.get(colour, rest) for colour in SEVEN]), np.ones(1), paint=np.array(paint)
    )


@settings(deadline=None, max_examples=60)
@given(
    st.tuples(*[st.floats(-0.3, 0.3)] * 3), st.floats(-1.2, 0.3), st.permutations(["red", "blue", "green", "yellow"])
)
def test_a_piece_alone_of_its_colour_is_known_by_the_light_of_the_others(
    tint: tuple[float, float, float], brighter: float, order: list[str]
) -> None:
    """The net's remaining doubt, whether a paint is one of the others', is resolved by the light."""
    paints = dict(zip(SEVEN, illuminate_paints(compute_usual_paints(SEVEN), np.array(tint) + brighter), strict=True))
    alone, *others = order
    pieces = [likely_of(paints[colour], **{colour: 0.99}) for colour in ("black", *others) for _ in range(3)]
    *_, lone_piece = weigh_colours_by_likeness(
        [*pieces, likely_of(paints[alone], **{alone: 0.98, "black": 0.01})], SEVEN
    )
    assert lone_piece.colours[SEVEN.index(alone)] > 0.98


def test_what_looks_black_in_that_light_is_no_piece_alone() -> None:
    paints = dict(zip(SEVEN, illuminate_paints(compute_usual_paints(SEVEN), np.full(3, -1.0)), strict=True))
    pieces = [likely_of(paints[colour], **{colour: 0.99}) for colour in ("black", "red", "yellow") for _ in range(3)]
    *_, lone_piece = weigh_colours_by_likeness([*pieces, likely_of(paints["black"], green=0.6, black=0.35)], SEVEN)
    assert lone_piece.colours[SEVEN.index("black")] > 0.9


def test_where_light_differs_from_place_to_place_the_net_decides() -> None:
    rng = np.random.default_rng(4)
    green = [piece(look, said(BLUE, 0.99)) for look in about(GREENISH, 12, 7, rng)]
    black = [piece(look, said(BLACK, 0.99)) for look in about(BLACKISH, 12, 6, rng)]
    assert named([*green, *black, piece((20.0, -9.0, 7.0), said(BLUE, 0.99))])[-1] == BLUE


def test_many_shadows_do_not_tell_what_black_pieces_look_like() -> None:
    rng = np.random.default_rng(4)
    black = [piece(look, [0.35, 0.6, 0.05]) for look in about((16.0, -1.0, -10.0), 1, 7, rng)]
    shadows = [piece(look, said(BLACK, 0.95), presence=0.7) for look in about((12.0, 0.0, 3.0), 2, 8, rng)]
    assert named([*black, *shadows])[:7] == [BLACK] * 7


def test_a_place_in_a_players_colour_is_more_likely_a_piece() -> None:
    """This holds with one other piece too, at half the effect; a piece's own duplicate is no evidence for it."""
    odds = np.eye(3)[[0, 0, 1, 0, 1, 2]]
    at = np.array([[0.5, 0.5], [3.5, 0.5], [6.5, 0.5], [9.5, 0.5], [9.5, 3.5], [9.5, 6.5]])
    presence = np.array([0.99, 0.95, 0.95, 0.3, 0.3, 0.3])
    assert compute_colour_company(odds, at, presence).tolist() == [0.5, 0.5, 0.0, 1.0, 0.5, 0.0]
    beside = at.copy()
    beside[3] = (3.5, 0.8)
    assert compute_colour_company(odds, beside, presence)[3] == 0.5
    assert compute_colour_company(np.full((6, 3), 1 / 3), at, np.full(6, 0.5)).tolist() == [0.0] * 6
