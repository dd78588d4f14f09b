"""Registry of the games of spots (`scoring.spots.game`); the only list of them.

Another game is one more `SpotGame` here. Rules and readers are imported on first use, so that commands start fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from api.inputs.meant import find_meant
from scoring.spots.components import Fact
from scoring.spots.game import Game
from vision.enrolment.games import GameEnrolment
from vision.errors import InputError
from vision.flat_boards.reading import TableReader

if TYPE_CHECKING:
    from vision.evaluation.spot_judge import Judged, Tally
    from vision.showing.draft import BoardForm


def _list_nothing(components: Any) -> Iterable[Fact]:
    return ()


@dataclass(frozen=True, slots=True)
class SpotGame:
    """A game of spots: its name as `--game` takes it, its title on the box, and the loaders of its parts.

    `count_figures` counts the figures that `evaluate` prints for this game beside spots and areas. `load_forms` returns
    the forms for enrolling each of its boards, by picture name; `list_wanted` lists the pictures that a copy needs by
    its components (None: all), and `list_facts` the values typed beside the boards. `shapes_key` is the list of tile
    shapes in the components file, "" if a copy has none.
    """

    name: str
    title: str
    load_rules: Callable[[], Game]
    build_reader: Callable[[GameEnrolment], TableReader]
    count_figures: Callable[[Judged], Tally]
    load_forms: Callable[[], Mapping[str, BoardForm]] = dict
    list_wanted: Callable[[Any], Iterable[str]] | None = None
    list_facts: Callable[[Any], Iterable[Fact]] = _list_nothing
    shapes_key: str = ""

    @property
    def rules(self) -> Game:
        """Rules of the game."""
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


def _load_babel_forms() -> Mapping[str, BoardForm]:
    from vision.tower_of_babel.form import FORMS

    return FORMS


def _load_world_wonders_rules() -> Game:
    from scoring.world_wonders.game import GAME

    return GAME


def _build_world_wonders_reader(enrolment: GameEnrolment) -> TableReader:
    from vision.world_wonders.reader import build_reader

    return build_reader(enrolment)


def _load_world_wonders_forms() -> Mapping[str, BoardForm]:
    from vision.world_wonders.form import FORMS

    return FORMS


def _list_wanted_world_wonders_boards(components: Any) -> Iterable[str]:
    from vision.world_wonders.form import list_wanted_pictures

    return list_wanted_pictures(components)


def _list_world_wonders_facts(components: Any) -> Iterable[Fact]:
    from scoring.world_wonders.game import list_facts

    return list_facts(components)


def _count_world_wonders_figures(judged: Judged) -> Tally:
    from vision.evaluation.world_wonders import count_figures

    return count_figures(judged)


SPOT_GAMES: dict[str, SpotGame] = {
    game.name: game
    for game in (
        SpotGame(
            "tower-of-babel",
            "Tower of Babel",
            _load_babel_rules,
            _build_babel_reader,
            _count_babel_figures,
            _load_babel_forms,
        ),
        SpotGame(
            "world-wonders",
            "World Wonders",
            _load_world_wonders_rules,
            _build_world_wonders_reader,
            _count_world_wonders_figures,
            _load_world_wonders_forms,
            _list_wanted_world_wonders_boards,
            _list_world_wonders_facts,
            "buildings.shapes",
        ),
    )
}


def find_spot_game(game: str) -> SpotGame:
    """Find a game of spots by its name; raises InputError `unsupported_game`."""
    if game not in SPOT_GAMES:
        details = {"game": game, **find_meant(game, SPOT_GAMES), "supported": list(SPOT_GAMES)}
        raise InputError("unsupported_game", details=details)
    return SPOT_GAMES[game]


def select_spot_games(names: Iterable[str]) -> list[SpotGame]:
    """Return the games of spots among some names, in their order."""
    return [SPOT_GAMES[name] for name in names if name in SPOT_GAMES]
