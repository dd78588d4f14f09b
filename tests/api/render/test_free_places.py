"""Labels stand on free places."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon, box

from api.render.free_places import FreePlaces
from vision.arrays import Floats

middles = st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=5, unique=True)


def build_ring(column: int, row: int) -> Floats:
    """Draw a small diamond in a picture of 1200 x 900."""
    x, y = 300 * column, 225 * row
    return np.array([[x, y - 40], [x + 40, y], [x, y + 40], [x - 40, y]], np.float64)


@given(middles, st.integers(20, 200), st.integers(10, 90))
def test_labels_meet_neither_each_other_nor_what_is_to_be_seen(
    places: list[tuple[int, int]], width: int, height: int
) -> None:
    rings = [build_ring(*place) for place in places]
    free = FreePlaces(1200, 900, rings)
    labels = [box(*free.take(ring, width, height, 10)) for ring in rings]
    for number, label in enumerate(labels):
        assert box(0, 0, 1200, 900).covers(label)
        others = [*map(Polygon, rings), *labels[:number]]
        assert sum(label.intersection(other).area for other in others) == 0
        assert label.distance(Polygon(rings[number])) < 450


def test_a_label_that_has_no_room_stands_in_the_picture_all_the_same() -> None:
    ring = np.array([[0, 0], [100, 0], [100, 80], [0, 80]], np.float64)
    left, top, right, bottom = FreePlaces(100, 80, [ring]).take(ring, 60, 30, 4)
    assert (left, top) >= (0, 0)
    assert right <= 100
    assert bottom <= 80
