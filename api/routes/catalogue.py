"""/v1/tiles, /v1/games, /v1/rules: what there is."""

from __future__ import annotations

from functools import cache

from fastapi import APIRouter

from api.wire_catalogue import Catalogue, Games, GameTold, RulesDocument, RulesTold, TileTold, WonderTold
from scoring.carcassonne.catalogue import BOXES, boxes
from scoring.carcassonne.geometry import SIDES
from scoring.carcassonne.rulesets import RULESETS
from scoring.carcassonne.wonders import wonder_catalogue

router = APIRouter(prefix="/v1", tags=["catalogue"])


@router.get("/games", response_model=Games)
def get_games() -> Games:
    """The games that are scored."""
    return Games(games=[GameTold(name="carcassonne", title="Carcassonne")])


@router.get("/rules", response_model=RulesDocument)
def get_rules() -> RulesDocument:
    """The rule sets that can be scored by."""
    return RulesDocument(rules=[RulesTold(name=rules.name, about=rules.about) for rules in RULESETS.values()])


@router.get("/tiles", response_model=Catalogue)
def get_tiles() -> Catalogue:
    """The tiles of all boxes, and the wonders."""
    return catalogue_told()


@cache
def catalogue_told() -> Catalogue:
    """What is told of the catalogue, which never changes."""
    return Catalogue(
        tiles=[
            TileTold(
                id=layout.id,
                letter=layout.letter or None,
                box=name,
                count=layout.count,
                symmetry=layout.symmetry,
                edges={side: layout.edge(side) for side in SIDES},
                coats_of_arms=sum(segment.shields for segment in layout.segments),
                monastery=layout.monastery_spot is not None,
            )
            for name in BOXES
            for layout in boxes(name)
        ],
        wonders=[
            WonderTold(id=wonder.id, name=wonder.name, squares=list(wonder.squares))
            for wonder in wonder_catalogue().values()
        ],
    )
