"""The plan of the project's own board for Tower of Babel, in millimetres, and its components file.

The board is not the published one, whose print may not be copied and whose layout is unknown here. The values that only
a board prints (rows, bonuses, the track's length) are invented for this board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scoring.tower_of_babel.board import WONDERS

Box = tuple[float, float, float, float]
Place = tuple[float, float]

SIZE_MM = (560.0, 400.0)
SMALL_MM = (10.0, 10.0, 10.0)
LARGE_MM = (16.0, 16.0, 14.0)
MARKER_MM = (9.0, 9.0)
COLUMN_MM = (12.0, 25.0)
"""Width and height."""
DISC_RADIUS_MM = 12.0
TRACK_WIDTH_MM = 24.0
TRACK_RUNS = (((12.0, 12.0), (524.7, 12.0), 23), ((548.0, 12.0), (548.0, 364.3), 16))
ROWS = ((8, 4), (10, 5), (12, 6), (14, 7), (16, 8), (18, 9), (20, 10))
LIGHT = (9, 4)
BONUS = {3: 10, 5: 30, 6: 50, 7: 70}


@dataclass(frozen=True)
class WonderPlan:
    """The positions of a wonder's picture, building area (x, y, width, height), name and discs."""

    name: str
    cell: Box
    area: Box
    banner: Box
    discs: tuple[Place, Place, Place]


def plan_wonders() -> tuple[WonderPlan, ...]:
    """Return the plans of the wonders in two rows of four."""
    return tuple(_wonder(name, 30 + 101 * (i % 4), 30 + 172 * (i // 4)) for i, name in enumerate(WONDERS))


def list_track_middles() -> list[Place]:
    """Return the centres of the spaces, 0 first, clockwise from the north-west corner."""
    return [place for first, last, count in _runs() for place in _between(first, last, count)]


def list_row_boxes() -> tuple[Box, ...]:
    """Return the scoring table's rows from the top, the light space last, each as x, y, width, height."""
    return tuple((440.0, 54.0 + 16 * i + (4 if i == len(ROWS) else 0), 90.0, 15.0) for i in range(len(ROWS) + 1))


def list_turn_places() -> tuple[Place, ...]:
    """Return the spaces of the turn order track, the bottom one first."""
    return tuple((452.0, 352.0 - 25 * i) for i in range(5))


def get_bonus_box() -> Box:
    """Return the box of the bonus table for discs."""
    return 474.0, 230.0, 56.0, 134.0


def find_marker_place(row: int) -> Place:
    """Return the scoring marker's place on a row."""
    x, y, w, h = list_row_boxes()[row]
    return x + 0.84 * w, y + h / 2


def format_components() -> str:
    """Format the components file (TOML) of this board."""
    rows = [f"{i} = {{ most = {most}, second = {second} }}" for i, (most, second) in enumerate(ROWS, 1)]
    return "\n".join(
        [
            "# What the board drawn by this project prints, which is not the published one.",
            "[scoring_table]",
            f"light = {{ most = {LIGHT[0]}, second = {LIGHT[1]} }}",
            "[scoring_table.rows]",
            *rows,
            "[disc_bonus]",
            *(f"{count} = {points}" for count, points in BONUS.items()),
            "[track]",
            f"length = {len(list_track_middles()) - 1}",
            "[pictures.board]",
            f"size_mm = {list(SIZE_MM)}",
            *_layout_lines(),
            "",
        ]
    )


def _layout_lines() -> Iterator[str]:
    yield from ("[layout.parts]", f"value_1 = {list(SMALL_MM)}", f"value_3 = {list(LARGE_MM)}")
    for plan in plan_wonders():
        discs = ", ".join(f"{{ at = {list(at)}, radius = {DISC_RADIUS_MM} }}" for at in plan.discs)
        yield from (f"[layout.wonders.{plan.name}]", f"area = {_rectangle(plan.area)}", f"discs = [{discs}]")
    runs = ", ".join(
        f"{{ first = [{a[0]:.2f}, {a[1]:.2f}], last = [{b[0]:.2f}, {b[1]:.2f}], spaces = {n} }}" for a, b, n in _runs()
    )
    yield from ("[layout.track]", f"radius = {TRACK_WIDTH_MM / 2}", f"runs = [{runs}]")
    *rows, light = (_rectangle(box) for box in list_row_boxes())
    yield from (
        "[layout.scoring_table]",
        f"marker = {list(MARKER_MM)}",
        f"rows = [{', '.join(rows)}]",
        f"light = {light}",
    )
    spaces = ", ".join(f"{{ at = {list(at)}, radius = 10.0 }}" for at in list_turn_places())
    yield from ("[layout.turn_order]", f"column = {list(COLUMN_MM)}", f"spaces = [{spaces}]")


def _rectangle(box: Box) -> str:
    x, y, w, h = box
    return f"{{ at = [{x + w / 2}, {y + h / 2}], size = [{w}, {h}] }}"


def _wonder(name: str, x: float, y: float) -> WonderPlan:
    discs = (x + 18, y + 149), (x + 49, y + 152), (x + 80, y + 149)
    return WonderPlan(name, (x, y, 98, 168), (x + 6, y + 44, 86, 84), (x + 4, y + 4, 90, 12), discs)


def _runs() -> Iterator[tuple[Place, Place, int]]:
    """Yield the runs of the track along the north, east, south and west."""
    w, h = SIZE_MM
    for first, last, count in TRACK_RUNS:
        yield first, last, count
    for first, last, count in TRACK_RUNS:
        yield (w - first[0], h - first[1]), (w - last[0], h - last[1]), count


def _between(first: Place, last: Place, count: int) -> list[Place]:
    return [
        (first[0] + (last[0] - first[0]) * i / (count - 1), first[1] + (last[1] - first[1]) * i / (count - 1))
        for i in range(count)
    ]
