"""Enrolment of tokens of points, from a photo of each side, alone on a plain background."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from api.enrolment.listing import DocumentAndLines, describe_enrolments, list_taken_names
from api.inputs.photos import open_photo
from scoring.counts import format_count
from vision.enrolment.score_tokens import ScoreTokens, TaughtToken, build_score_token
from vision.enrolment.store import find_free_name
from vision.errors import EnrolmentError


def enrol_score_token(photo: Path, points: int, colour: str | None, name: str | None) -> DocumentAndLines:
    """Keep one side of a token, replacing one of the same name; return the result as a document and as lines.

    The `name` defaults to that of the photo. Raises WondertallyError.
    """
    if name in (names := list_taken_names(ScoreTokens())):
        raise EnrolmentError("enrolment_exists", details={"name": name})
    taught = build_score_token(name or find_free_name(photo.stem, names), open_photo(photo), points, colour)
    ScoreTokens().save(taught, again=True)
    return {"score_token": taught.name, **_build_facts(taught)}, [f"enrolled: {taught.name}, {_describe(taught)}"]


def describe_score_tokens() -> tuple[dict[str, str], list[str]]:
    """Describe each enrolled token, as a document and as lines; a damaged one by its error."""
    return describe_enrolments(ScoreTokens(), lambda token: f"{_describe(token)}, of {token.source}, {token.made}")


def _build_facts(token: TaughtToken) -> dict[str, Any]:
    return {"points": token.points} if token.colour is None else {"points": token.points, "colour": token.colour}


def _describe(token: TaughtToken) -> str:
    whose = "" if token.colour is None else f" of {token.colour}"
    return f"token of {format_count(token.points, 'point')}{whose}"
