"""Whose turn it is, where several clients wait for the same processes: none waits for all that another has sent."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from typing import Generic, TypeVar

MAX_REMEMBERED = 1000
"""Clients of which is known when they had their last turn, of those for whom nothing waits; a guess."""

T = TypeVar("T")


class Turns(Generic[T]):
    """Items that wait: next comes the oldest of the client whose last turn was longest ago.

    A client may have so many items taken at once (`most_each`; 0: any number), until `end` is called for each.
    """

    def __init__(self, most_each: int = 0) -> None:
        self._most_each = most_each
        self._waiting: dict[str, deque[T]] = {}
        self._last_turns: OrderedDict[str, int] = OrderedDict()
        self._turn = 0
        self._taken = Counter[str]()

    def put(self, client: str, item: T) -> None:
        """Have an item of a client wait."""
        self._waiting.setdefault(client, deque()).append(item)

    def take(self) -> tuple[str, T] | None:
        """Take the next item, with its client; None where nothing waits that may be taken now."""
        able = [client for client in self._waiting if not 0 < self._most_each <= self._taken[client]]
        if not able:
            return None
        client = min(able, key=self._get_last_turn)
        item = self._waiting[client].popleft()
        if not self._waiting[client]:
            del self._waiting[client]
        self._turn += 1
        self._last_turns[client] = self._turn
        self._last_turns.move_to_end(client)
        if len(self._last_turns) > MAX_REMEMBERED:
            self._last_turns.popitem(last=False)
        self._taken[client] += 1
        return client, item

    def end(self, client: str) -> None:
        """End what was taken of a client."""
        self._taken[client] -= 1
        if not self._taken[client]:
            del self._taken[client]

    def has(self, client: str) -> bool:
        """Whether anything of a client waits."""
        return client in self._waiting

    def list_order(self) -> Iterator[T]:
        """List what waits in the order in which it is taken, as long as nothing more comes."""
        waiting = {client: list(items) for client, items in list(self._waiting.items())}
        order = sorted(waiting, key=self._get_last_turn)
        for round_number in range(max(map(len, waiting.values()), default=0)):
            for client in order:
                yield from waiting[client][round_number : round_number + 1]

    def _get_last_turn(self, client: str) -> int:
        return self._last_turns.get(client, 0)
