"""What goes over HTTP beside the report, as typed models."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from api.document import Report
from api.worker import STAGES

Stage = Literal["decode", "lattice", "track", "tiles", "legal", "meeples", "score"]


class Wire(BaseModel):
    """Fields are fixed."""

    model_config = ConfigDict(extra="forbid", serialize_by_alias=True)


class ErrorBody(Wire):
    """A code for programs, a sentence for people, details for both."""

    code: str
    text: str
    details: dict[str, Any]


class ErrorDocument(Wire):
    """The one shape of every error."""

    error: ErrorBody


class PhotoSize(Wire):
    """A photo of a reading, by its number in the report."""

    number: int
    width: int
    height: int


class ReadingDocument(Wire):
    """A reading: how far it has come, and its report with the corrections made.

    `ahead` is how many readings come before it, `version` counts its changes.
    """

    id: str
    status: Literal["queued", "reading", "done", "failed"]
    stage: Stage | None = None
    stages: tuple[str, ...] = STAGES
    ahead: int = 0
    report: Report | None = None
    error: ErrorBody | None = None
    corrections: list[Any] = []
    version: int
    can_undo: bool = False
    can_redo: bool = False
    may_correct: bool = False
    shared_correction: bool = False
    questions: list[Any] = []
    created: datetime
    expires: datetime
    photos: list[PhotoSize] = []


class ReadingMade(ReadingDocument):
    """The same, with the owner's token, which is told this once."""

    token: str


class ReadingTaken(Wire):
    """A reading that goes on: where to ask for it."""

    id: str
    token: str
    status: Literal["queued", "reading"]
    poll: str = Field(examples=["/v1/readings/3q2-7wAAAAAAAAAAAAAAAA"])


class Health(Wire):
    """Whether the server can do its work."""

    status: Literal["ok"] = "ok"
    readers: int
    waiting: int
    working: int
