"""Turns of several clients at the same processes, so that none waits for everything another has sent."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from typing import Generic, TypeVar

MAX_REMEMBERED = 1000
"""Maximum number of idle clients whose last turn is remembered. A guess."""

T = TypeVar("T")


class Turns(Generic[T]):
    """Waiting items: the next one is the oldest of the client whose last turn was longest ago.

    At most `most_each` items of a client (0: any number) are taken at once, until `end` is called for each.
    """

    def __init__(self, most_each: int = 0) -> None:
        self._most_each = most_each
        self._waiting: dict[str, deque[T]] = {}
        self._last_turns: OrderedDict[str, int] = OrderedDict()
        self._turn = 0
        self._taken = Counter[str]()

    def put(self, client: str, item: T) -> None:
        """Queue an item of a client."""
        self._waiting.setdefault(client, deque()).append(item)

    def take(self) -> tuple[str, T] | None:
        """Take the next item with its client; None if no item may be taken now."""
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
        """End an item taken of a client."""
        self._taken[client] -= 1
        if not self._taken[client]:
            del self._taken[client]

    def has(self, client: str) -> bool:
        """Return whether a client has waiting items."""
        return client in self._waiting

    def list_order(self) -> Iterator[T]:
        """Yield the waiting items in the order in which they would be taken if no more came."""
        waiting = {client: list(items) for client, items in list(self._waiting.items())}
        order = sorted(waiting, key=self._get_last_turn)
        for round_number in range(max(map(len, waiting.values()), default=0)):
            for client in order:
                yield from waiting[client][round_number : round_number + 1]

    def _get_last_turn(self, client: str) -> int:
        return self._last_turns.get(client, 0)
