"""Whole random games: the engine compared with the board on the table, at every step."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder
from scoring.carcassonne.board.box_rules import BoxRules
from scoring.carcassonne.board.features import FeatureMap, build_feature_map
from scoring.carcassonne.board.label import write_label
from scoring.carcassonne.board.notation import parse_notation, parse_tile
from scoring.carcassonne.board.pieces import get_piece_strength
from scoring.carcassonne.board.problems import find_problems
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.final.sheet import list_rule_sections
from scoring.carcassonne.play.game import Game, Setup, Turn
from scoring.carcassonne.record.record import Record
from scoring.carcassonne.record.text import format_record, parse_record
from scoring.errors import RecordError
from scoring.score_entry import ScoreEntry
from tests.scoring.carcassonne.play.turns import move, play, refused
from tests.scoring.games import SETUPS, find_feature, random_game
from tests.scoring.outside import needs_shared, referee

seeds = st.integers(0, 2**32 - 1)
many = settings(max_examples=int(os.environ.get("GAMES", "1")), phases=[Phase.generate], database=None)
"""Number of games of each kind; the variable GAMES asks for more. No smaller seed explains a failure."""
few = settings(many, max_examples=2)
PARTS_OF_OTHERS = ("inns", "abbot", "two wonders")
"""Kinds of games whose boxes and wonders others have as well, left to the long run."""


def in_short(entry: ScoreEntry) -> tuple[str, int, str, str]:
    return entry.player, entry.points, entry.rule, entry.text


class Watch:
    """An observer of every move: points of a turn against the final scoring of the board before its meeples go home."""

    def __init__(self) -> None:
        self.points: Counter[str] = Counter()
        self.rules: Counter[str] = Counter()
        self.before: tuple[PlacedMeeple, ...] = ()
        self.second_half = False

    def __call__(self, game: Game, turn: Turn) -> None:
        board = game.board()
        abbot = _recalled(turn)
        standing = Board(board.tiles, (*board.meeples, *(piece for piece in turn.returned if piece not in abbot)))
        features = build_feature_map(standing)
        sheet = compute_final_scoring(standing, features, game.setup.rules)
        complete = [e for e in sheet.entries if e.rule.endswith(".finished")]
        scored = [e for e in turn.entries if not e.rule.startswith(("wonder.", "abbot."))]
        assert Counter(map(in_short, scored)) == Counter(map(in_short, complete))
        recalled = {e.player: e.points for e in turn.entries if e.rule == "abbot.recalled"}
        assert recalled == (compute_final_scoring(Board(board.tiles, abbot)).totals if abbot else {})
        self._the_builder_lets_its_player_move_again(game, turn)
        for entry in turn.entries:
            assert list_rule_sections(entry.rule, entry.values)
            self.points[entry.player] += entry.points
            self.rules[entry.rule] += 1
        assert {player: self.points[player] for player in game.setup.players} == game.scores == turn.scores
        bonuses = Counter((e.player, e.points, e.rule) for e in turn.entries if e.rule.startswith("wonder."))
        assert bonuses == Counter(_bonuses(game, turn, features))
        self._features_are_those_of_the_board(game, turn, features)
        self._nobody_loses_a_piece(game, board)

    def _features_are_those_of_the_board(self, game: Game, turn: Turn, features: FeatureMap) -> None:
        symbols = Counter(s.goods for f in features if f.complete for s in f.segments if s.goods)
        assert symbols == {kind: counts.total() for kind, counts in game.goods.items()}
        by_members = {frozenset(f.members): f for f in features}
        tracked = list(game.features())
        assert len(tracked) == len(by_members)
        for holding in tracked:
            feature = by_members[frozenset(holding.members)]
            assert holding.kind == feature.kind
            assert Counter(holding.pieces) == Counter(feature.pieces) - Counter(turn.returned)
            assert not (feature.complete and holding.pieces)
            assert feature.kind not in ("road", "city") or feature.complete == (holding.open_ends == 0)

    def _the_builder_lets_its_player_move_again(self, game: Game, turn: Turn) -> None:
        player = turn.move.player
        squares = {*turn.move.tile.placements, *(turn.move.extra.placements if turn.move.extra else ())}
        builders = [p for p in self.before if (p.colour, p.kind) == (player, "builder") and p.segment is not None]
        roads = [find_feature(game, piece.square, piece.segment or 0) for piece in builders]
        extended = any(square in squares for road in roads for square, _ in road.members)
        assert turn.again == game.is_second_half == (extended and not self.second_half)
        seats = game.setup.players
        assert game.on_turn == seats[(seats.index(player) + (not turn.again)) % len(seats)]
        self.before, self.second_half = game.board().meeples, turn.again

    def _nobody_loses_a_piece(self, game: Game, board: Board) -> None:
        out = Counter((meeple.colour, meeple.kind) for meeple in board.meeples)
        for player in game.setup.players:
            got = 2 * (game.track.wonder_counts[player] > 0) + (game.track.wonder_counts[player] > 1)
            for kind, number in game.setup.supply.items():
                assert game.hands[player][kind] + out[player, kind] == number + got * (kind == "meeple")
            assert min(game.hands[player].values()) >= 0


def _recalled(turn: Turn) -> tuple[PlacedMeeple, ...]:
    """Return the abbot that a turn's player takes back."""
    abbot = (turn.move.player, "abbot")
    return tuple(p for p in turn.returned if turn.move.recalls_abbot and (p.colour, p.kind) == abbot)


