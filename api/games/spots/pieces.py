"""Pieces that a reading of a table of spots names, to be known by sight from then on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from api.games.spots.registry import find_spot_game
from api.games.spots.schema import SpotReport
from vision.arrays import Image
from vision.enrolment.games import GameEnrolments
from vision.errors import EnrolmentError
from vision.photo.decoding import Photo
from vision.printed.reading import SpotReading, TaughtReader


def list_new_pieces(store: GameEnrolments, report: SpotReport) -> list[str]:
    """List the pieces that a report surely names and that are not known by sight yet; raises as readers' building does.

    There are none in a game whose pieces need not be shown.
    """
    spot_game = find_spot_game(report.game)
    enrolment = store.load(spot_game.name)
    reader = spot_game.build_reader(enrolment) if enrolment.pictures else None
    if not isinstance(reader, TaughtReader):
        return []
    spots = [spot for number in range(max(1, len(report.photos))) for spot in list_photo_spots(report, number)]
    return sorted({*reader.list_named(spots)} - enrolment.pieces.keys())


def keep_new_pieces(store: GameEnrolments, report: SpotReport, load_photo: Callable[[int], Photo]) -> dict[str, int]:
    """Keep what the pieces look like that a report names and that are not known by sight yet: how often each is seen.

    `load_photo` gives a photo of the report by its number. Raises EnrolmentError `pieces_not_taught`,
    `nothing_to_enrol`, `piece_does_not_fit`, `report_disagrees`, PhotoError.
    """
    spot_game = find_spot_game(report.game)
    reader = spot_game.build_reader(store.load(spot_game.name))
    if not isinstance(reader, TaughtReader):
        raise EnrolmentError("pieces_not_taught", details={"game": spot_game.name})
    names, looks = {*list_new_pieces(store, report)}, dict[str, list[Image]]()
    for number in range(max(1, len(report.photos))):
        spots = list(list_photo_spots(report, number))
        if names & {*reader.list_named(spots)}:
            for name, own_looks in reader.taught(load_photo(number), spots).items():
                looks.setdefault(name, []).extend(own_looks)
    new_looks = {name: own_looks for name, own_looks in looks.items() if name in names}
    if not new_looks:
        raise EnrolmentError("nothing_to_enrol", "The reading names no piece that is not known yet.")
    store.add_pieces(spot_game.name, new_looks)
    return {name: len(own_looks) for name, own_looks in sorted(new_looks.items())}


def list_photo_spots(report: SpotReport, photo: int) -> Iterator[SpotReading]:
    """List the spots that a photo shows, with their confidence: 1 for what a person set."""
    for spot in report.board.spots:
        if spot.value is not None and spot.outline_px and spot.photo == photo:
            sure = 1.0 if spot.set_by_person else spot.confidence
            yield SpotReading(spot.id, spot.value, sure, (), np.array(spot.outline_px, np.float64), photo)
