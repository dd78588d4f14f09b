"""Whole games of random legal moves, to test with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.play.game import ABU_SIMBEL, Game, Move, PlacedTile, Setup, Stand, Taking, Turn
from scoring.carcassonne.play.moves import Laid
from scoring.carcassonne.play.placement import find_empty_neighbours, find_wonder_places
from scoring.carcassonne.play.running_features import Holding
from scoring.carcassonne.play.stack import Stack
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.tiles.other_boxes import load_other_catalogue
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout

TRIES = 6
"""Places that a random player examines before choosing the one that completes most."""
EAGERNESS = {"city": 0.7, "road": 0.6, "monastery": 0.9, "field": 0.04, "garden": 0.9}
"""Probability that a random player wants to stand on a free feature of a kind."""
PATIENCE = 0.9
"""Probability that a random player leaves the abbot in place."""
SPECIAL = ("builder", "pig", "abbot")
FURTHER = tuple(
    layout.id for layout in load_other_catalogue() if layout.box in ("AM", "GQ", "TO") for _ in range(layout.count)
)
"""Abbeys and other tiles whose boxes pay nothing at the end of a turn."""
SETUPS = {
    "base": Setup(("red", "blue", "green")),
    "river": Setup(("red", "blue"), ("base", "river1", "river2")),
    "inns": Setup(("red", "blue", "green", "yellow"), ("base", "inns")),
    "wonders": Setup(("red", "blue", "green"), ("base", "inns"), tuple(WONDERS)),
    "two wonders": Setup(("red", "blue"), ("base", "river1", "inns"), tuple(WONDERS), wonders_each=2),
    "two games": Setup(("red", "blue"), ("base", "base")),
    "traders": Setup(("red", "blue", "green"), ("base", "traders")),
    "abbot": Setup(("red", "blue"), ("base", "abbot")),
    "further tiles": Setup(("red", "blue"), further=FURTHER),
    "everything": Setup(
        ("red", "blue"), ("base", "river2", "inns", "traders", "abbot"), tuple(WONDERS), wonders_each=2
    ),
}


def random_game(setup: Setup, seed: int, watch: Callable[[Game, Turn], None] | None = None) -> Game:
    """Play a game to its end; `watch` is called after every move."""
    game, rng = Game(setup), Random(seed)
    while (move := random_move(game, rng)) is not None:
        turn = game.play(move)
        if watch:
            watch(game, turn)
    return game


def random_move(game: Game, rng: Random) -> Move | None:
    """Return a legal move for the player on turn; none when the game is over."""
    if game.supply.is_empty:
        return None
    player = game.on_turn
    if waiting := game.waiting:
        wonder = load_wonder_catalogue()[rng.choice(waiting)]
        room = list_wonder_places(game, wonder)
        move = Move(player, rng.choice(room)) if room else _with_room_made(game, wonder, rng)
        return _whole(game, move, rng) if move else None
    removed: list[str] = []
    stack = game.supply.stack
    while hand := _hand(game, stack, rng):
        tile, keeps = hand[0], hand[1] if len(hand) > 1 else None
        if places := game.places(tile):
            tries = [_thoughtful(game, places, rng) for _ in range(TRIES)]
            moves = [Move(player, place, removed=tuple(removed), keeps=keeps) for place in tries]
            return _whole(game, max(moves, key=lambda move: len(game.worth(move))), rng)
        if game.supply.kept_tile in hand:
            hand.remove(game.supply.kept_tile)
        if not hand:
            return None
        removed.append(hand[0])
        stack = stack.drawn(hand[0])
    return None


def list_wonder_places(game: Game, wonder: WonderLayout) -> list[PlacedWonder]:
    """Return every possible placement of a wonder."""
    tiles = {square: placement for square, placement in game.board().tiles.items() if placement is not None}
    return list(find_wonder_places(wonder, tiles, sorted(find_empty_neighbours(tiles, tiles))))


def find_feature(game: Game, square: Square, segment: int) -> Holding:
    """Return the feature of a segment, in its full extent."""
    return next(holding for holding in game.features() if (square, segment) in holding.members)


def _with_room_made(game: Game, wonder: WonderLayout, rng: Random) -> Move | None:
    """Return a wonder that fits nowhere, beside the first tile drawn that makes room for it."""
    removed: list[str] = []
    stack, tiles = game.supply.stack, game.board().tiles
    lying = {square: placement for square, placement in tiles.items() if placement is not None}
    while len(stack):
        tile = _drawn(stack, rng)
        for extra in game.places(tile):
            with_it = {**lying, **extra.placements}
            if room := list(
                find_wonder_places(wonder, with_it, sorted(find_empty_neighbours([extra.square], with_it)))
            ):
                return Move(game.on_turn, rng.choice(room), removed=tuple(removed), extra=extra)
        removed.append(tile)
        stack = stack.drawn(tile)
    return None


def _thoughtful(game: Game, places: list[PlacedTile], rng: Random) -> PlacedTile:
    """Choose one of some places, preferably among many tiles: boards grow dense, and features are completed."""
    occupied = game.board().occupied
    weights = [
        sum((row + down, col + right) in occupied for down in (-1, 0, 1) for right in (-1, 0, 1)) ** 4
        for row, col in (place.square for place in places)
    ]
    return rng.choices(places, weights)[0]


def _hand(game: Game, stack: Stack, rng: Random) -> list[str]:
    """Return a player's choices, the tile to be laid first: one tile, or two with Abu Simbel."""
    chooses = game.in_effect(ABU_SIMBEL) == game.on_turn
    hand = [game.supply.kept_tile] if game.supply.kept_tile and (chooses or not len(stack)) else []
    while len(stack) and len(hand) < 1 + chooses:
        hand.append(_drawn(stack, rng))
        stack = stack.drawn(hand[-1])
    rng.shuffle(hand)
    return sorted(hand, key=lambda tile: not game.places(tile))


