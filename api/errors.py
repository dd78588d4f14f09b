"""What the front doors refuse by themselves, as a branch of the tree in `vision.errors`.

WondertallyError
  ReportError               a report that cannot be read back
      bad_report              the file is no report, or one of another version
  InputError
    QuestionError           what is asked for is not on the board
      bad_square              a square is no `row,col`
      no_such_feature         the board has no feature of that name
      nothing_there           no such feature lies on that square
      no_such_player          nobody of that colour plays
      colour_unknown          no player's pieces have that colour
      wrong_photo             the photo is not the one that the report was made from
      players_needed          the players must be named: photos show too few of their colours, or too many
      bad_players             the players named are no list of two to six colours, or points are not one for each
      too_few_photos          moves lie between two photos at least
      too_wide_to_draw        a board with so much between its tiles that no picture would show them
    TrackError              what is typed of the score track cannot be
      bad_track               it is no COLOUR=POINTS
      negative_track          fewer points than none
      track_twice             one colour has two numbers of points
      colour_unknown          no player's pieces have that colour
    TableError              what is typed of a table cannot be
      bad_player_count        it is no number of players
      bad_tile_count          it is no number of tiles
      bad_goods               it is no COLOUR.GOODS=NUMBER
      goods_twice             one colour has two numbers of one kind of goods
      bad_owner               it is no WONDER=COLOUR
      owner_twice             one wonder has two owners
      colour_unknown          no player's pieces have that colour
      wonder_not_there        that wonder is not on the board
      too_few_tiles           fewer tiles in play than lie on the table
    CorrectionError         a correction that does not go with the board
      square_empty            no tile lies on that square
      square_too_far          a square so far from the board, or so far out of view, that no tile of it lies there
      tile_unknown_name       no tile, or no wonder, is called that
      no_wonder_there         no square of a wonder lies there
      wonder_not_there        that wonder is not on the board
      meeple_unknown          no meeple has that id
      place_unknown           the tile on that square has no such part
      colour_unknown          no player's pieces have that colour
      too_many_tiles          more tiles than all boxes hold
      too_few_tiles           fewer tiles in play than lie on the table
      too_many_corrections    more corrections than anybody makes
      spot_unknown            the table has no such spot
      spot_value_impossible   that cannot lie on the spot
      bad_set                 what is typed of a spot is no SPOT=VALUE
    FragmentError           what stands behind the # of an address is no board that was shared
      bad_fragment            it was not written by this program, or was cut off
      fragment_too_large      it would unpack to more than any board takes
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from vision.errors import InputError, WondertallyError


class ReportError(WondertallyError):
    """A report that cannot be read back."""

    texts: ClassVar[Mapping[str, str]] = {"bad_report": "The file is no report that can be read back."}


class QuestionError(InputError):
    """What is asked for is not on the board."""

    texts: ClassVar[Mapping[str, str]] = {
        "bad_square": "A square is 3,6 as in the report, from 0, or 'row 4, column 7' as texts name it, from 1.",
        "no_such_feature": "The board has no feature of that name.",
        "nothing_there": "There is nothing of that kind on that square.",
        "no_such_player": "Nobody of that colour plays.",
        "colour_unknown": "No player's pieces have that colour.",
        "wrong_photo": "The report was made from another photo.",
        "players_needed": "Name the players in their order, as in --players blue,yellow: the photos do not tell them.",
        "bad_players": "Players are colours in their order, as in blue,yellow; points are a number for each of them.",
        "too_few_photos": "Moves lie between photos: two of one game are needed at least, each its own picture.",
        "too_wide_to_draw": "The board is too wide to be drawn.",
    }


class TrackError(InputError):
    """What is typed of the score track cannot be."""

    texts: ClassVar[Mapping[str, str]] = {
        "bad_track": "Points on the score track are given as a colour and a whole number, as in blue=90.",
        "negative_track": "Nobody has fewer points than none.",
        "track_twice": "The points of one colour are given twice.",
        "colour_unknown": "No player's pieces have that colour.",
    }


class TableError(InputError):
    """What is typed of a table beside its photos or its board cannot be."""

    texts: ClassVar[Mapping[str, str]] = {
        "bad_player_count": "How many played is a whole number from 1 to 12.",
        "bad_tile_count": "The tiles in play are a whole number from 1 to 1000.",
        "bad_goods": "Goods are given as a colour, wine, grain, cloth or chicken, and a number, as in blue.wine=3.",
        "goods_twice": "One kind of goods is given twice for the same colour.",
        "bad_owner": "Who holds a wonder is given as its name and a colour, as in alhambra=blue or alhambra=nobody.",
        "owner_twice": "Who holds a wonder is given twice.",
        "colour_unknown": "No player's pieces have that colour.",
        "wonder_not_there": "That wonder is not on the board.",
        "too_few_tiles": "More tiles than that lie on the table.",
    }


class CorrectionError(InputError):
    """A correction that does not go with the board."""

    texts: ClassVar[Mapping[str, str]] = {
        "square_empty": "There is no tile on that square.",
        "square_too_far": "That square is too far from the board.",
        "tile_unknown_name": "No tile is called that.",
        "bad_wonder_layout": "That layout of a wonder cannot be read.",
        "no_wonder_there": "No wonder lies on that square.",
        "wonder_not_there": "That wonder is not on the board.",
        "meeple_unknown": "There is no meeple with that id.",
        "place_unknown": "The tile on that square has no such part.",
        "colour_unknown": "No player's pieces have that colour.",
        "too_many_tiles": "All boxes together hold fewer tiles than that.",
        "too_few_tiles": "More tiles than that lie on the table.",
        "too_many_corrections": "These are too many corrections.",
        "spot_unknown": "The table has no such spot.",
        "spot_value_impossible": "That cannot lie on this spot.",
        "bad_set": "What lies on a spot is given as its name and a value, as in discs.giza=2.",
    }


class FragmentError(InputError):
    """What stands behind the # of an address is no board that was shared."""

    texts: ClassVar[Mapping[str, str]] = {
        "bad_fragment": "The address holds no board, or was cut off.",
        "fragment_too_large": "The address holds more than any board takes.",
    }


def build_error_document(error: WondertallyError) -> dict[str, Any]:
    """Build the document of an error: the one shape, of values that JSON has."""
    shape = {"error": {"code": error.code, "text": error.text, "details": error.details}}
    return dict(json.loads(json.dumps(shape, default=str)))
