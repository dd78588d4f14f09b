"""Questions: the doubts that matter, most points first, with labelled answers that lead to the true score."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit

from api.carcassonne.corrections.apply import Review, build_review
from api.carcassonne.questions.asker import MAX_CHOICES
from api.carcassonne.questions.builder import build_questions
from api.carcassonne.questions.words import find_meeple_difference, label_tiles
from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from api.documents.corrections import CORRECTIONS, Correction
from api.documents.question import Choice, Question
from api.documents.report import Square, Track, TrackPiece
from api.documents.tile_corrections import Confirm
from api.i18n import load_words
from api.inputs.boards import read_board
from api.languages import LANGUAGES
from scoring.calibration import load_platt_scalings
from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement
from scoring.carcassonne.board.places import name_segment
from scoring.carcassonne.doubt.alternatives import MIN_ASKED_PROBABILITY
from scoring.carcassonne.doubt.relevance import CONFIDENCE_SURE
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.tiles.catalogue import list_layout_turns, load_full_catalogue
from tests.api.corrected import build_corrected_report
from tests.api.doubted import held, joined, wondrous
from tests.readers import reader, survey_example
from tests.vision.doubt.player_colours import find_table
from vision.reading.values import MeepleAlternative, MeepleReading

EXAMPLE = Path(__file__).parents[4] / "datasets" / "examples" / "test_level.jpg"
seeds = st.integers(0, 10_000)
ANSWERS_MOST = 40


@settings(max_examples=5, deadline=None)
@given(seeds)
def test_the_first_choice_is_the_reading_and_all_show_their_points(seed: int) -> None:
    snapshot = held(seed)
    review = build_review(snapshot)
    questions = ask_of_board(review)
    assert bool(questions) == review.doubts.doubtful
    for question in questions[:2]:
        assert 2 <= len(question.choices) <= MAX_CHOICES
        assert question.choices[0].correction.kind == "confirm"
        for choice in question.choices:
            report = build_corrected_report(snapshot, [choice.correction])
            assert {**dict.fromkeys(choice.final_scoring or {}, 0), **report.scores.final_scoring} == {
                **dict.fromkeys(report.scores.final_scoring, 0),
                **(choice.final_scoring or {}),
            }


@settings(max_examples=5, deadline=None)
@given(seeds)
def test_an_answer_removes_its_question(seed: int) -> None:
    snapshot = held(seed)
    for question in ask_of_board(build_review(snapshot))[:2]:
        for choice in question.choices:
            after = ask_of_board(build_review(snapshot, [choice.correction]))
            assert (question.about, question.square, question.meeple) not in {
                (other.about, other.square, other.meeple) for other in after
            }


def ask_of_board(review: Review) -> list[Question]:
    """Return the questions except those of the score board."""
    return [question for question in build_questions(review) if question.about != "track"]


def test_laps_of_the_score_board_are_asked_first_and_an_answer_settles_them() -> None:
    snapshot = build_snapshot(joined(wondrous(1)))
    colours = sorted({meeple.colour for meeple in snapshot.meeples})[:2]
    pieces = [
        TrackPiece(
            colour=colour, pose="standing", spaces=spaces, foot_px=(10, 10), confidence=0.9, doubtful=len(spaces) > 1
        )
        for colour, spaces in zip(colours, ([14], [7, 8]), strict=True)
    ]
    corners = [(0.0, 0.0), (40.0, 0.0), (40.0, 30.0), (0.0, 30.0)]
    read = snapshot.model_copy(update={"track": Track(corners_px=corners, pieces=pieces)})
    laps, space, *others = build_questions(build_review(read))
    assert not [question for question in others if question.about == "track"]
    assert laps.text == f"How many times has {colours[0]} gone round the score board?"
    assert [choice.label for choice in laps.choices[:3]] == [
        "14 points, not round yet",
        "64 points, round once",
        "114 points, round twice",
    ]
    assert laps.quad_px == corners
    assert [choice.label.split()[0] for choice in space.choices[:4]] == ["7", "8", "57", "58"]
    chosen = laps.choices[1].correction
    review = build_review(read, [chosen])
    assert review.report.scores.on_track[colours[0]] == 64
    assert [question.text for question in build_questions(review) if question.about == "track"] == [space.text]


def test_a_wonder_is_asked_about_as_a_whole() -> None:
    """Its farmers pay the owner of the Alhambra; none are paid if it is none."""
    snapshot = build_snapshot(joined(wondrous(4)))
    square = next((tile.row, tile.col) for tile in snapshot.tiles if tile.cell == 0)
    farm = {"kind": "meeple", "square": square, "place": field_on(snapshot, square), "colour": "red"}
    corrections = CORRECTIONS.validate_python([{"kind": "wonder_owner", "wonder": "alhambra", "colour": "red"}, farm])
    question = next(
        question
        for question in build_questions(build_review(snapshot, corrections), "de")
        if question.choices[0].label == "Alhambra"
    )
    assert {choice.correction.kind for choice in question.choices[1:]} == {"wonder", "no_wonder"}
    assert len(question.quad_px) == 4
    for choice in question.choices:
        after = build_questions(build_review(snapshot, [*corrections, choice.correction]))
        assert square not in {question.square for question in after if question.choices[0].label == "Alhambra"}


def test_the_owner_of_a_wonder_is_asked_if_no_marker_was_seen() -> None:
    snapshot = build_snapshot(joined(wondrous(4)))
    assert not [question for question in build_questions(build_review(snapshot)) if asks_for_a_marker(question)]
    ((row, col),) = [(tile.row, tile.col) for tile in snapshot.tiles if tile.cell == 0]
    wonder = {"kind": "wonder", "wonder": "alhambra", "row": row, "col": col, "turns": 1}  # beside the marker
    corrections = CORRECTIONS.validate_python([wonder])
    (question,) = [
        question for question in build_questions(build_review(snapshot, corrections)) if asks_for_a_marker(question)
    ]
    assert len(question.quad_px) == 4
    owners = {choice.correction.colour for choice in question.choices if choice.correction.kind == "wonder_owner"}
    assert owners == {None, *build_review(snapshot, corrections).board.players}
    for choice in question.choices:
        review = build_review(snapshot, [*corrections, choice.correction])
        assert dict(review.report.scores.final_scoring) == choice.final_scoring
        assert not [question for question in build_questions(review) if asks_for_a_marker(question)]


def asks_for_a_marker(question: Question) -> bool:
    return question.choices[0].correction.kind == "wonder_owner"


def field_on(snapshot: Snapshot, square: Square) -> str:
    placement = build_review(snapshot).board.tiles[square]
    assert placement is not None
    part = next(i for i, segment in enumerate(placement.layout.segments) if segment.kind == "field")
    return name_segment(placement.layout, placement.turns, part)


def test_an_unknown_tile_is_asked_about_until_it_is_named() -> None:
    snapshot = held(5)
    review = build_review(snapshot)
    square = next(m.square for m in review.board.meeples)
    tiles = tuple(
        tile.model_copy(update={"tile": None, "turns": 0, "doubtful": True, "alternatives": ()})
        if (tile.row, tile.col) == square
        else tile
        for tile in snapshot.tiles
    )
    meeples = tuple(meeple for meeple in snapshot.meeples)
    unknown = snapshot.model_copy(
        update={"tiles": tiles, "meeples": tuple(_on_none(meeple, square) for meeple in meeples)}
    )
    question = ask_of_board(build_review(unknown))[0]
    assert (question.about, question.square) == ("tile", square)
    assert question.choices[0].tile is None
    assert question.choices[-1].correction.kind == "no_tile"
    fitting = [choice for choice in question.choices if choice.tile]
    assert fitting
    after = build_review(unknown, [fitting[0].correction])
    assert (question.about, square) not in {(other.about, other.square) for other in build_questions(after)}
    assert not [
        problem
        for problem in after.report.board.problems
        if problem.code == "edge_mismatch" and square in problem.tiles
    ]
    left = build_review(unknown, [question.choices[0].correction])
    assert square not in {question.square for question in build_questions(left) if question.about == "tile"}
    assert left.report.doubtful, "nobody knows what it scores, and the report says so"


def _on_none(meeple: MeepleReading, square: Square) -> MeepleReading:
    return replace(meeple, segment=None) if (meeple.row, meeple.col) == square else meeple


def test_questions_have_the_form_that_the_page_expects() -> None:
    question = next(question for question in build_questions(build_review(held(5))) if question.about == "tile")
    document = json.loads(question.model_dump_json())
    assert set(document) == {
        *("about", "text", "square", "squares", "where", "meeple", "photo", "quad_px", "foot_px", "choices")
    }
    assert set(document["choices"][0]) == {
        *("label", "tile", "turns", "drawing", "colour", "probability", "final_scoring", "correction")
    }
    assert document["choices"][0]["drawing"].startswith("/v1/tiles/drawing.svg?tile=")
    assert CORRECTIONS.validate_python([choice["correction"] for choice in document["choices"]])


@pytest.fixture(scope="module")
def level() -> Snapshot:
    return build_snapshot(reader().join([survey_example(EXAMPLE.stem)]))


def test_true_answers_to_all_questions_give_the_true_score() -> None:
    """A photo from the side, on which three things are in doubt."""
    truth = read_board(str(EXAMPLE.with_name("test_oblique.json")))
    snapshot = build_snapshot(reader().join([survey_example("test_oblique")]))
    review, corrections = build_review(snapshot), list[Correction]()
    assert review.report.doubtful
    assert len(build_questions(review)) > 1
    while (questions := build_questions(review)) and len(corrections) < ANSWERS_MOST:
        question = questions[0]
        right = [choice.correction for choice in question.choices if is_true(choice, question, review, truth)]
        corrections.append(right[0] if right else named(question, truth))
        review = build_review(snapshot, corrections)
    assert points(review.board) == points(truth)
    assert not review.report.doubtful
    assert not review.report.doubts


def points(board: Board) -> dict[str, int]:
    return {player: total for player, total in compute_final_scoring(board).totals.items() if total}


def is_true(choice: Choice, question: Question, review: Review, truth: Board) -> bool:
    """Return whether an answer is true; the frame of this photo's reading is that of its label."""
    if question.about == "tile":
        return same(Placement(choice.tile, choice.turns) if choice.tile else None, truth.tiles.get(question.square))
    there = {(m.colour, place(m, truth)) for m in truth.meeples if m.square == question.square}
    correction = choice.correction
    if correction.kind == "meeple":
        return (correction.colour, correction.place) in there
    if correction.kind == "confirm":
        stands = [meeple for meeple in review.report.board.meeples if meeple.id == question.meeple]
        read = [m for m in review.board.meeples if m.square == question.square] if stands else []
        return {(m.colour, place(m, review.board)) for m in read} == there
    return not there


