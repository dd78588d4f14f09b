"""The joint posterior of all pieces of a table: which of them are there, their colours, and their places.

The photo's evidence for each piece is combined with constraints on all of them: a tile usually bears one piece, a
player has a limited number and one of each special kind, a builder or a pig stands with a follower of its own, and a
colour with no other piece on the board is less likely than one with some. The posterior is sampled by Gibbs' method in
several parallel chains. The result is the mean of the conditionals, which is closer to the posterior than the share of
samples (Gelfand and Smith, 1990). If 2 pieces depend only on each other, its resolution is still limited by the number
of chains. The odds of a new player depend on the number of the others' pieces, so the conditionals are nearly, but not
exactly, those of one distribution.

The chains start from the evidence alone, and the constraints gain weight from sweep to sweep, so that the first piece
does not always give way. Each piece has its own random seed: the same pieces give the same posterior, and a further
piece changes nothing about unrelated ones.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scoring.calibration import load_weights
from scoring.carcassonne.board.board import MEEPLES_A_PLAYER, Board
from scoring.carcassonne.board.features import FeatureMap
from scoring.carcassonne.board.pieces import NEEDS_COMPANY, get_piece_strength
from scoring.carcassonne.doubt.kinds.base import MEEPLE
from vision.arrays import SUREST, Flags, Floats, compute_softmax
from vision.board.legal.problem import SHOWN_PROBABILITY
from vision.colour.prior import estimate_new_colour_odds
from vision.pieces.classifier import NAMED_SURE, SAME_FOOT, compute_feet_distance
from vision.pieces.placement import Place
from vision.reading.piece import Piece

Numbers = NDArray[np.intp]

CHAINS, WARM_UP_SWEEPS, KEPT_SWEEPS, SEED = 256, 3, 6, 1
"""Number of chains, of warm-up sweeps and of kept sweeps, and the seed; a piece's result averages chains times kept
sweeps. Measured: other seeds changed no probability of 44 real tables by more than 0.01, and with 64 chains by 0.06. No
command prints this.
"""
SUPPLY_PATIENCE = 8
"""Factor on the number of sweeps over pieces of open colour when a player may have too many pieces: their exchange
between players mixes slowly. A guess.
"""
FURTHER_ODDS = 1e-3
"""Odds of each meeple beyond one more than the box gives, which would be the one from the score track. A guess."""
AGAINST_RULES_ODDS = 0.02
"""Odds of a second piece of a kind and colour of which a player has one, and of a builder or a pig without a meeple of
its own. A guess."""
SAME_PIECE_TILES = 0.45
"""Maximum distance of 2 pieces that may be one seen twice, and are then no evidence for each other. A guess."""
MANY_PIECES = 60
"""Maximum number of pieces that are evidence of the number of players. A guess."""
NOWHERE = -1
"""The index of a square, feature or colour if there is none, or if it may be shared."""


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """A piece given all others, and its places, whose odds sum to 1 given that it is there."""

    piece: Piece
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _States:
    """The possible states of a piece, (n,) each: first absent, then a colour at a place.

    `nats` is the log-likelihood of each state by itself; `colours`, `squares`, `features`, `kinds` are indexes, and
    `places` index the piece's own places; NOWHERE means none. `supplies` are the kinds that the state takes from a
    player's supply: a wonder's marker comes with the wonder, and a piece beside the board is still in hand.
    """

    nats: Floats
    colours: Numbers
    squares: Numbers
    features: Numbers
    kinds: Numbers
    supplies: Numbers
    places: Numbers

    @property
    def shares(self) -> Floats:
        """Return the probability of each state by itself."""
        return np.asarray(compute_softmax(self.nats))


def sample_posterior(
    pieces: Sequence[Piece],
    places: Sequence[Sequence[Place]],
    board: Board,
    features: FeatureMap,
    kinds: Sequence[str],
) -> list[Posterior]:
    """Return the posterior of each of the pieces, which may stand on its `places`, given all others.

    Their odds are those of the photo alone; `kinds` are the names of the pieces' kinds.
    """
    if not pieces:
        return []
    order = sorted(range(len(pieces)), key=lambda i: (-pieces[i].presence, pieces[i].at))
    sampler = _Sampler([pieces[i] for i in order], [places[i] for i in order], board, features, kinds)
    shares = dict(zip(order, sampler.average_conditionals(), strict=True))
    states = dict(zip(order, sampler.states, strict=True))
    return [_build_posterior(pieces[i], places[i], states[i], shares[i]) for i in range(len(pieces))]


def _build_posterior(piece: Piece, places: Sequence[Place], states: _States, shares: Floats) -> Posterior:
    presence = float(1 - shares[0])
    there = shares[1:]
    colours = np.bincount(states.colours[1:], there, len(piece.colours))
    odds = np.bincount(states.places[1:], there, len(places)) if places else np.zeros(0)
    total = float(there.sum()) or 1.0
    return Posterior(
        replace(piece, presence=presence, colours=colours / total),
        tuple(replace(place, odds=float(share / total)) for place, share in zip(places, odds, strict=True)),
    )


class _Sampler:
    """Chains of assignments: the state of each piece in each chain, one row per chain."""

    def __init__(
        self,
        pieces: Sequence[Piece],
        places: Sequence[Sequence[Place]],
        board: Board,
        features: FeatureMap,
        kinds: Sequence[str],
    ) -> None:
        of_features = {feature.id: number for number, feature in enumerate(features)}
        wonders = {square for square, tile in board.tiles.items() if tile is not None and tile.wonder is not None}
        squares = {square: NOWHERE if square in wonders else number for number, square in enumerate(board.tiles)}
        self.states = [
            _list_states(
                piece, where, squares, of_features, features, kinds, bool(where) or piece.square in board.tiles
            )
            for piece, where in zip(pieces, places, strict=True)
        ]
        self._near = [
            [j for j, other in enumerate(pieces) if j != i and compute_feet_distance(piece, other) <= SAME_PIECE_TILES]
            for i, piece in enumerate(pieces)
        ]
        on_squares = [{*states.squares.tolist()} - {NOWHERE} for states in self.states]
        takers = Counter(square for mine in on_squares for square in mine)
        self._may_share_tile = [any(takers[square] > 1 for square in mine) for mine in on_squares]
        count, colours = len(pieces), len(pieces[0].colours)
        self._rngs = [_build_generator(piece) for piece in pieces]
        self._chain = np.arange(CHAINS)
        self._colours, self._squares, self._features, self._kinds, self._supplies = (
            np.full((CHAINS, count), NOWHERE, np.intp) for _ in range(5)
        )
        self._on_square = np.zeros((CHAINS, len(squares) + 1, colours + 1), np.intp)
        self._in_all = np.zeros((CHAINS, len(squares) + 1), np.intp)
        self._of_colour = np.zeros((CHAINS, colours + 1), np.intp)
        self._placed = np.zeros((CHAINS, colours + 1, len(kinds) + 1), np.intp)
        self._followers = np.zeros((CHAINS, colours + 1, len(of_features) + 1), np.intp)
        self._meeple = kinds.index(MEEPLE)
        expected = sum((_count_expected(states, self._meeple, colours) for states in self.states), np.zeros(colours))
        self._is_supply_short = bool(expected.max() > MEEPLES_A_PLAYER - 1)
        self._is_crowded = bool(expected.max() > MEEPLES_A_PLAYER + 1)
        habits = load_weights("carcassonne", "habits")
        self._own_nats, self._others_nats = (float(np.log(habits["tiles"][name])) for name in ("own", "others"))
        one_more = float(habits["supply"]["one_more"])
        self._owner_odds = np.array([1.0, one_more, FURTHER_ODDS])
        self._owner_nats, self._presence_odds = np.log(self._owner_odds), self._owner_odds * [1.0, one_more, one_more]
        self._new_nats = _tabulate_new_colour_nats(count, colours)
        self._single = np.array([*(kind != MEEPLE for kind in kinds), False])
        self._needs_company = np.array([kind in NEEDS_COMPANY for kind in kinds])
        self._follows = np.array([get_piece_strength(kind) > 0 for kind in kinds])
        self._are_kinds_open = any(self._single[states.kinds[1:]].any() for states in self.states)
        self._shares = [states.shares for states in self.states]
        self._drawn = [np.zeros(CHAINS, np.intp) for _ in pieces]
        for number, shares in enumerate(self._shares):
            self._put(number, self._draw(number, np.tile(shares, (CHAINS, 1))))

    def average_conditionals(self) -> list[Floats]:
        """Return the probability (states,) of each piece's states, given all others.

        If a colour has too many pieces, sweeps over all of them first decide which colours are open.
        """
        doubtful = [number for number in range(len(self.states)) if not self._is_sure(number)]
        sums = self._sweep(doubtful)
        if self._is_crowded and (open_ones := {n for n in doubtful if self._is_colour_open(n, sums[n])}):
            sums = self._sweep(doubtful, open_ones, SUPPLY_PATIENCE)
        for number in sorted({*range(len(sums))}.difference(doubtful)):
            drawn = self._drawn[number]
            self._take(number)
            sums[number] += self._compute_conditionals(number, 1.0).mean(axis=0)
            self._put(number, drawn)
        return sums

    def _sweep(self, doubtful: Sequence[int], slow: Collection[int] = (), patience: int = 1) -> list[Floats]:
        """Return the mean conditionals (states,) of the doubtful pieces, over sweeps with increasing weight of the
        constraints; slow pieces are drawn `patience` times as often.
        """
        sums = [np.zeros(len(states.nats)) for states in self.states]
        for step in range(patience * (WARM_UP_SWEEPS + KEPT_SWEEPS)):
            temper = min(1.0, (step + 1) / (patience * WARM_UP_SWEEPS + 1))
            for number in doubtful:
                if step % patience and number not in slow:
                    continue
                self._take(number)
                shares = self._compute_conditionals(number, temper)
                self._put(number, self._draw(number, shares))
                if step >= patience * WARM_UP_SWEEPS:
                    sums[number] += shares.mean(axis=0) / (KEPT_SWEEPS * (patience if number in slow else 1))
        return sums

    def _is_sure(self, number: int) -> bool:
        """Return whether a piece's state is independent of the others: no colour is short, and its tile is not
        shared.
        """
        states = self.states[number]
        square = states.squares[int(np.argmax(states.nats))]
        drawn = self._squares == square
        is_alone = square == NOWHERE or drawn.any(axis=0).sum() <= 1
        return bool(self._shares[number].max() >= 1 - SHOWN_PROBABILITY and not self._is_crowded and is_alone)

    def _is_colour_open(self, number: int, shares: Floats) -> bool:
        """Return whether a piece with (states,) shares may have several colours, if it is there."""
        by_colour = np.bincount(self.states[number].colours[1:], shares[1:])
        return bool(by_colour.max() < NAMED_SURE * by_colour.sum())

    def _draw(self, number: int, shares: Floats) -> Numbers:
        """Draw a state (chains,) of a piece from each row.

        The draws are stratified over the chains, so that each state is drawn in proportion to its probability.
        """
        random = self._rngs[number]
        thresholds = ((random.permutation(CHAINS) + random.random(CHAINS)) / CHAINS)[:, None]
        return np.asarray(np.minimum((np.cumsum(shares, axis=1) < thresholds).sum(axis=1), shares.shape[1] - 1))

    def _put(self, number: int, drawn: Numbers) -> None:
        states, self._drawn[number] = self.states[number], drawn
        self._colours[:, number], self._squares[:, number] = states.colours[drawn], states.squares[drawn]
        self._features[:, number], self._kinds[:, number] = states.features[drawn], states.kinds[drawn]
        self._supplies[:, number] = states.supplies[drawn]
        self._count(number, 1)

    def _take(self, number: int) -> None:
        self._count(number, -1)
        for numbers in (self._colours, self._squares, self._features, self._kinds, self._supplies):
            numbers[:, number] = NOWHERE

    def _count(self, number: int, step: int) -> None:
        """Count a piece in or out; a piece with none is counted at the last index, which is never read."""
        chain, colours, squares = self._chain, self._colours[:, number], self._squares[:, number]
        if self._may_share_tile[number]:
            self._on_square[chain, squares, colours] += step
            self._in_all[chain, squares] += step
        self._of_colour[chain, colours] += step
        if self._is_supply_short or self._are_kinds_open:
            self._placed[chain, colours, self._supplies[:, number]] += step
        if self._are_kinds_open:
            follows = step * self._follows[self._kinds[:, number]]
            self._followers[chain, colours, self._features[:, number]] += follows

    def _compute_conditionals(self, number: int, temper: float) -> Floats:
        """Return the probability (chains, states) of the states of a piece that is taken out, with the constraints
        weighted by `temper`.
        """
        nats = np.repeat(self.states[number].nats[None], CHAINS, axis=0)
        nats[:, 1:] += temper * (self._weigh_players(number) + self._weigh_tiles(number))
        if self._is_supply_short:
            nats[:, 1:] += temper * self._weigh_supply(number)
        if self._are_kinds_open:
            nats[:, 1:] += temper * (self._weigh_kinds(number) + self._weigh_company(number))
        return np.asarray(compute_softmax(nats, axis=1))

    def _weigh_players(self, number: int) -> Floats:
        """Return the nats (chains, states but the first) of a new player's piece in each colour, relative to a player
        with others.
        """
        chain, colours = self._chain[:, None], self.states[number].colours[1:]
        of_colour = self._of_colour[:, :-1].copy()
        for other in self._near[number]:
            self._leave_out(other, of_colour)
        new_nats = self._new_nats[of_colour.sum(axis=1), (of_colour > 0).sum(axis=1)]
        return np.where(of_colour[chain, colours] == 0, new_nats[:, None], 0.0)

    def _weigh_supply(self, number: int) -> Floats:
        """Return the nats (chains, states but the first) of one more meeple of each colour, given the number that the
        player has.

        They are evidence of a piece's owner, and thereby of its presence: its presence is as unlikely as its owner
        having one more than the box gives. Any further surplus is only evidence of the owner, so clearly seen pieces
        are not removed.
        """
        states, chain = self.states[number], self._chain[:, None]
        placed = self._placed[:, :-1, self._meeple].copy()
        for other in self._near[number]:
            self._leave_out(other, placed, self._supplies[:, other] == self._meeple)
        surplus = np.clip(placed[chain, states.colours[1:]] - MEEPLES_A_PLAYER + 1, 0, 2)
        surplus = np.where(states.supplies[1:] == self._meeple, surplus, 0)
        shares = self._shares[number][1:] / self._shares[number][1:].sum()
        owned, there = (odds[surplus] @ shares for odds in (self._owner_odds, self._presence_odds))
        return np.asarray(self._owner_nats[surplus] + np.log(there / owned**2)[:, None])

    def _leave_out(self, number: int, counts: Numbers, is_counted: Flags | None = None) -> None:
        """Subtract a piece from (chains, colours) counts if it is present and was counted."""
        is_there = self._colours[:, number] != NOWHERE
        if is_counted is not None:
            is_there &= is_counted
        counts[self._chain[is_there], self._colours[is_there, number]] -= 1

    def _weigh_tiles(self, number: int) -> Floats:
        """Return the nats (chains, states but the first) of one more piece on each tile, if another may stand there."""
        if not self._may_share_tile[number]:
            return np.zeros((1, 1))
        chain, states = self._chain[:, None], self.states[number]
        colours, squares = states.colours[1:], states.squares[1:]
        alike = self._on_square[chain, squares, colours]
        others = (self._in_all[chain, squares] > 0) & (alike == 0)
        for other in self._near[number]:
            alike = alike - ((self._colours[:, other, None] == colours) & (self._squares[:, other, None] == squares))
        nats = np.where(alike == 1, self._own_nats, 0.0) + np.where(others, self._others_nats, 0.0)
        return np.where(squares == NOWHERE, 0.0, nats)

    def _weigh_kinds(self, number: int) -> Floats:
        """Return the nats (chains, states but the first) of a second piece of a kind of which a player has one."""
        states = self.states[number]
        colours, supplies = states.colours[1:], states.supplies[1:]
        second = self._single[supplies] & (self._placed[self._chain[:, None], colours, supplies] > 0)
        return np.where(second, np.log(AGAINST_RULES_ODDS), 0.0)

    def _weigh_company(self, number: int) -> Floats:
        """Return the nats (chains, states but the first) of a missing follower that a piece needs, and of being one
        that another needs.
        """
        states, chain = self.states[number], self._chain[:, None]
        colours, features, kinds = states.colours[1:], states.features[1:], states.kinds[1:]
        lonely = self._needs_company[kinds] & (self._followers[chain, colours, features] == 0)
        nats = np.where(lonely, np.log(AGAINST_RULES_ODDS), 0.0)
        needs_company = (self._kinds != NOWHERE) & self._needs_company[self._kinds]
        alone = needs_company & (self._followers[chain, self._colours, self._features] == 0)
        for other in np.flatnonzero(alone.any(axis=0)).tolist():
            colour, feature = self._colours[:, other, None], self._features[:, other, None]
            joins = self._follows[kinds] & (colours == colour) & (features == feature)
            nats -= np.where(alone[:, other, None] & joins, np.log(AGAINST_RULES_ODDS), 0.0)
        return nats


def _build_generator(piece: Piece) -> np.random.Generator:
    """Return a piece's own random generator, so that distant pieces do not affect it.

    Its seed is a cell of a grid, which hardly ever changes if the piece is found slightly elsewhere; 2 feet are never
    in one cell.
    """
    return np.random.default_rng([SEED, *(math.floor(math.sqrt(2) * along / SAME_FOOT) % 2**32 for along in piece.at)])


def _list_states(
    piece: Piece,
    places: Sequence[Place],
    squares: Mapping[tuple[int, int], int],
    of_features: Mapping[str, int],
    features: FeatureMap,
    kinds: Sequence[str],
    is_on_board: bool,
) -> _States:
    """Return the possible states of a piece by itself; it is on the board, perhaps on an unknown tile, or beside it."""
    total = sum(place.odds for place in places)
    shares = np.array([place.odds / total for place in places]) if total > 0 else np.full(max(len(places), 1), 1.0)
    odds = piece.presence * piece.colours[:, None] * (shares / shares.sum())
    colours, numbers = np.nonzero(odds >= SUREST * odds.max())
    where = [places[number] for number in numbers.tolist()] if places else []
    found = [features.at(place.square, place.segment) for place in where]

    def number_states(of_places: Sequence[int], without: int = NOWHERE) -> Numbers:
        """Return the index of each state, starting with that of absence: by its place, or `without` one."""
        return np.array([NOWHERE, *(of_places if where else [without] * len(numbers))], np.intp)

    of_kinds = number_states([kinds.index(place.kind) for place in where], kinds.index(MEEPLE))
    is_marker = number_states([feature.kind == "wonder" for feature in found], 0) == 1
    chances = np.concatenate([[1 - piece.presence], odds[colours, numbers]])
    return _States(
        nats=np.log(np.maximum(chances, np.finfo(np.float64).tiny)),
        colours=np.concatenate([[NOWHERE], colours]),
        squares=number_states([squares[place.square] for place in where]),
        features=number_states([of_features[feature.id] for feature in found]),
        kinds=of_kinds,
        supplies=np.where(is_marker | (not is_on_board), NOWHERE, of_kinds),
        places=np.concatenate([[NOWHERE], numbers]),
    )


def _count_expected(states: _States, kind: int, colours: int) -> Floats:
    """Return the expected number (colours,) of a kind that a piece takes from each player's supply."""
    is_taken = states.supplies == kind
    return np.asarray(np.bincount(states.colours[is_taken], states.shares[is_taken], colours), np.float64)


@cache
def _tabulate_new_colour_nats(pieces: int, colours: int) -> Floats:
    """Return the nats (pieces + 1, colours + 1) of a colour that none of this many pieces in this many colours has."""
    return np.log(
        [
            [estimate_new_colour_odds(min(n, MANY_PIECES), min(k, n)) for k in range(colours + 1)]
            for n in range(pieces + 1)
        ]
    )
