"""/v1/readings/ID: what a person says of a reading."""

from __future__ import annotations

from datetime import UTC, datetime

from fastapi import APIRouter, Request

from api.http.actor import Who
from api.http.dependencies import Found, Language, Serving, check_owner, is_owner
from api.http.routes.readings import build_reading_document
from api.schemas.readings import Change, ChangeMade, ReadingDocument, ReadingHistory
from api.service.changes import apply_change
from api.store.history import Done

router = APIRouter(prefix="/v1/readings", tags=["corrections"])


@router.patch("/{reading_id}", response_model=ReadingDocument)
async def correct_reading(
    request: Request, server: Serving, reading: Found, change: Change, language: Language, who: Who
) -> ReadingDocument:
    """Correct a reading, undo, redo, or go back to what was read; the owner says who else may.

    Answers the reading with its new report; 409 where it was changed in the meantime.
    """
    if change.shared_correction is not None or not reading.shared_correction:
        check_owner(request, reading)
    await server.heavily(apply_change, server.readings.store, server.reviews, reading, change, who)
    server.gauges.correct(change.corrections or ())
    changed = await server.heavily(server.readings.store.get, reading.id)
    return await server.heavily(build_reading_document, server, changed, is_owner(request, changed), language)


@router.get("/{reading_id}/history", response_model=ReadingHistory)
def get_history(server: Serving, reading: Found) -> ReadingHistory:
    """What was done to a reading, by whom and when, the newest last."""
    return ReadingHistory(changes=[_told(done) for done in server.readings.store.changes(reading.id)])


def _told(done: Done) -> ChangeMade:
    return ChangeMade(
        made=datetime.fromtimestamp(done.made, UTC),
        who=done.who,
        what=done.what,
        step=done.step,
        corrections=done.corrections,
    )
