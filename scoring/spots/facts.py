"""What a person types of a copy of a game, since none of its empty boards shows it: sides that are played, cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FactKind = Literal["number", "choice", "switch"]
FactValue = int | str | bool | None


@dataclass(frozen=True, slots=True)
class Fact:
    """A value of the components file by its key, as it is known: None where nobody told.

    `words` names what a person is told of it and `of` of what, both messages; `name` is what that is called where there
    is no such message. A `choice` has `choices`. A score that needs one that is not `optional` fails without it.
    """

    key: str
    kind: FactKind
    words: str
    value: FactValue
    of: str = ""
    name: str = ""
    choices: tuple[str, ...] = ()
    optional: bool = False
