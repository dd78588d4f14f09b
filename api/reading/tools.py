"""Tools with which a process reads the photos of a table."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from vision.flat_boards.reading import TableReader
    from vision.photo.decoding import Photo
    from vision.reader import Reader


class EnrolledGames(Protocol):
    """The games with printed boards enrolled on this machine."""

    @property
    def any_enrolled(self) -> bool:
        """Whether boards of any game are enrolled."""
        ...

    def components(self, game: str) -> str | None:
        """Return the person's components file of a game as TOML, or None if there is none."""
        ...

    def list_shown(self) -> list[str]:
        """List the games with enrolled boards or components."""
        ...

    def reader(self, game: str) -> TableReader:
        """Return the reader of a game; raises EnrolmentError `game_not_enrolled`, `bad_enrolment`, ComponentsError."""
        ...

    def recognise(self, photo: Photo) -> str | None:
        """Return the enrolled game most like a photo, or None if none is like it."""
        ...


def _ignore_stage(stage: str) -> None:
    """Ignore a stage."""


def _show_nothing(photos: int) -> AbstractContextManager[None]:
    """Show no progress."""
    return nullcontext()


@dataclass(frozen=True, slots=True)
class ReadingTools:
    """Tools with which a process reads photos and reports its progress.

    `load_tile_reader` is called whenever tiles are read; `show_progress` is entered with the number of photos read tile
    by tile.
    """

    tables: EnrolledGames
    load_tile_reader: Callable[[], Reader]
    tell: Callable[[str], None] = _ignore_stage
    show_progress: Callable[[int], AbstractContextManager[None]] = _show_nothing
