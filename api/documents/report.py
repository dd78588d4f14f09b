"""Schema of the report, the one document that every front door returns, as typed models.

Every `_px` point is in pixels of the upright photo, x right, y down; a report without a photo has no such field.
"""

from __future__ import annotations

from operator import not_
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from api.documents.plain_numbers import BoundedNumbers
from scoring.carcassonne.board.box_rules import find_box
from scoring.carcassonne.board.square_names import find_origin, name_square, number_square
from scoring.carcassonne.score_board.spaces import LAP_SPACES

SCHEMA: Literal["wondertally/report/1"] = "wondertally/report/1"

DEFAULT_GAME: Literal["carcassonne"] = "carcassonne"
"""The game of a document that names none."""

Point = tuple[float, float]
Square = tuple[int, int]


def _is_none(value: object) -> bool:
    return value is None


def _is_false(value: object) -> bool:
    return value is False


def _name_present_boxes(values: dict[str, int | str]) -> dict[str, int | str]:
    """Return the values of a text with the present names of the `boxes` among them."""
    if not isinstance(boxes := values.get("boxes"), str):
        return values
    return {**values, "boxes": ",".join(map(find_box, boxes.split(",")))}


class Model(BoundedNumbers, BaseModel):
    """Base of all models: unknown fields are refused, and names are those of the contract."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, serialize_by_alias=True)

    @classmethod
    def copy_of(cls, source: object) -> Self:
        """Build the model from an object with attributes of the same names."""
        return cls.model_validate(source, from_attributes=True)


def round_points(pixels: ArrayLike) -> list[Point]:
    """Round points (n, 2) to a tenth of a pixel, as pairs."""
    return [(x, y) for x, y in np.round(np.reshape(pixels, (-1, 2)), 1).tolist()]


class PhotoInfo(Model):
    """The photo that was read."""

    file: str
    width: int
    height: int
    sha256: str


class Rules(Model):
    """The rules that were used: the rule set's name, and the year since when the Alhambra pays as it does here.

    `tiles_in_play` is the number of tiles on the table, a wonder tile counting as five; `expansions` are the boxes
    beside the base game with a tile on the board: river1, river2, inns, traders. `player_count` is the number of
    players if stated, `goods` the stated tokens, by kind, then by colour. `box_rules` are the boxes for which it was
    stated whether their own rules were played, false for tiles alone, `boxes` the stated numbers of copies of boxes.
    """

    edition: str | None = None
    alhambra_points: str | None = None
    tiles_in_play: int
    expansions: list[str] = []
    players: list[str]
    player_count: int | None = Field(default=None, exclude_if=_is_none)
    goods: dict[str, dict[str, int]] = Field(default={}, exclude_if=not_)
    box_rules: dict[Annotated[str, AfterValidator(find_box)], bool] = Field(default={}, exclude_if=not_)
    boxes: dict[str, int] = Field(default={}, exclude_if=not_)


class Alternative(Model):
    """An alternative reading of a square."""

    tile: str
    turns: int
    probability: float


class TileSeen(Model):
    """A photo that shows a square, by its number in the report's `photos`, with the square's corners."""

    photo: int
    corners_px: list[Point]


class MeepleSeen(Model):
    """A photo that shows a meeple, by its number in the report's `photos`, with the meeple's foot."""

    photo: int
    foot_px: Point


class Tile(Model):
    """A square with a tile; `tile` and `letter` are None for an unknown tile.

    For a wonder tile, `square` is the index of the square, 0 to 4. `seen` are the photos that show the square, best
    first, if there are several; `corners_px` may then lie outside the picture. `set_by_person` is set if a person set
    the tile. `where` is the name of the square that people see.
    """

    row: int
    col: int
    where: str = Field(default="", exclude_if=not_)
    tile: str | None
    square: int | None = Field(default=None, exclude_if=_is_none)
    letter: str | None
    turns: int
    corners_px: list[Point] | None = Field(default=None, exclude_if=_is_none)
    confidence: float = 1.0
    doubtful: bool = False
    alternatives: list[Alternative] = []
    seen: list[TileSeen] | None = Field(default=None, exclude_if=_is_none)
    set_by_person: bool = Field(default=False, exclude_if=_is_false)


class Meeple(Model):
    """A meeple and its feature (None if unknown).

    `id` is its name in corrections: m1, m2, ... as read from the photo; None without a photo.
    """

    id: str | None = Field(default=None, exclude_if=_is_none)
    colour: str
    kind: str
    pose: str
    foot_px: Point | None = Field(default=None, exclude_if=_is_none)
    tile: Square
    where: str = Field(default="", exclude_if=not_)
    feature: str | None
    confidence: float = 1.0
    doubtful: bool = False
    seen: list[MeepleSeen] | None = Field(default=None, exclude_if=_is_none)
    set_by_person: bool = Field(default=False, exclude_if=_is_false)


class Problem(Model):
    """A violation of the rules on the board; `values` are the parts of its text, for other languages."""

    code: str
    tiles: list[Square]
    where: list[str] = Field(default=[], exclude_if=not_)
    text: str
    values: dict[str, int | str] = {}


class Board(Model):
    """The table's notation, tiles, meeples and problems."""

    notation: str
    tiles: list[Tile]
    meeples: list[Meeple]
    problems: list[Problem]

    @property
    def origin(self) -> Square:
        """First row and column with a tile, from which people count squares."""
        return find_origin((tile.row, tile.col) for tile in self.tiles)


