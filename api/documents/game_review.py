"""Common interface of the snapshots and reviews of all games, which only the game itself looks into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Self

from api.documents.forms import AnyReport
from api.documents.report import PhotoInfo, SetAside


class GameSnapshot(Protocol):
    """A reading as stored: enough to score it anew without its photos."""

    @property
    def game(self) -> str: ...
    @property
    def photos(self) -> Sequence[PhotoInfo]: ...
    @property
    def set_aside(self) -> Sequence[SetAside]: ...

    def model_copy(self, *, update: Mapping[str, Any] | None = None) -> Self:
        """Return a copy with some fields replaced."""
        ...

    def to_json(self) -> str:
        """Return one line of JSON, which the game parses again."""
        ...


class GameReview(Protocol):
    """A reading with a person's corrections, the report they give, and the `state` after the last of them."""

    @property
    def report(self) -> AnyReport: ...
    @property
    def state(self) -> object: ...
