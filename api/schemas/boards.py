"""What goes over HTTP of a game's board that is being shown, as typed models."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from api.schemas.readings import Wire
from scoring.spots.facts import FactKind, FactValue
from vision.printed.draft import BoardMark, BoxMark, DraftValue, MarkKind, Quad
from vision.printed.layout import PixelPoint, SideMm

MarkName = Annotated[str, Field(min_length=1, max_length=80, examples=["wonders.giza.area"])]


class GameBoard(Wire):
    """A board of a game: whether it was shown, whether somebody is at it now, and whether the sides in play need it."""

    name: str
    kept: bool
    begun: bool
    wanted: bool = True


class GameFact(Wire):
    """Something to type beside the boards, by its key in the components file: null where nobody told it yet.

    `words` says what it is, `of` of what, or its `name` where there is no such message.
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
    """What is typed beside the boards, by its keys; null takes a value away."""

    values: Annotated[dict[MarkName, FactValue], Field(max_length=200)]


class GameBoards(Wire):
    """The boards of a game, and the code of the error that who asks would get for showing one; null where they may.

    `facts` are what is typed beside the boards, `pieces` those that are known by sight. `shapes` is how many shapes of
    tiles are known, `shapes_begun` whether somebody is drawing them; null for a game whose tiles have none.
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


class WantedMark(Wire):
    """Something to point at: `words` says what it is, `of` of what, `number` which one of several."""

    name: str
    kind: MarkKind
    words: str
    of: str
    number: int
    optional: bool


class WantedValue(Wire):
    """A number to type: its key in the components file, and the box of the straightened picture that shows it."""

    key: str
    words: str
    number: int
    box: BoxMark | None
    optional: bool


class BoardDraftState(Wire):
    """A board that is being shown: what is known of it, and all that is missing.

    The corners (NW, NE, SE, SW) of the board and of a bank card beside it are pixels of the photo; the marks those of
    the straightened picture, which there is once `straight_size` is not null.
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


class BoardDraftPatch(Wire):
    """What is to be changed of it: fields that are not named stay."""

    corners_px: Quad | None = None
    card_px: Quad | None = None
    told_size_mm: tuple[SideMm, SideMm] | None = None
    marks: Annotated[dict[MarkName, BoardMark], Field(max_length=200)] = Field(default={})
    values: Annotated[dict[MarkName, DraftValue], Field(max_length=200)] = Field(default={})


class BoardPoint(Wire):
    """A place of the straightened picture that was pointed at for a mark; for `card` one of the photo.

    Where no card is seen there, `card_px` stays null: its corners are then sent one by one.
    """

    mark: MarkName
    at: PixelPoint


class PiecesPreview(Wire):
    """The pieces that a reading names and that are not known by sight yet.

    `refused` is the code of the error that who asks would get for keeping them; null where they may.
    """

    pieces: list[str]
    refused: str | None


class PiecesKept(Wire):
    """How many looks of each piece are known now that were not before."""

    pieces: dict[str, int]


class BoardsKept(Wire):
    """What is in force of a game now: its boards, and what is still not known, in words."""

    game: str
    boards: list[str]
    missing: list[str]
    source: Literal["shown", "file"]
