"""The rules of other boxes: asked of a reading, answered as a correction, remembered for an event."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from api.carcassonne.corrections.apply import build_review
from api.carcassonne.corrections.url_fragment import SharedBoard, decode_fragment, encode_fragment
from api.carcassonne.questions.builder import build_questions
from api.carcassonne.report.board import read_report_board
from api.documents.corrections import CORRECTIONS, list_table_corrections
from api.documents.tile_corrections import SetBoxRules
from api.server.errors import ServerError
from api.service.event_decisions import EventDecisions, TableDecision
from api.service.reviews import Change, Reviews, apply_change
from api.store.event_additions import SubmissionStore
from api.store.events import EventStore, EventTable
from api.store.readings import ReadingStore
from api.tournament.listed_tables import ListedTable
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.box_rules import BoxRules
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.table import Table
from tests.api.carcassonne.corrections.box_rules import ASKED, build_board, hold
from tests.scoring.laid import laid, wonder

INNS_OFF = SetBoxRules(boxes=["inns"], played=False)


@pytest.mark.parametrize("language", ASKED)
def test_a_reading_asks_once_with_both_results_and_the_answer_corrects_it(language: str) -> None:
    snapshot = hold(build_board())
    review = build_review(snapshot)
    assert review.report.doubtful
    assert review.report.scores.confidence is None
    (question,) = [one for one in build_questions(review, language) if one.about == "table"]
    assert question.text.startswith(ASKED[language])
    on, off = question.choices
    assert [on.correction, off.correction] == [SetBoxRules(boxes=["inns"], played=True), INNS_OFF]
    assert (on.final_scoring, off.final_scoring) == ({"blue": 0, "red": 0}, {"blue": 0, "red": 2})
    for choice in (on, off):
        corrections = CORRECTIONS.validate_json(CORRECTIONS.dump_json([choice.correction]))
        answered = build_review(snapshot, corrections)
        assert dict(answered.report.scores.final_scoring) == choice.final_scoring
        assert "box_rules" not in [one.fact for one in answered.report.scores.assumed]
        assert [one for one in build_questions(answered, language) if one.about == "table"] == []
        assert answered.report.rules.box_rules == {"inns": choice is on}
    assert build_review(snapshot, ()).report.rules.box_rules == {}


def test_box_rules_can_be_withdrawn_and_the_last_statement_counts() -> None:
    snapshot = hold(build_board())
    taken_back = [INNS_OFF, SetBoxRules(boxes=["inns"], played=None)]
    assert build_review(snapshot, taken_back).report.rules.box_rules == {}
    again = [INNS_OFF, SetBoxRules(boxes=["inns", "traders"], played=True)]
    assert build_review(snapshot, again).report.rules.box_rules == {"inns": True, "traders": True}


def test_a_report_and_a_shared_board_keep_the_box_rules() -> None:
    report = build_review(hold(build_board()), [INNS_OFF]).report
    assert report.board.notation.endswith(" rules:inns=off")
    assert read_report_board(report).box_rules == BoxRules.of({"inns": False})
    shared = decode_fragment(encode_fragment(SharedBoard.of(report)))
    assert shared.report().scores.final_scoring == {"blue": 0, "red": 2}


def test_a_tables_box_rules_become_corrections() -> None:
    rules = BoxRules.of({"inns": False, "traders": True, "abbot": False})
    said = list(list_table_corrections(Table(box_rules=rules)))
    report = build_review(hold(build_board()), said).report
    assert report.rules.box_rules == rules.choices


# An event


class Cup:
    """An event whose tables are read when they are added."""

    def __init__(self, engine: Engine) -> None:
        self.events, self.readings = EventStore(engine), ReadingStore(engine)
        self._submissions = SubmissionStore(engine)
        self.reviews = Reviews(self.readings)
        self.decisions = EventDecisions(self.events, self.readings, self.reviews)
        self.events.add("cup", "hash", "Cup", "C3")

    def add(self, table: str, board: Board) -> None:
        """Add a table, which is read at once, with the event's settings."""
        listed_table = ListedTable(("table.jpg",), table=table, usual_rules=self.events.get("cup").box_rules)
        snapshot, options = hold(board), {"rules": "C3", "track": {}, "files": ["table.jpg"], "who": "", "known": 0}
        options["said"] = CORRECTIONS.dump_python(CORRECTIONS.validate_json(listed_table.said), mode="json")
        self._submissions.add("cup", listed_table, table, options)
        report = build_review(snapshot, CORRECTIONS.validate_json(listed_table.said)).report
        self.readings.finish(table, snapshot.to_json(), report.to_json(), ())
        self.decisions.catch_up(table)

    def table(self, name: str) -> EventTable:
        return next(table for table in self.events.list_tables("cup") if table.listed_table.table == name)

    def red(self, name: str) -> int:
        """Return red's points at a table."""
        return next(int(points) for colour, _, points, *_ in self.table(name).scores if colour == "red")

    def answer(self, name: str, answer: SetBoxRules) -> None:
        self.decisions.decide("cup", self.table(name).id, TableDecision(answer=answer), "Vera", "en")


