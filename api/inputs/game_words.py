"""Typed corrections of a game in progress."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from api.documents.game_corrections import GAME_CORRECTIONS, DenyTaking, GameCorrection, GivePoints
from api.errors import CorrectionError, TrackError
from api.inputs.subjects import parse_square
from api.inputs.table_words import parse_track_points
from api.inputs.text import read_text_file


def read_game_corrections(
    file: Path | None, points_at: Iterable[str] = (), not_taken: Iterable[str] = ()
) -> tuple[GameCorrection, ...]:
    """Read corrections from a JSON file, then from words such as `12.jpg:blue=26,red=31` and squares.

    Raises InputError (file_not_found), CorrectionError (bad_corrections), TrackError, QuestionError (bad_square).
    """
    listed = [] if file is None else parse_game_corrections(read_text_file(file, "The corrections cannot be read."))
    denied = [DenyTaking(square=(named.row, named.col)) for named in map(parse_square, not_taken)]
    return (*listed, *map(_parse_points_at, points_at), *denied)


def parse_game_corrections(text: str) -> list[GameCorrection]:
    """Parse a list of corrections in JSON; raises CorrectionError `bad_corrections` with the first fault."""
    try:
        return GAME_CORRECTIONS.validate_json(text)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        details = {"at": ".".join(map(str, fault["loc"])), "reason": fault["msg"]}
        raise CorrectionError("bad_corrections", details=details) from error


def _parse_points_at(word: str) -> GivePoints:
    photo, colon, points = word.rpartition(":")
    if not colon or not photo:
        raise TrackError("bad_track", details={"given": word})
    return GivePoints(photo=photo, points=parse_track_points(points.split(",")))
