"""Tools with which a process reads the photos of a table, and the stages that it reports."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from vision.flat_boards.reading import TableReader
    from vision.photo.decoding import Photo
    from vision.reader import Reader

STAGES_OF_TILES = ("decode", "lattice", "tiles", "legal", "meeples", "track", "score")
STAGES_OF_SPOTS = ("opening", "board", "counting")
WHICH_GAME = "game"
STAGES = ("decode", WHICH_GAME, *STAGES_OF_TILES[1:], *STAGES_OF_SPOTS)
"""All stages in order: until the game is known, then those of a game of tiles, then those of one with a printed board.

A job's progress is reported as an index into this tuple.
"""


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


@dataclass(frozen=True, slots=True)
class ReadingTools:
    """Tools with which a process reads photos and reports its progress.

    `load_tile_reader` is called whenever tiles are read; `show_progress` is entered with the number of photos read tile
    by tile.
    """

    tables: EnrolledGames
    load_tile_reader: Callable[[], Reader]
    tell: Callable[[str], None] = lambda stage: None
    show_progress: Callable[[int], AbstractContextManager[None]] = lambda photos: nullcontext()
