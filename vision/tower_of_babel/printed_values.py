"""The unknown numbers of a board's two tables: they are printed as those are that every copy has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import hypot

from vision.showing.printed_numbers import PrintedNumber

Numbers = Sequence[PrintedNumber]
Way = tuple[float, float]


def read_row(row: Numbers, first: Numbers, known: Sequence[int]) -> list[int] | None:
    """Read a row of the scoring table in the columns in which its first row has the known numbers; None if unclear."""
    values: list[int] = []
    for points in known:
        columns = [number.x for number in first if number.value == points]
        below = [number.value for number in row for x in columns if abs(number.x - x) < number.height]
        if len(columns) != 1 or len(below) != 1:
            return None
        values += below
    return values


def read_bonuses(numbers: Numbers, known: Mapping[int, int]) -> dict[int, int]:
    """Read the points of all counts of discs; an unclear one is left out.

    Each number of points lies from its count as all known ones do, beside it or below.
    """
    for way in sorted(_list_ways(numbers, *next(iter(known.items()))), key=lambda way: hypot(*way)):
        if all(points in _find_points(numbers, count, way) for count, points in known.items()):
            found = {number.value: _find_points(numbers, number.value, way) for number in numbers}
            return {count: min(points) for count, points in found.items() if len(points) == 1}
    return {}


def _list_ways(numbers: Numbers, count: int, points: int) -> Iterator[Way]:
    """Yield the ways (x, y) from each number that may be a count to each that may be its points."""
    for start in numbers:
        for end in numbers:
            if (start.value, end.value) == (count, points) and end is not start:
                yield end.x - start.x, end.y - start.y


def _find_points(numbers: Numbers, count: int, way: Way) -> set[int]:
    """Find the numbers at the end of a way from a count, to the height of a digit."""
    return {
        end.value
        for start in numbers
        for end in numbers
        if start.value == count
        and end is not start
        and hypot(end.x - start.x - way[0], end.y - start.y - way[1]) < start.height
    }
