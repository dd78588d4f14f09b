"""Entries, problems, errors and whole reports in a language."""

from __future__ import annotations

from collections.abc import Mapping

from api.document import Entry, Problem, Report
from api.words import Value, Words, words

_NAMED = {
    "colour": "colour",
    "player": "colour",
    "piece": "piece",
    "pose": "pose",
    "kind": "kind",
    "below": "kind",
    "here": "kind",
    "there": "kind",
    "wonder": "wonder",
    "goods": "goods",
}
"""What the values of a text name, by the kind of word."""


def said(language: str, entry: Entry) -> str:
    """The sum of an entry: `(4 tiles + 1 coat of arms) x 2`."""
    return _say(words(language), f"entry-{_slug(entry.rule)}", entry.values, {})


def rule_said(language: str, rule: str) -> str:
    """What a rule scores, in a word or two: `Finished road`."""
    return words(language).say(f"rule-{_slug(rule)}")


def problem_said(language: str, problem: Problem, names: Mapping[str, str] | None = None) -> str:
    """A problem of a report; `names` are the players' by colour.

    As the report has it where a code's text has no values, or is one of a photo that was not joined.
    """
    own = words(language)
    message = f"problem-{problem.code}"
    if message not in own and "file" in problem.values:
        return f"{problem.values['file']}: {error_said(language, problem.code)}"
    return _say(own, message, problem.values, names or {})


def error_said(language: str, code: str) -> str:
    """An error's usual sentence."""
    return words(language).say(f"error-{code}")


def report_said(language: str, report: Report) -> Report:
    """The same report with the texts of its entries and problems in a language: for people, not for programs."""
    told = report.model_copy(deep=True)
    for entry in told.scores.entries:
        entry.text = said(language, entry)
    for problem in told.board.problems:
        problem.text = problem_said(language, problem, report.names)
    return told


def player_said(language: str, colour: str, names: Mapping[str, str]) -> str:
    """A player's name, or else colour."""
    return names.get(colour) or words(language).name("colour", colour)


def _slug(rule: str) -> str:
    return rule.replace(".", "-")


def _say(own: Words, message: str, values: Mapping[str, int | str], names: Mapping[str, str]) -> str:
    return own.say(message, **{key: _worded(own, key, value, names) for key, value in values.items()})


def _worded(own: Words, key: str, value: int | str, names: Mapping[str, str]) -> Value:
    if key in ("player", "colour") and value in names:
        return names[str(value)]
    return own.name(_NAMED[key], str(value)) if key in _NAMED else value
