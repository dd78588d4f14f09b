"""A game of Carcassonne with The Wonders of Humanity, played turn by turn.

A `Game` owns its state and changes it by `play` alone, which refuses a move that the rules do not allow and then leaves
everything as it was. Who draws which tile is part of the moves: a game knows what is left to draw, not in what order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scoring.carcassonne.board import Board, PlacedMeeple, PlacedWonder, Placement
from scoring.carcassonne.features import Feature, Member
from scoring.carcassonne.final import final_scoring
from scoring.carcassonne.geometry import Square
from scoring.carcassonne.pieces import PIECES, strength
from scoring.carcassonne.play_draw import Supply, drawn, refuse_wrong_removals
from scoring.carcassonne.play_moves import Laid, Move, PlacedTile, Stand, Taking, Turn
from scoring.carcassonne.play_placement import broken_rule, tile_places, wonder_places
from scoring.carcassonne.play_scoring import completed_features, notre_dame, stonehenge, tikal
from scoring.carcassonne.play_setup import Setup
from scoring.carcassonne.play_stack import stack_of
from scoring.carcassonne.play_track import ScoreTrack
from scoring.carcassonne.sheet import ScoreEntry, ScoreSheet
from scoring.carcassonne.table import Table
from scoring.carcassonne.track import Holding, Laying, Tracker
from scoring.carcassonne.wonders import WONDERS, WonderLayout
from scoring.errors import PlayError

__all__ = ["Game", "Move", "PlacedTile", "Setup", "Stand", "Taking", "Turn"]

ABU_SIMBEL = "WH/abu-simbel"
MEEPLES_WITH_FIRST, MEEPLES_WITH_SECOND = 2, 1
_REASONS = {
    "square_taken": "a tile lies there already",
    "touches_nothing": "a tile is laid side to side with one that lies",
    "edge_mismatch": "an edge does not go on in its neighbour",
    "river_not_continued": "a river tile goes on with the river",
    "river_turns_back": "the river must not turn straight back",
}


@dataclass(frozen=True)
class _Outcome:
    """What a move does: pieces set and going home, points, and what is left of tiles and wonders."""

    supply: Supply
    laying: Laying
    stood: tuple[PlacedMeeple, ...]
    entries: tuple[ScoreEntry, ...]
    returned: tuple[PlacedMeeple, ...]
    track: ScoreTrack
    wonders_left: tuple[str, ...]


class Game:
    """A game under way. Squares are (row, col) about the first tile's, which is (0, 0)."""

    def __init__(self, setup: Setup) -> None:
        start = setup.first_tile
        self.setup = setup
        self.supply = Supply(stack_of(setup.boxes, start))
        self.track = ScoreTrack.at_start(setup.players, setup.wonders_each if setup.wonders else 0)
        self.hands = {player: Counter(setup.supply) for player in setup.players}
        self.wonders_left = setup.wonders
        self.in_front: dict[str, tuple[str, ...]] = dict.fromkeys(setup.players, ())
        self.turns: list[Turn] = []
        self._laid_in: dict[str, tuple[str, int]] = {}
        self._standing: dict[PlacedMeeple, None] = {}
        self._tracker = Tracker()
        laying = Laying(self._tracker)
        laying.lay({(0, 0): start})
        self._tracker.commit(laying)

    @property
    def on_turn(self) -> str:
        """Whose turn it is."""
        return self.setup.players[len(self.turns) % len(self.setup.players)]

    @property
    def scores(self) -> dict[str, int]:
        """Points so far, in turn order."""
        return dict(self.track.points)

    @property
    def is_over(self) -> bool:
        """Base game, "End of the game": no tile is left, or none of those left fits anywhere."""
        return not any(self.places(tile) for tile in self.supply.left())

    def board(self) -> Board:
        """What lies and stands on the table now."""
        return Board(self._tracker.tiles, tuple(self._standing))

    def feature_at(self, square: Square, segment: int) -> Holding:
        """The road, city, field, monastery or wonder of a segment, as far as it goes; KeyError for no segment."""
        return self._tracker.at(square, segment)

    def features(self) -> Iterator[Holding]:
        """Every feature on the table, in no order."""
        return self._tracker.holdings()

    def final(self) -> ScoreSheet:
        """The final scoring of what is on the table now, apart from the points so far."""
        return final_scoring(self.board(), rules=self.setup.rules, table=Table(self.setup.players))

    def totals(self) -> dict[str, int]:
        """The points so far with the final scoring, in turn order."""
        final = self.final().totals
        return {player: points + final[player] for player, points in self.track.points.items()}

    def places(self, tile: str) -> list[PlacedTile]:
        """Every way to lay a tile now, the same after a turn taken once."""
        return list(tile_places(Placement(tile), self._tracker.tiles, sorted(self._tracker.frontier)))

    def wonder_places(self, wonder: WonderLayout) -> list[PlacedWonder]:
        """Every way to lay a wonder now."""
        return list(wonder_places(wonder, self._tracker.tiles, sorted(self._tracker.frontier)))

    def free_features(self, tile: Laid, extra: PlacedTile | None = None) -> list[tuple[Member, ...]]:
        """Where meeples could stand if a tile were laid: its segments of each unoccupied feature."""
        laying = self._laying(tile, extra)
        found: dict[Member, tuple[Member, ...]] = {}
        for square, placement in tile.placements.items():
            for index, segment in enumerate(placement.layout.segments):
                root = laying.root((square, index))
                if segment.kind in PIECES["meeple"].stands_on and not laying.holding(root).pieces:
                    found[root] = (*found.get(root, ()), (square, index))
        return list(found.values())

    def claimants(self, move: Move) -> tuple[str, ...]:
        """Who could take a wonder next after a move with those that it takes already; raises PlayError."""
        return self._outcome(move).track.claimants()

    def in_effect(self, wonder: str) -> str | None:
        """Who has a wonder that takes effect now: from its owner's first turn after the one in which it was laid.

        "3. Scoring a wonder" and its footnote on the sentence that the first revision took out; by that sentence (rule
        set C3-original), from the turn in which it was laid.
        """
        if wonder not in self._laid_in:
            return None
        owner, turn = self._laid_in[wonder]
        wait = 0 if self.setup.rules.wonders_at_once else len(self.setup.players)
        return owner if len(self.turns) >= turn + wait else None

    def worth(self, move: Move) -> tuple[ScoreEntry, ...]:
        """What a move would score; raises PlayError."""
        return self._outcome(move).entries

    def play(self, move: Move) -> Turn:
        """Make a move; raises PlayError, whose code names the rule, and then changes nothing.

        Codes: not_your_turn, game_over, wonder_waits, no_such_wonder, wonder_fits, tile_fits, not_in_stack,
        must_keep_a_tile, kept_tile_lost, nothing_to_keep, no_extra_tile; square_taken, touches_nothing, edge_mismatch,
        river_not_continued, river_turns_back; too_many_meeples, not_on_the_tile, no_such_segment, wrong_place,
        no_piece_left, feature_occupied; wonder_not_reached, wonder_not_available, wonder_not_taken.
        """
        outcome = self._outcome(move)
        if claimants := outcome.track.claimants():
            raise PlayError("wonder_not_taken", f"{', '.join(claimants)} must take a wonder", players=claimants)
        self._tracker.commit(outcome.laying)
        self.supply, self.track, self.wonders_left = outcome.supply, outcome.track, outcome.wonders_left
        self._move_pieces(outcome.stood, outcome.returned)
        self._hand_out(move)
        self.turns.append(Turn(move, outcome.entries, outcome.returned, dict(outcome.track.points)))
        return self.turns[-1]

    def _outcome(self, move: Move) -> _Outcome:
        """All that a move does, worked out beside the game."""
        self._refuse_wrong_tile(move)
        supply = drawn(self.supply, move, chooses=self.in_effect(ABU_SIMBEL) == move.player)
        laying = self._laying(move.tile, move.extra)
        stood = self._stood(move, laying)
        completed = {root: laying.feature(root, complete=True) for root in laying.completed()}
        occupied = {root: feature for root, feature in completed.items() if feature.pieces}
        entries = self._entries(move, laying, stood, list(occupied.values()))
        track, wonders_left = self._taken(move, self.track.scored(entries))
        returned = tuple(piece for root in occupied for piece in laying.clear(root))
        if marker := _marker(move):
            laying.stand(marker)
            stood = (*stood, marker)
        return _Outcome(supply, laying, stood, entries, returned, track, wonders_left)

    def _refuse_wrong_tile(self, move: Move) -> None:
        """ "1. Placing a wonder tile": whoever has a wonder before them lays it and draws none."""
        if move.player != self.on_turn:
            raise PlayError("not_your_turn", f"it is {self.on_turn}'s turn, not {move.player}'s")
        if self.supply.is_empty:
            raise PlayError("game_over", "the last tile has been laid")
        waiting, tiles, frontier = self.in_front[move.player], self._tracker.tiles, self._tracker.frontier
        if isinstance(move.tile, PlacedWonder):
            if move.tile.layout.id not in waiting:
                raise PlayError("no_such_wonder", f"{move.player} has no {move.tile.layout.name} to lay")
            if (move.extra or move.removed) and any(wonder_places(move.tile.layout, tiles, frontier)):
                raise PlayError("wonder_fits", f"{move.tile.layout.name} fits: no tile is drawn for it")
        elif waiting:
            raise PlayError("wonder_waits", f"{move.player} has to lay {WONDERS[waiting[0]]} before drawing tiles")
        refuse_wrong_removals(move, tiles, frontier)

    def _laying(self, tile: Laid, extra: PlacedTile | None) -> Laying:
        laying = Laying(self._tracker)
        tiles = self._tracker.tiles
        for laid in (extra, tile) if extra else (tile,):
            placements = laid.placements
            if code := broken_rule(placements, tiles):
                raise PlayError(code, _REASONS[code], squares=tuple(placements))
            laying.lay(placements)
            if laid is extra:
                tiles = {**tiles, **placements}
        return laying

    def _stood(self, move: Move, laying: Laying) -> tuple[PlacedMeeple, ...]:
        """Base game, "Placing a meeple"; "2. Placing a meeple on a wonder tile": up to two, on different features."""
        most = 2 if isinstance(move.tile, PlacedWonder) else 1
        if len(move.stands) > most:
            raise PlayError("too_many_meeples", f"{len(move.stands)} meeples are set, where the tile allows {most}")
        placements, hand = move.tile.placements, Counter(self.hands[move.player])
        if most == 2:
            hand["meeple"] -= 1
        stood = []
        for stand in move.stands:
            piece = _piece(move.player, stand, placements)
            if hand[stand.kind] < 1:
                raise PlayError("no_piece_left", f"{move.player} has no {stand.kind} left to set")
            if laying.holding(laying.root((stand.square, stand.segment))).pieces:
                raise PlayError("feature_occupied", "a meeple stands on that feature already", square=stand.square)
            hand[stand.kind] -= 1
            laying.stand(piece)
            stood.append(piece)
        return tuple(stood)

    def _entries(
        self, move: Move, laying: Laying, stood: tuple[PlacedMeeple, ...], completed: list[Feature]
    ) -> tuple[ScoreEntry, ...]:
        """The points of a turn: bonuses before the features that bring them."""
        everyone = (*self._standing, *stood)
        knights = [piece for piece in everyone if self._stands_in_a_city(piece, move.tile)]
        return (
            *notre_dame(laying, stood, self.in_effect),
            *stonehenge(completed, move.player, self.in_effect),
            *tikal(completed, knights, self.in_effect),
            *completed_features(completed, self.setup.rules),
        )

    def _stands_in_a_city(self, piece: PlacedMeeple, tile: Laid) -> bool:
        placement = self._tracker.tiles.get(piece.square) or tile.placements[piece.square]
        return piece.segment is not None and placement.layout.segments[piece.segment].kind == "city"

    def _taken(self, move: Move, track: ScoreTrack) -> tuple[ScoreTrack, tuple[str, ...]]:
        """ "3. Scoring a feature and getting a wonder tile", with its special case of several players in one turn."""
        left = self.wonders_left
        for taking in move.takes:
            if taking.player not in track.claimants():
                raise PlayError("wonder_not_reached", f"{taking.player} has reached no wonder", player=taking.player)
            if taking.wonder not in left:
                raise PlayError("wonder_not_available", f"{taking.wonder} is not laid out", wonder=taking.wonder)
            track, left = track.took(taking.player), tuple(wonder for wonder in left if wonder != taking.wonder)
        return track, left

    def _move_pieces(self, stood: Iterable[PlacedMeeple], returned: Iterable[PlacedMeeple]) -> None:
        for piece in stood:
            self.hands[piece.colour][piece.kind] -= 1
            self._standing[piece] = None
        for piece in returned:
            self.hands[piece.colour][piece.kind] += 1
            del self._standing[piece]

    def _hand_out(self, move: Move) -> None:
        """Move wonders from the table to their players and on to the board; meeples come with them."""
        if isinstance(move.tile, PlacedWonder):
            laid = move.tile.layout.id
            self.in_front[move.player] = tuple(wonder for wonder in self.in_front[move.player] if wonder != laid)
            self._laid_in[laid] = move.player, len(self.turns)
        for taking in move.takes:
            first = not any(taking.player == other for other in self._owners())
            self.hands[taking.player]["meeple"] += MEEPLES_WITH_FIRST if first else MEEPLES_WITH_SECOND
            self.in_front[taking.player] += (taking.wonder,)

    def _owners(self) -> Iterator[str]:
        yield from (owner for owner, _ in self._laid_in.values())
        yield from (player for player, waiting in self.in_front.items() if waiting)


