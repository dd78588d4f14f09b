"""Teaching pieces of a game whose board is printed: from a reading in which a person named them, and its photo."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from api.errors import QuestionError
from api.explain.source import find_photo_files
from api.games.spots.registry import find_spot_game
from api.games.spots.schema import SpotReport
from api.report.schema import PhotoInfo
from vision.enrolment.games import GameEnrolments
from vision.errors import EnrolmentError, InputError
from vision.photo.decoding import Photo
from vision.printed.reading import SpotReading, TaughtReader

Done = tuple[dict[str, Any], list[str]]


def enrol_pieces(file: Path, report: SpotReport, photo: Path | None, game: str | None = None) -> Done:
    """Keep what the pieces look like that a report names; what was done, as a document and in words.

    `file` is where the report lies, `photo` its photo where that does not lie beside it. Raises WondertallyError,
    ComponentsError.
    """
    if game not in (None, report.game):
        raise InputError("other_game", details={"game": game, "report": report.game})
    own, store = find_spot_game(report.game), GameEnrolments()
    reader = own.build_reader(store.load(own.name))
    if not isinstance(reader, TaughtReader):
        raise EnrolmentError("pieces_not_taught", details={"game": own.name})
    number, shown = _photo_of(report, file, photo)
    looks = reader.taught(shown, list(_spots(report, number)))
    store.add_pieces(own.name, looks)
    done = {"game": own.name, "pieces": {name: len(looks[name]) for name in sorted(looks)}}
    return done, [f"enrolled: {own.name}, pieces: {', '.join(sorted(looks))}"]


def forget_piece(game: str, name: str) -> Done:
    """Undo what was shown of a piece; raises EnrolmentError `no_such_enrolment`, InputError `unsupported_game`."""
    GameEnrolments().forget_piece(find_spot_game(game).name, name)
    return {"game": game, "forgotten": name}, [f"forgotten: {game}, {name}"]


def _photo_of(report: SpotReport, file: Path, given: Path | None) -> tuple[int, Photo]:
    """One of the photos that the report was made from, and its number: the one given, or the first beside the report.

    Raises QuestionError `wrong_photo`, EnrolmentError `photo_wanted`, PhotoError.
    """
    photos = report.photos or ([report.photo] if report.photo else [])
    if given is not None:
        photo = Photo.from_path(given)
        numbers = [number for number, own in enumerate(photos) if own.sha256 == photo.sha256]
        if not numbers:
            raise QuestionError("wrong_photo", details={"file": str(given)})
        return numbers[0], photo
    for number, own in enumerate(photos):
        for found in find_photo_files(own, file):
            return number, Photo.from_path(found)
    raise EnrolmentError("photo_wanted", details={"file": _names(photos)})


def _names(photos: list[PhotoInfo]) -> str:
    return ", ".join(own.file for own in photos)


def _spots(report: SpotReport, photo: int) -> Iterator[SpotReading]:
    """What the photo of that number shows, as surely as it is known: what a person said is."""
    for spot in report.board.spots:
        if spot.value is not None and spot.outline_px and spot.photo == photo:
            sure = 1.0 if spot.set_by_person else spot.confidence
            yield SpotReading(spot.id, spot.value, sure, (), np.array(spot.outline_px, np.float64), photo)
