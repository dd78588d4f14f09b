"""The games of spots whose boards this machine was shown, and what reads them."""

from __future__ import annotations

from pathlib import Path

from api.games.spots.registry import SPOT_GAMES, find_spot_game
from vision.enrolment.games import GameEnrolments
from vision.errors import EnrolmentError, WondertallyError
from vision.photo.decoding import Photo
from vision.printed.reading import TableReader

MIN_LIKENESS = 0.5
"""A photo that is less like every enrolled game than this shows none of them."""


class Tables:
    """The games whose boards were shown to this machine, and their readers, made once as long as nothing changes."""

    def __init__(self, folder: Path | None = None) -> None:
        self._enrolments = GameEnrolments(folder)
        self._readers: dict[str, tuple[object, TableReader]] = {}

    def components(self, game: str) -> str | None:
        """The person's components file of a game, as TOML; None where there is none."""
        return self._enrolments.components(find_spot_game(game).name) or None

    def pictures(self, game: str) -> tuple[str, ...]:
        """The names of the pictures of empty boards that were shown of a game."""
        return self._enrolments.picture_names(find_spot_game(game).name)

    @property
    def any_enrolled(self) -> bool:
        """Whether boards of any game were shown."""
        return any(self.pictures(game) for game in SPOT_GAMES)

    def reader(self, game: str) -> TableReader:
        """What reads a game; raises EnrolmentError `game_not_enrolled`, `bad_enrolment`, and ComponentsError."""
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
        """The game whose boards a photo is most like; None where it is like none.

        A game whose enrolment is damaged is passed over: that is told to who asks for that game.
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
    """The error for a game whose boards were not shown yet, with what shows them."""
    command = f"wondertally enrol board PHOTO --game {game} --picture NAME --components FILE"
    return EnrolmentError("game_not_enrolled", details={"game": game, "command": command})
