"""/v1/scores: boards and records, without a photo."""

from __future__ import annotations

from fastapi import APIRouter, Response

from api.documents.forms import AnyReport
from api.documents.report import DEFAULT_GAME, Entry
from api.documents.table_options import TableOptions, list_table_facts
from api.errors import TableError, TrackError
from api.games.protocol import find_unfit_option
from api.games.registry import find_game, find_game_of, find_game_of_notation
from api.http.dependencies import KEY, Server, Serving
from api.http.errors import MODELS, raises
from api.inputs.boards import build_record_board, read_sent_wonders, refuse_damaged_layouts, replay_record
from api.schemas.scores import GameRecord, RecordMove, ScoreRequest, ScoreResult
from api.server.errors import ServerError
from scoring.carcassonne.play.game import Game
from scoring.errors import BoardError, CatalogueError, NotationError, PlayError, RecordError
from scoring.spots.components import ComponentsError

router = APIRouter(prefix="/v1/scores", tags=["scores"])


@router.post("", response_model=ScoreResult, dependencies=[KEY])
@raises("scoring_busy", "unknown_rules", "bad_box_rules", "bad_boxes", "other_game", "bad_enrolment", *MODELS)
@raises(TrackError, TableError)
@raises(NotationError, BoardError, CatalogueError, RecordError, PlayError, ComponentsError)
async def score_board(server: Serving, score_request: ScoreRequest) -> Response:
    """Score a board in its one-line notation, or replay the record of a game and score its last board.

    Wonders have the layouts enrolled on the server, unless `wonders` holds others.
    """
    return Response(await server.run_scoring(_score_to_json, score_request, server), media_type="application/json")


def _score_to_json(score_request: ScoreRequest, server: Server) -> str:
    """Score and serialise in the same thread: a large document would hold up the event loop."""
    return _score(score_request, server).model_dump_json()


def _score(score_request: ScoreRequest, server: Server) -> ScoreResult:
    if score_request.record is not None:
        wonders = read_sent_wonders(score_request.wonders, server.enrolled_wonders)
        game = replay_record(score_request.record, wonders)
        refuse_damaged_layouts(game.board(), wonders, server.enrolled_wonders)
        report = find_game(DEFAULT_GAME).score_board(build_record_board(game), TableOptions(), server.tables)
        return ScoreResult(report=report, record=_build_record_document(game))
    report = _score_board(score_request, server)
    return ScoreResult(report=find_game_of(report).draw_report(report) if score_request.drawn else report)


def _score_board(score_request: ScoreRequest, server: Server) -> AnyReport:
    notation = score_request.board or ""
    game = find_game_of_notation(notation)
    board = game.parse_board(notation, score_request.wonders, server.enrolled_wonders)
    table = score_request.table
    options = {"rules": score_request.rules, "track": score_request.track, **list_table_facts(table)}
    if score_request.wonders:
        options["owner"] = score_request.wonders
    if find_unfit_option(game, options):
        raise ServerError("bad_request", "A table of spots takes no other facts: set its spots.")
    table_options = TableOptions(score_request.rules, score_request.track, names=score_request.names, table=table)
    return game.score_board(board, table_options, server.tables)


def _build_record_document(game: Game) -> GameRecord:
    return GameRecord(
        players=list(game.setup.players),
        over=game.is_over,
        moves=[
            RecordMove(
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
