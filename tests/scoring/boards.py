"""Boards to test with: any that can be written down, legal or not."""

from __future__ import annotations

from hypothesis import strategies as st

from scoring.carcassonne.board.board import POSES, Board, PlacedMeeple, PlacedWonder, Placement
from scoring.carcassonne.board.pieces import PIECES
from scoring.carcassonne.tiles.catalogue import load_base_catalogue, load_full_catalogue
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue

squares = st.tuples(st.integers(-6, 6), st.integers(-6, 6))
placements = st.builds(Placement, st.sampled_from([layout.id for layout in load_base_catalogue()]), st.integers(0, 3))
plain = st.builds(Placement, st.sampled_from([layout.id for layout in load_full_catalogue()]), st.integers(0, 3))
gardens = st.builds(
    Placement,
    st.sampled_from([layout.id for layout in load_full_catalogue() if layout.garden]),
    st.integers(0, 3),
    st.just(True),
)
wonders = st.builds(PlacedWonder, st.sampled_from([*load_wonder_catalogue().values()]), squares, st.integers(0, 3))
colours = st.sampled_from(["red", "blue", "purple", "wood", "clear"])


@st.composite
def boards(draw: st.DrawFn, least: int = 0) -> Board:
    """Draw any base tiles on any squares, with meeples on any of their segments or on none."""
    tiles = draw(st.dictionaries(squares, st.none() | placements, min_size=least, max_size=12))
    return Board(tiles, draw(_meeples(tiles, ["meeple", "big"])))


@st.composite
def wide_boards(draw: st.DrawFn) -> Board:
    """Draw any tiles of any box, whole and broken wonders, any pieces, unseen squares."""
    tiles: dict[tuple[int, int], Placement | None] = {}
    tiles |= draw(st.dictionaries(squares, st.none() | plain | gardens, max_size=8))
    for wonder in draw(st.lists(wonders, max_size=3)):
        tiles |= wonder.placements
    unseen = draw(st.frozensets(squares, max_size=6))
    return Board(tiles, draw(_meeples(tiles, [*PIECES, "mayor"])), unseen)


@st.composite
def _meeples(
    draw: st.DrawFn, tiles: dict[tuple[int, int], Placement | None], kinds: list[str]
) -> tuple[PlacedMeeple, ...]:
    places: list[tuple[tuple[int, int], int | None]] = [((9, 9), None)]
    for square, placement in tiles.items():
        segments = range(len(placement.layout.segments)) if placement else ()
        places += [(square, None), *((square, segment) for segment in segments)]
    meeple = st.builds(
        lambda colour, place, pose, kind: PlacedMeeple(colour, place[0], place[1], pose, kind),
        colours,
        st.sampled_from(places),
        st.sampled_from(POSES),
        st.sampled_from(kinds),
    )
    return tuple(draw(st.lists(meeple, max_size=6)))
