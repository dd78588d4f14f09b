"""Builder of the report, from a photo and its reading, or from a board alone."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray
from shapely import get_coordinates, get_parts, segmentize
from shapely.geometry.base import BaseGeometry

from api.carcassonne.report.doubts import build_doubts, build_unknown_tile_doubts
from api.documents.report import (
    Alternative,
    Assumed,
    Board,
    Entry,
    Feature,
    Line,
    Meeple,
    Nothing,
    PhotoInfo,
    Point,
    Problem,
    Report,
    Rules,
    Scores,
    Square,
    Tile,
    Track,
    TrackPiece,
    TrackToken,
    round_points,
)
from scoring.carcassonne.board import board as boards
from scoring.carcassonne.board import features as board_features
from scoring.carcassonne.board.label import list_own_wonders
from scoring.carcassonne.board.notation import format_notation
from scoring.carcassonne.board.problems import find_problems
from scoring.carcassonne.doubt.relevance import ScoreDoubts, assess_given_board, assess_score_doubts
from scoring.carcassonne.final.assumptions import Assumption, find_assumptions
from scoring.carcassonne.final.majority import find_shortfalls
from scoring.carcassonne.final.rulesets import TODAY, Ruleset
from scoring.carcassonne.final.scoring import ScoreSheet, compute_final_scoring
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.tiles.catalogue import load_full_catalogue
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.percent import round_share
from vision.doubt.alternatives import find_alternatives
from vision.geometry.warp import is_in_front, project_to_photo
from vision.photo.decoding import Photo
from vision.reading.board import build_board, place_meeple
from vision.reading.values import MeepleReading, Reading, TileReading, TrackReading, Warp

OUTLINE_TOLERANCE = 0.006
"""Maximum deviation of an outline from the drawn one, in tiles. A guess."""
OUTLINE_STEP = 0.5
"""Maximum distance between an outline's points, in tiles, since hand-laid squares bend straight lines. A guess."""


def build_report(photo: Photo, reading: Reading, rules: Ruleset = TODAY) -> Report:
    """Build the report of a photo and its reading."""
    return build_reading_report(PhotoInfo.copy_of(photo), photo.decode_ms, reading, build_board(reading), rules)


def build_reading_report(
    photo: PhotoInfo,
    decode_ms: float,
    reading: Reading,
    board: boards.Board,
    rules: Ruleset = TODAY,
    table: Table | None = None,
    doubts: ScoreDoubts | None = None,
) -> Report:
    """Build the report of a reading, without the photo's pixels; `board` is as read, with its unseen squares.

    `doubts` are passed if they are already known.
    """
    started = time.perf_counter()
    features = board_features.build_feature_map(board)
    report = _report(board, features, rules, photo, table)
    for feature, outline in zip(report.features, project_outlines(features, reading.warp), strict=True):
        feature.outline_px = outline
    report.board.tiles = [_tile_read(tile) for tile in reading.tiles]
    report.board.meeples = [_meeple_read(meeple, features) for meeple in reading.meeples]
    for number, meeple in enumerate(report.board.meeples, 1):
        meeple.id = f"m{number}"
    report.track = None if reading.track is None else build_report_track(reading.track)
    doubts = doubts or assess_score_doubts(
        board, list(find_alternatives(reading, board)), rules, table, reading.probability
    )
    report.doubts, report.doubtful = list(build_doubts(doubts, board, reading)), doubts.doubtful
    stated = doubts.stated_confidence
    report.scores.confidence = None if stated is None else round_share(stated)
    report.timing_ms = _timing(decode_ms, reading.timing_ms, (time.perf_counter() - started) * 1000)
    return report.name_squares()


def build_board_report(board: boards.Board, rules: Ruleset = TODAY, table: Table | None = None) -> Report:
    """Build the report of a board without a photo; everything except unknown tiles counts as certain.

    The report is doubtful if an unknown tile may matter, if the board continues beyond the known squares, or if it is
    impossible.
    """
    started = time.perf_counter()
    report = _report(board, board_features.build_feature_map(board), rules, None, table)
    doubts = assess_given_board(board, rules, table)
    report.doubts, report.doubtful = list(build_unknown_tile_doubts(doubts.unknown)), doubts.doubtful
    scored = (time.perf_counter() - started) * 1000
    report.timing_ms = {"score": round(scored, 1), "total": round(scored, 1)}
    return report.name_squares()


