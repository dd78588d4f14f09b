"""Enrolment of pieces of a game with a printed board, from a reading in which a person named them and its photo."""

from __future__ import annotations

from pathlib import Path

from api.documents.spot_report import SpotReport
from api.enrolment.listing import DocumentAndLines
from api.errors import QuestionError
from api.inputs.photos import find_photo_files, open_photo
from api.inputs.text import find_meant
from api.spots.pieces import list_photo_spots
from api.spots.registry import find_spot_game
from vision.enrolment.games import GameEnrolments
from vision.errors import EnrolmentError
from vision.flat_boards.reading import EnrollingReader
from vision.photo.decoding import Photo


def enrol_pieces(file: Path, report: SpotReport, photo: Path | None) -> DocumentAndLines:
    """Keep pictures of the pieces that a report names; return the result as a document and as lines.

    `file` is the report's path, `photo` its photo if that is not beside it. Raises WondertallyError, ComponentsError.
    """
    spot_game, store = find_spot_game(report.game), GameEnrolments()
    reader = spot_game.build_reader(store.load(spot_game.name))
    if not isinstance(reader, EnrollingReader):
        raise EnrolmentError("pieces_not_taught", details={"game": spot_game.name})
    number, source_photo = _find_photo(report, file, photo)
    looks = reader.taught(source_photo, list(list_photo_spots(report, number)))
    store.add_pieces(spot_game.name, looks)
    done = {"game": spot_game.name, "pieces": {name: len(looks[name]) for name in sorted(looks)}}
    return done, [f"enrolled: {spot_game.name}, pieces: {', '.join(sorted(looks))}"]


def forget_piece(game: str, name: str) -> DocumentAndLines:
    """Forget an enrolled piece; raises EnrolmentError `no_such_enrolment`, InputError `unsupported_game`."""
    store, own_name = GameEnrolments(), find_spot_game(game).name
    if name not in (known := sorted(store.load(own_name).pieces)):
        raise EnrolmentError("no_such_enrolment", details={"name": name, **find_meant(name, known), "known": known})
    store.forget_piece(own_name, name)
    return {"game": game, "forgotten": name}, [f"forgotten: {game}, {name}"]


def _find_photo(report: SpotReport, file: Path, photo_file: Path | None) -> tuple[int, Photo]:
    """Find a photo that the report was made from, and its number: the given one, or the first beside the report.

    Raises QuestionError `wrong_photo`, EnrolmentError `photo_wanted`, PhotoError.
    """
    photos = report.photos or ([report.photo] if report.photo else [])
    if photo_file is not None:
        photo = open_photo(photo_file)
        numbers = [number for number, info in enumerate(photos) if info.sha256 == photo.sha256]
        if not numbers:
            raise QuestionError("wrong_photo", details={"file": str(photo_file)})
        return numbers[0], photo
    for number, photo_info in enumerate(photos):
        for path in find_photo_files(photo_info, file):
            return number, Photo.from_path(path)
    raise EnrolmentError("photo_wanted", details={"file": ", ".join(info.file for info in photos)})
