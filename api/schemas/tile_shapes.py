"""What goes over HTTP of the shapes of a game's tiles that are being drawn, as typed models."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from api.schemas.readings import Wire
from vision.enrolment.shape_drafts import MAX_SHAPES, DrawnShape


class TileShapes(Wire):
    """The shapes of a game's tiles: those that are kept, and those that are being drawn.

    Where nobody is drawing, `drawn` are those that are kept. `photo_size` is null where no photo of the tiles was sent.
    `refused` is the code of the error that who asks would get for drawing; null where they may.
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
    """The shapes as far as they are drawn."""

    shapes: Annotated[list[DrawnShape], Field(max_length=MAX_SHAPES)]
