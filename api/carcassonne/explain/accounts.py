"""Builder of the explanation of a board: the points of each feature, line and player, with reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from api.carcassonne.explain.counted import list_counted
from api.carcassonne.explain.source import Answer, Source, resolve_question
from api.carcassonne.explain.words import Case, explain_in_words, list_facts, translate_across, translate_line
from api.carcassonne.report.builder import build_report_rules
from api.documents.explanation import (
    Explanation,
    FeatureAccount,
    HoldingAccount,
    LineAccount,
    Mark,
    OpenEnd,
    Part,
    PlayerAccount,
    PlayerEntry,
    SquareAccount,
    Standing,
    TouchedCity,
)
from api.documents.report import Entry, Line, Nothing, Problem, Report, Square
from api.documents.table_options import Question
from api.i18n import Words, load_words
from api.i18n.report_text import translate_entry, translate_sections
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import Feature, FeatureMap, build_feature_map, list_lines, number_line
from scoring.carcassonne.board.notation import format_tile_token
from scoring.carcassonne.board.places import name_segment
from scoring.carcassonne.board.square_names import name_square
from scoring.carcassonne.final.explain import explain_feature
from scoring.carcassonne.final.majority import Shortfall, find_shortfalls, list_holdings
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.final.sheet import ScoreSheet, list_rule_sections


def build_explanation(source: Source, question: Question, language: str = "en") -> tuple[Explanation, Answer]:
    """Build the explanation of a question in a language, and its answer; raises QuestionError for unknown subjects."""
    board = source.board
    feature_map = build_feature_map(board)
    sheet = compute_final_scoring(board, feature_map, source.rules, source.table)
    shortfalls = find_shortfalls(board, feature_map, sheet)
    answer = resolve_question(question, board, feature_map, tuple(sheet.totals))
    words = load_words(language)
    explanation = Explanation(
        rules=build_report_rules(board, source.rules, source.table),
        players=[_player(sheet, feature_map, player, words) for player in answer.players],
        squares=[_square(board, feature_map, square) for square in answer.squares],
        features=[
            _feature(_find_case(source, feature_map, sheet, shortfalls, feature), source.report, words)
            for feature in answer.features
        ],
        lines=_lines(board, words) if answer.lines else [],
        problems=[*_differences(source.as_read or source), *source.problems],
        origin=board.origin,
        standing=_rank(sheet, source.on_track),
    )
    return explanation, answer


def _find_case(
    source: Source, features: FeatureMap, sheet: ScoreSheet, shortfalls: tuple[Shortfall, ...], feature: Feature
) -> Case:
    account = explain_feature(source.board, features, feature.id, source.rules, source.table)
    return Case(account, source.board, features, source.rules, sheet, shortfalls, source.report.names)


def _rank(sheet: ScoreSheet, on_track: Mapping[str, int | None]) -> list[Standing]:
    """Rank the players by their totals as far as known; empty if the score track is unknown for all players."""
    points = {**dict.fromkeys(on_track, 0), **sheet.totals}
    if all(on_track.get(player) is None for player in points):
        return []
    totals = {
        player: None if (track := on_track.get(player)) is None else track + final for player, final in points.items()
    }
    known = [total for total in totals.values() if total is not None]
    is_whole = len(known) == len(totals)
    standing = [
        Standing(
            player=player,
            final_scoring=points[player],
            on_track=on_track.get(player),
            total=total,
            place=1 + sum(other > total for other in known) if is_whole and total is not None else None,
        )
        for player, total in totals.items()
    ]
    return sorted(standing, key=lambda one: (one.total is None, -(one.total or 0)))


def _differences(source: Source) -> Iterator[Problem]:
    """Yield a problem if the report's points differ from those of its board, unless it was scored by other rules."""
    sheet = compute_final_scoring(source.board, rules=source.rules, table=source.table)
    report_totals = source.report.scores.final_scoring
    if source.report.rules.edition in (None, source.rules.name) and report_totals != dict(sheet.totals):
        totals = ", ".join(f"{player} {points}" for player, points in report_totals.items())
        text = f"the report says {totals}, which its board does not give"
        yield Problem(code="report_differs", tiles=[], text=text, values={"totals": totals})


def _feature(case: Case, report: Report, words: Words) -> FeatureAccount:
    """Build the account of a feature, in values and in words."""
    account, feature, is_wonder = case.account, case.feature, case.feature.kind == "wonder"
    sentences, origin = explain_in_words(case, words), case.board.origin
    return FeatureAccount(
        id=feature.id,
        kind=feature.kind,
        tiles=list(account.squares),
        where=[name_square(square, origin) for square in account.squares],
        size=feature.size,
        complete=feature.complete,
        open_ends=[
            OpenEnd(
                tile=end.square,
                where=name_square(end.square, origin),
                side=end.side,
                why=translate_across(end, words),
            )
            for end in account.open_ends
        ],
        marks=[Mark(what=what, tile=square, where=name_square(square, origin)) for what, square in account.marks],
        cities=[TouchedCity(id=city.id, complete=city.complete, name=city.name) for city in account.cities],
        meeples=dict(feature.meeples),
        points=account.points,
        sum=account.sum,
        text=[*list_facts(account, origin, words), *sentences],
        holdings=[HoldingAccount.copy_of(holding) for holding in list_holdings(feature)],
        majority=[] if is_wonder else list(feature.leaders),
        nothing=[Nothing.copy_of(shortfall) for shortfall in case.list_shortfalls()],
        sentences=sentences,
        name=feature.label,
        wonder=feature.placements[0].tile if is_wonder else "",
        counted=list(list_counted(case, report, words)),
    )


def _square(board: Board, feature_map: FeatureMap, square: Square) -> SquareAccount:
    placement = board.tiles[square]
    where = board.name_square(square)
    if placement is None:
        return SquareAccount(tile=square, where=where, name=None, turns=0, parts=[])
    layout, turns = placement.layout, placement.turns
    parts = [
        Part(place=name_segment(layout, turns, index), feature=feature.id, name=feature.label)
        for index in range(len(layout.segments))
        for feature in [feature_map.at(square, index)]
    ]
    name = layout.letter or format_tile_token(placement)
    return SquareAccount(tile=square, where=where, name=name, turns=turns, parts=parts)


def _lines(board: Board, words: Words) -> list[LineAccount]:
    return [
        LineAccount(
            **{**dict(Line.copy_of(line)), "number": number_line(line, board.origin)},
            text=translate_line(line, board.origin, words),
        )
        for line in list_lines(board)
    ]


def _player(sheet: ScoreSheet, feature_map: FeatureMap, player: str, words: Words) -> PlayerAccount:
    entries = [
        PlayerEntry(
            points=e.points,
            feature=e.feature,
            rule=e.rule,
            text=e.text,
            section=translate_sections(words, list_rule_sections(e.rule, e.values)),
            name=feature_map[e.feature].label if e.feature else "",
            sum=translate_entry(words.language, Entry.copy_of(e)),
        )
        for e in sheet.entries
        if e.player == player
    ]
    return PlayerAccount(player=player, total=sheet.totals[player], entries=entries)
