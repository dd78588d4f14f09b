"""All pieces of a table together: joint constraints shift each piece's posterior, and remove no visible piece."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.calibration import load_weights
from scoring.carcassonne.board.board import Board, PlacedWonder, Placement
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.tiles.catalogue import load_catalogue
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from vision.arrays import Floats
from vision.colour.prior import estimate_new_colour_odds
from vision.pieces.assignment import FURTHER_ODDS, Posterior, sample_posterior
from vision.pieces.placement import Place
from vision.reading.piece import Piece

COLOURS = ("red", "blue", "yellow")
KINDS = ("meeple", "big", "builder", "pig", "abbot")
ROW = 24
ROADS = Board({(0, col): Placement("U") for col in range(ROW)})
"""Straight roads in a row, each a segment with the number 0, with a field on either side."""
ROAD = next(i for i, segment in enumerate(Placement("U").layout.segments) if segment.kind == "road")
HABITS = load_weights("carcassonne", "habits")


def lay(col: float, presence: float = 0.99, odds: Sequence[float] = (1.0, 0.0, 0.0), kind: str = "meeple") -> Piece:
    kinds = np.array([float(kind == name) for name in KINDS])
    return Piece((col + 0.5, 0.5), presence, np.array(odds), np.array([1.0, 0.0, 0.0]), kinds)


def on(*squares: tuple[int, float], kind: str = "meeple") -> tuple[Place, ...]:
    """Return the road's place on each tile of the row, with its odds."""
    return tuple(Place((0, col), ROAD, "standing", odds, kind) for col, odds in squares)


def assign(*laid: tuple[Piece, Sequence[Place]], board: Board = ROADS) -> list[Posterior]:
    pieces, places = zip(*laid, strict=True)
    return sample_posterior(pieces, places, board, build_feature_map(board), KINDS)


def spread(*pieces: tuple[float, Sequence[float]]) -> list[tuple[Piece, tuple[Place, ...]]]:
    """Lay pieces a tile apart, with such presences and odds of colours."""
    return [(lay(col, presence, odds), on((col, 1.0))) for col, (presence, odds) in enumerate(pieces)]


def name_likeliest(posterior: Posterior) -> str:
    return COLOURS[int(np.argmax(posterior.piece.colours))]


def find_square(posterior: Posterior) -> int:
    return max(posterior.places, key=lambda place: place.odds).square[1]


def test_without_pieces_nothing_is_assigned() -> None:
    assert sample_posterior([], [], ROADS, build_feature_map(ROADS), KINDS) == []


presences = st.floats(0.05, 0.999)
shares = st.tuples(*[st.floats(0.02, 1.0)] * 3).map(lambda odds: tuple(np.array(odds) / sum(odds)))


@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(presences, shares, st.floats(0.05, 1), st.floats(0.05, 1)), min_size=1, max_size=6))
def test_odds_stay_normalised_and_the_result_is_reproducible(
    drawn: list[tuple[float, tuple[float, ...], float, float]],
) -> None:
    laid = [
        (lay(col, presence, odds), on((col, here), (col + 1, beside)))
        for col, (presence, odds, here, beside) in enumerate(drawn)
    ]
    first, again = assign(*laid), assign(*laid)
    for (piece, places), one, other in zip(laid, first, again, strict=True):
        assert 0 <= one.piece.presence <= 1
        assert one.piece.at == piece.at
        assert one.piece.colours.sum() == pytest.approx(1)
        assert sum(place.odds for place in one.places) == pytest.approx(1)
        assert [place.square for place in one.places] == [place.square for place in places]
        assert one.piece.colours.tolist() == other.piece.colours.tolist()
        assert one.piece.presence == other.piece.presence