def same(read: Placement | None, true: Placement | None) -> bool:
    if read is None or true is None:
        return read is true
    return read.tile == true.tile and (read.turns - true.turns) % true.layout.symmetry == 0


def place(meeple: PlacedMeeple, board: Board) -> str | None:
    placement = board.tiles[meeple.square]
    assert placement is not None
    assert meeple.segment is not None
    return name_segment(placement.layout, placement.turns, meeple.segment)


def named(question: Question, truth: Board) -> Correction:
    """Return the person's selection if no choice is right."""
    row, col = question.square
    tile = truth.tiles.get(question.square)
    if question.about == "tile" and tile is not None:
        (picked,) = CORRECTIONS.validate_python(
            [{"kind": "tile", "row": row, "col": col, "tile": tile.tile, "turns": tile.turns}]
        )
        return picked
    return Confirm(about="meeple", id=question.meeple)


def review_doubted(*others: Sequence[tuple[str | None, float]]) -> Review:
    """Review a reading, certain but for its standing pieces: each may have other colours, or be none, in order."""
    reading, _ = find_table()
    shares, meeples = iter(others), []
    for meeple in reading.meeples:
        offered = next(shares, ()) if meeple.pose == "standing" else ()
        alternatives = tuple(
            MeepleAlternative(None if colour is None else meeple.segment, likely, colour) for colour, likely in offered
        )
        meeples.append(replace(meeple, alternatives=alternatives))
    return build_review(build_snapshot(joined(replace(reading, meeples=tuple(meeples)))))


