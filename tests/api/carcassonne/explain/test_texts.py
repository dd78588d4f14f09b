"""Explanations in facts and in full sentences, in English, German and Romanian, with players' totals."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from rich.console import Console

from api.carcassonne.explain.accounts import build_explanation
from api.carcassonne.explain.source import Source
from api.carcassonne.explain.text import print_explanation
from api.carcassonne.report.builder import build_board_report
from api.documents.explanation import FeatureAccount
from api.documents.report import Report
from api.documents.table_options import Question
from api.i18n import load_words, read_fluent_texts, split_entries
from api.languages import LANGUAGE_NAMES, LANGUAGES, LanguageCode
from api.spots.registry import SPOT_GAMES
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.majority import DURING_THE_GAME
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.final.sheet import SECTIONS, list_rule_sections
from scoring.carcassonne.wonders.tiles import WONDERS
from tests.api.carcassonne.explain.accounts import FARM, account_of, accounts, build_circus_line
from tests.api.commands import error_of, run
from tests.api.tables_read import dealt
from tests.scoring.boards import wide_boards
from tests.scoring.laid import laid, marked, wonder


def _explain(report: Report, language: str) -> list[FeatureAccount]:
    return build_explanation(Source.from_report(report), Question(), language)[0].features


def test_a_big_meeple_wins_and_the_reason_is_given_for_the_loser() -> None:
    account = account_of("U0U0U0 red^0,0=rE blue.big^0,1=rE red.builder^0,2=rE", "R1")
    assert account.majority == ["blue"]
    assert {one.player: one.strength for one in account.holdings} == {"blue": 2, "red": 1}
    assert account.sentences == [
        "Blue has 1 big meeple here, with a strength of 2. A big meeple counts as two.",
        "Red has 1 meeple here.",
        "Red's builder is no follower and does not count towards the majority.",
        "Blue has the majority, 2 to 1.",
        "Blue scores 3 points: 3 tiles × 1.",
        "Red gets nothing, with 1 against 2 (blue).",
    ]
    assert account.text[-6:] == account.sentences


def test_a_tie_scores_for_all() -> None:
    account = account_of("U0U0 red^0,0=rE blue^0,1=rE", "R1")
    assert account.majority == ["blue", "red"]
    assert "Blue and red are tied with 1 each: all of them score in full." in account.sentences
    assert sum("2 points" in sentence for sentence in account.sentences) == 2


@pytest.mark.parametrize(
    ("language", "tie", "outvoted"),
    [
        ("en", "anna and Bob are tied with 1 each: ", "({} and Cleo)."),
        ("de", "anna und Bob haben gleich viel, je 1: ", "({} und Cleo)."),
        ("ro", "anna și Bob sunt la egalitate, cu câte 1: ", "({} și Cleo)."),
    ],
)
def test_names_appear_as_typed_and_are_listed_as_in_a_sentence(language: str, tie: str, outvoted: str) -> None:
    """A name keeps its small letter, even at the beginning of a sentence."""
    report = build_board_report(parse_notation("U0U0 red^0,0=rE blue^0,1=rE"), TODAY)
    report.names = {"blue": "anna", "red": "Bob"}
    (road,) = (one for one in _explain(report, language) if one.kind == "road")
    assert any(sentence.startswith(tie) for sentence in road.sentences)
    assert any(sentence.startswith("anna ") for sentence in road.sentences)
    board = "U0U0U0U0U0 red^0,0=rE blue^0,1=rE red^0,2=rE blue^0,3=rE green^0,4=rE"
    report = build_board_report(parse_notation(board), TODAY)
    report.names = {"blue": "anna", "red": "Cleo", "green": "dan"}
    (road,) = (one for one in _explain(report, language) if one.kind == "road")
    assert any(s.startswith("dan ") and s.endswith(outvoted.format("anna")) for s in road.sentences)


def test_an_unoccupied_feature_scores_nothing_and_its_worth_is_stated() -> None:
    assert account_of("U0U0", "R1").sentences == [
        "Nobody has a follower here, so nobody scores.",
        "The player with the majority would score 2 points: 2 tiles × 1.",
    ]


def test_a_farm_with_a_pig_names_it_and_the_points_of_each_city() -> None:
    fields = {one.majority[0]: one for one in accounts(parse_notation(FARM)) if one.kind == "field" and one.majority}
    assert any("red's pig" in sentence and "4 points" in sentence for sentence in fields["red"].sentences)
    assert "Red scores 4 points: 1 finished city × 4 (pig)." in fields["red"].sentences
    assert "One finished city counts for the farm: C1.1." in fields["blue"].sentences
    assert "Blue scores 3 points: 1 finished city × 3." in fields["blue"].sentences
    assert not any("pig" in sentence for sentence in fields["blue"].sentences)
    assert fields["red"].text[0].startswith("Field F")


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=15, deadline=None)
@given(board=wide_boards())
def test_every_language_words_all_sentences(language: str, board: Board) -> None:
    for rules in (TODAY.name, "C1-first"):
        for account in accounts(board, rules, language):
            if account.kind != "wonder":
                assert account.sentences
            for sentence in account.sentences:
                assert sentence.endswith((".", "!"))
                assert "{" not in sentence
                assert not sentence[0].islower()


@pytest.mark.parametrize(
    ("text", "feature", "facts"),
    [
        pytest.param(
            "U0U0A1 red^0,0=rE",
            "R1",
            [
                "Road R1.1: 3 tiles: row 1, column 1; row 1, column 2; row 1, column 3",
                "Open to the west of row 1, column 1: no tile lies there",
            ],
            id="a road with an open end",
        ),
        pytest.param(
            "V3V0/V2V1",
            "R1",
            ["Road R1.1: 4 tiles: row 1, column 1; row 1, column 2; row 2, column 2; row 2, column 1"],
            id="a round road",
        ),
        pytest.param(
            "U0??/.E0",
            "R1",
            [
                "Road R1.1: 1 tile: row 1, column 1",
                "Open to the east of row 1, column 1: the tile there is not known",
                "Open to the west of row 1, column 1: no tile lies there",
            ],
            id="a road beside an unknown tile",
        ),
        pytest.param(
            ".U0E0",
            "R1",
            [
                "Road R1.1: 1 tile: row 1, column 1",
                "Open to the east of row 1, column 1: a field lies there",
                "Open to the west of row 1, column 1: the photo does not show it",
            ],
            id="a road that ends at a field and at the picture's border",
        ),
        pytest.param(
            "(IC/RFr.i)0",
            "R1",
            [
                "Road R1.1: 1 tile: row 1, column 1",
                "Inn: row 1, column 1",
                "Open to the east of row 1, column 1: no tile lies there",
                "Open to the west of row 1, column 1: no tile lies there",
            ],
            id="an inn",
        ),
        pytest.param(
            "E1(TB/Cc.w)3",
            "C1",
            [
                "City C1.1: 2 tiles: row 1, column 1; row 1, column 2",
                "Wine: row 1, column 2",
                "Open to the south of row 1, column 2: no tile lies there",
            ],
            id="goods in a city",
        ),
        pytest.param(
            "E1H1 blue_0,1=fNL",
            "F2",
            [
                "Field F1.2: 1 tile: row 1, column 2",
                "Touches the finished city C1.1",
                "Touches the unfinished city C1.2a",
            ],
            id="a farm",
        ),
        pytest.param("B0U0 red^0,0=M", "M1", ["Monastery M1.1: 2 tiles: row 1, column 1; row 1, column 2"]),
    ],
)
def test_facts_state_the_contents_of_a_feature(text: str, feature: str, facts: list[str]) -> None:
    account = account_of(text, feature)
    assert account.text == [*facts, *account.sentences]


def test_rows_and_columns_are_explained_with_their_runs() -> None:
    board = parse_notation("U0U0-U0")
    explanation, _ = build_explanation(Source(board, build_board_report(board), TODAY), Question(lines=True))
    assert [line.text for line in explanation.lines] == [
        "Row 1: columns 1 to 2 (2 tiles), columns 4 to 4 (1 tile)",
        "Column 1: rows 1 to 1 (1 tile)",
        "Column 2: rows 1 to 1 (1 tile)",
        "Column 4: rows 1 to 1 (1 tile)",
    ]


WORDS = {
    "de": ("Rot: 4", "Wiese F1.1: 1 Plättchen: Reihe 1, Spalte 1", "Rot bekommt 4 Punkte", "Reihe 1: Spalten 1 bis 1"),
    "ro": (
        "roșu: 4",
        "Câmp F1.1: 1 cartonaș: rândul 1, coloana 1",
        "Roșu primește 4 puncte",
        "Rândul 1: coloanele 1",
    ),
}
ENGLISH = ("tile", "row", "column", "city", "field", "road", "counts", "nobody", "scores", "turned", "unfinished")


def print_words(board: Board, language: str, question: Question, is_terminal: bool) -> str:
    source = Source(board, build_board_report(board), TODAY)
    explanation, _ = build_explanation(source, question, language)
    console = Console(file=io.StringIO(), force_terminal=is_terminal, width=200, color_system=None)
    print_explanation(console, explanation, language)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_each_language_has_a_name() -> None:
    assert set(LANGUAGE_NAMES) == set(LanguageCode)


@pytest.mark.parametrize("language", ["de", "ro"])
def test_the_command_prints_in_the_chosen_language(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "explain", FARM, "--language", language)
    lines = [line.strip() for line in out.splitlines()]
    assert status == 0
    for words in WORDS[language]:
        assert any(line.startswith(words) for line in lines), words
    status, english, _ = run(capsys, "explain", FARM)
    assert english == run(capsys, "explain", FARM, "--language", "en")[1] != out


@pytest.mark.parametrize("is_terminal", [True, False], ids=["terminal", "pipe"])
@pytest.mark.parametrize("language", ["de", "ro"])
def test_no_english_text_is_left_in_other_languages(language: str, is_terminal: bool) -> None:
    square = (0, 20)
    for board in (dealt(2), dealt(5), parse_notation(FARM), parse_notation(build_circus_line())):
        places = ((None, square),) if square in board.tiles else ()
        for question in (Question(), Question(places=places, players=board.players)):
            out = print_words(board, language, question, is_terminal)
            left = [word for word in out.replace(",", " ").replace(":", " ").split() if word.lower() in ENGLISH]
            assert left == []


@pytest.mark.parametrize("language", ["de", "ro"])
def test_a_wonder_is_explained_by_name_with_the_player_who_scores(language: str) -> None:
    out = print_words(parse_notation(build_circus_line()), language, Question(features=("W1",)), is_terminal=False)
    assert "(Circus Maximus)" in out
    assert {
        "de": "Rot besitzt das Wunder Circus Maximus und bekommt dafür 4 Punkte.",
        "ro": "Roșu deține minunea Circus Maximus și primește 4 puncte pentru ea.",
    }[language] in out


def list_said(board: Board, language: str) -> list[str]:
    """Return all sentences of an explanation of everything, in order, except the names of features."""
    explanation, _ = build_explanation(Source(board, build_board_report(board), TODAY), Question(), language)
    return [
        *(text for player in explanation.players for entry in player.entries for text in (entry.sum, entry.section)),
        *(text for feature in explanation.features for text in feature.text),
        *(end.why for feature in explanation.features for end in feature.open_ends),
        *(line.text for line in explanation.lines),
    ]


@settings(max_examples=settings().max_examples // 2)
@given(board=wide_boards())
def test_every_sentence_exists_in_all_languages(board: Board) -> None:
    """This includes a wonder's reasons, the other side of an open end and sections of rules."""
    english, *others = (list_said(board, language) for language in LANGUAGES)
    for said in others:
        assert len(said) == len(english)
        assert [text for text, own in zip(english, said, strict=True) if text == own] == []
        assert [word for text in said for word in re.findall(r"\w+", text.lower()) if word in ENGLISH] == []


