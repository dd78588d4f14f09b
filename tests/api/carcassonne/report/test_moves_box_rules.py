"""Moves beside a wonder: the rules of other boxes are asked about if the points rest on them."""

from __future__ import annotations

from dataclasses import replace

from api.carcassonne.report.moves import MoveOptions, build_moves
from api.carcassonne.report.moves_schema import Moves
from scoring.carcassonne.board.box_rules import UNSAID, BoxRules
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.record.text import parse_record
from tests.api.tables_read import grey_photo, reading_of
from vision.sequence.boards import Followed

WONDER = "-(WH/alhambra#0)0/-(WH/alhambra#1)0/-(WH/alhambra#2)0(WH/alhambra#3)0(WH/alhambra#4)0"
WONDERLESS = "-/-/-"
MARKER = " blue~2,1=W"
ROAD, FINISHED = "/-/-(IC/RFr.iG)0A1", "/-/A3(IC/RFr.iG)0A1"
"""Red's road with an inn, and the same once the tile at its other end is laid."""


def follow(before: str, after: str, rules: BoxRules = UNSAID) -> Moves:
    boards = parse_notation(before), parse_notation(after)
    photos = tuple(replace(grey_photo(), file=f"{n}.jpg") for n in range(len(boards)))
    sequence = Followed(photos, boards, reading_of(boards[-1]).tiles, (), frozenset())
    return build_moves(sequence, MoveOptions(TODAY, ("red", "blue"), "red", box_rules=rules))


def find_questions(moves: Moves) -> list[str]:
    return [problem.text for problem in moves.open if problem.code == "box_rules_unsaid"]


def test_moves_beside_a_wonder_ask_which_rules_were_played_and_are_told() -> None:
    before, after = f"{WONDER}{ROAD} red^4,1=rE{MARKER}", f"{WONDER}{FINISHED}{MARKER}"
    moves = follow(before, after)
    assert not moves.settled
    (question,) = find_questions(moves)
    assert "did you play with the rules of Inns & Cathedrals?" in question
    assert "(as counted here): blue 0, red 6; without them: blue 0, red 3" in question
    for played, points in ((True, 6), (False, 3)):
        rules = BoxRules.of({"inns": played})
        told = follow(before, after, rules)
        assert find_questions(told) == []
        assert told.settled
        assert told.scores[-1].points == {"blue": (0, 0), "red": (points, points)}
        assert parse_notation(told.boards[-1]).box_rules == rules
        assert parse_record(told.record).replay().setup.box_rules == rules


def test_moves_without_a_wonder_ask_nothing_of_boxes() -> None:
    moves = follow(f"{WONDERLESS}{ROAD} red^4,1=rE", f"{WONDERLESS}{FINISHED}")
    assert find_questions(moves) == []
    assert moves.scores[-1].points == {"blue": (0, 0), "red": (6, 6)}
