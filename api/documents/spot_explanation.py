"""The explanation of a table of spots: each player's entries with the rule's section, and each feature's spots."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from api.documents.explanation import SCHEMA, PlayerAccount, PlayerEntry
from api.documents.report import Model
from api.documents.spot_report import SpotProblem, SpotRules, Value


class SpotPlayerEntry(PlayerEntry):
    """Points of a player, with the label of the feature that brings them."""

    label: str = ""


class SpotPlayerAccount(PlayerAccount):
    """A player's points with all entries."""

    entries: list[SpotPlayerEntry]  # type: ignore[assignment]


class FeatureEntry(SpotPlayerEntry):
    """Points of a feature, with their player."""

    player: str


class SpotLaid(Model):
    """A spot of a feature with its label, its value (None: unknown), and the value in words."""

    id: str
    label: str = ""
    value: Value | None
    value_label: str = ""


class SpotFeatureAccount(Model):
    """The account of a feature: its label, its spots, each player's count, and its points."""

    id: str
    label: str = ""
    kind: str
    size: int
    complete: bool
    players: dict[str, int]
    spots: list[SpotLaid]
    entries: list[FeatureEntry]


class SpotExplanation(Model):
    """The whole document; parts that were not asked for are empty lists."""

    schema_: Literal["wondertally/explanation/1"] = Field(default=SCHEMA, alias="schema")
    game: str
    rules: SpotRules
    players: list[SpotPlayerAccount]
    features: list[SpotFeatureAccount]
    problems: list[SpotProblem]

    def to_json(self) -> str:
        """Return the document as JSON, indented for human readers."""
        return self.model_dump_json(indent=1) + "\n"
