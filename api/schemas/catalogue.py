"""HTTP documents about tiles, games, rules and enrolments, as typed models."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from api.documents.report import Square
from api.schemas.readings import Wire
from scoring.carcassonne.final.rulesets import Farms


class CatalogueTile(Wire):
    """A tile of the catalogue: its edges as printed, and the number of distinct orientations.

    `box` is the short name of a box that photos are read for, or the name of a `further` expansion. An edge is `any` if
    it fits any land. `words` describe the tile in each of its orientations, in the language of the request; `places`
    name its parts in each, as corrections do.
    """

    id: str
    letter: str | None
    box: str
    further: bool
    count: int
    symmetry: int
    edges: dict[str, str]
    coats_of_arms: int
    monastery: bool
    words: list[str]
    places: list[list[str]]


class CatalogueWonder(Wire):
    """A wonder tile with its squares (row, col) as printed."""

    id: str
    name: str
    squares: list[Square]


class Catalogue(Wire):
    """All tiles that can lie on a board."""

    tiles: list[CatalogueTile]
    wonders: list[CatalogueWonder]


class Game(Wire):
    """A game that can be scored.

    `reads_photos` is set if this server can read its photos: for a game with a printed board once `pictures` of its
    empty boards are enrolled. `colours` are the possible colours of its players.
    """

    name: str
    title: str
    reads_photos: bool
    pictures: list[str]
    colours: list[str]


class GameList(Wire):
    """All games that can be scored."""

    games: list[Game]


class RuleSet(Wire):
    """A rule set: the years of the boxes that have it, and the values in which rule sets differ.

    `city_of_a_farm` is the worth of a finished city to a farm, distributed as `farms` states; with `small_city` a city
    of two tiles scores 1 for each tile and coat of arms. The Alhambra pays `farmer` for each farmer, `farmer_of_many`
    from 120 tiles on. Years are given as far as known; `has_wonders` is set if wonders were published with these boxes.
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
    """Enrolled tiles; `problem` is the error code if they cannot be used.

    `kept` is "folder" for an enrolment made by `wondertally enrol` on the server's machine, which applies only there.
    """

    name: str
    kept: Literal["database", "folder"]
    tiles: int
    source: str
    made: str
    problem: str | None = None


class EnrolmentCreated(EnrolmentDocument):
    """Newly enrolled tiles, with the squares (row, col) that were read differently until then."""

    otherwise: list[Square] = Field(default=[])


class EnrolmentList(Wire):
    """All enrolments, and the names of the forgotten ones, which `undo` brings back."""

    enrolments: list[EnrolmentDocument]
    forgotten: list[str] = Field(default=[])


class EnrolmentPreview(Wire):
    """A preview of an enrolment from a reading: the numbers of squares and of kinds of tiles, and the wonders.

    `left_out` counts squares that are unknown, cut off by the photo, or hold a piece while the same tile lies free
    elsewhere. `refused` is the error code the caller would get for enrolling it.
    """

    squares: int
    kinds: int
    wonders: list[str]
    left_out: int
    refused: str | None = None


class EnrolmentCreate(Wire):
    """A request to enrol a reading with its corrections; the name defaults to a generated one."""

    reading: str = Field(max_length=64)
    name: str | None = Field(default=None, max_length=64)
