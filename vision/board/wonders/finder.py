"""Wonder tiles among the squares of a board: five squares that are one print, strange to the classifier.

No net knows a wonder's art, and the edges of a copy are unknown before it is seen. The evidence for a wonder is the
following. Its squares look like no tile of the catalogue and lie against the board. No seam runs between them. They
match the known art, if any. Its outer edges, as seen on both sides of the border, agree with the layout that is known
or inferred, or with the stated numbers of road ends and cities. A piece on it stands on its head, as only a wonder's
marker does. The outline and the edges decide which of the eight it is. Every way to lay a wonder is compared with the
same squares without it. Ways that overlap, and ways of the same wonder, exclude each other: all compatible sets of ways
are weighed. The most likely set is read; other likely ways are kept as questions for the user.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.tiles.catalogue import Catalogue
from scoring.carcassonne.tiles.geometry import SIDES, Square, find_outer_neighbours
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.files import build_bare_wonder
from scoring.carcassonne.wonders.shapes import list_outlines, list_turned_outlines, move_squares, weigh_outline
from scoring.carcassonne.wonders.tiles import WonderLayout, find_inner_sides
from vision.arrays import EVEN_ODDS, FLOOR, Flags, Floats, Ints
from vision.board.legal.problem import BOX_PRIOR_NATS, SHOWN_PROBABILITY
from vision.board.wonders.coats import CoatMatcher, read_coats
from vision.board.wonders.copies import MAX_COPIES, list_edge_kinds, read_copy, weigh_layout
from vision.board.wonders.edges import sum_free_edges
from vision.board.wonders.evidence import (
    STEPS_BY_SIDE,
    MarkerLooks,
    SquareEvidence,
    count_marker_evidence,
    load_single_nats,
    weigh_marker,
)
from vision.board.wonders.packing import weigh_packings
from vision.board.wonders.seams import SeamMeter, load_most_nats, weigh_print
from vision.reading.values import WonderReading
from vision.squares.classifier import TileLogits
from vision.survey.survey import PlacedSurvey

KnownArt = Mapping[tuple[str, int, int], Floats]
"""Log-likelihood ratio, in nats (n,), that each square of the board shows a certain wonder's square, by (the wonder's
id, the square's index, turns), against some unknown tile, according to reference pictures of the wonder's real art."""

MIN_POSSIBLE_PROBABILITY = 0.03
"""Minimum probability at which a possible wonder is put to the user as a question. A guess."""
MIN_UNMARKED_PROBABILITY = 0.005
"""The same before pieces are inspected: a marker may multiply the probability by 6. A guess."""
HOPELESS_NATS = float(np.log(SHOWN_PROBABILITY))
"""Ways to lay a wonder with lower log-odds are dropped: like tiles as unlikely, they are not offered."""


def find_wonders(
    squares: Sequence[Square],
    logits: TileLogits,
    catalogue: Catalogue,
    art: KnownArt | None = None,
    layouts: Mapping[str, WonderLayout] | None = None,
    placed: Sequence[PlacedSurvey] = (),
    markers: MarkerLooks | None = None,
) -> FoundWonders:
    """Return the wonders on squares (row, col) of a board, given the n rows of `logits` of the n squares.

    `layouts` are those in force, by id, else those shipped. Seams are measured in the first of the `placed` photos.
    `markers` are the odds that pieces stand on their heads, None before any piece is inspected.
    """
    if not squares:
        return FoundWonders()
    return WonderSearch(squares, logits, catalogue, art, layouts, placed).find(markers)


def read_wonder_coats(
    found: FoundWonders,
    squares: Sequence[Square],
    log_probs: Floats,
    catalogue: Catalogue,
    placed: Sequence[PlacedSurvey],
) -> FoundWonders:
    """Return the wonders of a board with the coats of arms that the first of the photos shows on them.

    `log_probs` (n, K + 2) are those of the catalogue's turned layouts for each of the n `squares` of the board.
    """
    if not placed or not (found.read or found.possible):
        return found
    matcher = CoatMatcher(placed[0], squares, log_probs, catalogue)
    read, possible = (
        tuple(read_coats(wonder, matcher) for wonder in wonders) for wonders in (found.read, found.possible)
    )
    return replace(found, read=read, possible=possible)


def apply_wonder_evidence(
    squares: Sequence[Square], logits: TileLogits, wonders: Sequence[WonderReading]
) -> TileLogits:
    """Return the logits with wonders' squares marked as no catalogue tile, and wonders' edges outside."""
    layouts, edges = logits.layouts.copy(), logits.edges.copy()
    index = {square: i for i, square in enumerate(squares)}
    for wonder in wonders:
        kinds = list_edge_kinds(wonder.placed.layout, wonder.placed.turns)
        for square, square_kinds in zip(wonder.placed.squares, kinds, strict=True):
            i = index[square]
            layouts[i] = np.log(FLOOR)
            layouts[i, -2] = 0.0
            for side in np.flatnonzero(square_kinds >= 0):
                mixed = (1 - wonder.probability) * np.exp(edges[i, side])
                mixed[square_kinds[side]] += wonder.probability
                edges[i, side] = np.log(np.maximum(mixed, FLOOR))
    return TileLogits(layouts, edges)


@dataclass(frozen=True, slots=True)
class FoundWonders:
    """The wonders of a board: those `read`, and those that are only `possible`, with other tiles read there.

    The probabilities of possible wonders belong to the ways to lay them; the rest is that there is none. The `search`
    that found them can be repeated with more evidence.
    """

    read: tuple[WonderReading, ...] = ()
    possible: tuple[WonderReading, ...] = ()
    search: WonderSearch | None = field(default=None, compare=False, repr=False)

    @property
    def doubtful(self) -> bool:
        """Whether more evidence may change which wonders are on the board."""
        return bool(self.possible) or any(wonder.doubtful for wonder in self.read)


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """One way to lay a wonder, and its log-odds against no wonder on these squares.

    `placed` has the layout in force if the outline is its own; otherwise only the squares are known.
    """

    wonder: str
    outline: tuple[Square, ...]
    squares: frozenset[Square]
    placed: PlacedWonder | None
    odds: float


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """Possible wonders with an outline in m places: their log-odds (wonders, m) without seams.

    `turns` (m,) are the most likely orientations, by index of a wonder whose layout in force has this outline.
    """

    odds: Floats
    turns: Mapping[int, Ints]


@dataclass(frozen=True, slots=True, eq=False)
class _Region:
    """The m places where wonders with an outline may lie: `numbers` (m, 5) of their squares, `first` (m,) of the
    outline's own first squares, and their log-odds (m,) by all evidence except edges, seams and art; `known` (m,) is
    the evidence of reference pictures by a wonder's id and turns."""

    outline: tuple[Square, ...]
    first: Ints
    numbers: Ints
    odds: Floats
    known: Mapping[tuple[str, int], Floats]

    @property
    def outer_edges(self) -> tuple[Ints, Ints]:
        """The squares and sides of its outer edges."""
        cells, sides = np.nonzero(_find_outer_sides(self.outline))
        return cells, sides


