"""Squares compared with enrolled prints: a print is recognised in any light and turn, other art is left alone."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.art.procedural import draw_tile
from datasets.art.style import STYLES
from scoring.carcassonne.tiles.catalogue import list_layout_turns, load_base_catalogue
from vision.arrays import Image
from vision.enrolment.prints import Enrolment, TileKey
from vision.photo.crops import CORNERS, crop_squares
from vision.squares.coat_posterior import find_coat_twins
from vision.squares.print_matching import MAX_COAT_NATS, References, resolve_class_name

TILES = ("BA/RCr", "BA/CcRr+", "BA/CcRr", "BA/Cc+", "BA/LR")
CLASSES = [*(f"{tile}@{turns}" for tile, turns in list_layout_turns(load_base_catalogue())), "other", "none"]
OTHER = len(CLASSES) - 2
UNSEEN = np.zeros((len(TILES), len(CLASSES)))
TWINS = find_coat_twins(load_base_catalogue())
ROAD = next(pair for pair in TWINS.tolist() if CLASSES[pair[0]] == "BA/CcRr@0")
KEYS = tuple(TileKey(tile, 0) for tile in TILES)


@cache
def drawn(style: str) -> tuple[Image, ...]:
    seed = list(STYLES).index(style)  # the same seed would draw the same houses in both styles
    return tuple(draw_tile(load_base_catalogue()[tile], STYLES[style], seed, size=96) for tile in TILES)


def crops(style: str, turns: int = 0, off: float = 0.0, light: float = 1.0) -> Image:
    """Return the tiles as in a photo: turned clockwise, `off` pixels of 70 off their place, more or less lit."""
    pictures = []
    for picture in drawn(style):
        lit = np.clip(np.pad(np.rot90(picture, -turns), ((20, 20), (20, 20), (0, 0))) * light, 0, 255).astype(np.uint8)
        pictures.append(crop_squares(lit, (CORNERS * 96 + 20 + off * 96 / 70)[None])[0])
    return np.array(pictures)


def enrolled(style: str, keys: tuple[TileKey, ...] = KEYS) -> References:
    return References([Enrolment("a", "a.jpg", "2024-05-01", keys, crops(style))], CLASSES)


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("light", [0.6, 1.2])
def test_a_print_is_recognised_in_any_light_and_turn(turns: int, light: float) -> None:
    scores, _ = enrolled("ink").weigh(UNSEEN, crops("ink", turns, off=1.2, light=light), TWINS)
    assert [CLASSES[i] for i in scores.argmax(axis=1)] == [resolve_class_name(key.turned(turns)) for key in KEYS]
    assert (scores.max(axis=1) > 6).all()


@pytest.mark.parametrize("style", ["meadow", "terra"])
def test_another_art_is_read_unchanged(style: str) -> None:
    scores, _ = enrolled("ink").weigh(UNSEEN, crops(style), TWINS)
    assert (scores >= 0).all()
    assert scores.max() < 3


def test_prints_of_the_nets_own_classes_name_no_other_tile() -> None:
    _, beyond = enrolled("ink").weigh(UNSEEN, crops("ink"), TWINS)
    assert [beyond.named(square) for square in range(len(TILES))] == [(None, 1.0)] * len(TILES)


@pytest.mark.parametrize("light", [0.6, 1.2])
def test_prints_distinguish_twins(light: float) -> None:
    scores, _ = enrolled("ink").weigh(UNSEEN, crops("ink", off=1.2, light=light), TWINS)
    plain, coat = scores[:, ROAD].T
    assert coat[TILES.index("BA/CcRr+")] - plain[TILES.index("BA/CcRr+")] == pytest.approx(MAX_COAT_NATS)
    assert plain[TILES.index("BA/CcRr")] - coat[TILES.index("BA/CcRr")] == pytest.approx(MAX_COAT_NATS)


@given(st.floats(-12, 12), st.sampled_from(range(len(TILES))))
def test_print_evidence_for_coats_is_bounded_and_favours_the_better_twin(odds: float, shown: int) -> None:
    before = UNSEEN.copy()
    before[:, ROAD[1]] = odds
    references, views = enrolled("ink"), crops("ink")
    after, _ = references.weigh(before, views, TWINS)
    apart, _ = references.weigh(before, views, TWINS[:0])
    moved = after[shown, ROAD[1]] - after[shown, ROAD[0]] - odds
    assert abs(moved) <= MAX_COAT_NATS + 1e-9
    gained = apart - before
    assert (after - before)[shown, ROAD].max() == pytest.approx(gained[shown, ROAD].max())
    assert moved * (gained[shown, ROAD[1]] - gained[shown, ROAD[0]]) >= 0


def test_a_tile_of_no_class_is_named_beyond_the_classes() -> None:
    keys = (TileKey("WH/alhambra#2", 1), *KEYS[1:])
    references = enrolled("ink", keys)
    assert references.beyond == tuple(TileKey("WH/alhambra#2", turns) for turns in range(4))
    scores, beyond = references.weigh(UNSEEN, crops("ink", turns=2), TWINS)
    assert scores[0].argmax() == OTHER
    assert (scores[1:].argmax(axis=1) != OTHER).all()
    assert np.exp(beyond.log_probs).sum(axis=1) == pytest.approx(1)
    key, probability = beyond.named(0)
    assert key == TileKey("WH/alhambra#2", 3)
    assert probability > 0.9
    assert all(beyond.named(i)[1] < 0.9 or beyond.named(i)[0] is None for i in range(1, len(TILES)))


def test_print_keys_are_resolved_to_class_names() -> None:
    assert resolve_class_name(TileKey("BA/L", 3)) == "BA/L@0"
    assert resolve_class_name(TileKey("BA/RCr", 3)) == "BA/RCr@3"
    assert resolve_class_name(TileKey("WH/tikal#0", 3)) == "WH/tikal#0@3"
    assert len(References([], CLASSES)) == 0