def _report(
    board: boards.Board,
    features: board_features.FeatureMap,
    rules: Ruleset,
    photo: PhotoInfo | None = None,
    table: Table | None = None,
) -> Report:
    """Build the report of a board without any doubts."""
    table = table or Table()
    sheet = compute_final_scoring(board, features, rules, table)
    scores = _scores(sheet)
    scores.nothing = [Nothing.copy_of(shortfall) for shortfall in find_shortfalls(board, features, sheet)]
    scores.assumed = [_assumed(assumption) for assumption in find_assumptions(board, features, rules, table)]
    return Report(
        photo=photo,
        rules=build_report_rules(board, rules, table),
        board=Board(
            notation=format_notation(board),
            tiles=[build_report_tile(square, placement) for square, placement in board.tiles.items()],
            meeples=[_meeple_placed(meeple, features) for meeple in board.meeples],
            problems=[
                build_report_problem(problem, board)
                for problem in find_problems(board, table.tiles_in_play, table.player_count)
            ],
        ),
        features=[_feature(feature) for feature in features],
        lines=[Line.copy_of(line) for line in board_features.list_lines(board)],
        scores=scores,
        wonders=[dict(entry) for entry in list_own_wonders(board)],
        unowned=sorted(board.unowned),
        doubtful=False,
        doubts=[],
        timing_ms={},
    )


def build_report_rules(board: boards.Board, rules: Ruleset, table: Table | None = None) -> Rules:
    """Build the report's entry of the rule set and the table."""
    table = table or Table()
    return Rules(
        edition=rules.name,
        alhambra_points="2024-09" if rules.farmer == TODAY.farmer else "2023",
        tiles_in_play=table.count_tiles(board),
        expansions=list(board.expansions),
        players=table.list_players(board),
        player_count=table.player_count,
        goods={kind: dict(counts) for kind, counts in table.goods.items() if counts},
        box_rules=board.box_rules.choices,
        boxes=dict(board.boxes),
    )


def _assumed(assumption: Assumption) -> Assumed:
    totals = {number: dict(points) for number, points in assumption.totals.items()} if assumption.is_open else {}
    return Assumed(fact=assumption.fact, text=assumption.text, values=dict(assumption.values), final_scoring=totals)


def _letter(tile: str | None) -> str | None:
    if tile is None or tile not in load_full_catalogue():
        return None
    return load_full_catalogue()[tile].letter or None


def _tile_read(tile: TileReading) -> Tile:
    return Tile(
        row=tile.row,
        col=tile.col,
        tile=tile.tile,
        square=tile.cell,
        letter=_letter(tile.tile),
        turns=tile.turns,
        corners_px=round_points(tile.corners_px),
        confidence=round_share(tile.confidence),
        doubtful=tile.doubtful,
        alternatives=[
            Alternative(tile=a.tile, turns=a.turns, probability=round_share(a.probability)) for a in tile.alternatives
        ],
    )


def build_report_tile(square: Square, placement: boards.Placement | None) -> Tile:
    """Build the report's entry of a square."""
    if placement is None:
        return Tile(row=square[0], col=square[1], tile=None, letter=None, turns=0, confidence=0.0, doubtful=True)
    layout = placement.layout
    return Tile(
        row=square[0],
        col=square[1],
        tile=layout.id,
        square=placement.cell,
        letter=layout.letter or None,
        turns=placement.turns,
    )


def _meeple_read(meeple: MeepleReading, features: board_features.FeatureMap) -> Meeple:
    placed = _meeple_placed(place_meeple(meeple), features)
    x, y = meeple.foot_px
    placed.foot_px = (round(x, 1), round(y, 1))
    placed.confidence, placed.doubtful = round_share(meeple.confidence), meeple.doubtful
    return placed


def build_report_track(track: TrackReading) -> Track:
    """Build the report's entry of the score board."""
    return Track(
        corners_px=round_points(track.corners_px),
        pieces=[
            TrackPiece(
                colour=piece.colour,
                pose=piece.pose,
                spaces=list(piece.spaces),
                foot_px=round_points(piece.foot_px)[0],
                confidence=round_share(piece.confidence),
                doubtful=piece.doubtful,
            )
            for piece in track.pieces
        ],
        photo=track.photo,
        lap=track.lap,
        taught=track.taught or None,
        file=track.file or None,
        tokens=[
            TrackToken(
                points=token.points,
                colour=token.colour,
                corners_px=round_points(token.corners_px),
                taught=token.taught,
                confidence=round_share(token.confidence),
                doubtful=token.doubtful,
            )
            for token in track.tokens
        ],
    )


