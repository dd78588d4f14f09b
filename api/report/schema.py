"""The report's form: the one document that every front door returns, as typed models.

Every `_px` point is in pixels of the upright photo, x right, y down; a report without a photo has no such field.
"""

from __future__ import annotations

from operator import not_
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from api.report.plain_numbers import BoundedNumbers
from scoring.carcassonne.board.square_names import find_origin
from scoring.carcassonne.score_board.spaces import LAP_SPACES
from scoring.score_entry import ScoreEntry

SCHEMA: Literal["wondertally/report/1"] = "wondertally/report/1"

Point = tuple[float, float]
Square = tuple[int, int]


def _is_none(value: object) -> bool:
    return value is None


def _is_false(value: object) -> bool:
    return value is False


class Model(BoundedNumbers, BaseModel):
    """Fields are fixed and written under the names of the contract."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, serialize_by_alias=True)


class PhotoInfo(Model):
    """The photo that was read."""

    file: str
    width: int
    height: int
    sha256: str


class Rules(Model):
    """What it was scored by: the rule set's name, and since when the Alhambra has paid what it pays here.

    `tiles_in_play` are the tiles on the table, a wonder tile counting five; `expansions` the boxes, beside the base
    game's, of which any tile lies there: rivers, inns, traders. `player_count` is how many played where somebody said
    so, `goods` the tokens that somebody told, by kind, then by colour. `box_rules` are the boxes of which somebody said
    whether their own rules were played, false for tiles alone.
    """

    edition: str | None = None
    alhambra_points: str | None = None
    tiles_in_play: int
    expansions: list[str] = []
    players: list[str]
    player_count: int | None = Field(default=None, exclude_if=_is_none)
    goods: dict[str, dict[str, int]] = Field(default={}, exclude_if=not_)
    box_rules: dict[str, bool] = Field(default={}, exclude_if=not_)


class Alternative(Model):
    """Another way to read a square."""

    tile: str
    turns: int
    probability: float


class TileSeen(Model):
    """One of several photos that shows a square, by its number in the report's `photos`, and where."""

    photo: int
    corners_px: list[Point]


class MeepleSeen(Model):
    """One of several photos that shows a meeple, by its number in the report's `photos`, and where its foot is."""

    photo: int
    foot_px: Point


class Tile(Model):
    """A square that holds a tile; `tile` and `letter` are None for one that no layout explains.

    Of a wonder tile `square` is the index of the square, 0 to 4. `seen` are the photos that show the square, the best
    one first, where there are several; `corners_px` then may lie beyond the picture. `set_by_person` where a person
    said what lies there.
    """

    row: int
    col: int
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
    """A meeple and the feature that it stands on (None: no known one).

    `id` is what corrections call it: m1, m2, ... as read from the photo; None without one.
    """

    id: str | None = Field(default=None, exclude_if=_is_none)
    colour: str
    kind: str
    pose: str
    foot_px: Point | None = Field(default=None, exclude_if=_is_none)
    tile: Square
    feature: str | None
    confidence: float = 1.0
    doubtful: bool = False
    seen: list[MeepleSeen] | None = Field(default=None, exclude_if=_is_none)
    set_by_person: bool = Field(default=False, exclude_if=_is_false)


class Problem(Model):
    """Something on the board that the rules do not allow; `values` are what its text names, for other languages."""

    code: str
    tiles: list[Square]
    text: str
    values: dict[str, int | str] = {}


class Board(Model):
    """What lies on the table."""

    notation: str
    tiles: list[Tile]
    meeples: list[Meeple]
    problems: list[Problem]

    @property
    def origin(self) -> Square:
        """The first row and column that hold a tile, from where people count squares."""
        return find_origin((tile.row, tile.col) for tile in self.tiles)


class Feature(Model):
    """A feature; `outline_px` are closed rings, holes among them: it is what an odd number of them encloses.

    `id` is a running number in this report alone; `name`, where there is one, is what people are told, and stays the
    same in other readings of the table (`R3.4` begins in row 3, column 4).
    """

    id: str
    kind: str
    tiles: list[Square]
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
    """A row or column of the board."""

    axis: str
    index: int
    runs: list[Run]


class Entry(Model):
    """Points of one player for one feature; `values` are the numbers of the sum in `text`, for other languages."""

    player: str
    points: int
    feature: str
    rule: str
    text: str
    values: dict[str, int | str] = {}

    @classmethod
    def from_score(cls, entry: ScoreEntry) -> Entry:
        """Return what a report says of an entry of the scoring."""
        return cls(
            player=entry.player,
            points=entry.points,
            feature=entry.feature,
            rule=entry.rule,
            text=entry.text,
            values=dict(entry.values),
        )


