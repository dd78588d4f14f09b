"""Every kind of doubt has all its parts: an alternative that describes itself, a question, and a truth from a label."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from inspect import isabstract
from types import ModuleType
from typing import Any, get_args

import pytest

import api.carcassonne.questions
import scoring.carcassonne.doubt.kinds
from api.carcassonne.questions.kind import Kind
from api.carcassonne.questions.registry import BORDER, BY_ALTERNATIVE, BY_FACT, TRACK, UNKNOWN_TILE
from scoring.carcassonne.doubt.kinds.base import Alternative
from scoring.carcassonne.final.assumptions import Fact
from vision.evaluation.offered import JUDGES

NEVER_ASKED = {"goods"}
"""Facts that are reported without a question."""
NOT_JUDGED = {"OtherWonder", "OtherCoats", "FurtherWonder", "OtherCount", "OtherSpecial"}
"""Alternatives that span several squares or pieces, whose probabilities are not calibrated by a label."""


def list_classes(package: ModuleType, base: type[Any]) -> set[type[Any]]:
    """List the classes of a package's modules that derive from a base, except bases of others."""
    modules = [import_module(f"{package.__name__}.{module.name}") for module in pkgutil.iter_modules(package.__path__)]
    classes = {value for module in modules for value in vars(module).values() if isinstance(value, type)}
    return {one for one in classes if issubclass(one, base) and one is not base and not isabstract(one)}


def test_every_alternative_is_one_of_the_union() -> None:
    missing = list_classes(scoring.carcassonne.doubt.kinds, Alternative) - {*get_args(Alternative)}
    assert not missing, "name them in `Alternative` in scoring/carcassonne/doubt/alternatives.py"


@pytest.mark.parametrize("alternative", get_args(Alternative), ids=lambda one: one.__name__)
def test_every_alternative_has_all_its_parts(alternative: type[Any]) -> None:
    lacking = sorted(getattr(alternative, "__abstractmethods__", ()))
    assert not lacking, f"{alternative.__name__} lacks {lacking}: see Alternative in doubt/kinds/base.py"
    assert alternative in BY_ALTERNATIVE, (
        f"nobody asks about {alternative.__name__}: write a Kind with ask and find_truth in a module of "
        "api/carcassonne/questions, and add it to BY_ALTERNATIVE in its registry.py"
    )
    assert (alternative in JUDGES) != (alternative.__name__ in NOT_JUDGED), (
        f"no label judges {alternative.__name__}: add it to JUDGES in vision/evaluation/offered.py, or here"
    )


def test_every_kind_of_question_is_registered() -> None:
    kinds = {type(kind) for kind in (TRACK, BORDER, UNKNOWN_TILE, *BY_ALTERNATIVE.values(), *BY_FACT.values())}
    missing = list_classes(api.carcassonne.questions, Kind) - kinds
    assert not missing, "name them in api/carcassonne/questions/registry.py"


def test_every_fact_of_the_table_has_a_question() -> None:
    missing = {*get_args(Fact)} - NEVER_ASKED - BY_FACT.keys()
    assert not missing, (
        "write a FactKind in api/carcassonne/questions/table_facts.py, and add it to BY_FACT in registry.py"
    )