class Feature(Model):
    """A feature; `outline_px` are closed rings, holes included, to be filled by the even-odd rule.

    `id` is a running number within this report; `name` is the label for people, the same in other readings of the table
    (`R3.4` begins in row 3, column 4). `where` names its squares as people see them.
    """

    id: str
    kind: str
    tiles: list[Square]
    where: list[str] = Field(default=[], exclude_if=not_)
    size: int
    complete: bool
    meeples: dict[str, int]
    name: str = Field(default="", exclude_if=not_)
    outline_px: list[list[Point]] | None = Field(default=None, exclude_if=_is_none)


class Run(Model):
    """Tiles in a line without a gap."""

    first: int
    last: int
    length: int


class Line(Model):
    """A row or column of the board; `number` is its own as people count."""

    axis: str
    index: int
    number: int | None = Field(default=None, exclude_if=_is_none)
    runs: list[Run]


class Entry(Model):
    """Points of one player for one feature; `values` are the numbers of the sum in `text`, for other languages."""

    player: str
    points: int
    feature: str
    rule: str
    text: str
    values: dict[str, int | str] = {}


class Assumed(Model):
    """An assumption of the scoring about an unstated fact of the table.

    The fact is the number of players or tiles, the goods, or that the rules of other boxes were played (`values` name
    these `boxes`, comma-separated). `values` are the parts of the text, for other languages. `final_scoring` holds the
    points under each possible number if they differ; the report is doubtful then. For box rules the number is 1 if they
    were played and 0 if not.
    """

    fact: Literal["players", "tiles_in_play", "goods", "holdings", "box_rules"]
    text: str
    values: Annotated[dict[str, int | str], AfterValidator(_name_present_boxes)] = {}
    final_scoring: dict[int, dict[str, int]] = Field(default={}, exclude_if=not_)


class Nothing(Model):
    """A player's pieces on a feature (its id; empty if unknown) that bring nothing, with the reason.

    `values` are the parts of the reason, for the words of each language.
    """

    player: str
    feature: str
    reason: str
    values: dict[str, int | str] = {}


class Scores(Model):
    """The final scoring; `total` is None for a player whose score track is unknown.

    `confidence` is the probability that the final scoring is right, by the reading's own doubts; None if an unknown
    tile or an unstated fact may matter, if the board leaves the picture, and without a photo. `assumed` are the
    scoring's assumptions, `nothing` the pieces that bring nothing.
    """

    final_scoring: dict[str, int]
    on_track: dict[str, int | None]
    total: dict[str, int | None]
    entries: list[Entry]
    confidence: float | None = None
    assumed: list[Assumed] = Field(default=[], exclude_if=not_)
    nothing: list[Nothing] = Field(default=[], exclude_if=not_)


class TrackPiece(Model):
    """A piece on the score board; `spaces` are its possible spaces, likeliest first."""

    colour: str
    pose: str
    spaces: list[int]
    foot_px: Point
    confidence: float
    doubtful: bool


class TrackToken(Model):
    """A token of points with its owner, None if unknown; `taught` is the name of its print."""

    points: int
    colour: str | None
    corners_px: list[Point]
    taught: str
    confidence: float
    doubtful: bool