def test_each_wonder_is_explained_in_each_language_for_any_owner() -> None:
    """Held, unheld, held by several, or unheld by a person's word: each with its reason, and all of them differ."""
    for name in WONDERS:
        placed = wonder(name.removeprefix("WH/"), (0, 20))
        held, disputed = laid("E0 blue^0,0=cN", (placed, "red")), marked(placed, "red", "blue")
        unmarked = Board(held.tiles, tuple(one for one in held.meeples if one.pose != "upside_down"))
        said = Board(unmarked.tiles, unmarked.meeples, unowned=frozenset({name}))
        sentences = {
            (language, number): tuple(explain_wonder_in(board, language))
            for language in LANGUAGES
            for number, board in enumerate((held, unmarked, disputed, said))
        }
        assert all(len(texts) >= 2 and all(texts) for texts in sentences.values()), name
        assert len(set(sentences.values())) == len(sentences) or name in DURING_THE_GAME


def explain_wonder_in(board: Board, language: str) -> list[str]:
    source = Source(board, build_board_report(board), TODAY)
    return build_explanation(source, Question(features=("W1",)), language)[0].features[0].sentences


def test_every_language_has_all_messages() -> None:
    messages = [
        {name for text in read_fluent_texts(language) for name, _ in split_entries(text)} for language in LANGUAGES
    ]
    assert messages[0]
    assert all(other == messages[0] for other in messages)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_cited_section_of_the_rules_has_a_name(language: str) -> None:
    """For every game, none is named by its code alone."""
    rules = [list_rule_sections(rule, dict.fromkeys(("inn", "cathedral", "pig", "herds"), 1)) for rule in SECTIONS]
    codes = {code for sections in rules for code in sections}
    codes |= {code for game in SPOT_GAMES.values() for code in game.rules.sections.values()}
    assert len(codes) > 30
    assert [code for code in codes if f"explain-section-{code}" not in load_words(language)] == []


