"""Errors of the front doors, as a branch of the tree in `vision.errors`.

WondertallyError
  ReportError               a report that cannot be read back
  InputError
    QuestionError           the subject of a question does not exist
    TrackError              typed points on the score track are invalid
    TableError              typed facts about a table are invalid
    CorrectionError         a correction contradicts the board
    FragmentError           the fragment of a URL is not a shared board
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from vision.errors import InputError, WondertallyError


class ReportError(WondertallyError):
    """A report that cannot be read back."""

    texts: ClassVar[Mapping[str, str]] = {"bad_report": "The file is not a report that can be read."}


class QuestionError(InputError):
    """The subject of a question does not exist."""

    texts: ClassVar[Mapping[str, str]] = {
        "bad_square": "Write a square as you see it: 4,7 or 'row 4, column 7', counted from 1 from the top left tile.",
        "no_such_feature": "The board has no feature of that name.",
        "nothing_there": "There is nothing of that kind on that square.",
        "no_such_player": "No player has that colour.",
        "colour_unknown": "No player's pieces have that colour.",
        "wrong_photo": "The report was made from another photo.",
        "players_needed": "Name the players in turn order, as in --players blue,yellow: the photos do not show it.",
        "bad_players": "Give the players as colours in turn order, as in blue,yellow, and the points as one number "
        "for each.",
        "too_few_photos": "Moves are found between photos: at least two different ones of one game are needed.",
        "too_wide_to_draw": "The board is too wide to be drawn.",
    }
    advised: ClassVar[tuple[str, ...]] = (
        "players_needed",
        "too_few_photos",
    )


class TrackError(InputError):
    """Typed points on the score track are invalid."""

    texts: ClassVar[Mapping[str, str]] = {
        "bad_track": "Points on the score track are given as a colour and a whole number, as in blue=90.",
        "negative_track": "Points cannot be negative.",
        "track_twice": "The points of one colour are given twice.",
        "colour_unknown": "No player's pieces have that colour.",
    }


class TableError(InputError):
    """Typed facts about a table are invalid."""

    texts: ClassVar[Mapping[str, str]] = {
        "bad_player_count": "The number of players must be a whole number from 1 to 12.",
        "bad_tile_count": "The number of tiles in play must be a whole number from 1 to 1000.",
        "bad_goods": "Goods are given as a colour, wine, grain, cloth or chicken, and a number, as in blue.wine=3.",
        "goods_twice": "One kind of goods is given twice for the same colour.",
        "bad_owner": "The owner of a wonder is given as its name and a colour, as in alhambra=blue or alhambra=nobody.",
        "owner_twice": "The owner of a wonder is given twice.",
        "colour_unknown": "No player's pieces have that colour.",
        "wonder_not_there": "That wonder is not on the board.",
        "too_few_tiles": "There are more tiles on the table than that.",
    }
    advised: ClassVar[tuple[str, ...]] = ("too_few_tiles",)


class CorrectionError(InputError):
    """A correction contradicts the board."""

    texts: ClassVar[Mapping[str, str]] = {
        "square_empty": "There is no tile on that square.",
        "square_too_far": "That square is too far from the board.",
        "touches_nothing": "A tile has to touch another one along a side.",
        "tile_unknown_name": "There is no tile of that name.",
        "bad_wonder_layout": "That layout of a wonder cannot be read.",
        "no_wonder_there": "No wonder lies on that square.",
        "wonder_not_there": "That wonder is not on the board.",
        "meeple_unknown": "There is no meeple with that id.",
        "place_unknown": "The tile on that square has no such part.",
        "colour_unknown": "No player's pieces have that colour.",
        "too_many_tiles": "All boxes together hold fewer tiles than that.",
        "too_few_tiles": "There are more tiles on the table than that.",
        "too_many_corrections": "There are too many corrections.",
        "wonder_there": "A wonder lies on that square.",
        "photo_unknown": "The game has no photo of that name.",
        "photo_ambiguous": "Several photos have that name: name one by its SHA-256.",
        "photo_set_aside": "That photo is set aside.",
        "points_fall": "Points do not fall: another photo has more before it, or fewer after it.",
        "nothing_assumed": "No piece was assumed to have been set and taken back on that square.",
        "taking_impossible": "By the rules, that player cannot have set a piece there and taken it back.",
        "no_such_player": "No player has that colour.",
        "bad_corrections": "The corrections are not a list of known ones.",
        "spot_unknown": "The table has no such spot.",
        "spot_value_impossible": "That cannot lie on this spot.",
        "bad_set": "A spot is set by its name and a value, as in discs.giza=2.",
    }
    advised: ClassVar[tuple[str, ...]] = ("points_fall",)


class FragmentError(InputError):
    """The fragment of a URL is not a shared board."""

    texts: ClassVar[Mapping[str, str]] = {
        "bad_fragment": "The address holds no board, or was cut off.",
        "fragment_too_large": "The address holds more than any board needs.",
    }


@contextmanager
def guard_writing(file: Path) -> Iterator[None]:
    """Raise InputError `cannot_write` if a file or folder cannot be written."""
    try:
        yield
    except OSError as error:
        raise InputError("cannot_write", details={"file": str(file), "reason": error.strerror}) from error


def build_error_document(error: WondertallyError) -> dict[str, Any]:
    """Build the document of an error in the one shape, with values converted to JSON."""
    shape = {"error": {"code": error.code, "text": error.text, "details": error.details}}
    return dict(json.loads(json.dumps(shape, default=str)))
