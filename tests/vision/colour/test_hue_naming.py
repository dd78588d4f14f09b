"""Players are named together, by hues that the photo itself separates, under any lamp."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from datasets.scene.pieces import COLOURS
from vision.arrays import Floats
from vision.colour.hue_naming import HUE_NAMES, find_hue_clusters, name_players
from vision.tower_of_babel.calibration import load_black_chroma

LIGHTS = {
    "white": (1.0, 1.0, 1.0),
    "orange": (0.72, 0.95, 1.1),
    "dim and blue": (0.65, 0.55, 0.5),
    "greenish": (0.85, 1.1, 0.9),
}


def build_paints(colours: tuple[str, ...], light: tuple[float, float, float], make: int) -> list[Floats]:
    return [np.clip(np.array(COLOURS[colour][make], float) * light, 0, 255) for colour in colours]


@pytest.mark.parametrize(("make", "light"), [(number % 3, light) for number, light in enumerate(LIGHTS)])
def test_players_are_named_assuming_one_light(light: str, make: int) -> None:
    black = np.array(COLOURS["black"][make], float) * LIGHTS[light]
    for number in (2, 3, 4):
        for colours in combinations(HUE_NAMES, number):
            namings = name_players(build_paints(colours, LIGHTS[light], make), [black], load_black_chroma())
            assert namings[0].names == colours
            assert namings[0].probability > 0.5
            assert sum(naming.probability for naming in namings) == pytest.approx(1, abs=0.05)


def test_a_hue_that_two_players_may_have_is_a_doubt() -> None:
    lime = np.array((50.0, 165.0, 118.0))
    namings = name_players([lime], (), load_black_chroma())
    assert {naming.names[0] for naming in namings[:2]} == {"yellow", "green"}
    assert namings[1].probability > 0.05


def test_dark_parts_with_a_little_of_the_lamps_hue_are_black() -> None:
    red, yellow = build_paints(("red", "yellow"), LIGHTS["orange"], 0)
    namings = name_players([red, yellow, np.array((58.0, 46.0, 36.0))], (), load_black_chroma())
    assert namings[0].names == ("red", "yellow", "black")


def test_a_hue_of_the_board_belongs_to_no_player() -> None:
    paints = build_paints(("red", "yellow", "green", "blue"), LIGHTS["white"], 0)
    namings = name_players([*paints[:3], np.array((228.0, 215.0, 130.0)), paints[3]], (), load_black_chroma())
    assert namings[0].names == ("red", "yellow", "green", None, "blue")


def test_hues_are_separated_where_the_photo_separates_them() -> None:
    rng = np.random.default_rng(3)
    true = {"red": 177.0, "yellow": 32.0, "green": 50.0}
    hues = np.concatenate([rng.normal(middle, 2.0, 900) for middle in true.values()]) % 180
    stray = rng.uniform(0, 180, 60)
    clusters = find_hue_clusters(np.concatenate([hues, stray]).astype(np.float32), 50)
    assert len(clusters) == 3
    for middle in true.values():
        assert sum(bool(cluster.select(np.array([[middle]], np.float32))[0, 0]) for cluster in clusters) == 1
