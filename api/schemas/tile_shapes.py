"""HTTP documents about the drawing of a game's tile shapes, as typed models."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from api.schemas.readings import Wire
from vision.showing.shape_drafts import MAX_SHAPES, DrawnShape


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
