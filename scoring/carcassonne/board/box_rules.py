"""The boxes whose own rules a game was played with, and their one-line text: `inns=off,traders=on`.

The setup of The Wonders of Humanity adds the tiles of other boxes and says "Ignore any additional expansion rules"; its
footnote 13 allows the alternative. The table does not show which was played. A box whose rules are off has plain tiles
and pieces: an inn, a cathedral, goods, a pig herd, a garden, a siege, a hill and a vineyard have no effect, a big
meeple or a mayor counts as one, and a builder, a pig or a barn does nothing. The rules of a box apply unless a person
says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scoring.carcassonne.tiles.catalogue import find_tile_box
from scoring.carcassonne.tiles.expansions import find_tile_rules
from scoring.errors import RulesetError

RULED_BOXES = ("river2", "inns", "traders", "abbot", "abbey", "siege", "hills", "monasteries")
"""The boxes with rules of their own: the inn and the pig herd of River II; inns, cathedrals and the big meeple;
builders, pigs and goods; the abbot and gardens; mayors, wagons and barns; besieged cities; hills and vineyards; special
monasteries.
"""
BOX_TITLES = {
    "river2": "River II",
    "inns": "Inns & Cathedrals",
    "traders": "Traders & Builders",
    "abbot": "The Abbot",
    "abbey": "Abbey & Mayor",
    "siege": "The Siege",
    "hills": "Hills & Sheep",
    "monasteries": "Special monasteries",
}
OLD_BOX_NAMES = {"rivers": "river2"}
"""Names of boxes in older files and requests: both rivers were one box."""
_WORDS = {"on": True, "off": False}
_SIGNS = {played: word for word, played in _WORDS.items()}


def find_box(name: str) -> str:
    """Return the present name of a box with rules of its own, given any name that it has had."""
    return OLD_BOX_NAMES.get(name, name)


def find_rules_of_tile(tile: str) -> str | None:
    """Return the box whose rules a tile, given by id, belongs to; None for a tile of no such box."""
    return find_tile_box(tile) or find_tile_rules(tile)


@dataclass(frozen=True, slots=True)
class BoxRules:
    """The boxes whose own rules were played (`on`) and those whose rules were not (`off`); the others are unstated.

    Raises RulesetError `bad_box_rules` for a box without rules of its own, and for one that is in both.
    """

    on: frozenset[str] = frozenset()
    off: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if strange := sorted((self.on | self.off) - {*RULED_BOXES}):
            text = f"{strange[0]!r} is none of {', '.join(RULED_BOXES)}, the boxes with rules of their own"
            raise RulesetError("bad_box_rules", text, given=strange[0], boxes=list(RULED_BOXES))
        if both := sorted(self.on & self.off):
            text = f"the rules of {both[0]} were played or they were not"
            raise RulesetError("bad_box_rules", text, given=both[0], boxes=list(RULED_BOXES))

    def __bool__(self) -> bool:
        """Return whether any box is stated."""
        return bool(self.on or self.off)

    @classmethod
    def of(cls, choices: Mapping[str, bool]) -> BoxRules:
        """Return the rules for choices by box, also by an older name; raise RulesetError if they are invalid."""
        on, off = (
            frozenset(find_box(box) for box, played in choices.items() if played is choice) for choice in (True, False)
        )
        return cls(on, off)

    @property
    def choices(self) -> dict[str, bool]:
        """Return whether the rules of each stated box were played, in the order of the boxes."""
        return {box: box in self.on for box in RULED_BOXES if box in self.on | self.off}

    @property
    def unsaid(self) -> tuple[str, ...]:
        """Return the unstated boxes."""
        return tuple(box for box in RULED_BOXES if box not in self.on | self.off)

    def ignores(self, box: str) -> bool:
        """Return whether the rules of a box were not played."""
        return box in self.off

    def ignores_tile(self, tile: str) -> bool:
        """Return whether a tile, given by id, comes from a box whose rules were not played."""
        return bool(self.off) and find_rules_of_tile(tile) in self.off

    def override(self, other: BoxRules) -> BoxRules:
        """Return these rules overridden by all that others state."""
        return BoxRules.of({**self.choices, **other.choices})

    def turn_off(self, boxes: Iterable[str]) -> BoxRules:
        """Return these rules with those of some boxes off."""
        return self.override(BoxRules(off=frozenset(boxes)))


UNSAID = BoxRules()
"""No box is stated: the rules of all apply."""


def read_box_choices(document: object) -> BoxRules:
    """Return the rules for choices in JSON (`{"inns": false}`); raise RulesetError `bad_box_rules`."""
    if not isinstance(document, Mapping) or not all(isinstance(played, bool) for played in document.values()):
        text = f"boxes' rules say true or false for some of {', '.join(RULED_BOXES)}, not {document!r}"
        raise RulesetError("bad_box_rules", text, given=str(document), boxes=list(RULED_BOXES))
    return BoxRules.of(document)


def format_box_rules(rules: BoxRules) -> str:
    """Return the text of the rules: empty if no box is stated."""
    return ",".join(f"{box}={_SIGNS[played]}" for box, played in rules.choices.items())


def parse_box_rules(text: str) -> BoxRules:
    """Return the rules from a text, as the inverse of `format_box_rules`; raise RulesetError `bad_box_rules`."""
    choices: dict[str, bool] = {}
    for word in text.split(",") if text.strip() else ():
        name, _, answer = (part.strip().lower() for part in word.partition("="))
        box = find_box(name)
        if box not in RULED_BOXES or answer not in _WORDS or box in choices:
            wrong = f"is not one of {', '.join(RULED_BOXES)}, followed by '=on' or '=off'"
            wrong = f"names {box} a second time" if box in choices else wrong
            raise RulesetError(
                "bad_box_rules", f"{word.strip()!r} {wrong}", given=word.strip(), boxes=list(RULED_BOXES)
            )
        choices[box] = _WORDS[answer]
    return BoxRules.of(choices)
