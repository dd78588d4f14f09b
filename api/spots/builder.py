"""Builder of the report of a table of spots: read from photos and corrected, given as a table, or typed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from shapely import Polygon, make_valid, union_all
from shapely.geometry.base import BaseGeometry

from api.documents.report import Entry, PhotoInfo, Point, round_points
from api.documents.spot_report import (
    SpotBoard,
    SpotChoice,
    SpotDoubt,
    SpotFeature,
    SpotProblem,
    SpotReport,
    SpotRules,
    SpotScores,
    SpotState,
)
from api.reading.tools import EnrolledGames
from api.spots.registry import find_spot_game
from api.spots.snapshot import SnapshotSpot, SpotSnapshot
from scoring.confidence import CONFIDENCE_SURE
from scoring.percent import round_share
from scoring.spots.doubts import SpotDoubts, assess_spot_doubts
from scoring.spots.game import Area, Scored, Spot
from scoring.spots.table import Settled, fill_with_nothing, settle_table
from scoring.spots.text import SpotTable, format_table

GAP_PX = 3.0
"""Maximum gap in pixels between outlines of a feature's spots that are merged into one. A guess."""


def build_typed_table_report(table: SpotTable, tables: EnrolledGames, nothing_more: bool = False) -> SpotReport:
    """Build the report of a typed table, using the components enrolled on this machine.

    With `nothing_more`, spots that no photo shows and the table does not name are empty. Raises InputError
    `unsupported_game`, ComponentsError, BoardError.
    """
    rules = find_spot_game(table.game).rules
    components = rules.components(tables.components(table.game))
    players = sorted(table.players, key=lambda player: rules.colours.index(player) if player in rules.colours else -1)
    settled = settle_table(rules, components, players, table.laid)
    if nothing_more:
        settled = settle_table(rules, components, players, {**settled.laid, **fill_with_nothing(settled)})
    return build_unread_spot_report(settled)


def build_unread_spot_report(table: Settled) -> SpotReport:
    """Build the report of a table without a photo: its values are certain, all others unknown."""
    started = time.perf_counter()
    scored = table.scored()
    report = build_spot_report(table, scored, assess_spot_doubts(table, scored, {}), {}, ())
    spent = round((time.perf_counter() - started) * 1000, 1)
    report.timing_ms = {"score": spent, "total": spent}
    return report


def build_spot_reading_report(
    table: Settled, scored: Scored, doubts: SpotDoubts, snapshot: SpotSnapshot, by_person: Collection[str]
) -> SpotReport:
    """Build the report of photos, without its times; `by_person` are spots that a person set or confirmed."""
    report = build_spot_report(
        table, scored, doubts, {spot.id: spot for spot in snapshot.spots}, snapshot.photos, by_person
    )
    report.set_aside = list(snapshot.set_aside)
    report.board.printed = list(snapshot.places)
    return report


def compute_stage_times(snapshot: SpotSnapshot, score_ms: float) -> dict[str, float]:
    """Return the time of each stage of a reading and in all, given the time of scoring it with its doubts."""
    read = snapshot.timing_ms.get("total", sum(snapshot.timing_ms.values()))
    times = {
        **snapshot.timing_ms,
        "decode": snapshot.decode_ms,
        "score": score_ms,
        "total": snapshot.decode_ms + read + score_ms,
    }
    return {stage: round(ms, 1) for stage, ms in times.items()}


def build_spot_report(
    table: Settled,
    scored: Scored,
    doubts: SpotDoubts,
    readings: Mapping[str, SnapshotSpot],
    photos: Sequence[PhotoInfo],
    by_person: Collection[str] = (),
) -> SpotReport:
    """Build the report of a table; times and the photos set aside are left empty."""
    totals = dict(scored.totals)
    doubt_list = list(build_spot_doubts(table, doubts))
    doubtful_spots = {spot for doubt in doubt_list for spot in doubt.spots}
    return SpotReport(
        game=table.game.name,
        photo=photos[0] if photos else None,
        rules=SpotRules(players=list(table.players)),
        board=SpotBoard(
            notation=format_table(SpotTable(table.game.name, table.players, table.laid)),
            spots=[_spot(spot, table, readings.get(spot.id), doubtful_spots, by_person) for spot in table.spots],
            problems=[SpotProblem.copy_of(trouble) for trouble in scored.troubles],
        ),
        features=[_feature(area, readings) for area in scored.areas],
        scores=SpotScores(
            final_scoring=totals,
            on_track=dict(scored.on_track),
            total={player: _total(points, player, scored) for player, points in totals.items()},
            entries=[Entry.copy_of(entry) for entry in scored.entries],
            confidence=None if doubts.unknown or not photos else round_share(doubts.confidence),
            winners=list(scored.winners),
        ),
        doubtful=doubts.doubtful,
        doubts=doubt_list,
        timing_ms={},
        photos=list(photos) if len(photos) > 1 else [],
    )


