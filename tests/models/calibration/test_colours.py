"""How the net names grey pieces is found again, and real ones are collected with their colours."""

from __future__ import annotations

import numpy as np
import pytest

from models.calibration.colours import POSSIBLE, NamedPieces, collect_pieces, compute_nats, fit_row, fit_weights
from tests.scoring.outside import SHARED, needs_shared
from vision.evaluation.labels import load_truth
from vision.pieces.classifier import Piece
from vision.pieces.colour_illumination import compute_usual_paints, illuminate_paints
from vision.pieces.neutral_colours import GREY, NeutralWeights
from vision.reader import Reader

NET = ("red", "black", "white")


def build_photo(grey_odds: tuple[float, float, float], grey: int = 3) -> NamedPieces:
    """Return three pieces of each other colour that the net is sure of, and grey ones of which it says so; their looks
    are not known."""
    names = [*(name for name in NET for _ in range(3)), *[GREY] * grey]
    odds = [grey_odds if name == GREY else tuple(0.99 if name == other else 0.005 for other in NET) for name in names]
    pieces = [Piece((float(i), 0.0), 0.99, np.array(odds[i]), np.ones(1)) for i in range(len(names))]
    return NamedPieces(pieces, np.array(odds), dict(enumerate(names)))


def test_what_the_net_says_of_grey_pieces_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("other", "unsure", "lightness"):
        monkeypatch.setitem(POSSIBLE, name, POSSIBLE[name][1:2])
    as_black = fit_weights([build_photo((0.05, 0.9, 0.05))], NET)
    as_white = fit_weights([build_photo((0.05, 0.05, 0.9))], NET)
    assert as_black.black > as_white.black
    assert as_white.white > as_black.white


def test_grey_counts_together_as_it_is_played() -> None:
    weights = NeutralWeights(0.3, 1.0, 0.3, 0.5, 1.0)
    few, many = (compute_nats([build_photo((0.1, 0.8, 0.1), grey)], NET, weights) / (9 + grey) for grey in (1, 6))
    assert few == pytest.approx(many, abs=0.05)


def test_a_row_tells_what_it_rests_on(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in POSSIBLE:
        monkeypatch.setitem(POSSIBLE, name, (1.0,))
    values = fit_row([build_photo((0.1, 0.5, 0.4))], NET).values
    assert (values["pieces"], values["grey"], values["misnamed"]) == (12, 3, 0)
    with pytest.raises(ValueError, match="grey"):
        fit_row([build_photo((0.1, 0.5, 0.4), 0)], NET)


def test_lightness_is_what_tells_grey_from_black_in_one_light() -> None:
    names = ("red", "blue", "black", "white", GREY)
    paints = dict(zip(names, illuminate_paints(compute_usual_paints(names), np.zeros(3)), strict=True))
    colours = dict(enumerate(name for name in names for _ in range(3)))
    said = [name.replace(GREY, "black") for name in colours.values()]
    odds = np.array([[0.9 if other == name else 0.1 / 3 for other in names[:-1]] for name in said])
    pieces = [Piece((float(i), 0.0), 0.99, odds[i], np.ones(1), paint=paints[name]) for i, name in colours.items()]
    by_hue, by_lightness = (
        compute_nats([NamedPieces(pieces, odds, colours)], names[:-1], NeutralWeights(0.3, 1.0, 0.1, 0.5, lightness))
        for lightness in (0.05, 1.0)
    )
    assert by_lightness > by_hue + 0.1


@needs_shared
def test_real_grey_pieces_are_collected() -> None:
    truth = load_truth(SHARED / "labels" / "kpm_57.json")
    reader = Reader()
    net_colours = reader.piece_reader.names.colours[:-1]
    photo = collect_pieces(reader, truth, SHARED / "photos" / "failing" / "kpm_57.jpg", net_colours)
    assert sorted(photo.colours.values()) == sorted(meeple.placed.colour for meeple in truth.meeples)
    assert photo.net_odds.shape == (len(photo.pieces), len(net_colours))
    assert photo.net_odds.sum(axis=1) == pytest.approx(1)
