"""/v1/scores: boards and records, without a photo."""

from __future__ import annotations

from fastapi import APIRouter, Response

from api.games.games import Tables
from api.http.dependencies import KEY, Serving
from api.inputs.spots import parse_spot_table
from api.report.builder import build_board_report
from api.report.schema import Entry
from api.report.score_track import add_track_points
from api.report.spot_schema import SpotReport
from api.report.spot_typed import build_typed_table_report
from api.schemas.scores import MoveTold, RecordTold, ScoreDocument, ScoreRequest
from api.server.errors import ServerError
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.rulesets import TODAY, get_ruleset
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.play.game import Game
from scoring.carcassonne.record.text import parse_record
from scoring.spots.text import SpotTable

router = APIRouter(prefix="/v1/scores", tags=["scores"])


@router.post("", response_model=ScoreDocument, dependencies=[KEY])
async def score_board(server: Serving, score_request: ScoreRequest) -> Response:
    """Score a board in its one-line notation, or replay the record of a game and score its last board."""
    return Response(
        await server.run_scoring(_score_to_json, score_request, server.tables), media_type="application/json"
    )


def _score_to_json(score_request: ScoreRequest, tables: Tables) -> str:
    """Score to JSON, written where it is made: a large document would hold up the event loop."""
    return _score(score_request, tables).model_dump_json()


def _score(score_request: ScoreRequest, tables: Tables) -> ScoreDocument:
    if score_request.record is not None:
        game = parse_record(score_request.record).replay()
        board = game.board()
        # A record tells of every tile that was laid: none is overlooked.
        report = build_board_report(board, game.setup.rules, Table(tiles_in_play=len(board.tiles)))
        return ScoreDocument(
            report=add_track_points(report, game.scores, game.setup.rules), record=_build_record_document(game)
        )
    if (spot_table := parse_spot_table(score_request.board or "")) is not None:
        return ScoreDocument(report=_score_spot_table(score_request, spot_table, tables))
    rules = get_ruleset(score_request.rules or TODAY.name)
    table = Table(tuple({**score_request.track, **score_request.names}), score_request.tiles_in_play)
    report = build_board_report(parse_notation(score_request.board or ""), rules, table)
    report.names = score_request.names
    return ScoreDocument(report=add_track_points(report, score_request.track, rules))


def _score_spot_table(score_request: ScoreRequest, table: SpotTable, tables: Tables) -> SpotReport:
    if score_request.rules or score_request.track or score_request.tiles_in_play:
        raise ServerError("bad_request", "A table of spots has all that counts among its spots.")
    report = build_typed_table_report(table, tables)
    report.names = score_request.names
    return report


def _build_record_document(game: Game) -> RecordTold:
    return RecordTold(
        players=list(game.setup.players),
        over=game.is_over,
        moves=[
            MoveTold(
                player=turn.move.player,
                scores=dict(turn.scores),
                entries=[
                    Entry(player=e.player, points=e.points, feature=e.feature, rule=e.rule, text=e.text)
                    for e in turn.entries
                ],
            )
            for turn in game.turns
        ],
        scores=game.scores,
        totals=game.totals(),
    )
