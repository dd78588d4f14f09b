"""Whole random games: the engine against the board that lies, at every step."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.carcassonne.board import Board
from scoring.carcassonne.features import features
from scoring.carcassonne.final import final_scoring
from scoring.carcassonne.play import Game, Turn
from scoring.carcassonne.sheet import ScoreEntry
from tests.scoring.games import SETUPS, random_game

seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=5)


def in_short(entry: ScoreEntry) -> tuple[str, int, str, str]:
    return entry.player, entry.points, entry.rule, entry.text


class Watch:
    """Looks on after every move: points of a turn against the final scoring of the board before its meeples go home."""

    def __init__(self) -> None:
        self.points: Counter[str] = Counter()
        self.rules: Counter[str] = Counter()

    def __call__(self, game: Game, turn: Turn) -> None:
        board = game.board()
        standing = Board(board.tiles, (*board.meeples, *turn.returned))
        rules = game.setup.rules
        complete = [e for e in final_scoring(standing, rules=rules).entries if e.rule.endswith(".finished")]
        scored = [e for e in turn.entries if not e.rule.startswith("wonder.")]
        assert Counter(map(in_short, scored)) == Counter(map(in_short, complete))
        for entry in turn.entries:
            assert entry.section
            self.points[entry.player] += entry.points
            self.rules[entry.rule] += 1
        assert {player: self.points[player] for player in game.setup.players} == game.scores == turn.scores
        self._features_are_those_of_the_board(game, board)
        self._nobody_loses_a_piece(game, board)

    def _features_are_those_of_the_board(self, game: Game, board: Board) -> None:
        found = {frozenset(f.members): (f.kind, Counter(f.pieces), f.complete) for f in features(board)}
        tracked = list(game.features())
        assert len(tracked) == len(found)
        for held in tracked:
            kind, pieces, complete = found[frozenset(held.members)]
            assert (held.kind, Counter(held.pieces)) == (kind, pieces)
            assert kind not in ("road", "city") or complete == (held.open_ends == 0)

    def _nobody_loses_a_piece(self, game: Game, board: Board) -> None:
        out = Counter((meeple.colour, meeple.kind) for meeple in board.meeples)
        for player in game.setup.players:
            got = 2 * (game.track.taken[player] > 0) + (game.track.taken[player] > 1)
            for kind, number in game.setup.supply.items():
                assert game.hands[player][kind] + out[player, kind] == number + got * (kind == "meeple")
            assert min(game.hands[player].values()) >= 0


@few
@pytest.mark.parametrize("name", SETUPS)
@given(seed=seeds)
def test_every_turn_scores_what_the_board_says(name: str, seed: int) -> None:
    watch = Watch()
    game = random_game(SETUPS[name], seed, watch)
    assert game.board().problems() == ()
    assert game.totals() == {p: game.scores[p] + game.final().totals[p] for p in game.setup.players}
    assert len(game.board().tiles) > 60


@few
@pytest.mark.parametrize("name", ["base", "wonders"])
@given(seed=seeds)
def test_naming_the_seats_otherwise_changes_nothing(name: str, seed: int) -> None:
    setup = SETUPS[name]
    seats = dict(zip(setup.players, (*setup.players[1:], setup.players[0]), strict=True))
    one = random_game(setup, seed)
    game = renamed(one, seats)
    assert game.scores == {seats[player]: points for player, points in one.scores.items()}
    assert game.totals() == {seats[player]: points for player, points in one.totals().items()}


def renamed(played: Game, seats: dict[str, str]) -> Game:
    """The same game with every player under another name."""
    game = Game(replace(played.setup, players=tuple(seats[player] for player in played.setup.players)))
    for turn in played.turns:
        takes = tuple(replace(taking, player=seats[taking.player]) for taking in turn.move.takes)
        game.play(replace(turn.move, player=seats[turn.move.player], takes=takes))
    return game


def test_the_games_reach_every_bonus() -> None:
    """Else the properties above would say little about them."""
    rules: set[str] = set()
    for seed in range(3):
        watch = Watch()
        random_game(SETUPS["two wonders"], seed, watch)
        rules |= set(watch.rules)
    assert {"wonder.notre-dame", "wonder.stonehenge", "wonder.tikal"} <= rules
