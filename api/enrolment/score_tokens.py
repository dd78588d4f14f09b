"""Tokens of points are shown to this machine: a photo of each side, alone on a plain ground."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from api.enrolment.listing import names_beside, taught_told
from vision.enrolment.score_tokens import ScoreTokens, TaughtToken, taught_token
from vision.enrolment.store import free_name
from vision.errors import EnrolmentError
from vision.photo.decoding import Photo

Done = tuple[dict[str, Any], list[str]]


def enrol_score_token(photo: Path, points: int, colour: str | None, name: str | None) -> Done:
    """Keep one side of a token, in place of one of that name; what was done, as a document and in words.

    Without a `name` it is called as its photo. Raises WondertallyError.
    """
    if name in (taken := names_beside(ScoreTokens())):
        raise EnrolmentError("enrolment_exists", details={"name": name})
    taught = taught_token(name or free_name(photo.stem, taken), Photo.from_path(photo), points, colour)
    ScoreTokens().save(taught, again=True)
    return {"score_token": taught.name, **_facts(taught)}, [f"enrolled: {taught.name}, {_words(taught)}"]


def score_tokens_told() -> tuple[dict[str, str], list[str]]:
    """What is known of each token that was taught, as a document and in words; of a damaged one, that it is."""
    return taught_told(ScoreTokens(), lambda own: f"{_words(own)}, of {own.source}, {own.made}")


def _facts(own: TaughtToken) -> dict[str, Any]:
    return {"points": own.points} if own.colour is None else {"points": own.points, "colour": own.colour}


def _words(own: TaughtToken) -> str:
    whose = "" if own.colour is None else f" of {own.colour}"
    return f"token of {own.points} points{whose}"
