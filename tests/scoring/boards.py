"""Boards to test with: any that can be written down, lawful or not."""

from __future__ import annotations

from hypothesis import strategies as st

from scoring.carcassonne.board import POSES, Board, PlacedMeeple, Placement
from scoring.carcassonne.catalogue import base_catalogue

squares = st.tuples(st.integers(-6, 6), st.integers(-6, 6))
placements = st.builds(Placement, st.sampled_from([layout.id for layout in base_catalogue()]), st.integers(0, 3))
colours = st.sampled_from(["red", "blue", "light-blue", "v", "o"])


@st.composite
def boards(draw: st.DrawFn, least: int = 0) -> Board:
    """Any tiles on any squares, meeples on any of their segments or on none."""
    tiles = draw(st.dictionaries(squares, st.none() | placements, min_size=least, max_size=12))
    places: list[tuple[tuple[int, int], int | None]] = [((9, 9), None)]
    for square, placement in tiles.items():
        segments = range(len(placement.layout.segments)) if placement else ()
        places += [(square, None), *((square, segment) for segment in segments)]
    meeple = st.builds(
        lambda colour, place, pose, kind: PlacedMeeple(colour, place[0], place[1], pose, kind),
        colours,
        st.sampled_from(places),
        st.sampled_from(POSES),
        st.sampled_from(["meeple", "big"]),
    )
    return Board(tiles, tuple(draw(st.lists(meeple, max_size=6))))
