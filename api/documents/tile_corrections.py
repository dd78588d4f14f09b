"""A person's corrections of a reading of tiles, and statements about its table, as typed models."""

from __future__ import annotations

import re
from operator import not_
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from api.documents.plain_numbers import PlainNumbers
from api.documents.report import Model
from scoring.carcassonne.board.board import MAX_UNSEEN_SQUARES
from scoring.carcassonne.board.box_rules import OLD_BOX_NAMES, RULED_BOXES, find_box
from scoring.carcassonne.board.boxes import MAX_COPIES, NAMED_BOXES
from scoring.carcassonne.final.table import MAX_PLAYERS, MAX_TILES, MAX_TOKENS
from scoring.carcassonne.tiles.kinds import join_kinds
from scoring.connected_squares import MAX_COORDINATE
from scoring.player_colours import find_colour

MAX_PLAYER_NAME_CHARACTERS = 40
"""Maximum length of a player's name. A guess."""
MAX_PILE = 20
"""Maximum number of pieces in a pile. A guess."""

Coordinate = Annotated[int, Field(ge=-MAX_COORDINATE, le=MAX_COORDINATE)]
At = tuple[Coordinate, Coordinate]
Turns = Annotated[int, Field(ge=0, le=3)]
MeepleId = Annotated[str, Field(pattern=r"^m[1-9][0-9]{0,5}$")]
Name = Annotated[str, Field(min_length=1, max_length=40)]
"""Name of a tile, a wonder, a colour or a rule set."""
ColourName = Annotated[Name, AfterValidator(find_colour)]
"""Colour of a player, by its name or any word that `scoring.player_colours` knows for it."""
_SIDED = rf"({join_kinds('sides')}):[NESW]"
_HALVED = rf"{join_kinds('halves')}:[NESW][LR]"
_INNER = rf"({join_kinds()})(:[1-9])?"
Place = Annotated[str, Field(pattern=rf"^({_SIDED}|{_HALVED}|{_INNER})$")]
"""Part of a tile as `scoring.carcassonne.board.places` names it, by its edges as placed."""


def one_line(name: str) -> str:
    if not name.isprintable() or " ".join(name.split()) != name:
        raise ValueError("a name is one line without control characters or spaces around it")
    return name


def refuse_twice(ids: list[str]) -> list[str]:
    if len({*ids}) < len(ids):
        raise ValueError("each is named once")
    return ids


PlayerName = Annotated[str, Field(min_length=1, max_length=MAX_PLAYER_NAME_CHARACTERS), AfterValidator(one_line)]
RuledBox = Annotated[
    str,
    Field(pattern=rf"^({'|'.join((*RULED_BOXES, *OLD_BOX_NAMES))})$"),
    AfterValidator(find_box),
]
"""Name of a box with rules of its own, or an older name of it."""
NamedBox = Annotated[str, Field(pattern=rf"^({'|'.join(map(re.escape, NAMED_BOXES))})$")]
"""Name of a box whose copies can be stated."""
Piece = Literal["meeple", "big", "builder", "pig", "abbot", "mayor", "wagon", "barn", "disc"]
Pose = Literal["standing", "lying", "upside_down", "disc"]


class SetTile(PlainNumbers, Model):
    """The tile on a square, occupied or empty; `tile` is an id or a letter, None if unknown."""

    kind: Literal["tile"] = "tile"
    row: Coordinate
    col: Coordinate
    tile: Name | None
    turns: Turns = 0


class NoTile(PlainNumbers, Model):
    """The square is empty."""

    kind: Literal["no_tile"] = "no_tile"
    row: Coordinate
    col: Coordinate


class SetWonder(PlainNumbers, Model):
    """A wonder tile with its first square (number 0) there.

    `layout` is the content of its layout file; the default is the layout as read there, or the one in force when the
    photos were read.
    """

    kind: Literal["wonder"] = "wonder"
    wonder: Name
    row: Coordinate
    col: Coordinate
    turns: Turns
    layout: dict[str, Any] | None = None


class NoWonder(PlainNumbers, Model):
    """No wonder lies on the square: its five squares hold unknown tiles.

    If a wonder was only possible there, the tiles as read stay.
    """

    kind: Literal["no_wonder"] = "no_wonder"
    row: Coordinate
    col: Coordinate


class SetMeeple(PlainNumbers, Model):
    """The place of a meeple, a new one without an id. Without a place it stands on no known part."""

    kind: Literal["meeple"] = "meeple"
    id: MeepleId | None = None
    square: At
    place: Place | None
    colour: ColourName
    piece: Piece = "meeple"
    pose: Pose | None = None

    @property
    def posed(self) -> str:
        """The pose; by default the usual one for the place."""
        if self.pose is not None:
            return self.pose
        below = (self.place or "").partition(":")[0]
        return "disc" if self.piece == "disc" else {"field": "lying", "wonder": "upside_down"}.get(below, "standing")


class NoMeeple(PlainNumbers, Model):
    """The meeple is not there."""

    kind: Literal["no_meeple"] = "no_meeple"
    id: MeepleId


