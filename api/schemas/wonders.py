"""What goes over HTTP of a wonder's layout: as a plan, square by square, and what it means, as typed models."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from api.report.schema import Square
from api.schemas.readings import ErrorBody, Wire

MAX_FILE_CHARACTERS = 32_768
"""How long a wonder's file may be; those that are shipped have about 2000 characters."""

Coordinate = Annotated[int, Field(ge=0, le=9)]
FrameSquare = tuple[Coordinate, Coordinate]
EdgeName = Annotated[str, Field(pattern=r"^[0-9],[0-9] [NESW]$", examples=["2,1 N"])]
Edges = Annotated[list[EdgeName], Field(max_length=20)]
FrameSquares = Annotated[list[FrameSquare], Field(max_length=5)]
WonderName = Annotated[str, Field(min_length=1, max_length=40, examples=["alhambra"])]


class PlannedCityEntry(Wire):
    """A city: the outer edges it runs along, the squares it covers besides theirs, its coats of arms.

    `walled` where it stands against the wonder, with no field between.
    """

    edges: Edges
    squares: FrameSquares = Field(default=[])
    coats: Annotated[int, Field(ge=0, le=5)] = 0
    walled: bool = False


class PlannedRoadEntry(Wire):
    """A road: the outer edges it meets, the squares it covers besides theirs, what it runs into.

    `closed` where it joins wonder and monastery a second time, and so encloses a field.
    """

    edges: Edges
    squares: FrameSquares = Field(default=[])
    into: Annotated[list[Literal["wonder", "monastery"]], Field(max_length=2)] = Field(default=["wonder"])
    closed: bool = False


class WonderPlanEntry(Wire):
    """What lies on a wonder's five squares (row, col) in its own frame, as a wonder's file that draws nothing has it.

    The wonder stands on the squares of `wonder`, its marker on the first. Edges that are named nowhere show field.
    `inferred` says what of it nobody knows: "no coat of arms", that the cities may have some.
    """

    id: str = Field(max_length=40, examples=["WH/alhambra"])
    squares: FrameSquares
    wonder: FrameSquares
    cities: Annotated[list[PlannedCityEntry], Field(max_length=20)] = Field(default=[])
    roads: Annotated[list[PlannedRoadEntry], Field(max_length=20)] = Field(default=[])
    monastery: FrameSquare | None = None
    inferred: Annotated[list[Annotated[str, Field(max_length=80)]], Field(max_length=5)] = Field(default=[])


class WonderLayoutInput(Wire):
    """A layout: as a plan, or as the text of a wonder's file, of either form."""

    plan: WonderPlanEntry | None = None
    file: str | None = Field(default=None, max_length=MAX_FILE_CHARACTERS)

    @model_validator(mode="after")
    def _is_one_of_both(self) -> WonderLayoutInput:
        if (self.plan is None) == (self.file is None):
            raise ValueError("a layout is sent as a plan or as a file")
        return self


class WonderTeaching(WonderLayoutInput):
    """A layout to be taught, and what shows its print: a `photo` as the answer that read it calls it, or a `reading`.

    Of a reading the first photo is looked at, on which the wonder has to lie on just these squares.
    """

    photo: str | None = Field(default=None, min_length=1, max_length=40)
    reading: str | None = Field(default=None, min_length=1, max_length=40)

    @model_validator(mode="after")
    def _has_one_print(self) -> WonderTeaching:
        if self.photo is not None and self.reading is not None:
            raise ValueError("a print is that of a photo or of a reading")
        return self


class WonderPart(Wire):
    """A part of a wonder: the squares it lies on by their numbers, and the outer edges it meets (`open_ends`).

    `cities` counts the cities that a field touches; `path` is an SVG path in hundredths of a square, of a road its
    centre lines.
    """

    kind: Literal["city", "road", "monastery", "field", "wonder"]
    squares: list[int]
    open_ends: int
    cities: int
    coats: int
    path: str


class LayoutContradiction(Wire):
    """What a layout has otherwise than the rule texts state: the numbers `stated` there, and those `found`.

    The numbers are squares of each road or city, open ends of each road, or how many monasteries or fields there are.
    """

    about: Literal["road_squares", "road_ends", "city_squares", "monasteries", "fields"]
    stated: list[int]
    found: list[int]


class WonderMeaning(Wire):
    """What a layout means.

    `parts` are empty where it has a `problem`, the error that such a file has. With `contradictions` it cannot be
    taught; another number of fields (`other_fields`) is no error, since copies are cut differently. `likelier` is
    another wonder that likely has its outline, which its own hardly has. `entry` and `file`
    are what `SetWonder` and a wonder's file take, as far as there is no problem.
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
    """A wonder's layout as it was read; `quads_px` are the corners of its squares in the photo, as they are printed.

    Each square's corners are NW, NE, SE, SW of the wonder's own frame; of a square that is not seen there are none.
    `photo` is what the photo is called for a while, by whoever teaches the layout with its print.
    """

    quads_px: list[list[tuple[float, float]] | None] = Field(default=[])
    photo: str | None = None


class WonderTaught(WonderMeaning):
    """A layout that was taught; `print` is the file's name of the photo that was named, where its print is kept."""

    print: str | None = None


class WonderInForce(Wire):
    """A wonder and where the layout comes from that is in force: `taught` here, `named` in a setting, or `shipped`.

    `problem` is the code of what is wrong with the file that was taught.
    """

    id: str
    name: str
    source: Literal["shipped", "taught", "named"]
    squares: list[Square]
    problem: str | None = None


class WondersInForce(Wire):
    """All wonders; `refused` is the error that whoever asks would get for teaching one."""

    wonders: list[WonderInForce]
    refused: str | None = None
