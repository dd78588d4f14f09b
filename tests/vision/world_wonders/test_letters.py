"""Letters on building tiles: in any turn, on a real board, and their evidence for a tile's type."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.world_wonders.deal import City, Laid
from datasets.world_wonders.own_copy import BUILDINGS as PRINTED
from datasets.world_wonders.own_copy import COLS, MAP_MM, MARGIN_MM, ROWS, SHAPES, SQUARE_MM, TRACKS, build_land
from datasets.world_wonders.scene import Scene, draw_ground, photograph_scene, place_seat, sample_camera, sample_lamp
from datasets.world_wonders.style import build_style
from models.samples.letters import draw_letter_samples
from scoring.confidence import CONFIDENCE_SURE
from scoring.world_wonders.kinds import BUILDINGS
from tests.vision.world_wonders.drawn_tables import PLAYER, enrolled
from vision.flat_boards.board import BoardLie, normalise_homography
from vision.flat_boards.reading import SpotReading
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.runtime.onnx import MODELS, Net
from vision.world_wonders.layout import Grid
from vision.world_wonders.letters import (
    LETTERS,
    NONE,
    SEEN_PX,
    classify_letters,
    combine_letter_evidence,
    compute_letter_logits,
    crop_map_squares,
    find_letter_doubts,
)
from vision.world_wonders.pieces import Piece, Pieces
from vision.world_wonders.reader import WondersReader, build_reader
from vision.world_wonders.squares import KINDS

GRID = Grid(ROWS, COLS, (MARGIN_MM, MARGIN_MM), SQUARE_MM)
ART = build_style("cedar")
SIZE = (1600, 1200)
ROADS = ((8, 0), (8, 4), (5, 0), (5, 7))
TILES = {
    "library": ("bar", 0, (7, 0)),
    "farm": ("block", 1, (6, 3)),
    "habitation": ("corner", 2, (6, 5)),
    "market": ("domino", 1, (6, 7)),
    "temple": ("tee", 0, (3, 8)),
}
"""Shape, quarter turns, and the north-west square."""
INKS = st.sampled_from([(20, 20, 25), (240, 245, 250)])


@pytest.fixture(scope="module")
def net() -> Net:
    return Net(MODELS / "letters.onnx")


def test_letters_match_the_building_types() -> None:
    assert dict(zip(BUILDINGS, LETTERS, strict=True)) == PRINTED


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 3))
def test_every_orientation_of_a_letter_counts_equally(net: Net, seed: int, turns: int) -> None:
    squares = np.random.default_rng(seed).integers(0, 256, (2, SEEN_PX, SEEN_PX, 3), np.uint8)
    turned = np.ascontiguousarray(np.rot90(squares, turns, (1, 2)))
    assert np.allclose(compute_letter_logits(squares, net), compute_letter_logits(turned, net), atol=1e-4)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(LETTERS), st.integers(0, 3), st.integers(0, 3), st.floats(0.35, 0.5), INKS)
def test_a_clear_letter_is_read(net: Net, letter: str, turns: int, font: int, high: float, ink: object) -> None:
    square = np.full((SEEN_PX, SEEN_PX, 3), (150, 140, 130), np.uint8)
    face = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SIMPLEX)[font]
    size = high * SEEN_PX / 1.2 / 21
    (w, h), _ = cv2.getTextSize(letter, face, size, 2)
    at = ((SEEN_PX - w) // 2, (SEEN_PX + h) // 2)
    cv2.putText(square, letter, at, face, size, ink, 2, cv2.LINE_AA)  # type: ignore[call-overload]
    (logits,) = compute_letter_logits(np.rot90(square, turns)[None].copy(), net)
    assert LETTERS[int(logits[1:].argmax())] == letter
    assert logits.argmax() != NONE


def test_letters_are_read_in_discs_on_patterns_and_small(net: Net) -> None:
    """Some of these squares are hardly legible."""
    squares = draw_letter_samples(400, 99)
    right = compute_letter_logits(squares.pictures, net).argmax(axis=1) == squares.letters
    assert right.mean() > 0.82
    assert right[squares.letters == NONE].mean() > 0.95


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.floats(-30, 30), min_size=8, max_size=8),
    st.integers(0, ROWS - 1),
    st.integers(0, COLS - 1),
)
def test_squares_are_cut_out_at_their_places(moves: list[float], row: int, col: int) -> None:
    """A photo of a map whose squares are all of another grey, from any side."""
    px = 3.0
    picture = np.zeros((round(MAP_MM[1] * px), round(MAP_MM[0] * px), 3), np.uint8)
    for r in range(ROWS):
        for c in range(COLS):
            x, y = (round(px * (MARGIN_MM + SQUARE_MM * at)) for at in (c, r))
            side = round(px * SQUARE_MM)
            picture[y : y + side, x : x + side] = 40 + 2 * (r * COLS + c)
    board = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * np.array(MAP_MM)
    corners = board * px + 60 + np.array(moves).reshape(4, 2)
    transform = cv2.getPerspectiveTransform(board.astype(np.float32), corners.astype(np.float32))
    to_photo = np.asarray(transform, np.float64)
    size = (picture.shape[1] + 120, picture.shape[0] + 120)
    photo = cv2.warpPerspective(picture, to_photo @ np.diag([1 / px, 1 / px, 1.0]), size)
    lie = BoardLie(normalise_homography(to_photo, np.array(MAP_MM) / 2), 0, 0.0, 1.0, 1.0)
    (crop,) = crop_map_squares(Halves(np.asarray(photo, np.uint8)), lie, GRID, [(row, col)])
    middle = SEEN_PX // 2
    assert (
        np.abs(crop[middle - 6 : middle + 6, middle - 6 : middle + 6].astype(int) - (40 + 2 * (row * COLS + col))).max()
        <= 1
    )


@given(st.lists(st.lists(st.floats(0.001, 1), min_size=6, max_size=6), min_size=1, max_size=5))
def test_a_tiles_letter_may_be_on_any_of_its_squares(told: list[list[float]]) -> None:
    likely = np.array(told) / np.sum(told, axis=1, keepdims=True)
    whole = combine_letter_evidence(likely)
    assert whole.sum() == pytest.approx(1)
    assert np.allclose(combine_letter_evidence(likely[::-1]), whole)
    bare = np.array([1.0, 0, 0, 0, 0, 0])
    assert combine_letter_evidence(np.array([bare] * len(likely)))[NONE] > 0.99


def said(letter: int, sure: float) -> np.ndarray:
    likely = np.full(6, (1 - sure) / 5)
    likely[letter] = sure
    return likely


@given(st.sampled_from(BUILDINGS), st.integers(0, 5), st.floats(0.2, 0.9999))
def test_only_a_different_letter_is_evidence_against_a_type(kind: str, letter: int, sure: float) -> None:
    piece = Piece(KINDS.index(kind), ((0, 0),))
    doubts = find_letter_doubts(Pieces((piece,), {(0, 0): (piece,)}), {(0, 0): said(letter, sure)})
    type_letter = 1 + BUILDINGS.index(kind)
    if letter in (NONE, type_letter):
        assert not doubts
    elif sure > 0.999:
        assert max(doubts[piece], key=lambda other: doubts[piece][other]) == BUILDINGS[letter - 1]
    assert all(kind not in others and 0 < sum(others.values()) < 1 for others in doubts.values())


def shot(taken_for: dict[str, str]) -> Photo:
    """Return a city with a building of each type, some of them printed in the colour of another type."""
    rng = np.random.default_rng(3)
    art = replace(ART, colours={**ART.colours, **{kind: ART.colours[as_] for kind, as_ in taken_for.items()}})
    city = City(PLAYER, build_land("A", PLAYER), tracks=dict.fromkeys(TRACKS, 2))
    for row, col in ROADS:
        city.pieces.append(Laid("road", "4", tuple((row, col + c) for c in range(4)), 0, (row, col)))
    for kind, (shape, turns, at) in TILES.items():
        city.pieces.append(Laid(kind, shape, tuple(squares_of(shape, turns, at)), turns, at))
    seat = place_seat(art, "A", city, (0, 0), 0.0, rng)
    camera = sample_camera(list(seat.sheets.values()), 66.0, SIZE, rng)
    image = photograph_scene(
        Scene((seat,), art, camera, sample_lamp(rng), draw_ground(rng, ("plain",)), 0.8, 0.2), rng, 0.5
    )
    return Photo.from_bytes(cv2.imencode(".png", image)[1].tobytes(), "table.png")


def squares_of(shape: str, turns: int, at: tuple[int, int]) -> list[tuple[int, int]]:
    now = list(SHAPES[shape])
    for _ in range(turns):
        now = [(c, -r) for r, c in now]
    top, left = min(r for r, _ in now), min(c for _, c in now)
    return [(r - top + at[0], c - left + at[1]) for r, c in now]


@pytest.fixture(scope="module")
def own() -> WondersReader:
    return build_reader(enrolled(ART, (PLAYER, "blue")))


def test_letters_on_a_board_are_read(own: WondersReader, net: Net) -> None:
    photo = shot({})
    ((lie, grid, player),) = own.maps_in(photo)
    assert player == PLAYER
    for kind, (shape, turns, at) in TILES.items():
        likely = combine_letter_evidence(classify_letters(photo.halves, lie, grid, squares_of(shape, turns, at), net))
        assert likely[1 + BUILDINGS.index(kind)] > 0.9, kind


def test_a_letter_raises_a_doubt_about_a_tile_in_another_types_colour(own: WondersReader) -> None:
    read: dict[str, SpotReading] = {spot.id: spot for spot in own.read([shot({"market": "habitation"})]).spots}
    for kind, (shape, turns, at) in TILES.items():
        for row, col in squares_of(shape, turns, at):
            spot = read[f"map.{PLAYER}.{row}.{col}"]
            others = {str(value).partition("#")[0]: share for value, share in spot.alternatives}
            if kind == "market":
                assert str(spot.value).startswith("habitation#")  # its colour decides
                assert others["market"] == max(others.values())
                assert spot.confidence < CONFIDENCE_SURE
            else:
                assert str(spot.value).startswith(kind)
                assert spot.confidence > CONFIDENCE_SURE
