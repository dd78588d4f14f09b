"""Explanations of boards, from the command and from the library."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from api.carcassonne.explain.accounts import build_explanation
from api.carcassonne.explain.source import Source
from api.carcassonne.report.builder import build_board_report
from api.documents.explanation import FeatureAccount
from api.documents.report import Report
from api.documents.table_options import Question
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.notation import format_notation, parse_notation
from scoring.carcassonne.final.rulesets import Ruleset, get_ruleset
from tests.api.commands import run
from tests.scoring.laid import laid, wonder
from vision.photo.decoding import Photo


def build_circus_line() -> str:
    """Return a board whose Circus Maximus red holds while blue has a knight in an unfinished city."""
    return format_notation(laid("E0 blue^0,0=cN", (wonder("circus-maximus", (0, 20)), "red")))


def no_photo(path: Path, rules: Ruleset) -> tuple[Photo, Report]:
    raise AssertionError("no photo is asked for")


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Return the explanation that the command prints as JSON."""
    status, out, err = run(capsys, "explain", *arguments, "--json", "-")
    assert (status, err) == (0, "")
    return dict(json.loads(out))


def accounts(board: Board, rules_name: str = "C3", language: str = "en") -> list[FeatureAccount]:
    rules = get_ruleset(rules_name)
    report = build_board_report(board, rules)
    return build_explanation(Source(board, report, rules), Question(), language)[0].features


def account_of(text: str, feature: str, rules: str = "C3", language: str = "en") -> FeatureAccount:
    return next(one for one in accounts(parse_notation(text), rules, language) if one.id == feature)


FARM = "E2/E0 red_0,0=fWL red.pig_0,0=fWL blue_1,0=fWL"
"""A finished city of two tiles, a field on either side: red's with a pig, blue's without."""
