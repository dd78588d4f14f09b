"""A game of Carcassonne with The Wonders of Humanity, played turn by turn.

A `Game` owns its state and changes it only through `play`, which refuses illegal moves and then leaves everything as it
was. The draw is part of each move: a game knows the remaining tiles, but not their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder, list_markers
from scoring.carcassonne.board.features import Feature, Member
from scoring.carcassonne.board.pieces import PIECES
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.final.sheet import ScoreSheet
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.play.moves import Laid, Move, PlacedTile, Stand, Taking, Turn
from scoring.carcassonne.play.pieces import build_wonder_marker, find_piece_violation, find_recalled_abbot, place_pieces
from scoring.carcassonne.play.placement import find_tile_places, find_tile_violation, find_wonder_places
from scoring.carcassonne.play.running_features import Holding, Laying, Tracker
from scoring.carcassonne.play.score_track import ScoreTrack
from scoring.carcassonne.play.scoring import (
    count_goods,
    score_completed_features,
    score_notre_dame,
    score_recalled_abbot,
    score_stonehenge,
    score_tikal,
)
from scoring.carcassonne.play.setup import Setup
from scoring.carcassonne.play.stack import (
    Stack,
    Supply,
    build_remaining_stack,
    build_stack,
    draw_tiles,
    parse_tile_name,
    refuse_wrong_removals,
)
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.errors import PlayError
from scoring.score_entry import ScoreEntry

__all__ = ["Game", "Move", "PlacedTile", "Setup", "Stand", "Taking", "Turn"]

ABU_SIMBEL = "WH/abu-simbel"
MEEPLES_WITH_FIRST, MEEPLES_WITH_SECOND = 2, 1
"""By the rules: meeples that come with a player's first and second wonder."""
_REASONS = {
    "square_taken": "a tile lies there already",
    "touches_nothing": "a tile is laid side to side with one that lies",
    "edge_mismatch": "an edge does not go on in its neighbour",
    "river_not_continued": "a river tile goes on with the river",
    "river_turns_back": "the river must not turn straight back",
}


@dataclass(frozen=True)
class _Outcome:
    """Effects of a move: pieces set and returned, points, and the remaining tiles and wonders."""

    supply: Supply
    laying: Laying
    stood: tuple[PlacedMeeple, ...]
    entries: tuple[ScoreEntry, ...]
    returned: tuple[PlacedMeeple, ...]
    track: ScoreTrack
    wonders_left: tuple[str, ...]
    goods: Mapping[str, int]
    again: bool


