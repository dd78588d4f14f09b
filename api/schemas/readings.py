"""HTTP documents other than the report, as typed models."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from api.documents.corrections import Correction
from api.documents.forms import AnyReport
from api.documents.plain_numbers import PlainNumbers
from api.documents.question import Question, SpotQuestion
from api.reading.tools import STAGES_OF_TILES
from api.service.reviews import Change
from api.store.readings import ChangeKind

Stage = Literal[
    "decode", "game", "lattice", "track", "tiles", "legal", "meeples", "score", "opening", "board", "counting"
]


class Wire(PlainNumbers, BaseModel):
    """Base of all documents: unknown fields are refused."""

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
    """A reading: its progress, and its report with the corrections made.

    The report's `game` determines its form and that of the questions: with tiles and meeples, or with spots. `stages`
    are the stages of the reading, as far as its game is known; `ahead` is the number of readings before it in the
    queue, `version` counts its changes; without `expires` it is kept as long as its event.
    """

    id: str
    status: Literal["queued", "reading", "done", "failed"]
    stage: Stage | None = None
    stages: tuple[str, ...] = STAGES_OF_TILES
    ahead: int = 0
    report: AnyReport | None = None
    error: ErrorBody | None = None
    corrections: list[Correction] = []
    version: int
    can_undo: bool = False
    can_redo: bool = False
    may_correct: bool = False
    shared_correction: bool = False
    questions: list[Annotated[Question | SpotQuestion, Field(discriminator="about")]] = []
    created: datetime
    expires: datetime | None
    photos: list[PhotoSize] = []


class ReadingCreated(ReadingDocument):
    """A new reading, with the owner's token, which is given only this once."""

    token: str


class ReadingAccepted(Wire):
    """A reading in progress, with the address to poll."""

    id: str
    token: str
    status: Literal["queued", "reading"]
    poll: str = Field(examples=["/v1/readings/3q2-7wAAAAAAAAAAAAAAAA"])


class ReadingUpdate(Wire):
    """One of: corrections to add, a step of undo or redo, a reset to the reading, or whether others may correct.

    With `version` the request is refused if the reading has another version.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"corrections": [{"kind": "tile", "row": 0, "col": 3, "tile": "D", "turns": 1}]},
                {"corrections": [{"kind": "spot", "id": "discs.giza", "value": 2}]},
            ]
        },
    )

    corrections: list[Correction] | None = Field(default=None, min_length=1, max_length=200)
    undo: Literal[True] | None = None
    redo: Literal[True] | None = None
    reset: Literal[True] | None = None
    shared_correction: bool | None = None
    version: int | None = None

    @model_validator(mode="after")
    def _check_one_choice(self) -> ReadingUpdate:
        choices = (self.corrections, self.undo, self.redo, self.reset, self.shared_correction)
        if sum(one is not None for one in choices) != 1:
            raise ValueError("one of corrections, undo, redo, reset and shared_correction is wanted")
        return self

    def to_change(self) -> Change:
        """Return the change that is requested."""
        steps = bool(self.undo), bool(self.redo), bool(self.reset)
        return Change(self.corrections, *steps, self.shared_correction, self.version)


class HistoryItem(Wire):
    """A change of a reading: `corrections` are those made, undone or redone.

    `who` is the person's own name, empty if none was given; `step` is the number of these corrections.
    """

    made: datetime
    who: str
    what: ChangeKind
    step: int | None
    corrections: list[Correction]


class ReadingHistory(Wire):
    """All changes of a reading, newest last."""

    changes: list[HistoryItem]


class Health(Wire):
    """The server's health: its readers and its queue."""

    status: Literal["ok"] = "ok"
    readers: int
    waiting: int
    working: int
