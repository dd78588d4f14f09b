"""An independent final scoring by the rules of today: half edges and a union-find, with neither geometry nor features.

From the project it takes only the facts of each tile's segments: kinds, edges, marks, and the cities that fields touch.
It gets the boxes whose rules were played as plain words, and reads a tile's box from its id.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping

from scoring.carcassonne.board.board import Board, PlacedMeeple

Member = tuple[tuple[int, int], int]
Entry = tuple[str, int, str, frozenset[Member] | str]
"""A player, points, the rule's code, and the segments of the feature; for goods their kind."""

SIDES = "NESW"
HALVES = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")
STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
BOX_OF_PREFIX = {
    "RI": "river1",
    "RI.1": "river1",
    "RI.2": "river2",
    "C3RI": "river1",
    "IC": "inns",
    "C31IC": "inns",
    "TB": "traders",
    "C31TB": "traders",
    "AM": "abbey",
    "SI.BE": "siege",
    "SI.CA": "siege",
    "HS": "hills",
    "R3": "hills",
    "MO": "monasteries",
    "MB": "monasteries",
    "JP": "monasteries",
}


class PlainScorer:
    """A board, and the boxes whose rules are not played."""

    def __init__(self, board: Board, off: Collection[str] = ()) -> None:
        self.board, self.off = board, off
        self.tiles = {square: tile for square, tile in board.tiles.items() if tile is not None}
        self.up: dict[Member, Member] = {}
        self.open: Counter[Member] = Counter()
        ports: dict[tuple[tuple[int, int], str, str], Member] = {
            (square, segment.kind, turn(edge, tile.turns)): (square, index)
            for square, tile in self.tiles.items()
            for index, segment in enumerate(tile.layout.segments)
            for edge in segment.edges
        }
        beyond = {port: self.find_facing(*port) for port in ports}
        for port, member in ports.items():
            if beyond[port] in ports:
                self.join(member, ports[beyond[port]])
        self.join_wonders()
        for port, member in ports.items():
            self.open[self.root(member)] += beyond[port] not in ports and not self.is_abbey(beyond[port][0])
        self.features: dict[Member, list[Member]] = defaultdict(list)
        for square, tile in self.tiles.items():
            for index in range(len(tile.layout.segments)):
                self.features[self.root((square, index))].append((square, index))
        self.standing: dict[Member, list[PlacedMeeple]] = defaultdict(list)
        for piece in board.meeples:
            if piece.segment is not None:
                self.standing[self.root((piece.square, piece.segment))].append(piece)

    @staticmethod
    def find_facing(square: tuple[int, int], kind: str, edge: str) -> tuple[tuple[int, int], str, str]:
        """Return the port on the other side of a border: left and right of a half edge change places."""
        down, right = STEPS[edge[0]]
        side = SIDES[(SIDES.index(edge[0]) + 2) % 4]
        half = {"L": "R", "R": "L"}.get(edge[1:], "")
        return (square[0] + down, square[1] + right), kind, side + half

    def is_abbey(self, square: tuple[int, int]) -> bool:
        return square in self.tiles and self.tiles[square].tile == "AM/A"

    def has_mark(self, square: tuple[int, int], mark: str) -> bool:
        """Return whether a mark that the rules of its box score is printed on a tile."""
        if square not in self.tiles or mark not in self.tiles[square].layout.marks:
            return False
        return BOX_OF_PREFIX.get(self.tiles[square].tile.split("/")[0]) not in self.off

    def root(self, member: Member) -> Member:
        while member in self.up:
            member = self.up[member]
        return member

    def join(self, one: Member, other: Member) -> None:
        one, other = self.root(one), self.root(other)
        if one != other:
            self.up[one] = other

    def join_wonders(self) -> None:
        for wonder in self.board.wonders:
            first: dict[int, Member] = {}
            for square, tile in wonder.placements.items():
                for index, part in enumerate(tile.layout.parts):
                    self.join((square, index), first.setdefault(part, (square, index)))

    def kind(self, root: Member) -> str:
        return self.tiles[root[0]].layout.segments[root[1]].kind

    def is_complete(self, root: Member) -> bool:
        if self.kind(root) in ("monastery", "garden"):
            return self.count_around(root[0]) == 9
        return self.open[root] == 0

    def count_around(self, square: tuple[int, int]) -> int:
        return sum((square[0] + a, square[1] + b) in self.board.tiles for a in (-1, 0, 1) for b in (-1, 0, 1))

    def marks(self, root: Member) -> Counter[str]:
        """Return the inns, cathedrals and pig herds of a feature, except those of boxes that are off."""
        found: Counter[str] = Counter()
        for square, index in self.features[root]:
            box = BOX_OF_PREFIX.get(self.tiles[square].tile.split("/")[0])
            if box not in self.off:
                segment = self.tiles[square].layout.segments[index]
                found.update({"inn": segment.inn, "cathedral": segment.cathedral, "herd": segment.pig_herd})
        return found

    def leaders(self, root: Member, pieces: Collection[PlacedMeeple]) -> list[str]:
        mayor = 1 if "abbey" in self.off else self.count_coats(root)
        weights = {"meeple": 1, "abbot": 1, "wagon": 1, "mayor": mayor, "big": 1 if "inns" in self.off else 2}
        strengths: Counter[str] = Counter()
        for piece in pieces:
            strengths[piece.colour] += weights.get(piece.kind, 0)
        most = max(strengths.values(), default=0)
        first = [colour for colour, strength in strengths.items() if strength == most and strength]
        raised = {piece.colour for piece in pieces if weights.get(piece.kind) and self.has_mark(piece.square, "hill")}
        tied_on_hills = [colour for colour in first if colour in raised]
        return tied_on_hills if len(first) > 1 and tied_on_hills and "hills" not in self.off else first

    def count_coats(self, root: Member) -> int:
        return sum(self.tiles[square].layout.segments[index].shields for square, index in self.features[root])

    def count_cross(self, square: tuple[int, int]) -> int:
        found = 0
        for down, right in STEPS.values():
            at = square[0] + down, square[1] + right
            while at in self.board.tiles:
                found, at = found + 1, (at[0] + down, at[1] + right)
        return found

    def score(self, goods: Mapping[str, Mapping[str, int]], players: int, tiles: int) -> Counter[Entry]:
        """Return all entries of a table with these goods (by kind, then by player), players and tiles in play."""
        return Counter([*self.score_wonders(players, tiles), *self.score_pieces(), *self.score_goods(goods)])

    def score_pieces(self) -> Iterator[Entry]:
        for root, pieces in self.standing.items():
            kind, members = self.kind(root), frozenset(self.features[root])
            if kind == "wonder" or (kind == "garden" and "abbot" in self.off):
                continue
            if kind == "monastery" and self.has_mark(root[0], "special"):
                lying = [p for p in pieces if p.pose == "lying" and p.kind not in ("builder", "pig", "barn")]
                pieces = [piece for piece in pieces if piece not in lying]
                cross = 1 + self.count_cross(root[0])
                yield from ((piece.colour, cross, "monastery.abbot", members) for piece in lying)
            if kind == "field" and "abbey" not in self.off:
                barns = {piece.colour for piece in pieces if piece.kind == "barn"}
                yield from ((player, 4 * self.count_fed(root), "field.barn", members) for player in barns)
            for player in self.leaders(root, pieces):
                if kind == "field":
                    pig = "traders" not in self.off and any((p.colour, p.kind) == (player, "pig") for p in pieces)
                    each = 3 + pig + self.marks(root)["herd"]
                    yield player, each * self.count_fed(root), "field.farm", members
                else:
                    state = "finished" if self.is_complete(root) else "unfinished"
                    yield player, self.value(root, kind), f"{kind}.{state}", members

    def value(self, root: Member, kind: str) -> int:
        complete, marks = self.is_complete(root), self.marks(root)
        if kind in ("monastery", "garden"):
            row, col = root[0]
            around = [(row + a, col + b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
            grown = complete and kind == "monastery" and "hills" not in self.off
            vines = sum("vineyard" in self.tiles[at].layout.marks for at in around if at in self.tiles)
            return self.count_around(root[0]) + 3 * vines * grown
        size = len({square for square, _ in self.features[root]})
        if kind == "road":
            return size * ((2 if complete else 0) if marks["inn"] else 1)
        each = 3 * complete if marks["cathedral"] else 1 + complete
        return (size + self.count_coats(root)) * max(0, each - self.is_besieged(root))

    def is_besieged(self, root: Member) -> bool:
        return any(self.has_mark(square, "besieged") for square, _ in self.features[root])

    def count_fed(self, field: Member) -> int:
        """Return the number of complete cities at a field, a besieged one twice."""
        return sum(1 + self.is_besieged(city) for city in self.list_cities(field))

    def list_cities(self, field: Member) -> set[Member]:
        touched = {
            self.root((square, city))
            for square, index in self.features[field]
            for city in self.tiles[square].layout.segments[index].cities
        }
        return {city for city in touched if self.is_complete(city)}

    def score_goods(self, goods: Mapping[str, Mapping[str, int]]) -> Iterator[Entry]:
        finished = Counter(self.kind(root) for root in self.features if self.is_complete(root))
        each = [0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
        for kind, counts in goods.items():
            most = max(counts.values(), default=0)
            for player, n in ((player, n) for player, n in counts.items() if n):
                if kind == "gold":
                    yield player, n * each[n], "gold.bars", kind
                elif kind == "king":
                    yield player, finished["city"], "king.cities", kind
                elif kind == "baron":
                    yield player, finished["road"], "baron.roads", kind
                elif kind == "other":
                    yield player, n, "other.points", kind
                elif "traders" not in self.off and n == most:
                    yield player, 10, "goods.majority", kind

    def score_wonders(self, players: int, tiles: int) -> Iterator[Entry]:
        for root, pieces in self.standing.items():
            if self.kind(root) != "wonder" or len({piece.colour for piece in pieces}) != 1:
                continue
            owner, name = pieces[0].colour, self.tiles[root[0]].tile.removeprefix("WH/")
            points = self.price_wonder(name, owner, players, tiles)
            if points is not None:
                yield owner, points, f"wonder.{name}", frozenset(self.features[root])

    def price_wonder(self, name: str, owner: str, players: int, tiles: int) -> int | None:
        followers = [
            (self.kind(root), self.is_complete(root), piece.colour)
            for root, pieces in self.standing.items()
            for piece in pieces
            if piece.kind in ("meeple", "big", "abbot", "mayor", "wagon")
        ]
        if name == "circus-maximus":
            rivals = sum(kind == "city" and not done and colour != owner for kind, done, colour in followers)
            return rivals * (4 if players == 2 else 3 if players <= 4 else 2)
        if name == "alhambra":
            farmers = sum(kind == "field" and colour == owner for kind, _, colour in followers)
            return farmers * (6 if tiles >= 120 else 5)
        if name == "angkor-wat":
            roads = [root for root in self.features if self.kind(root) == "road"]
            return 5 * sum(len({square for square, _ in self.features[road]}) >= 5 for road in roads)
        return 2 * self.count_long_lines() if name == "terracotta-army" else None

    def count_long_lines(self) -> int:
        lines = 0
        for axis in (0, 1):
            by_line: dict[int, set[int]] = defaultdict(set)
            for square in self.board.tiles:
                by_line[square[axis]].add(square[1 - axis])
            lines += sum(any({*range(at, at + 7)} <= line for at in line) for line in by_line.values())
        return lines


def turn(edge: str, turns: int) -> str:
    """Return an edge or a half edge as placed, after clockwise quarter turns."""
    if len(edge) == 1:
        return SIDES[(SIDES.index(edge) + turns) % 4]
    return HALVES[(HALVES.index(edge) + 2 * turns) % 8]
