"""Questions about a wonder with different copies: the kind of its edges, and its coats of arms."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from api.carcassonne.corrections.apply import Review, build_review
from api.carcassonne.questions.builder import build_questions
from api.carcassonne.report.board import read_report_board
from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from api.documents.corrections import CORRECTIONS, Correction
from api.documents.question import Choice, Question
from api.i18n import load_words
from api.i18n.remarks import list_remarks
from api.i18n.report_text import translate_coat_question, translate_doubt_sentence
from api.languages import LANGUAGES
from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.tiles.geometry import SIDES
from scoring.carcassonne.wonders.tiles import COATS_UNSEEN, WonderLayout
from tests.api.carcassonne.report.copied import copied, copy_of, guess, other_copy, shipped
from tests.api.doubted import joined

DIRECTIONS = {"N": "north", "E": "east", "S": "south", "W": "west"}
SEEDS = [13, 24]
"""Seeds of boards on which two copies give other points, and so does a coat of arms."""
EDGES = "What does the edge of Alhambra show?"
COAT = "Is there a coat of arms in this city of the Alhambra?"


def keep(layout: WonderLayout, *others: WonderLayout, seed: int) -> Snapshot:
    """Return the snapshot of a reading of a copy that is one of these."""
    share = 0.4 / max(1, len(others))
    probability = 0.6 if others else 1.0
    return build_snapshot(joined(copied(layout, [(other, share) for other in others], seed, probability)))


def ask(snapshot: Snapshot, corrections: Sequence[Correction] = (), language: str = "en") -> list[Question]:
    """Return the questions about the wonder."""
    review = build_review(snapshot, corrections)
    (placed,) = review.board.wonders
    return [q for q in build_questions(review, language) if {*q.squares} == {*placed.squares}]


def ask_text(snapshot: Snapshot, text: str, corrections: Sequence[Correction] = ()) -> Question:
    (question,) = [question for question in ask(snapshot, corrections) if question.text == text]
    return question


def answer(snapshot: Snapshot, choice: Choice, before: Sequence[Correction] = ()) -> Review:
    """Return the review after an answer that was sent as text."""
    return build_review(snapshot, [*before, *CORRECTIONS.validate_python([choice.correction.model_dump(mode="json")])])


def list_edge_words(placed: PlacedWonder) -> set[str]:
    """Return the kind of each edge, in words."""
    return {
        f"{tile.edge(side)} at the {DIRECTIONS[side]} of row {row + 1}, column {col + 1}"
        for (row, col), tile in placed.placements.items()
        for side in SIDES
        if tile.edge(side) != "inside"
    }


def count_coats(review: Review) -> int:
    (placed,) = review.board.wonders
    return sum(segment.shields for cell in placed.layout.cells for segment in cell.segments)


def drop_zeros(points: dict[str, int] | None) -> dict[str, int]:
    return {player: total for player, total in (points or {}).items() if total}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_edges_that_distinguish_two_copies_are_asked_about(seed: int) -> None:
    snapshot = keep(copy_of(), other_copy(), seed=seed)
    (question,) = ask(snapshot)
    assert question.text == EDGES
    read, other = question.choices
    assert (read.correction.kind, other.correction.kind) == ("confirm", "wonder")
    assert (read.probability, other.probability) == (0.6, 0.4)
    assert drop_zeros(read.final_scoring) != drop_zeros(other.final_scoring)
    (placed,) = build_review(snapshot).board.wonders
    words = list_edge_words(placed), list_edge_words(PlacedWonder(other_copy(), placed.anchor, placed.turns))
    for choice, mine, theirs in zip((read, other), words, words[::-1], strict=True):
        name, *named = choice.label.split("; ")
        assert name == "Alhambra"
        assert len(named) == 4
        assert {*named} == mine - theirs
    assert (read.drawing, other.drawing) == (None, None)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_answer_about_the_edges_selects_that_copy(seed: int) -> None:
    snapshot = keep(copy_of(), other_copy(), seed=seed)
    (question,) = ask(snapshot)
    for choice, layout in zip(question.choices, (copy_of(), other_copy()), strict=True):
        review = answer(snapshot, choice)
        (placed,) = review.board.wonders
        assert placed.layout.entry == layout.entry
        assert placed.layout.parts == layout.parts
        assert read_report_board(review.report).wonders[0].layout.entry == layout.entry
        assert drop_zeros(review.report.scores.final_scoring) == drop_zeros(choice.final_scoring)
        assert ask(snapshot, [choice.correction]) == []


@pytest.mark.parametrize(("read", "seed"), [("copy", 7), ("copy", 12), ("shipped", 1), ("shipped", 7)])
def test_the_shipped_layout_is_an_answer_like_any_other(read: str, seed: int) -> None:
    layouts = (copy_of(), shipped()) if read == "copy" else (shipped(), copy_of())
    snapshot = keep(*layouts, seed=seed)
    (question,) = [question for question in ask(snapshot) if question.text == EDGES]
    for choice, layout in zip(question.choices, layouts, strict=True):
        review = answer(snapshot, choice)
        assert [placed.layout.entry for placed in review.board.wonders] == [layout.entry]
        assert drop_zeros(review.report.scores.final_scoring) == drop_zeros(choice.final_scoring)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_coat_of_arms_on_a_city_that_counts_is_asked_about_once(seed: int) -> None:
    snapshot = keep(guess(copy_of()), seed=seed)
    (question,) = ask(snapshot)
    assert question.text == COAT
    without, with_one = question.choices
    (placed,) = build_review(snapshot).board.wonders
    (city,) = [part for part in placed.layout.parts if part.kind == "city"]
    assert without.label == "no coat of arms"
    squares = [placed.squares[number] for number in city.squares]
    assert with_one.label in {f"coat of arms in the city at row {row + 1}, column {col + 1}" for row, col in squares}
    assert without.probability == 0.8
    assert with_one.probability == 0.2
    assert sum((with_one.final_scoring or {}).values()) == sum((without.final_scoring or {}).values()) + 1
    for choice, coats in ((without, 0), (with_one, 1)):
        review = answer(snapshot, choice)
        assert count_coats(review) == coats
        assert COATS_UNSEEN not in review.board.wonders[0].layout.inferred
        assert drop_zeros(review.report.scores.final_scoring) == drop_zeros(choice.final_scoring)
        assert ask(snapshot, [choice.correction]) == []


def test_a_coat_of_arms_is_asked_about_only_if_unknown_in_an_occupied_city() -> None:
    assert ask(keep(copy_of(), seed=13)) == []
    assert ask(keep(guess(copy_of()), seed=14)) == []
    assert ask(keep(guess(copy_of()), seed=13)) != []


def test_each_of_the_two_questions_remains_when_the_other_is_answered() -> None:
    """An answer about the coats of arms says nothing about the edges; another copy may have a coat of arms as well."""
    snapshot = keep(guess(copy_of()), guess(other_copy()), seed=13)
    assert {question.text for question in ask(snapshot)} == {EDGES, COAT}
    for choice in ask_text(snapshot, EDGES).choices:
        assert {question.text for question in ask(snapshot, [choice.correction])} == {COAT}
    for choice in ask_text(snapshot, COAT).choices:
        edges = ask_text(snapshot, EDGES, [choice.correction])
        for edge in edges.choices:
            assert drop_zeros(answer(snapshot, edge, [choice.correction]).report.scores.final_scoring) == drop_zeros(
                edge.final_scoring
            )


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", {EDGES, COAT}),
        ("de", {"Was zeigt der Rand von Alhambra?", "Ist in dieser Stadt der Alhambra ein Wappen?"}),
        ("ro", {"Ce se vede pe marginea minunii Alhambra?", "Este un blazon în acest oraș din Alhambra?"}),
    ],
)
def test_the_questions_are_asked_in_every_language(language: str, texts: set[str]) -> None:
    words = load_words(language)
    questions = ask(keep(guess(copy_of()), guess(other_copy()), seed=13), language=language)
    assert {question.text for question in questions} == texts
    by_text = {question.text: [choice.label for choice in question.choices] for question in questions}
    values: dict[str, str | int] = {"wonder": "Alhambra", "id": "alhambra", "squares": 3}
    edges, coats = (by_text[words.say(id, **values)] for id in ("ask-wonder-edges", "ask-wonder-coat"))
    assert coats[0] == words.say("wonder-no-coat")
    assert len({*edges, *coats}) == 4
    assert all(words.name("kind", "road") in label for label in edges)
    assert "{" not in "".join([*edges, *coats])


def test_the_answers_are_in_every_language() -> None:
    ids = ("wonder-no-coat", "error-bad_wonder_layout", "error-no_such_wonder", "error-wonder_not_seen")
    for id in ids:
        assert len({load_words(language).say(id) for language in LANGUAGES}) == 3
    for id in ("wonder-edge", "wonder-coat"):
        said = {load_words(language).say(id, kind="x", side="y", row=7, col=8) for language in LANGUAGES}
        assert len(said) == 3
        assert all(text.count("7") == text.count("8") == 1 for text in said)


SENTENCES = {
    "en": ("row {row}, column {col}: Is there a coat of arms in this city of the Alhambra?", "Yes: {share}%."),
    "de": (
        "Reihe {row}, Spalte {col}: Ist in dieser Stadt der Alhambra ein Wappen?",
        "Ja: {share}\N{NO-BREAK SPACE}%.",
    ),
    "ro": (
        "rândul {row}, coloana {col}: Este un blazon în acest oraș din Alhambra?",
        "Da: {share}\N{NO-BREAK SPACE}%.",
    ),
}


def test_every_interface_words_the_doubt_like_the_question() -> None:
    """It is about the coat of arms, not about the tile: on the command line, on the sheet, and on the page."""
    snapshot = keep(guess(copy_of()), seed=13)
    review = build_review(snapshot)
    (doubt,) = [doubt for doubt in review.report.doubts if "coats" in doubt.values]
    (placed,) = review.board.wonders
    assert doubt.square in placed.squares
    row, col = (number - first + 1 for number, first in zip(doubt.square, review.board.origin, strict=True))
    share = round(100 * (doubt.probability or 0))
    (line,) = [line for line in list_remarks(review.report) if "coat of arms" in line]
    question, answer = (text.format(row=row, col=col, share=share) for text in SENTENCES["en"])
    assert line.startswith(f"doubtful: {question} With a coat of arms ({share}%): ")
    for language, texts in SENTENCES.items():
        question, answer = (text.format(row=row, col=col, share=share) for text in texts)
        sentence = translate_doubt_sentence(load_words(language), doubt, review.board.origin)
        assert sentence == f"{question[0].upper()}{question[1:]} {answer}"
        assert question.partition(": ")[2] in {asked.text for asked in ask(snapshot, language=language)}


def test_a_coat_of_arms_on_one_square_is_asked_about_at_that_square() -> None:
    words = [load_words(language) for language in SENTENCES]
    assert [translate_coat_question(each, "WH/alhambra", 1) for each in words] == [
        "Is there a coat of arms on this square of the Alhambra?",
        "Ist auf diesem Feld der Alhambra ein Wappen?",
        "Este un blazon pe această căsuță din Alhambra?",
    ]
    assert translate_coat_question(words[0], "WH/tikal", 1) == "Is there a coat of arms on this square of Tikal?"
