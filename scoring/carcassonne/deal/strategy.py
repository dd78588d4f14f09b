"""Games between sensible players: boards as real games leave them, with few knights in cities that are never closed.

Each player in turn draws a tile and takes the best legal move, looking one move ahead. The value of a move is given by
`Prospects`: immediate points, expected points and the worth of the hand, minus the mean of the opponents' values. The
few weights are guesses, meant to leave about as many pieces at the end, on the same features, as players do.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from scoring.carcassonne.board.board import MEEPLES_A_PLAYER, Board, PlacedMeeple, Placement
from scoring.carcassonne.board.features import Member, find_leaders
from scoring.carcassonne.board.pieces import PIECES
from scoring.carcassonne.deal.boards import COLOURS, build_board_at_origin, build_shuffled_pile, split_river
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.final.scoring import compute_feature_worth
from scoring.carcassonne.play.moves import Move, PlacedTile, Stand
from scoring.carcassonne.play.placement import find_tile_places
from scoring.carcassonne.play.running_features import Laying, Tracker
from scoring.carcassonne.tiles.catalogue import Catalogue, TileLayout, list_distinct_turns, load_base_catalogue
from scoring.carcassonne.tiles.geometry import SIDES, get_neighbour, get_opposite_side
from scoring.carcassonne.tiles.kinds import counts_surroundings

EVEN_CHANCE_TILES = 60.0
"""Number of tiles left at which an open end is as likely to be closed as not. A guess.

Few open ends are closed even then: each costs a turn, and more optimistic players let cities grow too large to close.
"""
FARM_CITY_POINTS = 2.0
"""Points that a complete city promises a farmer. It scores 3, but rivals join fields that pay. A guess."""
TURN_POINTS = 1.8
"""Points that meeples in hand promise for each turn to come, before weighting by their number. A guess."""
WHIM_POINTS = 0.4
"""Standard deviation of the noise in the value of a move, in points, so that no 2 games are the same. A guess."""
MIN_MEEPLE_POINTS = 2.0
"""Minimum gain for which a meeple is set, in points: real players end their games with some in hand. A guess."""
_MONASTERY_SQUARES = 9
"""By the rules: a monastery and the 8 squares around it."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """Points that a feature promises each of its `leaders`, and the probability that its `meeples` come home."""

    points: float
    comes_home: float
    leaders: tuple[str, ...]
    meeples: Mapping[str, int]


class Prospects:
    """Value of each player's position before a turn, and after a tile is laid.

    `hands` are the meeples in hand by player; `tiles_left` is the number of tiles still to be drawn.
    """

    def __init__(self, standing: Iterable[PlacedMeeple], hands: Mapping[str, int], tiles_left: int) -> None:
        self._standing, self._hands = tuple(standing), hands
        self._closes = tiles_left / (tiles_left + EVEN_CHANCE_TILES)
        self._of_hand = TURN_POINTS * tiles_left / len(hands)
        self._unchanged: dict[Member, Outlook] = {}

    def after(self, laying: Laying, stood: PlacedMeeple | None = None) -> dict[str, float]:
        """Return points by player: immediate points, expected points and the worth of the hand.

        `stood` is the meeple just set; it already stands in the laying. A meeple on the board counts as a meeple in
        hand weighted by its probability of coming home. The last meeple in hand is worth most, and all are worthless
        when no tile is left.
        """
        points, hands = dict.fromkeys(self._hands, 0.0), {player: float(count) for player, count in self._hands.items()}
        pieces = self._standing
        if stood is not None:
            pieces, hands[stood.colour] = (*pieces, stood), hands[stood.colour] - 1
        for root in dict.fromkeys(map(laying.find_root, pieces)):
            outlook = self._outlook(laying, root)
            for player in outlook.leaders:
                points[player] += outlook.points
            for player, number in outlook.meeples.items():
                hands[player] += number * outlook.comes_home
        return {player: points[player] + self._of_hand * math.log1p(hands[player]) for player in points}

    def _outlook(self, laying: Laying, root: Member) -> Outlook:
        """Return the outlook of a feature, cached for roads and cities that the laid tile does not touch."""
        if root in laying.holdings or laying.holding(root).kind not in ("road", "city"):
            return self._worked_out(laying, root)
        if root not in self._unchanged:
            self._unchanged[root] = self._worked_out(laying, root)
        return self._unchanged[root]

    def _worked_out(self, laying: Laying, root: Member) -> Outlook:
        meeples = Counter(piece.colour for piece in laying.holding(root).pieces)
        kind = laying.holding(root).kind
        hope = (
            self._of_farm if kind == "field" else self._of_surrounded if counts_surroundings(kind) else self._of_built
        )
        points, comes_home = hope(laying, root)
        return Outlook(points, comes_home, find_leaders(meeples), meeples)

    def _of_farm(self, laying: Laying, root: Member) -> tuple[float, float]:
        """Return the expected points of a farm, each city weighted by its probability of completion, and 0: farmers
        never come home.
        """
        fields = ((at, laying.find_placement(at).layout.segments[index]) for at, index in laying.holding(root).members)
        cities = dict.fromkeys(laying.root((square, city)) for square, field in fields for city in field.cities)
        return FARM_CITY_POINTS * sum(self._likely(laying.holding(city).open_ends) for city in cities), 0.0

    def _of_surrounded(self, laying: Laying, root: Member) -> tuple[float, float]:
        now = laying.feature(root, complete=False).size
        likely = self._likely(_MONASTERY_SQUARES - now)
        return now + likely * (_MONASTERY_SQUARES - now), likely

    def _of_built(self, laying: Laying, root: Member) -> tuple[float, float]:
        """Return the expected points of a road or a city and its probability of completion."""
        likely = self._likely(laying.holding(root).open_ends)
        now, then = (compute_feature_worth(laying.feature(root, complete), TODAY).points for complete in (False, True))
        return now + likely * (then - now), likely

    def _likely(self, open_ends: int) -> float:
        """Return the probability that this many open ends are all closed: 1 if there is none."""
        return float(self._closes**open_ends)


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
    thrifty: bool = False,
) -> PlayedGame:
    """Return a game of 2 to 5 players (drawn if not given) with every tile of `catalogue` that fits.

    Each player has this many `meeples`. The tiles are those of the base game by default. A river comes first, from its
    spring on. A tile that fits nowhere goes to the bottom of its pile, and is put away if it still does not fit after
    the others are laid. Players who are `thrifty` gladly set a meeple that they take back at once.
    """
    colours = tuple(rng.sample(COLOURS, players or rng.randint(2, 5)))
    river, land = split_river(build_shuffled_pile(rng, catalogue or load_base_catalogue()))
    first = river.pop(0) if river else land.pop()
    start = Placement(first.id, rng.choice(list_distinct_turns(first)))
    game = _Game(rng, colours, meeples, start, thrifty)
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

    def __init__(
        self, rng: Random, colours: Sequence[str], meeples: int, start: Placement, thrifty: bool = False
    ) -> None:
        self.tracker = Tracker()
        self.standing: dict[PlacedMeeple, None] = {}
        self.moves: list[Move] = []
        self._rng, self._colours, self._thrifty = rng, colours, thrifty
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
        at_once = self._thrifty and piece is not None and laying.find_root(piece) in laying.completed()
        cost = MIN_MEEPLE_POINTS if piece is not None and not at_once else 0.0
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
