"""The reading of the spots of a printed board (`scoring.spots.game`) in photos, and the protocols of its readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from scoring.spots.doubts import MIN_PROBABILITY as MIN_OFFERED_PROBABILITY
from scoring.spots.game import Value
from vision.arrays import Floats, Image
from vision.photo.decoding import Photo

MIN_PROBABILITY = 1e-4
"""Raw probabilities are clipped to this distance from 0 and 1. A guess."""
MAX_ALTERNATIVES = 4
"""Maximum number of alternatives per spot. A guess."""
MIN_ALTERNATIVE_PROBABILITY = MIN_OFFERED_PROBABILITY
"""Minimum probability of an alternative value: no less is asked about."""


@dataclass(frozen=True, slots=True, eq=False)
class SpotReading:
    """The value of a spot with its calibrated probability (0 to 1), and the alternatives, most likely first.

    `outline_px` is (n, 2), the spot in photo number `photo`, in pixels of the upright photo. It is `hidden` if glare or
    an object hides so much of it that a reading as empty is not supported by the photo.
    """

    id: str
    value: Value
    confidence: float
    alternatives: tuple[tuple[Value, float], ...]
    outline_px: Floats
    photo: int = 0
    hidden: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class BoardPlace:
    """A board in photo number `photo`: its enrolled picture by name, its size, and its corners NW, NE, SE, SW.

    `owner` is its player, "" for a shared board. `corners_px` (4, 2) are pixels of the upright photo.
    """

    picture: str
    owner: str
    size_mm: tuple[float, float]
    corners_px: Floats
    photo: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class TableReading:
    """The complete reading of the photos of one table; `players` are the colours seen, in the game's order.

    `photos` are those that were used, `aside` the others, each with the code of the reason. Spots that no photo shows
    are not among `spots`. `renames` are alternative colours of some players, from the one read to the other, each with
    its probability. `boards` maps the colour under which each player-specific board was enrolled to its owner. `places`
    are the boards whose spots were read.
    """

    photos: tuple[Photo, ...]
    players: tuple[str, ...]
    spots: tuple[SpotReading, ...]
    timing_ms: Mapping[str, float]
    aside: tuple[tuple[Photo, str], ...] = ()
    renames: tuple[tuple[Mapping[str, str], float], ...] = ()
    boards: Mapping[str, str] = field(default_factory=dict)
    places: tuple[BoardPlace, ...] = ()


class TableReader(Protocol):
    """A reader of the tables of one game with enrolled empty boards (`vision.enrolment.games`)."""

    def likeness(self, photo: Photo) -> float:
        """Return how surely a photo shows the game, 0 to 1, for recognising the game."""

    def read(self, photos: Sequence[Photo]) -> TableReading:
        """Read the table; raises ReadingError `board_not_found` if no photo shows its board."""


@runtime_checkable
class EnrollingReader(Protocol):
    """A reader that can learn the appearance of pieces that a reading cannot name."""

    def taught(self, photo: Photo, spots: Sequence[SpotReading]) -> Mapping[str, Sequence[Image]]:
        """Return (h, w, 4) looks, by name, of the pieces on certain spots of a photo, for `GameEnrolment.pieces`.

        Raises EnrolmentError `nothing_to_enrol`, `piece_does_not_fit`, `report_disagrees`.
        """

    def list_named(self, spots: Sequence[SpotReading]) -> tuple[str, ...]:
        """Return the names of the pieces on certain spots, as `taught` keeps them."""
