"""Disjoint sets: groups of things that were joined pair by pair."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class DisjointSets(Generic[T]):
    """Groups of joined members (a union-find), where a member is alone until it is joined.

    With `before`, they go on from other sets without a change to them, until those `absorb` what was joined since.
    SciPy's `DisjointSet` needs every member in advance, and its import takes a third of a second.
    """

    def __init__(self, before: DisjointSets[T] | None = None) -> None:
        self._parents: dict[T, T] = {}
        self._before = before

    def root(self, member: T) -> T:
        """Return the member that represents all members joined with this one."""
        return self._compress(member) if self._before is None else self._follow(member, self._before)

    def join(self, one: T, other: T) -> None:
        """Join 2 members, and all members joined with either; the first one's representative stays."""
        one, other = self.root(one), self.root(other)
        if one != other:
            self._parents[other] = one

    def absorb(self, later: DisjointSets[T]) -> None:
        """Join what was joined in sets that go on from these."""
        self._parents |= later._parents

    def copy(self) -> DisjointSets[T]:
        """Return an independent copy."""
        other = DisjointSets(self._before)
        other._parents = dict(self._parents)
        return other

    def _compress(self, member: T) -> T:
        parents = self._parents
        top = parents.get(member, member)
        if top == member:
            return member
        passed = [member]
        while (parent := parents.get(top, top)) != top:
            passed.append(top)
            top = parent
        if len(passed) > 1:
            parents.update(dict.fromkeys(passed, top))
        return top

    def _follow(self, member: T, before: DisjointSets[T]) -> T:
        parents = self._parents
        while True:
            parent = parents.get(member)
            if parent is None:
                up = before.root(member)
                if up == member or up not in parents:
                    return up
                parent = up
            member = parent
