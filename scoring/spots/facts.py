"""Facts about a copy of a game that a person enters, because no empty board shows them: sides played, cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FactKind = Literal["number", "choice", "switch"]
FactValue = int | str | bool | None


@dataclass(frozen=True, slots=True)
class Fact:
    """A value of the components file by its key; None if it is unknown.

    `words` names the message about it and `of` its subject, both messages; `name` is the subject's plain name if it has
    no message. A `choice` has `choices`. A score fails without a value that it needs, unless it is `optional`.
    """

    key: str
    kind: FactKind
    words: str
    value: FactValue
    of: str = ""
    name: str = ""
    choices: tuple[str, ...] = ()
    optional: bool = False
