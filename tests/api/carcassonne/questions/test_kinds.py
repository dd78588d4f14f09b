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
from api.carcassonne.questions.asker import Kind
from api.carcassonne.questions.builder import BY_ALTERNATIVE
from api.carcassonne.questions.table import BORDER, BY_FACT, TRACK
from api.carcassonne.questions.tiles import UNKNOWN_TILE
from scoring.carcassonne.doubt.kinds.base import Alternative
from scoring.carcassonne.final.assumptions import Fact
from vision.evaluation.offered import JUDGES

NEVER_ASKED = {"goods", "holdings"}
"""Facts that are reported without a question."""


def list_classes(package: ModuleType, base: type[Any]) -> list[type[Any]]:
    """List the classes of a package's modules that derive from a base."""
    modules = [import_module(f"{package.__name__}.{module.name}") for module in pkgutil.iter_modules(package.__path__)]
    classes = {value for module in modules for value in vars(module).values() if isinstance(value, type)}
    derived = (one for one in classes if issubclass(one, base) and one is not base)
    return sorted(derived, key=lambda one: one.__name__)


@pytest.mark.parametrize(
    "alternative", list_classes(scoring.carcassonne.doubt.kinds, Alternative), ids=lambda one: one.__name__
)
def test_every_alternative_has_all_its_parts(alternative: type[Any]) -> None:
    assert not isabstract(alternative), f"{alternative.__name__} lacks {sorted(alternative.__abstractmethods__)}"
    assert alternative in BY_ALTERNATIVE, (
        f"nobody asks about {alternative.__name__}: write a Kind with ask and find_truth in a module of "
        "api/carcassonne/questions, and add it to KINDS there"
    )
    assert (alternative in JUDGES) != alternative.spans_several, (
        f"no label judges {alternative.__name__}: add it to JUDGES in vision/evaluation/offered.py, or if it is about "
        "several squares or pieces set spans_several"
    )


def test_every_kind_of_question_is_asked() -> None:
    kinds = {type(kind) for kind in (TRACK, BORDER, UNKNOWN_TILE, *BY_ALTERNATIVE.values(), *BY_FACT.values())}
    written = {one for one in list_classes(api.carcassonne.questions, Kind) if not isabstract(one)}
    missing = written - kinds
    assert not missing, "name them in KINDS or BY_FACT of their module"


def test_every_table_fact_has_a_question() -> None:
    missing = {*get_args(Fact)} - NEVER_ASKED - BY_FACT.keys()
    assert not missing, "write a FactKind in api/carcassonne/questions/table.py, and add it to BY_FACT there"
