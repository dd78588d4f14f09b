"""Errors in a person's input, as one tree.

WondertallyError            a code for programs, a sentence for people, details for both
  PhotoError                the bytes are not a readable photo
      photo_not_found         there is no such file
      photo_unreadable        the file is there but cannot be opened (a folder, no permission)
      empty_file              the file is empty
      not_an_image            the bytes are not a picture
      unsupported_image       a picture, in a format other than JPEG, PNG or WebP
      heif_missing            a HEIC picture, and pillow-heif cannot be loaded
      too_large               more bytes or more pixels than the limits of `vision.photo.decoding`
      truncated_image         the picture's end is missing
      broken_image            the picture is damaged in some other way
      costly_image            opening the picture takes far longer than any photo does
  ReadingError              the photo is fine but cannot be read
      board_not_found         it shows no board
      board_too_large         it shows more tiles than a board may have (`scoring.connected_squares.MAX_BOARD_SQUARES`)
      photos_do_not_join      of several photos of one table: it shows another board, or too little of this one
      photos_out_of_order     of several photos of one game: tiles of one are gone in the next
  InputError                an impossible request
      unsupported_game        a game that is not scored
      file_not_found          a missing board or label file
      cannot_write            an output file that cannot be written
      output_twice            one file is named for two outputs
      bad_usage               a command line that does not parse
      other_game              a table, or a correction, of another game than requested
      models_missing          a net is missing from the folder of trained nets
      models_damaged          a file of a trained net, or of fitted numbers, cannot be read
      photo_ambiguous         the folder holds several different photos of the name in a label
      renderer_missing        the path tracer is an extra that is not installed
      EnrolmentError          prints cannot be enrolled, or an enrolment cannot be used
          shape_empty             a tile's shape has no square
          shape_not_connected     a tile's shape is in parts that do not touch
          shape_too_large         a tile's shape is larger than any tile
          shape_twice             two tiles have one shape, turned or not
          order_unknown           a photo of tiles without their names
          board_does_not_fit      the photo shows other squares than the board's
          turn_not_clear          the board fits the photo in more than one way
          board_contradicts_photo the tiles in the photo look like different ones
          nothing_to_enrol        no square has both a named tile and corners
          piece_does_not_fit      a piece in a report has another shape than on its card
          pieces_not_taught       a game whose pieces need no enrolment
          report_disagrees        a report whose tiles differ from its notation
          photo_wanted            a report whose photo is missing
          bad_name                a name that is invalid for a file
          enrolment_exists        the name is taken
          no_such_enrolment       there is no enrolment of that name
          spaces_invalid          an invalid file of a score board's spaces
          bad_corners             not the four corners of a board in the photo
          spaces_not_in_order     a path that does not begin with space 0, or does not count up
          space_off_board         a space that does not lie on the board
          spaces_too_near         spaces whose centres coincide
          laps_do_not_fit         a lap is neither the number of spaces nor the number of the last one
          print_too_plain         a board or token with too few features to be recognised
          bad_score_token         a token with an invalid number of points
          colour_unknown          no player's pieces have that colour
          token_not_seen          a photo that does not show one token alone on a plain ground
          bad_enrolment           an enrolment's file is damaged, or of another version
          enrolment_not_empty     a non-empty folder is in the place of an enrolment's file
          other_wonder            the file of one wonder is sent for another
          wonder_named            a setting names a file of that wonder, which overrides enrolments
          no_such_wonder          a wonder that is none of the eight
          wonder_not_seen         a photo or a report that does not show the wonder
          print_gone              a wonder's photo was sent too long ago to enrol its print
          not_five_squares        the outline in the photo is not that of a wonder
          cannot_write_enrolment  the folder of enrolments cannot be written
          game_not_enrolled       a game without an enrolled empty board is requested
          no_such_picture         a game has no board of that name
          no_such_mark            a board has no mark of that name
          no_such_value           a board prints no number of that name
          size_not_told           the size of a board by its card, or by a mistaken one, is implausible
          board_incomplete        a board to be saved lacks a value
          board_file_invalid      a file of a game's boards is invalid or damaged

The root and InputError are defined in `scoring.errors`, with the errors of scoring, which does not depend on photos.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from scoring.errors import InputError as InputError
from scoring.errors import WondertallyError as WondertallyError


class PhotoError(WondertallyError):
    """The bytes are not a readable photo."""

    texts: ClassVar[Mapping[str, str]] = {
        "photo_not_found": "There is no such photo.",
        "photo_unreadable": "The photo cannot be opened.",
        "empty_file": "The file is empty.",
        "not_an_image": "The file is not a picture.",
        "unsupported_image": "Only JPEG, PNG and WebP pictures can be read.",
        "heif_missing": "HEIC pictures cannot be read here: send it as JPEG, or install pillow-heif.",
        "too_large": "The picture is too large.",
        "truncated_image": "The end of the picture is missing: it was not copied or sent completely.",
        "broken_image": "The picture is damaged and cannot be decoded.",
        "costly_image": "Opening this picture takes too long: save it anew as a plain JPEG, and send that.",
    }


class ReadingError(WondertallyError):
    """The photo is fine, but no game can be read from it."""

    texts: ClassVar[Mapping[str, str]] = {
        "board_not_found": "No board of tiles was found in the photo.",
        "board_too_large": "The photo shows more tiles than a board has.",
        "photos_do_not_join": "The photo shows another board than the others, or too little of theirs to tell where.",
        "photos_out_of_order": "Tiles of one photo are gone in the next: the photos are not in the order of time, or "
        "the later one does not show the whole board.",
    }


class EnrolmentError(InputError):
    """Prints cannot be enrolled, or an enrolment cannot be used."""

    texts: ClassVar[Mapping[str, str]] = {
        "order_unknown": "Say with --board what lies in the photo: `seen` is its shape, to be filled with tiles.",
        "board_does_not_fit": "The photo shows squares in another shape than the board's.",
        "turn_not_clear": "The board fits the photo in several ways: lay the tiles in a shape that is no rectangle.",
        "board_contradicts_photo": "Most tiles in the photo look like other ones than the board has there.",
        "nothing_to_enrol": "There is no tile with a name to learn from.",
        "piece_does_not_fit": "A piece has not the shape that your components file tells of it: correct one of both.",
        "pieces_not_taught": "This game has no pieces that have to be shown.",
        "report_disagrees": "The report's tiles and its notation are not one board: correct both, or give --board.",
        "photo_wanted": "The report's photo does not lie beside it: name it with --photo.",
        "bad_name": "A name is up to 64 letters, digits, - and _, and begins with a letter or digit.",
        "enrolment_exists": "That name is taken: choose another, or forget the old one first.",
        "no_such_enrolment": "Nothing was taught under that name.",
        "spaces_invalid": "The file of the score board's spaces is not of the form that docs/score-boards.md tells.",
        "bad_corners": "corners_px are no four corners of a board in this photo: NW, NE, SE, SW.",
        "spaces_not_in_order": "The path begins with space 0, and each number is larger than the one before.",
        "space_off_board": "A space of the path lies beside the board.",
        "spaces_too_near": "The middles of two spaces lie on each other, or nearly: see size_mm and path again.",
        "laps_do_not_fit": "laps is the number of the last space, or one more.",
        "print_too_plain": "The photo shows too little that it could be found by: take a sharper one.",
        "bad_score_token": "A token counts 1 to 500 points.",
        "colour_unknown": "No player's pieces have that colour.",
        "token_not_seen": "The photo does not show one token alone: lay it on a plain ground of another colour.",
        "bad_enrolment": "What was taught is damaged, or of another version: forget it, and teach it anew.",
        "enrolment_not_empty": "A folder with files lies where a file of what was taught should: remove it yourself.",
        "no_such_wonder": "There is no such wonder.",
        "wonder_not_seen": "That wonder is not seen there: take another photo of it, or write its file.",
        "other_wonder": "This file is of another wonder.",
        "wonder_named": "This server was started with a file for this wonder: nothing else can be taught of it.",
        "print_gone": "That photo was sent too long ago: send it once more, or keep the layout without its print.",
        "not_five_squares": "What lies there has not the outline of five squares: photograph the tile by itself, all "
        "of it, on a plain table.",
        "cannot_write_enrolment": "What was taught cannot be written.",
        "game_not_enrolled": "Photograph the game's empty board first, and enrol it: see docs/games.md.",
        "no_such_picture": "The game has no board of that name.",
        "no_such_mark": "The board has nothing of that name to point at.",
        "no_such_value": "The board prints no number of that name.",
        "size_not_told": "The photo does not tell how large the board is: what is taken for the card cannot be one.",
        "board_incomplete": "Something of the board is still missing.",
        "shape_empty": "A shape of a tile has no square.",
        "shape_not_connected": "The squares of a tile's shape do not hang together: each shares a side with another.",
        "shape_too_large": "A tile's shape is longer or wider than five squares.",
        "shape_twice": "Two shapes of tiles are one and the same, turned or not.",
        "board_file_invalid": "This is no file of a game's boards, or it is damaged.",
    }
