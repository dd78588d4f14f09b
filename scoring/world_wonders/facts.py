"""Facts about a copy of World Wonders that a person enters: the sides in play, and the rings on the cards."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.spots.facts import Fact
from scoring.world_wonders.components import Components

SIDES = ("A", "B")


def list_facts(components: Components) -> Iterator[Fact]:
    """Yield the sides of map and resource boards, whether the Mundo box is present, and each monument's rings."""
    yield Fact("map.side", "choice", "map-side", components.map.side, choices=SIDES, optional=True)
    yield Fact("resources.side", "choice", "resources-side", components.resources.side, choices=SIDES, optional=True)
    yield Fact("box.mundo", "switch", "mundo", components.box.mundo, optional=True)
    for id, card in components.monuments.items():
        yield Fact(f"monuments.{id}.rings", "number", "rings", card.rings, f"value-{id}", card.name)