class Confirm(PlainNumbers, Model):
    """A tile (with its wonder), a meeple, or the colour of all pieces of a player is as read."""

    kind: Literal["confirm"] = "confirm"
    about: Literal["tile", "meeple", "player"]
    row: Coordinate | None = None
    col: Coordinate | None = None
    id: MeepleId | None = None
    colour: ColourName | None = None

    @model_validator(mode="after")
    def _says_which(self) -> Confirm:
        fields = {name for name in ("row", "col", "id", "colour") if getattr(self, name) is not None}
        if fields != {"tile": {"row", "col"}, "meeple": {"id"}, "player": {"colour"}}[self.about]:
            raise ValueError("a tile is confirmed by its row and col, a meeple by its id, a player by the colour")
        return self


class SetPlayerColour(PlainNumbers, Model):
    """All pieces of a colour, including the score board's, have another; names and typed points move with them.

    Pieces of `none` are no player's, and do not count.
    """

    kind: Literal["player_colour"] = "player_colour"
    colour: ColourName
    instead: ColourName


class SetBorder(PlainNumbers, Model):
    """Whether the board ends at some neighbouring squares that no photo shows; if not, its points are unknown."""

    kind: Literal["border"] = "border"
    squares: Annotated[list[At], Field(min_length=1, max_length=MAX_UNSEEN_SQUARES)]
    ends: bool


class SetPile(PlainNumbers, Model):
    """The number of pieces in a pile: the first ones of `ids`; further ones lie where the first does."""

    kind: Literal["pile"] = "pile"
    ids: Annotated[list[MeepleId], Field(min_length=1, max_length=MAX_PILE), AfterValidator(refuse_twice)]
    count: Annotated[int, Field(ge=0, le=MAX_PILE)]


class SetSpecial(PlainNumbers, Model):
    """The piece of a player that is the only one of a kind; None if none of them is."""

    kind: Literal["special"] = "special"
    piece: Literal["big", "builder", "pig", "abbot"]
    ids: Annotated[list[MeepleId], Field(min_length=1, max_length=MAX_PILE), AfterValidator(refuse_twice)]
    id: MeepleId | None

    @model_validator(mode="after")
    def _is_one_of_them(self) -> SetSpecial:
        if self.id is not None and self.id not in self.ids:
            raise ValueError("the piece is one of those that may be it")
        return self


class SetPlayer(PlainNumbers, Model):
    """The name of the player of a colour, even one without pieces on the board; None removes it."""

    kind: Literal["player"] = "player"
    colour: ColourName
    name: PlayerName | None


class SetWonderOwner(PlainNumbers, Model):
    """The owner of a wonder by their marker; None for nobody.

    A statement made `beforehand`, before the reading, waits if the wonder was not read.
    """

    kind: Literal["wonder_owner"] = "wonder_owner"
    wonder: Name
    colour: ColourName | None
    beforehand: bool = Field(default=False, exclude_if=not_)


class SetTrack(PlainNumbers, Model):
    """A player's points on the score track; None removes the typed value."""

    kind: Literal["track"] = "track"
    colour: ColourName
    points: Annotated[int, Field(ge=0, le=9999)] | None


class SetTilesInPlay(PlainNumbers, Model):
    """The number of tiles in play, a wonder counting as five; None for those on the table.

    The final board may not have more tiles: then a number stated `beforehand`, before the reading, is ignored, and any
    other is refused.
    """

    kind: Literal["tiles_in_play"] = "tiles_in_play"
    count: Annotated[int, Field(ge=1, le=MAX_TILES)] | None
    beforehand: bool = Field(default=False, exclude_if=not_)


class SetPlayerCount(PlainNumbers, Model):
    """The number of players, including those without a piece left; None for the number of colours on the board."""

    kind: Literal["player_count"] = "player_count"
    count: Annotated[int, Field(ge=1, le=MAX_PLAYERS)] | None


class SetGoods(PlainNumbers, Model):
    """The number of goods tokens, gold bars or the like that a player holds; None removes the statement.

    `king` and `baron` are 1 for the holder of that card, `other` are points of rules that are not scored here.
    """

    kind: Literal["goods"] = "goods"
    goods: Literal["wine", "grain", "cloth", "chicken", "gold", "king", "baron", "other"]
    colour: ColourName
    count: Annotated[int, Field(ge=0, le=MAX_TOKENS)] | None


class SetRules(PlainNumbers, Model):
    """The rule set to score by."""

    kind: Literal["rules"] = "rules"
    edition: Name


class SetBoxes(PlainNumbers, Model):
    """The number of copies of a box on the table, 2 for two base games; None removes the statement."""

    kind: Literal["boxes"] = "boxes"
    box: NamedBox
    count: Annotated[int, Field(ge=0, le=MAX_COPIES)] | None

    @model_validator(mode="after")
    def _has_a_base_game(self) -> SetBoxes:
        if self.box == "base" and self.count == 0:
            raise ValueError("the base game is on every table")
        return self


class SetBoxRules(PlainNumbers, Model):
    """Whether the own rules of some boxes were played; None removes the statement.

    A statement made `beforehand`, for all tables of an event or a batch, has no effect at a table of another game.
    """

    kind: Literal["box_rules"] = "box_rules"
    boxes: Annotated[list[RuledBox], Field(min_length=1, max_length=len(RULED_BOXES)), AfterValidator(refuse_twice)]
    played: bool | None
    beforehand: bool = Field(default=False, exclude_if=not_)
