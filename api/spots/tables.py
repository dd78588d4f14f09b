"""The games of spots with boards enrolled on this machine, their readers, and a reading of one table."""

from __future__ import annotations

from pathlib import Path

from api.reading.surveys import Openers, use_photos
from api.reading.tools import EnrolledGames
from api.spots.registry import SPOT_GAMES, find_spot_game
from api.spots.snapshot import SpotSnapshot, build_table_snapshot
from vision.enrolment.games import GameEnrolments
from vision.errors import EnrolmentError, WondertallyError
from vision.flat_boards.reading import TableReader
from vision.photo.decoding import Photo

MIN_LIKENESS = 0.5
"""Minimum likeness of a photo to an enrolled game to be recognised as that game. A guess."""


class Tables:
    """The games with boards enrolled on this machine; each reader is kept until the enrolment changes."""

    def __init__(self, folder: Path | None = None) -> None:
        self._enrolments = GameEnrolments(folder)
        self._readers: dict[str, tuple[object, TableReader]] = {}

    def components(self, game: str) -> str | None:
        """Return the person's components file of a game as TOML, or None if there is none."""
        return self._enrolments.components(find_spot_game(game).name) or None

    def pictures(self, game: str) -> tuple[str, ...]:
        """Return the names of a game's enrolled pictures of empty boards."""
        return self._enrolments.picture_names(find_spot_game(game).name)

    @property
    def any_enrolled(self) -> bool:
        """Whether boards of any game are enrolled."""
        return any(self.pictures(game) for game in SPOT_GAMES)

    def list_shown(self) -> list[str]:
        """List the games with enrolled boards or components."""
        return [name for name in SPOT_GAMES if self.pictures(name) or self.components(name)]

    def reader(self, game: str) -> TableReader:
        """Return the reader of a game; raises EnrolmentError `game_not_enrolled`, `bad_enrolment`, ComponentsError."""
        spot_game, state = find_spot_game(game), self._enrolments.state(game)
        cached = self._readers.get(game)
        if cached is not None and cached[0] == state:
            return cached[1]
        enrolment = self._enrolments.load(game)
        if not enrolment.pictures:
            raise build_not_enrolled_error(game)
        reader = spot_game.build_reader(enrolment)
        self._readers[game] = (state, reader)
        return reader

    def recognise(self, photo: Photo) -> str | None:
        """Return the enrolled game most like a photo, or None if none is like it.

        A game with a damaged enrolment is skipped; the damage is reported when that game is asked for by name.
        """
        likeness = {game: self._measure_likeness(game, photo) for game in SPOT_GAMES if self.pictures(game)}
        best = max(likeness, key=lambda game: likeness[game], default=None)
        return None if best is None or likeness[best] < MIN_LIKENESS else best

    def _measure_likeness(self, game: str, photo: Photo) -> float:
        try:
            reader = self.reader(game)
        except WondertallyError:
            return 0.0
        return reader.likeness(photo)


def build_not_enrolled_error(game: str) -> EnrolmentError:
    """Build the error for a game without enrolled boards, with the command that enrols one."""
    command = f"wondertally enrol board PHOTO --game {game} --picture NAME --components FILE"
    return EnrolmentError("game_not_enrolled", details={"game": game, "command": command})


def read_table(tables: EnrolledGames, game: str, openers: Openers) -> SpotSnapshot:
    """Read all photos that can be opened into one snapshot; raises the first error if none can be opened.

    Raises EnrolmentError `game_not_enrolled`, ReadingError `board_not_found`, ComponentsError.
    """
    reader = tables.reader(game)
    photos, aside = use_photos(openers, _keep)
    return build_table_snapshot(reader.read(photos), game, tables.components(game) or "", aside)


def _keep(photo: Photo) -> Photo:
    """Keep a photo as it is: all photos of a table are read at once."""
    return photo
