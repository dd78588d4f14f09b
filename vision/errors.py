"""Errors of a person's input, as one tree.

WondertallyError            a code for programs, a sentence for people, details for both
  PhotoError                a file is not a readable photo
      photo_not_found         the file does not exist
      photo_unreadable        the file cannot be opened (a folder, no permission)
      empty_file              the file is empty
      not_an_image            the file is not a picture
      unsupported_image       the picture is of no format that can be read
      heif_missing            the picture is HEIC, and pillow-heif, which reads it, cannot be loaded
      too_large               the bytes or pixels exceed the limits of `vision.photo.decoding`
      truncated_image         the end of the picture is missing
      broken_image            the picture is damaged in some other way
      costly_image            opening the picture takes far longer than opening any real photo
  ReadingError              a valid photo cannot be read
      board_not_found         it shows no board
      board_too_large         it shows more tiles than a board has (`scoring.connected_squares.MAX_BOARD_SQUARES`)
      photos_do_not_join      one of several photos of a table shows another board, or too little of this one
      photos_out_of_order     tiles of one photo of a game are missing in the next
  InputError                a request cannot be carried out
      unsupported_game        the game is not supported
      file_not_found          a board or label file does not exist
      cannot_write            an output file cannot be written
      output_twice            one file is named for two outputs
      bad_usage               the command line cannot be parsed
      other_game              a table or a correction belongs to another game
      models_missing          a trained net is missing
      models_damaged          a file of a trained net or of the calibration cannot be read
      photo_ambiguous         the folder holds several different photos of the name in a label
      EnrolmentError          an enrolment is impossible, or cannot be used
          shape_empty             a drawn tile has no square
          shape_not_connected     the squares of a drawn tile are not connected
          shape_too_large         a drawn tile is larger than any tile
          shape_twice             two drawn tiles have the same shape, turned or not
          order_unknown           a photo of tiles comes without their board
          board_does_not_fit      the squares in the photo are not those of the board
          turn_not_clear          the board fits the photo in more than one orientation
          board_contradicts_photo most tiles in the photo look different from the board's
          nothing_to_enrol        no square has a named tile with corners in the photo
          piece_does_not_fit      a piece in a report does not have the shape stated for its card
          pieces_not_taught       the game's pieces need no enrolment
          report_disagrees        the report's tiles differ from its notation
          photo_wanted            the report's photo is not found
          bad_name                the name cannot be a file's name
          enrolment_exists        the name is taken
          no_such_enrolment       there is no enrolment of that name
          spaces_invalid          the file of a score board's spaces is invalid
          bad_corners             the corners are not four corners of a board in the photo
          spaces_not_in_order     a path does not begin with space 0, or its numbers do not increase
          space_off_board         a space is outside the board
          spaces_too_near         the centres of two spaces coincide
          laps_do_not_fit         the lap is neither the number of spaces nor the last of them
          print_too_plain         a board or token has too little detail to be found again
          bad_score_token         the points are not a token's
          colour_unknown          no player's pieces can have that colour
          token_not_seen          the photo does not show one token alone on a plain background
          bad_enrolment           an enrolment's file is damaged, or of another version
          enrolment_not_empty     a folder with files is in the place of an enrolment's file
          other_wonder            the file belongs to another wonder
          wonder_named            a setting names a file for the wonder, which overrides enrolments
          no_such_wonder          the wonder is none of the eight
          wonder_not_seen         the photo or report does not show the wonder
          print_gone              the photo of a wonder was sent too long ago for its print to be kept
          not_five_squares        the shape in the photo is not the outline of a wonder
          cannot_write_enrolment  the folder of enrolments cannot be written to
          game_not_enrolled       no empty board of the game is enrolled
          no_such_picture         the game has no board of that name
          no_such_mark            the board has no mark of that name
          no_such_value           the board prints no number of that name
          size_not_told           the card, or the shape marked as one, would make the board impossibly small or large
          board_incomplete        a board is to be kept with parts missing
          board_file_invalid      the file of a game's boards is invalid or damaged

The root and InputError are in `scoring.errors`, with the errors of scoring, which does not depend on photos.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from scoring.errors import InputError as InputError
from scoring.errors import WondertallyError as WondertallyError


class PhotoError(WondertallyError):
    """A file is not a readable photo."""

    texts: ClassVar[Mapping[str, str]] = {
        "photo_not_found": "There is no such photo.",
        "photo_unreadable": "The photo cannot be opened.",
        "empty_file": "The file is empty.",
        "not_an_image": "The file is not a picture.",
        "unsupported_image": "Only JPEG, PNG, WebP and HEIC pictures can be read.",
        "heif_missing": "HEIC pictures cannot be read here: send it as JPEG, or install pillow-heif.",
        "too_large": "The picture is too large.",
        "truncated_image": "The end of the picture is missing: it was not copied or sent completely.",
        "broken_image": "The picture is damaged and cannot be decoded.",
        "costly_image": "Opening this picture takes too long: save it anew as a plain JPEG, and send that.",
    }
    advised: ClassVar[tuple[str, ...]] = (
        "costly_image",
        "heif_missing",
    )


class ReadingError(WondertallyError):
    """A valid photo from which no game can be read."""

    texts: ClassVar[Mapping[str, str]] = {
        "board_not_found": "No board of tiles was found in the photo.",
        "board_too_large": "The photo shows more tiles than a board has.",
        "photos_do_not_join": "The photo shows another board than the others, or too little of theirs to be placed.",
        "photos_out_of_order": "Tiles of one photo are missing in the next: the photos are not in chronological "
        "order, or the later one does not show the whole board.",
    }


class EnrolmentError(InputError):
    """An enrolment is impossible, or cannot be used."""

    texts: ClassVar[Mapping[str, str]] = {
        "order_unknown": "Name the tiles in the photo with --board: `seen` is their shape, to be filled in.",
        "board_does_not_fit": "The photo shows squares in another shape than the board's.",
        "turn_not_clear": "The board fits the photo in several ways: lay the tiles in a shape that is not a rectangle.",
        "board_contradicts_photo": "Most tiles in the photo look different from the board's.",
        "nothing_to_enrol": "There is no tile with a name to learn from.",
        "piece_does_not_fit": "A piece does not have the shape that your components file gives it: correct one of "
        "the two.",
        "pieces_not_taught": "This game has no pieces that need to be shown.",
        "report_disagrees": "The report's tiles and its notation describe different boards: correct both, or give "
        "--board.",
        "photo_wanted": "The report's photo is not beside it: name it with --photo.",
        "bad_name": "A name has up to 64 letters, digits, - and _, and begins with a letter or digit.",
        "enrolment_exists": "That name is taken: choose another, or forget the old one first.",
        "no_such_enrolment": "There is no enrolment of that name.",
        "nothing_to_take_back": "There is no change left to undo.",
        "spaces_invalid": "The file of the score board's spaces is invalid: see docs/score-boards.md.",
        "bad_corners": "corners_px are not four corners of a board in this photo: NW, NE, SE, SW.",
        "spaces_not_in_order": "The path must begin with space 0, and its numbers must increase.",
        "space_off_board": "A space of the path is outside the board.",
        "spaces_too_near": "The centres of two spaces coincide, or nearly: check size_mm and path.",
        "laps_do_not_fit": "laps must be the number of the last space, or one more.",
        "print_too_plain": "The photo shows too little detail to be recognised: take a sharper one.",
        "bad_score_token": "A token is worth 1 to 500 points.",
        "colour_unknown": "No player's pieces have that colour.",
        "token_not_seen": "The photo does not show one token alone: lay it on a plain background of another colour.",
        "bad_enrolment": "The enrolment is damaged, or of another version: forget it, and enrol it again.",
        "enrolment_not_empty": "A folder with files is in the place of an enrolment's file: remove it yourself.",
        "no_such_wonder": "There is no such wonder.",
        "wonder_not_seen": "That wonder is not seen there: take another photo of it, or write its file.",
        "other_wonder": "This file is of another wonder.",
        "wonder_named": "This server was started with a file for this wonder: no other layout of it can be enrolled.",
        "print_gone": "That photo was sent too long ago: send it once more, or keep the layout without its print.",
        "not_five_squares": "That does not have the outline of five squares: photograph the whole tile by itself, on "
        "a plain table.",
        "cannot_write_enrolment": "The enrolment cannot be written.",
        "game_not_enrolled": "Photograph the game's empty board first, and enrol it: see docs/games.md.",
        "no_such_picture": "The game has no board of that name.",
        "no_such_mark": "The board has nothing of that name to point at.",
        "no_such_value": "The board prints no number of that name.",
        "size_not_told": "The photo does not show the size of the board: the marked shape cannot be the card.",
        "board_incomplete": "Something of the board is still missing.",
        "shape_empty": "A shape of a tile has no square.",
        "shape_not_connected": "The squares of a tile's shape are not connected: each must share a side with another.",
        "shape_too_large": "A tile's shape is longer or wider than five squares.",
        "shape_twice": "Two shapes of tiles are the same, turned or not.",
        "board_file_invalid": "This is not a file of a game's boards, or it is damaged.",
    }
    advised: ClassVar[tuple[str, ...]] = (
        "bad_enrolment-wonder",
        "enrolment_not_empty",
        "not_five_squares",
        "nothing_to_take_back",
        "print_gone",
        "shape_empty",
        "shape_not_connected",
        "shape_twice",
        "size_not_told",
        "wonder_named",
        "wonder_not_seen",
    )
