"""Games between sensible players: boards as real games leave them, with few knights in cities that are never closed.

Each player in turn draws a tile and takes the best legal move, looking one move ahead. The value of a move is given by
`Prospects`: immediate points, expected points and the worth of the hand, minus the mean of the opponents' values. The
few weights are set so that the number of pieces at the end, and the features they stand on, are about those of real
two-player tables (`datasets.evaluation.density` counts them).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from scoring.carcassonne.board.board import MEEPLES_A_PLAYER, Board, PlacedMeeple, Placement
from scoring.carcassonne.board.features import Member
from scoring.carcassonne.board.pieces import PIECES
from scoring.carcassonne.deal.boards import COLOURS, build_board_at_origin, build_shuffled_pile, split_river
from scoring.carcassonne.deal.evaluation import Prospects
from scoring.carcassonne.play.moves import Move, PlacedTile, Stand
from scoring.carcassonne.play.placement import find_tile_places
from scoring.carcassonne.play.running_features import Laying, Tracker
from scoring.carcassonne.tiles.catalogue import Catalogue, TileLayout, list_distinct_turns, load_base_catalogue
from scoring.carcassonne.tiles.geometry import SIDES, get_neighbour, get_opposite_side

WHIM_POINTS = 0.4
"""Standard deviation of the noise in the value of a move, in points, so that no 2 games are the same. A guess."""
MIN_MEEPLE_POINTS = 2.0
"""Minimum gain for which a meeple is set, in points: real players end their games with some in hand. A guess."""


@dataclass(frozen=True)
class PlayedGame:
    """A whole game: players in turn order, the start tile, the moves, and the board at the end.

    The moves' squares are relative to the first tile at (0, 0); the board's squares begin at (0, 0).
    """

    players: tuple[str, ...]
    start: Placement
    moves: tuple[Move, ...]
    board: Board


def simulate_game(
    rng: Random,
    players: int | None = None,
    catalogue: Catalogue | None = None,
    meeples: int = MEEPLES_A_PLAYER,
) -> PlayedGame:
    """Return a game of 2 to 5 players (drawn if not given) with every tile of `catalogue` that fits.

    Each player has this many `meeples`. The tiles are those of the base game by default. A river comes first, from its
    spring on. A tile that fits nowhere goes to the bottom of its pile, and is put away if it still does not fit after
    the others are laid.
    """
    colours = tuple(rng.sample(COLOURS, players or rng.randint(2, 5)))
    river, land = split_river(build_shuffled_pile(rng, catalogue or load_base_catalogue()))
    first = river.pop(0) if river else land.pop()
    start = Placement(first.id, rng.choice(list_distinct_turns(first)))
    game = _Game(rng, colours, meeples, start)
    game.play_out(river[::-1], len(land))
    game.play_out(land, 0)
    return PlayedGame(colours, start, tuple(game.moves), build_board_at_origin(game.tracker.tiles, game.standing))


def simulate_board(
    rng: Random,
    players: int | None = None,
    catalogue: Catalogue | None = None,
    meeples: int = MEEPLES_A_PLAYER,
) -> Board:
    """Return the final board of `simulate_game`, its squares beginning at (0, 0)."""
    return simulate_game(rng, players, catalogue, meeples).board


class _Game:
    """A game under way."""

    def __init__(self, rng: Random, colours: Sequence[str], meeples: int, start: Placement) -> None:
        self.tracker = Tracker()
        self.standing: dict[PlacedMeeple, None] = {}
        self.moves: list[Move] = []
        self._rng, self._colours = rng, colours
        self._hands = Counter(dict.fromkeys(colours, meeples))
        self._put_away: list[str] = []
        self.tracker.commit(self._laying(PlacedTile(start, (0, 0))))

    def play_out(self, pile: list[TileLayout], beyond: int) -> None:
        """Play turns until no tile of the pile, drawn from its end, fits; `beyond` tiles are drawn after these."""
        misfits = 0
        while misfits < len(pile):
            layout = pile.pop()
            if self._play(layout, len(pile) + beyond):
                misfits = 0
            else:
                pile.insert(0, layout)
                misfits += 1
        self._put_away += [layout.id for layout in pile]

    def _play(self, layout: TileLayout, tiles_left: int) -> bool:
        """Make the best move with a tile; return False if it fits nowhere."""
        player = self._colours[len(self.moves) % len(self._colours)]
        prospects = Prospects(self.standing, self._hands, tiles_left)
        moves = [
            (self._seems(prospects, laying, piece, player), place, piece)
            for place in self._places(layout)
            for laying in [self._laying(place)]
            for piece in (None, *self._pieces(laying, place, player))
        ]
        if not moves:
            return False
        _, place, piece = max(moves, key=lambda move: move[0])
        self._make(player, place, piece)
        return True

    def _places(self, layout: TileLayout) -> list[PlacedTile]:
        """Return the places where a tile fits; a river tile's leave room for the next one if any do."""
        tracker = self.tracker
        places = list(find_tile_places(Placement(layout.id), tracker.tiles, sorted(tracker.frontier)))
        roomy = [place for place in places if not self._dams(place)] if layout.rivers else []
        return roomy or places

    def _dams(self, place: PlacedTile) -> bool:
        """Return whether a square to which the river flows would touch river on more than one side."""
        for side in SIDES:
            beyond = get_neighbour(place.square, side)
            if beyond in self.tracker.frontier:
                around = {
                    get_opposite_side(other): self.tracker.tiles.get(get_neighbour(beyond, other)) for other in SIDES
                }
                around[side] = place.placement
                if any(
                    placement is not None and placement.edge(facing) == "river" for facing, placement in around.items()
                ):
                    return True
        return False

    def _pieces(self, laying: Laying, place: PlacedTile, player: str) -> Iterator[PlacedMeeple]:
        """Yield the meeples that a player could set: one for each unoccupied feature of the tile."""
        free: dict[Member, PlacedMeeple] = {}
        for index, segment in enumerate(place.placement.layout.segments if self._hands[player] else ()):
            root = laying.root((place.square, index))
            if segment.kind in PIECES["meeple"].stands_on and not laying.holding(root).pieces:
                pose = "lying" if segment.kind == "field" else "standing"
                free.setdefault(root, PlacedMeeple(player, place.square, index, pose))
        yield from free.values()

    def _seems(self, prospects: Prospects, laying: Laying, piece: PlacedMeeple | None, player: str) -> float:
        """Return the noisy value of a move for a player, in points; only its order matters."""
        if piece is not None:
            laying.stand(piece)
        after = prospects.after(laying, piece)
        if piece is not None:
            laying.lift(piece)
        others = [points for other, points in after.items() if other != player]
        cost = MIN_MEEPLE_POINTS if piece is not None else 0.0
        return after[player] - sum(others) / len(others) - cost + self._rng.gauss(0, WHIM_POINTS)

    def _make(self, player: str, place: PlacedTile, piece: PlacedMeeple | None) -> None:
        laying, stands = self._laying(place), tuple[Stand, ...]()
        if piece is not None and piece.segment is not None:
            laying.stand(piece)
            self.standing[piece] = None
            self._hands[player] -= 1
            stands = (Stand(piece.square, piece.segment),)
        for home in [piece for root in laying.completed() for piece in laying.clear(root)]:
            del self.standing[home]
            self._hands[home.colour] += 1
        self.tracker.commit(laying)
        self.moves.append(Move(player, place, stands, removed=tuple(self._put_away)))
        self._put_away = []

    def _laying(self, place: PlacedTile) -> Laying:
        laying = Laying(self.tracker)
        laying.lay(place.placements)
        return laying