class Game:
    """A game under way. Squares are (row, col) relative to the first tile at (0, 0).

    `goods` are the tokens taken, by kind, then by player. `is_second_half`: the player on turn is in the second half of
    a builder's double turn.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.supply = Supply(self._stack_at_start())
        self.track = ScoreTrack.at_start(setup.players, setup.wonders_each if setup.wonders else 0)
        self.hands = {player: self._hand_at_start() for player in setup.players}
        self.wonders_left = setup.wonders
        self.in_front: dict[str, tuple[str, ...]] = dict.fromkeys(setup.players, ())
        self.goods: dict[str, Counter[str]] = {}
        self.turns: list[Turn] = []
        self.is_second_half = False
        self._turns_over = 0
        self._laid_in: dict[str, tuple[str, int]] = {}
        self._standing: dict[PlacedMeeple, None] = {}
        self._tracker = Tracker(setup.box_rules)
        if setup.start_board is None:
            laying = Laying(self._tracker)
            laying.lay({(0, 0): setup.first_tile})
            self._tracker.commit(laying)
        else:
            self._take_up(setup.start_board)

    @property
    def on_turn(self) -> str:
        """Return the player on turn."""
        return self.setup.players[self._turns_over % len(self.setup.players)]

    def to_set(self, player: str) -> Counter[str]:
        """Return the pieces that a player may set: a meeple is reserved for each wonder that waits to be laid and
        marked.

        "1. Placing a wonder tile": the marker is one of the meeples that came with the wonder. A piece whose only
        effect comes from the rules of its box is not set if these are not played.
        """
        hand = Counter({kind: number for kind, number in self.hands[player].items() if not self._is_idle(kind)})
        return hand - Counter(meeple=len(self.in_front[player]))

    @property
    def waiting(self) -> tuple[str, ...]:
        """Return the wonders of which the player on turn must lay one.

        "1. Placing a wonder tile" (in the German text: at the beginning of one's turn). The rule texts do not mention a
        builder's double turn: it is treated as one turn, so a wonder gained in its first half waits for the next turn.
        """
        return () if self.is_second_half else self.in_front[self.on_turn]

    @property
    def scores(self) -> dict[str, int]:
        """Return the points so far, in turn order."""
        return dict(self.track.points)

    @property
    def is_over(self) -> bool:
        """Return whether the game is over (base game, "End of the game"): no remaining tile fits anywhere."""
        return not any(self.places(tile) for tile in self.supply.left())

    def board(self) -> Board:
        """Return the current board."""
        return Board(self._tracker.tiles, tuple(self._standing), box_rules=self.setup.box_rules)

    def features(self) -> Iterator[Holding]:
        """Yield every feature on the table, in no particular order."""
        return self._tracker.holdings()

    def final(self) -> ScoreSheet:
        """Return the final scoring of the current table, without the points so far."""
        table = Table(self.setup.players, goods=self.goods)
        return compute_final_scoring(self.board(), rules=self.setup.rules, table=table)

    def totals(self) -> dict[str, int]:
        """Return the points including the final scoring, in turn order."""
        final = self.final().totals
        return {player: points + final[player] for player, points in self.track.points.items()}

    def places(self, tile: str) -> list[PlacedTile]:
        """Return every way to lay a tile now; equivalent orientations occur once."""
        return list(find_tile_places(parse_tile_name(tile), self._tracker.tiles, sorted(self._tracker.frontier)))

    def free_features(
        self, tile: Laid, extra: PlacedTile | None = None, kind: str = "meeple"
    ) -> list[tuple[Member, ...]]:
        """Return the segments where a piece could stand if a tile were laid, grouped by feature."""
        laying = self._laying(tile, extra)
        members_by_root: dict[Member, tuple[Member, ...]] = {}
        for square, placement in tile.placements.items():
            for index, segment in enumerate(placement.layout.segments):
                root = laying.root((square, index))
                piece = PlacedMeeple(self.on_turn, square, index, kind=kind)
                may_stand = segment.kind in PIECES[kind].stands_on and not self._is_idle(kind)
                if may_stand and not find_piece_violation(piece, laying.holding(root)):
                    members_by_root[root] = (*members_by_root.get(root, ()), (square, index))
        return list(members_by_root.values())

    def claimants(self, move: Move) -> tuple[str, ...]:
        """Return the players who could take a further wonder after a move and the wonders it takes; raise PlayError."""
        return self._outcome(move).track.claimants()

    def in_effect(self, wonder: str) -> str | None:
        """Return the owner of a wonder that is in effect now.

        It takes effect from its owner's first turn after the one in which it was laid: "3. Scoring a wonder" and its
        footnote on the sentence that the first revision removed; by that sentence (rule set C3-original), from the turn
        in which it was laid.
        """
        if wonder not in self._laid_in:
            return None
        owner, turn = self._laid_in[wonder]
        wait = 0 if self.setup.rules.wonders_at_once else len(self.setup.players)
        return owner if self._turns_over >= turn + wait else None

    def worth(self, move: Move) -> tuple[ScoreEntry, ...]:
        """Return the points of a move; raise PlayError if it is illegal."""
        return self._outcome(move).entries

    def play(self, move: Move) -> Turn:
        """Make a move; raise PlayError, whose code names the violated rule, and change nothing if it is illegal.

        Codes: not_your_turn, game_over, wonder_waits, no_such_wonder, wonder_not_yet, wonder_fits, tile_fits,
        not_in_stack, must_keep_a_tile, kept_tile_lost, nothing_to_keep, no_extra_tile; square_taken, touches_nothing,
        edge_mismatch, river_not_continued, river_turns_back; too_many_meeples, one_action, not_on_the_tile,
        no_such_segment, wrong_place, no_piece_left, feature_occupied, no_follower_there, no_abbot_out;
        wonder_not_reached, wonder_not_available, wonder_not_taken.
        """
        outcome = self._outcome(move)
        if claimants := outcome.track.claimants():
            raise PlayError("wonder_not_taken", f"{', '.join(claimants)} must take a wonder", players=claimants)
        self._tracker.commit(outcome.laying)
        self.supply, self.track, self.wonders_left = outcome.supply, outcome.track, outcome.wonders_left
        self._move_pieces(outcome.stood, outcome.returned)
        self._hand_out(move, outcome.goods)
        self.turns.append(
            Turn(move, outcome.entries, outcome.returned, dict(outcome.track.points), outcome.goods, outcome.again)
        )
        self.is_second_half = outcome.again
        self._turns_over += not outcome.again
        return self.turns[-1]

    def _outcome(self, move: Move) -> _Outcome:
        """Return all effects of a move without changing the game."""
        self._refuse_wrong_tile(move)
        supply = self._drawn(move)
        laying = self._laying(move.tile, move.extra)
        again = self._builds_on(move.player, laying)
        hand, mark = self.to_set(move.player), build_wonder_marker(move, self.hands[move.player])
        if mark and mark.kind != "meeple":
            hand.subtract([mark.kind])
        stood = place_pieces(move, laying, hand)
        recalled, pay = self._recalled(move, laying)
        completed = {root: laying.feature(root, complete=True) for root in laying.completed()}
        occupied = {root: feature for root, feature in completed.items() if feature.pieces}
        entries = (*pay, *self._entries(move, laying, stood, list(occupied.values())))
        track, wonders_left = self._taken(move, self.track.scored(entries))
        returned = (*recalled, *(piece for root in occupied for piece in laying.clear(root)))
        if mark:
            laying.stand(mark)
            stood = (*stood, mark)
        goods = count_goods(completed.values())
        return _Outcome(supply, laying, stood, entries, returned, track, wonders_left, goods, again)

    def _drawn(self, move: Move) -> Supply:
        """Return the supply after a move; raise PlayError if its draw is illegal."""
        return draw_tiles(self.supply, move, chooses=self.in_effect(ABU_SIMBEL) == move.player)

    def _builds_on(self, player: str, laying: Laying) -> bool:
        """Return whether the player moves again for extending the road or city of their builder (Traders & Builders,
        "Builder").

        The second half of a double turn brings no third one. The wonders' rules assume this; a wonder tile extends a
        builder's feature like any other tile.
        """
        pieces = (piece for root in laying.touched() for piece in laying.holding(root).pieces)
        builds = any((p.colour, p.kind) == (player, "builder") for p in pieces) and not self._is_idle("builder")
        return builds and not self.is_second_half

    def _is_idle(self, kind: str) -> bool:
        """Return whether pieces of a kind have no effect because the rules of their box are not played: all but a big
        meeple.
        """
        return kind != "big" and self.setup.box_rules.ignores(PIECES[kind].box)

    def _recalled(self, move: Move, laying: Laying) -> tuple[tuple[PlacedMeeple, ...], tuple[ScoreEntry, ...]]:
        """Return the abbot that a move takes back, and its points."""
        if not move.recalls_abbot:
            return (), ()
        standing = () if self._is_idle("abbot") else (piece for piece in self._standing if not self._is_marker(piece))
        abbot = find_recalled_abbot(move, standing)
        feature = laying.feature(laying.lift(abbot), complete=False)
        return (abbot,), (score_recalled_abbot(feature, move.player, self.setup.rules),)

    def _refuse_wrong_tile(self, move: Move) -> None:
        """Raise PlayError for an illegal tile. "1. Placing a wonder tile": a player with a wonder lays it and draws no
        tile.
        """
        if move.player != self.on_turn:
            raise PlayError("not_your_turn", f"it is {self.on_turn}'s turn, not {move.player}'s")
        if self.supply.is_empty:
            raise PlayError("game_over", "the last tile has been laid")
        waiting, tiles, frontier = self.waiting, self._tracker.tiles, self._tracker.frontier
        if isinstance(move.tile, PlacedWonder):
            if move.tile.layout.id not in self.in_front[move.player]:
                raise PlayError("no_such_wonder", f"{move.player} has no {move.tile.layout.name} to lay")
            if not waiting:
                raise PlayError("wonder_not_yet", "a wonder is laid at the beginning of a turn, not in its second half")
            if (move.extra or move.removed) and any(find_wonder_places(move.tile.layout, tiles, frontier)):
                raise PlayError("wonder_fits", f"{move.tile.layout.name} fits: no tile is drawn for it")
        elif waiting:
            raise PlayError("wonder_waits", f"{move.player} has to lay {WONDERS[waiting[0]]} before drawing tiles")
        refuse_wrong_removals(move, tiles, frontier)

    def _laying(self, tile: Laid, extra: PlacedTile | None) -> Laying:
        laying = Laying(self._tracker)
        tiles = self._tracker.tiles
        for addition in (extra, tile) if extra else (tile,):
            placements = addition.placements
            if code := find_tile_violation(placements, tiles):
                raise PlayError(code, _REASONS[code], squares=tuple(placements))
            laying.lay(placements)
            if addition is extra:
                tiles = {**tiles, **placements}
        return laying

    def _entries(
        self, move: Move, laying: Laying, stood: tuple[PlacedMeeple, ...], completed: list[Feature]
    ) -> Iterator[ScoreEntry]:
        """Yield the points of a turn: bonuses before the features that cause them."""
        tiles = {**self._tracker.tiles, **move.tile.placements}
        knights = [piece for piece in (*self._standing, *stood) if piece.stands_on(tiles[piece.square]) == "city"]
        owner = partial(self._owner_in_effect, move)
        yield from score_notre_dame(laying, stood, owner)
        yield from score_stonehenge(completed, move.player, owner)
        yield from score_tikal(completed, knights, owner)
        yield from score_completed_features(completed, self.setup.rules)

    def _owner_in_effect(self, move: Move, wonder: str) -> str | None:
        """Return the owner of a wonder that is in effect in a move, which may lay it."""
        if isinstance(move.tile, PlacedWonder) and move.tile.layout.id == wonder:
            return move.player if self.setup.rules.wonders_at_once else None
        return self.in_effect(wonder)

    def _is_marker(self, piece: PlacedMeeple) -> bool:
        return not piece.is_neutral and piece.stands_on(self._tracker.tiles[piece.square]) == "wonder"

    def _taken(self, move: Move, track: ScoreTrack) -> tuple[ScoreTrack, tuple[str, ...]]:
        """Return the track and the remaining wonders after a move's takings; raise PlayError if one is illegal.

        "3. Scoring a feature and getting a wonder tile", with its special case of several players in one turn.
        """
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
            self.hands[piece.colour].subtract(self._list_used(piece))
            self._standing[piece] = None
        for piece in returned:
            self.hands[piece.colour][piece.kind] += 1
            del self._standing[piece]

    def _list_used(self, piece: PlacedMeeple) -> set[str]:
        """Return the kinds of which a piece uses one from its player's hand.

        "Preparation", note: a marker is one of the figures that come with the wonder. A marker of another kind replaces
        a meeple, and is no longer in hand if the game's boxes gave the player one.
        """
        if not self._is_marker(piece):
            return {piece.kind}
        return {"meeple", piece.kind} & {"meeple", *self.setup.supply}

    def _hand_out(self, move: Move, goods: Mapping[str, int]) -> None:
        """Move wonders from the table to their players and to the board, and hand out their meeples and the goods."""
        if isinstance(move.tile, PlacedWonder):
            wonder_id = move.tile.layout.id
            self.in_front[move.player] = tuple(wonder for wonder in self.in_front[move.player] if wonder != wonder_id)
            self._laid_in[wonder_id] = move.player, self._turns_over
        for taking in move.takes:
            first = not any(taking.player == other for other in self._owners())
            self.hands[taking.player]["meeple"] += MEEPLES_WITH_FIRST if first else MEEPLES_WITH_SECOND
            self.in_front[taking.player] += (taking.wonder,)
        for kind, number in goods.items():
            self.goods.setdefault(kind, Counter())[move.player] += number

    def _stack_at_start(self) -> Stack:
        board = self.setup.start_board
        if board is None:
            return build_stack(self.setup.boxes, self.setup.first_tile, self.setup.further)
        lying = (placement for _, placement in board.known)
        return build_remaining_stack(self.setup.boxes, lying, self.setup.further)

    def _hand_at_start(self) -> Counter[str]:
        return Counter(self.setup.supply)

    def _take_up(self, board: Board) -> None:
        """Take up the tiles and pieces of a found board; its wonders belong to the players whose markers are on
        them.
        """
        laying = Laying(self._tracker)
        for square, placement in board.known:
            if placement.wonder is None:
                laying.lay({square: placement})
        for wonder in board.wonders:
            laying.lay(wonder.placements)
            self.wonders_left = tuple(left for left in self.wonders_left if left != wonder.layout.id)
            markers = list_markers(board, wonder)
            if len(markers) > 1:
                text = f"{len(markers)} markers stand on {wonder.layout.name}, which has one owner"
                raise PlayError("bad_start", text)
            for marker in markers:
                self._own(marker.colour, wonder.layout.id)
        for piece in board.meeples:
            laying.stand(piece)
        self._tracker.commit(laying)
        self._move_pieces(board.meeples, ())
        if any(number < 0 for hand in self.hands.values() for number in hand.values()):
            raise PlayError("bad_start", "more pieces stand on the board as found than a player has")
        self.track = replace(self.track, points=dict(zip(self.setup.players, self.setup.points, strict=True)))

    def _own(self, player: str, wonder: str) -> None:
        """Give a player a wonder that was laid at least one round ago, and the meeples that came with it."""
        first = player not in self._owners()
        self.hands[player]["meeple"] += MEEPLES_WITH_FIRST if first else MEEPLES_WITH_SECOND
        self._laid_in[wonder] = player, -len(self.setup.players)
        self.track = self.track.took(player)

    def _owners(self) -> Iterator[str]:
        yield from (owner for owner, _ in self._laid_in.values())
        yield from (player for player, waiting in self.in_front.items() if waiting)
