"""`python -m datasets.other_boxes FACTS.json ...`: write the tiles of other boxes from tables of facts.

A table has `tiles`, each with `id`, `counts` by printing, `edges`, `cities`, `roads`, `fields`, `monastery`, `garden`
and `other` (the marks). Each tile gets the first drawing that has its topology in some turn; a tile without one ends
the program with its id, so that somebody draws it.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from scoring.carcassonne.tiles.catalogue import load_full_catalogue
from scoring.carcassonne.tiles.geometry import SIDES, turn_edge
from scoring.carcassonne.tiles.layout import TileLayout
from scoring.carcassonne.tiles.other_boxes import list_drawings

OUTPUT = Path(__file__).parents[1] / "scoring" / "carcassonne" / "data" / "other_tiles.toml"
_HEADER = """\
# The tiles of other boxes: each is the drawing `like` after `turns` clockwise quarter turns, with its own `marks`.
# `count` is the largest number of copies in any printing of its box, and 1 if unknown.
# Written by `python -m datasets.other_boxes`.
"""


def describe_layout(layout: TileLayout, turns: int = 0) -> Hashable:
    """Return what the final scoring sees of a turned layout: its edges and segments with inns, coats and cathedrals."""
    segments = layout.segments
    sides = {index: _turn(segment.edges, turns) for index, segment in enumerate(segments)}
    return _freeze(
        {side: layout.edge(side, turns) for side in SIDES},
        ((sides[i], s.shields, s.cathedral) for i, s in enumerate(segments) if s.kind == "city"),
        ((sides[i], s.inn) for i, s in enumerate(segments) if s.kind == "road"),
        ((sides[i], frozenset(sides[c] for c in s.cities)) for i, s in enumerate(segments) if s.kind == "field"),
        any(segment.kind == "monastery" for segment in segments),
    )


def describe_facts(tile: Mapping[str, Any]) -> Hashable:
    """Return the same for a tile of a table of facts."""
    cities = [frozenset(city["edges"]) for city in tile["cities"]]
    return _freeze(
        tile["edges"],
        ((frozenset(c["edges"]), c["shields"], c["cathedral"]) for c in tile["cities"]),
        ((frozenset(road["edges"]), bool(road["inn"])) for road in tile["roads"]),
        ((frozenset(f["half_edges"]), frozenset(cities[i] for i in f["touches_cities"])) for f in tile["fields"]),
        bool(tile["monastery"]),
    )


def list_marks(tile: Mapping[str, Any]) -> list[str]:
    """Return the words for a tile's marks: those beside its land, and those of its cities, roads and monastery."""
    marks = [mark["kind"] for mark in tile["other"]]
    parts = [*tile["cities"], *tile["roads"], *([tile["monastery"]] if tile["monastery"] else [])]
    words = ("princess", "besieged", "castle-base", "labyrinth", "tunnel", "well", "shrine", "special", "church")
    marks += [word for word in (*words, "abbey", "darmstadtium") if any(part.get(word) for part in parts)]
    return marks


def has_pig_herd(tile: Mapping[str, Any]) -> bool:
    """Return whether a pig herd is printed on a tile; facts taken over from another tile say nothing about it."""
    if "same_layout_as" in (tile.get("attrs") or {}):
        return False
    return any(field.get("pig-herd") == "true" for field in tile["fields"])


def find_drawings(tiles: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], str, int]]:
    """Yield each tile with the id and the turns of the first drawing that has its topology; raise SystemExit without
    one.
    """
    drawings: dict[Hashable, tuple[str, int]] = {}
    for layout in list_drawings():
        for turns in range(4):
            drawings.setdefault(describe_layout(layout, turns), (layout.id, turns))
    for tile in tiles:
        found = drawings.get(describe_facts(tile))
        if found is None:
            raise SystemExit(f"no drawing has the topology of {tile['id']}: add one to other_drawings.toml")
        yield tile, *found


def _turn(edges: Iterable[str], turns: int) -> frozenset[str]:
    return frozenset(turn_edge(edge, turns) for edge in edges)


def _freeze(edges: Mapping[str, str], *parts: Any) -> Hashable:
    lists = [frozenset(Counter(part).items()) if not isinstance(part, bool) else part for part in parts]
    return (frozenset(edges.items()), *lists)


def _format_row(tile: Mapping[str, Any], like: str, turns: int) -> str:
    count = max(tile["counts"].values(), default=1)
    fields = {"id": tile["id"], "like": like, "turns": turns or None, "count": count if count != 1 else None}
    fields |= {"garden": tile["garden"] or None, "pig_herd": has_pig_herd(tile) or None}
    fields |= {"marks": list_marks(tile) or None}
    text = ", ".join(f"{key} = {json.dumps(value)}" for key, value in fields.items() if value is not None)
    return f"    {{ {text} }},"


def main() -> None:
    """Write the data file."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("facts", type=Path, nargs="+", help="tables of facts in JSON")
    tables = [json.loads(path.read_text(encoding="utf-8")) for path in parser.parse_args().facts]
    tiles = {t["id"]: t for table in tables for key in ("tiles", "tiles_new_in_C3") for t in table.get(key, ())}
    others = [tile for tile in tiles.values() if tile["id"] not in load_full_catalogue()]
    rows = [_format_row(*row) for row in find_drawings(others)]
    OUTPUT.write_text("\n".join([_HEADER + "tile = [", *rows, "]", ""]), encoding="utf-8")
    print(f"{len(rows)} tiles in {OUTPUT.name}")


if __name__ == "__main__":
    main()
