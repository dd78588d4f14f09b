"""Registry of the games of spots (`scoring.spots.game`); the only list of them.

Another game is one more `SpotGame` here. Rules and readers are imported on first use, so that commands start fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from api.inputs.text import find_meant
from scoring.spots.components import Fact
from scoring.spots.game import Game
from vision.enrolment.games import GameEnrolment
from vision.errors import InputError
from vision.flat_boards.reading import TableReader

if TYPE_CHECKING:
    from vision.evaluation.spot_judge import Judged, Tally
    from vision.showing.draft import BoardForm


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
    list_facts: Callable[[Any], Iterable[Fact]] = lambda components: ()
    shapes_key: str = ""

    @property
    def rules(self) -> Game:
        """Rules of the game."""
        return self.load_rules()


def _load(place: str) -> Callable[[], Any]:
    """Return the loader of an object, given as `module:name`."""
    return partial(resolve_name, place)


def _call(place: str) -> Callable[..., Any]:
    """Return a function, given as `module:name`, that is imported when it is called."""
    return partial(_resolve_and_call, place)


def _resolve_and_call(place: str, *arguments: Any) -> Any:
    return resolve_name(place)(*arguments)


SPOT_GAMES: dict[str, SpotGame] = {
    game.name: game
    for game in (
        SpotGame(
            "tower-of-babel",
            "Tower of Babel",
            _load("scoring.tower_of_babel.game:GAME"),
            _call("vision.tower_of_babel.reader:build_reader"),
            _call("vision.evaluation.spot_judge:count_nothing"),
            _load("vision.tower_of_babel.form:FORMS"),
        ),
        SpotGame(
            "world-wonders",
            "World Wonders",
            _load("scoring.world_wonders.game:GAME"),
            _call("vision.world_wonders.reader:build_reader"),
            _call("vision.evaluation.world_wonders:count_figures"),
            _load("vision.world_wonders.form:FORMS"),
            _call("vision.world_wonders.form:list_wanted_pictures"),
            _call("scoring.world_wonders.game:list_facts"),
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
