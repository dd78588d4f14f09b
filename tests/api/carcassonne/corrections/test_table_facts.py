"""A person's facts about the table beside the photo: asked for if points rest on them, counted, undone."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from api.carcassonne.corrections.apply import build_review, preview_totals
from api.carcassonne.questions.builder import build_questions
from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from api.documents.corrections import CORRECTIONS, Correction, list_table_corrections
from api.documents.question import Question
from api.documents.report import Assumed, Rules
from api.documents.tile_corrections import SetBoxRules, SetPlayerCount, SetWonder
from api.games.registry import find_game_of
from api.games.sheets import render_report_pdf
from api.i18n import load_words
from api.languages import LANGUAGES
from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.board.tile_counts import count_base_tiles
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.tiles.catalogue import load_catalogue
from tests.api.carcassonne.report.copied import copied, copy_of, other_copy, shipped
from tests.api.corrected import build_corrected_report, said
from tests.api.doubted import joined
from tests.api.tables_read import grey_photo, reading_of
from tests.scoring.laid import laid, wonder
from vision.reading.values import WonderReading


@cache
def circus() -> Snapshot:
    """Return a certain reading of a board with red's Circus Maximus, and a knight of yellow's in its city."""
    return keep(laid("E2 yellow^0,0=cS", (wonder("circus-maximus", (1, 0)), "red")))


def keep(board: Board) -> Snapshot:
    wonders = tuple(WonderReading(placed, 1.0) for placed in board.wonders)
    return build_snapshot(joined(replace(reading_of(board), wonders=wonders)))


def ask(snapshot: Snapshot, *corrections: Correction, language: str = "en") -> list[Question]:
    questions = build_questions(build_review(snapshot, corrections), language)
    return [question for question in questions if question.about == "table"]


def get_points(snapshot: Snapshot, *corrections: Correction) -> dict[str, int]:
    return dict(build_corrected_report(snapshot, corrections).scores.final_scoring)


def test_the_player_count_is_asked_with_the_points_of_each_answer() -> None:
    report = build_corrected_report(circus())
    assert report.doubtful
    assert report.scores.confidence is None
    assert [one.fact for one in report.scores.assumed] == ["players"]
    (question,) = ask(circus())
    assert (
        question.text
        == "How many people played, including those without a piece left? Circus Maximus scores by that number."
    )
    assert [choice.label for choice in question.choices] == [f"{n} players" for n in range(2, 7)]
    assert [(choice.final_scoring or {})["red"] for choice in question.choices] == [4, 3, 3, 2, 2]
    for choice in question.choices:
        (correction,) = said(choice.correction.model_dump(mode="json"))
        answered = build_corrected_report(circus(), [correction])
        assert answered.scores.final_scoring == choice.final_scoring
        assert ask(circus(), correction) == []
        assert answered.scores.assumed == []
        assert answered.scores.confidence is not None


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_player_count_is_asked_and_reported_in_every_language(language: str) -> None:
    (question,) = ask(circus(), language=language)
    assert "Circus Maximus" in question.text
    assert len({choice.label for choice in question.choices}) == len(question.choices)
    report = build_corrected_report(circus())
    told = list(find_game_of(report).list_sheet_doubts(report, load_words(language)))
    assert [line for line in told if "Circus Maximus" in line and "2" in line]
    once = build_corrected_report(circus(), said({"kind": "player_count", "count": 2}))
    pictured = [render_report_pdf(one, grey_photo().pixels, language) for one in (report, once)]
    assert pictured[0].startswith(b"%PDF")
    assert pictured[0] != pictured[1]


def test_stated_copies_of_boxes_bound_the_tiles_of_a_board() -> None:
    """The limits follow from the tiles until a person states the copies; the statement goes into the notation."""
    boards = {
        "laid": parse_notation("(IC/RRR.i)0(AM/A)0"),
        "twice": Board({(n // 12, n % 12): Placement(tile) for n, tile in enumerate(sorted(count_base_tiles()) * 6)}),
    }

    def list_excess(name: str, **copies: int | None) -> list[str]:
        words = [{"kind": "boxes", "box": box, "count": number} for box, number in copies.items()]
        report = build_corrected_report(keep(boards[name]), said(*words))
        assert parse_notation(report.board.notation).boxes == report.rules.boxes
        assert report.rules.boxes == {box: number for box, number in copies.items() if number is not None}
        codes = ("more_than_the_box", "several_boxes", "several_base_games")
        return [problem.code for problem in report.board.problems if problem.code in codes]

    assert list_excess("laid") == list_excess("laid", inns=None) == []
    assert list_excess("laid", inns=0) == list_excess("laid", AM=0) == ["more_than_the_box"]
    assert list_excess("twice")[0] == "several_base_games"
    assert "several_base_games" not in list_excess("twice", base=2)


def test_pieces_and_holdings_of_further_boxes_are_entered_and_scored() -> None:
    """A mayor, a barn, gold, the king and points of rules that are not scored here."""
    snapshot = keep(parse_notation("M0E2(GO/LRr)0 blue^0,0=cN"))
    report = build_corrected_report(snapshot)
    assert [(one.fact, one.values["holding"]) for one in report.scores.assumed] == [("holdings", "gold")]
    assert [problem.code for problem in report.board.problems if problem.code == "box_not_scored"] == []
    mayor = {"kind": "meeple", "square": [0, 0], "place": "city:N", "colour": "red", "piece": "mayor"}
    barn = {"kind": "meeple", "square": [0, 1], "place": "field:NL", "colour": "black", "piece": "barn"}
    gold = {"kind": "goods", "goods": "gold", "colour": "red", "count": 7}
    king = {"kind": "goods", "goods": "king", "colour": "blue", "count": 1}
    other = {"kind": "goods", "goods": "other", "colour": "black", "count": 12}
    entered = build_corrected_report(snapshot, said(mayor, barn, gold, king, other))
    assert entered.scores.assumed == []
    assert {(entry.player, entry.points, entry.rule) for entry in entered.scores.entries} >= {
        ("red", 21, "gold.bars"),
        ("blue", 0, "king.cities"),
        ("black", 12, "other.points"),
    }
    assert {meeple.kind for meeple in entered.board.meeples} == {"meeple", "mayor", "barn"}


def test_table_facts_can_be_withdrawn() -> None:
    count = said({"kind": "player_count", "count": 5}, {"kind": "player_count", "count": None})
    assert get_points(circus(), *count[:1])["red"] == 2
    assert get_points(circus(), *count) == get_points(circus())
    goods = said(
        {"kind": "goods", "goods": "wine", "colour": "yellow", "count": 2},
        {"kind": "goods", "goods": "wine", "colour": "yellow", "count": None},
    )
    assert get_points(circus(), *goods[:1])["yellow"] == get_points(circus())["yellow"] + 10
    assert get_points(circus(), *goods) == get_points(circus())


def test_goods_follow_a_corrected_colour_and_appear_in_the_report() -> None:
    corrections = said(
        {"kind": "goods", "goods": "cloth", "colour": "yellow", "count": 3},
        {"kind": "player_colour", "colour": "yellow", "instead": "green"},
    )
    report = build_corrected_report(circus(), corrections)
    assert report.rules.goods == {"cloth": {"green": 3}}
    assert report.scores.final_scoring["green"] == get_points(circus())["yellow"] + 10
    (entry,) = [entry for entry in report.scores.entries if entry.rule == "goods.majority"]
    assert (entry.player, entry.points) == ("green", 10)


def test_all_facts_of_a_table_become_corrections() -> None:
    table = Table((), 130, {"wine": {"yellow": 2}}, 4, {"WH/circus-maximus": "yellow"})
    corrections = list(list_table_corrections(table))
    back = CORRECTIONS.validate_json(CORRECTIONS.dump_json(corrections))
    assert back == corrections
    report = build_corrected_report(circus(), back)
    rules = report.rules
    assert (rules.player_count, rules.tiles_in_play, rules.goods) == (4, 130, {"wine": {"yellow": 2}})
    owners = {feature.kind: feature.meeples for feature in report.features if feature.kind == "wonder"}
    assert owners == {"wonder": {"yellow": 1}}


@pytest.mark.parametrize(
    "document",
    [
        {"kind": "player_count", "count": 0},
        {"kind": "player_count", "count": 13},
        {"kind": "goods", "goods": "beer", "colour": "red", "count": 1},
        {"kind": "goods", "goods": "wine", "colour": "red", "count": 100},
    ],
    ids=str,
)
def test_corrections_with_impossible_numbers_are_refused(document: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="validation error"):
        said(document)


@pytest.mark.parametrize(("tiles", "is_asked"), [(111, True), (105, False)])
def test_tiles_in_play_are_asked_near_a_large_game(tiles: int, is_asked: bool) -> None:
    """Ten rows of monasteries beside the Alhambra, whose owner has one farmer."""
    rows = "/".join("B0" * 10 for _ in range(tiles // 10)) + "/" + "B0" * (tiles % 10)
    snapshot = keep(laid(f"{rows} red_0,0=fSL", (wonder("alhambra", (-3, 0)), "red")))
    questions = ask(snapshot)
    assert len(questions) == is_asked
    for choice in questions[0].choices if is_asked else ():
        assert get_points(snapshot, choice.correction) == choice.final_scoring
        assert ask(snapshot, choice.correction) == []


def test_a_wonder_laid_elsewhere_keeps_the_layout_then_in_force() -> None:
    """The enrolled copy, not the shipped layout: also after a round trip as text."""
    reading = copied(other_copy(), (), 13)
    enrolled = build_snapshot(joined(reading), layouts=[copy_of(), shipped("WH/tikal")])
    assert len(enrolled.layouts) == 1
    enrolled = Snapshot.model_validate_json(enrolled.to_json())
    rows, cols = zip(*((tile.row, tile.col) for tile in enrolled.tiles), strict=True)
    elsewhere = SetWonder(wonder="alhambra", row=max(rows) + 3, col=min(cols), turns=0)
    (placed,) = build_review(enrolled, [elsewhere]).board.wonders
    assert placed.layout.entry == copy_of().entry
    (placed,) = build_review(build_snapshot(joined(reading)), [elsewhere]).board.wonders
    assert placed.layout is shipped()


def test_a_preview_counts_points_with_its_own_correction() -> None:
    review = build_review(circus())
    totals = preview_totals(review, SetPlayerCount(count=6))
    assert (
        totals
        == compute_final_scoring(review.board, table=Table(player_count=6)).totals
        != dict(review.report.scores.final_scoring)
    )


def test_a_correction_can_state_every_kind_of_goods_on_tiles() -> None:
    shown = {part.goods for layout in load_catalogue("traders") for part in layout.segments if part.goods}
    for kind in shown:
        assert get_points(circus(), *said({"kind": "goods", "goods": kind, "colour": "red", "count": 1}))["red"] == 14


def test_the_former_common_name_of_both_rivers_is_still_accepted() -> None:
    assert SetBoxRules.model_validate({"boxes": ["rivers"], "played": False}).boxes == ["river2"]


def test_a_report_of_an_earlier_version_gets_the_present_name_of_a_box() -> None:
    rules = Rules.model_validate({"tiles_in_play": 3, "players": [], "box_rules": {"rivers": False}})
    asked = {"fact": "box_rules", "text": "", "values": {"boxes": "rivers,inns", "n": 1}}
    assert rules.box_rules == {"river2": False}
    assert Assumed.model_validate(asked).values == {"boxes": "river2,inns", "n": 1}
