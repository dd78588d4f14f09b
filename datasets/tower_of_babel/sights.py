"""The eight wonders as flat drawings of a few polygons each, in a box of 1 by 1, with each polygon's darkness."""

from __future__ import annotations

from collections.abc import Callable, Iterator

Points = list[tuple[float, float]]
Drawing = Iterator[tuple[Points, float]]


def _box(x: float, y: float, w: float, h: float) -> Points:
    return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]


def _giza() -> Drawing:
    for x, w, h in ((0.62, 0.36, 0.4), (0.02, 0.42, 0.5), (0.25, 0.52, 0.72)):
        yield [(x, 0.95), (x + w / 2, 0.95 - h), (x + w, 0.95)], 0.0
        yield [(x + w / 2, 0.95 - h), (x + 0.62 * w, 0.95), (x + w, 0.95)], 0.45


def _colossus() -> Drawing:
    yield _box(0.25, 0.85, 0.5, 0.1), 0.5
    yield [(0.36, 0.85), (0.44, 0.45), (0.56, 0.45), (0.64, 0.85), (0.55, 0.85), (0.5, 0.6), (0.45, 0.85)], 0.1
    yield [(0.4, 0.22), (0.6, 0.22), (0.58, 0.5), (0.42, 0.5)], 0.0
    yield [(0.6, 0.22), (0.75, 0.05), (0.8, 0.08), (0.62, 0.32)], 0.1
    yield _box(0.45, 0.08, 0.1, 0.13), 0.2


def _zeus() -> Drawing:
    yield _box(0.2, 0.3, 0.6, 0.65), 0.6
    yield [(0.35, 0.6), (0.65, 0.6), (0.75, 0.95), (0.25, 0.95)], 0.1
    yield [(0.4, 0.3), (0.6, 0.3), (0.65, 0.62), (0.35, 0.62)], 0.0
    yield _box(0.44, 0.14, 0.12, 0.15), 0.15
    yield _box(0.76, 0.1, 0.03, 0.85), 0.3


def _gardens() -> Drawing:
    for i in range(4):
        yield _box(0.05 + 0.11 * i, 0.75 - 0.2 * i, 0.9 - 0.22 * i, 0.2), 0.15 * (i % 2)
        for k in range(6 - i):
            yield _box(0.09 + 0.11 * i + 0.14 * k, 0.72 - 0.2 * i, 0.07, 0.09), 0.8


def _mausoleum() -> Drawing:
    yield _box(0.12, 0.62, 0.76, 0.33), 0.3
    for i in range(6):
        yield _box(0.16 + 0.12 * i, 0.36, 0.06, 0.26), 0.0
    yield _box(0.12, 0.3, 0.76, 0.07), 0.2
    yield [(0.14, 0.3), (0.42, 0.08), (0.58, 0.08), (0.86, 0.3)], 0.1


def _lighthouse() -> Drawing:
    yield _box(0.3, 0.55, 0.4, 0.4), 0.2
    yield _box(0.38, 0.25, 0.24, 0.3), 0.05
    yield _box(0.44, 0.1, 0.12, 0.15), 0.3
    yield [(0.5, 0.02), (0.56, 0.1), (0.44, 0.1)], 0.7
    yield [(0.56, 0.1), (0.98, 0.0), (0.98, 0.14)], 0.0


def _artemis() -> Drawing:
    yield _box(0.05, 0.85, 0.9, 0.1), 0.3
    for i in range(7):
        yield _box(0.09 + 0.127 * i, 0.42, 0.06, 0.43), 0.0
    yield _box(0.05, 0.35, 0.9, 0.08), 0.2
    yield [(0.03, 0.35), (0.5, 0.1), (0.97, 0.35)], 0.1


def _babel() -> Drawing:
    for i in range(6):
        yield (
            [
                (0.12 + 0.06 * i, 0.95 - 0.15 * i),
                (0.88 - 0.06 * i, 0.95 - 0.15 * i),
                (0.84 - 0.06 * i, 0.78 - 0.15 * i),
                (0.16 + 0.06 * i, 0.82 - 0.15 * i),
            ],
            0.25 * (i % 2),
        )


SIGHTS: dict[str, Callable[[], Drawing]] = {
    "giza": _giza,
    "colossus": _colossus,
    "zeus": _zeus,
    "gardens": _gardens,
    "mausoleum": _mausoleum,
    "lighthouse": _lighthouse,
    "artemis": _artemis,
    "babel": _babel,
}
