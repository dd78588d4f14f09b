"""A person's corrections of a game in progress, as typed models.

Squares are [row, column] as people count them, from the game's first board. A photo is named by its file, or by its
SHA-256 if several files share the name. Corrections are applied in order: a later one overrides an earlier one. They
are data, and undone by leaving them out.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidatorFunctionWrapHandler, WrapValidator, model_validator

from api.documents.plain_numbers import PlainNumbers
from api.documents.report import Model
from api.documents.tile_corrections import At, ColourName, Name, Piece, Place, Turns

MAX_PHOTO_NAME_CHARACTERS = 255
"""Maximum length of the name of a photo's file. By file systems."""


def refuse_twice(points: Any, read: ValidatorFunctionWrapHandler) -> Any:
    """Read points by colour; raises ValueError if two of the words name the same colour."""
    known = read(points)
    if len(known) < len(points):
        raise ValueError("the points of one colour are given twice")
    return known


PhotoName = Annotated[str, Field(min_length=1, max_length=MAX_PHOTO_NAME_CHARACTERS)]
TrackPoints = Annotated[int, Field(ge=0, le=9999)]


class GivePoints(PlainNumbers, Model):
    """Points of some players on the score track when a photo was taken."""

    kind: Literal["points"] = "points"
    photo: PhotoName
    points: Annotated[dict[ColourName, TrackPoints], Field(min_length=1), WrapValidator(refuse_twice)]


class GiveTurn(PlainNumbers, Model):
    """The player on turn when a photo was taken, who laid the next tile; by default the first photo."""

    kind: Literal["turn"] = "turn"
    photo: PhotoName | None = None
    colour: ColourName


class DenyTaking(PlainNumbers, Model):
    """No piece was set and taken back on the tile that was laid on a square."""

    kind: Literal["not_taken"] = "not_taken"
    square: At


class LayTile(PlainNumbers, Model):
    """The tile on a square: an id or a letter, None if the square is empty.

    `photo` is the first one with the tile; by default the first that shows one there, or else the last one.
    """

    kind: Literal["tile"] = "tile"
    square: At
    tile: Name | None
    turns: Turns = 0
    photo: PhotoName | None = None


class StandPiece(PlainNumbers, Model):
    """The piece on a square from a photo on, by default the first with the tile; no piece without a `colour`.

    It stands until its feature is finished. `place` is a part of the tile, as in `city:W`.
    """

    kind: Literal["piece"] = "piece"
    square: At
    photo: PhotoName | None = None
    colour: ColourName | None = None
    piece: Piece = "meeple"
    place: Place | None = None

    @model_validator(mode="after")
    def _stands_somewhere(self) -> StandPiece:
        if (self.colour is None) != (self.place is None):
            raise ValueError("a piece has a colour and a place, no piece has neither")
        return self


class GiveWonder(PlainNumbers, Model):
    """The player who took a wonder."""

    kind: Literal["wonder_owner"] = "wonder_owner"
    wonder: Name
    colour: ColourName


class LeavePhotoAside(PlainNumbers, Model):
    """A photo is left out."""

    kind: Literal["aside"] = "aside"
    photo: PhotoName


GameCorrection = Annotated[
    GivePoints | GiveTurn | DenyTaking | LayTile | StandPiece | GiveWonder | LeavePhotoAside,
    Field(discriminator="kind"),
]
GAME_CORRECTIONS: TypeAdapter[list[GameCorrection]] = TypeAdapter(list[GameCorrection])
"""Validates a list of corrections: `GAME_CORRECTIONS.validate_python([...])`, `GAME_CORRECTIONS.validate_json(text)`.
"""