def build_spot_doubts(table: Settled, doubts: SpotDoubts) -> Iterator[SpotDoubt]:
    """Yield the doubts that can change a player's points: unknown spots first, then the likeliest changes."""
    for spots in dict.fromkeys(map(table.piece, doubts.unknown)):
        yield SpotDoubt(spot=spots[0], spots=list(spots), instead=None, probability=None, final_scoring=None)
    for change in doubts.to_review:
        yield SpotDoubt(
            spot=change.spots[0],
            spots=list(change.spots),
            partly=len(change.parts) > 1,
            instead=change.instead,
            probability=round_share(change.probability),
            final_scoring=None if change.totals is None else dict(change.totals),
            on_track=dict(change.on_track),
            player=change.player,
        )


def _total(points: int, player: str, scored: Scored) -> int | None:
    """Return the points in all, or None if the score track is unknown; without a track, the final scoring is all."""
    before = scored.on_track.get(player) if scored.on_track else 0
    return None if before is None else before + points


def _spot(
    spot: Spot,
    table: Settled,
    reading: SnapshotSpot | None,
    doubtful_spots: Collection[str],
    by_person: Collection[str],
) -> SpotState:
    value = table.laid.get(spot.id)
    entry = SpotState(
        id=spot.id,
        kind=spot.kind,
        values=dict(spot.values),
        value=value,
        choices=list(spot.choices),
        typed=spot.typed,
        confidence=0.0 if value is None else 1.0,
        doubtful=spot.id in doubtful_spots,
        set_by_person=spot.id in by_person,
    )
    if reading is not None:
        entry.outline_px, entry.photo = list(reading.outline_px) or None, reading.photo
        if spot.id not in by_person and value == reading.value:
            entry.confidence = round_share(reading.confidence)
            entry.alternatives = [
                SpotChoice(value=other, probability=round_share(likely))
                for other, likely in reading.alternatives
                if other in spot.choices
            ]
        entry.doubtful = entry.doubtful or entry.confidence < CONFIDENCE_SURE
    return entry


def _feature(area: Area, readings: Mapping[str, SnapshotSpot]) -> SpotFeature:
    photo, outline = _outline([readings[spot] for spot in area.spots if spot in readings and readings[spot].outline_px])
    return SpotFeature(
        id=area.id,
        kind=area.kind,
        tiles=list(area.squares),
        size=area.size,
        complete=area.complete,
        meeples=dict(area.players),
        outline_px=outline or None,
        spots=list(area.spots),
        photo=photo,
    )


def _outline(spots: Sequence[SnapshotSpot]) -> tuple[int, list[list[Point]]]:
    """Return the photo that shows most of some spots, and the closed rings around the spots in it, including holes."""
    if not spots:
        return 0, []
    photo = Counter(spot.photo for spot in spots).most_common(1)[0][0]
    polygons = [
        make_valid(Polygon(spot.outline_px)) for spot in spots if spot.photo == photo and len(spot.outline_px) > 2
    ]
    if not polygons:
        return photo, []
    whole = union_all([polygon.buffer(GAP_PX) for polygon in polygons]).buffer(-GAP_PX)
    return photo, list(_rings(whole))


def _rings(area: BaseGeometry) -> Iterator[list[Point]]:
    for part in getattr(area, "geoms", [area]):
        if isinstance(part, Polygon) and not part.is_empty:
            for ring in (part.exterior, *part.interiors):
                yield round_points(ring.simplify(0.5).coords)
