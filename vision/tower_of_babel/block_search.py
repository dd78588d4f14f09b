"""Search for the blocks in a part of the board: the set that, as rendered for the camera, explains the view best.

This is analysis by synthesis. The search starts greedily with the blocks that explain most, moves each of them, and
then removes, changes and adds blocks as long as that explains more. Among sets of nearly equal cost, the one with the
most evenly lit faces is chosen; the costs of the sets determine the confidence in the numbers.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

import numpy as np

from vision.arrays import Singles
from vision.flat_boards.reading import MIN_PROBABILITY
from vision.tower_of_babel.block_proposals import UNLIKELY_NATS, Sprouts
from vision.tower_of_babel.blocks import POSES, UPRIGHT, Block
from vision.tower_of_babel.scene import (
    Neighbourhood,
    Numbers,
    PaintedSet,
    Reach,
    Scene,
    Size,
    compute_shade_nats,
)

Steps = tuple[tuple[float, float], ...]
STEPS_MM_RADIANS: Steps = ((2.0, 0.22), (1.0, 0.1), (0.5, 0.05))
"""Step sizes in millimetres and radians for moving blocks. Bounds time."""
MAX_BLOCKS = 24
"""Maximum number of blocks in an area. Bounds time."""
MAX_ROUNDS = 8
"""Maximum number of rounds of the search. Bounds time."""
MAX_REGROWN = 2
"""Maximum number of neighbours that are regrown together with a block. Bounds time."""
QUARTER_TURNS = (0.0, np.pi / 2, np.pi, -np.pi / 2)
"""The four quarter turns in radians. Geometry of the piece."""
MAX_START_NATS, MAX_COARSE_NATS = 25.0, 13.0
"""Nats above the present set from which a changed set is given up: before its blocks are moved, and after their first
steps. Measured: of 13,000 changes on 11 tables, the 1,700 that became likely began at most 25.4 above it and stood at
most 12.6 above it after the first steps. Bounds time."""
MIN_GAIN_NATS = MIN_PROBABILITY
"""Minimum gain of a change: a smaller one changes no probability that is stated."""
MIN_MISFIT_NATS = 1.5
"""Nats that must be left unexplained around a block for other numbers of blocks to be tried in its place; if
several blocks change, those that the best label of each pixel alone would save. Bounds time."""


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """The best set of blocks, and the lowest cost found for each combination of numbers of blocks."""

    blocks: tuple[Block, ...]
    tried: dict[Numbers, float]


def fit_blocks(scene: Scene, sprouts: Sprouts | None = None) -> Fitted:
    """Fit the blocks of a scene, with the generator of its proposals if there is one."""
    search = _Search(scene, sprouts or Sprouts(scene))
    search.build()
    search.improve()
    while search.adds_one_of_a_kind():
        search.improve()
    shades = {
        numbers: compute_shade_nats(scene, best.blocks)
        for numbers, best in search.tried.items()
        if best.cost < search.cost + UNLIKELY_NATS
    }
    least = min(shades.values())
    costs = {numbers: best.cost + shades.get(numbers, least) for numbers, best in search.tried.items()}
    return Fitted(search.tried[min(costs, key=lambda numbers: costs[numbers])].blocks, costs)


def _is_alike(one: Block, other: Block, period: float = math.inf) -> bool:
    """Return whether two blocks differ at most by a small step, and turns by a whole `period` in radians."""
    step, turn = STEPS_MM_RADIANS[-1]
    if one[3:] != other[3:] or abs(one.x - other.x) > step or abs(one.y - other.y) > step:
        return False
    away = abs(one.yaw - other.yaw) % period
    return min(away, period - away) <= turn


def _fills_same_place(one: Block, other: Block) -> bool:
    """Return whether two blocks leave the same room to others: a square foot turned by a quarter differs in its roof
    alone."""
    wide, long = one.foot
    return _is_alike(one, other, math.pi / 2 if one.pose == UPRIGHT and wide == long else math.inf)


def count_blocks(blocks: Sequence[Block]) -> Numbers:
    """Count the blocks of each colour and size."""
    kinds = Counter((block.colour, block.size) for block in blocks)
    return tuple((*kind, count) for kind, count in sorted(kinds.items()))


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """The best place found for a block among its neighbours, and the reach of that search, beyond which blocks do not
    matter."""

    best: Block
    reach: Reach
    beside: frozenset[Block]


@dataclass(slots=True, eq=False)
class _Trial:
    """A kind of change tried on a block: the blocks beside all places tried, and the nats of each set above the present
    one, with the blocks that it lacks and those that it adds."""

    block: Block
    is_likely: bool = False
    reaches: list[Reach] = field(default_factory=list)
    beside: tuple[Block, ...] = ()
    sets: list[tuple[float, tuple[Block, ...], tuple[Block, ...]]] = field(default_factory=list)


class _Tried(NamedTuple):
    """The best set of blocks found for its numbers, and its cost in nats."""

    cost: float
    blocks: tuple[Block, ...]


class _Search:
    def __init__(self, scene: Scene, sprouts: Sprouts) -> None:
        self.scene = scene
        self.sprouts, self.room = sprouts, scene.diagonal_mm
        self.least = scene.against.min(axis=0) * scene.pixel_nats
        self.blocks: list[Block] = []
        self.tried: dict[Numbers, _Tried] = {}
        self.found: dict[tuple[Block, Steps], list[_Place]] = {}
        self.trials: dict[str, list[_Trial]] = defaultdict(list)
        self.trial: _Trial | None = None
        self.present = PaintedSet(scene, ())
        self.cost = self.cost_of([])

    def cost_of(self, blocks: Sequence[Block]) -> float:
        """Return the nats against a set of blocks, and record the best set for its numbers."""
        cost = self.present.compute_cost(blocks)
        self.record(blocks, cost)
        return cost

    def record(self, blocks: Sequence[Block], cost: float) -> None:
        """Record a set of blocks if it is the best for its numbers."""
        key = count_blocks(blocks)
        if key not in self.tried or cost < self.tried[key].cost:
            self.tried[key] = _Tried(cost, tuple(blocks))

    def build(self) -> None:
        """Add the blocks of each kind that explain most, one after the other, each moved to its best place."""
        while len(self.blocks) < MAX_BLOCKS:
            if not any(self.takes(*self._with(new)) for new in self.sprouts.best(self.blocks)):
                return

    def improve(self) -> None:
        """Change the set as long as that explains more."""
        self.settle()
        for _ in range(MAX_ROUNDS):
            improved = [self.takes(blocks, changed, STEPS_MM_RADIANS[:2]) for blocks, changed in self.others()]
            if not any(improved):
                return
            self.settle()

    def adds_one_of_a_kind(self) -> bool:
        """Try one more block of each colour and size where the least speaks against it, and add it if it explains more.

        Without these trials, a place that resembles neither a block nor the board would leave the numbers
        overconfident. A block whose best place is out of sight keeps its visible starting place: no single place gives
        the probability of a hidden block.
        """
        for new in self.sprouts.least_unlike(self.blocks):
            blocks, changed = self._with(new)
            moved = blocks
            for i in changed:
                moved = self.moved(moved, i, STEPS_MM_RADIANS)
            if self.takes(moved if self.sprouts.is_visible(moved[-1], moved[:-1]) else blocks, ()):
                return True
        return False

    def takes(self, blocks: list[Block], changed: tuple[int, ...], steps: Steps = STEPS_MM_RADIANS) -> bool:
        """Accept another set, with its changed blocks moved to their best places, if it explains more."""
        blocks, cost, present = self._try(blocks, changed, steps)
        if present is not None:
            self.blocks, self.present, self.cost = blocks, present, cost
        elif self.trial:
            before, after = frozenset(self.blocks), frozenset(blocks)
            self.trial.sets.append((cost - self.cost, tuple(before - after), tuple(after - before)))
        return present is not None

    def _try(
        self, blocks: list[Block], changed: tuple[int, ...], steps: Steps
    ) -> tuple[list[Block], float, PaintedSet | None]:
        """Return another set with its changed blocks moved to their best places, its cost, and it painted if it
        explains more."""
        for limit, some in ((MAX_START_NATS, ()), (MAX_COARSE_NATS, steps[:1]), (math.inf, steps[1:])):
            for i in changed if some else ():
                blocks = self.moved(blocks, i, some)
            cost = self.cost_of(blocks)
            if cost > self.cost + limit:
                return blocks, cost, None
        alike = count_blocks(blocks) == count_blocks(self.blocks)
        if self.cost <= cost < self.cost + (MIN_MISFIT_NATS if alike else UNLIKELY_NATS):
            left = STEPS_MM_RADIANS if len(changed) > 1 else STEPS_MM_RADIANS[len(steps) :]
            for i in changed if left else ():
                blocks = self.moved(blocks, i, left)
            cost = self.cost_of(blocks)
        if cost >= self.cost - MIN_GAIN_NATS:
            return blocks, cost, None
        present = PaintedSet(self.scene, blocks)
        self.record(blocks, present.cost)
        return blocks, present.cost, present if present.cost < self.cost - MIN_GAIN_NATS else None

    def settle(self) -> None:
        """Move every block to its best place, twice."""
        for _ in range(2):
            self.takes(list(self.blocks), tuple(range(len(self.blocks))))

    def moved(self, blocks: list[Block], i: int, steps: Steps) -> list[Block]:
        """Return the set with one block moved and turned to its best place."""
        key = blocks[i], steps
        rest = [*blocks[:i], *blocks[i + 1 :]]
        for known in self.found.get(key, ()):
            if known.beside == frozenset(filter(known.reach.touches, rest)):
                break
        else:
            about = Neighbourhood(self.scene, blocks, i)
            best, reach = self._find_best_place(about, blocks[i], steps), about.reach
            known = _Place(best, reach, frozenset(filter(reach.touches, rest)))
            self.found.setdefault(key, []).append(known)
        if self.trial:
            self.trial.reaches.append(known.reach)
        return [*blocks[:i], known.best, *blocks[i + 1 :]]

    @staticmethod
    def _find_best_place(about: Neighbourhood, block: Block, steps: Steps) -> Block:
        best, cost = block, about.cost(block)
        for step, turn in steps:
            moves = ((step, 0, 0), (-step, 0, 0), (0, step, 0), (0, -step, 0), (0, 0, turn), (0, 0, -turn))
            number, in_vain = 0, 0
            while in_vain < len(moves):
                other = best.moved(*moves[number])
                other_cost = about.cost(other, cost - MIN_GAIN_NATS)
                if other_cost < cost - MIN_GAIN_NATS:
                    best, cost = other, other_cost
                    in_vain = 1 - number % 2  # the next move would lead back
                    number += in_vain
                else:
                    in_vain += 1
                number = (number + 1) % len(moves)
        return best

    def others(self) -> Iterator[tuple[list[Block], tuple[int, ...]]]:
        """Yield slightly different sets, each derived from the current set, with the indices of the blocks to move."""
        for new in self.sprouts.best(self.blocks):
            yield self._with(new)
        unexplained = self.present.explained * self.scene.pixel_nats
        avoidable = unexplained - self.least
        for block in tuple(self.blocks):
            changes = [self._turned, self._without, self._resized]
            if self._misfit(block, unexplained, self.room / 2) > MIN_MISFIT_NATS:
                changes += [self._recoloured, self._halved, self._doubled]
            if self._misfit(block, avoidable, self.room / 2) > MIN_MISFIT_NATS:
                changes += [self._quartered, self._joined, self._relaid]
            if self._misfit(block, avoidable, self.room) > MIN_MISFIT_NATS:
                changes += [self._regrown]
            for change in changes:
                if block in self.blocks and not self._recall(change.__name__, block):
                    yield from self._follow(change, block)

    def _follow(
        self, change: Callable[[Block], Iterator[tuple[list[Block], tuple[int, ...]]]], block: Block
    ) -> Iterator[tuple[list[Block], tuple[int, ...]]]:
        """Yield the sets of a kind of change, and remember it if none of them was taken."""
        self.trial = trial = _Trial(block)
        yield from change(block)
        self.trial = None
        if block not in self.blocks:
            return
        trial.is_likely = any(
            nats < UNLIKELY_NATS and count_blocks(gone) != count_blocks(new) for nats, gone, new in trial.sets
        )
        tried = [block, *(added for _, _, new in trial.sets for added in new)]
        trial.reaches = [Reach.of(self.scene, tried).joined(trial.reaches)]
        trial.beside = tuple(other for other in self.blocks if other != block and trial.reaches[0].touches(other))
        self.trials[change.__name__].append(trial)

    def _recall(self, change: str, block: Block) -> bool:
        """Return whether a kind of change was tried among the same blocks, or came far from the present set among
        alike ones, and record its sets."""
        for trial in self.trials[change]:
            if trial.block != block if trial.is_likely else not _is_alike(trial.block, block):
                continue
            beside = [other for other in self.blocks if other != block and trial.reaches[0].touches(other)]
            is_same = Block.__eq__ if trial.is_likely else _fills_same_place
            if len(beside) == len(trial.beside) and all(
                any(is_same(one, other) for one in trial.beside) for other in beside
            ):
                for nats, gone, new in trial.sets:
                    self._record_numbers(nats, gone, new)
                return True
        return False

    def _record_numbers(self, nats: float, gone: Sequence[Block], new: Sequence[Block]) -> None:
        """Record the cost of the present set with some blocks in place of others."""
        numbers = Counter((block.colour, block.size) for block in (*self.blocks, *new))
        numbers.subtract((block.colour, block.size) for block in gone)
        key = tuple((*kind, count) for kind, count in sorted(numbers.items()) if count)
        if key not in self.tried or self.cost + nats < self.tried[key].cost:
            self.tried[key] = _Tried(self.cost + nats, (*self._rest(*gone), *new))

    def _misfit(self, block: Block, nats: Singles, reach_mm: float) -> float:
        """Return the sum of the nats (h, w) of the places around a block."""
        (x, y), reach = self.scene.pixels(np.array([(block.x, block.y)]))[0], reach_mm * self.scene.px_mm
        x0, y0 = max(0, int(x - reach)), max(0, int(y - reach))
        return float(nats[y0 : int(y + reach) + 1, x0 : int(x + reach) + 1].sum())

    def _rest(self, *gone: Block) -> list[Block]:
        return [block for block in self.blocks if block not in gone]

    def _with(self, new: Block) -> tuple[list[Block], tuple[int, ...]]:
        """Return the set with one more block, and the indices to move: its neighbours make room."""
        away = [np.hypot(block.x - new.x, block.y - new.y) for block in self.blocks]
        near = sorted((k for k, d in enumerate(away) if d < self.room), key=lambda k: float(away[k]))[:2]
        last = len(self.blocks)
        return [*self.blocks, new], (last, *near, last) if near else (last,)

    def _without(self, block: Block) -> Iterator[tuple[list[Block], tuple[int, ...]]]:
        rest = self._rest(block)
        near = [k for k, other in enumerate(rest) if np.hypot(other.x - block.x, other.y - block.y) < self.room]
        yield rest, tuple(near[:2])

    def _resized(self, block: Block) -> Iterator[tuple[list[Block], tuple[int, ...]]]:
        for size in self.scene.sizes:
            if size != block.size:
                rest = self._rest(block)
                yield [*rest, block._replace(size=size)], (len(rest),)

    def _turned(self, block: Block) -> Iterator[tuple[list[Block], tuple[int, ...]]]:
        """Yield sets with the block's ridge turned by 90 degrees, or the house lying."""
        rest = self._rest(block)
        yield [*rest, block.moved(0, 0, np.pi / 2)], (len(rest),)
        for pose in POSES:
            for turn in (0.0, np.pi) if pose != UPRIGHT else (0.0,):
                if block not in self.blocks:
                    return
                if pose != block.pose:
                    yield [*rest, block.moved(0, 0, turn)._replace(pose=pose)], (len(rest),)

    def _stood(self, block: Block) -> Block:
        """Return the block standing at its best place: a supposedly lying block may really be several standing ones."""
        if block.pose == UPRIGHT:
            return block
        rest = self._rest(block)
        return self.moved([*rest, block._replace(pose=UPRIGHT)], len(rest), STEPS_MM_RADIANS)[-1]

    def _recoloured(self, block: Block) -> Iterator[tuple[list[Block], tuple[int, ...]]]:
        for colour in range(self.scene.colours):
            if block not in self.blocks:
                return
            if colour != block.colour:
                rest = self._rest(block)
                yield [*rest, block._replace(colour=colour)], (len(rest),)

    def _halved(self, block: Block) -> Iterator[tuple[list[Block], tuple[int, ...]]]:
        """Yield sets with two small blocks in place of a large one."""
        if block.size != self.scene.sizes[0]:
            yield from self._twins(block, self._stood(block)._replace(size=self.scene.sizes[0]))

    def _quartered(self, block: Block) -> Iterator[tuple[list[Block], tuple[int, ...]]]:
        """Yield sets with four small blocks in a square in place of one, or three of them."""
        small, stood = self.scene.sizes[0], self._stood(block)
        c, s = np.cos(stood.yaw), np.sin(stood.yaw)
        steps = [
            (0.52 * small[0] * (c * u - s * v), 0.52 * small[0] * (s * u + c * v)) for u in (-1, 1) for v in (-1, 1)
        ]
        rest = self._rest(block)
        four = [stood.moved(*step)._replace(size=small) for step in steps]
        yield [*rest, *four], tuple(range(len(rest), len(rest) + 4))
        for left_out in range(4):
            if block not in self.blocks:
                return
            yield [*rest, *four[:left_out], *four[left_out + 1 :]], tuple(range(len(rest), len(rest) + 3))

    def _doubled(self, block: Block) -> Iterator[tuple[list[Block], tuple[int, ...]]]:
        """Yield sets with two blocks in place of one."""
        yield from self._twins(block, self._stood(block))

    def _twins(self, block: Block, like: Block) -> Iterator[tuple[list[Block], tuple[int, ...]]]:
        for turn in (0.0, np.pi / 2):
            if block not in self.blocks:
                return
            step = 0.52 * like.size[0] * np.array([np.cos(like.yaw + turn), np.sin(like.yaw + turn)])
            rest = self._rest(block)
            twins = [like.moved(*(sign * step)) for sign in (-1, 1)]
            yield [*rest, *twins], (len(rest), len(rest) + 1, len(rest))

    def _relaid(self, block: Block) -> Iterator[tuple[list[Block], tuple[int, ...]]]:
        """Yield sets with a block of another size in another pose."""
        rest = self._rest(block)
        for size, pose in product(self.scene.sizes, POSES):
            for turn in QUARTER_TURNS[: 2 if pose == UPRIGHT else 4]:
                if block not in self.blocks:
                    return
                if size != block.size and pose != block.pose:
                    yield [*rest, block.moved(0, 0, turn)._replace(size=size, pose=pose)], (len(rest),)

    def _regrown(self, block: Block) -> Iterator[tuple[list[Block], tuple[int, ...]]]:
        """Yield sets in which a block and its neighbours of the same colour are removed and grown again."""
        alike = [other for other in self.blocks if other.colour == block.colour and other is not block]
        alike = [other for other in alike if np.hypot(other.x - block.x, other.y - block.y) < self.room]
        alike.sort(key=lambda other: np.hypot(other.x - block.x, other.y - block.y))
        before = self.blocks
        for number in range(min(len(alike), MAX_REGROWN) + 1):
            gone = [block, *alike[:number]]
            for sizes in (self.scene.sizes[:1], self.scene.sizes):
                grown = self._grow(self._rest(*gone), gone, sizes)
                if count_blocks(grown) != count_blocks(before) or self.cost_of(grown) < self.cost:
                    yield grown, tuple(range(len(before) - len(gone), len(grown)))
                if self.blocks is not before:
                    return

    def _grow(self, blocks: list[Block], gone: Sequence[Block], sizes: Sequence[Size]) -> list[Block]:
        """Add blocks in the places of removed ones as long as that explains more."""
        cost = self.present.compute_cost(blocks)
        if self.trial:
            self.trial.reaches.append(self.sprouts.reach_near(gone))
        while True:
            for new in self.sprouts.best_near(blocks, gone, sizes):
                more = self.moved([*blocks, new], len(blocks), STEPS_MM_RADIANS[:2])
                if (more_cost := self.present.compute_cost(more)) < cost - MIN_GAIN_NATS:
                    blocks, cost = more, more_cost
                    break
            else:
                return blocks

    def _joined(self, block: Block) -> Iterator[tuple[list[Block], tuple[int, ...]]]:
        """Yield sets with one large block, in any pose, in place of two."""
        large = self.scene.sizes[-1]
        for other in tuple(self.blocks):
            if other == block or other.colour != block.colour or block not in self.blocks or other not in self.blocks:
                continue
            if np.hypot(other.x - block.x, other.y - block.y) < 1.2 * large[0]:
                rest = self._rest(block, other)
                middle = block._replace(x=(block.x + other.x) / 2, y=(block.y + other.y) / 2, size=large)
                for pose in POSES:
                    for turn in QUARTER_TURNS[: 1 if pose == UPRIGHT else 4]:
                        if block not in self.blocks or other not in self.blocks:
                            break
                        yield [*rest, middle.moved(0, 0, turn)._replace(pose=pose)], (len(rest),)