def _bonuses(game: Game, turn: Turn, features: FeatureMap) -> Iterator[tuple[str, int, str]]:
    """Return the wonders' bonuses of a turn, counted on the features before its meeples go home."""
    owners = {
        wonder: owner
        for wonder, owner, turn_number in _laid_wonders(game)
        if _over(game, 1) - turn_number >= _seats(game)
    }
    completed = [f for f in features if f.complete and f.strengths]
    for wonder, owner in owners.items():
        if wonder == "WH/stonehenge" and owner == turn.move.player:
            yield from [(owner, 3, "wonder.stonehenge") for f in completed if f.kind == "road"]
        elif wonder == "WH/notre-dame" and owner == turn.move.player:
            monasteries = [f.members[0][0] for f in features if f.kind == "monastery"]
            for row, col in (stand.square for stand in turn.move.stands if get_piece_strength(stand.kind)):
                if any(0 < max(abs(row - r), abs(col - c)) == 1 for r, c in monasteries):
                    yield owner, 3, "wonder.notre-dame"
        elif wonder == "WH/tikal":
            knights = [p for f in features if f.kind == "city" for p in f.pieces if get_piece_strength(p.kind)]
            knight_count = sum(piece.colour == owner for piece in knights)
            large = [f for f in completed if f.kind == "city" and f.size > 2 and owner in f.strengths]
            yield from [(owner, 2 * knight_count, "wonder.tikal")] * len(large)


def _laid_wonders(game: Game) -> Iterator[tuple[str, str, int]]:
    """Return each wonder on the board, the player who laid it, and the number of turns before."""
    for moves_since, turn in zip(range(len(game.turns), 0, -1), game.turns, strict=True):
        if isinstance(turn.move.tile, PlacedWonder):
            yield turn.move.tile.layout.id, turn.move.player, _over(game, moves_since)


def _over(game: Game, moves: int) -> int:
    """Return the turns completed before the last moves, a builder's double turn being one."""
    return sum(not turn.again for turn in game.turns[: len(game.turns) - moves])


def _seats(game: Game) -> int:
    return len(game.setup.players)


@many
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.soak) if name in PARTS_OF_OTHERS else name for name in SETUPS]
)
@given(seed=seeds)
def test_every_turn_scores_the_points_of_the_board(name: str, seed: int) -> None:
    watch = Watch()
    game = random_game(SETUPS[name], seed, watch)
    board = replace(game.board(), boxes={"base": game.setup.base_games})
    assert find_problems(board, in_play=len(board.tiles)) == ()  # some tiles fit nowhere
    assert game.totals() == {p: game.scores[p] + game.final().totals[p] for p in game.setup.players}
    assert len(game.board().tiles) > 60


@few
@pytest.mark.parametrize("mirrored", [False, pytest.param(True, marks=pytest.mark.soak)], ids=["turned", "mirrored"])
@pytest.mark.parametrize("name", ["base", "everything"])
@given(seed=seeds)
def test_rotating_or_mirroring_the_seats_changes_nothing(name: str, mirrored: bool, seed: int) -> None:
    setup = SETUPS[name]
    others = setup.players[::-1] if mirrored else (*setup.players[1:], setup.players[0])
    seats = dict(zip(setup.players, others, strict=True))
    one = random_game(setup, seed)
    game = renamed(one, seats)
    assert game.scores == {seats[player]: points for player, points in one.scores.items()}
    assert game.totals() == {seats[player]: points for player, points in one.totals().items()}


def renamed(played: Game, seats: dict[str, str]) -> Game:
    """Rename every player of a game."""
    game = Game(replace(played.setup, players=tuple(seats[player] for player in played.setup.players)))
    for turn in played.turns:
        takes = tuple(replace(taking, player=seats[taking.player]) for taking in turn.move.takes)
        game.play(replace(turn.move, player=seats[turn.move.player], takes=takes))
    return game


@needs_shared
@few
@given(seed=seeds)
def test_the_referee_agrees_on_the_final_board_of_a_game(seed: int) -> None:
    """Base tiles except some it lacks; no farmers on fields that meet no edge, which it cannot name."""
    game = random_game(SETUPS["base"], seed)
    board = game.board()
    board = _from_the_corner(Board(board.tiles, tuple(m for m in board.meeples if _has_a_name(board, m))))
    content = write_label(board)
    points = dict.fromkeys(board.players, 0) | referee().Board(content).final()[0]
    assert compute_final_scoring(board).totals == points


