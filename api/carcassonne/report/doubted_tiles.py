"""Doubts about a game in photos: the tiles and pieces that explain its moves are chosen, and the other tiles widen its
points.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice

from api.carcassonne.report.growing_game import CorrectedGame
from api.carcassonne.report.moves_schema import Totals
from api.carcassonne.report.totals import join_ranges
from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.doubt.alternatives import MIN_ASKED_PROBABILITY
from scoring.carcassonne.play.setup import Setup
from scoring.carcassonne.reconstruct.course import Course, Facts
from scoring.carcassonne.reconstruct.ledger import Ranges
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.tiles.other_boxes import load_whole_catalogue
from scoring.errors import PlayError
from vision.arrays import EVEN_ODDS
from vision.sequence.followed import Followed

MAX_COURSES = 24
"""Maximum number of courses that are tried to choose the tiles, then the pieces, and again to widen the points. Bounds
time.
"""


@dataclass(frozen=True)
class Explained:
    """A game as photographed, as corrected, and the course of its moves with the totals that follow."""

    photographed: Followed
    game: CorrectedGame
    setup: Setup
    facts: Facts
    course: Course
    totals: Totals

    @property
    def faults(self) -> tuple[int, int]:
        """Return the number of stretches that no moves explain, and of points and turns that the moves contradict."""
        untold = sum(not stretch.is_told for stretch in self.course.stretches)
        return untold, len(self.course.contradicted) + len(self.course.unheeded) + len(self.course.passed)


Explain = Callable[[Followed], Explained]
"""A function that works out the moves; raises PlayError for boards that no game can start from."""


def explain_by_tiles(
    photographed: Followed, explain: Explain, known: Collection[Square]
) -> tuple[Explained, list[Explained]]:
    """Explain a game by the tiles in doubt and by other pieces with fewest faults, and return the explanations by other
    tiles that are as good.

    Squares that are `known` are in no doubt.
    """
    best = explain(replace(photographed, first_square=photographed.origin))
    if any(best.faults):
        best = _choose(best, explain, _list_others(photographed, known))
    for square in _list_misfits(best, known):
        guess = best.photographed.lay_by_neighbours(square)
        first = next(Placement(str(tile.tile), tile.turns) for tile in guess.tiles if tile.square == square)
        others = [(at, tile) for at, tile in _list_others(guess, known) if at == square]
        guessed = _choose(replace(best, photographed=guess), explain, [(square, first), *others])
        best = min(best, guessed, key=lambda one: one.faults)
    best = _choose_pieces(best, explain, known)
    alike: list[Explained] = []
    for square, tile in islice(_list_others(best.photographed, known), MAX_COURSES):
        with suppress(PlayError):
            alike.append(explain(best.photographed.lay(square, tile)))
    players = best.course.players
    return best, [other for other in alike if other.faults <= best.faults and other.course.players == players]


def _choose(best: Explained, explain: Explain, others: Iterable[tuple[Square, Placement | None]]) -> Explained:
    """Return the explanation with fewest faults that other tiles give, one after the other."""
    for square, tile in islice([*others], MAX_COURSES):
        with suppress(PlayError):
            best = min(best, explain(best.photographed.lay(square, tile)), key=lambda one: one.faults)
    return best


def _choose_pieces(best: Explained, explain: Explain, known: Collection[Square]) -> Explained:
    """Return an explanation with fewer faults by other pieces, from the first fault on: the first that help."""
    left, is_better = MAX_COURSES // 2, True
    while any(best.faults) and is_better:
        game, is_better = best.photographed, False
        squares = [square for square in _list_faulty_squares(best) if square not in {*known, *game.assumed}]
        others = ((square, piece) for square in squares for piece in game.list_other_pieces(square))
        for square, piece in islice(others, left):
            left -= 1
            with suppress(PlayError):
                other = explain(game.assume_piece(square, piece))
                if other.faults < best.faults and other.course.players == best.course.players:
                    best, is_better = other, True
                    break
    return best


def _list_faulty_squares(explained: Explained) -> list[Square]:
    """List the squares of the tiles and pieces on which the first fault may lie.

    They are those of tiles laid where no moves are known for the first time, or before points that no moves give for
    the first time, and of pieces on their features.
    """
    course, boards = explained.course, explained.game.sequence.boards
    untold = [number for number, stretch in enumerate(course.stretches) if not stretch.is_told][:1]
    photo = min((number for number, _ in {*course.contradicted, *course.unheeded}), default=0)
    squares: dict[Square, None] = {}
    for number in untold or range(max(photo - 2, 0), photo):
        stretch, after = course.stretches[number], boards[number + 1]
        laid = {square for tile in stretch.tiles for square in tile.placements}
        laid |= {square for problem in stretch.problems for square in problem.squares}
        standing = replace(after, meeples=tuple({*boards[number].meeples, *after.meeples}))
        touched = [one for one in build_feature_map(standing) if not laid.isdisjoint(one.squares)]
        squares |= dict.fromkeys([*sorted(laid), *(piece.square for one in touched for piece in one.pieces)])
    return [*squares]


def _list_misfits(explained: Explained, known: Collection[Square]) -> list[Square]:
    """List the squares in doubt among the tiles laid where no moves are known for the first time."""
    untold = (stretch for stretch in explained.course.stretches if not stretch.is_told)
    laid = {square for tile in next(untold).tiles for square in tile.placements} if explained.faults[0] else set()
    tiles = explained.photographed.tiles
    return [tile.square for tile in tiles if tile.doubtful and tile.cell is None and tile.square in laid - {*known}]


def _list_others(game: Followed, known: Collection[Square]) -> Iterator[tuple[Square, Placement | None]]:
    """Yield what else may lie on squares in doubt, the least certain first; none, where no tile is likely."""
    tiles = [tile for tile in game.tiles if tile.doubtful and tile.cell is None and tile.square not in known]
    for tile in sorted(tiles, key=lambda tile: tile.confidence):
        if tile.square in game.left_out and tile.tile is not None:
            yield tile.square, Placement(tile.tile, tile.turns)
        for other in tile.alternatives:
            if other.probability >= MIN_ASKED_PROBABILITY and other.tile in load_whole_catalogue():
                yield tile.square, Placement(other.tile, other.turns)
        if tile.confidence < EVEN_ODDS and tile.square not in game.left_out:
            yield tile.square, None


def widen_points(best: Course, others: Sequence[Course]) -> tuple[Ranges | None, ...]:
    """Return the points at each photo, with those that other courses of the same photos allow."""
    return tuple(
        None if points is None else reduce(join_ranges, (there for there in further if there is not None), points)
        for points, *further in zip(best.points, *(other.points for other in others), strict=True)
    )


def depends_on_tiles(number: int, best: Course, others: Sequence[Course]) -> bool:
    """Return whether other courses give other points between two photos."""
    return any(other.stretches[number].ways.keys() != best.stretches[number].ways.keys() for other in others)
