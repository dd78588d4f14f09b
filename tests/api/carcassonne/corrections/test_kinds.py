"""Every kind of correction has all its parts: the API takes it, a game applies it, and the page names its subject."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest

from api.documents import spot_corrections, tile_corrections
from api.documents.corrections import CORRECTIONS, TABLE_KINDS, Correction
from api.errors import CorrectionError
from api.games.registry import build_snapshot_report
from scoring.errors import WondertallyError
from tests.api.doubted import held
from tests.api.spots_seen import babel
from tests.api.text_forms.forms import corrections

ROOT = Path(__file__).parents[4]
CONFLICT = "api/page/static/report/conflict.js"


def list_kinds(module: ModuleType) -> dict[str, type[Any]]:
    """Return a module's models of corrections, by their kind."""
    models = [value for value in vars(module).values() if "kind" in getattr(value, "model_fields", {})]
    return {model.model_fields["kind"].default: model for model in models}


TILES = list_kinds(tile_corrections)
SPOTS = list_kinds(spot_corrections)


@cache
def list_examples() -> dict[str, str]:
    """Return an example of each kind, by the kind."""
    return {json.loads(example)[0]["kind"]: example for example in corrections()}


def refuses(snapshot: Any, example: str) -> bool:
    """Return whether a game does not know a correction; any other error is an answer."""
    try:
        build_snapshot_report(snapshot, CORRECTIONS.validate_json(example))
    except CorrectionError as error:
        return error.code == "other_game"
    except WondertallyError:
        return False
    return False


@pytest.mark.parametrize("kind", [*TILES, *SPOTS])
def test_the_api_accepts_every_kind_of_correction(kind: str) -> None:
    union, _ = get_args(Correction)
    taken = {model.model_fields["kind"].default for model in get_args(union)}
    assert kind in taken, f"name the model of {kind} in `Correction` in api/documents/corrections.py"


@pytest.mark.parametrize("kind", [*TILES, *SPOTS])
def test_a_game_applies_every_kind_of_correction(kind: str) -> None:
    assert kind in list_examples(), f"add an example of {kind} to `corrections` in tests/api/text_forms/forms.py"
    known = not all(refuses(snapshot, list_examples()[kind]) for snapshot in (held(3), babel(3)))
    assert known, f"apply {kind} in api/carcassonne/corrections/apply.py, or for games of spots in api/spots/review.py"


@pytest.mark.parametrize("kind", sorted(TILES.keys() - TABLE_KINDS - {"confirm"}))
def test_the_page_names_the_subject_of_every_kind_of_correction(kind: str) -> None:
    lists = re.findall(r"^const (?:TILES|PIECES) = \[(.*?)\];$", (ROOT / CONFLICT).read_text("utf-8"), re.M | re.S)
    assert len(lists) == 2
    named = re.findall(r'"(\w+)"', " ".join(lists))
    assert kind in named, (
        f"add {kind} to TILES or PIECES in {CONFLICT}, or to TABLE_KINDS in api/documents/corrections.py"
    )