class Assumed(Model):
    """What the scoring took for granted of the table, since nobody said it.

    It is the number of players or tiles, the goods, or that the rules of other boxes were played (`values` name these
    `boxes`, with commas). `values` are what the text names, for other languages. `final_scoring` are the points by each
    number that it may be where another one would give others: then the report is doubtful. Of rules the number is 1
    where they were played and 0 where not.
    """

    fact: Literal["players", "tiles_in_play", "goods", "box_rules"]
    text: str
    values: dict[str, int | str] = {}
    final_scoring: dict[int, dict[str, int]] = Field(default={}, exclude_if=not_)


class Nothing(Model):
    """A player's pieces on a feature (its id; empty for none that is known) that bring nothing, and why.

    `values` are what the reason names, for the words of each language.
    """

    player: str
    feature: str
    reason: str
    values: dict[str, int | str] = {}


class Scores(Model):
    """The final scoring; `total` is None wherever what was on the score track is not known.

    `confidence` is how likely the final scoring is right, as far as the reading's own doubts tell; None where an
    unknown tile or what nobody said of the table may matter, where the board runs out of the picture, and without a
    photo. `assumed` is what it took for granted, `nothing` who stands where and scores nothing for it.
    """

    final_scoring: dict[str, int]
    on_track: dict[str, int | None]
    total: dict[str, int | None]
    entries: list[Entry]
    confidence: float | None = None
    assumed: list[Assumed] = Field(default=[], exclude_if=not_)
    nothing: list[Nothing] = Field(default=[], exclude_if=not_)


class TrackPiece(Model):
    """A piece on the score board; `spaces` are those that it may stand on, the likeliest first."""

    colour: str
    pose: str
    spaces: list[int]
    foot_px: Point
    confidence: float
    doubtful: bool


class TrackToken(Model):
    """A token that counts points: whose it is, None where nothing tells; `taught` is the name of its print."""

    points: int
    colour: str | None
    corners_px: list[Point]
    taught: str
    confidence: float
    doubtful: bool


class Track(Model):
    """The score board in the photo: its corners, the pieces on it, and the tokens of points before the players.

    Space 0 of the first edition's lies in the third corner; `taught` is the name of a board that a person taught, and
    `lap` how many points are once round. `photo` is the number of the photo that shows it, of several; its `_px` points
    are in that photo's pixels. `file` names the photo where that shows the score board alone: it is none of the
    report's photos then.
    """

    corners_px: list[Point]
    pieces: list[TrackPiece]
    photo: int = 0
    lap: int = LAP_SPACES
    taught: str | None = Field(default=None, exclude_if=_is_none)
    tokens: list[TrackToken] = []
    file: str | None = Field(default=None, exclude_if=_is_none)


ALSO = "also_"
"""Before the names of values that tell of a second doubt, without which the first changes no points."""


class Doubt(Model):
    """A doubt that matters: what the square or its meeple may be instead, and the points that would give.

    Where it is about a player, all pieces of one colour may have another, and the square is that of one of them; about
    a pile, another number of pieces may lie there.
    `values` are what `instead` names, for other languages; those of a second doubt, which must come true too, begin
    with `also_`. `feet_px` are where the pieces stand that it is about, also those that were left out.
    """

    square: Square
    about: Literal["tile", "meeple", "player", "pile"]
    instead: str
    probability: float | None
    final_scoring: dict[str, int] | None
    values: dict[str, int | str] = {}
    feet_px: list[Point] = Field(default=[], exclude_if=not_)


class SetAside(Model):
    """A further photo that the report is not made from, and why: an error's code, or `same_photo`."""

    file: str
    reason: str


class Apart(Model):
    """A photo that was not joined to the others: an error's code and words."""

    file: str
    code: str
    text: str


class BatchPlace(Model):
    """Where a report stands in a batch: its event, round and table, and its photos in the batch's folder."""

    event: str
    round: str
    table: str
    photos: list[str]


class Report(Model):
    """The whole document; `doubtful` where a doubt can change points: `doubts` says which, or one of the problems
    `tiles_lacking`, `island`, `beyond_the_picture` and `too_many_meeples`, and `edge_mismatch` beside a wonder; or what
    the scores `assumed`, where another number would give other points.

    Where it is made from several photos, these are `photos`; `photo` is the first of them, which shows most, and all
    other `_px` points are in its pixels. `names` are the players' names by colour, as far as somebody gave them.
    `wonders` are the layouts of wonders that lie here other than as shipped, each as in a wonder's file, `unowned` by
    id those of which somebody said that nobody holds them.
    """

    schema_: Literal["wondertally/report/1"] = Field(default=SCHEMA, alias="schema")
    game: Literal["carcassonne"] = "carcassonne"
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

    def to_json(self) -> str:
        """The document as one line of text: its outlines are for programs."""
        return self.model_dump_json() + "\n"
