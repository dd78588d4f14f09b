"""HTTP documents about the enrolment of a game's boards and tile shapes, as typed models."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from api.schemas.readings import Wire
from scoring.spots.components import FactKind, FactValue
from vision.flat_boards.layout import PixelPoint, SideMm
from vision.showing.board_drafts import MAX_SHAPES, DrawnShape
from vision.showing.draft import BoardMark, BoxMark, DraftValue, MarkKind, Quad

MarkName = Annotated[str, Field(min_length=1, max_length=80, examples=["wonders.giza.area"])]


class GameBoard(Wire):
    """A board of a game: whether it is enrolled, whether a draft exists, and whether the sides in play need it."""

    name: str
    kept: bool
    begun: bool
    wanted: bool = True


class GameFact(Wire):
    """A value to type beside the boards, by its key in the components file; null while unknown.

    `words` is the message that describes it, `of` its subject; `name` is used if there is no such message.
    """

    key: str
    kind: FactKind
    words: str
    value: FactValue
    of: str
    name: str
    choices: list[str]
    optional: bool


class GameFactsPatch(Wire):
    """Values typed beside the boards, by their keys; null removes a value."""

    values: Annotated[dict[MarkName, FactValue], Field(max_length=200)]


class GameBoards(Wire):
    """The boards of a game; `refused` is the error code the caller would get for enrolling one, null if allowed.

    `facts` are the values to type beside the boards, `pieces` the enrolled pieces. `shapes` is the number of known tile
    shapes, null for a game whose tiles have none; `shapes_begun` is set while a draft of them exists. `steps` is the
    number of changes that can be undone.
    """

    game: str
    title: str
    boards: list[GameBoard]
    missing: list[str]
    refused: str | None
    facts: list[GameFact] = Field(default=[])
    pieces: list[str] = Field(default=[])
    shapes: int | None = None
    shapes_begun: bool = False
    steps: int = 0


class WantedMark(Wire):
    """A mark to place: `words` is the message that describes it, `of` its subject, `number` its index among several."""

    name: str
    kind: MarkKind
    words: str
    of: str
    number: int
    optional: bool


class WantedValue(Wire):
    """A number to type: its key in the components file, and its box in the straightened picture."""

    key: str
    words: str
    number: int
    box: BoxMark | None
    optional: bool


class BoardDraftState(Wire):
    """The draft of a board: the known parts, and the names of all missing ones.

    The corners (NW, NE, SE, SW) of the board and of a bank card beside it are pixels of the photo; marks are in the
    straightened picture, which exists once `straight_size` is not null.
    """

    photo_size: tuple[int, int]
    corners_px: Quad | None
    card_px: Quad | None
    told_size_mm: tuple[float, float] | None
    size_mm: tuple[float, float] | None
    straight_size: tuple[int, int] | None
    found: int
    marks: dict[str, BoardMark]
    wanted_marks: list[WantedMark]
    values: dict[str, int]
    wanted_values: list[WantedValue]
    missing: list[str]


class BoardNumbers(Wire):
    """Numbers read in the picture of a board, by their keys in the components file, that nobody has typed yet."""

    values: dict[str, int]


class BoardDraftPatch(Wire):
    """Changes of the draft; omitted fields stay."""

    corners_px: Quad | None = None
    card_px: Quad | None = None
    told_size_mm: tuple[SideMm, SideMm] | None = None
    marks: Annotated[dict[MarkName, BoardMark], Field(max_length=200)] = Field(default={})
    values: Annotated[dict[MarkName, DraftValue], Field(max_length=200)] = Field(default={})


class BoardPoint(Wire):
    """A point in the straightened picture that was chosen for a mark; for `card` a point in the photo.

    If no card is found there, `card_px` stays null: its corners are then sent one by one.
    """

    mark: MarkName
    at: PixelPoint


class PiecesPreview(Wire):
    """The pieces that a reading names and that are not enrolled yet.

    `refused` is the error code the caller would get for enrolling them, null if allowed.
    """

    pieces: list[str]
    refused: str | None


class PiecesKept(Wire):
    """The number of newly enrolled pictures of each piece."""

    pieces: dict[str, int]


class BoardsKept(Wire):
    """The enrolled boards of a game, and the missing values in words."""

    game: str
    boards: list[str]
    missing: list[str]
    source: Literal["shown", "file"]


class TileShapes(Wire):
    """The tile shapes of a game: those kept, and those being drawn.

    Without a draft, `drawn` are the shapes kept. `photo_size` is null without a photo of the tiles. `refused` is the
    error code the caller would get for drawing, null if allowed.
    """

    game: str
    kept: list[str]
    drawn: list[DrawnShape]
    begun: bool
    photo_size: tuple[int, int] | None
    max_side: int
    max_shapes: int
    refused: str | None


class TileShapesChange(Wire):
    """The shapes drawn so far."""

    shapes: Annotated[list[DrawnShape], Field(max_length=MAX_SHAPES)]