def _piece(player: str, stand: Stand, placements: dict[Square, Placement]) -> PlacedMeeple:
    """The piece that a stand sets on a laid tile; raises PlayError where it cannot stand."""
    placement = placements.get(stand.square)
    if placement is None:
        raise PlayError("not_on_the_tile", "a meeple is set on the tile just laid", square=stand.square)
    if not 0 <= stand.segment < len(placement.layout.segments):
        raise PlayError("no_such_segment", f"the tile has no segment {stand.segment}", square=stand.square)
    kind = placement.layout.segments[stand.segment].kind
    if stand.kind not in PIECES or kind not in PIECES[stand.kind].stands_on or not strength(stand.kind):
        raise PlayError("wrong_place", f"a {stand.kind} is not set on a {kind}", square=stand.square)
    return PlacedMeeple(player, stand.square, stand.segment, "lying" if kind == "field" else "standing", stand.kind)


def _marker(move: Move) -> PlacedMeeple | None:
    """ "1. Placing a wonder tile": the meeple that marks a wonder, upside down on the wonder itself."""
    if not isinstance(move.tile, PlacedWonder):
        return None
    layout, squares = move.tile.layout, move.tile.squares
    cell = layout.squares.index((int(layout.marker[1]), int(layout.marker[0])))
    segment = next(index for index, part in enumerate(layout.cells[cell].segments) if part.kind == "wonder")
    return PlacedMeeple(move.player, squares[cell], segment, "upside_down")