def _meeple_placed(meeple: boards.PlacedMeeple, features: board_features.FeatureMap) -> Meeple:
    feature = features.under(meeple)
    return Meeple(
        colour=meeple.colour,
        kind=meeple.kind,
        pose=meeple.pose,
        tile=meeple.square,
        feature=feature.id if feature else None,
    )


def build_report_problem(problem: boards.Problem, board: boards.Board) -> Problem:
    """Build the report's entry of a board's problem."""
    squares, values = list(problem.squares), dict(problem.values)
    where = [board.name_square(square) for square in squares]
    return Problem(code=problem.code, tiles=squares, where=where, text=problem.text, values=values)


def _feature(feature: board_features.Feature) -> Feature:
    return Feature(
        id=feature.id,
        kind=feature.kind,
        tiles=list(feature.squares),
        size=feature.size,
        complete=feature.complete,
        meeples=dict(feature.meeples),
        name=feature.label,
    )


def project_outlines(features: board_features.FeatureMap, warp: Warp) -> Iterator[list[list[Point]]]:
    """Yield each feature's rings in the photo, except rings behind the camera; all are projected in one call."""
    rings = [[ring for ring in _rings(f.geometry) if is_in_front(warp, ring).all()] for f in features]
    flat = [ring for feature_rings in rings for ring in feature_rings]
    in_photo = project_to_photo(warp, np.concatenate([np.empty((0, 2)), *flat]))
    mapped = iter(np.split(in_photo, np.cumsum([len(ring) for ring in flat])))
    return ([round_points(next(mapped)) for _ in feature_rings] for feature_rings in rings)


def _rings(geometry: BaseGeometry) -> Iterator[NDArray[np.float64]]:
    """Yield the closed rings (n, 2) of an area, outer ones and holes, in lattice units."""
    for part in get_parts(segmentize(geometry.simplify(OUTLINE_TOLERANCE, preserve_topology=False), OUTLINE_STEP)):
        if part.geom_type == "Polygon":
            yield from (get_coordinates(ring) for ring in (part.exterior, *part.interiors))


def _scores(sheet: ScoreSheet) -> Scores:
    entries = [Entry.copy_of(entry) for entry in sheet.entries]
    unknown: dict[str, int | None] = dict.fromkeys(sheet.totals)
    return Scores(final_scoring=dict(sheet.totals), on_track=unknown, total=unknown, entries=entries)


def _timing(decode: float, stages: Mapping[str, float], score: float) -> dict[str, float]:
    read = stages.get("total", sum(stages.values()))
    times = {"decode": decode, **stages, "score": score, "total": decode + read + score}
    return {stage: round(spent, 1) for stage, spent in times.items()}


def list_unused(damaged_wonders: Iterable[str], waiting_owners: Mapping[str, str | None]) -> list[Problem]:
    """List the problems of wonders, by id: damaged enrolments, and owners of wonders that are not on the board."""
    return [*map(build_damaged_wonder, damaged_wonders), *_list_waiting_owners(waiting_owners)]


def build_damaged_wonder(id: str) -> Problem:
    """Build the problem of a wonder whose file in the data folder is damaged."""
    text = f"the enrolled layout of {WONDERS[id]} is damaged and was not used: enrol it again, or remove it"
    return Problem(code="wonder_damaged", tiles=[], text=text, values={"wonder": id})


def build_unused_tile_count(count: int, there: int) -> Problem:
    """Build the problem of a stated number of tiles in play that is lower than the number of tiles read."""
    text = f"the number of tiles in play was given as {count}, but {there} lie here: it was not used"
    return Problem(code="tiles_not_used", tiles=[], text=text, values={"number": count, "there": there})


def _list_waiting_owners(owners: Mapping[str, str | None]) -> Iterator[Problem]:
    for id, colour in sorted(owners.items()):
        whose = "nobody" if colour is None else colour
        text = f"an owner of {WONDERS[id]} was stated ({whose}), but it was not read here: it counts once it lies here"
        yield Problem(code="owner_not_used", tiles=[], text=text, values={"wonder": id, "player": colour or ""})
