"""The features of a game under way, updated as tiles are laid and never rebuilt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from scoring.carcassonne.board.board import PlacedMeeple, Placement
from scoring.carcassonne.board.box_rules import UNSAID, BoxRules
from scoring.carcassonne.board.features import Feature, Member, find_segment_sides, list_ends_at_abbey, pair_segments
from scoring.carcassonne.play.placement import find_empty_neighbours
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour, get_opposite_side, list_block
from scoring.carcassonne.tiles.kinds import Kind, counts_surroundings
from scoring.disjoint_sets import DisjointSets


@dataclass(frozen=True, slots=True)
class Holding:
    """The current state of one feature: its members, its open ends, and the pieces on it."""

    kind: Kind
    members: tuple[Member, ...]
    open_ends: int
    pieces: tuple[PlacedMeeple, ...] = ()


class Tracker:
    """Tiles and features of a game. A tile's changes are a `Laying`, which has no effect before `commit`.

    `frontier` holds the empty squares adjacent to a tile, `centres` the segments of each square that count their
    surroundings: its monastery and its garden. `box_rules` states for boxes whether their own rules are played.
    """

    def __init__(self, box_rules: BoxRules = UNSAID) -> None:
        self.box_rules = box_rules
        self.tiles: dict[Square, Placement] = {}
        self.frontier: set[Square] = set()
        self.centres: dict[Square, tuple[Member, ...]] = {}
        self.joins = DisjointSets[Member]()
        self._holdings: dict[Member, Holding] = {}

    def root(self, member: Member) -> Member:
        """Return the member that represents a feature."""
        return self.joins.root(member)

    def holding(self, root: Member) -> Holding:
        """Return the feature of a root."""
        return self._holdings[root]

    def at(self, square: Square, segment: int) -> Holding:
        """Return the feature that a segment belongs to; raise KeyError if there is no such segment."""
        return self._holdings[self.root((square, segment))]

    def holdings(self) -> Iterator[Holding]:
        """Yield every feature."""
        return iter(self._holdings.values())

    def copy(self) -> Tracker:
        """Return an independent copy of the tracker."""
        other = Tracker(self.box_rules)
        other.tiles, other.frontier = dict(self.tiles), set(self.frontier)
        other.centres = dict(self.centres)
        other.joins, other._holdings = self.joins.copy(), dict(self._holdings)
        return other

    def commit(self, laying: Laying) -> None:
        """Apply what was laid, in time proportional to the changes and not to the board."""
        for member in laying.gone:
            self._holdings.pop(member, None)
        self.tiles |= laying.tiles
        self.joins.absorb(laying.joins)
        self._holdings |= laying.holdings
        self.centres |= laying.centres
        self.frontier.difference_update(laying.tiles)
        self.frontier |= find_empty_neighbours(laying.tiles, self.tiles)


class Laying:
    """Tiles about to be laid on a tracker's board, and the resulting features."""

    def __init__(self, before: Tracker) -> None:
        self.tiles: dict[Square, Placement] = {}
        self.joins = DisjointSets(before.joins)
        self.holdings: dict[Member, Holding] = {}
        self.centres: dict[Square, tuple[Member, ...]] = {}
        self.gone: set[Member] = set()
        self._ended: list[Member] = []
        self._before = before

    def lay(self, placements: Mapping[Square, Placement]) -> None:
        """Add the squares of one tile and join adjacent segments, whether legal or not."""
        for square, placement in placements.items():
            self._add(square, placement)
        self._join_parts(placements)
        for square, placement in placements.items():
            for side in SIDES:
                across = get_neighbour(square, side)
                facing = self.tile(across)
                if facing is None or (across in placements and across < square):
                    continue
                for index, other in pair_segments(placement.layout, placement.turns, side, facing.layout, facing.turns):
                    self._join((square, index), (across, other), closes=2)
                ends = [(square, index) for index in list_ends_at_abbey(placement, side, facing)]
                ends += [(across, index) for index in list_ends_at_abbey(facing, get_opposite_side(side), placement)]
                for member in ends:
                    self._join(member, member, closes=1)
                self._ended += ends

    def tile(self, square: Square) -> Placement | None:
        """Return the tile on a square."""
        return self.tiles.get(square) or self._before.tiles.get(square)

    def find_placement(self, square: Square) -> Placement:
        """Return the tile on a square that holds one."""
        placement = self.tile(square)
        assert placement is not None
        return placement

    def root(self, member: Member) -> Member:
        """Return the member that represents a feature, including the tiles about to be laid."""
        return self.joins.root(member)

    def find_root(self, piece: PlacedMeeple) -> Member:
        """Return the member that represents the feature that a piece stands on."""
        assert piece.segment is not None
        return self.root((piece.square, piece.segment))

    def holding(self, root: Member) -> Holding:
        """Return the feature of a root."""
        holding = self.holdings.get(root)
        return holding if holding is not None else self._before.holding(root)

    def stand(self, piece: PlacedMeeple) -> None:
        """Set a piece on the feature of its segment."""
        root = self.find_root(piece)
        holding = self.holding(root)
        self.holdings[root] = replace(holding, pieces=(*holding.pieces, piece))

    def lift(self, piece: PlacedMeeple) -> Member:
        """Take one piece off its feature, and return the feature's root."""
        root = self.find_root(piece)
        holding = self.holding(root)
        self.holdings[root] = replace(holding, pieces=tuple(other for other in holding.pieces if other != piece))
        return root

    def clear(self, root: Member) -> tuple[PlacedMeeple, ...]:
        """Take all pieces off a feature, and return them."""
        holding = self.holding(root)
        self.holdings[root] = replace(holding, pieces=())
        return holding.pieces

    def completed(self) -> list[Member]:
        """Return the roots of the completed features: roads and cities, then monasteries and gardens."""
        roots = dict.fromkeys([*self.touched(), *map(self.root, self._ended)])
        closed = [r for r in roots if (holding := self.holding(r)).kind in ("road", "city") and not holding.open_ends]
        squares = dict.fromkeys(at for square in self.tiles for at in list_block(square))
        centres = ((at, member) for at in squares for member in self._centres(at))
        return closed + [member for at, member in centres if all(map(self.tile, list_block(at)))]

    def touched(self) -> list[Member]:
        """Return the roots of the features with a part on the tiles laid."""
        members = [(at, index) for at, placed in self.tiles.items() for index in range(len(placed.layout.segments))]
        return list(dict.fromkeys(self.root(member) for member in members))

    def feature(self, root: Member, complete: bool) -> Feature:
        """Return a feature for scoring, named by its kind and its first square; not for fields or wonders."""
        holding = self.holding(root)
        squares = {square for square, _ in holding.members}
        if counts_surroundings(holding.kind):
            squares = {square for square in list_block(holding.members[0][0]) if self.tile(square)}
        members = tuple(sorted(holding.members))
        row, col = members[0][0]
        return Feature(
            id=f"{holding.kind}@{row},{col}",
            kind=holding.kind,
            squares=tuple(sorted(squares)),
            complete=complete,
            members=members,
            placements=tuple(self.find_placement(square) for square, _ in members),
            pieces=holding.pieces,
            box_rules=self._before.box_rules,
        )

    def beside_monastery(self, square: Square) -> bool:
        """Return whether a monastery stands on one of the 8 squares around a square."""
        near = (at for at in list_block(square) if at != square)
        return any(self.holding(centre).kind == "monastery" for at in near for centre in self._centres(at))

    def _add(self, square: Square, placement: Placement) -> None:
        self.tiles[square] = placement
        layout, turns = placement.layout, placement.turns
        for index, segment in enumerate(layout.segments):
            member = (square, index)
            self.holdings[member] = Holding(segment.kind, (member,), len(find_segment_sides(layout, turns, index)))
            if counts_surroundings(segment.kind):
                self.centres[square] = (*self.centres.get(square, ()), member)

    def _centres(self, square: Square) -> tuple[Member, ...]:
        """Return the monastery and the garden of a square, if any."""
        return self.centres.get(square) or self._before.centres.get(square, ())

    def _join_parts(self, placements: Mapping[Square, Placement]) -> None:
        """Join the pieces of each part of a wonder tile."""
        first: dict[int, Member] = {}
        for square, placement in placements.items():
            for index, part in enumerate(placement.layout.parts):
                self._join(first.setdefault(part, (square, index)), (square, index), closes=0)

    def _join(self, one: Member, other: Member, closes: int) -> None:
        one, other = self.root(one), self.root(other)
        holding = self.holding(one)
        if one == other:
            self.holdings[one] = replace(holding, open_ends=holding.open_ends - closes)
            return
        joined = self.holding(other)
        if len(joined.members) > len(holding.members):
            one, other, holding, joined = other, one, joined, holding
        self.joins.join(one, other)
        self.holdings.pop(other, None)
        self.gone.add(other)
        self.holdings[one] = Holding(
            holding.kind,
            holding.members + joined.members,
            holding.open_ends + joined.open_ends - closes,
            holding.pieces + joined.pieces,
        )
