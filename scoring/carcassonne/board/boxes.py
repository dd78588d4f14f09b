"""How many copies of each box are on the table, as far as a person stated it, and their one-line text: `base=2,inns=0`.

A box is named as in `scoring.carcassonne.tiles.catalogue`, or by the prefix of its tiles' ids (`AM` for Abbey & Mayor).
A box that is not stated counts as often as its tiles suggest.
"""

from __future__ import annotations

from collections.abc import Mapping

from scoring.carcassonne.tiles.catalogue import BOXES, count_copies_by_box
from scoring.carcassonne.tiles.expansions import EXPANSIONS
from scoring.carcassonne.tiles.layout import TileLayout
from scoring.carcassonne.tiles.other_boxes import count_alike
from scoring.errors import RulesetError

NAMED_BOXES = (*BOXES, *(box for expansion in EXPANSIONS for box in expansion.boxes))
"""Names of all boxes whose copies can be stated."""
MAX_COPIES = 5
"""Maximum number of copies of a box. Geometry of the board: five base games nearly fill its squares."""
_NAMES = {name.lower(): name for name in NAMED_BOXES}


def read_boxes(document: object) -> dict[str, int]:
    """Return the copies stated in JSON (`{"base": 2}`), in the order of the boxes; raise RulesetError `bad_boxes`."""
    if not isinstance(document, Mapping):
        raise _refuse(document)
    for box, copies in document.items():
        if box not in NAMED_BOXES or isinstance(copies, bool) or not isinstance(copies, int):
            raise _refuse(f"{box}={copies}")
        if not (box == "base") <= copies <= MAX_COPIES:
            raise _refuse(f"{box}={copies}")
    return {box: document[box] for box in NAMED_BOXES if box in document}


def state_copies(copies: Mapping[str, int], box: str, number: int | None) -> dict[str, int]:
    """Return the copies with those of one box stated anew; None removes the statement."""
    others = {name: count for name, count in copies.items() if name != box}
    return read_boxes(others if number is None else {**others, box: number})


def parse_boxes(text: str) -> dict[str, int]:
    """Return the copies from a text, as the inverse of `format_boxes`; raise RulesetError `bad_boxes`."""
    copies: dict[str, int] = {}
    for word in text.split(",") if text.strip() else ():
        name, _, number = (part.strip() for part in word.partition("="))
        box = _NAMES.get(name.lower(), name)
        if box in copies:
            raise RulesetError("bad_boxes", f"{box!r} is stated twice", given=text, boxes=list(NAMED_BOXES))
        if not number.isascii() or not number.isdigit():
            raise _refuse(word.strip())
        copies[box] = int(number)
    return read_boxes(copies)


def format_boxes(copies: Mapping[str, int]) -> str:
    """Return the text of the copies: empty if none are stated."""
    return ",".join(f"{box}={number}" for box, number in copies.items())


def count_supply(layout: TileLayout, copies: Mapping[str, int]) -> int:
    """Return the number of tiles of a layout that the boxes hold together, each once unless `copies` states it.

    All tiles of a further box with the same land count: a photo does not show their other marks.
    """
    counts = count_copies_by_box(layout.id) or {layout.box: count_alike(layout)}
    return sum(number * copies.get(box, 1) for box, number in counts.items())


def _refuse(given: object) -> RulesetError:
    text = f"{given!r} is not a number of copies, from 0 (base: 1) to {MAX_COPIES}, of one of {', '.join(NAMED_BOXES)}"
    return RulesetError("bad_boxes", text, given=str(given), boxes=list(NAMED_BOXES))