def crowd() -> list[tuple[Piece, tuple[Place, ...]]]:
    """Lay a dozen pieces of which nothing is clear, three to a tile."""
    odds = [(0.6, (0.5, 0.3, 0.2)), (0.7, (0.2, 0.5, 0.3)), (0.5, (0.3, 0.3, 0.4))] * 4
    laid = [(lay(col / 3, presence, colours), on((col // 3, 1.0))) for col, (presence, colours) in enumerate(odds)]
    return [(replace(piece, at=(piece.at[0] + 0.021, piece.at[1] + 0.021)), places) for piece, places in laid]


def tabulate(posteriors: Sequence[Posterior]) -> Floats:
    """Tabulate (pieces, colours + 1) odds of colours and presences."""
    return np.array([[*posterior.piece.colours, posterior.piece.presence] for posterior in posteriors])


def test_tiny_changes_of_a_piece_change_its_posterior_little() -> None:
    """The sampler's draws depend on the pieces' places, but not on the last digits of places and probabilities."""
    moved = [
        (replace(piece, at=(piece.at[0] + 1e-3, piece.at[1] - 1e-3), presence=piece.presence + 1e-9), places)
        for piece, places in crowd()
    ]
    assert np.abs(tabulate(assign(*crowd())) - tabulate(assign(*moved))).max() < 1e-6


def test_unrelated_pieces_do_not_affect_two_on_a_seam() -> None:
    """A third player's piece is far away: all colours are played by others as well."""
    players = [(lay(10 + i, 1.0, odds), on((10 + i, 1.0))) for i, odds in enumerate([*np.eye(3), *np.eye(3)])]
    seam = [(lay(at, 0.8, odds), on((0, 0.5), (1, 0.5))) for at, odds in ((0, np.eye(3)[0]), (0.6, np.eye(3)[1]))]
    alone, further = assign(*seam, *players), assign(*seam, *players, (lay(20, 0.5, np.eye(3)[2]), on((20, 1.0))))
    for one, other in zip(alone[:2], further[:2], strict=True):
        assert [place.odds for place in one.places] == [place.odds for place in other.places]
        assert one.piece.presence == other.piece.presence


def test_a_piece_on_no_known_tile_has_no_place_and_is_kept() -> None:
    (posterior,) = assign((lay(0, 0.9, (0.7, 0.3, 0.0)), ()))
    assert posterior.places == ()
    assert posterior.piece.presence == pytest.approx(0.9)
    assert posterior.piece.colours.tolist() == pytest.approx([0.7, 0.3, 0.0])


def compute_exactly(laid: Sequence[tuple[Piece, Sequence[Place]]]) -> list[tuple[float, list[float]]]:
    """Return the probability of each piece, and of its places, by enumerating all configurations."""
    options = [[None, *product(range(2), range(len(places)))] for _, places in laid]
    totals = [[0.0] * len(row) for row in options]
    for state in product(*(range(len(row)) for row in options)):
        chosen = [row[index] for row, index in zip(options, state, strict=True)]
        weight, tiles = 1.0, Counter[tuple[tuple[int, int], int]]()
        for (piece, places), option in zip(laid, chosen, strict=True):
            if option is None:
                weight *= 1 - piece.presence
            else:
                colour, place = option
                odds = places[place].odds / sum(each.odds for each in places)
                weight *= piece.presence * float(piece.colours[colour]) * odds
                tiles[places[place].square, colour] += 1
        weight *= prod(HABITS["tiles"]["own"] for count in tiles.values() if count > 1)
        weight *= prod(HABITS["tiles"]["others"] ** (n - 1) for n in Counter(square for square, _ in tiles).values())
        for total, index in zip(totals, state, strict=True):
            total[index] += weight
    result = []
    for (_, places), row, total in zip(laid, options, totals, strict=True):
        there = sum(total[1:])
        by_place = [
            sum(mass for option, mass in zip(row, total, strict=True) if option is not None and option[1] == number)
            for number in range(len(places))
        ]
        result.append((there / sum(total), [mass / there for mass in by_place]))
    return result


@settings(deadline=None, max_examples=20)
@given(st.lists(st.tuples(st.floats(0.3, 0.99), st.floats(0.1, 0.9), st.floats(0.1, 1)), min_size=1, max_size=3))
def test_sampling_comes_near_the_exact_posterior(drawn: list[tuple[float, float, float]]) -> None:
    """Both colours have two certain players each, and the pieces are so far apart that none may be another one."""
    laid = [
        (replace(lay(0, presence, (red, 1 - red, 0.0)), at=(0.5 + 0.5 * i, 0.5)), on((0, share), (1, 1 - share)))
        for i, (presence, red, share) in enumerate(drawn)
    ]
    fixed = [
        (lay(col, 1.0, (1.0, 0.0, 0.0) if col % 2 else (0.0, 1.0, 0.0)), on((col, 1.0))) for col in (10, 11, 12, 13)
    ]
    for posterior, (presence, places) in zip(assign(*laid, *fixed), compute_exactly(laid), strict=False):
        assert posterior.piece.presence == pytest.approx(presence, abs=0.06)
        assert [place.odds for place in posterior.places] == pytest.approx(places, abs=0.08)


@pytest.mark.parametrize("others", [(0.0, 1.0, 0.0), (1.0, 0.0, 0.0)], ids=["another player's", "its own player's"])
@given(seam=st.floats(0.7, 1), presence=st.floats(0.9, 1))
@settings(deadline=None)
def test_a_piece_on_a_seam_stands_on_the_tile_that_is_free(
    others: Sequence[float], seam: float, presence: float
) -> None:
    centred, astride = assign((lay(0, presence), on((0, 1.0))), (lay(0.48, 1.0, others), on((0, 1.0), (1, seam))))
    assert find_square(centred) == 0
    assert find_square(astride) == 1


def test_an_improbable_piece_takes_no_other_pieces_place() -> None:
    _, astride = assign((lay(0, 0.1), on((0, 1.0))), (lay(0.48, 1.0, (0.0, 1.0, 0.0)), on((0, 1.0), (1, 0.4))))
    assert find_square(astride) == 0


@pytest.mark.parametrize(("apart", "same"), [(0.35, True), (0.6, False)])
def test_a_possible_duplicate_of_a_piece_takes_its_own_place(apart: float, same: bool) -> None:
    _, again = assign((lay(0, 1.0), on((0, 1.0))), (lay(apart, 0.7), on((0, 0.55), (1, 0.45))))
    assert (find_square(again) == 0) == same


def test_two_certain_pieces_on_one_tile_are_both_kept() -> None:
    both = assign((lay(0, 0.999), on((0, 1.0))), (lay(0.5, 0.999, (0.0, 1.0, 0.0)), on((0, 1.0))))
    assert all(posterior.piece.presence > 0.95 for posterior in both)


def test_a_wonder_has_room_for_several_pieces() -> None:
    placed = PlacedWonder(load_wonder_catalogue()["WH/alhambra"], (0, 0))
    (square, *_) = placed.squares
    place = (Place(square, 0, "standing", 1.0),)
    for posterior in assign(
        (lay(0, 0.8), place),
        (lay(0.5, 0.8, (0.0, 1.0, 0.0)), place),
        *[(lay(col, 1.0, odds), ()) for col, odds in ((5, (1.0, 0.0, 0.0)), (6, (0.0, 1.0, 0.0)))],
        board=Board(placed.placements),
    ):
        assert posterior.piece.presence > 0.75


def test_a_colour_of_other_pieces_is_more_likely_than_a_new_one() -> None:
    sure = (0.99, (0.0, 0.0, 1.0))
    *_, unsure = assign(*spread(sure, sure, (0.9, (0.6, 0.0, 0.4))))
    assert name_likeliest(unsure) == "yellow"


def test_a_piece_alone_of_its_colour_is_less_likely() -> None:
    red, other = (0.99, (1.0, 0.0, 0.0)), (0.8, (0.0, 1.0, 0.0))
    alone, together = (assign(*spread(*[red] * 4, *which, other))[-1] for which in ([red], [other]))
    assert alone.piece.presence < 0.6
    assert together.piece.presence > alone.piece.presence + 0.1


def test_each_of_few_pieces_may_be_its_players_only_one() -> None:
    dark = (0.99, (0.8, 0.2, 0.0))
    blue, yellow = (0.99, (0.0, 1.0, 0.0)), (0.99, (0.0, 0.0, 1.0))
    assert name_likeliest(assign(*spread(blue, yellow, dark))[-1]) == "red"
    assert name_likeliest(assign(*spread(*[blue] * 6, *[yellow] * 6, dark))[-1]) == "blue"


def test_a_duplicated_piece_does_not_support_itself() -> None:
    reds = [(lay(col), on((col, 1.0))) for col in range(4, 10)]
    *_, one, other = assign(*reds, *[(lay(at, 0.8, (0.0, 1.0, 0.0)), on((0, 1.0))) for at in (0, 0.1)])
    *_, alone = assign(*reds, (lay(0, 0.8, (0.0, 1.0, 0.0)), on((0, 1.0))))
    assert [one.piece.presence, other.piece.presence] == pytest.approx([alone.piece.presence] * 2, abs=1e-3)
    assert alone.piece.presence < 0.6


@pytest.mark.parametrize("presence", [0.97, 0.999, 1.0])
def test_two_players_in_similar_colours_keep_all_their_pieces(presence: float) -> None:
    blue, dark = (presence, (0.001, 0.997, 0.002)), (presence, (0.001, 0.98, 0.019))
    posteriors = assign(*spread(*[blue] * 7, *[dark] * 6))
    names = [name_likeliest(posterior) for posterior in posteriors]
    assert names[:7] == ["blue"] * 7
    assert names[7:] == ["yellow"] * 6 or presence < 0.98
    assert all(posterior.piece.colours[COLOURS.index("yellow")] > 0.4 for posterior in posteriors[7:]), "or in doubt"
    assert all(posterior.piece.presence > presence - 0.09 for posterior in posteriors)


@pytest.mark.parametrize("presence", [0.95, 0.9991, 1.0])
@pytest.mark.parametrize("count", [8, 10])
def test_surplus_pieces_of_a_player_are_doubted_but_kept(count: int, presence: float) -> None:
    """However many there are, each keeps at least the probability of one more."""
    odds = HABITS["supply"]["one_more"] * presence / max(1 - presence, 1e-9)
    for posterior in assign(*spread(*[(presence, (0.001, 0.997, 0.002))] * count)):
        assert posterior.piece.presence > odds / (1 + odds) - 0.01
    names = [name_likeliest(posterior) for posterior in assign(*spread(*[(presence, (0.001, 0.997, 0.002))] * 8))]
    assert names == ["blue"] * 8


@pytest.mark.parametrize("others", [6, 7])
def test_a_doubtful_piece_is_less_likely_once_its_player_has_no_more(others: int) -> None:
    """After seven certain ones an eighth is as rare as one more from the score track; a seventh keeps its own odds."""
    *_, last = assign(*spread(*[(0.9999, (0.0, 1.0, 0.0))] * others, (0.54, (0.0, 1.0, 0.0))))
    odds = (HABITS["supply"]["one_more"] if others == 7 else 1.0) * 0.54 / 0.46
    assert last.piece.presence == pytest.approx(odds / (1 + odds), abs=0.01)


@pytest.mark.parametrize("kind", ["big", "abbot"])
def test_a_second_piece_of_a_unique_kind_may_be_absent(kind: str) -> None:
    """If it can be of no other kind and colour, it is hardly there; with another colour it is that one's."""
    first, unsure = (lay(0, 0.999, kind=kind), on((0, 1.0), kind=kind)), on((3, 1.0), kind=kind)
    _, second = assign(first, (lay(3, 0.6, kind=kind), unsure))
    assert second.piece.presence < 0.1
    _, second, _ = assign(
        first, (lay(3, 0.9, (0.7, 0.3, 0.0), kind=kind), unsure), (lay(6, 0.99, (0.0, 1.0, 0.0)), on((6, 1.0)))
    )
    assert name_likeliest(second) == "blue"


def test_a_wonders_marker_does_not_count_among_the_seven() -> None:
    """It comes with the wonder: seven others stand there beside it, and an eighth is one too many."""
    placed = PlacedWonder(load_wonder_catalogue()["WH/alhambra"], (5, 5))
    board = Board({**ROADS.tiles, **placed.placements})
    square, segment = next(f for f in build_feature_map(board) if f.kind == "wonder").members[0]
    marker = replace(lay(0, 0.999, (0.0, 1.0, 0.0)), at=(square[1] + 0.5, square[0] + 0.5))
    standing = (marker, (Place(square, segment, "upside_down", 1.0),))
    seven = spread(*[(0.999, (0.0, 1.0, 0.0))] * 6, (0.54, (0.0, 1.0, 0.0)))
    assert assign(*seven, standing, board=board)[6].piece.presence == pytest.approx(0.54, abs=0.02)
    eight = spread(*[(0.999, (0.0, 1.0, 0.0))] * 7, (0.54, (0.0, 1.0, 0.0)))
    assert assign(*eight, standing, board=board)[7].piece.presence < 0.35


def share_exactly(drawn: Sequence[float]) -> list[float]:
    """Return the probability that each piece is the second player's, by enumerating all configurations."""
    one_more, totals, whole = HABITS["supply"]["one_more"], np.zeros(len(drawn)), 0.0
    for seconds in product((False, True), repeat=len(drawn)):
        counts = (len(drawn) - sum(seconds), sum(seconds))
        weight = prod(odds if second else 1 - odds for odds, second in zip(drawn, seconds, strict=True))
        weight *= prod(one_more * FURTHER_ODDS ** (count - 8) for count in counts if count > 7)
        weight *= estimate_new_colour_odds(len(drawn) - 1, 1) if all(counts) else 1.0
        totals += weight * np.array(seconds)
        whole += weight
    return list(totals / whole)


@settings(deadline=None, max_examples=10)
@given(st.lists(st.floats(0.001, 0.2), min_size=10, max_size=12))
def test_the_choice_among_surplus_pieces_is_near_the_exact_posterior(drawn: list[float]) -> None:
    posteriors = assign(*spread(*((1.0, (0.0, 1 - odds, odds)) for odds in drawn)))
    differences = [
        abs(posterior.piece.colours[2] - share)
        for posterior, share in zip(posteriors, share_exactly(drawn), strict=True)
    ]
    assert np.mean(differences) < 0.02


def test_spare_pieces_beside_the_board_do_not_count_as_pieces_on_it() -> None:
    spare = [(replace(lay(col, 0.9), at=(col + 0.5, 1.3)), ()) for col in range(4)]
    alone, beside = (assign(*spread(*[(0.95, (0.97, 0.03, 0.0))] * 7), *others) for others in ([], spare))
    for one, other in zip(alone, beside, strict=False):
        assert other.piece.presence >= one.piece.presence - 0.01
        assert name_likeliest(other) == "red"


def test_a_certain_builder_makes_its_follower_more_likely() -> None:
    traders = Board({**ROADS.tiles, (9, 9): Placement(find_expansion_tile("traders"))})
    builder, others = (lay(2, 1.0), on((2, 1.0), kind="builder")), [(lay(10, 1.0), ())]
    unsure = (lay(0, 0.5), on((0, 1.0)))
    _, beside, *_ = assign(builder, unsure, *others, board=traders)
    alone, *_ = assign(unsure, *others, board=traders)
    assert alone.piece.presence == pytest.approx(0.5, abs=0.01)
    assert beside.piece.presence > 0.9


def test_a_certain_piece_is_also_weighed_against_the_others() -> None:
    reds = [(lay(col), on((col, 1.0))) for col in range(4, 10)]
    *_, blue = assign(*reds, (lay(0, 0.9995, (0.0, 1.0, 0.0)), on((0, 1.0))))
    assert blue.piece.presence < 0.999


def find_expansion_tile(box: str) -> str:
    return next(layout.id for layout in load_catalogue(box) if layout.id.startswith(("IC/", "TB/")))
