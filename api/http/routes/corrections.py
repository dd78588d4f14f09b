"""/v1/readings/ID: corrections of a reading."""

from __future__ import annotations

from fastapi import APIRouter, Request

from api.errors import CorrectionError, TableError, TrackError
from api.http.dependencies import ChosenLanguage, ReadingById, Serving, Who, check_owner, may_review
from api.http.errors import raises
from api.http.routes.readings import build_reading_document
from api.schemas.readings import HistoryItem, ReadingDocument, ReadingHistory, ReadingUpdate
from api.service.reviews import apply_change
from scoring.errors import BoardError, CatalogueError
from scoring.spots.components import ComponentsError

router = APIRouter(prefix="/v1/readings", tags=["corrections"])


@router.patch("/{reading_id}", response_model=ReadingDocument)
@raises("token_wanted", "not_yours", "conflict", "not_read_yet", "nothing_to_undo", "other_game", "unknown_rules")
@raises(CorrectionError, TrackError, TableError, CatalogueError, ComponentsError, BoardError)
async def correct_reading(
    request: Request, server: Serving, reading: ReadingById, update: ReadingUpdate, language: ChosenLanguage, who: Who
) -> ReadingDocument:
    """Correct a reading, undo, redo, or reset it; the owner sets who else may.

    The answer is the reading with its new report, or 409 if it was changed in the meantime.
    """
    change = update.to_change()
    if change.shared_correction is not None or not (reading.shared_correction or may_review(request, reading)):
        check_owner(request, reading)
    await server.run_heavy(apply_change, server.readings.store, server.reviews, reading, change, who)
    if may_review(request, reading):
        await server.run_heavy(server.decisions.follow_correction, reading.id, change, who)
    server.gauges.count_corrections(change.corrections or ())
    changed = await server.run_heavy(server.readings.store.get, reading.id)
    return await server.run_heavy(build_reading_document, server, changed, may_review(request, changed), language)


@router.get("/{reading_id}/history", response_model=ReadingHistory)
def get_reading_history(server: Serving, reading: ReadingById) -> ReadingHistory:
    """List the changes of a reading with person and time, newest last."""
    changes = server.readings.store.list_changes(reading.id)
    return ReadingHistory(changes=[HistoryItem.model_validate(change, from_attributes=True) for change in changes])