def count_expected_change(question: Question, read: Mapping[str, int]) -> float:
    """Return how many points the answers to a question are expected to move, by its own numbers."""
    return sum(
        (choice.probability or 0)
        * sum(abs(points - read.get(player, 0)) for player, points in choice.final_scoring.items())
        for choice in question.choices
        if choice.final_scoring is not None
    )


def test_the_question_with_most_points_at_stake_comes_first() -> None:
    """Seven points with a probability of one in five come before one that is nearly as likely as not."""
    review = review_doubted([("orange", 0.3)], [("orange", 0.2), ("pink", 0.2), ("white", 0.2)])
    assert len(review.doubts.to_review) == 4
    questions = build_questions(review)
    expected = [count_expected_change(question, review.report.scores.final_scoring) for question in questions]
    assert len(expected) == 2
    assert expected[0] > expected[1] > 0


def test_answers_below_one_percent_are_not_offered() -> None:
    review = review_doubted([("orange", 0.3), ("pink", MIN_ASKED_PROBABILITY / 4)])
    (question,) = build_questions(review)
    assert [choice.label for choice in question.choices] == [review.board.meeples[0].colour, "orange"]


def test_doubts_that_rarely_change_points_are_not_asked() -> None:
    """Many such doubts together still leave the points uncertain, and the report says so."""
    gone = load_platt_scalings("carcassonne")["gone"]
    rare, likelier = (
        review_doubted(*[[(None, float(expit((logit(honest) - gone.offset) / gone.slope)))]] * 99)
        for honest in (0.8 * MIN_ASKED_PROBABILITY, 1.5 * MIN_ASKED_PROBABILITY)
    )
    assert all(0 < change.alternative.probability < MIN_ASKED_PROBABILITY for change in rare.doubts.changes)
    for review, is_asked in ((rare, False), (likelier, True)):
        assert (review.report.scores.confidence or 0) < CONFIDENCE_SURE
        assert bool(build_questions(review)) == is_asked


