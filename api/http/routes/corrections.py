"""/v1/readings/ID: what a person says of a reading."""

from __future__ import annotations

from datetime import UTC, datetime

from fastapi import APIRouter, Request

from api.http.actor import Who
from api.http.dependencies import Language, ReadingById, Serving, check_owner, is_owner
from api.http.routes.readings import build_reading_document
from api.schemas.readings import Change, ChangeMade, ReadingDocument, ReadingHistory
from api.service.changes import apply_change
from api.store.history import ChangeRecord

router = APIRouter(prefix="/v1/readings", tags=["corrections"])


@router.patch("/{reading_id}", response_model=ReadingDocument)
async def correct_reading(
    request: Request, server: Serving, reading: ReadingById, change: Change, language: Language, who: Who
) -> ReadingDocument:
    """Correct a reading, undo, redo, or go back to what was read; the owner says who else may.

    Answers the reading with its new report; 409 where it was changed in the meantime.
    """
    if change.shared_correction is not None or not reading.shared_correction:
        check_owner(request, reading)
    await server.run_heavy(apply_change, server.readings.store, server.reviews, reading, change, who)
    server.gauges.count_corrections(change.corrections or ())
    changed = await server.run_heavy(server.readings.store.get, reading.id)
    return await server.run_heavy(build_reading_document, server, changed, is_owner(request, changed), language)


@router.get("/{reading_id}/history", response_model=ReadingHistory)
def get_history(server: Serving, reading: ReadingById) -> ReadingHistory:
    """What was done to a reading, by whom and when, the newest last."""
    return ReadingHistory(
        changes=[_build_change_document(done) for done in server.readings.store.list_changes(reading.id)]
    )


def _build_change_document(done: ChangeRecord) -> ChangeMade:
    return ChangeMade(
        made=datetime.fromtimestamp(done.made, UTC),
        who=done.who,
        what=done.what,
        step=done.step,
        corrections=done.corrections,
    )