class WonderSearch:
    """A search for the wonders on the squares of one board, which measures everything once, however often it is
    repeated. Its arguments are those of `find_wonders`."""

    def __init__(
        self,
        squares: Sequence[Square],
        logits: TileLogits,
        catalogue: Catalogue,
        art: KnownArt | None = None,
        layouts: Mapping[str, WonderLayout] | None = None,
        placed: Sequence[PlacedSurvey] = (),
    ) -> None:
        self.squares, self.layouts, self.art = squares, layouts or load_wonder_catalogue(), art or {}
        self.evidence = SquareEvidence.from_logits(squares, logits, catalogue)
        occupied = set(squares)
        borders = [(s, o) for s in squares for o in ((s[0], s[1] + 1), (s[0] + 1, s[1])) if o in occupied]
        self.seams = SeamMeter(placed[0], borders) if placed else None
        self._free_sums: dict[tuple[Square, ...], Floats] = {}

    def find(self, markers: MarkerLooks | None = None) -> FoundWonders:
        """Return the wonders given all evidence; `markers` are the odds that pieces stand on their heads.

        `markers` is None before any piece is inspected.
        """
        evidence = None if markers is None else count_marker_evidence(self.squares, markers)
        selection = self._select(evidence, np.zeros(len(self.squares), bool))
        if selection.read:
            covered = {square for wonder in selection.read for square in wonder.placed.squares}
            selection = self._select(evidence, np.array([square in covered for square in self.squares]))
        read, possible = (
            tuple(read_copy(wonder, self.evidence, self.squares) for wonder in wonders)
            for wonders in (selection.read, selection.possible)
        )
        return FoundWonders(read, possible, self)

    def _select(self, markers: Floats | None, apart: Flags) -> FoundWonders:
        """Return the wonders of the most likely set of ways, then other possible ones outside that set.

        `markers` (n,) is the evidence for a marker on each square, None before pieces are inspected. `apart` (n,) are
        squares explained by wonders: they do not count as tiles of unknown layouts, and they belong to
        the board, which other wonders may touch.
        """
        ways = list(self._list_ways(markers, apart))
        if not ways:
            return FoundWonders()
        number = {square: i for i, square in enumerate(self.squares)}
        covers = np.zeros((len(ways), len(number)), np.bool_)
        for row, way in zip(covers, ways, strict=True):
            row[[number[square] for square in way.squares]] = True
        odds, names = np.array([way.odds for way in ways]), [way.wonder for way in ways]
        packing = weigh_packings(odds, covers, names, load_single_nats())
        read, possible = list[WonderReading](), list[WonderReading]()
        left = np.ones(len(ways), np.bool_)
        others = iter(np.argsort(-packing.shares, kind="stable").tolist())
        for best in (*packing.best, *others):
            if not left[best]:
                continue
            exclusive = (covers & covers[best]).any(axis=1) | np.array([w.wonder == ways[best].wonder for w in ways])
            rivals = np.flatnonzero(exclusive if best in packing.best else exclusive & left)
            left[rivals] = False
            shares = _share_probability(packing.shares[rivals], rivals == best)
            if shares.sum() < (MIN_UNMARKED_PROBABILITY if markers is None else MIN_POSSIBLE_PROBABILITY):
                continue
            wonder = _build_reading(ways[best], zip([ways[i] for i in rivals], shares.tolist(), strict=True))
            here = wonder.probability + sum(p for other, p in wonder.alternatives if other.is_copy_of(wonder.placed))
            if here >= EVEN_ODDS:
                read.append(wonder)
            else:
                possible.append(replace(wonder, alternatives=wonder.alternatives[:MAX_COPIES]))
        return FoundWonders(tuple(read), tuple(possible))

    def _list_ways(self, markers: Floats | None, apart: Flags) -> Iterator[_Way]:
        """Yield every way to lay a wonder on the squares that is not hopeless.

        Edges, and then seams, which cost most, are inspected only if a way may still be likely by all other evidence.
        """
        regions = list(self._list_regions(markers, apart))
        for region, free in zip(regions, self._sum_free_edges(regions), strict=True):
            laid = self._weigh_wonders(region, free)
            best = region.odds + laid.odds.max(axis=0)
            rows = np.flatnonzero(best + self._bound_seams(region.outline) > HOPELESS_NATS)
            if not len(rows):
                continue
            odds = (region.odds + laid.odds)[:, rows] + self._weigh_seams(region.outline, region.numbers[rows])
            for number in np.flatnonzero((odds > HOPELESS_NATS).any(axis=1)).tolist():
                yield from self._build_ways(region, laid, number, rows, odds[number])

    def _list_regions(self, markers: Floats | None, apart: Flags) -> Iterator[_Region]:
        """Yield, by outline, the places where some wonder is possible by all but edges and seams."""
        edge_gains = self.evidence.bound_edge_gains()
        strangeness = self.evidence.weigh_strangeness(apart)
        prior = BOX_PRIOR_NATS - np.log(4 * len(self.squares))
        for outline in list_outlines():
            numbers = self._find_numbers(self.evidence.at, _find_offsets(outline))
            masks = _find_outer_masks(outline)
            odds = np.where((numbers >= 0).all(axis=1), prior, -np.inf) + strangeness[numbers, masks].sum(axis=1)
            if markers is not None:
                odds += weigh_marker(markers[numbers].sum(axis=1))
            known = self._find_known(outline, numbers)
            gains = np.max([np.zeros(len(odds)), *known.values()], axis=0) + edge_gains[numbers, masks].sum(axis=1)
            most = odds + gains + self._bound_seams(outline)
            rows = np.flatnonzero(most > HOPELESS_NATS)
            rows = rows[self._find_joined(outline, rows, numbers[rows], apart)]
            if len(rows):
                known_here = {key: nats[rows] for key, nats in known.items()}
                yield _Region(outline, rows, numbers[rows], odds[rows], known_here)

    def _sum_free_edges(self, regions: Sequence[_Region]) -> list[Floats]:
        """Return for each region (wonders, m) the support of its edges for each wonder, wherever its features end.

        Outlines with the same number of edges are summed together, which is much faster, and each place once.
        """
        fresh: dict[int, list[tuple[Floats, Ints, Floats]]] = defaultdict(list)
        for region in regions:
            sums = self._free_sums.setdefault(region.outline, np.full((len(self.layouts), len(self.squares)), np.nan))
            new = np.isnan(sums[0, region.first])
            cells, sides = region.outer_edges
            if new.any():
                edges = self.evidence.edges[region.numbers[new][:, cells], sides]
                fresh[len(cells)].append((sums, region.first[new], edges))
        for alike in fresh.values():
            free = sum_free_edges(np.concatenate([edges for _, _, edges in alike]), [*self.layouts])
            cuts = np.cumsum([len(first) for _, first, _ in alike])[:-1]
            for (sums, first, _), part in zip(alike, np.split(free, cuts, axis=1), strict=True):
                sums[:, first] = part
        return [self._free_sums[region.outline][:, region.first] for region in regions]

    def _bound_seams(self, outline: tuple[Square, ...]) -> float:
        """Return the maximum support of the borders within an outline for one print."""
        inner = int((~_find_outer_sides(outline)).sum()) // 2
        return inner * load_most_nats() if self.seams else 0.0

    def _find_joined(self, outline: tuple[Square, ...], first: Ints, numbers: Ints, apart: Flags) -> Flags:
        """Mark (m,) the places whose (m, 5) squares lie against the board, as every tile does, or are the whole board.

        The squares of other wonders, `apart`, belong to the board. `first` (m,) are the indices of the outline's first
        squares.
        """
        board = np.append(self.evidence.board | apart, False)  # index -1 selects the appended entry
        beside = self._find_numbers(self.evidence.at[first], _find_outer_offsets(outline))
        return np.asarray(board[beside].any(axis=1) | (board[numbers].sum(axis=1) == board.sum()))

    def _weigh_wonders(self, region: _Region, free: Floats) -> _Laid:
        """Weigh each wonder in m places of a region; `free` (wonders, m) is the support for any edges it may have."""
        outline = region.outline
        nats = np.log([max(weigh_outline(layout, outline), FLOOR) for layout in self.layouts.values()])
        odds, turns = nats[:, None] + free, dict[int, Ints]()
        for number, (wonder, layout) in enumerate(self.layouts.items()):
            fitting = [turn for turn, turned in enumerate(list_turned_outlines(layout.squares)) if turned == outline]
            if fitting:
                weighed = np.stack(
                    [
                        self._weigh_turn(layout, turn, outline, region.numbers, free[number])
                        + region.known.get((wonder, turn), 0.0)
                        for turn in fitting
                    ]
                )
                odds[number] = nats[number] + np.logaddexp.reduce(weighed - np.log(len(fitting)), axis=0)
                turns[number] = np.array(fitting)[weighed.argmax(axis=0)]
        return _Laid(odds, turns)

    def _build_ways(self, region: _Region, laid: _Laid, number: int, rows: Ints, odds: Floats) -> Iterator[_Way]:
        """Yield the ways to lay one wonder, by index, that are not hopeless, with `odds` in some rows."""
        wonder, layout = [*self.layouts.items()][number]
        hopeful = odds > HOPELESS_NATS
        for row, nats in zip(rows[hopeful].tolist(), odds[hopeful].tolist(), strict=True):
            placed, squares = None, region.numbers[row]
            if number in laid.turns:
                turn = int(laid.turns[number][row])
                first = region.outline.index(move_squares(layout.squares, turn)[0])
                placed = PlacedWonder(layout, layout.anchor(self.squares[squares[first]], 0, turn), turn)
            covered = frozenset(self.squares[i] for i in squares)
            yield _Way(wonder, region.outline, covered, placed, nats)

    def _weigh_turn(
        self, layout: WonderLayout, turn: int, outline: tuple[Square, ...], numbers: Ints, free: Floats
    ) -> Floats:
        """Return (m,) the support of the edges of (m, 5) squares for a wonder in this orientation."""
        where = [outline.index(square) for square in move_squares(layout.squares, turn)]
        return weigh_layout(layout, turn, self.evidence.edges[numbers[:, where]], free)

    def _find_numbers(self, at: Ints, offsets: Ints) -> Ints:
        """Return (m, k) the indices of the squares at k offsets (row, col) from m places on the grid, -1 for none."""
        where = at[:, None] + offsets
        return np.asarray(self.evidence.grid[where[..., 0], where[..., 1]])

    def _find_known(self, outline: tuple[Square, ...], numbers: Ints) -> dict[tuple[str, int], Floats]:
        """Return the evidence (n,) of reference pictures for wonders with this outline, by id and turns."""
        nats = dict[tuple[str, int], Floats]()
        for wonder in {wonder for wonder, _, _ in self.art}:
            layout = self.layouts[wonder]
            for turn, turned in enumerate(list_turned_outlines(layout.squares)):
                if turned == outline:
                    sums = np.zeros(len(numbers))
                    for cell, square in enumerate(move_squares(layout.squares, turn)):
                        there = numbers[:, outline.index(square)]
                        if (art := self.art.get((wonder, cell, turn))) is not None:
                            sums += np.where(there >= 0, art[there], 0.0)
                    nats[wonder, turn] = sums
        return nats

    def _weigh_seams(self, outline: tuple[Square, ...], numbers: Ints) -> Floats:
        """Return (m,) the support of the borders of (m, 5) squares for one print, with seams around it."""
        if self.seams is None:
            return np.zeros(len(numbers))
        outer = _find_outer_sides(outline)
        outwards, inwards = np.argwhere(outer).tolist(), np.argwhere(~outer).tolist()
        within = [self._sum_seams(row, [(cell, side) for cell, side in inwards if side in (1, 2)]) for row in numbers]
        around = [self._sum_seams(row, outwards) for row in numbers]
        return weigh_print(np.array(within), np.array(around))

    def _sum_seams(self, numbers: Ints, borders: Iterable[Sequence[int]]) -> float:
        """Return the evidence for tiles at borders of five squares, each given by a square of the five and its side.

        Bare table on both sides of a border explains a missing seam as well.
        """
        assert self.seams is not None
        pairs = []
        for cell, side in borders:
            number = int(numbers[cell])
            row, col = self.evidence.at[number] + STEPS_BY_SIDE[side]
            if (other := int(self.evidence.grid[row, col])) >= 0:
                pairs.append(tuple(sorted((number, other), key=self.squares.__getitem__)))
        nats = np.array(self.seams.weigh([(self.squares[a], self.squares[b]) for a, b in pairs]))
        bare = self.evidence.bare[np.array(pairs, int).reshape(-1, 2)].min(axis=1)
        return float(np.logaddexp(np.log(np.maximum(bare, FLOOR)), np.log(np.maximum(1 - bare, FLOOR)) + nats).sum())


