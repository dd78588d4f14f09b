"""What goes over HTTP of tiles, games, rules, and what was taught, as typed models."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from api.report.schema import Square
from api.schemas.readings import Wire
from scoring.carcassonne.final.rulesets import Farms


class CatalogueTile(Wire):
    """A tile of the catalogue: what lies at its edges as printed, and the number of turns that can be told apart."""

    id: str
    letter: str | None
    box: str
    count: int
    symmetry: int
    edges: dict[str, str]
    coats_of_arms: int
    monastery: bool


class CatalogueWonder(Wire):
    """A wonder tile: its squares (row, col) as printed."""

    id: str
    name: str
    squares: list[Square]


class Catalogue(Wire):
    """All tiles that can lie on a board."""

    tiles: list[CatalogueTile]
    wonders: list[CatalogueWonder]


class Game(Wire):
    """A game that is scored.

    `reads_photos` where this server can read its photos: for a game with a printed board once `pictures` of its empty
    boards were enrolled. `colours` are those that its players may have.
    """

    name: str
    title: str
    reads_photos: bool
    pictures: list[str]
    colours: list[str]


class GameList(Wire):
    """All games that are scored."""

    games: list[Game]


class RuleSet(Wire):
    """A rule set: the years of the boxes that have it, and what differs between rule sets.

    `city_of_a_farm` is what a finished city brings a farm, shared out as `farms` says; with `small_city` a city of two
    tiles scores 1 a tile and coat of arms. The Alhambra pays `farmer` for each, `farmer_of_many` from 120 tiles on.
    Years are told as far as they are known; with `has_wonders` wonders were published with these boxes.
    """

    name: str
    years: str
    about: str
    farms: Farms
    city_of_a_farm: int
    small_city: bool
    farmer: int
    farmer_of_many: int
    wonders_at_once: bool
    has_wonders: bool


class RuleSetList(Wire):
    """All rule sets, today's first."""

    rules: list[RuleSet]


class EnrolmentDocument(Wire):
    """Tiles that the server was taught; `problem` is the code of what is wrong with them.

    `kept` is "folder" for what `wondertally enrol` taught at the server's machine, which counts at this machine alone.
    """

    name: str
    kept: Literal["database", "folder"]
    tiles: int
    source: str
    made: str
    problem: str | None = None


class EnrolmentCreated(EnrolmentDocument):
    """Tiles that the server was just taught, with the squares (row, col) that were read otherwise until now."""

    otherwise: list[Square] = Field(default=[])


class EnrolmentList(Wire):
    """All that was taught."""

    enrolments: list[EnrolmentDocument]


class EnrolmentPreview(Wire):
    """What the server would learn from a reading: prints of so many squares, of so many kinds of tiles, and of wonders.

    `left_out` are squares that nobody knows, that the photo cuts off, or that hold a piece where a twin lies free.
    `refused` is the error that whoever asks would get for teaching it.
    """

    squares: int
    kinds: int
    wonders: list[str]
    left_out: int
    refused: str | None = None


class EnrolmentCreate(Wire):
    """A reading, as it is corrected, to be learnt from; without a name it gets one."""

    reading: str = Field(max_length=64)
    name: str | None = Field(default=None, max_length=64)
