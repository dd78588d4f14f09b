"""The choice of a player's big meeple, builder, pig or abbot among pieces: one doubt, not one for each piece."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.doubt.kinds.base import MEEPLE, Alternative
from scoring.carcassonne.doubt.kinds.meeple import OtherPlace
from scoring.carcassonne.doubt.kinds.special import OtherSpecial


@dataclass(frozen=True, slots=True)
class Candidates:
    """The pieces of a player, by their indices in the board's meeples, at most one of which is of a kind, with the
    probability of each by itself; `read` is the one that was read as such."""

    kind: str
    likely: Mapping[int, float]
    read: int | None

    @property
    def pieces(self) -> tuple[int, ...]:
        """The pieces in the board's order."""
        return tuple(sorted(self.likely))


def find_candidates(board: Board, alternatives: Iterable[Alternative]) -> list[Candidates]:
    """Return the candidates for each kind that a player has once; `alternatives` are the board's.

    If several pieces were read as one kind, the reading contradicts the box, and each is asked about separately.
    """
    doubted: dict[tuple[str, str], dict[int, float]] = defaultdict(dict)
    for other in alternatives:
        if isinstance(other, OtherPlace) and (kind := _find_doubted_kind(other, board)) is not None:
            read = board.meeples[other.meeple]
            is_it = 1 - other.probability if read.kind == kind else other.probability
            doubted[read.colour, kind][other.meeple] = is_it
    candidates = []
    for (colour, kind), likely_doubted in doubted.items():
        read_so = [i for i, meeple in enumerate(board.meeples) if (meeple.colour, meeple.kind) == (colour, kind)]
        likely = {**dict.fromkeys(read_so, 1.0), **likely_doubted}
        if len(likely) > 1 and len(read_so) <= 1:
            candidates.append(Candidates(kind, likely, read_so[0] if read_so else None))
    return candidates


def is_about_candidates(other: Alternative, board: Board, candidates: Sequence[Candidates]) -> bool:
    """Return whether an alternative concerns one of several candidates, and so is no doubt of its own."""
    if not isinstance(other, OtherPlace):
        return False
    kind = _find_doubted_kind(other, board)
    return any(group.kind == kind and other.meeple in group.likely for group in candidates)


def list_other_specials(candidates: Candidates) -> Iterator[OtherSpecial]:
    """Yield each other piece that may be of the kind, or none of them: at most one is."""
    pieces = candidates.pieces
    is_it = np.array([candidates.likely[piece] for piece in pieces])
    none_is = np.prod(1 - is_it)
    alone = [is_it[i] * np.prod(np.delete(1 - is_it, i)) for i in range(len(pieces))]
    shares = np.array([none_is, *alone])
    for special, share in zip((None, *pieces), (shares / shares.sum()).tolist(), strict=True):
        if special != candidates.read:
            yield OtherSpecial(candidates.kind, pieces, special, share)


def _find_doubted_kind(other: OtherPlace, board: Board) -> str | None:
    """Return the kind that is in doubt, if a piece may be another kind at the same place; None otherwise."""
    read, instead = board.meeples[other.meeple], other.instead
    if instead is None or read.kind == instead.kind or replace(instead, kind=read.kind, pose=read.pose) != read:
        return None
    kinds = {read.kind, instead.kind} - {MEEPLE}
    return kinds.pop() if len(kinds) == 1 else None
