"""An alternative for all of a player's pieces is one doubt; one for a few of them is theirs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.calibration import load_shares
from scoring.carcassonne.doubt.kinds.meeple import OtherPlace
from scoring.carcassonne.doubt.kinds.player import OtherPlayer
from scoring.carcassonne.doubt.relevance import assess_score_doubts
from tests.vision.doubt.player_colours import FREE, doubt, find_table
from vision.doubt.alternatives import calibrate_probability, find_alternatives
from vision.doubt.player_names import find_player_names
from vision.reading.board import build_board
from vision.reading.values import Reading


def test_an_alternative_for_all_of_a_players_pieces_is_one_doubt() -> None:
    reading, colour = find_table()
    count = sum(meeple.colour == colour for meeple in reading.meeples)
    doubted = doubt(reading, colour, FREE, [0.2] * count)
    board = build_board(doubted)
    (other,) = find_alternatives(doubted, board)
    assert (other.subject, getattr(other, "instead", None)) == (("player", colour), FREE)
    likely = calibrate_probability("colour", 0.2)
    assert other.probability == pytest.approx(likely)
    assert {meeple.colour for meeple in other.on(board).meeples} == {*board.players, FREE} - {colour}
    assert assess_score_doubts(board, [other]).confidence == pytest.approx(1 - likely)


def test_the_probability_for_a_player_is_the_mean_over_their_pieces() -> None:
    reading, colour = find_table()
    count = sum(meeple.colour == colour for meeple in reading.meeples)
    likely = [0.1] * (count - 1) + [0.0]
    names = find_player_names(doubt(reading, colour, FREE, likely).meeples)
    assert names == {(colour, FREE): pytest.approx(sum(likely) / count)}


def test_alternatives_of_one_piece_or_of_another_player_stay_doubts_of_pieces() -> None:
    reading, colour = find_table()
    rival = next(meeple.colour for meeple in reading.meeples if meeple.colour != colour)
    for doubted in (doubt(reading, colour, FREE, [0.2]), doubt(reading, colour, rival, [0.2] * 9)):
        others = list(find_alternatives(doubted, build_board(doubted)))
        assert others
        assert all(isinstance(other, OtherPlace) for other in others)


def test_a_rare_and_a_common_colour_may_belong_to_one_player() -> None:
    """A reflection makes red pieces pink: whether both are one player is asked once, and an answer joins them."""
    reading, colour = find_table()
    rival = next(meeple.colour for meeple in reading.meeples if meeple.colour != colour)
    pink = tuple(replace(m, colour="pink") if m.colour == colour else m for m in reading.meeples)
    doubted = doubt(replace(reading, meeples=pink), "pink", rival, [0.2] * 9)
    board = build_board(doubted)
    (other,) = [o for o in find_alternatives(doubted, board) if getattr(o, "instead", None) == rival]
    assert other.subject == ("player", "pink")
    assert other.probability == pytest.approx(calibrate_probability("split", 0.2))
    assert {meeple.colour for meeple in other.on(board).meeples} == {*board.players} - {"pink"}
    assert not any(isinstance(o, OtherPlace) for o in find_alternatives(doubted, board))


def test_a_players_only_piece_is_doubted_as_a_piece() -> None:
    reading, colour = find_table()
    first = next(meeple for meeple in reading.meeples if meeple.colour == colour)
    rest = tuple(meeple for meeple in reading.meeples if meeple.colour != colour)
    alone = doubt(replace(reading, meeples=(first, *rest)), colour, FREE, [0.2])
    assert not [o for o in find_alternatives(alone, build_board(alone)) if isinstance(o, OtherPlayer)]


def test_a_certain_rare_name_keeps_the_doubt_of_rare_names() -> None:
    reading, colour = find_table()
    rare = doubt(reading, colour, FREE, [1e-4] * 9)
    repainted = tuple(replace(m, colour="white") if m.colour == colour else m for m in rare.meeples)
    few = replace(rare, meeples=repainted)
    assert all(other.probability < 0.01 for other in list_names(rare))
    (asked,) = list_names(few)
    assert asked.probability == load_shares("carcassonne")["rare_misnamed"]
    assert assess_score_doubts(build_board(few), [asked]).doubtful


def list_names(reading: Reading) -> list[OtherPlayer]:
    """Return the other colours offered for players."""
    return [other for other in find_alternatives(reading, build_board(reading)) if isinstance(other, OtherPlayer)]