def test_the_picture_is_labelled_in_the_chosen_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pictures = []
    for language in LANGUAGES:
        pictures.append(tmp_path / f"{language}.png")
        run(capsys, "explain", FARM, "--field", "1,1", "--language", language, "--picture", str(pictures[-1]))
    assert len({picture.read_bytes() for picture in pictures}) == len(LANGUAGES)


def test_errors_are_translated_for_people_and_english_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("explain", FARM, "--language", "de", "--track", "rott=4")
    _, _, err = run(capsys, "--errors", "text", *words)
    assert err.startswith("Fehler: Niemand hat Figuren dieser Farbe.")
    assert "Meintest du red?" in err
    assert error_of(run(capsys, *words)[2])["text"] == "No player's pieces have that colour."
    assert run(capsys, "--errors", "text", "explain", FARM, "--track", "rott=4")[2].startswith(
        "Error: No player's pieces"
    )
    status, _, err = run(capsys, "explain", FARM, "--language", "fr")
    assert (status, error_of(err)["code"]) == (2, "bad_usage")


def test_track_points_are_explained_with_the_final_scoring(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "explain", FARM, "--track", "blue=90", "--track", "red=4", "--json", "-")
    assert json.loads(out)["standing"] == [
        {"player": "blue", "final_scoring": 3, "on_track": 90, "total": 93, "place": 1},
        {"player": "red", "final_scoring": 4, "on_track": 4, "total": 8, "place": 2},
    ]
    _, out, _ = run(capsys, "explain", FARM, "--track", "blue=90", "--feature", "F1.1")
    assert "blue: 3 in the final scoring + 90 on the score track = 93\n" in out, "no place while red's are not known"
    assert "red: 4 in the final scoring + ? on the score track = ?" in out
    _, out, _ = run(capsys, "explain", FARM, "--json", "-")
    assert "standing" not in json.loads(out)


def test_a_report_keeps_its_track_points_and_typed_ones_override_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "report.json")
    run(capsys, "board", "score", FARM, "--track", "blue=90", "--track", "red=4", "--json", file)
    totals = {}
    for typed in ((), ("--track", "red=95")):
        _, out, _ = run(capsys, "explain", file, *typed, "--json", "-")
        totals[typed] = {one["player"]: (one["total"], one["place"]) for one in json.loads(out)["standing"]}
    assert [*totals.values()] == [{"blue": (93, 1), "red": (8, 2)}, {"red": (99, 1), "blue": (93, 2)}]


def test_a_player_with_nothing_on_the_board_is_listed_with_track_points(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "explain", FARM, "--track", "green=12", "--json", "-")
    (green,) = [one for one in json.loads(out)["standing"] if one["player"] == "green"]
    assert (green["final_scoring"], green["total"]) == (0, 12)