def test_an_answer_at_one_table_applies_to_the_events_other_tables(engine: Engine) -> None:
    cup = Cup(engine)
    for name in ("1", "2"):
        cup.add(name, build_board())
    cup.add("without", parse_notation("(IC/RFr.i)0U0 red^0,1=rE"))
    assert [cup.red(name) for name in ("1", "2", "without")] == [0, 0, 0]
    cup.answer("1", INNS_OFF)
    assert cup.events.get("cup").box_rules == BoxRules.of({"inns": False})
    assert [cup.red(name) for name in ("1", "2", "without")] == [2, 2, 0], "no wonder lies there: nothing is asked"
    assert cup.table("2").version > 0
    cup.add("3", build_board())
    assert cup.red("3") == 2
    asked = cup.reviews.list_questions(cup.readings.get("3"), "en")
    assert [question for question in asked if question.about == "table"] == []


def test_a_changed_answer_at_an_event_applies_to_all_tables_with_the_first(engine: Engine) -> None:
    cup = Cup(engine)
    for name in ("1", "2"):
        cup.add(name, build_board())
    cup.answer("1", INNS_OFF)
    cup.add("3", build_board())
    assert [cup.red(name) for name in ("1", "2", "3")] == [2, 2, 2]
    cup.answer("2", SetBoxRules(boxes=["inns"], played=True))
    assert cup.events.get("cup").box_rules == BoxRules.of({"inns": True})
    assert [cup.red(name) for name in ("1", "2", "3")] == [2, 0, 0], "at the first a person said so"


def test_a_table_handed_in_before_the_answer_uses_it_once_read(engine: Engine) -> None:
    cup = Cup(engine)
    cup.add("1", build_board())
    listed_table = ListedTable(("late.jpg",), table="late")
    options = {"rules": "C3", "track": {}, "files": ["late.jpg"], "who": "", "known": 0, "said": []}
    SubmissionStore(engine).add("cup", listed_table, "late", options)
    cup.answer("1", INNS_OFF)
    snapshot = hold(build_board())
    cup.readings.finish("late", snapshot.to_json(), build_review(snapshot).report.to_json(), ())
    assert cup.red("late") == 0
    cup.decisions.catch_up("late")
    assert cup.red("late") == 2


@pytest.mark.parametrize(
    ("before", "played", "points"), [([], False, 1), ([False], True, 0)], ids=["asked", "inherited"]
)
def test_a_table_of_an_earlier_version_also_uses_the_answer(
    engine: Engine, before: list[bool], played: bool, points: int
) -> None:
    """Its report and its corrections have the older name of River II."""
    cup = Cup(engine)
    board = laid("(RI.2/RIrI)0 red^0,0=rE", (wonder("stonehenge", (4, 0)), "blue"))
    said = [{"kind": "box_rules", "boxes": ["rivers"], "played": off, "beforehand": True} for off in before]
    for off in before:
        cup.events.set_box_rules("cup", BoxRules.of({"river2": off}))
    options = {"rules": "C3", "track": {}, "files": ["old.jpg"], "who": "", "known": 0, "said": said}
    SubmissionStore(engine).add("cup", ListedTable(("old.jpg",), table="old"), "old", options)
    snapshot = hold(board)
    report = build_review(snapshot, CORRECTIONS.validate_python(said)).report.to_json()
    assert "river2" in report
    cup.readings.finish("old", snapshot.to_json(), report.replace("river2", "rivers"), ())
    assert cup.red("old") == 1 - points
    cup.add("now", board)
    cup.answer("now", SetBoxRules(boxes=["river2"], played=played))
    assert [cup.red(name) for name in ("old", "now")] == [points, points]


def test_a_tables_own_box_rules_and_decisions_override_those_of_the_event(engine: Engine) -> None:
    cup = Cup(engine)
    for name in ("1", "own", "checked"):
        cup.add(name, build_board())
    apply_change(
        cup.readings,
        cup.reviews,
        cup.readings.get("own"),
        Change(corrections=[SetBoxRules(boxes=["inns"], played=True)]),
        "",
    )
    cup.events.decide(cup.table("checked"), "checked", "Vera")
    cup.answer("1", INNS_OFF)
    assert [cup.red(name) for name in ("1", "own", "checked")] == [2, 0, 0]
    assert cup.table("checked").decided == "checked"


def test_an_events_box_rules_can_be_set_and_an_unknown_event_is_not_found(engine: Engine) -> None:
    cup = Cup(engine)
    cup.add("1", build_board())
    cup.decisions.set_box_rules("cup", BoxRules.of({"inns": False}), "Vera")
    assert cup.red("1") == 2
    with pytest.raises(ServerError) as error:
        cup.decisions.set_box_rules("none", BoxRules(), "")
    assert error.value.code == "not_found"