def _drawn(stack: Stack, rng: Random) -> str:
    tiles = list(stack)
    return rng.choices(tiles, [stack.phases[0][tile] for tile in tiles])[0]


def _whole(game: Game, move: Move, rng: Random) -> Move:
    """Complete a move with meeples, and with the wonders that its points bring, one taken after the other."""
    if _abbot_is_out(game) and rng.random() > PATIENCE:
        move = replace(move, recalls_abbot=True)
    else:
        most = 2 if isinstance(move.tile, PlacedWonder) else 1
        stands = _special(game, move, rng) or tuple(_stands(game, move, rng, most))
        move = replace(move, stands=stands)
    while claimants := game.claimants(move):
        wonders = {taking.wonder for taking in move.takes}
        left = [wonder for wonder in game.wonders_left if wonder not in wonders]
        move = replace(move, takes=(*move.takes, Taking(rng.choice(claimants), rng.choice(left))))
    return move


def _abbot_is_out(game: Game) -> bool:
    return any((m.colour, m.kind) == (game.on_turn, "abbot") for m in game.board().meeples)


def _special(game: Game, move: Move, rng: Random) -> tuple[Stand, ...]:
    """Return a builder, pig or abbot, wherever one can be set."""
    for kind in SPECIAL:
        places = game.free_features(move.tile, move.extra, kind) if game.hands[game.on_turn][kind] else []
        if places:
            square, segment = rng.choice(rng.choice(places))
            return (Stand(square, segment, kind),)
    return ()


def _stands(game: Game, move: Move, rng: Random, most: int) -> Iterator[Stand]:
    hand = game.to_set(game.on_turn)
    free = [rng.choice(segments) for segments in game.free_features(move.tile, move.extra)]
    wanted = [member for member in free if rng.random() < EAGERNESS[_kind(move.tile, *member)]]
    for square, segment in rng.sample(wanted, min(most, len(wanted))):
        kinds = [kind for kind, number in hand.items() if number > 0 and kind not in SPECIAL]
        if kinds:
            kind = rng.choice(kinds)
            hand[kind] -= 1
            yield Stand(square, segment, kind)


def _kind(tile: Laid, square: Square, segment: int) -> str:
    return tile.placements[square].layout.segments[segment].kind
