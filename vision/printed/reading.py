"""What photos of a printed board tell of its spots (`scoring.spots.game`), and what reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from scoring.spots.game import Value
from vision.arrays import Floats, Image
from vision.photo.decoding import Photo


@dataclass(frozen=True, slots=True, eq=False)
class SpotReading:
    """What lies on a spot, how likely (0 to 1, calibrated), and what else may, likeliest first.

    `outline_px` is (n, 2), the spot in photo number `photo`, in pixels of the upright photo. It is
    `hidden` where glare, or what stands before it, hides so much that nothing there is not what the photo shows.
    """

    id: str
    value: Value
    confidence: float
    alternatives: tuple[tuple[Value, float], ...]
    outline_px: Floats
    photo: int = 0
    hidden: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class TableReading:
    """Everything read from the photos of one table; `players` are the colours seen, in the game's order.

    `photos` are those that it is read from; `aside` the others, each with the code of the reason. Spots that no photo
    shows are not among `spots`. `renames` are other colours that some of the players may have, from the one that was
    read to the other, each way with its probability. `boards` tells whose the boards are that are not alike for all
    players, by the colour under which each was shown.
    """

    photos: tuple[Photo, ...]
    players: tuple[str, ...]
    spots: tuple[SpotReading, ...]
    timing_ms: Mapping[str, float]
    aside: tuple[tuple[Photo, str], ...] = ()
    renames: tuple[tuple[Mapping[str, str], float], ...] = ()
    boards: Mapping[str, str] = field(default_factory=dict)


class TableReader(Protocol):
    """Reads the tables of one game, whose empty boards it was shown (`vision.enrolment.games`)."""

    def likeness(self, photo: Photo) -> float:
        """Return how surely a photo shows the game, 0 to 1: for recognising the game."""

    def read(self, photos: Sequence[Photo]) -> TableReading:
        """Read what lies on the table; raises ReadingError `board_not_found` where no photo shows its board."""


@runtime_checkable
class TaughtReader(Protocol):
    """A reader that can be shown what pieces look like which a reading cannot name."""

    def taught(self, photo: Photo, spots: Sequence[SpotReading]) -> Mapping[str, Sequence[Image]]:
        """Return (h, w, 4) looks of the pieces that spots of a photo surely hold, by name, for `GameEnrolment.pieces`.

        Raises EnrolmentError `nothing_to_enrol`, `piece_does_not_fit`, `report_disagrees`.
        """

    def list_named(self, spots: Sequence[SpotReading]) -> tuple[str, ...]:
        """Return the names of the pieces that spots surely hold, as `taught` keeps them."""
