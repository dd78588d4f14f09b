"""Problems for enrolments and statements made before a reading that had no effect on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from api.documents.report import Problem
from scoring.carcassonne.wonders.tiles import WONDERS


def list_unused(damaged_wonders: Iterable[str], waiting_owners: Mapping[str, str | None]) -> list[Problem]:
    """List the problems of wonders, by id: damaged enrolments, and owners of wonders that are not on the board."""
    return [*map(build_damaged_wonder, damaged_wonders), *_list_waiting_owners(waiting_owners)]


def build_damaged_wonder(id: str) -> Problem:
    """Build the problem of a wonder whose file in the data folder is damaged."""
    text = f"the layout taught for {WONDERS[id]} is damaged and was not used: teach it again, or take it back"
    return Problem(code="wonder_damaged", tiles=[], text=text, values={"wonder": id})


def build_unused_tile_count(count: int, there: int) -> Problem:
    """Build the problem of a stated number of tiles in play that is lower than the number of tiles read."""
    text = f"the number of tiles in play was given as {count}, but {there} lie here: it was not used"
    return Problem(code="tiles_not_used", tiles=[], text=text, values={"number": count, "there": there})


def _list_waiting_owners(owners: Mapping[str, str | None]) -> Iterator[Problem]:
    for id, colour in sorted(owners.items()):
        whose = "nobody" if colour is None else colour
        text = f"an owner of {WONDERS[id]} was stated ({whose}), but it was not read here: it counts once it lies here"
        yield Problem(code="owner_not_used", tiles=[], text=text, values={"wonder": id, "player": colour or ""})