def _from_the_corner(board: Board) -> Board:
    """Move a board so that its rows and columns begin at 0."""
    top, left = min(row for row, _ in board.tiles), min(col for _, col in board.tiles)
    return Board(
        {(row - top, col - left): placement for (row, col), placement in board.tiles.items()},
        tuple(replace(m, square=(m.square[0] - top, m.square[1] - left)) for m in board.meeples),
    )


def _has_a_name(board: Board, meeple: PlacedMeeple) -> bool:
    placement = board.tiles[meeple.square]
    assert placement is not None
    assert meeple.segment is not None
    segment = placement.layout.segments[meeple.segment]
    return segment.kind == "monastery" or bool(segment.edges)


def test_the_games_reach_every_bonus() -> None:
    """Otherwise the properties above would prove little about them."""
    rules: set[str] = set()
    goods: set[str] = set()
    halves = 0
    for seed in (3, 4):
        game = random_game(SETUPS["everything"], seed)
        rules |= {entry.rule for turn in game.turns for entry in turn.entries}
        halves += sum(turn.again for turn in game.turns)
        goods |= set(game.goods)
    assert {"wonder.notre-dame", "wonder.stonehenge", "wonder.tikal"} <= rules
    assert {"garden.finished", "abbot.recalled"} <= rules
    assert halves
    assert goods == {"wine", "grain", "cloth"}


BOXES = ("base", "inns", "traders", "abbot")


def start(*off: str, tile: str = "D1") -> Game:
    rules = BoxRules(off=frozenset(off))
    return Game(Setup(("red", "blue"), BOXES, start=parse_tile(tile), box_rules=rules))


def points(game: Game, words: str) -> list[tuple[str, int, str]]:
    return [(entry.player, entry.points, entry.rule) for entry in play(game, words).entries]


@pytest.mark.parametrize(("off", "brought"), [((), 6), (("traders",), 6), (("inns",), 3)])
def test_a_finished_road_with_an_inn_scores_by_the_rules_played(off: tuple[str, ...], brought: int) -> None:
    game = start(*off, tile="A1")
    play(game, "(IC/RFr.iG)0@0,-1 rE")
    assert points(game, "A3@0,-2") == [("red", brought, "road.finished")]


def test_a_big_meeple_counts_as_one_without_its_rules() -> None:
    game = start("inns")
    play(game, "U1@-1,0 big:rN")
    (road,) = [feature for feature in game.features() if feature.pieces]
    assert [piece.kind for piece in road.pieces] == ["big"]
    assert game.board().box_rules == game.setup.box_rules


def test_builder_and_pig_cannot_be_placed_without_their_rules() -> None:
    game = start("traders")
    play(game, "U1@-1,0 rN", "B0@0,-1")
    assert refused(game, "U1@-2,0 builder:rN") == "no_piece_left"
    assert game.free_features(move(game, "U1@-2,0").tile, kind="builder") == []
    assert start().to_set("red")["builder"] == 1
    assert {*start("traders").to_set("red")} == {"meeple", "big", "abbot"}


def test_a_builder_on_the_board_gives_no_second_turn_without_its_rules() -> None:
    board = parse_notation("U0U0 red^0,0=rE red.builder^0,1=rE")
    for off, again in ((frozenset[str](), True), (frozenset({"traders"}), False)):
        found = replace(board, box_rules=BoxRules(off=off))
        game = Game(Setup(("red", "blue"), BOXES, start_board=found))
        assert game.setup.box_rules == BoxRules(off=off)
        assert play(game, "U0@0,2").again is again


def test_goods_are_not_taken_without_their_rules() -> None:
    for off, taken in (((), {"grain": 1}), (("traders",), {})):
        game = Game(
            Setup(("red", "blue"), BOXES, start=parse_tile("(TB/CRc.g)0"), box_rules=BoxRules(off=frozenset(off)))
        )
        play(game, "E1@0,-1")
        assert dict(play(game, "E3@0,1").goods) == taken


def test_an_abbot_is_neither_placed_nor_taken_back_without_its_rules() -> None:
    board = replace(parse_notation("B0B0 red.abbot^0,0=M"), box_rules=BoxRules(off=frozenset({"abbot"})))
    game = Game(Setup(("red", "blue"), BOXES, start_board=board))
    assert refused(game, "B0@1,0 recalls:abbot") == "no_abbot_out"
    assert refused(game, "B0@1,0 abbot:M") == "no_piece_left"


def test_a_record_keeps_the_box_rules() -> None:
    for rules in (BoxRules(), BoxRules.of({"inns": False, "traders": True})):
        game = Game(Setup(("red", "blue"), BOXES, start=parse_tile("A1"), box_rules=rules))
        play(game, "(IC/RFr.iG)0@0,-1 rE")
        text = format_record(Record.of(game))
        assert ("rules C3 inns=off,traders=on\n" in text) == bool(rules)
        assert parse_record(text) == Record.of(game)
        assert parse_record(text).replay().setup.box_rules == rules
    with pytest.raises(RecordError) as error:
        parse_record(text.replace("inns=off", "inns=maybe"))
    assert (error.value.code, error.value.line) == ("bad_box_rules", 4)
