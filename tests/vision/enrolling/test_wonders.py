"""A wonder is enrolled from a photo of its tile alone, or of a game; a person's words override the reading."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from datasets.evaluation.wonder_enrolment import align_squares
from scoring.carcassonne.tiles.geometry import SIDES
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.shapes import list_outlines, move_squares
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.errors import CatalogueError
from tests.readers import reader
from tests.vision.enrolling.lone import draw_lone, photo, plain_photo
from tests.vision.reading.wonder_read import table
from vision.enrolling.wonders import WonderProposal, correct_edges, place_on_outline, propose_wonder
from vision.errors import EnrolmentError
from vision.photo.decoding import Photo
from vision.squares.print_matching import References

ID = "WH/tikal"


@cache
def proposal(id: str = ID) -> WonderProposal:
    return propose_wonder(reader(), photo(draw_lone(id)[0]), id)


def test_the_layout_of_a_lone_tile_is_read() -> None:
    _, truth = draw_lone(ID)
    step = align_squares(proposal().quads, truth)
    assert step is not None
    true = step.wonder(truth.board.wonders[0])
    read = proposal().reading.placed
    assert read.layout.id == ID
    assert {*read.squares} == {*true.squares} == {*proposal().quads}
    wrong = [edge for edge, kind in true.edges.items() if read.edges[edge] != kind]
    assert len(wrong) <= 1
    assert read.layout.is_guessed


def test_the_prints_of_a_wonders_squares_are_recognised_in_any_turn() -> None:
    art = proposal().build_art()
    assert [key.tile for key in art.keys] == [f"{ID}#{cell}" for cell in range(5)]
    assert {key.turns for key in art.keys} == {proposal().reading.placed.turns}
    references = References([art], reader().classifier.metadata["classes"])
    turned = np.ascontiguousarray(np.rot90(art.crops, -1, axes=(1, 2)))
    scores = np.zeros((5, len(reader().classifier.metadata["classes"])))
    _, beyond = references.weigh(scores, turned, reader().square_reader.twins)
    keys = [beyond.named(square)[0] for square in range(5)]
    assert keys == [key.turned(1) for key in art.keys]


def test_edges_given_by_a_person_hold_and_the_rest_is_read() -> None:
    read = proposal().reading.placed
    road = next(edge for edge, kind in read.edges.items() if kind == "road")
    corrected = correct_edges(reader(), proposal(), {road: "field"}).reading.placed
    assert corrected.edges[road] == "field"
    assert {*corrected.squares} == {*read.squares}
    assert sum(kind == "road" for kind in corrected.edges.values()) >= 1
    back = correct_edges(reader(), proposal(), {road: "road"}).reading.placed
    assert back.edges == read.edges


def test_edges_that_contradict_the_rule_texts_are_refused() -> None:
    everywhere = dict.fromkeys(proposal().reading.placed.edges, "city")
    with pytest.raises(CatalogueError) as caught:
        correct_edges(reader(), proposal(), everywhere)
    assert caught.value.code == "cannot_be_drawn"


def test_an_outline_given_by_a_person_is_searched_for() -> None:
    file, _ = draw_lone(ID)
    outline = tuple(sorted(move_squares([*proposal().quads])))
    assert tuple(sorted(propose_wonder(reader(), photo(file), ID, outline).quads)) == outline
    other = next(squares for squares, letter in list_outlines().items() if letter == "X")
    with pytest.raises(EnrolmentError) as caught:
        propose_wonder(reader(), photo(file), ID, other)
    assert caught.value.code == "not_five_squares"


def test_a_wonder_is_enrolled_from_a_game() -> None:
    shown, reading, truth = table()
    (true,) = truth.board.wonders
    enrolled = propose_wonder(reader(), shown, true.layout.id)
    assert enrolled.layout is load_wonder_catalogue()[true.layout.id]
    (wonder,) = reading.wonders
    assert enrolled.reading.placed.squares == wonder.placed.squares
    corners = {tile.square: np.roll(tile.corners_px, tile.turns, axis=0) for tile in reading.tiles}
    assert all(np.allclose(quad, corners[square]) for square, quad in enrolled.quads.items())
    assert len(enrolled.build_art().keys) == 5


def test_a_game_without_the_wonder_is_not_searched_for_its_outline() -> None:
    shown, _, truth = table()
    (there,) = truth.board.wonders
    id = next(id for id in WONDERS if id != there.layout.id)
    with pytest.raises(EnrolmentError) as caught:
        propose_wonder(reader(), shown, id)
    assert (caught.value.code, caught.value.details["wonder"]) == ("wonder_not_seen", id)


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (1, 8000), (30_000, 2)])
def test_a_photo_of_a_few_pixels_or_a_strip_shows_no_wonder(size: tuple[int, int]) -> None:
    strip = cv2.imencode(".png", np.full((*size, 3), 90, np.uint8))[1].tobytes()
    with pytest.raises(EnrolmentError) as caught:
        propose_wonder(reader(), Photo.from_bytes(strip, "strip.png"), ID)
    assert caught.value.code == "wonder_not_seen"


def test_an_empty_table_shows_no_wonder() -> None:
    with pytest.raises(EnrolmentError) as caught:
        propose_wonder(reader(), plain_photo(), ID)
    assert caught.value.code == "wonder_not_seen"


@pytest.mark.parametrize("id", sorted(WONDERS))
def test_a_wonder_is_placed_on_its_outline_in_any_turn(id: str) -> None:
    layout = load_wonder_catalogue()[id]
    for turns in range(4):
        squares = tuple((row + 3, col + 5) for row, col in sorted(move_squares(layout.squares, turns)))
        placed = place_on_outline(layout, squares)
        assert tuple(sorted(placed.squares)) == squares
        assert placed.layout is layout
    mirrored = tuple((row, -col + 9) for row, col in layout.squares)
    placed = place_on_outline(layout, mirrored)
    assert {*placed.squares} == {*mirrored}
    turned = [{*move_squares(layout.squares, turns)} for turns in range(4)]
    assert placed.layout.is_bare == ({*move_squares(mirrored)} not in turned)
    assert all(side in SIDES for _, side in placed.edges)
