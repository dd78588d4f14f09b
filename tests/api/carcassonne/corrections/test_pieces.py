"""A pile, a player's only piece of a kind, and a player's colour: each is one question, settled by one answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.carcassonne.corrections.apply import build_review
from api.carcassonne.questions.builder import build_questions
from api.carcassonne.questions.oracle import interview_oracle
from api.carcassonne.questions.pieces import UNSEEN_OF_PILE
from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from api.documents.corrections import CORRECTIONS, Correction
from api.documents.question import Question
from api.documents.tile_corrections import Confirm, SetPile, SetPlayerColour, SetSpecial
from api.errors import CorrectionError
from api.i18n import load_words
from api.i18n.remarks import list_remarks
from api.i18n.report_text import translate_doubt_sentence
from api.languages import LANGUAGES
from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.doubt.kinds.meeple import OtherPlace
from scoring.carcassonne.doubt.kinds.special import OtherSpecial
from scoring.player_colours import NOBODY
from tests.api.carcassonne.corrections.big_pieces import _doubt_kind, doubt_kinds, find_rivals
from tests.api.carcassonne.corrections.piles import find_farmer, heap, list_doubts
from tests.api.doubted import joined
from tests.api.tables_read import grey_photo
from tests.vision.doubt.player_colours import FREE, doubt, find_table
from tests.vision.evaluation.dealt import Frame, dealt, join_reading, perfect
from vision.doubt.alternatives import find_alternatives
from vision.doubt.piles import PILE_REACH_TILES, find_piles
from vision.doubt.special_pieces import find_candidates, list_other_specials
from vision.evaluation.judge import compute_final_points
from vision.evaluation.labels import Truth
from vision.reading.board import build_board
from vision.reading.values import MeepleAlternative, Reading


@pytest.fixture(scope="module")
def piled() -> Snapshot:
    _, reading, number = find_farmer()
    return build_snapshot(joined(heap(reading, number)))


def test_one_question_asks_for_the_number_of_pieces_in_a_pile(piled: Snapshot) -> None:
    (question,) = list_doubts(build_review(piled))
    assert question.about == "pile"
    read, *others = [choice.correction for choice in question.choices]
    ids = [f"m{len(piled.meeples)}", f"m{len(piled.meeples) + 1}"]
    assert read == SetPile(ids=ids, count=1)
    assert [other.count for other in others if isinstance(other, SetPile)] == [0, *range(2, 3 + UNSEEN_OF_PILE)]
    assert sum(choice.probability or 0 for choice in question.choices) == pytest.approx(1, abs=1e-3)
    assert [choice.probability is None for choice in question.choices[-3:]] == [False, True, True]
    for choice in question.choices:
        (correction,) = CORRECTIONS.validate_python([choice.correction.model_dump()])
        assert isinstance(correction, SetPile)
        review = build_review(piled, [correction])
        assert len(review.report.board.meeples) == len(piled.meeples) - 1 + correction.count
        points = {player: n for player, n in (choice.final_scoring or {}).items() if n}
        assert {p: n for p, n in review.report.scores.final_scoring.items() if n} == points
        assert not list_doubts(review)
        assert not review.report.doubts


def test_the_doubt_is_worded_in_every_language(piled: Snapshot) -> None:
    (told, *_) = build_review(piled).report.doubts
    assert (told.about, told.instead.split()[0]) == ("pile", "0")
    for language, words in (("en", "no piece"), ("de", "keine Figur"), ("ro", "nicio piesă")):
        assert words in translate_doubt_sentence(load_words(language), told)


def test_nearby_farmers_of_one_colour_form_a_pile() -> None:
    _, reading, number = find_farmer()
    near = heap(reading, number)
    (above,) = near.possible_meeples
    assert [pile.read for pile in find_piles(near.meeples, near.possible_meeples)] == [1]
    apart = replace(above, at=(above.at[0], above.at[1] + PILE_REACH_TILES))
    for other in (apart, replace(above, colour="orange"), replace(above, pose="standing")):
        assert not find_piles(near.meeples, (other,))


def test_an_oracle_counts_a_pile_with_one_answer() -> None:
    truth, reading, number = find_farmer()
    interview = interview_oracle(join_reading(grey_photo(), heap(reading, number)), truth)
    assert [final == compute_final_points(truth) for final in interview.finals] == [True, True]
    missed = heap(reading, number)
    gone = replace(missed, meeples=missed.meeples[:-1], possible_meeples=(missed.meeples[-1], *missed.possible_meeples))
    interview = interview_oracle(join_reading(grey_photo(), gone), truth)
    assert [final == compute_final_points(truth) for final in interview.finals] == [False, True]
    assert interview.settled


@pytest.fixture(scope="module")
def rivals() -> tuple[Truth, Reading, tuple[int, int]]:
    return find_rivals()


@pytest.fixture(scope="module", params=[False, True], ids=["none-read-so", "one-read-so"])
def doubtful(rivals: tuple[Truth, Reading, tuple[int, int]], request: pytest.FixtureRequest) -> Snapshot:
    _, reading, pair = rivals
    return build_snapshot(joined(doubt_kinds(reading, pair, request.param)))


def test_one_question_covers_all_candidates_for_the_big_meeple(doubtful: Snapshot) -> None:
    (question,) = list_doubts(build_review(doubtful))
    assert (question.about, question.text) == ("special", "Which of these is the big meeple?")
    assert len(question.choices) == 3
    assert sum(choice.probability or 0 for choice in question.choices) == pytest.approx(1, abs=1e-3)
    assert {choice.label.partition(":")[0].partition(" ")[0] for choice in question.choices} == {"row", "none"}
    for choice in question.choices:
        (correction,) = CORRECTIONS.validate_python([choice.correction.model_dump()])
        assert isinstance(correction, SetSpecial)
        review = build_review(doubtful, [correction])
        kinds = {meeple.id: meeple.kind for meeple in review.report.board.meeples}
        assert [id for id, kind in kinds.items() if kind == "big"] == ([correction.id] if correction.id else [])
        assert {p: n for p, n in review.report.scores.final_scoring.items() if n} == {
            p: n for p, n in (choice.final_scoring or {}).items() if n
        }
        assert not list_doubts(review)
        assert not review.report.doubts


def test_the_doubt_and_the_question_are_worded_in_three_languages(doubtful: Snapshot) -> None:
    review = build_review(doubtful)
    for language, word in (("en", "big meeple"), ("de", "große Meeple"), ("ro", "meeple-ul mare")):
        (question,) = [q for q in build_questions(review, language) if q.about == "special"]
        assert word in question.text
        assert all(translate_doubt_sentence(load_words(language), told) for told in review.report.doubts)


def test_an_oracle_names_the_big_meeple_with_one_answer(rivals: tuple[Truth, Reading, tuple[int, int]]) -> None:
    truth, reading, pair = rivals
    second = reading.meeples[pair[1]]
    meeples = tuple(
        replace(true, placed=replace(true.placed, kind="big")) if true.foot_px == second.foot_px else true
        for true in truth.meeples
    )
    assert meeples != truth.meeples
    placed = tuple(meeple.placed for meeple in meeples)
    known = replace(truth, meeples=meeples, board=replace(truth.board, meeples=placed))
    interview = interview_oracle(join_reading(grey_photo(), doubt_kinds(reading, pair)), known)
    assert len(interview.finals) == 2
    assert interview.finals[-1] == compute_final_points(known)


@pytest.mark.parametrize("special", [0, 1, None])
def test_other_doubts_about_a_piece_remain(rivals: tuple[Truth, Reading, tuple[int, int]], special: int | None) -> None:
    _, reading, pair = rivals
    doubted = doubt_kinds(reading, pair)
    first = doubted.meeples[pair[0]]
    tile = next(tile for tile in doubted.tiles if tile.square == (first.row, first.col))
    assert tile.tile is not None
    elsewhere = next(i for i, _ in enumerate(Placement(tile.tile).layout.segments) if i != first.segment)
    others = (*first.alternatives, MeepleAlternative(elsewhere, 0.1), MeepleAlternative(None, 0.1))
    unsure = replace(first, alternatives=others, confidence=0.5)
    meeples = tuple(unsure if number == pair[0] else m for number, m in enumerate(doubted.meeples))
    snapshot = build_snapshot(joined(replace(doubted, meeples=meeples)))
    ids = [f"m{number + 1}" for number in pair]
    review = build_review(snapshot, [SetSpecial(piece="big", ids=ids, id=None if special is None else ids[special])])
    settled = review.views[0].reading.meeples[pair[0]]
    assert settled.kind == ("big" if special == 0 else "meeple")
    assert [(other.segment, other.kind, other.probability) for other in settled.alternatives] == [
        (elsewhere, None, 0.1),
        (None, None, 0.1),
    ]
    assert [question.about for question in list_doubts(review)] == ["meeple"]


def test_a_missing_piece_and_one_that_is_no_candidate_are_refused(doubtful: Snapshot) -> None:
    with pytest.raises(CorrectionError) as caught:
        build_review(doubtful, [SetSpecial(piece="big", ids=["m999"], id=None)])
    assert caught.value.code == "meeple_unknown"
    with pytest.raises(ValueError, match="one of those"):
        SetSpecial(piece="big", ids=["m1"], id="m2")


@given(st.lists(st.floats(0.001, 0.999), min_size=2, max_size=5))
def test_at_most_one_of_a_players_pieces_is_big(likely: list[float]) -> None:
    board = dealt(0).board
    same = replace(board, meeples=(board.meeples[0],) * len(likely))
    (candidates,) = find_candidates(same, [_big(same, number, share) for number, share in enumerate(likely)])
    others = list(list_other_specials(candidates))
    assert [other.special for other in others] == [*range(len(likely))]
    assert 0 < sum(other.probability for other in others) < 1
    ranked = sorted(others, key=lambda other: other.probability)
    assert [likely[other.special or 0] for other in ranked] == pytest.approx(sorted(likely))
    for other in others:
        assert [meeple.kind for meeple in other.on(same).meeples].count("big") == 1


def _big(board: Board, number: int, probability: float) -> OtherPlace:
    return OtherPlace(number, replace(board.meeples[number], kind="big"), probability)


def test_a_single_candidate_is_asked_about_by_itself(rivals: tuple[Truth, Reading, tuple[int, int]]) -> None:
    _, reading, pair = rivals
    alone = _doubt_kind(reading.meeples[pair[0]], 0.3)
    single = replace(reading, meeples=tuple(alone if n == pair[0] else m for n, m in enumerate(reading.meeples)))
    others = list(find_alternatives(single, build_board(single)))
    assert [type(other) for other in others if not isinstance(other, OtherSpecial)].count(OtherPlace) == 1
    assert not any(isinstance(other, OtherSpecial) for other in others)


@pytest.fixture(scope="module")
def misnamed() -> tuple[Snapshot, str]:
    """Return a reading that is certain except whether one player is orange, and that player."""
    reading, colour = find_table()
    return build_snapshot(joined(doubt(reading, colour, FREE, [0.2] * 9))), colour


def ask(snapshot: Snapshot, *corrections: Correction, language: str = "en") -> list[Question]:
    return build_questions(build_review(snapshot, corrections), language)


def test_the_colour_is_asked_once_with_the_colours_that_are_free(misnamed: tuple[Snapshot, str]) -> None:
    snapshot, colour = misnamed
    (question,) = ask(snapshot, language="de")
    assert question.about == "player"
    assert {*question.squares} == {(m.row, m.col) for m in snapshot.meeples if m.colour == colour}
    assert [choice.label for choice in question.choices[:2]] == [
        load_words("de").name("colour", name) for name in (colour, FREE)
    ]
    others = {meeple.colour for meeple in snapshot.meeples} - {colour}
    assert not others & {choice.colour for choice in question.choices}
    for choice in question.choices:
        (correction,) = CORRECTIONS.validate_python([choice.correction.model_dump()])
        review = build_review(snapshot, [correction])
        points = {player: n for player, n in (choice.final_scoring or {}).items() if n}
        assert {p: n for p, n in review.report.scores.final_scoring.items() if n} == points
        assert not build_questions(review)
        assert not review.report.doubtful


def test_pieces_of_nobody_are_one_question() -> None:
    """The answer takes all of them, and the colour plays no more."""
    reading, colour = find_table()
    absent = (MeepleAlternative(None, 0.5, NOBODY),)
    pieces = (replace(m, alternatives=absent) if m.colour == colour else m for m in reading.meeples)
    snapshot = build_snapshot(joined(replace(reading, meeples=tuple(pieces))))
    (question,) = ask(snapshot)
    assert question.about == "player"
    choice = next(c for c in question.choices if c.correction == SetPlayerColour(colour=colour, instead=NOBODY))
    assert choice.label == f"{load_words('en').name('colour', colour)} did not play"
    report = build_review(snapshot, [choice.correction]).report
    assert colour not in report.scores.final_scoring
    assert {p: n for p, n in (choice.final_scoring or {}).items() if n} == {
        p: n for p, n in report.scores.final_scoring.items() if n
    }
    assert not ask(snapshot, choice.correction)
    assert not ask(snapshot, question.choices[0].correction)


def test_a_players_name_and_points_follow_the_colour_of_the_pieces(misnamed: tuple[Snapshot, str]) -> None:
    snapshot, colour = misnamed
    told = CORRECTIONS.validate_python(
        [{"kind": "player", "colour": colour, "name": "Ana"}, {"kind": "track", "colour": colour, "points": 40}]
    )
    before = build_review(snapshot, told).report
    review = build_review(snapshot, [*told, SetPlayerColour(colour=colour, instead=FREE)])
    report = review.report
    count = sum(meeple.colour == colour for meeple in snapshot.meeples)
    assert sum(meeple.colour == FREE for meeple in report.board.meeples) == count
    assert colour not in report.rules.players
    assert report.names == {FREE: "Ana"}
    assert report.scores.total[FREE] == before.scores.total[colour]
    back = build_review(snapshot, [*told, *review.corrections[2:], SetPlayerColour(colour=FREE, instead=colour)])
    assert back.report.scores.total == before.scores.total
    with pytest.raises(CorrectionError):
        build_review(snapshot, [SetPlayerColour(colour=colour, instead="plaid")])


def test_confirming_one_piece_settles_its_players_colour(misnamed: tuple[Snapshot, str]) -> None:
    snapshot, colour = misnamed
    number = next(n for n, meeple in enumerate(snapshot.meeples, 1) if meeple.colour == colour)
    assert ask(snapshot)
    assert not ask(snapshot, Confirm(about="meeple", id=f"m{number}"))


def test_the_command_line_and_the_sheet_state_the_doubt_about_a_colour(misnamed: tuple[Snapshot, str]) -> None:
    snapshot, colour = misnamed
    report = build_review(snapshot).report
    assert any(f"all pieces of {colour} may be {FREE} (" in line for line in list_remarks(report))
    (player_doubt,) = report.doubts
    for language in LANGUAGES:
        sentence = translate_doubt_sentence(load_words(language), player_doubt)
        assert load_words(language).name("colour", FREE) in sentence


def test_an_oracle_names_a_player_with_one_answer() -> None:
    truth = next(t for t in map(dealt, range(50)) if len({m.placed.colour for m in t.meeples}) > 1)
    good = perfect(truth, Frame())
    points = compute_final_points(truth)
    colour = max(points, key=lambda player: sum(m.colour == player for m in good.meeples))
    renamed = tuple(replace(m, colour=FREE) if m.colour == colour else m for m in good.meeples)
    misread: Reading = doubt(replace(good, meeples=renamed), FREE, colour, [0.3] * 9)
    interview = interview_oracle(join_reading(grey_photo(), misread), truth)
    assert [final == points for final in interview.finals] == [False, True]
    assert interview.settled
