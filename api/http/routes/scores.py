"""/v1/scores: boards and records, without a photo."""

from __future__ import annotations

from fastapi import APIRouter, Response

from api.games.protocol import TableOptions
from api.games.registry import find_game_of_notation
from api.games.reports import AnyReport
from api.games.spots.tables import Tables
from api.http.dependencies import KEY, Serving
from api.report.builder import build_board_report
from api.report.schema import Entry
from api.report.score_track import add_track_points
from api.schemas.scores import MoveTold, RecordTold, ScoreDocument, ScoreRequest
from api.server.errors import ServerError
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.play.game import Game
from scoring.carcassonne.record.record import Record

router = APIRouter(prefix="/v1/scores", tags=["scores"])


@router.post("", response_model=ScoreDocument, dependencies=[KEY])
async def score_board(server: Serving, asked: ScoreRequest) -> Response:
    """Score a board in its one-line notation, or replay the record of a game and score its last board."""
    return Response(await server.scored(_answered, asked, server.tables), media_type="application/json")


def _answered(asked: ScoreRequest, tables: Tables) -> str:
    """The document as JSON, written where it is made: a large one would hold up the event loop."""
    return _scored(asked, tables).model_dump_json()


def _scored(asked: ScoreRequest, tables: Tables) -> ScoreDocument:
    if asked.record is not None:
        game = Record.parse(asked.record).replay()
        board = game.board()
        # A record tells of every tile that was laid: none is overlooked.
        report = build_board_report(board, game.setup.rules, Table(tiles_in_play=len(board.tiles)))
        return ScoreDocument(report=add_track_points(report, game.scores, game.setup.rules), record=_told(game))
    return ScoreDocument(report=_board_scored(asked, tables))


def _board_scored(asked: ScoreRequest, tables: Tables) -> AnyReport:
    notation = asked.board or ""
    game = find_game_of_notation(notation)
    board = game.parse_board(notation)
    options = {"rules": asked.rules, "track": asked.track, "tiles_in_play": asked.tiles_in_play}
    if any(given and option in game.unfit_options for option, given in options.items()):
        raise ServerError("bad_request", "A table of spots has all that counts among its spots.")
    rules = asked.rules or TODAY.name
    return game.score_board(
        board, TableOptions(rules, asked.track, names=asked.names, tiles_in_play=asked.tiles_in_play), tables
    )


def _told(game: Game) -> RecordTold:
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
