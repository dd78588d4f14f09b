"""HTTP documents about a wonder's layout, as a plan by squares and with its meaning, as typed models."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from api.documents.report import Square
from api.schemas.readings import ErrorBody, Wire

MAX_FILE_CHARACTERS = 32_768
"""Maximum length of a wonder's file; the shipped ones have about 2000 characters. Bounds memory."""

Coordinate = Annotated[int, Field(ge=0, le=9)]
FrameSquare = tuple[Coordinate, Coordinate]
EdgeName = Annotated[str, Field(pattern=r"^[0-9],[0-9] [NESW]$", examples=["2,1 N"])]
Edges = Annotated[list[EdgeName], Field(max_length=20)]
FrameSquares = Annotated[list[FrameSquare], Field(max_length=5)]
WonderName = Annotated[str, Field(min_length=1, max_length=40, examples=["alhambra"])]


class PlannedCityEntry(Wire):
    """A city: the outer edges it meets, the squares it covers besides theirs, and its coats of arms.

    `walled` is set if it adjoins the wonder, with no field between.
    """

    edges: Edges
    squares: FrameSquares = Field(default=[])
    coats: Annotated[int, Field(ge=0, le=5)] = 0
    walled: bool = False


class PlannedRoadEntry(Wire):
    """A road: the outer edges it meets, the squares it covers besides theirs, and the features it ends at.

    `closed` is set if it joins wonder and monastery a second time, and so encloses a field.
    """

    edges: Edges
    squares: FrameSquares = Field(default=[])
    into: Annotated[list[Literal["wonder", "monastery"]], Field(max_length=2)] = Field(default=["wonder"])
    closed: bool = False


class WonderPlanEntry(Wire):
    """The features on a wonder's five squares (row, col) in its own frame, as in a wonder's file without drawings.

    The wonder stands on the squares of `wonder`, its marker on the first. Edges that are not named show field.
    `inferred` lists unknown facts: "no coat of arms" means that the cities may have some.
    """

    id: str = Field(max_length=40, examples=["WH/alhambra"])
    squares: FrameSquares
    wonder: FrameSquares
    cities: Annotated[list[PlannedCityEntry], Field(max_length=20)] = Field(default=[])
    roads: Annotated[list[PlannedRoadEntry], Field(max_length=20)] = Field(default=[])
    monastery: FrameSquare | None = None
    inferred: Annotated[list[Annotated[str, Field(max_length=80)]], Field(max_length=5)] = Field(default=[])


class WonderLayoutInput(Wire):
    """A layout, as a plan or as the text of a wonder's file in either form."""

    plan: WonderPlanEntry | None = None
    file: str | None = Field(default=None, max_length=MAX_FILE_CHARACTERS)

    @model_validator(mode="after")
    def _is_one_of_both(self) -> WonderLayoutInput:
        if (self.plan is None) == (self.file is None):
            raise ValueError("a layout is sent as a plan or as a file")
        return self


class WonderEnrolmentInput(WonderLayoutInput):
    """A layout to enrol, and the source of its print: a `photo` by the name in the answer that read it, or a `reading`.

    For a reading, its first photo is used, in which the wonder must lie on exactly these squares.
    """

    photo: str | None = Field(default=None, min_length=1, max_length=40)
    reading: str | None = Field(default=None, min_length=1, max_length=40)

    @model_validator(mode="after")
    def _has_one_print(self) -> WonderEnrolmentInput:
        if self.photo is not None and self.reading is not None:
            raise ValueError("a print is that of a photo or of a reading")
        return self


class WonderPart(Wire):
    """A part of a wonder: the numbers of its squares, and the outer edges it meets (`open_ends`).

    `cities` counts the cities that a field touches; `path` is an SVG path in hundredths of a square, for a road its
    centre lines.
    """

    kind: Literal["city", "road", "monastery", "field", "wonder"]
    squares: list[int]
    open_ends: int
    cities: int
    coats: int
    path: str


class LayoutContradiction(Wire):
    """A difference between a layout and the rule texts: the numbers `stated` there, and those `found`.

    The numbers are squares of each road or city, open ends of each road, or the number of monasteries or fields.
    """

    about: Literal["road_squares", "road_ends", "city_squares", "monasteries", "fields"]
    stated: list[int]
    found: list[int]


class WonderMeaning(Wire):
    """The meaning of a layout.

    `parts` are empty if it has a `problem`, the error of such a file. With `contradictions` it cannot be enrolled;
    another number of fields (`other_fields`) is no error, since copies are cut differently. `likelier` is another
    wonder to which the outline more likely belongs. `file` is the text of the wonder's file, empty with a problem.
    """

    plan: WonderPlanEntry
    parts: list[WonderPart] = Field(default=[])
    marker: tuple[float, float] | None = None
    contradictions: list[LayoutContradiction] = Field(default=[])
    other_fields: LayoutContradiction | None = None
    likelier: str | None = None
    problem: ErrorBody | None = None
    file: str = ""


class WonderProposal(WonderMeaning):
    """A wonder's layout as read; `quads_px` are the corners of its squares in the photo, as printed.

    Each square's corners are NW, NE, SE, SW of the wonder's own frame, null for a square that is not visible. `photo`
    is a temporary name of the photo, for enrolling the layout with its print.
    """

    quads_px: list[list[tuple[float, float]] | None] = Field(default=[])
    photo: str | None = None


class WonderEnrolmentResult(WonderMeaning):
    """An enrolled layout; `print` is the file name of the photo with its print, if a print is kept."""

    print: str | None = None


class WonderInForce(Wire):
    """A wonder and the source of its layout in force: `taught` here, `named` in a setting, or `shipped`.

    `problem` is the error code of the enrolled file. With `can_undo`, a change of its enrolment can be taken back.
    """

    id: str
    name: str
    source: Literal["shipped", "taught", "named"]
    squares: list[Square]
    problem: str | None = None
    can_undo: bool = False


class WondersInForce(Wire):
    """All wonders; `refused` is the error code the caller would get for enrolling one."""

    wonders: list[WonderInForce]
    refused: str | None = None
