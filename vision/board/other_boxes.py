"""The names of other boxes' tiles: a photo shows a tile's topology, and the boxes on the table imply whose it is.

Several boxes hold tiles of the same topology. The fewest boxes whose tiles explain the topologies that no drawn box has
are taken to lie there. Tiles beyond the drawn boxes' supply are then theirs as well. No road, city, field or monastery
depends on the name. A mark that pays, such as a vineyard or a hill, is not read: a tile has it only if a person stated
its box, or by an enrolled print, which names its tile by itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from scoring.carcassonne.tiles.expansions import is_scored_in_part
from scoring.carcassonne.tiles.geometry import SIDES, Square
from scoring.carcassonne.tiles.layout import TileLayout
from scoring.carcassonne.tiles.other_boxes import (
    find_drawing,
    find_plain_tile,
    find_plain_twin,
    get_layout,
    is_plain,
    load_other_catalogue,
    load_whole_catalogue,
)
from vision.arrays import Floats
from vision.board.expansions import NONE_STATED
from vision.board.legal.problem import EDGE_KINDS
from vision.enrolment.prints import TileKey
from vision.geometry.lattice_transform import turn_quad
from vision.reading.values import DOUBT_BELOW, TileReading
from vision.squares.catalogue import build_reading_catalogue, list_new_topologies
from vision.survey.survey import PlacedSurvey


@dataclass(frozen=True, slots=True, eq=False)
class _Box:
    """A further box: the tiles for each layout under which they are read, those without marks first."""

    name: str
    tiles: Mapping[str, Sequence[TileLayout]]

    @property
    def held(self) -> Counter[str]:
        """Return the number of its tiles for each layout under which they are read."""
        return Counter({read: sum(tile.count for tile in tiles) for read, tiles in self.tiles.items()})

    def weigh(self, lying: Counter[str]) -> tuple[int, bool, int]:
        """Return the number of tiles that it explains, whether it is scored in full, and minus those it misses."""
        new = Counter({read: number for read, number in self.held.items() if read in list_new_topologies()})
        explained = new & lying
        is_in_full = not any(is_scored_in_part(tile.id) for tiles in self.tiles.values() for tile in tiles)
        return explained.total(), is_in_full, explained.total() - new.total()


def name_other_tiles(
    tiles: Sequence[TileReading],
    supply: Mapping[str, int],
    stated: Mapping[str, int] = NONE_STATED,
    printed: Collection[Square] = (),
) -> tuple[TileReading, ...]:
    """Return the tiles with those of other boxes named, given the `supply` of the drawn boxes by tile.

    `stated` are the copies of boxes that a person stated: their tiles come first. Enrolled prints named the tiles on
    the squares `printed`.

    A tile read under a layout of the drawn boxes is renamed only if more of it lie there than the boxes hold, the least
    certain first. The only sure tile of its box is a doubt: any square may look like some tile of some box.
    """
    new = list_new_topologies()
    if not stated and not any(tile.tile in new for tile in tiles):
        return tuple(tile if tile.square in printed else _name_plainly(tile) for tile in tiles)
    named_by_net = [tile for tile in tiles if tile.tile and tile.cell is None and tile.square not in printed]
    ranked = sorted(named_by_net, key=lambda tile: -tile.confidence)
    others, laid = [], Counter[str]()
    for tile in ranked:
        laid[str(tile.tile)] += 1
        if tile.tile in new or laid[str(tile.tile)] > supply.get(str(tile.tile), 0):
            others.append(tile)
    boxes = _choose_boxes(Counter(str(tile.tile) for tile in others), stated)
    names = _choose_names(others, boxes, stated)
    boxes_of = [names[tile.square][1] if tile.square in names else _find_box(tile) for tile in tiles]
    sure = Counter(box for box, tile in zip(boxes_of, tiles, strict=True) if box and tile.confidence >= DOUBT_BELOW)
    lone = {box for box, number in sure.items() if number == 1 and not stated.get(box)}
    named = [
        tile if tile.square in printed else _name_plainly(tile, names.get(tile.square, ("", ""))[0]) for tile in tiles
    ]
    return tuple(_doubt(tile) if box in lone else tile for box, tile in zip(boxes_of, named, strict=True))


def list_printed(tiles: Sequence[TileReading], placed: Sequence[PlacedSurvey]) -> frozenset[Square]:
    """Return the squares of the tiles that enrolled prints named."""
    matches = {tile.square: identify_unknown_layout(placed, tile.square) for tile in tiles if tile.cell is None}
    named = ((tile, matches.get(tile.square)) for tile in tiles)
    return frozenset(tile.square for tile, match in named if match is not None and match[0].tile == tile.tile)


def identify_unknown_layout(placed: Sequence[PlacedSurvey], square: Square) -> tuple[TileKey, float] | None:
    """Find the enrolled tile on a square that no class of the net explains, and its probability; None without one.

    The surest photo decides. A wonder's square is not identified here: it is one of five.
    """
    matches = [match for survey in placed if (match := _identify_in_photo(survey, square)) is not None]
    return max(matches, key=lambda candidate: candidate[1], default=None)


def _identify_in_photo(placed: PlacedSurvey, square: Square) -> tuple[TileKey, float] | None:
    beyond, edges = placed.survey.logits.beyond, placed.survey.logits.edges
    if beyond is None or square not in placed.index:
        return None
    number = placed.index[square]
    edge_nats = [_weigh_edges(key, edges[number]) for key in beyond.keys]
    key, probability = beyond.named(number, edge_nats)
    if key is None or key.tile not in load_whole_catalogue():
        return None
    return key.turned(placed.step.turns), probability


def _weigh_edges(key: TileKey, edges: Floats) -> float:
    """Return the nats for a tile by the (4, 4) log-probabilities of a square's edges, against any tile.

    The squares of a wonder and the edges of an abbey, which fits anything, say nothing.
    """
    if key.tile not in load_whole_catalogue():
        return 0.0
    layout = load_whole_catalogue()[key.tile]
    kinds = [(number, layout.edge(side, key.turns)) for number, side in enumerate(SIDES)]
    return sum(float(edges[i, EDGE_KINDS.index(k)] + np.log(len(EDGE_KINDS))) for i, k in kinds if k in EDGE_KINDS)


def _choose_names(
    others: Sequence[TileReading], boxes: Sequence[_Box], stated: Mapping[str, int]
) -> dict[Square, tuple[str, str]]:
    """Return by square the names of tiles of other boxes, each with its box, as far as the boxes hold such tiles."""
    left = defaultdict[str, list[tuple[str, str]]](list)
    for box in boxes:
        for read, layouts in box.tiles.items():
            names = _list_names(read, layouts, is_stated=bool(stated.get(box.name)))
            left[read] += [(name, box.name) for name in names]
    return {tile.square: left[str(tile.tile)].pop(0) for tile in others if left[str(tile.tile)]}


def _list_names(read: str, layouts: Sequence[TileLayout], is_stated: bool) -> Iterator[str]:
    """Yield the names of a box's tiles with the land of one layout, without anything else that pays.

    If a person stated the box, its tiles of a topology that no drawn box has bear their own marks.
    """
    is_new = read in list_new_topologies()
    for tile in layouts:
        if is_plain(tile) or is_new:
            yield from [tile.id if is_plain(tile) or is_stated else find_plain_twin(tile.id)] * tile.count


def _find_box(tile: TileReading) -> str:
    """Return the further box of a tile; empty for a tile of the drawn boxes."""
    return tile.tile.partition("/")[0] if tile.tile and find_drawing(tile.tile) else ""


def _doubt(tile: TileReading) -> TileReading:
    return replace(tile, confidence=min(tile.confidence, DOUBT_BELOW), doubtful=True)


def _name_plainly(tile: TileReading, name: str = "") -> TileReading:
    """Return a tile under a name, or its own, with plain alternatives: a photo does not show a mark that pays."""
    others = tuple(
        replace(other, tile=plain[0], turns=plain[1])
        for other in tile.alternatives
        for plain in [_find_plain_name(other.tile, other.turns)]
    )
    named, turns = tile.tile, tile.turns
    if name:
        drawing = find_drawing(name)
        named, turns = name, (turns - (drawing[1] if drawing else 0)) % 4
    elif named is not None:
        named, turns = _find_plain_name(named, turns)
    if (named, turns, others) == (tile.tile, tile.turns, tile.alternatives):
        return tile
    corners = turn_quad(np.asarray(tile.corners_px), tile.turns - turns)
    return replace(tile, tile=named, turns=turns, corners_px=corners, alternatives=others)


def _find_plain_name(tile: str, turns: int) -> tuple[str, int]:
    """Return a class of the net under the name of the plain tile of its topology if its own bears a mark that pays."""
    if tile in list_new_topologies() and not is_plain(get_layout(tile)):
        return find_plain_tile(tile, turns)
    return tile, turns


def _choose_boxes(lying: Counter[str], stated: Mapping[str, int]) -> list[_Box]:
    """Choose boxes, after those `stated`, until they explain all tiles `lying` there of topologies that no drawn box
    has.

    The box that explains the most comes first; of several, one that is scored in full, and misses the fewest tiles.
    """
    chosen = [box for box in _list_boxes() for _ in range(stated.get(box.name, 0))]
    possible = [box for box in _list_boxes() if stated.get(box.name) != 0]
    left = Counter({read: number for read, number in lying.items() if read in list_new_topologies()})
    for box in chosen:
        left -= box.held
    while left and (best := max(possible, key=lambda box: box.weigh(left))).weigh(left)[0]:
        chosen.append(best)
        left -= best.held
    return chosen


@cache
def _list_boxes() -> tuple[_Box, ...]:
    tiles: dict[str, dict[str, list[TileLayout]]] = defaultdict(lambda: defaultdict(list))
    for layout in sorted(load_other_catalogue(), key=lambda layout: len(layout.marks)):
        tiles[layout.box][_find_read_layout(layout.id)].append(layout)
    return tuple(_Box(name, layouts) for name, layouts in tiles.items())


def _find_read_layout(tile: str) -> str:
    drawing, catalogue = find_drawing(tile), build_reading_catalogue()
    assert drawing is not None
    return catalogue[drawing[0]].id if drawing[0] in catalogue else drawing[0]