@cache
def _find_outer_sides(outline: tuple[Square, ...]) -> Flags:
    """Mark (5, 4) the outer sides of an outline's squares."""
    return np.array([[side not in find_inner_sides(outline, square) for side in SIDES] for square in outline])


@cache
def _find_outer_masks(outline: tuple[Square, ...]) -> Ints:
    """Return (5,) the same as bits N E S W."""
    return np.asarray((_find_outer_sides(outline) << np.arange(4)).sum(axis=1))


@cache
def _find_offsets(outline: tuple[Square, ...]) -> Ints:
    """Return (5, 2) the offsets from the first square of an outline to each of it."""
    return np.asarray(np.array(outline) - outline[0], np.int64)


@cache
def _find_outer_offsets(outline: tuple[Square, ...]) -> Ints:
    """Return (k, 2) the offsets from the first square of an outline to those around it."""
    return np.asarray(np.array(find_outer_neighbours(outline)) - outline[0], np.int64)


def _share_probability(shares: Floats, is_best: Flags) -> Floats:
    """Return the shares (n,) of ways that exclude the best; if these are compatible among themselves, scale them to the
    probability that the best leaves."""
    best = float(shares[is_best].sum())
    others = float(shares[~is_best].sum())
    return np.where(is_best, shares, shares * min(1.0, (1 - best) / max(others, FLOOR)))


def _build_reading(best: _Way, shares: Iterable[tuple[_Way, float]]) -> WonderReading:
    """Build the reading of the best of some mutually exclusive ways, with the others that are not hopeless."""
    probabilities = dict(shares)
    likely = [(way, p) for way, p in probabilities.items() if way is not best and p >= SHOWN_PROBABILITY]
    return WonderReading(_place(best), probabilities[best], tuple((_place(way), p) for way, p in likely))


def _place(way: _Way) -> PlacedWonder:
    """Return the wonder of a way, in the board's own frame if only its squares are known."""
    if way.placed is not None:
        return way.placed
    corner = min(row for row, _ in way.squares), min(col for _, col in way.squares)
    return PlacedWonder(build_bare_wonder(way.wonder, way.outline), corner, 0)
