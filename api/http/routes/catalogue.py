"""/v1/tiles, /v1/games, /v1/rules: the tiles, games and rule sets that are known."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import Annotated

from fastapi import APIRouter, Query, Response

from api.games.protocol import TableGame
from api.games.registry import list_games
from api.http.dependencies import ChosenLanguage, Server, Serving
from api.http.errors import answers_with, raises
from api.i18n import load_words
from api.i18n.tile_words import describe_tile
from api.render.tile_svg import render_tile_svg
from api.schemas.catalogue import Catalogue, CatalogueTile, CatalogueWonder, Game, GameList, RuleSet, RuleSetList
from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.board.places import name_segment
from scoring.carcassonne.final.rulesets import RULESETS
from scoring.carcassonne.tiles.catalogue import BOXES, TileLayout, list_distinct_turns, load_catalogue
from scoring.carcassonne.tiles.expansions import find_tile_expansion
from scoring.carcassonne.tiles.geometry import SIDES
from scoring.carcassonne.tiles.other_boxes import load_other_catalogue
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue

router = APIRouter(prefix="/v1", tags=["catalogue"])


@router.get("/games", response_model=GameList)
def get_games(server: Serving) -> GameList:
    """List the games that can be scored."""
    return GameList(games=[_build_game(game, server) for game in list_games().values()])


def _build_game(game: TableGame, server: Server) -> Game:
    pictures = list(server.tables.pictures(game.name)) if game.needs_enrolment else []
    reads = bool(pictures) or not game.needs_enrolment
    return Game(name=game.name, title=game.title, reads_photos=reads, pictures=pictures, colours=list(game.colours))


@router.get("/rules", response_model=RuleSetList)
def get_rules() -> RuleSetList:
    """List the rule sets that can be used."""
    return RuleSetList(rules=[RuleSet(**asdict(rules)) for rules in RULESETS.values()])


@router.get("/tiles", response_model=Catalogue)
def get_tiles(
    language: ChosenLanguage,
    further: Annotated[bool, Query(description="List the tiles of further expansions as well.")] = False,
) -> Catalogue:
    """List the tiles of the boxes that photos are read for, and the wonders."""
    return build_catalogue(language, further)


@router.get("/tiles/drawing.svg", **answers_with("image/svg+xml", "The tile, drawn by us."))
@raises("tile_unknown_name", "place_unknown", "colour_unknown")
def get_tile_drawing(
    tile: Annotated[str, Query(max_length=40, examples=["BA/RCr"])],
    turns: Annotated[int, Query(ge=0, le=3)] = 0,
    square: Annotated[int | None, Query(ge=0, le=4, description="The number of a wonder's square.")] = None,
    place: Annotated[str | None, Query(max_length=20, examples=["road:N"])] = None,
    colour: Annotated[str | None, Query(max_length=20)] = None,
    piece: Annotated[str, Query(max_length=20, examples=["big"])] = "meeple",
) -> Response:
    """Draw a tile in an orientation, with a piece on one of its parts."""
    svg = render_tile_svg(tile, turns, square, place, colour, piece)
    return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=86400"})


def _list_places(layout: TileLayout, turns: int) -> list[str]:
    """List the names of a tile's parts in an orientation."""
    return [name_segment(layout, turns, segment) for segment in range(len(layout.segments))]


@cache
def build_catalogue(language: str, further: bool = False) -> Catalogue:
    """Build the catalogue document, which never changes, in a language; `further` adds the other expansions."""
    words = load_words(language)
    boxes = [(layout, name) for name in BOXES for layout in load_catalogue(name)]
    boxes += [(layout, find_tile_expansion(layout.id) or "") for layout in load_other_catalogue()] if further else []
    return Catalogue(
        tiles=[
            CatalogueTile(
                id=layout.id,
                letter=layout.letter or None,
                box=box,
                further=bool(layout.box),
                count=layout.count,
                symmetry=layout.symmetry,
                edges={side: layout.edge(side) for side in SIDES},
                coats_of_arms=sum(segment.shields for segment in layout.segments),
                monastery=layout.monastery_spot is not None,
                words=[describe_tile(words, Placement(layout.id, turns)) for turns in list_distinct_turns(layout)],
                places=[_list_places(layout, turns) for turns in list_distinct_turns(layout)],
            )
            for layout, box in boxes
        ],
        wonders=[
            CatalogueWonder(id=wonder.id, name=wonder.name, squares=list(wonder.squares))
            for wonder in load_wonder_catalogue().values()
        ],
    )
