"""Builder of the explanation of a table of spots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from api.documents.explanation import (
    FeatureEntry,
    SpotExplanation,
    SpotFeatureAccount,
    SpotLaid,
    SpotPlayerAccount,
    SpotPlayerEntry,
)
from api.documents.report import Entry
from api.documents.spot_report import SpotFeature, SpotProblem, SpotReport, SpotState
from api.documents.table_options import Question
from api.errors import QuestionError
from api.i18n import Words, fold_name, load_words
from api.i18n.report_text import translate_entry, translate_sections
from api.inputs.subjects import find_players, list_known_features, refuse_empty_name
from api.languages import LANGUAGES
from api.spots.registry import find_spot_game
from api.spots.text import label_feature, name_features, translate_spot, translate_value


def explain_spots(report: SpotReport, question: Question, language: str = "en") -> SpotExplanation:
    """Explain the subjects of a question about a report, in a language; raises QuestionError for unknown ones.

    A feature is named by its id or by its label in any language.
    """
    if question.places or question.lines:
        raise QuestionError("nothing_there", "In this game features and players are asked about, by their names.")
    features = {feature.id: feature for feature in report.features}
    words = load_words(language)
    names = name_features(words, report)
    named = _list_feature_names(report, names)
    for name in question.features:
        if fold_name(name) not in named:
            refuse_empty_name("no_such_feature", "feature", name, list(names.values()))
            raise QuestionError("no_such_feature", details=_describe_unknown(name, names, named))
    players = tuple(report.scores.final_scoring)
    named_players = find_players(question.players, players)
    chosen = list(features) if question.is_open else [named[fold_name(name)] for name in question.features]
    return SpotExplanation(
        game=report.game,
        rules=report.rules,
        players=[_player(words, report, player) for player in (players if question.is_open else named_players)],
        features=[_feature(words, report, features[id], names[id]) for id in dict.fromkeys(chosen)],
        problems=[*_differences(report), *report.board.problems],
    )


def _list_feature_names(report: SpotReport, names: Mapping[str, str]) -> dict[str, str]:
    """Map the names of features to their ids: `names` first, then the ids, then the labels of every language."""
    named: dict[str, str] = {}
    translated = [name_features(load_words(language), report) for language in LANGUAGES]
    for id in names:
        for name in (names[id], id, *(names_there[id] for names_there in translated)):
            named.setdefault(fold_name(name), id)
    return named


def _describe_unknown(word: str, names: Mapping[str, str], named: Mapping[str, str]) -> dict[str, object]:
    """Return the details of an error about an unknown feature: the closest match, or several candidates."""
    alike = _find_alike(word.strip().lower(), names, named)
    if len(alike) > 1:
        return list_known_features(word, alike)
    return list_known_features(word, list(names.values())) | ({"meant": alike[0]} if alike else {})


def _find_alike(word: str, names: Mapping[str, str], named: Mapping[str, str]) -> list[str]:
    """Find the names that contain a word, or else the one spelled most like it."""
    by_name = {**named, **{fold_name(id.rpartition(".")[2]): id for id in names}}
    parts = [name for id, name in names.items() if word in name.lower() or word == id.rpartition(".")[2]]
    return parts or [names[by_name[key]] for key in get_close_matches(fold_name(word), by_name, 1)]


def _differences(report: SpotReport) -> Iterator[SpotProblem]:
    """Yield a problem if a report's entries do not add up to its points."""
    totals_by_player = report.scores.final_scoring
    sums = {
        player: sum(entry.points for entry in report.scores.entries if entry.player == player)
        for player in totals_by_player
    }
    if sums != totals_by_player:
        totals = ", ".join(f"{player} {points}" for player, points in totals_by_player.items())
        text = f"the report says {totals}, which its entries do not give"
        yield SpotProblem(code="report_differs", text=text, values={"totals": totals})


def _player(words: Words, report: SpotReport, player: str) -> SpotPlayerAccount:
    feature_entries = [_entry(words, report, entry) for entry in report.scores.entries if entry.player == player]
    entries = [SpotPlayerEntry(**entry.model_dump(exclude={"player"})) for entry in feature_entries]
    return SpotPlayerAccount(player=player, total=report.scores.final_scoring[player], entries=entries)


def _feature(words: Words, report: SpotReport, feature: SpotFeature, name: str) -> SpotFeatureAccount:
    there = {spot.id: spot for spot in report.board.spots}
    return SpotFeatureAccount(
        id=feature.id,
        label=name,
        kind=feature.kind,
        size=feature.size,
        complete=feature.complete,
        players=feature.meeples,
        spots=[_spot(words, report, there[spot]) for spot in feature.spots if spot in there],
        entries=[_entry(words, report, entry) for entry in report.scores.entries if entry.feature == feature.id],
    )


def _spot(words: Words, report: SpotReport, spot: SpotState) -> SpotLaid:
    label = translate_spot(words, spot.id, spot.kind, spot.values, report.names)
    value_label = "?" if spot.value is None else translate_value(words, spot.kind, spot.value)
    return SpotLaid(id=spot.id, label=label, value=spot.value, value_label=value_label)


def _entry(words: Words, report: SpotReport, entry: Entry) -> FeatureEntry:
    sections = find_spot_game(report.game).rules.sections
    return FeatureEntry(
        player=entry.player,
        points=entry.points,
        feature=entry.feature,
        label=label_feature(words, report, entry.feature) if entry.feature else "",
        rule=entry.rule,
        text=entry.text,
        section=translate_sections(words, filter(None, [sections.get(entry.rule)])),
        sum=translate_entry(words.language, entry),
    )
