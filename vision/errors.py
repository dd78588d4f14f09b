"""Everything that can go wrong with what a person hands in, as one tree.

WondertallyError            a code for programs, a sentence for people, details for both
  PhotoError                the bytes are no photo that can be read
      photo_not_found         there is no such file
      photo_unreadable        the file is there but cannot be opened (a folder, no permission)
      empty_file              no bytes at all
      not_an_image            the bytes are no picture
      unsupported_image       a picture, in a format other than JPEG, PNG or WebP
      heif_missing            a HEIC picture, where pillow-heif, which reads it, cannot be loaded
      too_large               more bytes or more pixels than the limits of `vision.photo.decoding`
      truncated_image         the picture's end is missing
      broken_image            the picture is damaged in some other way
      costly_image            the picture is made so that opening it takes far longer than any photo does
  ReadingError              the photo is fine but cannot be read
      board_not_found         it shows no board
      board_too_large         it shows more tiles than a board has (`scoring.connected_squares.MAX_BOARD_SQUARES`)
      photos_do_not_join      of several photos of one table: it shows another board, or too little of this one
      photos_out_of_order     of several photos of one game: tiles of one are gone in the next
  InputError                what was asked for cannot be done
      unsupported_game        a game that is not scored
      file_not_found          a board or label file that is not there
      cannot_write            an output file that cannot be written
      output_twice            one file is named for two outputs
      bad_usage               a command line that does not parse
      other_game              a table, or a correction, that is not of the game that is asked for
      models_missing          the folder of trained nets lacks one
      models_damaged          a file of a trained net, or of fitted numbers, cannot be read
      photo_ambiguous         a label names a photo of which the folder holds several, unlike each other
      renderer_missing        the path tracer is an extra that is not installed
      EnrolmentError          a set of tiles cannot be taught, or what was taught cannot be used
          shape_empty             a tile is drawn without a square
          shape_not_connected     a tile is drawn in parts that do not touch
          shape_too_large         a tile is drawn larger than any is
          shape_twice             two tiles are drawn in one shape, turned or not
          order_unknown           a photo of tiles, without a word on what they are
          board_does_not_fit      other squares than the board's lie in the photo
          turn_not_clear          the board fits the photo in more than one way
          board_contradicts_photo the tiles in the photo look like quite other ones
          nothing_to_enrol        no square of it has a tile with a name, and corners
          piece_does_not_fit      a piece in a report has not the shape that its card tells
          pieces_not_taught       a game whose pieces all have their names at once
          report_disagrees        a report whose tiles are not those of its notation
          photo_wanted            a report whose photo is not there
          bad_name                a name that can be no file's
          enrolment_exists        the name is taken
          no_such_enrolment       nothing was taught under that name
          spaces_invalid          a file of a score board's spaces that is not of that form
          bad_corners             no four corners of a board in the photo
          spaces_not_in_order     a path that does not begin with space 0, or does not count up
          space_off_board         a space that does not lie on the board
          spaces_too_near         spaces whose middles lie on each other
          laps_do_not_fit         once round is neither the number of spaces nor the last of them
          print_too_plain         a board or token without enough on it to be found again
          bad_score_token         a token of no such points
          colour_unknown          no player's pieces have that colour
          token_not_seen          a photo that does not show one token alone on a plain ground
          bad_enrolment           a file of what was taught is damaged, or of another version
          enrolment_not_empty     a folder with files lies where a file of what was taught should
          other_wonder            the file of one wonder is sent for another
          wonder_named            a setting names a file of that wonder, which goes before what is taught
          no_such_wonder          a wonder that is none of the eight
          wonder_not_seen         a photo or a report that does not show the wonder
          print_gone              a wonder's photo that was sent too long ago for its print to be kept
          not_five_squares        what lies in the photo has not the outline of a wonder
          cannot_write_enrolment  the folder of what was taught cannot be written
          game_not_enrolled       a game is asked for of which no empty board was shown yet
          no_such_picture         a game has no board of that name
          no_such_mark            a board has nothing of that name to point at
          no_such_value           a board prints no number of that name
          size_not_told           a card, or what is taken for one, by which a board would be as small or large as none
          board_incomplete        a board is to be kept of which something was not told
          board_file_invalid      a file of a game's boards that is none, or damaged

The root and InputError stand in `scoring.errors`, with what scoring refuses: scoring knows nothing of photos.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from scoring.errors import InputError as InputError
from scoring.errors import WondertallyError as WondertallyError


class PhotoError(WondertallyError):
    """The bytes are no photo that can be read."""

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
    """A set of tiles cannot be taught, or what was taught cannot be used."""

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
