"""The games that are played on spots (`scoring.spots.game`): the one place that names them.

A further game is one more `SpotGame` here. Rules and readers are imported when first used, so that commands start fast.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.spots.game import Game
from vision.enrolment.games import GameEnrolment, GameEnrolments
from vision.errors import EnrolmentError, InputError, WondertallyError
from vision.photo.decoding import Photo
from vision.printed.reading import TableReader

if TYPE_CHECKING:
    from vision.evaluation.spot_judge import Judged, Tally

CARCASSONNE = "carcassonne"
LIKE_LEAST = 0.5
"""A photo that is less like every enrolled game than this is taken for Carcassonne."""


@dataclass(frozen=True, slots=True)
class SpotGame:
    """A game of spots: its name as `--game` takes it, its title on the box, and what loads its parts when first used.

    `count_figures` counts what `evaluate` prints of this game beside spots and areas.
    """

    name: str
    title: str
    load_rules: Callable[[], Game]
    build_reader: Callable[[GameEnrolment], TableReader]
    count_figures: Callable[[Judged], Tally]

    @property
    def rules(self) -> Game:
        """The rules of the game."""
        return self.load_rules()


def _load_babel_rules() -> Game:
    from scoring.tower_of_babel.game import GAME

    return GAME


def _build_babel_reader(enrolment: GameEnrolment) -> TableReader:
    from vision.tower_of_babel.reader import build_reader

    return build_reader(enrolment)


def _count_babel_figures(judged: Judged) -> Tally:
    from vision.evaluation.spot_judge import count_nothing

    return count_nothing(judged)


def _load_world_wonders_rules() -> Game:
    from scoring.world_wonders.game import GAME

    return GAME


def _build_world_wonders_reader(enrolment: GameEnrolment) -> TableReader:
    from vision.world_wonders.reader import build_reader

    return build_reader(enrolment)


def _count_world_wonders_figures(judged: Judged) -> Tally:
    from vision.evaluation.world_wonders import count_figures

    return count_figures(judged)


SPOT_GAMES: dict[str, SpotGame] = {
    game.name: game
    for game in (
        SpotGame("tower-of-babel", "Tower of Babel", _load_babel_rules, _build_babel_reader, _count_babel_figures),
        SpotGame(
            "world-wonders",
            "World Wonders",
            _load_world_wonders_rules,
            _build_world_wonders_reader,
            _count_world_wonders_figures,
        ),
    )
}


def list_games() -> tuple[str, ...]:
    """All games, Carcassonne first."""
    return (CARCASSONNE, *SPOT_GAMES)


def get_game_title(game: str) -> str:
    """What a game is called on its box."""
    return SPOT_GAMES[game].title if game in SPOT_GAMES else "Carcassonne"


def check_game(game: str) -> str:
    """The game's name; raises InputError `unsupported_game`."""
    if game not in list_games():
        raise InputError("unsupported_game", details={"game": game, "supported": list(list_games())})
    return game


def find_spot_game(game: str) -> SpotGame:
    """A game of spots; raises InputError `unsupported_game`."""
    if game not in SPOT_GAMES:
        raise InputError("unsupported_game", details={"game": game, "supported": list(SPOT_GAMES)})
    return SPOT_GAMES[game]


class Tables:
    """The games whose boards were shown to this machine, and their readers, made once as long as nothing changes."""

    def __init__(self, folder: Path | None = None) -> None:
        self._enrolments = GameEnrolments(folder)
        self._readers: dict[str, tuple[object, TableReader]] = {}

    def enrolment(self, game: str) -> GameEnrolment:
        """What was shown of a game; nothing yet where nothing was. Raises EnrolmentError `bad_enrolment`."""
        return self._enrolments.load(find_spot_game(game).name)

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
        own, state = find_spot_game(game), self._enrolments.state(game)
        known = self._readers.get(game)
        if known is not None and known[0] == state:
            return known[1]
        enrolment = self._enrolments.load(game)
        if not enrolment.pictures:
            raise build_not_enrolled_error(game)
        reader = own.build_reader(enrolment)
        self._readers[game] = (state, reader)
        return reader

    def recognised(self, photos: Sequence[Photo]) -> str:
        """The game on a table: the one whose boards its photos are most like, else Carcassonne.

        A game whose enrolment is damaged is passed over: that is told to who asks for that game.
        """
        likely = {game: self._likeness(game, photos) for game in SPOT_GAMES if self.pictures(game)}
        best = max(likely, key=lambda game: likely[game], default=CARCASSONNE)
        return best if likely.get(best, 0.0) >= LIKE_LEAST else CARCASSONNE

    def _likeness(self, game: str, photos: Sequence[Photo]) -> float:
        try:
            reader = self.reader(game)
        except WondertallyError:
            return 0.0
        return max((reader.likeness(photo) for photo in photos), default=0.0)


def build_not_enrolled_error(game: str) -> EnrolmentError:
    """The error for a game whose boards were not shown yet, with what shows them."""
    command = f"wondertally enrol board PHOTO --game {game} --picture NAME --components FILE"
    return EnrolmentError("game_not_enrolled", details={"game": game, "command": command})