class Track(Model):
    """The score board in the photo: its corners, the pieces on it, and the tokens of points beside it.

    Space 0 of the first edition's board lies in the third corner; `taught` is the name of an enrolled board, `lap` the
    points of one round. `photo` is the number of the photo that shows it, if there are several; its `_px` points are in
    that photo's pixels. `file` names a photo that shows the score board alone, which is then not among the report's
    photos.
    """

    corners_px: list[Point]
    pieces: list[TrackPiece]
    photo: int = 0
    lap: int = LAP_SPACES
    taught: str | None = Field(default=None, exclude_if=_is_none)
    tokens: list[TrackToken] = []
    file: str | None = Field(default=None, exclude_if=_is_none)


ALSO = "also_"
"""Prefix of value names that belong to a second doubt, without which the first changes no points."""


class Doubt(Model):
    """A doubt that matters: the alternative for the square or its meeple, and the points with it.

    If it is about a player, all pieces of one colour may have another, and the square is that of one of them; about a
    pile, the number of pieces may differ. `values` are the parts of `instead`, for other languages; those of a second
    doubt, which must be true too, begin with `also_`. `feet_px` are the feet of all pieces concerned, including those
    left out of the board.
    """

    square: Square
    where: str = Field(default="", exclude_if=not_)
    about: Literal["tile", "meeple", "player", "pile"]
    instead: str
    probability: float | None
    final_scoring: dict[str, int] | None
    values: dict[str, int | str] = {}
    feet_px: list[Point] = Field(default=[], exclude_if=not_)


class SetAside(Model):
    """A photo that the report is not made from, with the reason: an error's code, or `same_photo`."""

    file: str
    reason: str


class Apart(Model):
    """A photo that was not joined to the others, with the error's code and text."""

    file: str
    code: str
    text: str


class BatchPlace(Model):
    """A report's place in a batch: its event, round and table, and its photos in the batch's folder."""

    event: str
    round: str
    table: str
    photos: list[str]


class Report(Model):
    """The whole document; `doubtful` is set if a doubt can change points.

    The reason is in `doubts`, in a problem `tiles_lacking`, `island`, `beyond_the_picture`, `too_many_meeples`, or
    `edge_mismatch` beside a wonder, or in an assumption of the scores with other possible points.

    If it is made from several photos, these are `photos`; `photo` is the first of them, which shows most, and other
    `_px` points are in its pixels. `names` are the players' names by colour, as far as given. `wonders` are layouts of
    wonders that differ from the shipped ones, each as in a wonder's file, `unowned` the ids of wonders stated to have
    no owner.

    Squares are (row, col) from 0; each also has its name that people see, as `where`, counted from 1 from the top left
    tile. A correction that lays a tile above or left of all others changes the names, but not the numbers.
    """

    schema_: Literal["wondertally/report/1"] = Field(default=SCHEMA, alias="schema")
    game: Literal["carcassonne"] = DEFAULT_GAME
    photo: PhotoInfo | None
    rules: Rules
    board: Board
    features: list[Feature]
    lines: list[Line]
    scores: Scores
    doubtful: bool
    doubts: list[Doubt]
    timing_ms: dict[str, float]
    photos: list[PhotoInfo] = []
    set_aside: list[SetAside] = []
    track: Track | None = None
    names: dict[str, str] = {}
    wonders: list[dict[str, Any]] = Field(default=[], exclude_if=not_)
    unowned: list[str] = Field(default=[], exclude_if=not_)
    batch: BatchPlace | None = Field(default=None, exclude_if=_is_none)

    @model_validator(mode="after")
    def _begin_with_names(self) -> Self:
        return self.name_squares()

    def name_squares(self) -> Self:
        """Name each square of the document as people see it; called again once a report was changed."""
        origin = self.board.origin
        for tile in self.board.tiles:
            tile.where = name_square((tile.row, tile.col), origin)
        for meeple in self.board.meeples:
            meeple.where = name_square(meeple.tile, origin)
        for doubt in self.doubts:
            doubt.where = name_square(doubt.square, origin)
        for problem in self.board.problems:
            problem.where = [name_square(square, origin) for square in problem.tiles]
        for feature in self.features:
            feature.where = [name_square(square, origin) for square in feature.tiles]
        for line in self.lines:
            line.number = number_square((line.index, line.index), origin)[line.axis != "row"]
        return self

    def to_json(self) -> str:
        """Return the document as one line of JSON, since its outlines are for programs."""
        return self.model_dump_json() + "\n"