@pytest.mark.parametrize(
    ("tiles", "labels"),
    [
        (("BA/CcRr", "BA/CcRr+"), ["no coat of arms", "coat of arms"]),
        (
            ("BA/CccR+", "BA/CccR", "BA/Ccc"),
            ["coat of arms, road (south)", "road (south), no coat of arms", "no coat of arms, no road"],
        ),
        (("BA/L", "BA/LR"), ["no road", "road (south)"]),
        (("BA/Rr", "BA/RFr"), ["road (south, west)", "road (east, west)"]),
        (
            ("BB/CFR.b", "CU/SCFR", "IC/CFR"),
            ["no monastery, a single field", "monastery", "no monastery, 2 fields"],
        ),
    ],
    ids=["coat", "coat and road", "road", "course", "fields"],
)
def test_tiles_are_labelled_by_their_difference(tiles: tuple[str, ...], labels: list[str]) -> None:
    assert label_tiles(load_words("en"), [Placement(tile, 0) for tile in tiles]) == labels


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_label_names_a_tile_by_its_letter_or_id(language: str) -> None:
    words, catalogue = load_words(language), load_full_catalogue()
    placements = [Placement(tile, turns) for tile, turns in list_layout_turns(catalogue)]
    read = Placement("BA/CFc+", 0)
    for placement in placements:
        for label in label_tiles(words, [read, placement]):
            assert label
            assert "/" not in label
            assert placement.layout.letter not in label.split()


def test_a_missing_tile_has_no_label() -> None:
    assert label_tiles(load_words("en"), [Placement("BA/L", 0), None]) == ["as drawn", None]


def test_pieces_differ_in_one_thing_or_several() -> None:
    red, big = PlacedMeeple("red", (0, 0), 0), PlacedMeeple("red", (0, 0), 0, "standing", "big")
    blue, elsewhere = PlacedMeeple("blue", (0, 0), 0), PlacedMeeple("red", (0, 0), 1)
    assert find_meeple_difference([red, big]) == "kind"
    assert find_meeple_difference([red, blue]) == "colour"
    assert find_meeple_difference([red, elsewhere]) == "place"
    assert find_meeple_difference([red, None]) == "there"
    assert find_meeple_difference([blue, big]) == "several"
