"""Enrolment of pieces named in a reading of a table of spots, to be recognised from then on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from api.documents.spot_report import SpotReport
from api.spots.registry import find_spot_game
from vision.arrays import Image
from vision.enrolment.games import GameEnrolments
from vision.errors import EnrolmentError
from vision.flat_boards.reading import EnrollingReader, SpotReading
from vision.photo.decoding import Photo


def list_new_pieces(store: GameEnrolments, report: SpotReport) -> list[str]:
    """List the pieces that a report surely names and that are not enrolled yet; raises as building a reader does.

    The list is empty for a game whose pieces need no enrolment.
    """
    spot_game = find_spot_game(report.game)
    enrolment = store.load(spot_game.name)
    reader = spot_game.build_reader(enrolment) if enrolment.pictures else None
    if not isinstance(reader, EnrollingReader):
        return []
    spots = [spot for number in range(max(1, len(report.photos))) for spot in list_photo_spots(report, number)]
    return sorted({*reader.list_named(spots)} - enrolment.pieces.keys())


def keep_new_pieces(store: GameEnrolments, report: SpotReport, load_photo: Callable[[int], Photo]) -> dict[str, int]:
    """Enrol the pieces that a report names and that are not enrolled yet; return how often each is seen.

    `load_photo` loads a photo of the report by its number. Raises EnrolmentError `pieces_not_taught`,
    `nothing_to_enrol`, `piece_does_not_fit`, `report_disagrees`, PhotoError.
    """
    spot_game = find_spot_game(report.game)
    reader = spot_game.build_reader(store.load(spot_game.name))
    if not isinstance(reader, EnrollingReader):
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
    """Yield the spots in a photo with their confidence: 1 for spots set by a person."""
    for spot in report.board.spots:
        if spot.value is not None and spot.outline_px and spot.photo == photo:
            sure = 1.0 if spot.set_by_person else spot.confidence
            yield SpotReading(spot.id, spot.value, sure, (), np.array(spot.outline_px, np.float64), photo)
