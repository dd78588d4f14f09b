"""The explanation of a table of spots: each player's entries with the rule's section, and what features are made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from api.errors import QuestionError
from api.explain.question import Question, describe_unknown_feature, find_players
from api.explain.schema import SCHEMA, PlayerAccount, PlayerEntry
from api.games.spots.registry import find_spot_game
from api.games.spots.schema import SpotFeature, SpotProblem, SpotReport, SpotRules, Value
from api.i18n.report_text import translate_entry
from api.report.schema import Entry, Model


class FeatureEntry(PlayerEntry):
    """Points of a feature, and whose they are."""

    player: str


class SpotLaid(Model):
    """A spot of a feature, and what lies there (None: not known)."""

    id: str
    value: Value | None


class SpotFeatureAccount(Model):
    """All that counts for a feature: its spots, how many of it each player has (`players`), and its points."""

    id: str
    kind: str
    size: int
    complete: bool
    players: dict[str, int]
    spots: list[SpotLaid]
    entries: list[FeatureEntry]


class SpotExplanation(Model):
    """The whole document; what was not asked for is an empty list."""

    schema_: Literal["wondertally/explanation/1"] = Field(default=SCHEMA, alias="schema")
    game: str
    rules: SpotRules
    players: list[PlayerAccount]
    features: list[SpotFeatureAccount]
    problems: list[SpotProblem]

    def to_json(self) -> str:
        """The document, indented: it is for people too."""
        return self.model_dump_json(indent=1) + "\n"


def explain_spots(report: SpotReport, question: Question, language: str = "en") -> SpotExplanation:
    """Explain what is asked of a report, sums in a language; raises QuestionError for what is not there."""
    if question.places or question.lines:
        raise QuestionError("nothing_there", "In this game features and players are asked about, by their names.")
    features = {feature.id: feature for feature in report.features}
    named = {name.lower(): name for name in features}
    for name in question.features:
        if name.lower() not in named:
            raise QuestionError("no_such_feature", details=describe_unknown_feature(name, list(features)))
    players = tuple(report.scores.final_scoring)
    named_players = find_players(question.players, players)
    chosen = list(features) if question.is_open else [named[name.lower()] for name in question.features]
    return SpotExplanation(
        game=report.game,
        rules=report.rules,
        players=[_player(report, player, language) for player in (players if question.is_open else named_players)],
        features=[_feature(report, features[name], language) for name in dict.fromkeys(chosen)],
        problems=[*_differences(report), *report.board.problems],
    )


def _differences(report: SpotReport) -> Iterator[SpotProblem]:
    """A report whose entries do not add up to its points was changed."""
    totals_by_player = report.scores.final_scoring
    sums = {
        player: sum(entry.points for entry in report.scores.entries if entry.player == player)
        for player in totals_by_player
    }
    if sums != totals_by_player:
        totals = ", ".join(f"{player} {points}" for player, points in totals_by_player.items())
        text = f"the report says {totals}, which its entries do not give"
        yield SpotProblem(code="report_differs", text=text, values={"totals": totals})


def _player(report: SpotReport, player: str, language: str) -> PlayerAccount:
    feature_entries = [_entry(report, entry, language) for entry in report.scores.entries if entry.player == player]
    entries = [PlayerEntry(**entry.model_dump(exclude={"player"})) for entry in feature_entries]
    return PlayerAccount(player=player, total=report.scores.final_scoring[player], entries=entries)


def _feature(report: SpotReport, feature: SpotFeature, language: str) -> SpotFeatureAccount:
    values = {spot.id: spot.value for spot in report.board.spots}
    return SpotFeatureAccount(
        id=feature.id,
        kind=feature.kind,
        size=feature.size,
        complete=feature.complete,
        players=feature.meeples,
        spots=[SpotLaid(id=spot, value=values.get(spot)) for spot in feature.spots],
        entries=[_entry(report, entry, language) for entry in report.scores.entries if entry.feature == feature.id],
    )


def _entry(report: SpotReport, entry: Entry, language: str) -> FeatureEntry:
    return FeatureEntry(
        player=entry.player,
        points=entry.points,
        feature=entry.feature,
        rule=entry.rule,
        text=entry.text,
        section=find_spot_game(report.game).rules.sections.get(entry.rule, ""),
        sum=translate_entry(language, entry),
    )
